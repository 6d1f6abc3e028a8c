/* nqueens.c - all ways to place N queens on N rows: a search whose tasks nobody waits for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       one for each queen placed. It makes those of the next row and ends; only the
 *             taskgroup around the whole search waits. Solutions are counted by a task reduction.
 * Cut-off     the last N rows are filled serially.
 * Check       the number of solutions is the known one.
 */
#include "kernel.h"

static const long KNOWN[] = {1,     0,      0,       2,        10,       4,
                             40,    92,     352,     724,      2680,     14200,
                             73712, 365596, 2279184, 14772512, 95815104, 666090624};
enum { MAX_SIZE = sizeof KNOWN / sizeof *KNOWN };

static long solutions; /* of this search; each task adds to its thread's part */

/* What the queens so far say about the next row; a bit a column. */
struct row {
  unsigned all;         /* the columns there are */
  unsigned down;        /* those with a queen */
  unsigned left, right; /* those that are attacked along a diagonal */
  long rows_left;       /* this one and those below */
};

static unsigned row_free(struct row r) { return r.all & ~(r.down | r.left | r.right); }

/* The row below, after a queen on `column` (a bit) of this one. */
static struct row row_next(struct row r, unsigned column) {
  return (struct row){r.all, r.down | column, (r.left | column) << 1, (r.right | column) >> 1,
                      r.rows_left - 1};
}

static long search_serial(struct row r) {
  long found = r.rows_left == 0;
  for (unsigned free = r.rows_left ? row_free(r) : 0; free; free &= free - 1) {
    found += search_serial(row_next(r, free & -free));
  }
  return found;
}

/* `found` is the calling task's part of the solutions. */
static void search_tasks(struct row r, long cutoff, long *found) {
  if (r.rows_left <= cutoff) {
    *found += search_serial(r);
    return;
  }
  for (unsigned free = row_free(r); free; free &= free - 1) {
    struct row next = row_next(r, free & -free);
#pragma omp task in_reduction(+ : solutions)
    search_tasks(next, cutoff, &solutions);
  }
}

static long count_tasks(struct row top, long cutoff) {
  solutions = 0;
#pragma omp taskgroup task_reduction(+ : solutions)
  {
#pragma omp task in_reduction(+ : solutions)
    search_tasks(top, cutoff, &solutions);
  }
  return solutions;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nqueens",
      .what = "counts the ways to place N queens, a task a queen",
      .size_means = "queens, 1 to 18",
      .iters_means = "searches, one after the other",
      .full = {14, 10},
      .brief = {10, 1},
  };
  long cutoff = 8;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: the last N rows are serial; 0: a task each queen (8)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= MAX_SIZE && k.iters >= 1, "1 to 18 queens");

  struct row top = {.all = (1U << k.size) - 1, .rows_left = k.size};
  long expected = KNOWN[k.size - 1];
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    long wrong = 0;
    double start = kern_now();
    if (serial) {
      for (long i = 0; i < k.iters; i++) {
        top.rows_left = kern_opaque(k.size);
        wrong += search_serial(top) != expected;
      }
    } else {
#pragma omp parallel
#pragma omp single
      for (long i = 0; i < k.iters; i++) {
        wrong += count_tasks(top, cutoff) != expected;
      }
    }
    best = fmin(best, kern_now() - start);
    ok &= kern_check(wrong == 0, "%ld of %ld searches did not find %ld", wrong, k.iters, expected);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, cutoff);
  return kern_report(serial ? "nqueens-serial" : "nqueens", size, best, ok, "%ld", expected);
}
