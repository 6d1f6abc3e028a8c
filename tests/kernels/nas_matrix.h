/* nas_matrix.h - the sparse matrix of NAS CG
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Matrix      as specified in the NAS report RNR-94-007: the sum of w(i) v(i) v(i)^T over all rows
 *             i, plus (0.1 - shift) times the identity. The weights w fall from 1 to about 0.1 by a
 *             constant factor. Vector v(i) has `entries` random nonzeros at random places, which
 *             come from the NAS generator, seed 314159265; in addition its entry i is set to 0.5.
 * Assembly    a row is made of the vectors that have an entry in it, so these are listed by row
 *             first. A static loop over the rows adds up each row in a dense row of the member. So
 *             the memory of a row is first written by the member that uses it in static loops.
 * Use         nas_matrix_init() outside of regions; nas_matrix_row() is a row's product
 */
#ifndef NTH_KERNEL_NAS_MATRIX_H
#define NTH_KERNEL_NAS_MATRIX_H

#include "kernel.h"

static const uint64_t NAS_MATRIX_SEED = 314159265;
static const double NAS_MATRIX_LEAST = 0.1; /* the last weight, and what the diagonal gets */

struct nas_matrix {
  int rows;
  long *first; /* rows + 1 starts of rows in column/value */
  int *column; /* ascending in each row */
  double *value;
};

/* All random vectors, and which of them have an entry in a row. */
struct nas_vectors {
  int count, most; /* entries of a vector, at most */
  int *length;     /* of each vector */
  int *place;      /* `most` a vector */
  double *entry;   /* the same */
  double *weight;  /* of each vector */
  long *first;     /* count + 1 starts of rows in user/used */
  int *user;       /* vectors with an entry in the row, ascending */
  double *used;    /* that entry, times the vector's weight */
};

/* What a member needs to make a row. */
struct nas_row {
  double *sum; /* by column */
  int *last;   /* by column: the last row that has it */
  int *column; /* of the row under way */
  int length;
};

/* Sets entry `place` of v(i), whether it has one or not. */
static inline void nas_vector_set(struct nas_vectors *v, int i, int place, double entry) {
  long base = (long)i * v->most;
  int at = 0;
  while (at < v->length[i] && v->place[base + at] != place) {
    at++;
  }
  v->place[base + at] = place;
  v->entry[base + at] = entry;
  v->length[i] += at == v->length[i];
}

static inline bool nas_vector_has(const struct nas_vectors *v, int i, int place) {
  for (long at = (long)i * v->most; at < (long)i * v->most + v->length[i]; at++) {
    if (v->place[at] == place) {
      return true;
    }
  }
  return false;
}

/* Makes the random vectors. An attempt draws two numbers, a size and a place out of a power of two.
 * It fails if the place is no row or taken. The very first number of the generator is not used. */
static inline void nas_vectors_draw(struct nas_vectors *v, int entries) {
  uint64_t state = kern_lcg_next(NAS_MATRIX_SEED);
  int bits = 1;
  while (1 << bits < v->count) {
    bits++;
  }
  double weight = 1, ratio = pow(NAS_MATRIX_LEAST, 1.0 / v->count);
  for (int i = 0; i < v->count; i++, weight *= ratio) {
    v->weight[i] = weight;
    while (v->length[i] < entries) {
      uint64_t size = kern_lcg_next(state);
      state = kern_lcg_next(size);
      int place = (int)(state >> (46 - bits));
      if (place < v->count && !nas_vector_has(v, i, place)) {
        nas_vector_set(v, i, place, kern_lcg_real(size));
      }
    }
    nas_vector_set(v, i, i, 0.5);
  }
}

/* Lists the vectors by row. */
static inline void nas_vectors_list(struct nas_vectors *v) {
  for (int i = 0; i < v->count; i++) {
    for (long at = (long)i * v->most; at < (long)i * v->most + v->length[i]; at++) {
      v->first[v->place[at] + 1]++;
    }
  }
  for (int row = 0; row < v->count; row++) {
    v->first[row + 1] += v->first[row];
  }
  long *next = kern_alloc((size_t)v->count, sizeof *next);
  memcpy(next, v->first, (size_t)v->count * sizeof *next);
  for (int i = 0; i < v->count; i++) {
    for (long at = (long)i * v->most; at < (long)i * v->most + v->length[i]; at++) {
      long use = next[v->place[at]]++;
      v->user[use] = i;
      v->used[use] = v->weight[i] * v->entry[at];
    }
  }
  free(next);
}

static inline struct nas_vectors nas_vectors_new(int count, int entries) {
  struct nas_vectors v = {.count = count, .most = entries + 1};
  size_t all = (size_t)count * (size_t)v.most;
  v.length = kern_alloc((size_t)count, sizeof *v.length);
  v.place = kern_alloc(all, sizeof *v.place);
  v.entry = kern_alloc(all, sizeof *v.entry);
  v.weight = kern_alloc((size_t)count, sizeof *v.weight);
  v.first = kern_alloc((size_t)count + 1, sizeof *v.first);
  v.user = kern_alloc(all, sizeof *v.user);
  v.used = kern_alloc(all, sizeof *v.used);
  nas_vectors_draw(&v, entries);
  nas_vectors_list(&v);
  return v;
}

static inline void nas_vectors_free(struct nas_vectors *v) {
  free(v->length);
  free(v->place);
  free(v->entry);
  free(v->weight);
  free(v->first);
  free(v->user);
  free(v->used);
}

/* ---- rows ---- */

static inline struct nas_row nas_row_new(int rows) {
  struct nas_row r = {.sum = kern_doubles(rows)};
  r.last = kern_alloc((size_t)rows, sizeof *r.last);
  r.column = kern_alloc((size_t)rows, sizeof *r.column);
  memset(r.last, 0xff, (size_t)rows * sizeof *r.last);
  return r;
}

static inline void nas_row_free(struct nas_row *r) {
  free(r->sum);
  free(r->last);
  free(r->column);
}

static inline int nas_row_compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* Adds up row `row` in r->sum; its columns are in r->column. */
static inline void nas_row_make(struct nas_row *r, const struct nas_vectors *v, int row) {
  r->length = 0;
  for (long use = v->first[row]; use < v->first[row + 1]; use++) {
    int i = v->user[use];
    for (long at = (long)i * v->most; at < (long)i * v->most + v->length[i]; at++) {
      int column = v->place[at];
      if (r->last[column] != row) {
        r->last[column] = row;
        r->sum[column] = 0;
        r->column[r->length++] = column;
      }
      r->sum[column] += v->used[use] * v->entry[at];
    }
  }
}

/* Called by every member of the team, first for the lengths of the rows, then for the rows. */
static inline void nas_matrix_team(const struct nas_matrix *a, const struct nas_vectors *v,
                                   double diagonal, bool lengths) {
  struct nas_row r = nas_row_new(a->rows);
#pragma omp for schedule(static)
  for (int row = 0; row < a->rows; row++) {
    nas_row_make(&r, v, row);
    if (lengths) {
      a->first[row + 1] = r.length;
      continue;
    }
    r.sum[row] += diagonal;
    qsort(r.column, (size_t)r.length, sizeof *r.column, nas_row_compare);
    for (int at = 0; at < r.length; at++) {
      a->column[a->first[row] + at] = r.column[at];
      a->value[a->first[row] + at] = r.sum[r.column[at]];
    }
  }
  nas_row_free(&r);
}

/* The matrix with `rows` rows, from vectors of `entries` random nonzeros. */
static inline void nas_matrix_init(struct nas_matrix *a, int rows, int entries, double shift) {
  struct nas_vectors v = nas_vectors_new(rows, entries);
  double diagonal = NAS_MATRIX_LEAST - shift;
  a->rows = rows;
  a->first = kern_alloc((size_t)rows + 1, sizeof *a->first);
#pragma omp parallel
  nas_matrix_team(a, &v, diagonal, true);
  for (int row = 0; row < rows; row++) {
    a->first[row + 1] += a->first[row];
  }
  a->column = kern_alloc((size_t)a->first[rows], sizeof *a->column);
  a->value = kern_doubles(a->first[rows]);
#pragma omp parallel
  nas_matrix_team(a, &v, diagonal, false);
  nas_vectors_free(&v);
}

/* Row `row` times `vector`, in four sums: an addition need not wait for the one before it. */
static inline double nas_matrix_row(const struct nas_matrix *a, int row, const double *vector) {
  double sum[4] = {0, 0, 0, 0};
  long at = a->first[row], end = a->first[row + 1];
  for (; at + 4 <= end; at += 4) {
    for (int lane = 0; lane < 4; lane++) {
      sum[lane] += a->value[at + lane] * vector[a->column[at + lane]];
    }
  }
  for (; at < end; at++) {
    sum[0] += a->value[at] * vector[a->column[at]];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
