/* nth_burst.c - fork and join of empty nano-threads: each processor makes a burst, and blocks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  that of burst.c by nano-threads, as the paper has it: a nano-thread on each processor
 *             makes bursts, whose members go to the processors in turn, and blocks until they have
 *             ended. One cluster is Base and Stack_aff; --clusters C is Hier: a burst is as large
 *             as its cluster and stays in it. With --domains it goes as one batch to the queue of
 *             the domain that has the cluster, one cluster to the global queue: the paper's
 *             hierarchical queues. NTH_POOL is the policy of memory, as there.
 * Check       each nano-thread adds a word made of its number: all ran, each once.
 */
#include "nth_kernel.h"

#include "burst.h"

enum { PROCESSORS = 4096 };

/* One a processor. */
static struct burst_slot *slots;

static void note(long number) { burst_note(&slots[nth_processor()], number); }

/* What the makers share: numbers of clusters, and what a nano-thread does. */
struct plan {
  long clusters, work;
  bool noting, domains;
};

static struct nth_desc *make_batch(const struct plan *p, struct nth_desc *me, long from, long count,
                                   struct nth_desc **last) {
  struct nth_desc *first = nth_batch_get_desc(last, count);
  for (struct nth_desc *nth = first; nth; nth = nth_batch_get_next(nth), from++) {
    if (p->noting) {
      nth_batch_create_ls(nth, note, 0, me, 1, from);
    } else {
      nth_batch_create_ls(nth, burst_multiply, 0, me, 1, p->work);
    }
  }
  return first;
}

/* A maker: nano-threads from .. to - 1, in bursts. Each processor has one, as in the paper: a maker
 * that was stolen before it began goes back. `all` waits for the makers. */
static void make(const struct plan *p, long processor, long from, long to, struct nth_desc *all) {
  if (nth_processor() != processor) {
    nth_depadd(all, 1);
    nth_to_lrq((int)processor, nth_create_ls(make, 0, all, 5, p, processor, from, to, all));
    return;
  }
  struct nth_desc *me = nth_self();
  struct nk_cluster c = nk_cluster(processor * p->clusters / nth_processors(), p->clusters);
  int level = p->domains ? nk_level(processor, c.count) : 0;
  for (long i = from; i < to; i += c.count) {
    long count = i + c.count < to ? c.count : to - i;
    nth_depadd(me, count + 1);
    if (p->domains) {
      struct nth_desc *last, *first = make_batch(p, me, i, count, &last);
      nth_batch_to_domain((int)processor, level, first, last);
      nth_block();
      continue;
    }
    for (long n = 0; n < count; n++) {
      struct nth_desc *nth = p->noting ? nth_create_ls(note, 0, me, 1, i + n)
                                       : nth_create_ls(burst_multiply, 0, me, 1, p->work);
      nth_to_lrq((int)(c.first + (processor - c.first + n) % c.count), nth);
    }
    nth_block();
  }
}

static void run(const struct plan *p, long n) {
  struct nth_desc *me = nth_self();
  long all = nth_processors();
  nth_depadd(me, all + 1);
  for (long i = 0; i < all; i++) {
    nth_to_lrq((int)i, nth_create_ls(make, 0, me, 5, p, i, n * i / all, n * (i + 1) / all, me));
  }
  nth_block();
}

/* All nano-threads ran, each once. */
static bool verify(struct plan p, long n, uint64_t *found) {
  slots = burst_slots(PROCESSORS);
  if (!slots) {
    return false;
  }
  p.noting = true;
  run(&p, n);
  return burst_verify(slots, PROCESSORS, n, found);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_burst",
      .what = "bursts of empty nano-threads, each as large as the cluster of its maker",
      .size_means = "nano-threads",
      .iters_means = "unused",
      .full = {1000000, 1},
      .brief = {5000, 1},
  };
  struct plan p = {.clusters = 1};
  const struct kern_option extra[] = {
      {"clusters", "N: clusters of processors (1; at most a processor each)", &p.clusters, NULL},
      {"domains", "a burst is a batch for the queue of its cluster's domain", NULL, &p.domains},
      {"work", "N: floating point multiplications in a nano-thread (0)", &p.work, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  int all = nk_begin();
  p.clusters = p.clusters < 1 ? 1 : p.clusters > all ? all : p.clusters;
  kern_require(&k, !p.domains || nk_level(0, 1) == 0, "a library with queues of domains");
  double best = INFINITY;
  uint64_t sum = 0;
  run(&p, k.size / 10); /* wakes the processors, fills the pools */
  for (long rep = 0; rep < k.reps; rep++) {
    double start = kern_now();
    run(&p, k.size);
    best = fmin(best, kern_now() - start);
  }
  bool ok = verify(p, k.size, &sum);
  ok = nk_end() && ok;
  char name[64], size[64];
  snprintf(name, sizeof name, "nth_burst clusters=%ld%s", p.clusters, p.domains ? " domains" : "");
  snprintf(size, sizeof size, "%ld/%ld", k.size, p.work);
  return kern_report(name, size, best, ok, "%016llx", (unsigned long long)sum);
}
