/* teams.c - teams in target regions and on the host */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks numbers and limits of each team of a league, in target regions met anywhere, and that
// the combined distribute constructs cover each iteration once with their reductions and
// lastprivate.
// RUN: %omp_test
#include "check.h"

enum { N = 1000 };

static void league(void) {
  int seen[8] = {0}, threads[8] = {0};
#pragma omp target teams num_teams(4) thread_limit(3) map(tofrom : seen, threads)
  {
    int t = omp_get_team_num();
    CHECK_EQ(omp_get_num_teams(), 4);
#pragma omp parallel num_threads(8) shared(threads)
    {
      CHECK_EQ(omp_get_team_num(), t);
      CHECK_EQ(omp_get_num_teams(), 4);
      CHECK_EQ(omp_get_level(), 1);
      CHECK(omp_get_num_threads() <= 3 && omp_get_thread_limit() == 3);
      omp_set_num_threads(2);
#pragma omp atomic
      threads[t]++;
    }
#pragma omp distribute
    for (int i = 0; i < 8; i++)
      seen[i]++;
  }
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(seen[i], 1);
    CHECK(i < 4 ? threads[i] >= 1 && threads[i] <= 3 : threads[i] == 0);
  }
  CHECK_EQ(omp_get_team_num(), 0);
  CHECK_EQ(omp_get_num_teams(), 1);
}

static void sizes(void) {
  int teams = 0;
#pragma omp target teams num_teams(2 : 5) map(tofrom : teams)
  if (omp_get_team_num() == 0)
    teams = omp_get_num_teams();
  CHECK(teams >= 2 && teams <= 5);
#pragma omp target teams reduction(+ : teams)
  teams += 1;
  CHECK(teams >= 3);
}

static void check_once(int *a) {
  for (int i = 0; i < N; i++) {
    CHECK_EQ(a[i], 1);
    a[i] = 0;
  }
}

static void loops(void) {
  static int shared_a[16][N];
  int *a = shared_a[omp_get_thread_num()], last = 0;
  long sum = 0;
#pragma omp target teams distribute parallel for map(a[ : N]) num_teams(3) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    a[i]++;
    sum += i;
  }
  check_once(a);
  CHECK_EQ(sum, 499500);
#pragma omp target teams distribute map(a[ : N]) num_teams(7) lastprivate(last)
  for (int i = 0; i < N; i++) {
    a[i]++;
    last = i;
  }
  CHECK_EQ(last, N - 1);
  check_once(a);
#pragma omp target teams distribute parallel for simd map(a[ : N]) schedule(dynamic, 7)            \
    dist_schedule(static, 100) num_teams(2) collapse(2)
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < N / 10; k++)
      a[i * (N / 10) + k]++;
  check_once(a);
#pragma omp target parallel for map(a[ : N]) num_threads(5) schedule(guided)
  for (int i = 0; i < N; i++)
    a[i]++;
  check_once(a);
#pragma omp target teams loop map(a[ : N])
  for (int i = 0; i < N; i++)
    a[i]++;
  check_once(a);
#pragma omp target parallel loop map(a[ : N])
  for (int i = 0; i < N; i++)
    a[i]++;
  check_once(a);
#pragma omp target simd map(a[ : N])
  for (int i = 0; i < N; i++)
    a[i]++;
  check_once(a);
}

int main(void) {
  league();
  sizes();
  loops();
  int done = 0;
#pragma omp teams distribute parallel for reduction(+ : done) num_teams(4)
  for (int i = 0; i < N; i++)
    done++;
  CHECK_EQ(done, N);
#pragma omp parallel num_threads(16)
  {
    int num = omp_get_thread_num(), size = omp_get_num_threads();
    league();
    loops();
#pragma omp barrier
    CHECK_EQ(omp_get_thread_num(), num);
    CHECK_EQ(omp_get_num_threads(), size);
#pragma omp task
    loops();
  }
  return 0;
}
