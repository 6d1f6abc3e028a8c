/* omp_lock.c - locks held over waits of the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member may hold a lock, a nestable lock or a critical over taskyield, taskwait,
// taskgroup and other locks while the others want it, and over barriers while nobody does; that
// nobody else has it meanwhile, and that a nestable lock knows its owner after a wait.
// RUN: %members_test
#include "members.h"

static omp_lock_t lock;
static omp_nest_lock_t nest;
static long in_lock, in_nest, in_critical;

static void held(long *counter, unsigned way) {
  long before = *counter;
  pass_alone(way);
  CHECK_EQ(*counter, before);
  *counter = before + 1;
}

static void all_want(int me, unsigned way) {
  omp_set_lock(&lock);
  held(&in_lock, way);
  CHECK(!omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest);
  held(&in_nest, way);
  omp_set_nest_lock(&nest);
  pass_alone(way + 1);
  CHECK_EQ(omp_test_nest_lock(&nest), 3);
  omp_unset_nest_lock(&nest);
  pass_alone(way + (unsigned)me);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
#pragma omp critical(outer)
  held(&in_critical, way);
}

/* Nobody waits for it, all try. */
static void over_barriers(int me, int owner) {
  if (me == owner)
    omp_set_lock(&lock);
  for (unsigned way = 0; way < WAYS_TOGETHER; way++) {
    pass_together(way);
    CHECK(!omp_test_lock(&lock));
  }
#pragma omp barrier
  if (me == owner)
    omp_unset_lock(&lock);
#pragma omp barrier
}

int main(void) {
  long regions = 0, turns = WAYS_ALONE;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  double end = check_seconds() + 1;
  for (; regions < 16 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      for (unsigned way = 0; way < turns; way++)
        all_want(me, way);
      pass_together(0);
      over_barriers(me, (int)(regions % MEMBERS));
    }
  }
  CHECK_EQ(in_lock, turns * MEMBERS * regions);
  CHECK_EQ(in_nest, turns * MEMBERS * regions);
  CHECK_EQ(in_critical, turns * MEMBERS * regions);
  members_end();
  return 0;
}
