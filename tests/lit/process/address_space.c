/* address_space.c - parallel: a team needs its members' stacks, and not much more */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions of 16 map no more than 15 stacks and some MiB, also after the look at the CPU
// quota that a docked thread takes each second: no thread of the runtime's may have a malloc arena
// of its own, of 64 MiB.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "memory.h"

int main(void) {
  pthread_attr_t attr;
  size_t stack;
  CHECK_EQ(pthread_attr_init(&attr), 0);
  CHECK_EQ(pthread_attr_getstacksize(&attr, &stack), 0);
  long before = (long)memory_mapped() / 1024;
  for (int round = 0; round < 25; round++) {
    int members = 0;
#pragma omp parallel num_threads(16) reduction(+ : members)
    {
#pragma omp barrier
      members++;
    }
    CHECK_EQ(members, 16);
    usleep(round < 20 ? 1000 : 300000);
  }
  long more = (long)memory_mapped() / 1024 - before, stacks = 15 * (long)(stack / 1024);
  fprintf(stderr, "%ld KiB more are mapped, %ld of them for stacks\n", more, stacks);
  CHECK(more < stacks + 16 * 1024);
  return 0;
}
