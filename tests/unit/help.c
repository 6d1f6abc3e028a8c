/* help.c - when the searcher leaves the CPUs to members that run tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/help.h"

#include "tests/unit/unit.h"

enum { CPUS = 2, SIZE = 8 };

static struct nth_team team;
static struct nth_slot slot;
static struct nth_worker proc;
static struct nth_member member;

/* Whether the searcher waits while so many members sleep for any task, and in taskwaits. */
static bool waits(uint32_t any, uint32_t choosy) {
  nth_store_rlx(&team.help.bell.sleepers, any);
  nth_store_rlx(&team.help.choosy.sleepers, choosy);
  return nth_team_search_waits(&member);
}

static void counts_both_bells(void) {
  slot.help.searches = NTH_SEARCHES;
  slot.help.naps = 0;
  unit_check(waits(SIZE - CPUS - 1, 0));  /* CPUS members run tasks, beside the searcher */
  unit_check(!waits(SIZE - CPUS, 0));     /* one less */
  unit_check(!waits(SIZE - CPUS - 1, 1)); /* one of them waits for its children */
  unit_check(!waits(SIZE - 1, 1));
}

static void not_without_end(void) {
  slot.help.searches = NTH_SEARCHES;
  slot.help.naps = NTH_SEARCH_NAPS;
  unit_check(!waits(0, 0));
  slot.help.naps = 0;
  slot.help.searches = 0; /* not the searcher */
  unit_check(!waits(0, 0));
}

static void not_as_a_nano_thread(void) {
  slot.help.searches = NTH_SEARCHES;
  slot.help.naps = 0;
  proc.waiter.serves = true;
  unit_check(!waits(0, 0));
  proc.waiter.serves = false;
  unit_check(waits(0, 0));
}

int main(void) {
  member.now.team = &team;
  member.now.slot = &slot;
  member.proc = &proc;
  team.size = SIZE;
  team.crowded = true;
  nth_store_rlx(&nth_allowed.cpus, CPUS);
  unit_run(counts_both_bells);
  unit_run(not_without_end);
  unit_run(not_as_a_nano_thread);
  return 0;
}
