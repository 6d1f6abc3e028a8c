/* loop_request.c - processors are taken and given back in the middle of a loop */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a processor that is taken goes away at the end of its chunk, and the others run what
// is left; that it takes part in the same loop again when it is given back; that each iteration
// runs once meanwhile, by all schedules.
// RUN: %nth_test
#include "Inputs/rounds.h"

enum { TRIPS = 4000 };
static const int schedules[] = {NTH_STATIC,    NTH_DYNAMIC,  NTH_GUIDED,
                                NTH_TRAPEZOID, NTH_AFFINITY, NTH_GSS};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static int count[TRIPS], n, was_away, is_back;
static int step;  /* 0: all; 1: one processor is left; 2: all again */
static long ends; /* the loop's iterations that are done */

/* Processor 0's iterations ask and see; the others' note that they are back. */
static void body(long from, long to, void *unused) {
  (void)unused;
  for (long i = from; i < to; i++)
    __atomic_fetch_add(&count[i], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&ends, to - from, __ATOMIC_RELAXED);
  if (nth_processor() != 0) {
    if (__atomic_load_n(&step, __ATOMIC_ACQUIRE) == 2)
      __atomic_store_n(&is_back, 1, __ATOMIC_RELAXED);
    check_busy(2000);
    return;
  }
  check_busy(500);
  if (step == 0 && __atomic_load_n(&ends, __ATOMIC_RELAXED) > TRIPS / 10) {
    __atomic_store_n(&step, 1, __ATOMIC_RELEASE);
    CHECK_EQ(nth_request(1), 0);
  } else if (step == 1 && nth_running() == 1) {
    was_away++;
    __atomic_store_n(&step, 2, __ATOMIC_RELEASE);
    CHECK_EQ(nth_request(0), 0);
  }
}

static void once(int schedule) {
  memset(count, 0, sizeof count);
  ends = step = 0;
  CHECK_EQ(nth_loop_run(0, TRIPS, schedule, schedule == NTH_STATIC ? 1 : 0, body, NULL), 0);
  for (int i = 0; i < TRIPS; i++)
    CHECK_EQ(count[i], 1);
  CHECK_EQ(nth_request(0), 0);
  rounds_await(n);
}

/* Some are too short, or processor 0 has no chunk at the right time: one of many has to show it. */
static void dynamic_shows(void) {
  double end = check_seconds() + 20;
  was_away = is_back = 0;
  while (!(was_away && is_back) && check_seconds() < end)
    once(NTH_DYNAMIC);
  CHECK(was_away > 0);
  CHECK(is_back);
}

int main(void) {
  CHECK_EQ(nth_init(omp_get_max_threads() > 1 ? omp_get_max_threads() : 2), 0);
  n = nth_processors();
  CHECK(n > 1);
  for (int turn = 0; turn < 3; turn++)
    for (int s = 0; s < SCHEDULES; s++)
      once(schedules[s]);
  dynamic_shows();
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  once(NTH_GSS);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
