/* th_msort.c - merge sort by threads: level by level, or two threads for the halves
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Parallel Merge Sort.
 *
 * iterative   sorted runs become twice as long in each level: adjacent ones are merged into a
 *             buffer that is there from the beginning. A set of threads is created for each level
 *             and shares out its pairs of runs.
 * recursive   a thread with more than --cutoff entries creates two threads for the two halves,
 *             joins them and merges, down to --depth levels; `full` is down to the cut-off. With
 *             `--depth full --cutoff 1` there are two threads for each entry. A half whose thread
 *             the system refuses is sorted by the thread that asked.
 * Cut-off     up to so many entries are sorted by insertion.
 * Check       an entry is its key and its first position, and only keys are compared. The result
 *             is right if the whole words rise strictly (keys in order, equal ones in their first
 *             order) and each is the entry that was at its position: then none is lost or doubled.
 */
#include "th_threads.h"

enum { POSITION_BITS = 32, EQUAL_KEYS = 4 }; /* each key about four times */

typedef uint64_t entry; /* key << POSITION_BITS | position */

static uint64_t key_of(entry e) { return e >> POSITION_BITS; }

static long cutoff = 32;
static long refused; /* threads */

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

/* Merges the run of n entries with the one of m entries behind it; equal ones keep their order. */
static void merge(const entry *a, long n, long m, entry *to) {
  const entry *b = a + n;
  long i = 0, j = 0;
  while (i < n && j < m) {
    *to++ = key_of(b[j]) < key_of(a[i]) ? b[j++] : a[i++];
  }
  memcpy(to, a + i, (size_t)(n - i) * sizeof *to);
  memcpy(to + (n - i), b + j, (size_t)(m - j) * sizeof *to);
}

/* ---- iterative: a set of threads a level ---- */

struct level {
  entry *from, *to;
  long n, run; /* entries in all and in each sorted run of `from`; 0: none is sorted */
};

static long smaller(long a, long b) { return a < b ? a : b; }

/* Runs of a level that become one, or are made by insertion. */
static long step_of(const struct level *l) { return l->run == 0 ? cutoff : 2 * l->run; }

static void *merge_level(void *argument) {
  const struct th_part *p = argument;
  const struct level *l = p->shared;
  long step = step_of(l), steps = (l->n + step - 1) / step, end = th_end(p, steps);
  for (long i = th_first(p, steps); i < end; i++) {
    long at = i * step, all = smaller(step, l->n - at);
    if (l->run == 0) {
      insertion_sort(l->from + at, all);
    } else {
      long first = smaller(l->run, all);
      merge(l->from + at, first, all - first, l->to + at);
    }
  }
  return NULL;
}

/* Returns which of the two has the sorted entries. */
static entry *sort_iterative(entry *from, entry *to, long n, long threads, struct th_part *parts) {
  struct level l = {from, to, n, 0};
  while (l.run < n) {
    long step = step_of(&l);
    th_all(smaller(threads, (n + step - 1) / step), parts, merge_level, &l);
    if (l.run != 0) {
      entry *swap = l.from;
      l.from = l.to;
      l.to = swap;
    }
    l.run = step;
  }
  return l.from;
}

/* ---- recursive: two threads for the halves ---- */

/* Sorts `to`; `from` has the same entries in the same order, and is spoilt. */
struct half {
  entry *from, *to;
  long n, depth; /* further levels of threads */
};

static void sort_recursive(const struct half *whole);

static void *sort_half(void *argument) {
  sort_recursive(argument);
  return NULL;
}

static void sort_recursive(const struct half *whole) {
  if (whole->n <= cutoff) {
    insertion_sort(whole->to, whole->n);
    return;
  }
  long n = whole->n / 2, depth = whole->depth - 1;
  struct half halves[2] = {{whole->to, whole->from, n, depth},
                           {whole->to + n, whole->from + n, whole->n - n, depth}};
  thr_t thread[2];
  bool created[2] = {false, false};
  for (int i = 0; i < 2 && whole->depth > 0; i++) {
    int error = thr_create(&thread[i], NULL, sort_half, &halves[i]);
    created[i] = error == 0;
    th_must(error == EAGAIN ? 0 : error, "create");
    if (error) {
      __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
    }
  }
  for (int i = 0; i < 2; i++) {
    if (!created[i]) {
      sort_recursive(&halves[i]);
    }
  }
  for (int i = 0; i < 2; i++) {
    if (created[i]) {
      th_must(thr_join(thread[i], NULL), "join");
    }
  }
  merge(whole->from, n, whole->n - n, whole->to);
}

/* ---- options, check ---- */

/* The fewest levels with as many threads at the lowest as asked for. */
static long depth_for(long threads) {
  long depth = 0;
  while (1L << depth < threads) {
    depth++;
  }
  return depth;
}

static long depth_of(const char *word, long threads) {
  long depth = depth_for(threads);
  if (word && strcmp(word, "full") == 0) {
    depth = LONG_MAX;
  } else if (word && !kern_number(word, &depth)) {
    fprintf(stderr, "th_msort: --depth wants a number or `full`\n");
    exit(KERN_USAGE);
  }
  return depth;
}

static entry made(long i, long turn, long n) {
  uint64_t key = kern_hash((uint64_t)(turn * n + i)) % (uint64_t)(n / EQUAL_KEYS + 1);
  return key << POSITION_BITS | (uint64_t)i;
}

static bool verify(const entry *e, long n, long turn, uint64_t *value) {
  long falls = 0, changed = 0;
  for (long i = 0; i < n; i++) {
    long position = (long)(e[i] & UINT32_MAX);
    falls += i > 0 && e[i - 1] >= e[i];
    changed += position >= n || e[i] != made(position, turn, n);
    *value = *value * 31 + e[i];
  }
  bool ok = kern_check(falls == 0, "%ld entries of %ld are out of order", falls, n);
  return kern_check(changed == 0, "%ld entries of %ld are not the first ones", changed, n) && ok;
}

static int form(const struct kernel *k, bool iterative, long threads, long depth) {
  long n = k->size;
  entry *a = kern_alloc((size_t)n, sizeof *a), *b = kern_alloc((size_t)n, sizeof *b);
  struct th_part *parts = th_parts(threads);
  double best = INFINITY;
  bool ok = true;
  uint64_t value = 0;
  for (long rep = 0; rep < k->reps; rep++) {
    double seconds = 0;
    value = 0;
    for (long turn = 0; turn < k->iters; turn++) {
      for (long i = 0; i < n; i++) {
        a[i] = b[i] = made(i, turn, n);
      }
      entry *sorted = a;
      double start = kern_now();
      if (iterative) {
        sorted = sort_iterative(a, b, n, threads, parts);
      } else {
        sort_recursive(&(struct half){b, a, n, depth});
      }
      seconds += kern_now() - start;
      ok &= verify(sorted, n, turn, &value);
    }
    best = fmin(best, seconds);
  }
  free(parts);
  free(b);
  free(a);
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", n, k->iters, cutoff);
  if (refused > 0) {
    printf("# %ld threads were refused\n", refused);
  }
  return th_report(iterative ? "th_msort-iterative" : "th_msort-recursive", threads, size, best, ok,
                   "%016llx", (unsigned long long)value);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_msort",
      .what = "merge sort: threads for each level, or two for the halves",
      .size_means = "entries",
      .iters_means = "sorts, one after the other",
      .full = {4000000, 3},
      .brief = {20000, 2},
  };
  long threads = 0;
  const struct kern_option extra[] = {
      TH_OPTION_THREADS(&threads),
      {"cutoff", "N: up to so many entries are sorted by insertion (32)", &cutoff, NULL},
      {"form", "iterative|recursive: only this form", NULL, NULL},
      {"depth", "N|full: levels of threads of the recursive form (log2 of the threads)", NULL,
       NULL},
      {NULL, NULL, NULL, NULL},
  };
  const char *only = th_word("form", &argc, argv), *depth = th_word("depth", &argc, argv);
  th_options(&k, extra, &threads, argc, argv);
  bool iterative = !only || strcmp(only, "iterative") == 0;
  bool recursive = !only || strcmp(only, "recursive") == 0;
  kern_require(&k, iterative || recursive, "--form wants iterative or recursive");
  kern_require(&k, k.size >= 1 && k.iters >= 1, "a size is 0");
  kern_require(&k, k.size <= UINT32_MAX, "at most 2^32 - 1 entries");
  kern_require(&k, cutoff >= 1, "the cut-off is 1 at least");
  int status = KERN_OK;
  if (iterative) {
    status |= form(&k, true, threads, 0);
  }
  if (recursive) {
    status |= form(&k, false, threads, depth_of(depth, threads));
  }
  return status;
}
