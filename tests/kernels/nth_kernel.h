/* nth_kernel.h - what the kernels of nano-threads share: variations, processors, a cycle counter
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     the experiments of "Introducing Batches of Threads", section 5, each in three variations:
 *         Equal, a nano-thread a processor with an equal part of the work; Natural, one a unit of
 *         work, created and queued one by one; Batch, the same in batches (8 in the paper).
 * Use     nk_begin() -> nk_spread() any number of times -> nk_end()
 * Linking the functions of nanogomp/nth.h are weak here, so that these programs, too, are linked
 *         with the compiler's own libgomp; on a library without them they say so and end with
 *         status 77.
 */
#ifndef NTH_NTH_KERNEL_H
#define NTH_NTH_KERNEL_H

#include "kernel.h"

#include <nanogomp/nth.h>

#pragma weak nth_init
#pragma weak nth_exit
#pragma weak nth_processors
#pragma weak nth_processor
#pragma weak nth_request
#pragma weak nth_running
#pragma weak nth_self
#pragma weak nth_create
#pragma weak nth_create_ls
#pragma weak nth_depadd
#pragma weak nth_to_lrq
#pragma weak nth_to_lrq_end
#pragma weak nth_block
#pragma weak nth_loop_run
#pragma weak nth_batch_get_desc
#pragma weak nth_batch_create_ls
#pragma weak nth_batch_get_next
#pragma weak nth_batch_to_lrq
#pragma weak nth_batch_to_lrq_end
#pragma weak nth_levels
#pragma weak nth_domain_processors
#pragma weak nth_to_domain
#pragma weak nth_batch_to_domain
#pragma weak nth_measure
#pragma weak nth_found

enum { NK_SKIP = 77 };
enum nk_variation { NK_EQUAL, NK_NATURAL, NK_BATCH, NK_VARIATIONS };
static const char *const nk_names[] = {"equal", "natural", "batch"};

/* --equal, --natural, --batch: only those; --of N: members of a batch. */
struct nk_options {
  bool only[NK_VARIATIONS];
  long of;
};

#define NK_OPTIONS(o)                                                                              \
  {"natural", "only a nano-thread a unit, one by one", NULL, &(o).only[NK_NATURAL]},               \
      {"batch", "only a nano-thread a unit, in batches", NULL, &(o).only[NK_BATCH]}, {             \
    "of", "members of a batch (8)", &(o).of, NULL                                                  \
  }
#define NK_OPTION_EQUAL(o) {"equal", "only a nano-thread a processor", NULL, &(o).only[NK_EQUAL]}

static inline bool nk_wanted(const struct nk_options *o, enum nk_variation v) {
  bool any = false;
  for (int i = 0; i < NK_VARIATIONS; i++) {
    any |= o->only[i];
  }
  return !any || o->only[v];
}

/* As many processors as a region would have threads. */
static inline int nk_begin(void) {
  if (!nth_init) {
    printf("# skipped: this library has no nano-threads\n");
    exit(NK_SKIP);
  }
  int error = nth_init(0);
  if (error) {
    fprintf(stderr, "nth_init: %s\n", strerror(error));
    exit(KERN_USAGE);
  }
  return nth_processors();
}

/* False: something was left. */
static inline bool nk_end(void) {
  return kern_check(nth_exit() == 0, "nth_exit() finds nano-threads that have not ended");
}

/* A nano-thread's function: the units from .. to - 1. */
typedef void nk_body(long from, long to);

static inline void nk_one(int which, nk_body *body, struct nth_desc *me, long from, long to,
                          bool at_end) {
  struct nth_desc *nth = nth_create_ls(body, 0, me, 2, from, to);
  if (at_end) {
    nth_to_lrq_end(which, nth);
  } else {
    nth_to_lrq(which, nth);
  }
}

/* The batch of units from .. to - 1. */
static inline void nk_batch(int which, nk_body *body, struct nth_desc *me, long from, long to,
                            bool at_end) {
  struct nth_desc *last, *first = nth_batch_get_desc(&last, to - from);
  for (struct nth_desc *nth = first; nth; nth = nth_batch_get_next(nth), from++) {
    nth_batch_create_ls(nth, body, 0, me, 2, from, from + 1);
  }
  if (at_end) {
    nth_batch_to_lrq_end(which, first, last);
  } else {
    nth_batch_to_lrq(which, first, last);
  }
}

/* Runs the units 0 .. n - 1 and waits for them, as figures 4 and 5 of the paper do. */
static inline void nk_spread(enum nk_variation v, const struct nk_options *o, long n, bool at_end,
                             nk_body *body) {
  struct nth_desc *me = nth_self();
  int kthreads = nth_processors();
  if (v == NK_EQUAL) {
    nth_depadd(me, kthreads + 1);
    for (int i = 0; i < kthreads; i++) {
      nk_one(i, body, me, n * i / kthreads, n * (i + 1) / kthreads, at_end);
    }
  } else if (v == NK_NATURAL) {
    nth_depadd(me, n + 1);
    for (long i = 0; i < n; i++) {
      nk_one((int)(i % kthreads), body, me, i, i + 1, at_end);
    }
  } else {
    nth_depadd(me, n + 1);
    for (long i = 0; i < n; i += o->of) {
      long to = i + o->of < n ? i + o->of : n;
      nk_batch((int)(i / o->of % kthreads), body, me, i, to, at_end);
    }
  }
  nth_block();
}

/* Processors first .. first + count - 1. */
struct nk_cluster {
  long first, count;
};

/* Cluster `number` of `clusters` that share the processors. */
static inline struct nk_cluster nk_cluster(long number, long clusters) {
  long all = nth_processors(), first = (number * all + clusters - 1) / clusters;
  return (struct nk_cluster){first, ((number + 1) * all + clusters - 1) / clusters - first};
}

/* The level of the domain of processor `which` that is nearest to its cluster of `count`
 * processors, as large at least; -1: this library has no queues of domains. */
static inline int nk_level(long which, long count) {
  int level = 0, levels = nth_levels ? nth_levels((int)which) : 0;
  while (level < levels && nth_domain_processors((int)which, level) < count) {
    level++;
  }
  return level < levels ? level : -1;
}

/* The counter that nth_found() reads. */
static inline uint64_t nk_cycles(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t now;
  __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return 0;
#endif
}

#endif
