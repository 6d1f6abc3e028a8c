/* taskloop_price.c - taskloops without grainsize and num_tasks: how many tasks they become */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each iteration is done once, whatever the loop has cost before; that a long loop of
// uneven iterations becomes more tasks than there are members, so that nobody has the long ones
// alone; that a loop that takes next to nothing becomes one; and that NTH_PRICE=off, grainsize and
// num_tasks are honoured; with a tool, too.
// libgomp cuts such a loop into as many tasks as there are members.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && env OMP_NUM_THREADS=3 %omp_run %t on | %FileCheck %s
// RUN: env OMP_NUM_THREADS=3 NTH_PRICE=off %omp_run %t off | %FileCheck %s
// CHECK: ok
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define N 300

static int done[N], tasks;

static void work(int i, long spins) {
  for (volatile long j = 0; j < spins * (i + 1); j++)
    ;
#pragma omp atomic
  done[i]++;
}

/* A task's own copy of `fresh` is 0 before its first iteration. */
static void priced(long spins) {
  int fresh = 0;
#pragma omp taskloop firstprivate(fresh)
  for (int i = 0; i < N; i++) {
    if (!fresh++) {
#pragma omp atomic
      tasks++;
    }
    work(i, spins);
  }
}

static void given(void) {
  int fresh = 0;
#pragma omp taskloop firstprivate(fresh) num_tasks(7)
  for (int i = 0; i < N; i++) {
    if (!fresh++) {
#pragma omp atomic
      tasks++;
    }
    work(i, 100);
  }
}

static int small_tasks;
static void small(void) {
  int fresh = 0;
#pragma omp taskloop firstprivate(fresh)
  for (int i = 0; i < 3; i++)
    if (!fresh++)
      __atomic_fetch_add(&small_tasks, 1, __ATOMIC_RELAXED);
}

static int count(void (*loop)(long), long spins) {
  tasks = 0;
  memset(done, 0, sizeof done);
  loop(spins);
  for (int i = 0; i < N; i++)
    if (done[i] != 1)
      printf("iteration %d: %d times\n", i, done[i]);
  return tasks;
}

int main(int argc, char **argv) {
  int on = argc > 1 && strcmp(argv[1], "on") == 0, bad = 0;
#ifdef __SANITIZE_THREAD__ /* where races are looked for there are as many tasks as members */
  const bool known = false;
#else
  const bool known = true;
#endif
#pragma omp parallel
#pragma omp single
  {
    int team = omp_get_num_threads(), long_ones = 0;
    for (int turn = 0; turn < 12; turn++)
      long_ones = count(priced, 2000);
    if (known && (on && team > 1 ? long_ones <= 2 * team : long_ones != team)) {
      printf("a long loop: %d tasks, %d members\n", long_ones, team);
      bad = 1;
    }
    /* The time of a small loop is that of the whole team's machine; a busy one may disturb some. */
    int most = 0;
    for (int turn = 0; turn < 2000; turn++) {
      small_tasks = 0;
      small();
      most += small_tasks;
    }
    if (known && on && team > 1 && most == 2000 * (team < 3 ? team : 3)) {
      printf("a small loop: always %d tasks\n", most / 2000);
      bad = 1;
    }
    tasks = 0;
    given();
    if (tasks != 7) {
      printf("num_tasks(7): %d\n", tasks);
      bad = 1;
    }
  }
  if (!bad)
    puts("ok");
  return bad;
}
