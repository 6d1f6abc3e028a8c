/* query_signal.c - a signal handler asks for what OpenMP has set, wherever its thread is */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signal comes while the thread enters and leaves regions, target and teams regions, and while
// it is in the runtime's heap. The values make sense there, and the handler waits for nobody.
// UNSUPPORTED: emulated, sanitizer
// RUN: %omp_test
// RUN: env OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t
#include "check.h"

#include <omp.h>
#include <signal.h>
#include <sys/time.h>

enum { ROUNDS = 100000, REGIONS = 2000, EVERY_US = 50 };
static volatile sig_atomic_t asked, strange;

static void ask(int signal) {
  omp_sched_t kind;
  int chunk;
  (void)signal;
  omp_get_schedule(&kind, &chunk);
  strange += omp_get_max_threads() < 1 || omp_get_num_procs() < 1 || omp_get_thread_limit() < 1 ||
             omp_get_team_num() >= omp_get_num_teams() || omp_get_num_threads() < 1 ||
             omp_in_final() != 0 || omp_get_dynamic() != 0 || omp_get_proc_bind() > 5;
  asked++;
}

int main(void) {
  struct itimerval every = {{0, EVERY_US}, {0, EVERY_US}}, never = {{0, 0}, {0, 0}};
  volatile long sum = 0;
  omp_set_dynamic(0);
  CHECK(signal(SIGALRM, ask) != SIG_ERR);
  CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp target
    __asm__ volatile("");
#pragma omp teams num_teams(3)
    __asm__ volatile("");
    sum += omp_get_num_procs();
  }
  for (int i = 0; i < REGIONS; i++)
#pragma omp parallel num_threads(i % 3 + 1)
    __asm__ volatile("");
  CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
  CHECK(asked > 0);
  CHECK_EQ(strange, 0);
  return sum <= 0;
}
