/* fork_pages.c - the child of a fork() touches few pages because of the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that forks for each request, or to start other programs, pays for each page that the
// handlers in its children touch: 1 to 2 us each. The number of these pages is a child's page
// faults less those of a child that the kernel made without any handler. It was 41. With libgomp it
// is 15, the C library's own. The handlers leave tables alone that the parent has not used, and
// their code lies in one place (runtime/arch/section.h).
// nanogomp-only: it counts the pages of its handlers.
// REQUIRES: nanogomp
// UNSUPPORTED: tool, sanitizer, emulated, asserts
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=2 %omp_run %t
#include "check.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIES = 20, UNUSED = 25, USED = 35 };

/* The fewest page faults of a child that does nothing. */
static long faults(int handlers) {
  long least = -1;
  for (int i = 0; i < TRIES; i++) {
    struct rusage used;
    int status;
    pid_t child = handlers ? fork() : (pid_t)syscall(SYS_fork);
    if (child == 0)
      syscall(SYS_exit_group, 0);
    CHECK(child > 0 && wait4(child, &status, 0, &used) == child && status == 0);
    if (least < 0 || used.ru_minflt < least)
      least = used.ru_minflt;
  }
  return least;
}

int main(void) {
  long before = faults(1) - faults(0);
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  long after = faults(1) - faults(0);
  printf("%ld pages before a region, %ld after one\n", before, after);
  return before > UNUSED || after > USED;
}
