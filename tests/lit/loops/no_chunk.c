/* no_chunk.c - a chunk below 1 is the schedule's default */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a dynamic or guided loop whose chunk is negative or 0 is handed out to all members,
// and that a static one is cut into a block for each. nanogomp-only: libgomp takes -1 for a chunk.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"
#include <limits.h>

enum { TRIPS = 10000, MEMBERS = 4 };

/* Each member has a piece before any has its second: none has the whole loop. */
static void loop(long kind, long chunk) {
  long done = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(+ : done)
  {
    long a, b, n = omp_get_num_threads();
    bool more = GOMP_loop_start(0, TRIPS, 1, kind, chunk, &a, &b, NULL, NULL);
    CHECK(more && (n == 1 || b - a <= TRIPS / 2));
    if (kind == GOMP_STATIC)
      CHECK(b - a >= TRIPS / n);
#pragma omp barrier
    for (; more; more = GOMP_loop_runtime_next(&a, &b))
      done += b - a;
    GOMP_loop_end();
  }
  CHECK_EQ(done, TRIPS);
}

int main(void) {
  static const long chunks[] = {0, -1, -5, LONG_MIN},
                    kinds[] = {GOMP_STATIC, GOMP_DYNAMIC, GOMP_GUIDED};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      loop(kinds[k], chunks[i]);
  return 0;
}
