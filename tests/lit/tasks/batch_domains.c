/* batch_domains.c - halves of a taskloop go to the lowest domain in which somebody is idle */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks by the report's counters that ready queues of domains carry batches: where the idle member
// is a neighbour the leaf's, where it is in another domain the root's; and that each iteration runs
// once all the same. nanogomp-only: NTH_DOMAINS and nth_report are ours.
// REQUIRES: nanogomp
// A tool: with a tool there are no batches.
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t
// RUN: env NTH_DOMAINS=1 %omp_run %t 4 1 0
// RUN: env NTH_DOMAINS=2x2 %omp_run %t 4 1 1
// RUN: env NTH_DOMAINS=2x2 %omp_run %t 4 2 0
// RUN: env NTH_DOMAINS=2x2x2 %omp_run %t 8 1 2
// RUN: env NTH_DOMAINS=2x2x2 %omp_run %t 8 2 1
// RUN: env NTH_DOMAINS=2x2x2 %omp_run %t 8 4 0
#include "check.h"

extern int nth_report(char *buffer, size_t size) __attribute__((weak));

/* What was put at a depth so far; all of it has been taken. */
static unsigned long put_at(int depth) {
  static char text[65536];
  char key[32];
  unsigned long put = 0, taken = 0;
  CHECK(nth_report && nth_report(text, sizeof text) < (int)sizeof text);
  snprintf(key, sizeof key, "\nready: %d ", depth);
  const char *line = strstr(text, key);
  CHECK(!line || sscanf(line + strlen(key), "%lu %lu", &put, &taken) == 2);
  CHECK_EQ(put, taken);
  return put;
}

enum { PARTS = 200 };

/* Member 0 meets the loop, member `idle` has time for it, the others have not. Parts last long
 * enough for somebody to come and ask. */
static void loop(int members, int idle) {
  int ran[PARTS] = {0}, done = 0;
#pragma omp parallel num_threads(members) shared(ran, done)
  if (omp_get_thread_num() == 0) {
#pragma omp taskloop grainsize(1) shared(ran)
    for (int i = 0; i < PARTS; i++) {
      check_sleep_ms(1);
#pragma omp atomic
      ran[i]++;
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  } else if (omp_get_thread_num() != idle) {
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
      check_sleep_ms(1);
  } else {
#pragma omp taskyield
  }
  for (int i = 0; i < PARTS; i++)
    CHECK_EQ(ran[i], 1);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 4);
  int members = atoi(argv[1]), idle = atoi(argv[2]), depth = atoi(argv[3]);
  for (int r = 0; r < 20 && put_at(depth) == 0; r++)
    loop(members, idle);
  CHECK(put_at(depth) > 0);
  return 0;
}
