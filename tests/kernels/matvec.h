/* matvec.h - a tall matrix times a vector of 9: the data, and the exact check of the products
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1996, section 4.1: chunks of 1 to 11250 rows, 18 flop a row; an
 *             overhead under 10 % needed about 800 flop (43 rows) a nano-thread.
 * Check       every entry is a small integer and every product is added to the result times a
 *             known integer, so each row has one exact answer whatever the order; a row that is
 *             left out or done twice shows.
 * Use         problem_init() -> any number of products: row by row or by rows_product(), each row
 *             once with product_scale(), then product_done() -> verify()
 */
#ifndef NTH_MATVEC_H
#define NTH_MATVEC_H

#include "kernel.h"

enum { COLUMNS = 9, FLOP_PER_ROW = 2 * COLUMNS, SCALES = 7 };
/* The sizes of the paper's figure 1: rows in a unit of work. */
static const long matvec_chunks[] = {1,   2,   4,    9,    18,   27,   43,   90,
                                     180, 450, 1125, 2250, 4500, 5625, 11250};
enum { CHUNKS = sizeof matvec_chunks / sizeof *matvec_chunks };

struct problem {
  long rows;
  long chunk;     /* rows in one unit of work */
  double *matrix; /* rows x COLUMNS */
  double *result; /* sum of scale * matrix * vector over all products so far */
  double vector[COLUMNS];
  double scales; /* sum of the scales of all products so far */
  long products;
};

static inline void problem_init(struct problem *p, long rows, long chunk) {
  memset(p, 0, sizeof *p);
  p->rows = rows;
  p->chunk = chunk;
  p->matrix = kern_doubles(rows * COLUMNS);
  p->result = kern_doubles(rows);
  uint64_t state = 314159265;
  for (long i = 0; i < rows * COLUMNS; i++) {
    state = kern_lcg_next(state);
    p->matrix[i] = (double)((long)(state >> 40) % 9 - 4);
  }
  for (int j = 0; j < COLUMNS; j++) {
    p->vector[j] = j + 1;
  }
}

static inline double row_product(const struct problem *p, long row) {
  const double *entries = p->matrix + row * COLUMNS;
  double sum = 0;
  for (int j = 0; j < COLUMNS; j++) {
    sum += entries[j] * p->vector[j];
  }
  return sum;
}

static inline void rows_product(const struct problem *p, long first, long last, double scale) {
  for (long i = first; i < last; i++) {
    p->result[i] += scale * row_product(p, i);
  }
}

/* What the next product is multiplied by. */
static inline double product_scale(const struct problem *p) {
  return (double)(p->products % SCALES + 1);
}

static inline void product_done(struct problem *p, double scale) {
  p->products++;
  p->scales += scale;
}

static inline void product_serial(struct problem *p) {
  double scale = product_scale(p);
  rows_product(p, 0, p->rows, scale);
  product_done(p, scale);
}

/* Compares each row with its exact answer; *value gets a checksum of the matrix x vector. */
static inline bool verify(const struct problem *p, long *value) {
  long wrong = 0;
  double checksum = 0;
  for (long i = 0; i < p->rows; i++) {
    wrong += p->result[i] != p->scales * row_product(p, i);
    checksum += p->result[i] / p->scales * (double)(i % 13 + 1);
  }
  *value = lround(checksum);
  return kern_check(wrong == 0, "%ld of %ld rows after %ld products", wrong, p->rows, p->products);
}

#endif
