/* pieces.c - work in pieces of one size, and how much of it the machine does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "pieces.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "bench.h"

enum { PIECE_US = 100, RATE_US = 250000 };

long bench_piece;
static atomic_bool stop;

void bench_calibrate_piece(void) { bench_piece = (long)(PIECE_US * bench_turns_per_us()); }

static void *burn(void *count) {
  long n = 0;
  for (; !atomic_load_explicit(&stop, memory_order_relaxed); n++)
    bench_work(bench_piece);
  *(long *)count = n;
  return 0;
}

double bench_rate(int cpus) {
  static long count[CPU_SETSIZE];
  static pthread_t thread[CPU_SETSIZE];
  atomic_store(&stop, false);
  int64_t start = bench_now();
  for (int i = 0; i < cpus; i++)
    pthread_create(&thread[i], 0, burn, &count[i]);
  usleep(RATE_US);
  atomic_store(&stop, true);
  long sum = 0;
  for (int i = 0; i < cpus; i++) {
    pthread_join(thread[i], 0);
    sum += count[i];
  }
  return (double)sum / (double)(bench_now() - start);
}
