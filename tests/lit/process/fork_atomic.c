/* fork_atomic.c - fork while another member is in an atomic construct without an instruction */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Such a construct, here on a long double, has a lock for the process (GOMP_atomic_start). The
// child does not have the thread that would leave it.
// nanogomp-only: libgomp's child may wait for that lock for ever.
// REQUIRES: nanogomp
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"
#include <unistd.h>

enum { FORKS = 100 };

static long double sum, of_child;
static int over;

static void fork_many(void) {
  for (int i = 0; i < FORKS; i++) {
    pid_t child = fork();
    if (child == 0) {
      child_limit(10);
#pragma omp atomic
      of_child += 1;
      _exit(of_child == 1 ? 0 : 1);
    }
    expect_child(child, 0);
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      fork_many();
#pragma omp atomic write seq_cst
      over = 1;
    }
    for (int end = 0; !end && omp_get_thread_num() == 1;) {
#pragma omp atomic
      sum += 1;
#pragma omp atomic read seq_cst
      end = over;
    }
  }
  return 0;
}
