/* allowed_calls.c - a sandbox that kills at any system call but those that docs/running.md lists */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions, tasks, idle times, more members than CPUs and nested regions make the listed
// calls only, from the first region on, in a program that says how many threads it wants.
// nanogomp-only: the list is nanogomp's.
// REQUIRES: nanogomp, cpus-0-1
// A tool: the tool writes a log.
// UNSUPPORTED: tool
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=auto OMP_NUM_THREADS=2 %omp_run %t plain
// RUN: env NTH_MEMBERS=os %omp_run %t plain
// RUN: env OMP_WAIT_POLICY=passive NTH_MEMBERS=os %omp_run %t beyond
// RUN: env NTH_MEMBERS=os %omp_run %t beyond
// RUN: env NTH_MEMBERS=auto %omp_run %t beyond nano
// RUN: env NTH_MEMBERS=nano %omp_run %t beyond nano
#include <malloc.h>

#include "filter.h"
#include "Inputs/constructs.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif

/* What any program with threads and libgomp needs: memory, threads and their end, signals, sleep,
 * output. */
static const int plain[] = {
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mremap,
    SYS_brk,
    SYS_clone,
    SYS_clone3,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rt_sigprocmask,
    SYS_rt_sigaction,
    SYS_rt_sigreturn,
    SYS_exit,
    SYS_exit_group,
    SYS_getrandom,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_restart_syscall,
    SYS_write,
    SYS_getpid,
    SYS_tgkill,
#ifdef SYS_rseq
    SYS_rseq,
#endif
};
/* What nanogomp needs besides. */
static const int ours[] = {
    SYS_membarrier,    SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_getrusage,
    SYS_clock_gettime, SYS_gettid};
/* And where members are nano-threads. */
static const int nano[] = {
    SYS_futex_waitv,
    SYS_prctl,
    SYS_sigaltstack,
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
};

enum { MOST = 2 * (sizeof plain + sizeof ours + sizeof nano) / sizeof(int) + 2 };
static struct sock_filter code[MOST] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
static int length = 1;

static void allow(const int *call, unsigned long size) {
  for (unsigned long i = 0; i < size / sizeof *call; i++) {
    code[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call[i], 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
}

static void enter_sandbox(bool with_nano) {
  allow(plain, sizeof plain);
  allow(ours, sizeof ours);
  if (with_nano)
    allow(nano, sizeof nano);
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  CHECK_EQ(filter_set(code, (size_t)length, 0), 0);
}

int main(int argc, char **argv) {
  bool beyond = argc > 1 && strcmp(argv[1], "beyond") == 0;
  /* Else the C library reads how many CPUs there are when many threads allocate. */
  mallopt(M_ARENA_MAX, 4);
  enter_sandbox(argc > 2);
  for (int i = 0; i < 40; i++) {
    region_of(beyond && i % 3 == 2 ? 8 : 2);
    if (i == 10)
      check_sleep_ms(2500);
    if (beyond && i == 20)
      omp_set_max_active_levels(2);
    if (beyond)
      nested_regions();
  }
  return 0;
}
