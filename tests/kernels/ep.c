/* ep.c - NAS EP: pairs of Gaussian deviates from uniform random numbers, counted by size
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007: generator x -> 5^13 x mod 2^46, seed
 *             271828183, pairs accepted inside the unit circle, deviates counted in square annuli.
 *             Blocks of 2^16 pairs, each starting at its own place in the sequence, are handed out
 *             by schedule(dynamic); sums and counts by reduction clauses, array section included.
 * Check       each block's results are also stored: the reductions must add up to them, a sample
 *             of blocks (all with --small) is recomputed serially and must agree bit by bit; for
 *             sizes 24, 25 and 28 the published sums of classes S, W and A.
 */
#include "kernel.h"

enum { ANNULI = 10, BLOCK_LOG2 = 16 };

static const uint64_t SEED = 271828183;

struct tally {
  double sum_x, sum_y;
  long count[ANNULI];
};

static struct tally block_tally(long block, long pairs) {
  struct tally t = {0};
  uint64_t state = kern_lcg_jump(SEED, (uint64_t)block << (BLOCK_LOG2 + 1));
  for (long i = 0; i < pairs; i++) {
    state = kern_lcg_next(state);
    double x = 2 * kern_lcg_real(state) - 1;
    state = kern_lcg_next(state);
    double y = 2 * kern_lcg_real(state) - 1;
    double square = x * x + y * y;
    if (square <= 1) {
      double factor = sqrt(-2 * log(square) / square);
      x *= factor;
      y *= factor;
      t.count[(int)fmax(fabs(x), fabs(y))]++;
      t.sum_x += x;
      t.sum_y += y;
    }
  }
  return t;
}

/* Fills one tally a block and returns the total as the reductions found it. */
static struct tally run(struct tally *blocks, long block_count, long pairs) {
  double sum_x = 0, sum_y = 0;
  long count[ANNULI] = {0};
#pragma omp parallel for schedule(dynamic) reduction(+ : sum_x, sum_y, count[ : ANNULI])
  for (long b = 0; b < block_count; b++) {
    blocks[b] = block_tally(b, pairs);
    sum_x += blocks[b].sum_x;
    sum_y += blocks[b].sum_y;
    for (int a = 0; a < ANNULI; a++) {
      count[a] += blocks[b].count[a];
    }
  }
  struct tally total = {.sum_x = sum_x, .sum_y = sum_y};
  memcpy(total.count, count, sizeof count);
  return total;
}

static bool tally_equal(const struct tally *a, const struct tally *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* The published sums (NAS Parallel Benchmarks, EP verification), where there are any. */
static bool verify_published(const struct tally *total, long log2_pairs) {
  static const struct {
    long log2_pairs;
    double sum_x, sum_y;
  } published[] = {
      {24, -3.247834652034740e3, -6.958407078382297e3},
      {25, -2.863319731645753e3, -6.320053679109499e3},
      {28, -4.295875165629892e3, -1.580732573678431e4},
  };
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    if (published[i].log2_pairs == log2_pairs) {
      return kern_check(kern_close(total->sum_x, published[i].sum_x, 1e-8) &&
                            kern_close(total->sum_y, published[i].sum_y, 1e-8),
                        "sums %.15e %.15e are not the published ones", total->sum_x, total->sum_y);
    }
  }
  return true;
}

static bool verify(const struct tally *total, const struct tally *blocks, long block_count,
                   long pairs, long stride) {
  struct tally sum = {0};
  bool ok = true;
  for (long b = 0; b < block_count; b++) {
    sum.sum_x += blocks[b].sum_x;
    sum.sum_y += blocks[b].sum_y;
    for (int a = 0; a < ANNULI; a++) {
      sum.count[a] += blocks[b].count[a];
    }
    if (b % stride == 0 || b == block_count - 1) {
      struct tally serial = block_tally(b, pairs);
      ok &= kern_check(tally_equal(&serial, &blocks[b]), "block %ld differs from serial", b);
    }
  }
  /* Sums of either sign: the tolerance is relative to their spread, the root of the pairs. */
  double tolerance = 1e-11 * sqrt((double)(block_count * pairs));
  ok &= kern_check(fabs(sum.sum_x - total->sum_x) <= tolerance &&
                       fabs(sum.sum_y - total->sum_y) <= tolerance,
                   "reduced sums %.15e %.15e, of the blocks %.15e %.15e", total->sum_x,
                   total->sum_y, sum.sum_x, sum.sum_y);
  return ok & kern_check(memcmp(sum.count, total->count, sizeof sum.count) == 0,
                         "reduced counts differ from those of the blocks");
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "ep",
      .what = "NAS EP, Gaussian deviates",
      .size_means = "log2 of the number of pairs, 16 to 40",
      .iters_means = "times the whole is done",
      .full = {28, 1},
      .brief = {20, 1},
  };
  kern_parse(&k, NULL, argc, argv);
  kern_require(&k, k.size >= BLOCK_LOG2 && k.size <= 40 && k.iters >= 1, "the size is 16 to 40");
  long block_count = 1L << (k.size - BLOCK_LOG2), pairs = 1L << BLOCK_LOG2;
  struct tally *blocks = kern_alloc((size_t)block_count, sizeof *blocks), total = {0};

  kern_threads();
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    double elapsed = 0;
    for (long i = 0; i < k.iters; i++) {
      memset(blocks, 0xff, (size_t)block_count * sizeof *blocks); /* NaN: no block is left out */
      double start = kern_now();
      total = run(blocks, block_count, pairs);
      elapsed += kern_now() - start;
      ok &= verify(&total, blocks, block_count, pairs, k.small ? 1 : 61);
    }
    best = fmin(best, elapsed);
  }
  ok &= verify_published(&total, k.size);
  long accepted = 0;
  for (int a = 0; a < ANNULI; a++) {
    accepted += total.count[a];
  }
  char size[64];
  snprintf(size, sizeof size, "2^%ldx%ld", k.size, k.iters);
  return kern_report("ep", size, best, ok, "%.8e,%.8e,%ld", total.sum_x, total.sum_y, accepted);
}
