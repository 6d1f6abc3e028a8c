/* inherited.c - what the program's thread sets before its first region holds for all members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal mask, nice value, scheduling policy and timer slack belong to OS threads. Checks that
// members have what the thread that opened the first region had, on whatever OS thread they are.
// RUN: %members_test
#include "members.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { NICE = 3, SLACK = 77777 };

int main(void) {
  sigset_t set;
  struct sched_param none = {0};
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  int nice_value = getpriority(PRIO_PROCESS, 0) + NICE;
  CHECK_EQ(setpriority(PRIO_PROCESS, 0, nice_value), 0);
  nice_value = getpriority(PRIO_PROCESS, 0); /* the greatest one, perhaps */
  CHECK_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
  CHECK_EQ(prctl(PR_SET_TIMERSLACK, SLACK), 0);
#pragma omp parallel num_threads(MEMBERS)
  for (unsigned pass = 0; pass < 240; pass++) {
    sigset_t now;
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
    CHECK(sigismember(&now, SIGUSR2) && !sigismember(&now, SIGUSR1));
    CHECK_EQ(getpriority(PRIO_PROCESS, 0), nice_value);
    CHECK_EQ(sched_getscheduler(0), SCHED_BATCH);
    CHECK_EQ(prctl(PR_GET_TIMERSLACK), SLACK);
    pass_alone(pass);
    pass_together(pass);
  }
  members_end();
  return 0;
}
