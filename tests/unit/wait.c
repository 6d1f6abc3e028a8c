/* wait.c - what a waiter knows of competitors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <sched.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/os.h"
#include "runtime/sched/wait.h"

enum { RIVALS = 3, RIVALRY_MS = 60 };

static uint64_t delay_of[RIVALS];

static void work(unsigned number) {
  struct timespec t;
  uint64_t before = nth_os_run_delay();
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  while (t.tv_sec == 0 && t.tv_nsec < RIVALRY_MS * 1000000L);
  delay_of[number] = nth_os_run_delay() - before;
}

/* Three threads that want one CPU for the same time each: together they wait at least as long as the
 * second and third are held up by what the first ones need. */
static void delay_is_told(void) {
  cpu_set_t all, one;
  if (nth_os_run_delay() == NTH_OS_UNKNOWN) {
    printf("  left out: this system has no schedstat\n");
    return;
  }
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  unit_check(sched_setaffinity(0, sizeof one, &one) == 0);
  unit_threads(RIVALS, work);
  unit_check(sched_setaffinity(0, sizeof all, &all) == 0);
  uint64_t sum = 0;
  for (unsigned i = 0; i < RIVALS; i++)
    sum += delay_of[i];
  unit_check(sum > RIVALRY_MS * UINT64_C(1000000));
}

/* A wait that the policy keeps from spinning is told to sleep at its first look at the clock, however
 * often it asks. */
static void passive_sleeps(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(0, false, 0);
  nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
  unsigned polls = 0;
  while (nth_wait_poll(&w))
    polls++;
  unit_check(polls == NTH_SPIN_POLLS - 1);
  unit_check(!nth_wait_poll(&w) && !nth_wait_poll(&w));
  nth_wait_end(&w);
}

/* Without a policy it spins for the lower bound, and sleeps then. */
static void spins_first(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(-1, false, 0);
  nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
  uint64_t start = nth_clock_ns();
  while (nth_wait_poll(&w))
    ;
  unit_check(nth_clock_ns() - start >= NTH_SPIN_MIN_NS);
  nth_wait_end(&w);
  unit_check(t.recent_ns[NTH_WAIT_BARRIER] >= NTH_SPIN_MIN_NS);
}

int main(void) {
  unit_begin();
  unit_run(delay_is_told);
  unit_run(passive_sleeps);
  unit_run(spins_first);
  return 0;
}
