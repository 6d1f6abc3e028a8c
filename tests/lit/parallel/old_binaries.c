/* old_binaries.c - the calls that gcc 4.4 to 4.9 compiled constructs to */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every construct of OpenMP 3.1 in the form of old object files: a region is opened, its
// body called by the encountering thread and closed; combined loops and sections call _next first;
// GOMP_task has seven arguments, with depend eight; taskgroup, single, critical, atomic, ordered.
// RUN: %omp_test
#include "../loops/gomp_loops.h"
#include "check.h"

typedef void body_fn(void *);
typedef void loop_open(body_fn *, void *, unsigned, long, long, long, long);
void GOMP_parallel_start(body_fn *, void *, unsigned);
void GOMP_parallel_end(void);
loop_open GOMP_parallel_loop_static_start, GOMP_parallel_loop_dynamic_start,
    GOMP_parallel_loop_guided_start;
void GOMP_parallel_loop_runtime_start(body_fn *, void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(body_fn *, void *, unsigned, unsigned);
unsigned GOMP_sections_start(unsigned), GOMP_sections_next(void);
void GOMP_sections_end(void), GOMP_sections_end_nowait(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
void GOMP_barrier(void);
void GOMP_critical_start(void), GOMP_critical_end(void);
void GOMP_critical_name_start(void **), GOMP_critical_name_end(void **);
void GOMP_atomic_start(void), GOMP_atomic_end(void);
void GOMP_taskwait(void), GOMP_taskyield(void);
void GOMP_taskgroup_start(void), GOMP_taskgroup_end(void);
/* gcc 4.4 to 4.8; gcc 4.9. */
void task_7(body_fn *, void *, void (*)(void *, void *), long, long, bool,
            unsigned) __asm__("GOMP_task");
void task_8(body_fn *, void *, void (*)(void *, void *), long, long, bool, unsigned,
            void **) __asm__("GOMP_task");
/* gcc 4.9: device, function, unused, items, addresses, sizes, kinds. */
__attribute__((weak)) void GOMP_target(int, body_fn *, const void *, size_t, void **, size_t *,
                                       unsigned char *);
__attribute__((weak)) void GOMP_target_data(int, const void *, size_t, void **, size_t *,
                                            unsigned char *);
__attribute__((weak)) void GOMP_target_update(int, const void *, size_t, void **, size_t *,
                                              unsigned char *);
__attribute__((weak)) void GOMP_target_end_data(void);
__attribute__((weak)) void GOMP_teams(unsigned, unsigned);

enum { TRIPS = 100 };

struct frame {
  long sum, turn, members;
  int kind, ran[TRIPS];
};
static void *named_lock;

/* Opens a region as `#pragma omp parallel` did. */
static struct frame region(body_fn *body, unsigned threads) {
  struct frame frame = {0};
  GOMP_parallel_start(body, &frame, threads);
  body(&frame);
  GOMP_parallel_end();
  return frame;
}

/* A block of a static loop was computed in line. */
static void body_static(void *data) {
  struct frame *frame = data;
  long n = omp_get_num_threads(), me = omp_get_thread_num(), q = TRIPS / n, r = TRIPS % n;
  long a = me * q + (me < r ? me : r), b = a + q + (me < r);
  for (long i = a; i < b; i++)
    frame->ran[i]++;
  GOMP_barrier();
  for (long i = 0; i < TRIPS; i++)
    CHECK_EQ(frame->ran[i], 1);
}

static bool start(int kind, long *a, long *b) {
  switch (kind) {
  case 0: return GOMP_loop_static_start(0, TRIPS, 1, 3, a, b);
  case 1: return GOMP_loop_dynamic_start(0, TRIPS, 1, 2, a, b);
  case 2: return GOMP_loop_guided_start(0, TRIPS, 1, 1, a, b);
  case 3: return GOMP_loop_runtime_start(0, TRIPS, 1, a, b);
  case 4: return GOMP_loop_ordered_static_start(0, TRIPS, 1, 3, a, b);
  case 5: return GOMP_loop_ordered_dynamic_start(0, TRIPS, 1, 2, a, b);
  case 6: return GOMP_loop_ordered_guided_start(0, TRIPS, 1, 1, a, b);
  default: return GOMP_loop_ordered_runtime_start(0, TRIPS, 1, a, b);
  }
}

static gomp_next *const nexts[] = {
    GOMP_loop_static_next,         GOMP_loop_dynamic_next,         GOMP_loop_guided_next,
    GOMP_loop_runtime_next,        GOMP_loop_ordered_static_next,  GOMP_loop_ordered_dynamic_next,
    GOMP_loop_ordered_guided_next, GOMP_loop_ordered_runtime_next,
};
enum { KINDS = 8, ORDERED_FROM = 4 };

static void body_loops(void *data) {
  struct frame *frame = data;
  for (int kind = 0; kind < KINDS; kind++) {
    long a, b, mine = 0;
    if (start(kind, &a, &b)) {
      do {
        for (long i = a; i < b; i++) {
          mine += i;
          if (kind >= ORDERED_FROM) {
            GOMP_ordered_start();
            CHECK_EQ(frame->turn++, i);
            GOMP_ordered_end();
          }
        }
      } while (nexts[kind](&a, &b));
    }
    if (kind % 2)
      GOMP_loop_end();
    else
      GOMP_loop_end_nowait();
    GOMP_atomic_start(); /* a reduction's end */
    frame->sum += mine;
    GOMP_atomic_end();
    GOMP_barrier();
    if (GOMP_single_start()) {
      CHECK_EQ(frame->sum, TRIPS * (TRIPS - 1) / 2);
      frame->sum = frame->turn = 0;
    }
    GOMP_barrier();
  }
}

static void body_ull(void *data) {
  struct frame *frame = data;
  gomp_ull a, b, base = 0xfffffffffffff000ull;
  bool more = GOMP_loop_ull_dynamic_start(true, base, base + 3 * TRIPS, 3, 4, &a, &b);
  for (; more; more = GOMP_loop_ull_dynamic_next(&a, &b))
    for (gomp_ull i = a; i < b; i += 3)
      frame->ran[(i - base) / 3]++;
  GOMP_loop_end();
  more = GOMP_loop_ull_ordered_guided_start(false, TRIPS - 1, -1ull, -1ull, 2, &a, &b);
  CHECK(!more); /* downward to the greatest value: empty */
  GOMP_loop_end();
  more = GOMP_loop_ull_guided_start(false, TRIPS, 0, -1ull, 2, &a, &b);
  for (; more; more = GOMP_loop_ull_guided_next(&a, &b))
    for (gomp_ull i = a; i > b; i--)
      frame->ran[i - 1]++;
  GOMP_loop_end();
  for (int i = 0; i < TRIPS; i++)
    CHECK_EQ(frame->ran[i], 2);
  GOMP_barrier();
}

/* Combined constructs: the body begins with _next. */
static void body_combined(void *data) {
  struct frame *frame = data;
  long a, b;
  GOMP_critical_start();
  frame->members++;
  GOMP_critical_end();
  while (nexts[frame->kind](&a, &b))
    for (long i = a; i < b; i++)
      frame->ran[i]++;
  GOMP_loop_end_nowait();
}

static void combined(unsigned threads) {
  static loop_open *const open[] = {GOMP_parallel_loop_static_start,
                                    GOMP_parallel_loop_dynamic_start,
                                    GOMP_parallel_loop_guided_start};
  for (int kind = 0; kind < 4; kind++) {
    struct frame frame = {.kind = kind};
    if (kind < 3)
      open[kind](body_combined, &frame, threads, 0, TRIPS, 1, 1 + kind);
    else
      GOMP_parallel_loop_runtime_start(body_combined, &frame, threads, 0, TRIPS, 1);
    body_combined(&frame);
    GOMP_parallel_end();
    CHECK_EQ(frame.members, threads ? (int)threads : omp_get_max_threads());
    for (int i = 0; i < TRIPS; i++)
      CHECK_EQ(frame.ran[i], 1);
  }
}

static void body_sections(void *data) {
  struct frame *frame = data;
  for (unsigned s = frame->kind ? GOMP_sections_start(7) : GOMP_sections_next(); s;
       s = GOMP_sections_next())
    frame->ran[s]++;
  GOMP_sections_end_nowait();
  GOMP_barrier();
  for (int s = 0; s < 10; s++)
    CHECK_EQ(frame->ran[s], s >= 1 && s <= 7);
}

static void sections(unsigned threads) {
  struct frame frame = {0};
  GOMP_parallel_sections_start(body_sections, &frame, threads, 7);
  body_sections(&frame);
  GOMP_parallel_end();
  memset(&frame, 0, sizeof frame);
  frame.kind = 1;
  GOMP_parallel_start(body_sections, &frame, threads);
  body_sections(&frame);
  GOMP_parallel_end();
}

static void body_sync(void *data) {
  struct frame *frame = data;
  for (int i = 0; i < 50; i++) {
    GOMP_critical_name_start(&named_lock);
    check_count_alone(&frame->sum, i);
    GOMP_critical_name_end(&named_lock);
    GOMP_atomic_start();
    check_count_alone(&frame->members, i);
    GOMP_atomic_end();
  }
  long value = 0, *copy = GOMP_single_copy_start();
  if (!copy) {
    value = 42;
    GOMP_single_copy_end(&value);
  } else {
    value = *copy;
  }
  GOMP_barrier();
  CHECK_EQ(value, 42);
  CHECK_EQ(frame->sum, 50 * omp_get_num_threads());
  CHECK_EQ(frame->members, frame->sum);
}

struct argument {
  struct frame *frame;
  long value;
};

static void task_body(void *data) {
  struct argument *argument = data;
  GOMP_atomic_start();
  argument->frame->sum += argument->value;
  GOMP_atomic_end();
}

static void body_tasks(void *data) {
  struct frame *frame = data;
  if (GOMP_single_start()) {
    for (long i = 0; i < 40; i++) {
      struct argument argument = {frame, i};
      task_7(task_body, &argument, NULL, sizeof argument, 8, i % 5 != 0, i % 3 == 0);
      if (i % 7 == 0)
        GOMP_taskyield();
    }
    GOMP_taskwait();
    CHECK_EQ(frame->sum, 780);
    GOMP_taskgroup_start();
    for (long i = 0; i < 40; i++) {
      struct argument argument = {frame, i};
      void *depend[3] = {(void *)1, (void *)1, &frame->turn};
      task_8(task_body, &argument, NULL, sizeof argument, 8, true, 8, depend);
    }
    GOMP_taskgroup_end();
    CHECK_EQ(frame->sum, 1560);
  }
  GOMP_barrier();
}

static void body_target(void *data) {
  void **addresses = data;
  *(int *)addresses[0] += 1;
}

static void target(void) {
  int value = 1;
  void *addresses[1] = {&value};
  size_t sizes[1] = {sizeof value};
  unsigned char kinds[1] = {3 | 2 << 3}; /* tofrom, aligned to 4 */
  if (!GOMP_target || !GOMP_target_data || !GOMP_target_end_data || !GOMP_target_update)
    return;
  GOMP_target_data(-1, NULL, 1, addresses, sizes, kinds);
  GOMP_target(-1, body_target, NULL, 1, addresses, sizes, kinds);
  GOMP_target_update(-1, NULL, 1, addresses, sizes, kinds);
  GOMP_target_end_data();
  CHECK_EQ(value, 2);
  if (GOMP_teams)
    GOMP_teams(2, 2);
}

int main(void) {
  double end = check_seconds() + 2;
  omp_set_schedule(omp_sched_dynamic, 3);
  for (int round = 0; round < 20 && check_seconds() < end; round++)
    for (unsigned threads = 0; threads < 6; threads++) {
      region(body_static, threads);
      region(body_loops, threads);
      region(body_ull, threads);
      combined(threads);
      sections(threads);
      region(body_sync, threads);
      region(body_tasks, threads);
      CHECK_EQ(omp_get_level(), 0);
    }
  target();
  /* Without any region around: a team of one. */
  struct frame frame = {0};
  body_loops(&frame);
  body_tasks(&frame);
  return 0;
}
