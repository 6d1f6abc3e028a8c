/* icvs.c - environment variables set the ICVs that the API shows */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that good values reach the functions, lists reach nested levels, the environment of one
// variable does not disturb another, and blanks and cases are accepted.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=3 %omp_run %t threads=3
// RUN: env "OMP_NUM_THREADS= 4 , 3,2 " %omp_run %t threads=4 second=3 third=2 levels=255
// RUN: env OMP_DYNAMIC=TRUE %omp_run %t dynamic=1
// RUN: env OMP_MAX_ACTIVE_LEVELS=7 OMP_NESTED=false %omp_run %t levels=7
// RUN: env OMP_THREAD_LIMIT=9 %omp_run %t limit=9
// RUN: env OMP_CANCELLATION=true %omp_run %t cancellation=1
// RUN: env OMP_MAX_TASK_PRIORITY=6 OMP_DEFAULT_DEVICE=4 %omp_run %t priority=6 device=4
// RUN: env OMP_NUM_TEAMS=5 OMP_TEAMS_THREAD_LIMIT=6 %omp_run %t teams=5 teams_limit=6
// RUN: env OMP_ALLOCATOR=omp_large_cap_mem_alloc %omp_run %t allocator=2
// RUN: env OMP_PROC_BIND=spread %omp_run %t bind=4
// RUN: env OMP_PROC_BIND=false %omp_run %t bind=0 dynamic=0 cancellation=0 priority=0 device=0
// RUN: env OMP_NUM_THREADS=2,x OMP_DYNAMIC=maybe %omp_run %t dynamic=0
#include "check.h"

static int level_size(int depth) {
  int size = 0;
#pragma omp parallel
#pragma omp masked
  size = depth == 1 ? omp_get_num_threads() : level_size(depth - 1);
  return size;
}

static long value_of(const char *name) {
  if (strcmp(name, "threads") == 0)
    return omp_get_max_threads() == level_size(1) ? level_size(1) : -1;
  if (strcmp(name, "second") == 0)
    return level_size(2);
  if (strcmp(name, "third") == 0)
    return level_size(3);
  if (strcmp(name, "levels") == 0)
    return omp_get_max_active_levels();
  if (strcmp(name, "dynamic") == 0)
    return omp_get_dynamic();
  if (strcmp(name, "limit") == 0)
    return omp_get_thread_limit();
  if (strcmp(name, "cancellation") == 0)
    return omp_get_cancellation();
  if (strcmp(name, "priority") == 0)
    return omp_get_max_task_priority();
  if (strcmp(name, "device") == 0)
    return omp_get_default_device();
  if (strcmp(name, "teams") == 0)
    return omp_get_max_teams();
  if (strcmp(name, "teams_limit") == 0)
    return omp_get_teams_thread_limit();
  if (strcmp(name, "allocator") == 0)
    return (long)omp_get_default_allocator();
  if (strcmp(name, "bind") == 0)
    return omp_get_proc_bind();
  CHECK(!"a known name");
  return -1;
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  for (int a = 1; a < argc; a++) {
    char *equals = strchr(argv[a], '=');
    *equals = 0;
    if (value_of(argv[a]) != atol(equals + 1))
      fprintf(stderr, "wrong: %s\n", argv[a]);
    CHECK_EQ(value_of(argv[a]), atol(equals + 1));
  }
  return 0;
}
