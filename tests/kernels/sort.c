/* sort.c - merge sort with a parallel merge: tasks that move memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       two for the halves and a taskwait; then a taskgroup for the merge. A merge is cut at
 *             the middle of its longer run and the place of that entry in the other one: two
 *             tasks, which nobody waits for but the group.
 * Cut-off     halves and merges of up to N entries are serial.
 * Check       an entry is its key and its first position, and only keys are compared. The result
 *             is right if the whole words rise strictly (keys in order, equal ones in their first
 *             order) and each is the entry that was at its position: then none is lost or doubled.
 */
#include "kernel.h"

enum { POSITION_BITS = 32, INSERTION = 16, EQUAL_KEYS = 4 }; /* each key about four times */

typedef uint64_t entry; /* key << POSITION_BITS | position */

static uint64_t key_of(entry e) { return e >> POSITION_BITS; }

/* ---- serial ---- */

static void insertion_sort(entry *at, long n) {
  for (long i = 1; i < n; i++) {
    entry moved = at[i];
    long j = i;
    for (; j > 0 && key_of(at[j - 1]) > key_of(moved); j--) {
      at[j] = at[j - 1];
    }
    at[j] = moved;
  }
}

/* Of equal keys those of `a` come first. */
static void merge_serial(const entry *a, long na, const entry *b, long nb, entry *to) {
  long i = 0, j = 0;
  while (i < na && j < nb) {
    *to++ = key_of(b[j]) < key_of(a[i]) ? b[j++] : a[i++];
  }
  memcpy(to, a + i, (size_t)(na - i) * sizeof *to);
  memcpy(to + (na - i), b + j, (size_t)(nb - j) * sizeof *to);
}

/* Sorts `to`; `from` has the same entries in the same order, and is spoilt. */
static void sort_serial(entry *from, entry *to, long n) {
  if (n <= INSERTION) {
    insertion_sort(to, n);
    return;
  }
  long half = n / 2;
  sort_serial(to, from, half);
  sort_serial(to + half, from + half, n - half);
  merge_serial(from, half, from + half, n - half, to);
}

/* ---- tasks ---- */

/* How many entries of the run come before one with this key; with `ties` equal ones do. */
static long entries_before(const entry *run, long n, uint64_t key, bool ties) {
  long low = 0, high = n;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (key_of(run[middle]) < key || (ties && key_of(run[middle]) == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void merge_tasks(const entry *a, long na, const entry *b, long nb, entry *to, long cutoff) {
  if (na + nb <= 2 || na + nb <= cutoff) {
    merge_serial(a, na, b, nb, to);
    return;
  }
  bool by_a = na >= nb;
  long i = by_a ? na / 2 : entries_before(a, na, key_of(b[nb / 2]), true);
  long j = by_a ? entries_before(b, nb, key_of(a[na / 2]), false) : nb / 2;
#pragma omp task
  merge_tasks(a, i, b, j, to, cutoff);
#pragma omp task
  merge_tasks(a + i, na - i, b + j, nb - j, to + i + j, cutoff);
}

static void sort_tasks(entry *from, entry *to, long n, long cutoff) {
  if (n <= 1 || n <= cutoff) {
    sort_serial(from, to, n);
    return;
  }
  long half = n / 2;
#pragma omp task
  sort_tasks(to, from, half, cutoff);
#pragma omp task
  sort_tasks(to + half, from + half, n - half, cutoff);
#pragma omp taskwait
#pragma omp taskgroup
  merge_tasks(from, half, from + half, n - half, to, cutoff);
}

/* ---- the rest is serial ---- */

static void fill(entry *first, long n, long seed) {
  uint64_t state = 2 * (uint64_t)seed + 314159265;
  for (long i = 0; i < n; i++) {
    state = kern_lcg_next(state);
    first[i] = (state >> 14) % (uint64_t)(n / EQUAL_KEYS + 1) << POSITION_BITS | (uint64_t)i;
  }
}

static bool verify(const entry *first, const entry *sorted, long n) {
  const entry position = (UINT64_C(1) << POSITION_BITS) - 1;
  long wrong = 0;
  for (long i = 0; i < n; i++) {
    entry where = sorted[i] & position;
    wrong +=
        (i > 0 && sorted[i] <= sorted[i - 1]) || where >= (entry)n || first[where] != sorted[i];
  }
  return kern_check(wrong == 0, "%ld of %ld entries are out of order or not in the input", wrong,
                    n);
}

static uint64_t checksum(const entry *sorted, long n) {
  uint64_t sum = 0;
  for (long i = 0; i < n; i++) {
    sum = sum * 31 + sorted[i];
  }
  return sum;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "sort",
      .what = "merge sort with a parallel merge",
      .size_means = "entries, less than 2^32",
      .iters_means = "arrays, one after the other",
      .full = {4000000, 8},
      .brief = {10000, 2},
  };
  long cutoff = 2000;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: up to N entries are serial; 0: tasks down to one (2000)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size >> POSITION_BITS == 0 && k.iters >= 1,
               "the size is 1 to 2^32 - 1");

  entry *first = kern_alloc((size_t)k.size, sizeof *first);
  entry *from = kern_alloc((size_t)k.size, sizeof *from);
  entry *to = kern_alloc((size_t)k.size, sizeof *to);
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    for (long i = 0; i < k.iters; i++) {
      fill(first, k.size, i);
      memcpy(from, first, (size_t)k.size * sizeof *from);
      memcpy(to, first, (size_t)k.size * sizeof *to);
      double start = kern_now();
      if (serial) {
        sort_serial(from, to, k.size);
      } else {
#pragma omp parallel
#pragma omp single
        sort_tasks(from, to, k.size, cutoff);
      }
      seconds += kern_now() - start;
      ok &= verify(first, to, k.size);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, cutoff);
  return kern_report(serial ? "sort-serial" : "sort", size, best, ok, "%016lx",
                     checksum(to, k.size));
}
