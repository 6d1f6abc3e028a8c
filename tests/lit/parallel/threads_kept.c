/* threads_kept.c - parallel: no thread is made or ended when team sizes and nesting change */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after a first round teams of 2 and 4 members, and 2x2 nested ones beside them, are
// served by the same threads as long as they come often: equal ones by their thread-local data, an
// unchanged /proc/self/task, and, with strace, no clone and no exit in the rounds.
// nanogomp-only: libgomp ends and makes threads whenever the size changes.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && %omp_run %t
// RUN: %python %S/Inputs/strace_rounds.py %t %library
#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>

enum { ROUNDS = 60, MOST = 64 };

/* Threads that took part in a round, in the order in which their members are counted. */
static int seen[2][MOST];
static int members[2];

static void note(int which, int place) {
  static _Thread_local int id;
  static _Atomic(int) last;
  if (id == 0)
    id = ++last;
  seen[which][place] = id;
}

static void flat(int which, int size, int base) {
#pragma omp parallel num_threads(size)
  {
    CHECK_EQ(omp_get_num_threads(), size);
    note(which, base + omp_get_thread_num());
  }
}

static void nested(int which, int base) {
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    note(which, base + 2 * outer + omp_get_thread_num());
  }
}

static void one_round(int which) {
  flat(which, 2, 0);
  flat(which, 4, 2);
  nested(which, 6);
  flat(which, 4, 10);
  nested(which, 14);
  flat(which, 2, 18);
  members[which] = 20;
}

static long tasks_of_process(char *names, size_t size) {
  DIR *folder = opendir("/proc/self/task");
  CHECK(folder);
  long sum = 0;
  size_t used = 0;
  names[0] = 0;
  for (struct dirent *e; (e = readdir(folder));) {
    if (e->d_name[0] == '.')
      continue;
    used += (size_t)snprintf(names + used, size - used, "%s ", e->d_name);
    sum++;
  }
  closedir(folder);
  return sum;
}

int main(void) {
  char before[1024], after[1024];
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  one_round(0);
  one_round(0);
  long count = tasks_of_process(before, sizeof before);
  CHECK(count >= 4); /* of the flat team; its last two serve the inner ones */
  double last = check_seconds();
  CHECK(access("/nanogomp-rounds-begin", F_OK) != 0); /* marks for strace */
  for (int k = 0; k < CHECK_TIMES(ROUNDS); k++) {
    one_round(1);
    double now = check_seconds();
    if (now - last > 0.5) { /* the machine was busy: threads of nested teams may have gone
                             * meanwhile */
      memcpy(seen[0], seen[1], sizeof seen[0]);
      tasks_of_process(before, sizeof before);
    }
    last = now;
    for (int i = 0; i < members[0]; i++)
      CHECK_EQ(seen[1][i], seen[0][i]);
    if (k % 16 == 0)
      check_sleep_ms(15); /* long enough for docked threads to sleep */
  }
  CHECK(access("/nanogomp-rounds-end", F_OK) != 0);
  tasks_of_process(after, sizeof after);
  if (check_seconds() - last < 0.5)
    CHECK_STREQ(after, before);
  return 0;
}
