/* points.h - OMP_DEBUG: what a debugger stops at, and whether members note what it wants to know
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, chapter 20: with OMP_DEBUG=enabled a debugger can ask for the frames,
 *             functions and states of threads and tasks. The members note these as they do for a
 *             tool, so the entries of this room are in use. At some events execution passes through
 *             functions with names that the specification gives, where a debugger sets breakpoints.
 * Use         NTH_POINT(task_begin) at the event. The exported functions are in abi/ompd.c, which
 *             sets the pointers before the library begins
 * Cost        without OMP_DEBUG: nothing, since nothing of this room is called
 */
#ifndef NTH_OMP_POINTS_H
#define NTH_OMP_POINTS_H

#include <stdbool.h>

struct nth_points {
  void (*parallel_begin)(void), (*parallel_end)(void);
  void (*task_begin)(void), (*task_end)(void);
  void (*thread_begin)(void), (*thread_end)(void);
};
extern struct nth_points nth_points; /* w: abi/ompd.c, at load; NULL: the unit tests' library */
extern bool nth_points_on;           /* OMP_DEBUG; w: nth_points_begin() */

/* Reads OMP_DEBUG. Whether members are to note. */
bool nth_points_begin(void);

#define NTH_POINT(name)                                                                            \
  do {                                                                                             \
    if (nth_points_on && nth_points.name)                                                          \
      nth_points.name();                                                                           \
  } while (0)

#endif
