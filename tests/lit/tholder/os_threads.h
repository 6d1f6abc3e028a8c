/* os_threads.h - which OS threads have been seen: how many, and what for */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef OS_THREADS_H
#define OS_THREADS_H

#include "names.h"

enum { SEEN_MOST = 100000, SEEN_CREATED = 1, SEEN_MEMBER = 2 };

/* By the kernel's number: its lowest bits lead to a place, and collisions to the next ones. */
static struct {
  int tid, kinds;
} seen[SEEN_MOST];

/* Notes that the calling OS thread does this. */
static inline void saw(int kind) {
  int tid = gettid(); /* syscall() could change what a thread is: then none is held */
  for (unsigned i = (unsigned)tid % SEEN_MOST;; i = (i + 1) % SEEN_MOST) {
    int there = 0;
    if (__atomic_compare_exchange_n(&seen[i].tid, &there, tid, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        there == tid) {
      __atomic_fetch_or(&seen[i].kinds, kind, __ATOMIC_RELAXED);
      return;
    }
  }
}

/* The OS threads that have done all of that so far. */
static inline long seen_doing(int kinds) {
  long n = 0;
  for (unsigned i = 0; i < SEEN_MOST; i++)
    n += __atomic_load_n(&seen[i].tid, __ATOMIC_RELAXED) != 0 &&
         (__atomic_load_n(&seen[i].kinds, __ATOMIC_RELAXED) & kinds) == kinds;
  return n;
}

#endif
