/* file.h - the file of a table of programs that share processors: its name, and who may make it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The file lies where all users may write, so another user may have been there before.
 *             It is taken only if it is a plain file of the user's own, with one name, mode 0600
 *             and a table's size.
 * Name        nth-table.UID.SPACE.NAME in /dev/shm, or else in $XDG_RUNTIME_DIR. SPACE is the pid
 *             namespace: the numbers of processes mean something inside it only. NAME is what
 *             NTH_SHARE says; with `auto` it is made of the CPUs of the process's mask, so that
 *             ranks which are bound to other CPUs have another table
 */
#ifndef NTH_SCHED_SHARE_FILE_H
#define NTH_SCHED_SHARE_FILE_H

#include "runtime/sched/share/table.h"

enum { NTH_TABLE_NAME_MOST = 64 };

/* Maps the table of that name, which may be new. NULL: *why says why not. When the library is
 * loaded: it opens files. */
struct nth_table *nth_table_map(const char *name, const char **why);

#endif
