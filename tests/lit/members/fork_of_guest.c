/* fork_of_guest.c - a member forks on the OS thread of a root, which the child does not have */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel writes the CPU's number into an area of each thread that asked for it (rseq): here the
// root's. In the child the C library gives the root's stack, and the area in it, to other threads.
// When the kernel finds nonsense there, it ends the process. So the child has no area.
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<sys/rseq.h>) && defined __GLIBC__ && __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define HAS_AREA 1
#endif

#include "check.h"

enum { ROUNDS = 5, MEMBERS = 4 };

static char *area; /* of the root */
static long root_tid;

/* Whether the calling OS thread has the area; from now on it has not. */
static int has_area(void) {
#ifdef HAS_AREA
  enum { SIZE = 32, UNREGISTER = 1 };
  return area && syscall(SYS_rseq, area, SIZE, UNREGISTER, RSEQ_SIG) == 0;
#else
  return 0;
#endif
}

static void fork_here(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(has_area());
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

static void *root(void *unused) {
  (void)unused;
  root_tid = syscall(SYS_gettid);
#ifdef HAS_AREA
  area = __rseq_size ? (char *)__builtin_thread_pointer() + __rseq_offset : 0;
#endif
#pragma omp parallel num_threads(MEMBERS)
  {
#pragma omp for schedule(static, 1) ordered
    for (int i = 0; i < MEMBERS; i++) {
#pragma omp ordered
      if (i > 0 && syscall(SYS_gettid) == root_tid)
        fork_here();
    }
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, 0, root, 0), 0);
    CHECK_EQ(pthread_join(t, 0), 0);
  }
  return 0;
}
