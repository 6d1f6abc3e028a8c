/* mappings.c - members take few of the process's mappings */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member takes two mappings for its stack, as a thread does, and little more: a
// process may have some 65,000. A mapping has 16 stacks for signals, also where several threads
// begin at once.
// REQUIRES: base
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "check.h"

enum { MEMBERS = 400 };

static int mappings(void) {
  int n = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  CHECK(f);
  for (int c; (c = getc(f)) != EOF;)
    n += c == '\n';
  fclose(f);
  return n;
}

int main(void) {
  int before = mappings(), members = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(+ : members)
  members++;
  CHECK_EQ(members, MEMBERS);
  int taken = mappings() - before;
  fprintf(stderr, "%d mappings\n", taken);
  CHECK(taken <= 2 * MEMBERS + MEMBERS / 4);
  return 0;
}
