/* quota.h - the CPU quota that control groups set for this process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         In a container with a quota, threads beyond it only make each other wait for the
 *             next period. The kernel applies the smallest quota on the path from the process's
 *             group up.
 * Use         nth_quota_find(), nth_quota_read(), nth_quota_free(). Version 1
 *             (cpu.cfs_quota_us and cpu.cfs_period_us) and version 2 (cpu.max) groups; both may
 *             be mounted.
 */
#ifndef NTH_PLACE_QUOTA_H
#define NTH_PLACE_QUOTA_H

#include <stdint.h>

/* A folder that may hold a quota. */
struct nth_quota_folder {
  struct nth_quota_folder *next;
  int version; /* 1 or 2 */
  char path[]; /* without slash at the end */
};

/* The folders of this process's groups, from the heap; NULL: none, or no memory. */
struct nth_quota_folder *nth_quota_find(void);
void nth_quota_free(struct nth_quota_folder *folders);

#define NTH_QUOTA_NONE UINT32_MAX

/* That of the folder in which a container sees its own group (version 2), in thousandths of a CPU;
 * NTH_QUOTA_NONE: there is none there. One file, which only containers have. */
uint32_t nth_quota_of_container(void);

/* The smallest quota in thousandths of a CPU, NTH_QUOTA_NONE without one; *where is its folder. */
uint32_t nth_quota_read(const struct nth_quota_folder *folders,
                        const struct nth_quota_folder **where);

#endif
