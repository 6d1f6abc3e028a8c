/* pencil.h - Fourier transforms of several lines of complex numbers at once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         the elements of a line along y or z of a 3-D grid are far from each other. A pencil
 *             is a copy of LANES lines that are beside each other. Elements j of all its lines are
 *             contiguous. So the grid is read and written by whole cache lines, and operations are
 *             on LANES or more contiguous numbers. For lines along x the copy is a blocked
 *             transposition.
 * Algorithm   Stockham's: each step reads one of two arrays and writes the other, in an order such
 *             that the result needs no permutation. Steps have radix 4; the last one has radix 2
 *             if the length is no power of 4. Real and imaginary parts are in arrays of their own.
 *             The inverse transform is the same with both parts exchanged.
 * Use         pencil_load() -> pencil_transform() -> pencil_store(); lengths are powers of two
 */
#ifndef NTH_KERNEL_PENCIL_H
#define NTH_KERNEL_PENCIL_H

#include "kernel.h"

enum { LANES = 8, PENCIL_MOST = 256 }; /* a pencil of the largest length has 32 KB */

struct complex2 {
  double re, im;
};

/* The working memory of a member. Element j of line l is at j * LANES + l. */
struct pencil {
  _Alignas(128) double re[2][PENCIL_MOST * LANES];
  double im[2][PENCIL_MOST * LANES];
  int now; /* which of the two the data are in */
};

/* Where lines are in a grid: from element to element, and from line to line. */
struct pencil_stride {
  long element, line;
};

/* exp(-2 pi i k / PENCIL_MOST) */
static inline void pencil_roots(struct complex2 root[PENCIL_MOST]) {
  for (int k = 0; k < PENCIL_MOST; k++) {
    double angle = 2 * 3.14159265358979323846 * k / PENCIL_MOST;
    root[k] = (struct complex2){cos(angle), -sin(angle)};
  }
}

static inline void pencil_load(struct pencil *p, const struct complex2 *from,
                               struct pencil_stride s, int length) {
  p->now = 0;
  for (int j = 0; j < length; j++) {
    for (int l = 0; l < LANES; l++) {
      const struct complex2 *c = from + j * s.element + l * s.line;
      p->re[0][j * LANES + l] = c->re;
      p->im[0][j * LANES + l] = c->im;
    }
  }
}

static inline void pencil_store(const struct pencil *p, struct complex2 *to, struct pencil_stride s,
                                int length) {
  const double *re = p->re[p->now], *im = p->im[p->now];
  for (int j = 0; j < length; j++) {
    for (int l = 0; l < LANES; l++) {
      to[j * s.element + l * s.line] = (struct complex2){re[j * LANES + l], im[j * LANES + l]};
    }
  }
}

/* ---- butterflies of one step, which share their roots: `half` or `run` of them ---- */

static inline void pencil_two(const double *restrict re, const double *restrict im,
                              double *restrict to_re, double *restrict to_im, long half) {
#pragma omp simd
  for (long q = 0; q < half; q++) {
    to_re[q] = re[q] + re[q + half];
    to_im[q] = im[q] + im[q + half];
    to_re[q + half] = re[q] - re[q + half];
    to_im[q + half] = im[q] - im[q + half];
  }
}

static inline void pencil_four(const double *restrict re, const double *restrict im,
                               double *restrict to_re, double *restrict to_im, long quarter,
                               long run, const struct complex2 w[4]) {
  const long b = quarter, c = 2 * quarter, d = 3 * quarter;
  const double w1re = w[1].re, w1im = w[1].im, w2re = w[2].re, w2im = w[2].im;
  const double w3re = w[3].re, w3im = w[3].im;
#pragma omp simd
  for (long q = 0; q < run; q++) {
    double sum_re = re[q] + re[q + c], sum_im = im[q] + im[q + c];
    double dif_re = re[q] - re[q + c], dif_im = im[q] - im[q + c];
    double odd_re = re[q + b] + re[q + d], odd_im = im[q + b] + im[q + d];
    double rot_re = im[q + b] - im[q + d], rot_im = re[q + d] - re[q + b];
    double two_re = sum_re - odd_re, two_im = sum_im - odd_im;
    double one_re = dif_re + rot_re, one_im = dif_im + rot_im;
    double three_re = dif_re - rot_re, three_im = dif_im - rot_im;
    to_re[q] = sum_re + odd_re;
    to_im[q] = sum_im + odd_im;
    to_re[q + run] = one_re * w1re - one_im * w1im;
    to_im[q + run] = one_re * w1im + one_im * w1re;
    to_re[q + 2 * run] = two_re * w2re - two_im * w2im;
    to_im[q + 2 * run] = two_re * w2im + two_im * w2re;
    to_re[q + 3 * run] = three_re * w3re - three_im * w3im;
    to_im[q + 3 * run] = three_re * w3im + three_im * w3re;
  }
}

/* Before each step, what is left to do in a line are `run` / LANES transforms of length `left`. */
static inline void pencil_transform(struct pencil *p, int length, bool inverse,
                                    const struct complex2 root[PENCIL_MOST]) {
  double *part[2][2] = {{p->re[0], p->re[1]}, {p->im[0], p->im[1]}};
  double *const *re = part[inverse], *const *im = part[!inverse];
  long run = LANES;
  for (int left = length; left > 1; left /= 4, run *= 4, p->now = !p->now) {
    int from = p->now, to = !p->now;
    if (left == 2) {
      pencil_two(re[from], im[from], re[to], im[to], run);
      p->now = to;
      return;
    }
    long quarter = run * (left / 4);
    for (int k = 0; k < left / 4; k++) {
      int step = PENCIL_MOST / left * k;
      struct complex2 w[4] = {root[0], root[step], root[2 * step], root[3 * step]};
      pencil_four(re[from] + k * run, im[from] + k * run, re[to] + 4 * k * run,
                  im[to] + 4 * k * run, quarter, run, w);
    }
  }
}

#endif
