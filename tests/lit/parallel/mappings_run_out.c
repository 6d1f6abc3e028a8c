/* mappings_run_out.c - more members than the process has mappings for: what it can do afterwards */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a region whose members' stacks take the last of the process's mappings has fewer
// members, and that the program can go on: it allocates, and runs further regions and tasks.
// nanogomp-only: libgomp ends the program.
// REQUIRES: nanogomp
// The instruments have mappings of their own.
// UNSUPPORTED: sanitizer, emulated, tool
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t 2>&1 | %FileCheck %s
// RUN: env NTH_MEMBERS=os %omp_run %t 2>&1 | %FileCheck %s
// RUN: env NTH_MEMBERS=nano %omp_run %t 2>&1 | %FileCheck %s
// CHECK: 5000 threads were asked for
#define _GNU_SOURCE
#include "check.h"
#include <malloc.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WANTED = 5000, LEFT = 3000, BLOCKS = 20 };

/* So that the process can make no more than `left` mappings. */
static void use_up(long left) {
  long page = sysconf(_SC_PAGESIZE), pages = 200000;
  char *at = mmap(NULL, (size_t)(pages * page), PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(at != MAP_FAILED);
  long i = 1;
  while (i < pages && mprotect(at + i * page, (size_t)page, PROT_READ) == 0)
    i += 2;
  if (i >= pages) {
    fprintf(stderr, "%d threads were asked for: not tried, the limit is too high\n", WANTED);
    exit(0);
  }
  CHECK(i > left / 2);
  CHECK_EQ(mprotect(at + (i - left) * page, (size_t)(left * page), PROT_NONE), 0);
}

static int region(void) {
  int members = 0, size = 0;
#pragma omp parallel num_threads(WANTED) reduction(+ : members)
  {
    members++;
#pragma omp barrier
#pragma omp single
    size = omp_get_num_threads();
  }
  CHECK_EQ(members, size);
  return size;
}

int main(void) {
  omp_set_dynamic(0);
  use_up(LEFT);
  int size = region();
  fprintf(stderr, "%d members\n", size);
  CHECK(size > 1 && size < WANTED);
  void *block[BLOCKS];
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  for (int i = 0; i < BLOCKS; i++)
    CHECK((block[i] = malloc((size_t)1 << (i + 4))) != NULL);
  for (int i = 0; i < BLOCKS; i++)
    free(block[i]);
  CHECK(region() >= size / 2);
  long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 10000; i++)
#pragma omp task depend(inout : sum)
    sum += i;
  CHECK_EQ(sum, 49995000);
  return 0;
}
