/* member_state.c - what belongs to a member stays with it over every kind of wait */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that errno, thread-local data, pthread_self, pthread keys, the rounding mode and the stack
// are the member's own after barriers, locks, taskwait and nested regions, in teams larger than
// the machine.
// RUN: %omp_build %s -o %t -lm && %omp_run %t
#include "check.h"
#include <errno.h>
#include <fenv.h>
#include <pthread.h>

static __thread long local;
static pthread_key_t key;

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

struct state {
  int id;
  pthread_t self;
};

static void mark(struct state *s, int id) {
  s->id = id;
  s->self = pthread_self();
  local = id;
  errno = id;
  pthread_setspecific(key, s);
  fesetround(modes[id % 4]);
}

static void still(const struct state *s) {
  int saved = errno;
  CHECK_EQ(saved, s->id);
  CHECK_EQ(local, s->id);
  CHECK(pthread_equal(pthread_self(), s->self));
  CHECK(pthread_getspecific(key) == s);
  CHECK_EQ(fegetround(), modes[s->id % 4]);
  errno = saved;
}

int main(void) {
  long critical = 0, ordered = 0, atomic = 0, single = 0, rounds = 0;
  omp_set_max_active_levels(2);
  pthread_key_create(&key, NULL);
  double end = check_seconds() + 2;
  for (; rounds < CHECK_TIMES(30) && check_seconds() < end; rounds++) {
#pragma omp parallel num_threads(9)
    {
      struct state state, inner;
      mark(&state, 1 + omp_get_thread_num());
#pragma omp barrier
      still(&state);
#pragma omp critical
      critical++;
      still(&state);
#pragma omp for ordered schedule(dynamic)
      for (int i = 0; i < 20; i++) {
#pragma omp ordered
        ordered++;
      }
      still(&state);
#pragma omp task
#pragma omp atomic
      atomic++;
#pragma omp taskwait
      still(&state);
#pragma omp single
      single++;
      still(&state);
#pragma omp parallel num_threads(2) private(inner)
      if (omp_get_thread_num() == 1) {
        mark(&inner, 100 + omp_get_ancestor_thread_num(1));
#pragma omp critical
        critical++;
        still(&inner);
        fesetround(FE_TONEAREST);
      }
      still(&state);
      fesetround(FE_TONEAREST);
    }
  }
  CHECK(rounds > 0);
  CHECK_EQ(critical, 18 * rounds);
  CHECK_EQ(ordered, 20 * rounds);
  CHECK_EQ(atomic, 9 * rounds);
  CHECK_EQ(single, rounds);
  return 0;
}
