/* members.c - which members are nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/members.h"

#include "runtime/base/msg.h"
#include "runtime/place/places.h"
#include "runtime/sched/carry.h"

/* Why members have to be OS threads; NULL: they need not. */
static const char *refusal(void) {
  if (!NTH_CONTEXT)
    return "there is no switch of contexts for this machine";
  if (nth_places_given())
    return "threads are bound to places";
  return 0;
}

void nth_members_begin(void) {
  if (nth_env.members == NTH_MEMBERS_OS)
    return;
  const char *why = refusal();
  if (!why)
    nth_carry_begin(nth_env.test_move);
  else if (nth_verbose)
    nth_msg("NTH_MEMBERS: members are OS threads: %s", why);
}

struct nth_family *nth_members_family(struct nth_member *m) {
  return m->proc->waiter.serves ? m->proc->carrier.family : 0;
}

bool nth_members_nano(const struct nth_team *t, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (nth_processor_nano(t->group.proc[i]))
      return true;
  return false;
}
