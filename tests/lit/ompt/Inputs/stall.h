/* stall.h - a hang of two threads: a lock held over a barrier */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef STALL_H
#define STALL_H

#include <omp.h>
#include <stdatomic.h>

static omp_lock_t lock;
static atomic_int stuck; /* the hang begins */

static void over_a_barrier(void) {
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
