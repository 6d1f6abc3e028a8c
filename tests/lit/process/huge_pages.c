/* huge_pages.c - stacks have large pages where NTH_HUGE_PAGES asks for them, else not */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks by the flag "hg" of /proc/self/smaps that each thread's stack but the initial one's is
// asked for, as OS threads and as nano-threads, and none by default; so are the stacks of untied
// tasks; and the complaint.
// nanogomp-only: the variable is its own.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated, sanitizer
// RUN: %omp_build %s -o %t
// RUN: env NTH_HUGE_PAGES=on NTH_MEMBERS=os OMP_STACKSIZE=16M OMP_NUM_THREADS=3 %omp_run %t on
// RUN: env NTH_HUGE_PAGES=on NTH_MEMBERS=nano OMP_STACKSIZE=16M OMP_NUM_THREADS=3 %omp_run %t on
// RUN: env NTH_MEMBERS=os OMP_STACKSIZE=16M OMP_NUM_THREADS=3 %omp_run %t off
// RUN: env NTH_HUGE_PAGES=off NTH_MEMBERS=nano OMP_STACKSIZE=16M OMP_NUM_THREADS=3 %omp_run %t off
// RUN: env NTH_HUGE_PAGES=on NTH_TEST_BERTHS=1 OMP_STACKSIZE=16M OMP_NUM_THREADS=1 %omp_run %t on
// RUN: env NTH_TEST_BERTHS=1 OMP_STACKSIZE=16M OMP_NUM_THREADS=1 %omp_run %t off
// RUN: env NTH_HUGE_PAGES=big %omp_run %t off 2>&1 | %FileCheck %s
// CHECK: {{^nanogomp: NTH_HUGE_PAGES takes off or on; off is used$}}
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_huge(uintptr_t at) {
  char line[512];
  int here = 0, huge = 0;
  FILE *f = fopen("/proc/self/smaps", "r");
  CHECK(f);
  while (fgets(line, sizeof line, f)) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
      here = from <= at && at < to;
    else if (here && strncmp(line, "VmFlags:", 8) == 0)
      huge = strstr(line, " hg") != NULL;
  }
  fclose(f);
  return huge;
}

/* 4 MiB below a thread's first frames. */
static uintptr_t deep(void) { return (uintptr_t)__builtin_frame_address(0) - (4u << 20); }

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  int on = strcmp(argv[1], "on") == 0;
  if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) != 0)
    return 0; /* the kernel has no large pages */
#pragma omp parallel
  if (omp_get_thread_num() > 0) {
    int huge;
#pragma omp critical
    huge = is_huge(deep());
    CHECK_EQ(huge, on);
  }
  if (!getenv("NTH_TEST_BERTHS"))
    return 0;
  int huge = -1;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(huge)
  {
#pragma omp taskyield
    huge = is_huge(deep());
  }
  CHECK_EQ(huge, on);
  return 0;
}
