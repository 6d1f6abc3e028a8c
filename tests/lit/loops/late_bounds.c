/* late_bounds.c - nowait: the bounds of a loop change before all members have come to it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One member begins a loop, changes what the bounds are made of, for later loops, and lets the
// others come. The loop is as the first one began it: each iteration runs once, and no other ones.
// The others come in the middle of the loop or after it. Then many short loops whose bounds change
// all the time. Schedules dynamic, guided and runtime, monotonic or not, and the static loops whose
// members share something; long and unsigned long long, up and down.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include <stdatomic.h>

enum { ALL = 4000, MEMBERS = 3, RUNTIMES = 7 };

static struct bounds {
  long first, end, step, chunk; /* of a loop upward; downward it begins before end */
} now;

static const struct bounds loop = {700, 1500, 2, 3};
static const struct bounds others[] = {
    {700, 3000, 2, 3},  /* more iterations */
    {700, 1501, 2, 3},  /* one more */
    {700, 900, 2, 3},   /* fewer */
    {700, 712, 2, 3},   /* so few that members may share them in another way */
    {700, 600, 2, 3},   /* none */
    {900, 1500, 2, 3},  /* another start */
    {400, 1500, 2, 3},  /* the same */
    {400, 1200, 2, 3},  /* as many, elsewhere */
    {700, 1500, 1, 3},  /* another step */
    {700, 2299, 4, 3},  /* as many with another step */
    {700, 1500, 2, 1},  /* another chunk */
    {700, 1500, 2, 40}, /* the same */
    {800, 1801, 5, 7},  /* all of it */
};
enum { OTHERS = sizeof others / sizeof others[0] };

static unsigned char ran[ALL];
static int beyond, changed, when, other;

static void visit(long i) {
  if (i >= 0 && i < ALL)
    __atomic_fetch_add(&ran[i], 1, __ATOMIC_RELAXED);
  else
    __atomic_fetch_add(&beyond, 1, __ATOMIC_RELAXED);
}

/* Another member comes to the loop once the first one has changed the bounds. */
static void arrive(int me) {
  if (me != 0)
    CHECK_WAIT_UNTIL(__atomic_load_n(&changed, __ATOMIC_ACQUIRE));
}

/* The first member has run so many of its iterations; 0: it is past the loop. */
static void change(int me, int mine) {
  if (me != 0 || mine != when)
    return;
  now = others[other];
  __atomic_store_n(&changed, 1, __ATOMIC_RELEASE);
  if (mine > 0)
    check_sleep_ms(1); /* the others have a part of the loop */
}

static void check(bool down, const char *clause) {
  for (long i = 0; i < ALL; i++) {
    long at = down ? i - loop.first - 1 : i - loop.first;
    bool in = i >= loop.first && i < loop.end && at % loop.step == 0;
    if (down)
      in = i > loop.first && i <= loop.end && (loop.end - i) % loop.step == 0;
    if (ran[i] != in) {
      fprintf(stderr, "%s, %s, bounds %d, at %d: iteration %ld\n", clause, down ? "down" : "up",
              other, when, i);
      CHECK_EQ(ran[i], in);
    }
  }
  CHECK_EQ(beyond, 0);
}

#define PRAGMA(text) _Pragma(#text)
#define LOOP(type, head, down, clause)                                                             \
  do {                                                                                             \
    now = loop;                                                                                    \
    changed = 0;                                                                                   \
    memset(ran, 0, sizeof ran);                                                                    \
    PRAGMA(omp parallel num_threads(MEMBERS)) {                                                    \
      int me = omp_get_thread_num(), mine = 0;                                                     \
      arrive(me);                                                                                  \
      PRAGMA(omp for nowait clause)                                                                \
      head {                                                                                       \
        visit((long)i);                                                                            \
        change(me, ++mine);                                                                        \
      }                                                                                            \
      change(me, 0);                                                                               \
    }                                                                                              \
    check(down, #clause);                                                                          \
  } while (0)
#define UP(type) for (type i = (type)now.first; i < (type)now.end; i += (type)now.step)
#define DOWN(type) for (type i = (type)now.end; i > (type)now.first; i -= (type)now.step)
#define EACH(clause)                                                                               \
  do {                                                                                             \
    LOOP(long, UP(long), false, clause);                                                           \
    LOOP(long, DOWN(long), true, clause);                                                          \
    LOOP(unsigned long long, UP(unsigned long long), false, clause);                               \
    LOOP(unsigned long long, DOWN(unsigned long long), true, clause);                              \
  } while (0)

/* Schedules of the library's own are unknown elsewhere, which leaves the one before. */
static void runtime_loops(void) {
  static const int kinds[RUNTIMES] = {omp_sched_dynamic,
                                      (int)omp_sched_dynamic | (int)0x80000000,
                                      omp_sched_guided,
                                      omp_sched_static,
                                      0x101,
                                      0x102,
                                      0x103};
  for (int k = 0; k < RUNTIMES; k++) {
    if (kinds[k] == omp_sched_static && others[other].step != loop.step)
      continue; /* the others come in time for their chunks, with their step */
    omp_set_schedule((omp_sched_t)kinds[k], 3);
    EACH(schedule(runtime));
    EACH(schedule(nonmonotonic : runtime));
  }
}

/* Short loops one after another. Each member changes the end after each loop, so nobody knows which
 * one counts for the next loop, but it is the same for all. */
enum { ROUNDS = 2000, SHORT = 40 };

static unsigned char met[ROUNDS][SHORT];
static atomic_int end_now;

static void check_series(const char *clause) {
  for (int round = 0; round < ROUNDS; round++) {
    int i = 0;
    while (i < SHORT && met[round][i] == 1)
      i++;
    for (; i < SHORT; i++)
      if (met[round][i] != 0) {
        fprintf(stderr, "series, %s, round %d, iteration %d\n", clause, round, i);
        CHECK_EQ(met[round][i], 0);
      }
  }
}

#define SERIES(clause)                                                                             \
  do {                                                                                             \
    memset(met, 0, sizeof met);                                                                    \
    PRAGMA(omp parallel num_threads(MEMBERS))                                                      \
    for (int round = 0; round < ROUNDS; round++) {                                                 \
      PRAGMA(omp for nowait clause)                                                                \
      for (int i = 0; i < end_now; i++)                                                            \
        __atomic_fetch_add(&met[round][i], 1, __ATOMIC_RELAXED);                                   \
      end_now = (round * 7919 + omp_get_thread_num() * 104729) % (SHORT + 1);                      \
    }                                                                                              \
    check_series(#clause);                                                                         \
  } while (0)

static void series(void) {
  SERIES(schedule(dynamic));
  SERIES(schedule(monotonic : dynamic));
  SERIES(schedule(dynamic, 2));
  SERIES(schedule(guided));
  omp_set_schedule(omp_sched_dynamic, 1);
  SERIES(schedule(runtime));
}

int main(void) {
  static const int times[] = {0, 1, 100};
  double end = check_seconds() + 20;
  omp_set_dynamic(0);
  series();
  for (int t = 0; t < 3; t++)
    for (other = 0; other < OTHERS && check_seconds() < end; other++) {
      when = times[t];
      if (when > 0 && others[other].step != loop.step)
        continue; /* the compiled loop itself has the step */
      EACH(schedule(dynamic));
      EACH(schedule(dynamic, now.chunk));
      EACH(schedule(monotonic : dynamic, now.chunk));
      EACH(schedule(nonmonotonic : dynamic, now.chunk));
      EACH(schedule(guided));
      EACH(schedule(guided, now.chunk));
      EACH(schedule(monotonic : guided, now.chunk));
      EACH(schedule(nonmonotonic : guided, now.chunk));
      EACH(ordered schedule(dynamic, now.chunk));
      if (when == 1) { /* its first chunk; for the others' turns it has to wait */
        EACH(ordered schedule(static, now.chunk));
        EACH(ordered schedule(static));
      }
      runtime_loops();
    }
  return 0;
}
