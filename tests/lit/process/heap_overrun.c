/* heap_overrun.c - parallel: a program's mistake on its own heap is not the runtime's end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions and loops work after the program has written 256 bytes past the ends of its
// blocks, as programs do that size a buffer by omp_get_num_procs(). Behind each block was a free
// one of 3.4 to 6 KiB when the first region began; there are as many smaller ones, behind which
// nobody writes, for each size below that.
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { PAIRS = 60, HARMLESS = 6, OVER = 256 };

static char *block[PAIRS], *volatile end;

static void region(int members) {
  int sum = 0, members_seen = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum, members_seen)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp barrier
    members_seen++;
  }
  CHECK_EQ(sum, 4950);
  CHECK_EQ(members_seen, members);
}

/* Free blocks of each size with used ones in between, so that none of them grow together. */
static void harmless(void) {
  for (int size = 24; size < 3400; size += 64) {
    void *hole[HARMLESS];
    for (int i = 0; i < HARMLESS; i++) {
      hole[i] = malloc((size_t)size);
      CHECK(hole[i] && malloc(24));
    }
    for (int i = 0; i < HARMLESS; i++)
      free(hole[i]);
  }
}

int main(void) {
  void *behind[PAIRS];
  static const size_t sizes[] = {3480, 3720, 4360, 4920, 5160, 6040};
  for (int i = 0; i < PAIRS; i++) {
    block[i] = malloc(5000);
    behind[i] = malloc(sizes[i % 6]);
    CHECK(block[i] && behind[i]);
  }
  harmless();
  for (int i = 0; i < PAIRS; i++)
    free(behind[i]);
  region(4);
  for (int i = 0; i < PAIRS; i++) {
    end = block[i] + 5000;
    for (int at = 0; at < OVER; at++)
      end[at] = 0x55;
  }
  for (int round = 0; round < 100; round++)
    region(4);
  _exit(0); /* the C library's heap is broken: nothing must use it */
}
