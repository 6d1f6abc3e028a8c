/* segment.h - the memory of a table of programs that share processors: its key, and whose it is
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A segment of System V (shmget). A file that is mapped can be shortened by any process
 *             of the user, a cleaner of /dev/shm or a full disk; the next load is then a SIGBUS,
 *             which a library can neither foresee nor catch, since the signal's action is the
 *             program's. A segment never changes its size, and lives while somebody has it
 *             attached, even if it is removed. It needs no descriptor
 * Trust       Another user may have made a segment with this key before. It is attached first, so
 *             that it cannot be replaced meanwhile, and then looked at: it is used only if the user
 *             made and owns it, and it has a table's size and mode 0600
 * Key         Made of the user, the pid namespace (the numbers of processes mean something inside
 *             it only: a child in another one uses the table no longer) and the name, which is what
 *             NTH_SHARE says; with `auto` it is made of the CPUs of the process's mask when it is
 *             loaded, so that ranks which are bound to other CPUs have another table. The name
 *             stands in the table too: two names with one key do not mix
 * Removed     A segment that was removed (ipcrm) has no key any longer: who comes later gets
 *             another one. So its programs ask once a second, and follow
 */
#ifndef NTH_SCHED_SHARE_SEGMENT_H
#define NTH_SCHED_SHARE_SEGMENT_H

#include "runtime/sched/share/table.h"

enum { NTH_TABLE_NAME_MOST = 64 };

/* A table in this process. */
struct nth_segment {
  struct nth_table *table; /* NULL: none */
  int id;                  /* the system's number of the segment */
  uint64_t space;          /* the pid namespace where it was attached */
};

/* The table's name for what NTH_SHARE says, which is a good name. When the library is loaded. */
void nth_segment_name(char name[NTH_TABLE_NAME_MOST + 1], const char *said);
/* Attaches the table of that name, which may be new. False: *why says why not. */
bool nth_segment_open(struct nth_segment *s, const char *name, const char **why);
/* Whether somebody has removed it. */
bool nth_segment_removed(const struct nth_segment *s);
/* Whether its process numbers mean something here. */
bool nth_segment_ours(const struct nth_segment *s);
/* Nobody in this process uses the table any longer. */
void nth_segment_close(struct nth_segment *s);

#endif
