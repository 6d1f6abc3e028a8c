/* masks.c - a helper process cuts and restores the masks of all threads while regions run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks right answers of tasks, loops and barriers, that teams keep their members, and that all
// ends in time. The mask is cut for 2 to 60 ms, and restored for as long.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#define _GNU_SOURCE
#include "check.h"

#include "Inputs/masks.h"
#include <signal.h>
#include <sys/wait.h>

enum { PIECES = 200, TURNS = 5000 };
static int members;
static long done[PIECES];

static void run(int i) {
  check_busy(CHECK_TIMES(TURNS));
  __atomic_fetch_add(&done[i], 1, __ATOMIC_RELAXED);
}

static void once(void) {
  for (int i = 0; i < PIECES; i++) {
    CHECK_EQ(done[i], 1);
    done[i] = 0;
  }
}

static void loop(void) {
#pragma omp parallel num_threads(members)
  {
    CHECK_EQ(omp_get_num_threads(), members);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < PIECES; i++)
      run(i);
  }
}

static void barriers(void) {
  static long by[64];
#pragma omp parallel num_threads(members)
  {
    int me = omp_get_thread_num();
    for (int turn = 1; turn <= 20; turn++) {
      by[me % 64] = turn;
#pragma omp barrier
      CHECK_EQ(by[(me + 1) % members % 64], turn);
#pragma omp for schedule(static)
      for (int i = (turn - 1) * (PIECES / 20); i < turn * (PIECES / 20); i++)
        run(i);
    }
  }
}

static void tasks(void) {
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 0; i < PIECES; i += 4)
#pragma omp task
  {
    for (int k = 1; k < 4; k++)
#pragma omp task
      run(i + k);
#pragma omp taskwait
    run(i);
  }
}

static void short_regions(void) {
  for (int i = 0; i < PIECES; i += 20)
#pragma omp parallel for schedule(static) num_threads(members)
    for (int k = 0; k < 20; k++)
      run(i + k);
}

static void help(int pid) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0;; i++) {
    masks_set(pid, i % 2 ? &masks_full : &masks_one);
    check_sleep_ms(2 + i / 2 % 3 * 29);
  }
}

int main(void) {
  static void (*const shapes[])(void) = {loop, barriers, tasks, short_regions};
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  if (masks_find() < 2)
    return 0;
  int pid = getpid(), child = fork();
  CHECK(child >= 0);
  if (child == 0)
    help(pid);
  for (unsigned shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
    double end = omp_get_wtime() + 0.6;
    do {
      shapes[shape]();
      once();
    } while (omp_get_wtime() < end);
  }
  CHECK_EQ(kill(child, SIGKILL), 0);
  CHECK_EQ(waitpid(child, NULL, 0), child);
  return 0;
}
