/* quota.h - the CPU quota that control groups set for this process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         In a container with a CPU quota, threads beyond the quota only make each other wait
 *             for the next period. The kernel applies the smallest quota on the path from the
 *             process's group upwards.
 * Use         nth_quota_find(), nth_quota_read(), nth_quota_free(). Groups are of version 1
 *             (cpu.cfs_quota_us and cpu.cfs_period_us) or version 2 (cpu.max); both may be mounted.
 * Not read    A process may be moved to another group, and its old one removed. Then the folders
 *             that were found are gone, which does not mean that there is no quota. A group that is
 *             there but lacks the files sets none.
 */
#ifndef NTH_PLACE_QUOTA_H
#define NTH_PLACE_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

/* A folder that may hold a quota. */
struct nth_quota_folder {
  struct nth_quota_folder *next;
  int version; /* 1 or 2 */
  char path[]; /* without a slash at the end */
};

/* The folders of this process's groups, from the heap; NULL: none was found, or no memory. */
struct nth_quota_folder *nth_quota_find(void);
void nth_quota_free(struct nth_quota_folder *folders);

#define NTH_QUOTA_NONE UINT32_MAX

/* The quota in the folder where a container sees its own group (version 2), in thousandths of a
 * CPU; NTH_QUOTA_NONE: there is none, or it cannot be read. Reads one file, which only containers
 * have. */
uint32_t nth_quota_of_container(void);

/* The smallest quota of the folders that could be read. */
struct nth_quota {
  uint32_t thousandths;                 /* of a CPU; NTH_QUOTA_NONE: none of them sets one */
  bool whole;                           /* there are folders, and all could be read */
  const struct nth_quota_folder *where; /* that sets it; NULL: none */
};
struct nth_quota nth_quota_read(const struct nth_quota_folder *folders);

#endif
