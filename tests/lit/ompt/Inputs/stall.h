/* stall.h - a lock that threads wait for too long, and who leaves it at last */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef STALL_H
#define STALL_H

#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

static omp_lock_t lock;
static atomic_int stuck; /* the hang begins */

/* Sleeps for 3 s in short naps, which a stop of the whole machine does not shorten. */
static inline void sleep_long(void) {
  for (int i = 0; i < 300; i++)
    usleep(10000);
}

/* Ends the hang after a while, as no OpenMP thread can. */
static inline void *unlock_later(void *arg) {
  while (!stuck)
    usleep(1000);
  sleep_long();
  omp_unset_lock(&lock);
  return arg;
}

/* Two threads: the lock is held over a barrier. */
static inline void over_a_barrier(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      omp_set_lock(&lock);
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      stuck = 1;
      omp_set_lock(&lock);
    }
#pragma omp barrier
  }
}

#endif
