/* many_threads.c - num_threads beyond 4096: as many members as the machine bears */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a region of 5000 members with a barrier, a single and a loop; of 1200 where the system has
// not so many process numbers or mappings left for one process.
// UNSUPPORTED: sanitizer
// UNSUPPORTED: emulated
// REQUIRES: base
// RUN: env OMP_STACKSIZE=64K %omp_test
// RUN: env OMP_STACKSIZE=64K NTH_MEMBERS=os %omp_run %t
#include "check.h"

#include <sys/resource.h>

enum { MANY = 5000, FEWER = 1200 };

static long number_in(const char *path) {
  FILE *file = fopen(path, "r");
  long number = -1;
  if (file) {
    if (fscanf(file, "%ld", &number) != 1)
      number = -1; /* "max" */
    fclose(file);
  }
  return number;
}

static int bearable(void) {
  static const char *const files[] = {"/proc/sys/kernel/pid_max", "/proc/sys/kernel/threads-max",
                                      "/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"};
  struct rlimit limit;
  if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < 3 * MANY)
    return FEWER;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    long number = number_in(files[i]);
    if (number >= 0 && number < 3 * MANY)
      return FEWER;
  }
  long maps = number_in("/proc/sys/vm/max_map_count");
  return maps >= 0 && maps < 3 * MANY ? FEWER : MANY;
}

int main(void) {
  int want = bearable(), size = 0;
  long sum = 0, members = 0;
#pragma omp parallel num_threads(want) reduction(+ : sum, members)
  {
    members++;
#pragma omp barrier
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(static)
    for (int i = 0; i < 20000; i++)
      sum += i;
  }
  fprintf(stderr, "%d members\n", size);
  CHECK_EQ(size, want);
  CHECK_EQ(members, want);
  CHECK_EQ(sum, 199990000);
  return 0;
}
