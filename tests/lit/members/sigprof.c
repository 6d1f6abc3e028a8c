/* sigprof.c - a profiler's signals while members wait and work */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the handler of SIGPROF, at whatever place it interrupts, finds thread-local data
// that is one thread's: while a member runs here, no handler on another OS thread has its data;
// the data knows its own address, and the interrupted member's errno and data are as they were.
// "between:" counts handlers that found the data of another member than the stack's: none with
// members on their own OS threads, else few, in the midst of a switch.
// RUN: %members_test
// RUN: env NTH_MEMBERS=os %omp_run %t own
#include "members.h"
#include "memory.h"
#include <signal.h>
#include <sys/time.h>

static __thread struct {
  void *me;              /* own address, once set */
  char *low, *high;      /* the stack */
  volatile pid_t runner; /* OS thread, while the member is not in a call of the runtime */
  pid_t user;            /* OS thread of a handler */
} local;
static long ticks, in_members, between;

static void tick(int number) {
  int saved = errno;
  pid_t here = (pid_t)syscall(SYS_gettid);
  char *frame = __builtin_frame_address(0);
  (void)number;
  __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
  if (local.me) {
    CHECK(local.me == &local);
    if (local.runner)
      CHECK_EQ(local.runner, here);
    CHECK_EQ(__atomic_exchange_n(&local.user, here, __ATOMIC_RELAXED), 0);
    check_busy(3000);
    CHECK_EQ(__atomic_exchange_n(&local.user, 0, __ATOMIC_RELAXED), here);
    __atomic_add_fetch(&in_members, 1, __ATOMIC_RELAXED);
    if (frame < local.low || frame >= local.high)
      __atomic_add_fetch(&between, 1, __ATOMIC_RELAXED);
  }
  errno = 77;
  errno = saved;
}

static void mark(void) {
  memory_stack(&local.low, &local.high);
  local.user = 0;
  __asm__ volatile("" ::: "memory");
  local.me = &local;
}

int main(int argc, char **argv) {
  struct sigaction action = {0};
  struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &every, NULL);
  double begin = check_seconds();
  while (check_seconds() < begin + 1 || (in_members < 100 && check_seconds() < begin + 10)) {
#pragma omp parallel num_threads(MEMBERS)
    {
      struct identity who;
      double sum = 0;
      mark();
      identity_take(&who, omp_get_thread_num());
      for (unsigned pass = 0; pass < 20; pass++) {
        pass_alone(pass);
        identity_check(&who);
        local.runner = (pid_t)syscall(SYS_gettid);
        for (int i = 0; i < 20000; i++)
          sum += 1.0 / (who.id + 1);
        local.runner = 0;
        CHECK(local.me == &local);
        pass_together(pass);
        identity_check(&who);
      }
      CHECK(sum * (who.id + 1) > 399999.9 && sum * (who.id + 1) < 400000.1);
    }
  }
  setitimer(ITIMER_PROF, &never, NULL);
  CHECK(in_members > 0);
  printf("ticks: %ld\nbetween: %ld\n", ticks, between);
  if (argc > 1 && strcmp(argv[1], "own") == 0)
    CHECK_EQ(between, 0);
  if (argc > 1 && strcmp(argv[1], "enough") == 0) /* on a busy machine there may be too few */
    CHECK(in_members >= 100);
  CHECK(between <= 3 + ticks / 20);
  members_end();
  return 0;
}
