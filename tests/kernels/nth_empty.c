/* nth_empty.c - the benchmark Empty: nano-threads that do nothing
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Introducing Batches of Threads", section 5, figures 7, 10 and 11. The master creates a million
 * empty nano-threads, one by one or in batches, and then waits with the other processors.
 *
 * A first run, whose time is printed apart, gets the descriptors' memory from the system, a page
 * fault for each 32: the allocation of equation 6. The time is that of a later run, which finds
 * them in the pools.
 *
 * The table of cycles is from a further run, in which a time stamp is taken before and after each
 * step:
 *   create    of one nano-thread, with the search for its descriptor
 *   enqueue   into the ready queue; both by the master
 *   lookup    from one nano-thread's end until the next one has been found (nth_found)
 *   start     from there to its first instruction
 * each per nano-thread, without the cost of the stamps, in steps of the counter that nth_found()
 * reads, of which a nanosecond has as many as printed. A processor that waits for work would count
 * that as lookup; so what took more than WAITED cycles is left out, and its share printed.
 */
#include "nth_kernel.h"

enum { WAITED = 3000, PROCESSORS = 4096 };

/* What a processor has seen, on lines of its own. */
struct seen {
  _Alignas(128) uint64_t ended; /* when the last one ended */
  uint64_t lookup, start;       /* cycles */
  long lookups, ran, waited;
};
static struct seen *seen;

struct costs {
  double create, enqueue, lookup, start, waited, ghz;
};

static void empty(void) {}

static void measured(void) {
  uint64_t now = nk_cycles();
  struct seen *s = &seen[nth_processor()];
  uint64_t found = nth_found();
  s->ran++;
  s->start += now - found;
  if (s->ended != 0 && found - s->ended <= WAITED) {
    s->lookup += found - s->ended;
    s->lookups++;
  } else {
    s->waited++;
  }
  s->ended = nk_cycles();
}

/* Cycles between two stamps with nothing in between, the least of many. */
static uint64_t stamp_cost(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; i++) {
    uint64_t from = nk_cycles(), took = nk_cycles() - from;
    least = took < least ? took : least;
  }
  return least;
}

/* n nano-threads in batches of `of`; 0: one by one. cycles NULL: without stamps. */
static void run(long n, long of, void (*f)(void), uint64_t cycles[2]) {
  struct nth_desc *me = nth_self(), *first, *last;
  int kthreads = nth_processors();
  uint64_t t[3] = {0};
  nth_depadd(me, n + 1);
  for (long i = 0, turn = 0; i < n; turn++) {
    long size = of == 0 ? 1 : i + of < n ? of : n - i;
    t[0] = cycles ? nk_cycles() : 0;
    if (of == 0) {
      first = last = nth_create_ls(f, 0, me, 0);
    } else {
      first = nth_batch_get_desc(&last, size);
      for (struct nth_desc *nth = first; nth; nth = nth_batch_get_next(nth)) {
        nth_batch_create_ls(nth, f, 0, me, 0);
      }
    }
    t[1] = cycles ? nk_cycles() : 0;
    if (of == 0) {
      nth_to_lrq((int)(turn % kthreads), first);
    } else {
      nth_batch_to_lrq((int)(turn % kthreads), first, last);
    }
    t[2] = cycles ? nk_cycles() : 0;
    if (cycles) {
      cycles[0] += t[1] - t[0];
      cycles[1] += t[2] - t[1];
    }
    i += size;
  }
  nth_block();
}

/* A run with stamps; returns how many nano-threads ran. */
static long measure(long n, long of, int kthreads, struct costs *c) {
  uint64_t cycles[2] = {0}, stamp = stamp_cost();
  double steps = of ? (double)((n + of - 1) / of) : (double)n, all = (double)n;
  memset(seen, 0, (size_t)kthreads * sizeof *seen);
  nth_measure(1);
  double begin = kern_now();
  uint64_t from = nk_cycles();
  run(n, of, measured, cycles);
  c->ghz = (double)(nk_cycles() - from) / (kern_now() - begin) / 1e9;
  nth_measure(0);
  struct seen sum = {0};
  for (int i = 0; i < kthreads; i++) {
    sum.lookup += seen[i].lookup;
    sum.lookups += seen[i].lookups;
    sum.start += seen[i].start;
    sum.ran += seen[i].ran;
    sum.waited += seen[i].waited;
  }
  c->create = ((double)cycles[0] - steps * (double)stamp) / all;
  c->enqueue = ((double)cycles[1] - steps * (double)stamp) / all;
  c->lookup = sum.lookups ? (double)sum.lookup / (double)sum.lookups - (double)stamp : 0;
  c->start = (double)sum.start / all - (double)stamp;
  c->waited = 100 * (double)sum.waited / all;
  return sum.ran;
}

static int variation(const struct kernel *k, enum nk_variation v, long of) {
  double best = INFINITY;
  struct costs c;
  int kthreads = nk_begin();
  double begin = kern_now();
  run(k->size, of, empty, NULL);
  printf("# %s first run: %.6f s\n", nk_names[v], kern_now() - begin);
  for (long rep = 0; rep < k->reps; rep++) {
    double start = kern_now();
    run(k->size, of, empty, NULL);
    best = fmin(best, kern_now() - start);
  }
  long ran = measure(k->size, of, kthreads, &c);
  bool ok = kern_check(ran == k->size, "%ld nano-threads ran of %ld", ran, k->size);
  ok = nk_end() && ok;
  if (v == NK_BATCH || of == 0) {
    printf("# %-8s cycles: create %.1f enqueue %.1f lookup %.1f start %.1f (waited %.1f %%, "
           "%.3f in a ns)\n",
           nk_names[v], c.create, c.enqueue, c.lookup, c.start, c.waited, c.ghz);
  }
  char name[32];
  snprintf(name, sizeof name, "nth_empty-%s", nk_names[v]);
  char size[64];
  snprintf(size, sizeof size, "%ld/%ld", k->size, of ? of : 1);
  return kern_report(name, size, best, ok, "%ld", ran);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_empty",
      .what = "empty nano-threads: the cost of create, enqueue, lookup and start",
      .size_means = "nano-threads",
      .iters_means = "unused",
      .full = {1000000, 1},
      .brief = {20000, 1},
  };
  struct nk_options o = {.of = 8};
  const struct kern_option extra[] = {NK_OPTIONS(o), {NULL, NULL, NULL, NULL}};
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && o.of >= 1, "a size is 0");
  seen = aligned_alloc(128, PROCESSORS * sizeof *seen);
  kern_require(&k, seen != NULL, "no memory");
  int status = KERN_OK;
  if (nk_wanted(&o, NK_NATURAL)) {
    status |= variation(&k, NK_NATURAL, 0);
  }
  if (nk_wanted(&o, NK_BATCH)) {
    status |= variation(&k, NK_BATCH, o.of);
  }
  free(seen);
  return status;
}
