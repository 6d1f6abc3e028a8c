/* guided_sizes.c - guided: chunk sizes shrink and keep to the minimum */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks by direct calls that the chunks of a guided loop, in the order of the iteration space,
// never grow, are at least `chunk` long but for the last, and cover the space exactly.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"
#include "pieces.h"

static void collect(long trips, long chunk) {
  long a, b;
  for (bool more = GOMP_loop_guided_start(0, trips, 1, chunk, &a, &b); more;
       more = GOMP_loop_guided_next(&a, &b))
    piece_note(a, b);
  GOMP_loop_end();
}

int main(void) {
  static const long trips[] = {1, 10, 1000, 100000}, chunks[] = {1, 7, 100};
  int n = omp_get_max_threads();
  for (unsigned t = 0; t < 4; t++)
    for (unsigned c = 0; c < 3; c++) {
      pieces = 0;
#pragma omp parallel
      collect(trips[t], chunks[c]);
      pieces_cover(trips[t]);
      long before = trips[t];
      for (int p = 0; p < pieces; p++) {
        long size = piece[p].b - piece[p].a;
        CHECK(size <= before);
        CHECK(size >= chunks[c] || p == pieces - 1);
        /* A first chunk of everything would not be guided. */
        if (n > 1 && trips[t] > n * chunks[c])
          CHECK(size < trips[t]);
        before = size;
      }
    }
  return 0;
}
