/* copyprivate.c - single copyprivate: one member's values reach all */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks scalars, structs, pointers and threadprivate variables under copyprivate, many times in a
// row, and GOMP_single_copy_start and _end called directly.
// RUN: %omp_test
#include "check.h"

void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);

struct big {
  long word[40];
};

static int own;
#pragma omp threadprivate(own)

int main(void) {
  long rounds = CHECK_TIMES(1500), chosen = 0, done = 0;
  double end = check_seconds() + 2;
#pragma omp parallel reduction(+ : chosen)
  {
    bool stop = false;
    for (long i = 0; i < rounds && !stop; i++) {
      long value = -1, *pointer = NULL;
      struct big big = {{0}};
#pragma omp single copyprivate(value, big, pointer, own, stop)
      {
        value = 3 * i;
        for (int w = 0; w < 40; w++)
          big.word[w] = i + w;
        pointer = &done;
        own = (int)i + 1;
        done = i + 1;
        stop = check_seconds() > end;
      }
      CHECK_EQ(value, 3 * i);
      CHECK(pointer == &done);
      CHECK_EQ(own, i + 1);
      for (int w = 0; w < 40; w++)
        CHECK_EQ(big.word[w], i + w);
      long mine = 7 * i, *theirs = GOMP_single_copy_start();
      if (theirs == NULL) {
        chosen++;
        GOMP_single_copy_end(&mine);
      } else {
        CHECK_EQ(*theirs, 7 * i);
      }
#pragma omp barrier /* `mine` must live until all have read it; the compiler's code has it too */
    }
  }
  CHECK_EQ(chosen, done);
  return 0;
}
