/* errand.c - numbers of created threads, and who frees an errand whose OS thread ends
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <errno.h>
#include <sys/wait.h>

#include "tests/unit/unit.h"

#include "runtime/sched/hold/errand.h"
#include "runtime/sched/hold/tholder.h"

enum { MANY = 2000 };

static void numbers(void) {
  static struct nth_errand *e[MANY];
  uint64_t number[MANY], state;
  for (int i = 0; i < MANY; i++) {
    e[i] = nth_errand_new(NTH_ERRAND_QUEUED, 0);
    unit_check(e[i]);
    number[i] = nth_errand_number(e[i]);
  }
  for (int i = 0; i < MANY; i++) {
    unit_check(nth_errand_of(number[i], &state) == e[i]);
    nth_errand_free(e[i]);
    unit_check(!nth_errand_of(number[i], &state));
  }
  struct nth_errand *again = nth_errand_new(NTH_ERRAND_QUEUED, 0);
  for (int i = 0; i < MANY; i++) /* an old number does not lead to a later use */
    unit_check(!nth_errand_of(number[i], &state));
  nth_errand_free(again);
  for (uint64_t odd = 1; odd != 0; odd <<= 1) {
    unit_check(!nth_errand_of(odd << 20 | 0xfffff, &state));
    unit_check(nth_tholder_join(odd << 33, 0) == ESRCH);
  }
}

static void *ends(void *argument) { pthread_exit(argument); }

/* Detached before, while and after their OS threads end: each is freed once, so that no number is
 * given to two threads. */
static void detached(void) {
  uint64_t t[64];
  for (int round = 0; round < 60; round++) {
    for (int i = 0; i < 64; i++)
      unit_check(nth_tholder_create(&t[i], 0, ends, &t[i]) == 0);
    for (int i = 0; i < 64; i++)
      for (int k = 0; k < i; k++)
        unit_check(t[i] != t[k]);
    if (round % 3 == 1)
      usleep((useconds_t)(50 * round));
    for (int i = 0; i < 64; i++)
      unit_check(nth_tholder_detach(t[i]) == 0);
  }
  void *result;
  unit_check(nth_tholder_create(&t[0], 0, ends, &t[1]) == 0);
  unit_check(nth_tholder_join(t[0], &result) == 0 && result == &t[1]);
}

/* The canceller of the errand that forks is gone: the errand does not wait for it. */
static void cancelled_meanwhile(void) {
  struct nth_errand *e = nth_errand_new(NTH_ERRAND_RUNS, NTH_ERRAND_CANCELLED);
  unit_check(e && nth_errand_become(e) == 0);
  e->thread = pthread_self();
  nth_or_rlx(&e->state, (uint64_t)NTH_ERRAND_CANCELLING);
  nth_errand_forked();
  nth_errand_ends(e);
  uint64_t state = nth_load_rlx(&e->state);
  unit_check(nth_errand_kind(state) == NTH_ERRAND_ENDS && state & NTH_ERRAND_CANCELLED);
}

/* In a child of fork(), before there are errands and with some. Runs first, without threads. */
static void forked(void) {
  pid_t child = fork();
  int status;
  if (child == 0) {
    nth_errand_forked();
    unit_check(nth_errand_new(NTH_ERRAND_QUEUED, 0));
    nth_errand_forked();
    nth_errand_forked();
    unit_check(nth_errand_new(NTH_ERRAND_QUEUED, 0));
    cancelled_meanwhile();
    _exit(0);
  }
  unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  unit_begin();
  unit_run(forked);
  unit_run(numbers);
  unit_run(detached);
  return 0;
}
