/* mistakes.c - functions called with wrong arguments or in the wrong place */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that values out of range are clamped or ignored as libgomp does, that ends without a start
// and locks unset while free do no harm, that nothing is said about any of it, and that what
// libgomp ends the program for ends it with libgomp's line and status.
// RUN: %omp_test 2> %t.said && test ! -s %t.said
// REQUIRES: base
#include "outcome.h"
#include <limits.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

bool GOMP_loop_static_start(long, long, long, long, long *, long *);
bool GOMP_loop_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
void GOMP_loop_end(void);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
void GOMP_critical_end(void);
void GOMP_critical_name_end(void **);
void GOMP_atomic_end(void);
void GOMP_barrier(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_taskwait(void);
void GOMP_taskgroup_end(void);
void GOMP_task_reduction_remap(size_t, size_t, void **);

/* --- values out of range --- */

static void sizes(void) {
  static const int bad[] = {0, -1, INT_MIN};
  for (int i = 0; i < 3; i++) {
    omp_set_num_threads(4);
    omp_set_num_threads(bad[i]);
    CHECK_EQ(omp_get_max_threads(), 1);
  }
  omp_set_num_threads(INT_MAX);
  CHECK_EQ(omp_get_max_threads(), INT_MAX);
  omp_set_num_threads(2);
  omp_set_dynamic(-3);
  CHECK_EQ(omp_get_dynamic(), 1);
  omp_set_dynamic(0);
  omp_set_num_teams(3);
  omp_set_num_teams(-1);
  CHECK_EQ(omp_get_max_teams(), 3);
  omp_set_num_teams(0);
  CHECK_EQ(omp_get_max_teams(), 0);
  omp_set_teams_thread_limit(3);
  omp_set_teams_thread_limit(INT_MIN);
  CHECK_EQ(omp_get_teams_thread_limit(), 3);
  omp_set_teams_thread_limit(0);
  CHECK_EQ(omp_get_teams_thread_limit(), 0);
}

static void levels(void) {
  static const int given[] = {-1, INT_MIN, 0, 255, 256, INT_MAX};
  static const int got[] = {3, 3, 0, 255, 255, 255};
  for (int i = 0; i < 6; i++) {
    omp_set_max_active_levels(3);
    omp_set_max_active_levels(given[i]);
    CHECK_EQ(omp_get_max_active_levels(), got[i]);
  }
  omp_set_max_active_levels(0);
  omp_set_nested(0);
  CHECK_EQ(omp_get_max_active_levels(), 0);
  omp_set_nested(-7);
  CHECK_EQ(omp_get_max_active_levels(), 255);
  omp_set_max_active_levels(1);
  for (int i = INT_MIN; i < -1; i += INT_MAX / 3) {
    CHECK_EQ(omp_get_ancestor_thread_num(i), -1);
    CHECK_EQ(omp_get_team_size(i), -1);
  }
  CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
  CHECK_EQ(omp_get_team_size(INT_MAX), -1);
}

static void schedules(void) {
  static const unsigned bad[] = {0,          5,          6,          200,       0x7fffffff,
                                 0xffffffff, 0x80000000, 0x80000005, 0x40000001};
  omp_sched_t kind;
  int chunk;
  for (int i = 0; i < 9; i++) {
    omp_set_schedule(omp_sched_guided, 7);
    omp_set_schedule((omp_sched_t)bad[i], 3);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_guided);
    CHECK_EQ(chunk, 7);
  }
  omp_set_schedule(omp_sched_auto, 3);
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_auto);
  CHECK_EQ(chunk, 7);
  omp_set_schedule(omp_sched_dynamic, 1);
}

static void places(void) {
  int ids[2] = {-9, -9};
  CHECK_EQ(omp_get_place_num_procs(-1), 0);
  CHECK_EQ(omp_get_place_num_procs(INT_MAX), 0);
  omp_get_place_proc_ids(-1, ids);
  omp_get_place_proc_ids(INT_MAX, ids);
  CHECK_EQ(ids[0], -9);
}

static void pauses(void) {
  CHECK_EQ(omp_pause_resource(omp_pause_soft, 7), -1);
  CHECK_EQ(omp_pause_resource(omp_pause_hard, -7), -1);
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), -1);
    CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), -1);
  }
}

/* --- locks --- */

static void locks(void) {
  omp_lock_t simple;
  omp_nest_lock_t nest;
  omp_init_lock(&simple);
  omp_unset_lock(&simple); /* free */
  CHECK_EQ(omp_test_lock(&simple), 1);
  CHECK_EQ(omp_test_lock(&simple), 0);
  omp_destroy_lock(&simple); /* held */
  omp_init_lock(&simple);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      omp_set_lock(&simple);
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
      omp_unset_lock(&simple); /* another thread's */
  }
  CHECK_EQ(omp_test_lock(&simple), 1);
  omp_init_nest_lock(&nest);
  omp_unset_nest_lock(&nest); /* free */
  CHECK(omp_test_nest_lock(&nest) > 0);
  CHECK(omp_test_nest_lock(&nest) > 1);
  omp_destroy_nest_lock(&nest); /* held */
}

/* --- ends without a start, constructs outside of a region --- */

static void ends(void) {
  static void *name;
  GOMP_critical_end();
  GOMP_critical_name_end(&name);
  GOMP_atomic_end();
  GOMP_barrier();
  GOMP_ordered_start();
  GOMP_ordered_end();
  GOMP_taskwait();
  GOMP_taskgroup_end();
  CHECK(GOMP_single_copy_start() == NULL);
  GOMP_single_copy_end(&name);
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
#pragma omp critical
#pragma omp critical(name)
  sum++;
  CHECK(sum >= 1 && sum <= 2);
}

static void empty_sections(void) {
  CHECK_EQ(GOMP_sections_start(0), 0);
  CHECK_EQ(GOMP_sections_next(), 0);
  GOMP_sections_end();
  CHECK_EQ(GOMP_sections_start(1), 1);
  CHECK_EQ(GOMP_sections_next(), 0);
  CHECK_EQ(GOMP_sections_next(), 0);
  GOMP_sections_end();
}

/* Wrong direction: no iteration. Chunks below 1 where they do no harm. */
static void loops(void) {
  long from = -9, to = -9;
  CHECK(!GOMP_loop_dynamic_start(0, 10, -1, 1, &from, &to));
  GOMP_loop_end();
  CHECK(!GOMP_loop_static_start(10, 0, 1, 0, &from, &to));
  GOMP_loop_end();
  CHECK(!GOMP_loop_guided_start(10, 0, 1, 1, &from, &to));
  GOMP_loop_end();
  CHECK(!GOMP_loop_dynamic_start(0, 10, 0, 1, &from, &to)); /* a step of 0 */
  GOMP_loop_end();
  CHECK(!GOMP_loop_dynamic_start(0, 0, 0, 1, &from, &to));
  GOMP_loop_end();
  for (long chunk = -1; chunk <= 0; chunk++) {
    CHECK(GOMP_loop_static_start(0, 10, 1, chunk, &from, &to));
    CHECK(from == 0 && to == 10);
    GOMP_loop_end();
    CHECK(GOMP_loop_guided_start(0, 10, 1, chunk, &from, &to));
    CHECK(from == 0 && to == 10);
    GOMP_loop_end();
  }
}

/* --- what ends the program --- */

static const char *format;

static void show(void) { omp_display_affinity(format); }

static void capture(void) {
  char buffer[10];
  omp_capture_affinity(buffer, sizeof buffer, format);
}

static void set_and_show(void) {
  omp_set_affinity_format(format);
  omp_display_affinity(NULL);
}

static void formats(void) {
  static const char *const bad[][2] = {
      {"%z", "unsupported type z"},
      {"%\n", "unsupported type \n"},
      {"%-5n", "unsupported type -"},
      {"%0L", "leading zero not followed by dot"},
      {"%05", "leading zero not followed by dot"},
      {"%0-5n", "leading zero not followed by dot"},
      {"%.n", "leading zero or right justification in affinity format requires size"},
      {"%0.n", "leading zero or right justification in affinity format requires size"},
      {"text %{nolong}", "unsupported long type name 'nolong'"},
      {"%{}", "unsupported long type name ''"},
      {"%{thread_num", "unterminated long type name 'thread_num'"},
      {"%{", "unterminated long type name ''"},
  };
  for (int i = 0; i < 12; i++) {
    char line[200];
    const char *rest = strstr(bad[i][1], "affinity format") ? "" : " in affinity format";
    snprintf(line, sizeof line, "\nlibgomp: %s%s\n", bad[i][1], rest);
    format = bad[i][0];
    CHECK_OUTCOME(show, 1, line);
    CHECK_OUTCOME(capture, 1, line);
    CHECK_OUTCOME(set_and_show, 1, line);
  }
}

/* A reduction variable that no enclosing construct has. */
static void remap(void) {
  int sum = 0, other = 0;
  void *list[2] = {&other, NULL};
  CHECK_OPAQUE(sum);
#pragma omp taskgroup task_reduction(+ : sum)
  GOMP_task_reduction_remap(1, 0, list);
}

static void reductions(void) {
  static struct outcome o;
  outcome_of(&o, remap);
  CHECK_EQ(o.status, 1);
  CHECK(strstr(o.text, "\nlibgomp: couldn't find matching task_reduction or reduction with task "
                       "modifier for 0x") == o.text);
}

int main(void) {
  formats();
  reductions();
  sizes();
  levels();
  schedules();
  places();
  pauses();
  locks();
  ends();
  empty_sections();
  loops();
  return 0;
}
