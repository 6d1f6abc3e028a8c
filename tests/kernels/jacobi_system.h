/* jacobi_system.h - what the Jacobi kernels share: the system of equations, its rows, its check
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * System  dense, positive off-diagonal entries, each diagonal entry the row's sum / RATE: the error
 *         after k iterations is at most RATE^k of the first one (infinity norm).
 * Check   the solution against the known one within that bound, and bit by bit against a serial
 *         solve: a row is always summed by one thread in one order.
 */
#ifndef NTH_JACOBI_SYSTEM_H
#define NTH_JACOBI_SYSTEM_H

#include "kernel.h"

static const double RATE = 0.95;

struct linear_system {
  long rows;
  double *matrix; /* rows x rows */
  double *rhs;
  double *x, *next; /* swapped after each iteration */
  double change;    /* largest change of an unknown in the last iteration */
};

static inline double exact_solution(long row) { return 1.0 + (double)(row % 7) / 8; }

static inline void system_init(struct linear_system *s, long rows) {
  s->rows = rows;
  s->matrix = kern_doubles(rows * rows);
  s->rhs = kern_doubles(rows);
  s->x = kern_doubles(rows);
  s->next = kern_doubles(rows);
  uint64_t state = 271828183;
  for (long i = 0; i < rows; i++) {
    double *row = s->matrix + i * rows, sum = 0;
    for (long j = 0; j < rows; j++) {
      state = kern_lcg_next(state);
      row[j] = j == i ? 0 : kern_lcg_real(state);
      sum += row[j];
    }
    row[i] = sum / RATE;
    for (long j = 0; j < rows; j++) {
      s->rhs[i] += row[j] * exact_solution(j);
    }
  }
}

static inline double row_solve(const struct linear_system *s, long i) {
  const double *row = s->matrix + i * s->rows;
  double sum = s->rhs[i];
  for (long j = 0; j < i; j++) {
    sum -= row[j] * s->x[j];
  }
  for (long j = i + 1; j < s->rows; j++) {
    sum -= row[j] * s->x[j];
  }
  return sum / row[i];
}

static inline void system_step(struct linear_system *s, double change) {
  double *swap = s->x;
  s->x = s->next;
  s->next = swap;
  s->change = change;
}

static inline void solve_serial(struct linear_system *s, long iters) {
  memset(s->x, 0, (size_t)s->rows * sizeof *s->x);
  for (long k = 0; k < iters; k++) {
    double change = 0;
    for (long i = 0; i < s->rows; i++) {
      s->next[i] = row_solve(s, i);
      change = fmax(change, fabs(s->next[i] - s->x[i]));
    }
    system_step(s, change);
  }
}

/* What the serial solve ended with. */
struct outcome {
  double *x;
  double change;
};

/* Solves serially, and keeps what comes out. */
static inline struct outcome expect(struct linear_system *s, long iters) {
  solve_serial(s, iters);
  struct outcome expected = {kern_doubles(s->rows), s->change};
  memcpy(expected.x, s->x, (size_t)s->rows * sizeof *expected.x);
  return expected;
}

static inline bool verify(const struct linear_system *s, long iters,
                          const struct outcome *expected) {
  double largest = 0, bound = 0;
  for (long i = 0; i < s->rows; i++) {
    largest = fmax(largest, fabs(s->x[i] - exact_solution(i)));
    bound = fmax(bound, exact_solution(i));
  }
  bound = bound * pow(RATE, (double)iters) + 1e-10; /* round-off of sums of 480 terms */
  bool ok = kern_check(largest <= bound, "error %g, bound %g", largest, bound);
  ok &= kern_check(memcmp(s->x, expected->x, (size_t)s->rows * sizeof *s->x) == 0,
                   "solution differs from the serial one");
  return ok & kern_check(s->change == expected->change, "last change %.17g, serial %.17g",
                         s->change, expected->change);
}

#endif
