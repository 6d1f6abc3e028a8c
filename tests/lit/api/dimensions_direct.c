/* dimensions_direct.c - routines of OpenMP 6.1, called by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that teams and leagues have dimension 0 only, and what devices say of distances and
// dimensions; that omp_invalid_device ends the program where a device is asked for its limits.
// nanogomp-only: libgomp has none of these before gcc 17.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
// RUN: %omp_run --status 1 %t invalid
#include "check.h"
#include <dlfcn.h>
#include <limits.h>

typedef int (*of_dim)(int);
typedef int (*of_device)(int, int);

static void *find(const char *symbol) {
  void *f = dlsym(RTLD_DEFAULT, symbol);
  if (!f)
    check_fail(__FILE__, __LINE__, symbol);
  return f;
}

static void here(int threads, int thread, int limit, int teams, int team) {
  static const char *const names[] = {"omp_get_num_threads_dim", "omp_get_thread_num_dim",
                                      "omp_get_thread_limit_dim", "omp_get_num_teams_dim",
                                      "omp_get_team_num_dim"};
  const int wanted[] = {threads, thread, limit, teams, team};
  static const int others[] = {INT_MIN, -1, 1, 2, INT_MAX};
  for (int i = 0; i < 5; i++) {
    of_dim f = (of_dim)find(names[i]);
    CHECK_EQ(f(0), wanted[i]);
    for (int k = 0; k < 5; k++)
      CHECK_EQ(f(others[k]), i == 1 || i == 4 ? 0 : 1);
  }
}

static void devices(void) {
  of_device teams = (of_device)find("omp_get_supported_teams_dim"),
            threads = (of_device)find("omp_get_supported_threads_dim"),
            dims = (of_device)find("omp_get_supported_active_team_dims"),
            league_dims = (of_device)find("omp_get_supported_active_league_dims");
  void (*distances)(int, const int *, int *) =
      (void (*)(int, const int *, int *))find("omp_get_device_distances");
  int numbers[] = {-1, 0, 1, -4, 7, 0}, far[] = {9, 9, 9, 9, 9, 9};
  for (int i = 0; i < 5; i++) {
    bool host = i < 2;
    CHECK(dims(numbers[i], 1) == 1 && league_dims(numbers[i], 0) == 1);
    if (numbers[i] == -4)
      continue;
    CHECK_EQ(teams(numbers[i], 0), host ? INT_MAX : -1);
    CHECK_EQ(threads(numbers[i], 0), host ? INT_MAX : -1);
    CHECK_EQ(teams(numbers[i], 1), host ? 1 : -1);
    CHECK_EQ(threads(numbers[i], -1), host ? 1 : -1);
  }
  distances(-1, numbers, far);
  CHECK_EQ(far[0], 9);
  distances(5, numbers, far);
  for (int i = 0; i < 6; i++)
    CHECK_EQ(far[i], i == 5 ? 9 : i < 2 ? 0 : -1);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    return ((of_device)find("omp_get_supported_teams_dim"))(-4, 0) ? 0 : 3;
  here(1, 0, omp_get_thread_limit(), 1, 0);
#pragma omp parallel num_threads(3)
  here(omp_get_num_threads(), omp_get_thread_num(), omp_get_thread_limit(), 1, 0);
#pragma omp teams num_teams(2) thread_limit(5)
  here(1, 0, 5, omp_get_num_teams(), omp_get_team_num());
  devices();
  return 0;
}
