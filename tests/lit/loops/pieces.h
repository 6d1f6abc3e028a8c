/* pieces.h - the chunks that members of a team got of one loop, in the order of iterations */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef PIECES_H
#define PIECES_H

#include "check.h"

enum { MOST = 20000 };

struct piece {
  long a, b;
};

static struct piece piece[MOST];
static int pieces;

/* By any member: it got the iterations a .. b - 1. */
static inline void piece_note(long a, long b) {
  int at;
#pragma omp atomic capture
  at = pieces++;
  CHECK(at < MOST);
  piece[at] = (struct piece){a, b};
}

static inline int piece_order(const void *x, const void *y) {
  long a = ((const struct piece *)x)->a, b = ((const struct piece *)y)->a;
  return (a > b) - (a < b);
}

/* Sorts the pieces. Together they are the iterations 0 .. trips - 1, each once. */
static inline void pieces_cover(long trips) {
  long at = 0;
  qsort(piece, (size_t)pieces, sizeof *piece, piece_order);
  for (int p = 0; p < pieces; p++) {
    CHECK_EQ(piece[p].a, at);
    CHECK(piece[p].b > at);
    at = piece[p].b;
  }
  CHECK_EQ(at, trips);
}

#endif
