/* facts.h - what the watched program knows of itself, and writes for the debugger to compare
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FACTS_H
#define FACTS_H

#include <stdint.h>

/* The threads that write facts. PLAIN: a thread that the program made; it is alone at level 0. */
enum { LOCKED, TASKS, BARRIER, HOLDS, PLAIN, THREADS };
enum { LEVELS = 4 };

struct fact {
  uint64_t thread, pthread; /* the OS thread's number; pthread_self() */
  int level, active_level;
  struct {
    int num, size;
  } at[LEVELS]; /* the thread's ancestors, itself at its level */
  int max_threads, dynamic, max_active_levels, sched_kind, sched_chunk, thread_limit, bind, procs;
  uint64_t inside; /* an address in the function of the current task */
  uint64_t frame;  /* of that function */
  uint64_t lock;
};

#endif
