/* gaps.c - regions at regular times cost little between them, whether the master works or sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The slaves' CPU time is bounded: a few per cent of a CPU where the master works, next to nothing
 * where it sleeps. libgomp's slaves spin through gaps of this length. Beside others the gaps are
 * not regular, so it is tried again then.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t && %omp_run %t
#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GAP_NS = 5000000, REGIONS = 60, SECONDS = 30, FIRST_NS = 2500000, PROCESSES = 8 };

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void gap(int works, int64_t until) {
  if (works) {
    while (now(CLOCK_MONOTONIC) < until) {}
    return;
  }
  struct timespec t = {until / 1000000000, until % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

static int regions(int works, int n) {
  int64_t at = now(CLOCK_MONOTONIC);
  for (int i = 0; i < n; i++) {
    int members = 0, sum = 0;
#pragma omp parallel reduction(+ : members, sum)
    {
      members = 1;
      sum = i + omp_get_thread_num();
    }
    if (members < 1 || members > 2 || sum != (members == 2 ? 2 * i + 1 : i))
      return 0;
    at += GAP_NS;
    gap(works, at);
  }
  return 1;
}

/* The slaves' CPU time in ns in the first sleep of the process. It is far below what spinning
 * through that sleep would take: some of the 6 ms that libgomp spins. */
static int64_t first_sleep(int *right) {
  for (int i = 0; i < 2; i++) {
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members = 1;
    *right &= members == 1 || members == 2;
  }
  int64_t all = now(CLOCK_PROCESS_CPUTIME_ID), mine = now(CLOCK_THREAD_CPUTIME_ID);
  gap(0, now(CLOCK_MONOTONIC) + 20 * GAP_NS);
  mine = now(CLOCK_THREAD_CPUTIME_ID) - mine;
  return now(CLOCK_PROCESS_CPUTIME_ID) - all - mine;
}

/* The same in the best of some processes: on a busy machine a slave may look late whether its
 * master sleeps. */
static int64_t least_first_sleep(int *right) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < PROCESSES && *right && least > FIRST_NS; i++) {
    int ends[2], status = 1;
    int64_t had = INT64_MAX;
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
      had = first_sleep(right);
      _exit(!*right || write(ends[1], &had, sizeof had) != sizeof had);
    }
    close(ends[1]);
    *right &= child > 0 && read(ends[0], &had, sizeof had) == sizeof had;
    *right &= waitpid(child, &status, 0) == child && status == 0;
    close(ends[0]);
    least = had < least ? had : least;
  }
  return least;
}

/* The share of a CPU that the slaves need. */
static double share(int works, int *right) {
  *right &= regions(works, 12); /* it learns */
  int64_t all = now(CLOCK_PROCESS_CPUTIME_ID), mine = now(CLOCK_THREAD_CPUTIME_ID),
          begin = now(CLOCK_MONOTONIC);
  *right &= regions(works, REGIONS);
  mine = now(CLOCK_THREAD_CPUTIME_ID) - mine;
  all = now(CLOCK_PROCESS_CPUTIME_ID) - all;
  return (double)(all - mine) / (double)(now(CLOCK_MONOTONIC) - begin);
}

int main(void) {
  int64_t end = now(CLOCK_MONOTONIC) + (int64_t)SECONDS * 1000000000;
  int right = 1;
  int64_t first = least_first_sleep(&right);
  if (!right || first > FIRST_NS) {
    printf("first sleep: %s, slaves had %lld ns\n", right ? "right" : "wrong", (long long)first);
    return 1;
  }
  for (int works = 0; works < 2; works++) {
    int tries = 0;
    double most = works ? 0.08 : 0.04, had;
    while ((had = share(works, &right)) > most && right && now(CLOCK_MONOTONIC) < end)
      tries++;
    if (!right || had > most) {
      printf("master %s: %s, slaves had %.3f of a CPU (%d tries)\n", works ? "works" : "sleeps",
             right ? "right" : "wrong", had, tries);
      return 1;
    }
  }
  return 0;
}
