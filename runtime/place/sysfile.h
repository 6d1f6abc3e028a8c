/* sysfile.h - small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Topology and CPU quota stand in such files. Tests lay a tree of their own: every path
 *             is looked up under the root that NTH_TEST_SYS_ROOT or, for the quota,
 *             NTH_TEST_CGROUP_ROOT gives; it is "" otherwise.
 */
#ifndef NTH_PLACE_SYSFILE_H
#define NTH_PLACE_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Set while the environment is read, never freed. */
extern const char *nth_sysfile_root;
extern const char *nth_sysfile_cgroup_root;

/* The file's first size - 1 bytes, terminated. */
bool nth_sysfile_read(const char *root, const char *path, char *buffer, size_t size);

#endif
