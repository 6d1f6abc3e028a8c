/* errno_kept.c - waits leave errno alone where a filter refuses the runtime's system calls */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that errno is the same after a barrier as before, in each member, and in the thread that
// opens regions, whether members wait for a moment, for milliseconds or asleep, on free CPUs or on
// busy ones. The filter refuses what the runtime asks about CPU times, CPUs and masks.
// REQUIRES: cpus-0-1
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "check.h"
#include "filter.h"
#include <errno.h>

enum { ROUNDS = 200, MARK = 77, MEMBERS = 6 };

static void refuse(void) {
  static const int calls[] = {SYS_getrusage, SYS_clock_gettime, SYS_sched_getaffinity,
                              SYS_sched_setaffinity, SYS_getcpu};
  enum { N = sizeof calls / sizeof *calls };
  struct sock_filter code[2 * N + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  size_t length = 1;
  for (int i = 0; i < N; i++) {
    code[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  CHECK_EQ(filter_set(code, length, 0), 0);
}

static void spin(double seconds) {
  for (double end = check_seconds() + seconds; check_seconds() < end;)
    check_busy(100);
}

static void rounds(int members) {
  for (int round = 0; round < ROUNDS; round++) {
    errno = MARK;
#pragma omp parallel num_threads(members)
    {
      errno = MARK + omp_get_thread_num();
      if (omp_get_thread_num() == round % members)
        spin(round % 20 == 0 ? 0.015 : round % 4 == 0 ? 0.001 : 0.00001);
#pragma omp barrier
      CHECK_EQ(errno, MARK + omp_get_thread_num());
#pragma omp single
      spin(0.0001);
      CHECK_EQ(errno, MARK + omp_get_thread_num());
    }
    CHECK_EQ(errno, MARK);
  }
}

int main(void) {
  refuse();
  rounds(2);
  rounds(MEMBERS);
  return 0;
}
