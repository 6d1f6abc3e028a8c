/* fib.c - Fibonacci numbers by recursion: the cost of tasks that do nothing else
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       two a call and a taskwait for them. The least work of all kernels under the deepest
 *             nest of waits.
 * Cut-off     fib(N) and what is below it is serial.
 * Check       the number by fast doubling. A call is a sum of two others down to 0 and 1, so one
 *             that is left out, done twice or not waited for shows.
 */
#include "kernel.h"

enum { MAX_SIZE = 90 }; /* fits a long */

static long fib_serial(long n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

static long fib_tasks(long n, long cutoff) {
  long one = 0, two = 0;
  if (n < 2 || n <= cutoff) {
    return fib_serial(n);
  }
#pragma omp task shared(one)
  one = fib_tasks(n - 1, cutoff);
#pragma omp task shared(two)
  two = fib_tasks(n - 2, cutoff);
#pragma omp taskwait
  return one + two;
}

/* F(2m) = F(m) (2 F(m + 1) - F(m)), F(2m + 1) = F(m)^2 + F(m + 1)^2, from n's highest bit down. */
static long fib_doubling(long n) {
  unsigned long now = 0, next = 1;
  for (int bit = 7; bit >= 0; bit--) {
    unsigned long even = now * (2 * next - now), odd = now * now + next * next;
    bool one = n >> bit & 1;
    now = one ? odd : even;
    next = one ? even + odd : odd;
  }
  return (long)now;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "fib",
      .what = "Fibonacci numbers by recursion, two tasks a call",
      .size_means = "the number's index, at most 90",
      .iters_means = "numbers, one after the other",
      .full = {44, 2},
      .brief = {22, 2},
  };
  long cutoff = 15;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: fib(N) and below is serial; 0: a task each call (15)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size <= MAX_SIZE && k.iters >= 1, "the index is 90 at most");

  kern_warm(serial);
  long expected = fib_doubling(k.size);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    long wrong = 0;
    double start = kern_now();
    if (serial) {
      for (long i = 0; i < k.iters; i++) {
        wrong += fib_serial(kern_opaque(k.size)) != expected;
      }
    } else {
#pragma omp parallel
#pragma omp single
      for (long i = 0; i < k.iters; i++) {
        wrong += fib_tasks(k.size, cutoff) != expected;
      }
    }
    best = fmin(best, kern_now() - start);
    ok &= kern_check(wrong == 0, "%ld of %ld numbers are not %ld", wrong, k.iters, expected);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, cutoff);
  return kern_report(serial ? "fib-serial" : "fib", size, best, ok, "%ld", expected);
}
