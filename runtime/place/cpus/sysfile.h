/* sysfile.h - reads small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Topology and CPU quota stand in such files. Tests bring files of their own: every
 *             path is taken relative to the root that NTH_TEST_SYS_ROOT or, for the quota,
 *             NTH_TEST_CGROUP_ROOT gives; otherwise the root is "".
 * Orders      D   done: what was read -> the thread that waits for it
 */
#ifndef NTH_PLACE_SYSFILE_H
#define NTH_PLACE_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Set while the environment is read, never freed. */
extern const char *nth_sysfile_root;
extern const char *nth_sysfile_cgroup_root;

/* Reads the file's first size - 1 bytes and terminates them. False: no such file, or it is
 * empty. */
bool nth_sysfile_read(const char *root, const char *path, char *buffer, size_t size);

/* The same of the file folder followed by name, which begins with a slash. */
bool nth_sysfile_read_in(const char *root, const char *folder, const char *name, char *buffer,
                         size_t size);

/* Whether there is such a file or folder. */
bool nth_sysfile_exists(const char *root, const char *folder, const char *name);

/* The whole file, terminated, from the runtime's heap; NULL: there is no such file, or no
 * memory. */
char *nth_sysfile_text(const char *root, const char *path);

/* Gives the calling thread a table of descriptors of its own, which holds the descriptors below
 * first. False: the system cannot; then the table is the process's. For a thread of the runtime's
 * that stays. */
bool nth_sysfile_own_table(unsigned first);

/* Calls read(argument), which opens files, in a new thread, and waits for its end. That thread has
 * its own table of descriptors, empty but for the standard streams. The reason: descriptors are
 * numbers that the program counts on. After close(0), open() gives 0; a forked child inherits all
 * that is open. While the process has only one thread no other can see the descriptors, so read()
 * is called in the calling thread; also where the system refuses a new thread. Before Linux 5.9 the
 * new thread's table is a copy of the process's. So read() has to do with a small stack. */
void nth_sysfile_apart(void (*read)(void *), void *argument);
/* The same, but where the system refuses a new thread it returns false, and read() is not called.
 * For what can be read another time. */
bool nth_sysfile_try_apart(void (*read)(void *), void *argument);

/* Calls look() as that calls read(), but does not wait for its end. For what calls the loader: the
 * caller may hold the loader's lock. */
void nth_sysfile_begin(void (*look)(void));

#endif
