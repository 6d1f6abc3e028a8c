/* moved.c - OMPD: a slave of an inner team whose place another thread has taken */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inner teams of other shapes have other threads. The one that was thread 1 of an inner region
// before, and has no work now, is idle and in no region; thread 1 of the region is the new one.
// nanogomp-only: libgomp has no OMPD
// REQUIRES: base
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t -I%ompt -ldl
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_DEBUG=enabled NTH_MEMBERS=os %omp_run %t
#include "Inputs/self.h"

static struct {
  uint64_t master, slave, before; /* pthreads of the inner region; its slave in the last shape */
} facts;

static void shape(int outer, int inner, uint64_t *slave, bool last) {
#pragma omp parallel num_threads(outer)
  if (omp_get_thread_num() == 1) {
    facts.master = (uint64_t)pthread_self();
#pragma omp parallel num_threads(inner)
    {
      if (omp_get_thread_num() == 1)
        *slave = (uint64_t)pthread_self();
#pragma omp barrier
      if (last && omp_get_thread_num() == 0)
        CHECK(write(STDOUT_FILENO, &facts, sizeof facts) == sizeof facts);
      while (last)
        sleep(100);
    }
  }
}

static void watched(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  shape(2, 2, &facts.slave, false);
  shape(4, 2, &facts.before, false);
  shape(2, 2, &facts.slave, true);
}

int main(int argc, char **argv) {
  struct _ompd_aspace_cont c;
  ompd_parallel_handle_t *r;
  ompd_task_handle_t *task;
  ompd_word_t state;
  if (argc > 1)
    watched();
  ompd_address_space_handle_t *s = watch(&c, argv[0], &facts, sizeof facts);
  CHECK(facts.before != facts.slave);
  ompd_thread_handle_t *before = thread(s, facts.before);
  CHECK_EQ(o.get_curr_parallel_handle(before, &r), ompd_rc_unavailable);
  CHECK_EQ(o.get_curr_task_handle(before, &task), ompd_rc_unavailable);
  OK(o.get_state(before, &state, 0));
  CHECK_EQ(state, ompt_state_idle);
  OK(o.get_curr_parallel_handle(thread(s, facts.slave), &r));
  CHECK_EQ(icv(s, r, "levels-var"), 2);
  CHECK(member(r, 0) == facts.master && member(r, 1) == facts.slave);
  return 0;
}
