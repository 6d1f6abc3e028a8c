/* watch_rests.c - after a program's first region the watchdog comes to rest at once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The watchdog's next look sees that nobody waits. One more look comes before it sleeps until it is
 * armed. Where others take the CPUs the members may still be on their way to their docks at these
 * looks, so a new process tries it again.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: env NTH_MEMBERS=nano OMP_NUM_THREADS=16 %omp_run %t 0
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "again.h"
#include "counter.h"

enum { MOST = 2, TRIES = 40 };

int main(int argc, char **argv) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members = 1;
  int64_t before = counter_read("watch_looks");
  struct timespec t = {.tv_nsec = 100000000};
  nanosleep(&t, NULL);
  int64_t more = counter_read("watch_looks") - before;
  if (members == 16 && before >= 0 && more > MOST)
    again(argc, argv, TRIES);
  if (members == 16 && before >= 0 && more <= MOST)
    return 0;
  printf("%d members, %lld looks at last\n", members, (long long)more);
  return 1;
}
