/* atomic.c - atomic: forms without a machine instruction go through the library */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks GOMP_atomic_start and _end (long double and complex updates, and direct calls), the lock's
// independence from critical, and ordinary atomics of each form.
// RUN: %omp_test
#include "check.h"
#include <complex.h>

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static struct {
  long a, b;
} pair;

int main(void) {
  long rounds = CHECK_TIMES(20000), n = omp_get_max_threads(), count = 0, largest = 0, old_sum = 0;
  long double wide = 0;
  double ordinary = 0;
  _Complex double complex_sum = 0;
  int bits = 0;
#pragma omp parallel reduction(+ : old_sum)
  for (long i = 0; i < rounds; i++) {
    long before;
#pragma omp atomic
    wide += 0.5L;
#pragma omp atomic update
    ordinary += 0.25;
#pragma omp atomic capture seq_cst
    before = count++;
    old_sum += before;
#pragma omp atomic compare
    if (largest < before) {
      largest = before;
    }
#pragma omp atomic
    bits |= 1 << (i % 20);
    GOMP_atomic_start();
    check_count_alone(&pair.a, i);
    pair.b--;
    CHECK_EQ(pair.a + pair.b, 0);
    complex_sum += 1 + 2 * I;
    GOMP_atomic_end();
    if (i % 64 == 0) {
#pragma omp critical
      {
        GOMP_atomic_start(); /* another lock than that of critical */
        pair.a += 0;
        GOMP_atomic_end();
      }
    }
  }
  CHECK(wide == 0.5L * (long double)(rounds * n));
  CHECK(ordinary == 0.25 * (double)(rounds * n));
  CHECK(creal(complex_sum) == (double)(rounds * n) &&
        cimag(complex_sum) == 2.0 * creal(complex_sum));
  CHECK_EQ(count, rounds * n);
  CHECK_EQ(old_sum, rounds * n * (rounds * n - 1) / 2);
  CHECK_EQ(largest, rounds * n - 1);
  CHECK_EQ(bits, (1 << 20) - 1);
  CHECK_EQ(pair.a, rounds * n);
  return 0;
}
