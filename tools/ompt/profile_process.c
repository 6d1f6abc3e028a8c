/* profile_process.c - when the process is inside regions, whichever thread has opened them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several threads of a program may open regions, each a team of its own. The process is inside
 * regions while at least one of these threads has one open.
 */
#include "runtime/base/atomic.h"
#include "tools/ompt/profile.h"

/* The changes of `roots` have an order. So `inside` gets one begin and one end for each time that
 * there were some, whatever the order of the additions. */
void prof_process_enter(struct prof_me *m, struct prof_cell *region, uint64_t now) {
  m->outermost = region;
  if (nth_add_rlx(&prof.head->roots, 1) == 0)
    nth_sub_rlx(&prof.head->inside, now);
}

void prof_process_leave(struct prof_me *m, uint64_t now) {
  m->outermost = 0;
  if (nth_sub_rlx(&prof.head->roots, 1) == 1)
    nth_add_rlx(&prof.head->inside, now);
}

void prof_process_child(void) {
  nth_store_rlx(&prof.head->roots, 0);
  nth_store_rlx(&prof.head->inside, 0);
}
