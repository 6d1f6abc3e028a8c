/* graph8.h - the graph of eight loops: its vectors, its sums and their check
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     Nikolopoulos et al., "Efficient Runtime Thread Management for the Nano-Threads
 *         Programming Model", section 4 (figure 3) and 5 (figure 5): T1 to T4 multiply a vector by
 *         a number, T5 to T8 are dot products of what they make. T1, T4, T6 and T7 use the same
 *         vectors, and so do T2, T3, T5 and T8. The arcs of the figure are not in the text at hand;
 *         in ours T6 and T7 come after T1 and T4, T5 and T8 after T2 and T3. T6 and T5 are plain
 *         products; in T7 and T8 every second term counts negative.
 * Use     g8_init() -> for each turn: the loops T1 to T4 before those that need them -> g8_verify()
 * Check   all numbers are whole and small enough for exact sums in any order, and the factors
 *         change with the turn: a vector of the turn before shows.
 */
#ifndef NTH_KERNEL_GRAPH8_H
#define NTH_KERNEL_GRAPH8_H

#include "kernel.h"

enum { G8_VECTORS = 4, G8_GROUPS = 2, G8_VALUES = 1024, G8_SIZE_MOST = 1 << 20 };

/* The vectors of a group: T1 and T4, T2 and T3. Vectors are numbered from 0. */
static const int g8_vector[G8_GROUPS][2] = {{0, 3}, {1, 2}};

struct g8 {
  long n, turns;
  double *in[G8_VECTORS], *out[G8_VECTORS];
  double *dot; /* [turn][group][2] */
};

static inline double g8_factor(long turn, int vector) {
  return (double)(1 + (turn * 7 + vector * 3) % 13);
}

static inline double *g8_dot(const struct g8 *g, long turn, int group, int which) {
  return g->dot + (turn * G8_GROUPS + group) * 2 + which;
}

static inline void g8_init(struct g8 *g, long n, long turns) {
  *g = (struct g8){.n = n, .turns = turns, .dot = kern_doubles(turns * G8_GROUPS * 2)};
  for (int v = 0; v < G8_VECTORS; v++) {
    g->in[v] = kern_doubles(n);
    g->out[v] = kern_doubles(n);
    for (long i = 0; i < n; i++) {
      g->in[v][i] = (double)(kern_hash((uint64_t)(i * G8_VECTORS + v)) % G8_VALUES);
    }
  }
}

/* Elements from .. to - 1 of T1 to T4. */
static inline void g8_multiply(const struct g8 *g, int vector, double factor, long from, long to) {
  for (long i = from; i < to; i++) {
    g->out[vector][i] = factor * g->in[vector][i];
  }
}

/* Terms from .. to - 1 of T5 to T8. */
static inline double g8_product(const struct g8 *g, int group, int which, long from, long to) {
  const double *one = g->out[g8_vector[group][0]], *other = g->out[g8_vector[group][1]];
  double sum = 0;
  for (long i = from; i < to; i++) {
    sum += which == 1 && i % 2 == 1 ? -one[i] * other[i] : one[i] * other[i];
  }
  return sum;
}

/* All sums of all turns, from the vectors as they were made; their check sum. */
static inline bool g8_verify(const struct g8 *g, double *checksum) {
  long wrong = 0;
  *checksum = 0;
  for (int group = 0; group < G8_GROUPS; group++) {
    int one = g8_vector[group][0], other = g8_vector[group][1];
    int64_t sum[2] = {0, 0};
    for (long i = 0; i < g->n; i++) {
      int64_t term = (int64_t)g->in[one][i] * (int64_t)g->in[other][i];
      sum[0] += term;
      sum[1] += i % 2 == 1 ? -term : term;
    }
    for (long turn = 0; turn < g->turns; turn++) {
      double factor = g8_factor(turn, one) * g8_factor(turn, other);
      for (int which = 0; which < 2; which++) {
        double found = *g8_dot(g, turn, group, which);
        wrong += found != factor * (double)sum[which];
        *checksum = fmod(*checksum * 3 + found, 1e12);
      }
    }
  }
  return kern_check(wrong == 0, "%ld of %ld sums", wrong, g->turns * G8_GROUPS * 2);
}

/* Before the next run: no sum is there. */
static inline void g8_forget(const struct g8 *g) {
  for (long i = 0; i < g->turns * G8_GROUPS * 2; i++) {
    g->dot[i] = -1;
  }
}

#endif
