/* held_called.c - a held thread that was called begins on a CPU that nobody keeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/place/places/allowed.h"
#include "runtime/sched/hold/called.h"

/* --- a system of our own: the CPUs 0 and 1, of which every thread may use both --- */

enum { OURS = 1, OTHER = 0, BOTH = 3, CALLED = 77 };

static _Atomic(int) moved, to; /* the last thread that was moved, and the mask that it got */

int sched_getcpu(void) { return OURS; }

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask) {
  (void)pid;
  memset(mask, 0, size);
  CPU_SET(0, mask);
  CPU_SET(1, mask);
  return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask) {
  (void)size;
  int bits = (CPU_ISSET(0, mask) ? 1 : 0) | (CPU_ISSET(1, mask) ? 2 : 0);
  if (bits != BOTH) {
    nth_store_rlx(&moved, pid);
    nth_store_rlx(&to, bits);
  }
  return 0;
}

/* --- one thread that was called --- */

static struct nth_held held = {.tid = CALLED};

/* A thread is called; errands last so long, and so many run. */
static void call(uint64_t lasts, uint32_t running) {
  nth_store_rlx(&nth_held_pool.lasts_ns, lasts);
  nth_store_rlx(&nth_held_pool.running, running);
  nth_store_rlx(&moved, -1);
  nth_store_rlx(&to, 0);
  nth_mutex_lock(&nth_held_pool.lock);
  nth_called(&held);
  nth_mutex_unlock(&nth_held_pool.lock);
}

static bool went(int thread, int cpu) {
  bool so = nth_load_rlx(&moved) == thread && nth_load_rlx(&to) == 1 << cpu;
  nth_store_rlx(&moved, -1);
  return so;
}

static bool stayed(void) { return nth_load_rlx(&moved) == -1; }

static const uint64_t LONG = 2 * NTH_HOLD_LONG_NS, SHORT = NTH_HOLD_LONG_NS / 2;

static void caller_sleeps(void) {
  call(LONG, 1);
  (void)nth_held_waits(false);
  unit_check(went(CALLED, OURS));
  (void)nth_held_waits(false);
  unit_check(stayed()); /* once */
  call(SHORT, 1);
  (void)nth_held_waits(false);
  unit_check(stayed());
}

static void caller_goes_on(void) {
  call(LONG, 1);
  nth_called_send();
  unit_check(went(CALLED, OTHER));
  call(SHORT, 1);
  nth_called_send();
  unit_check(stayed());
}

static void thread_comes(void) {
  call(LONG, 0);
  nth_called_comes(&held);
  unit_check(went(0, OTHER)); /* the caller's CPU, while the other is idle */
  nth_called_bring();
  unit_check(stayed()); /* it has come */
  call(LONG, 1);
  nth_called_comes(&held);
  unit_check(stayed()); /* an errand has the other CPU */
  call(LONG, 0);
  held.called_on = OTHER;
  nth_called_comes(&held);
  unit_check(stayed()); /* it is on another one */
  call(LONG, 0);
  nth_called_bring();
  unit_check(went(CALLED, OURS));
  nth_called_comes(&held);
  unit_check(stayed()); /* its caller sleeps */
}

static void slow_wakes(void) {
  call(LONG, 1);
  nth_store_rlx(&nth_held_pool.wake_ns, 2 * NTH_HOLD_SLOW_WAKE_NS);
  nth_called_bring();
  nth_called_send();
  unit_check(stayed());
  nth_store_rlx(&nth_held_pool.wake_ns, 0);
  nth_called_bring();
  nth_store_rlx(&nth_held_pool.running, 0);
}

int main(void) {
  unit_begin();
  unit_check(nth_allowed_cpus() == 2);
  unit_run(caller_sleeps);
  unit_run(caller_goes_on);
  unit_run(thread_comes);
  unit_run(slow_wakes);
  return 0;
}
