/* descriptors.c - the runtime takes no file descriptor once the program runs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that no system call that gives a descriptor is made while main runs regions for some
// seconds: with tasks, more members than CPUs, members that sleep and block, long gaps, and
// competitors for the CPUs. A program counts on the numbers it gets: close(0) and open() give 0.
// Such a call ends the process (SIGSYS). How many CPUs there are may be asked of files once, when
// the program wants to know (`ask`).
// A tool: the tool writes a log.
// UNSUPPORTED: tool
// RUN: %omp_test
// RUN: env -u OMP_NUM_THREADS %omp_run %t ask
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// UNSUPPORTED: sanitizer, emulated
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>

#include "filter.h"
#include "Inputs/constructs.h"

#define COMPETITORS 3
#define SECONDS 2.5

static const int givers[] = {
    SYS_openat,
    SYS_openat2,
    SYS_socket,
    SYS_socketpair,
    SYS_accept4,
    SYS_pipe2,
    SYS_dup,
    SYS_dup3,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_memfd_create,
    SYS_timerfd_create,
    SYS_signalfd4,
    SYS_inotify_init1,
    SYS_perf_event_open,
    SYS_io_uring_setup,
    SYS_pidfd_open,
#ifdef SYS_open
    SYS_open,
    SYS_pipe,
    SYS_dup2,
    SYS_eventfd,
    SYS_creat,
#endif
};

static void caught(int number, siginfo_t *info, void *unused) {
  (void)unused;
  (void)number;
  fprintf(stderr, "system call %d gives a descriptor\n", info->si_syscall);
  check_end();
}

static void forbid_descriptors(void) {
  enum { COUNT = sizeof givers / sizeof *givers };
  struct sock_filter code[2 * COUNT + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  int n = 1;
  for (int i = 0; i < COUNT; i++) {
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)givers[i], 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sigaction on = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO};
  CHECK_EQ(sigaction(SIGSYS, &on, NULL), 0);
  CHECK_EQ(filter_set(code, (size_t)n, 0), 0);
}

static void compete(pid_t *child) {
  for (int i = 0; i < COMPETITORS; i++) {
    child[i] = fork();
    if (child[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      burn(60);
      _exit(0);
    }
  }
}

int main(int argc, char **argv) {
  pid_t child[COMPETITORS];
  (void)argv;
  /* Else the C library reads how many CPUs there are when many threads allocate. */
  mallopt(M_ARENA_MAX, 4);
  compete(child);
  if (argc > 1)
    CHECK(omp_get_max_threads() > 0);
  forbid_descriptors();
  double end = check_seconds() + SECONDS;
  for (int i = 0; check_seconds() < end; i++) {
    region_of(i % 3 == 2 ? 8 : 2);
    if (i == 3)
      check_sleep_ms(1200);
    if (i == 6)
      omp_set_max_active_levels(2);
    nested_regions();
  }
  for (int i = 0; i < COMPETITORS; i++) {
    kill(child[i], SIGKILL);
    waitpid(child[i], NULL, 0);
  }
  return 0;
}
