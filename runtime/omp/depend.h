/* depend.h - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5 (depend clause).
 * Use         nth_depend_wait() before a construct with depend clauses that is not deferred.
 */
#ifndef NTH_OMP_DEPEND_H
#define NTH_OMP_DEPEND_H

struct nth_member;

/* Waits until the dependences of `depend` (the compiler's array, old or new format; NULL: none) are
 * fulfilled: sibling tasks met before that access the same objects have finished. */
void nth_depend_wait(struct nth_member *m, void **depend);

#endif
