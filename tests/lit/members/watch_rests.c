/* watch_rests.c - after a program's first region the watchdog comes to rest at once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Its next look sees that nobody waits, and one more look comes before it sleeps until it is armed.
 * Where others take the CPUs the
 * members may still be on their way to their docks at its look, so a new process tries it again.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: env NTH_MEMBERS=nano OMP_NUM_THREADS=16 %omp_run %t 0
#include <dlfcn.h>
#include <nanogomp/counters.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 2, TRIES = 40 };

static int64_t looks(void) {
  typedef size_t read_fn(struct nth_counter *, size_t, size_t);
  read_fn *read_all = (read_fn *)dlsym(RTLD_DEFAULT, "nth_counters");
  struct nth_counter all[64];
  size_t count = read_all ? read_all(all, 64, sizeof *all) : 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].name, "watch_looks") == 0)
      return (int64_t)all[i].value;
  return -1;
}

int main(int argc, char **argv) {
  int members = 0, tries = argc > 1 ? atoi(argv[1]) : 0;
#pragma omp parallel reduction(+ : members)
  members = 1;
  int64_t before = looks();
  struct timespec t = {.tv_nsec = 100000000};
  nanosleep(&t, NULL);
  int64_t more = looks() - before;
  if (members == 16 && before >= 0 && more > MOST && tries < TRIES) {
    char next[16];
    (void)snprintf(next, sizeof next, "%d", tries + 1);
    execv("/proc/self/exe", (char *[]){argv[0], next, NULL});
  }
  if (members == 16 && before >= 0 && more <= MOST)
    return 0;
  printf("%d members, %lld looks at last\n", members, (long long)more);
  return 1;
}
