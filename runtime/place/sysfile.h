/* sysfile.h - small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Topology and CPU quota stand in such files. Tests lay a tree of their own: every path
 *             is looked up under the root that NTH_TEST_SYS_ROOT or, for the quota,
 *             NTH_TEST_CGROUP_ROOT gives; it is "" otherwise.
 * Orders      D   done: what was read -> who waits for it
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

/* All of it, terminated, from the runtime's heap; NULL: there is no such file, or no memory. */
char *nth_sysfile_text(const char *root, const char *path);

/* Calls read(argument), which opens files, in a thread that has a table of descriptors of its own,
 * empty but for the standard streams, and waits for it. Descriptors are numbers that the program
 * counts on: close(0), and open() gives 0; what is open when it forks is the child's, too. As long
 * as the process has one thread nobody sees them: then, and where there is no thread to be had, it
 * is called here and now. Before Linux 5.9 the table is a copy of the process's. */
void nth_sysfile_apart(void (*read)(void *), void *argument);

#endif
