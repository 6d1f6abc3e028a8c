/* th_radix.c - radix sort by threads that live for one digit
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Parallel Radix Sort. From the lowest digit to the
 * highest: a set of threads is created, each counts the digits of its part of the keys, all meet at
 * a barrier, each finds from all counts where its keys go and moves them there; they are joined.
 * The barrier needs threads that all run at the same time, as POSIX threads do.
 *
 * Check   the keys rise; their number and the sum of a hash of each are those of the unsorted ones,
 *         so none is lost, doubled or changed.
 */
#include "th_threads.h"

enum { KEY_BITS = 32, MAX_DIGIT_BITS = 16 };

struct sort {
  uint32_t *from, *to;
  long n;
  unsigned shift, digits; /* of the current digit: its lowest bit, how many values it has */
  long *counts;           /* of each thread and value; in the end, where the next such key goes */
  pthread_barrier_t counted;
};

static unsigned digit_of(const struct sort *s, uint32_t key) {
  return key >> s->shift & (s->digits - 1);
}

/* Where the first key with each digit goes that thread `number` has: behind all smaller digits,
 * and behind the keys with this digit of the threads before it. */
static void place(const struct sort *s, long number, long threads, long *next) {
  long sum = 0;
  for (unsigned d = 0; d < s->digits; d++) {
    for (long t = 0; t < threads; t++) {
      if (t == number) {
        next[d] = sum;
      }
      sum += s->counts[t * s->digits + d];
    }
  }
}

static void *pass(void *argument) {
  const struct th_part *p = argument;
  struct sort *s = p->shared;
  long *own = s->counts + p->number * s->digits, end = th_end(p, s->n);
  memset(own, 0, s->digits * sizeof *own);
  for (long i = th_first(p, s->n); i < end; i++) {
    own[digit_of(s, s->from[i])]++;
  }
  pthread_barrier_wait(&s->counted);
  long next[s->digits];
  place(s, p->number, p->threads, next);
  for (long i = th_first(p, s->n); i < end; i++) {
    uint32_t key = s->from[i];
    s->to[next[digit_of(s, key)]++] = key;
  }
  return NULL;
}

/* Sorts from s->from; the result is there again. */
static void sort(struct sort *s, unsigned bits, long threads, struct th_part *parts) {
  for (s->shift = 0; s->shift < KEY_BITS; s->shift += bits) {
    unsigned left = KEY_BITS - s->shift;
    s->digits = 1U << (bits < left ? bits : left);
    th_all(threads, parts, pass, s);
    uint32_t *swap = s->from;
    s->from = s->to;
    s->to = swap;
  }
}

/* ---- the rest is serial ---- */

static uint64_t fill(struct sort *s, long turn) {
  uint64_t sum = 0;
  for (long i = 0; i < s->n; i++) {
    s->from[i] = (uint32_t)kern_hash((uint64_t)(turn * s->n + i));
    sum += kern_hash(s->from[i]);
  }
  return sum;
}

static bool verify(const struct sort *s, uint64_t expected, uint64_t *value) {
  long falls = 0;
  uint64_t sum = 0;
  for (long i = 0; i < s->n; i++) {
    falls += i > 0 && s->from[i - 1] > s->from[i];
    sum += kern_hash(s->from[i]);
    *value = *value * 31 + s->from[i];
  }
  bool ok = kern_check(falls == 0, "%ld keys are smaller than the one before", falls);
  return kern_check(sum == expected, "the keys are not those that were to be sorted") && ok;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_radix",
      .what = "radix sort, a set of threads for each digit",
      .size_means = "keys",
      .iters_means = "sorts, one after the other",
      .full = {10000000, 12},
      .brief = {50000, 2},
  };
  long threads = 0, bits = 8;
  const struct kern_option extra[] = {
      TH_OPTION_THREADS(&threads),
      {"digit", "N: bits of a digit (8)", &bits, NULL},
      {NULL, NULL, NULL, NULL},
  };
  th_options(&k, extra, &threads, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1, "a size is 0");
  kern_require(&k, bits >= 1 && bits <= MAX_DIGIT_BITS, "a digit has 1 to 16 bits");

  struct sort s = {.n = k.size};
  s.from = kern_alloc((size_t)k.size, sizeof *s.from);
  s.to = kern_alloc((size_t)k.size, sizeof *s.to);
  s.counts = kern_alloc((size_t)threads << bits, sizeof *s.counts);
  th_must(pthread_barrier_init(&s.counted, NULL, (unsigned)threads), "barrier");
  struct th_part *parts = th_parts(threads);
  bool ok = true;
  double best = INFINITY;
  uint64_t value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    value = 0;
    for (long i = 0; i < k.iters; i++) {
      uint64_t expected = fill(&s, i);
      double start = kern_now();
      sort(&s, (unsigned)bits, threads, parts);
      seconds += kern_now() - start;
      ok &= verify(&s, expected, &value);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, bits);
  return th_report("th_radix", threads, size, best, ok, "%016llx", (unsigned long long)value);
}
