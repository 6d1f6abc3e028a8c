/* block5.h - a system of five equations, for kernels with block tridiagonal systems
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A block is stored by rows.
 */
#ifndef NTH_KERNEL_BLOCK5_H
#define NTH_KERNEL_BLOCK5_H

enum { BLOCK5_N = 5, BLOCK5 = BLOCK5_N * BLOCK5_N };

/* Solves D x = v in place, and D X = e in place for the 5x5 block e; D is lost. D is dominated by
 * its diagonal, so no rows are exchanged. */
static inline void block5_solve(double d[BLOCK5], double e[BLOCK5], double v[BLOCK5_N]) {
  for (int p = 0; p < BLOCK5_N; p++) {
    double inverse = 1 / d[p * BLOCK5_N + p];
    for (int l = p + 1; l < BLOCK5_N; l++) {
      d[p * BLOCK5_N + l] *= inverse;
    }
    for (int l = 0; l < BLOCK5_N; l++) {
      e[p * BLOCK5_N + l] *= inverse;
    }
    v[p] *= inverse;
    for (int row = 0; row < BLOCK5_N; row++) {
      double factor = d[row * BLOCK5_N + p];
      if (row == p) {
        continue;
      }
      for (int l = p + 1; l < BLOCK5_N; l++) {
        d[row * BLOCK5_N + l] -= factor * d[p * BLOCK5_N + l];
      }
      for (int l = 0; l < BLOCK5_N; l++) {
        e[row * BLOCK5_N + l] -= factor * e[p * BLOCK5_N + l];
      }
      v[row] -= factor * v[p];
    }
  }
}

#endif
