/* signal_main.c - a handler that passes its signal on to the main thread, and one in the main
 * thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that "if this is not the main thread, pthread_kill(main)" in a handler ends in the main
// thread, which finds its own thread-local data and stack: for timers and signals to the process
// and to main, in regions of more members than CPUs, with handlers set before the first region,
// between regions and in one. The other members are not disturbed. "passed:" counts signals that
// came to another thread first.
// RUN: %omp_build %s -o %t -DCHECK_MEMBERS=16
// RUN: %omp_run %t before
// RUN: %omp_run %t between
// RUN: %omp_run %t inside
// RUN: %os %t between
// RUN: env NTH_MEMBERS=nano %omp_run %t before
// RUN: env NTH_MEMBERS=nano %omp_run %t between
// RUN: env NTH_MEMBERS=nano NTH_TEST_MOVE=1 %omp_run %t between
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t between
// RUN: env OMP_WAIT_POLICY=active %omp_run %t before
#include "members.h"
#include "memory.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { KINDS = 5, ENOUGH = 30, REALTIME = 39 };
static const int kinds[KINDS] = {SIGALRM, SIGPROF, SIGINT, SIGUSR1, REALTIME};

static pthread_t main_thread;
static pid_t main_os_thread;
static __thread int mine;
static int *mains;
static char *main_low, *main_high;
static volatile sig_atomic_t seen[65], sent;
static long passed, wrong;

static void on_signal(int number) {
  int saved = errno;
  if (!pthread_equal(pthread_self(), main_thread)) {
    __atomic_add_fetch(&passed, 1, __ATOMIC_RELAXED);
    pthread_kill(main_thread, number);
    errno = saved;
    return;
  }
  char *here = __builtin_frame_address(0);
  wrong += &mine != mains || mine != 4711 || (pid_t)syscall(SYS_gettid) != main_os_thread ||
           here < main_low || here >= main_high;
  seen[number]++;
  errno = saved;
}

static void set_handlers(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (int i = 0; i < KINDS; i++)
    CHECK_EQ(sigaction(kinds[i], &action, NULL), 0);
}

static void timers(long us) {
  struct itimerval every = {{0, us}, {0, us}};
  CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
  CHECK_EQ(setitimer(ITIMER_PROF, &every, NULL), 0);
}

static bool all_seen(void) {
  for (int i = 0; i < KINDS; i++)
    if (seen[kinds[i]] < ENOUGH)
      return false;
  return true;
}

/* Members send signals to the process and to main, and work. */
static void region(bool sends) {
#pragma omp parallel num_threads(MEMBERS)
  {
    struct identity who;
    int me = omp_get_thread_num();
    if (me != 0)
      mine = me;
    identity_take(&who, me);
    for (unsigned pass = 0; pass < 3; pass++) {
      if (sends && me == (sent + 1) % MEMBERS)
        kill(getpid(), SIGINT);
      if (sends && me == (sent + 7) % MEMBERS)
        pthread_kill(main_thread, SIGUSR1);
      if (sends && me == (sent + 3) % MEMBERS)
        kill(getpid(), REALTIME);
      check_busy(30);
      pass_alone(pass);
      pass_together(pass);
      identity_check(&who);
    }
    CHECK_EQ(mine, me == 0 ? 4711 : me);
  }
}

static void set_inside(void) {
#pragma omp parallel num_threads(MEMBERS)
  {
    check_busy(100);
#pragma omp barrier
    if (omp_get_thread_num() == 5)
      set_handlers();
#pragma omp barrier
    check_busy(100);
  }
  check_sleep_ms(100);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  main_thread = pthread_self();
  main_os_thread = getpid();
  mains = &mine;
  mine = 4711;
  memory_stack(&main_low, &main_high);
  omp_set_dynamic(0);
  if (!strcmp(argv[1], "before"))
    set_handlers();
  for (int i = 0; i < 300; i++)
    region(false);
  if (!strcmp(argv[1], "between")) {
    set_handlers();
    check_sleep_ms(30); /* the runtime looks for handlers every few ms, and after gaps */
  }
  if (!strcmp(argv[1], "inside"))
    set_inside();
  region(true);
  timers(2000);
  for (double begin = check_seconds(); check_seconds() < begin + 30 && !all_seen(); sent++)
    region(true);
  timers(0);
  for (int i = 0; i < KINDS; i++)
    CHECK(seen[kinds[i]] >= ENOUGH);
  CHECK_EQ(wrong, 0);
  printf("passed: %ld\n", __atomic_load_n(&passed, __ATOMIC_RELAXED)); /* handlers may still run */
  CHECK_EQ(members_counted, members_passes);
  return 0;
}
