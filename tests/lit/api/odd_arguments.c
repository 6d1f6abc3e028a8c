/* odd_arguments.c - omp_set_ and omp_get_ functions with arguments out of range, in every
 * context */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what negative, zero and huge arguments do, also in INTEGER(8) from Fortran, in serial
// parts, regions, nested regions, tasks, final tasks and teams: as libgomp has it.
// RUN: %omp_test
#include "check.h"
#include <limits.h>

void omp_set_num_threads_8_(const int64_t *);
void omp_set_dynamic_8_(const int64_t *);
void omp_set_max_active_levels_8_(const int64_t *);
void omp_set_schedule_8_(const int32_t *, const int64_t *);
void omp_get_schedule_8_(int32_t *, int64_t *);
void omp_set_num_teams_8_(const int64_t *);
void omp_set_teams_thread_limit_8_(const int64_t *);
int omp_get_ancestor_thread_num_8_(const int64_t *);
int omp_get_team_size_8_(const int64_t *);

static int clip(int64_t n) { return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n; }

static void threads(int n) {
  omp_set_num_threads(n);
  CHECK_EQ(omp_get_max_threads(), n > 0 ? n : 1);
  omp_set_dynamic(n);
  CHECK_EQ(omp_get_dynamic(), n != 0);
  omp_set_dynamic(0);
}

static void levels(int n) {
  int before = omp_get_max_active_levels(), active = omp_get_active_level();
  int now = n < 0 ? before : n > 255 ? 255 : n;
  omp_set_max_active_levels(n);
  CHECK_EQ(omp_get_max_active_levels(), now);
  CHECK_EQ(omp_get_nested(), now > 1 && now > active);
  omp_set_nested(n);
  CHECK_EQ(omp_get_max_active_levels(), n ? 255 : now > 1 ? 1 : now);
  omp_set_max_active_levels(before);
  bool exists = n >= 0 && n <= omp_get_level();
  CHECK_EQ(omp_get_ancestor_thread_num(n) >= 0, exists);
  CHECK_EQ(omp_get_team_size(n) >= 1, exists);
  if (n == omp_get_level()) {
    CHECK_EQ(omp_get_ancestor_thread_num(n), omp_get_thread_num());
    CHECK_EQ(omp_get_team_size(n), omp_get_num_threads());
  }
}

static void schedules(int n) {
  for (unsigned kind = 0; kind < 7; kind++)
    for (unsigned modifier = 0; modifier < 2; modifier++) {
      omp_sched_t now;
      int chunk;
      bool exists = kind >= 1 && kind <= 4;
      unsigned given = kind | modifier << 31;
      omp_set_schedule(omp_sched_dynamic, 7);
      omp_set_schedule((omp_sched_t)given, n);
      omp_get_schedule(&now, &chunk);
      CHECK_EQ((unsigned)now, exists ? given : 2);
      CHECK_EQ(chunk, !exists || kind == 4 ? 7 : n > 0 ? n : kind == 1 ? 0 : 1);
    }
  omp_set_schedule(omp_sched_static, 0);
}

static void leagues(int n) {
  int before = omp_get_max_teams(), limit = omp_get_teams_thread_limit();
  omp_set_num_teams(n);
  CHECK_EQ(omp_get_max_teams(), n >= 0 ? n : before);
  omp_set_teams_thread_limit(n);
  CHECK_EQ(omp_get_teams_thread_limit(), n >= 0 ? n : limit);
  omp_set_num_teams(0);
  omp_set_teams_thread_limit(0);
}

static void wide(int64_t n) {
  int narrow = clip(n), before = omp_get_max_active_levels();
  omp_set_num_threads_8_(&n);
  CHECK_EQ(omp_get_max_threads(), narrow > 0 ? narrow : 1);
  omp_set_dynamic_8_(&n);
  CHECK_EQ(omp_get_dynamic(), n != 0);
  omp_set_dynamic(0);
  omp_set_max_active_levels_8_(&n);
  CHECK_EQ(omp_get_max_active_levels(), narrow < 0 ? before : narrow > 255 ? 255 : narrow);
  omp_set_max_active_levels(before);
  int32_t kind = 3;
  int64_t chunk;
  omp_set_schedule_8_(&kind, &n);
  omp_get_schedule_8_(&kind, &chunk);
  CHECK_EQ(kind, 3);
  CHECK_EQ(chunk, narrow > 0 ? narrow : 1);
  omp_set_schedule(omp_sched_static, 0);
  omp_set_num_teams_8_(&n);
  CHECK_EQ(omp_get_max_teams(), narrow >= 0 ? narrow : 0);
  omp_set_num_teams(0);
  omp_set_teams_thread_limit_8_(&n);
  CHECK_EQ(omp_get_teams_thread_limit(), narrow >= 0 ? narrow : 0);
  omp_set_teams_thread_limit(0);
  CHECK_EQ(omp_get_ancestor_thread_num_8_(&n), omp_get_ancestor_thread_num(narrow));
  CHECK_EQ(omp_get_team_size_8_(&n), omp_get_team_size(narrow));
}

static void all(void) {
  static const int narrow[] = {0,   1,   2,   3,    4,       -1,          -2,
                               255, 256, 257, 1000, INT_MAX, INT_MAX - 1, INT_MIN};
  static const int64_t far = (int64_t)1 << 32;
  static const int64_t broad[] = {
      0, 1, -1, 300, far, far + 5, far / 2, -far / 2 - 1, -far + 1, INT64_MAX, INT64_MIN};
  int threads_before = omp_get_max_threads();
#pragma omp critical /* num_teams belongs to the process */
  {
    for (unsigned i = 0; i < sizeof narrow / sizeof *narrow; i++) {
      threads(narrow[i]);
      levels(narrow[i]);
      schedules(narrow[i]);
      leagues(narrow[i]);
    }
    for (unsigned i = 0; i < sizeof broad / sizeof *broad; i++)
      wide(broad[i]);
  }
  omp_set_num_threads(threads_before);
}

int main(void) {
  all();
  omp_set_max_active_levels(3);
#pragma omp parallel
  {
    all();
#pragma omp parallel num_threads(2)
    all();
#pragma omp parallel num_threads(1)
    all();
#pragma omp task if (0)
    all();
#pragma omp task final(1)
    {
      all();
#pragma omp task
      all();
    }
  }
#pragma omp teams num_teams(2)
  {
    all();
#pragma omp parallel num_threads(2)
    all();
  }
  all();
  return 0;
}
