/* signal_inside.c - a handler that a member sets while main waits, and that passes its signal on to
 * main */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the region ends, and main gets the signal, though another member may be on main's OS
// thread when the first signals come: they are sent at once, to main and to the process.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: %nano %t
// RUN: %os %t
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 16 };

static pthread_t main_thread;
static volatile sig_atomic_t got[65];

static void on_signal(int number) {
  if (pthread_equal(pthread_self(), main_thread))
    got[number] = 1;
  else
    pthread_kill(main_thread, number);
}

static void await_main(int number) {
  double begin = check_seconds();
  while (!got[number] && check_seconds() < begin + 20)
    check_sleep_ms(1);
  CHECK(got[number]);
}

int main(void) {
  main_thread = pthread_self();
  omp_set_dynamic(0);
  for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(MEMBERS)
    {
#pragma omp barrier
    }
  }
#pragma omp parallel num_threads(MEMBERS)
  {
    int me = omp_get_thread_num();
#pragma omp barrier
    if (me == 5) {
      struct sigaction action;
      memset(&action, 0, sizeof action);
      action.sa_handler = on_signal;
      CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
      action.sa_flags = SA_RESTART;
      CHECK_EQ(sigaction(SIGUSR2, &action, NULL), 0);
    }
#pragma omp barrier
    for (int i = 0; i < 10; i++) {
      if (me != 0)
        pthread_kill(main_thread, SIGUSR1);
      if (me % 4 == 1)
        kill(getpid(), SIGUSR2);
#pragma omp barrier
    }
  }
  await_main(SIGUSR1);
  await_main(SIGUSR2);
  return 0;
}
