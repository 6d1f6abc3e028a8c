/* nth_loop6.c - Livermore loop 6, a general linear recurrence, in nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Introducing Batches of Threads", section 5, figure 8. Each w[i] is a sum over all earlier ones:
 *
 *     w[i] = 0.01 + sum over j < i of b[i - j - 1][i] * w[j]
 *
 * Here unit i waits for each w[j] when it comes to it, so that many are under way at once, each a
 * little behind the one before: fine-grained synchronisation, and the later units have more to do.
 * The paper has a modified loop, too, of a reference that is not at hand; ours need not be the
 * same.
 * Units that wait occupy their processor, and which of two nano-threads starts first is nobody's
 * promise. So a nano-thread takes the first unit that has not begun, not one of its own: each waits
 * for such as have begun, and the earliest of them waits for none.
 * b has 64 x 64 numbers that repeat: N x N of them are 450 MB for the paper's N of 7500.
 */
#include "nth_kernel.h"

#include <sched.h>
#include <stdatomic.h>

enum { B = 64 };

static double b[B][B];
static double *w;
static _Atomic(unsigned char) *ready; /* w[i] is there */
static _Atomic(long) begun;           /* units */

static void await(long j) {
  for (unsigned polls = 1; !atomic_load_explicit(&ready[j], memory_order_acquire); polls++) {
    if (polls % 1000 == 0) {
      sched_yield();
    }
  }
}

static double element(const double *from, long i, bool wait) {
  double sum = 0.01;
  for (long j = 0; j < i; j++) {
    if (wait) {
      await(j);
    }
    sum += b[(i - j - 1) % B][i % B] * from[j];
  }
  return sum;
}

static void units(long from, long to) {
  long first = atomic_fetch_add_explicit(&begun, to - from, memory_order_relaxed);
  for (long i = first; i < first + to - from; i++) {
    w[i] = element(w, i, true);
    atomic_store_explicit(&ready[i], 1, memory_order_release);
  }
}

static void fill(long n) {
  uint64_t x = UINT64_C(314159265);
  for (int i = 0; i < B; i++) {
    for (int j = 0; j < B; j++) {
      x = kern_lcg_next(x);
      b[i][j] = kern_lcg_real(x) / (double)n; /* w stays near e / 100 at most */
    }
  }
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_loop6",
      .what = "Livermore loop 6, a linear recurrence: nano-threads that wait for each other",
      .size_means = "elements",
      .iters_means = "times the loop is run",
      .full = {7500, 10},
      .brief = {600, 2},
  };
  struct nk_options o = {.of = 8};
  const struct kern_option extra[] = {NK_OPTION_EQUAL(o), NK_OPTIONS(o), {NULL, NULL, NULL, NULL}};
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1 && o.of >= 1, "a size or count is 0");
  fill(k.size);
  double *serial = kern_doubles(k.size);
  w = kern_doubles(k.size);
  ready = kern_alloc((size_t)k.size, sizeof *ready);
  for (long i = 0; i < k.size; i++) {
    serial[i] = element(serial, i, false);
  }
  int status = KERN_OK;
  for (int v = 0; v < NK_VARIATIONS; v++) {
    if (!nk_wanted(&o, (enum nk_variation)v)) {
      continue;
    }
    double best = INFINITY;
    bool ok = true;
    nk_begin();
    for (long rep = 0; rep < k.reps; rep++) {
      double seconds = 0;
      for (long turn = 0; turn < k.iters; turn++) {
        memset((void *)ready, 0, (size_t)k.size);
        begun = 0;
        memset(w, 0, (size_t)k.size * sizeof *w);
        double start = kern_now();
        nk_spread((enum nk_variation)v, &o, k.size, true, units);
        seconds += kern_now() - start;
        ok = kern_check(memcmp(w, serial, (size_t)k.size * sizeof *w) == 0,
                        "w differs from the serial loop's") &&
             ok;
      }
      best = fmin(best, seconds);
    }
    ok = nk_end() && ok;
    char name[32], size[64];
    snprintf(name, sizeof name, "nth_loop6-%s", nk_names[v]);
    snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, v == NK_BATCH ? o.of : 1);
    status |= kern_report(name, size, best, ok, "%.17g", w[k.size - 1]);
  }
  free(serial);
  free(w);
  free((void *)ready);
  return status;
}
