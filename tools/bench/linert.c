/* linert.c - linert: round trip of a cache line between two CPUs; uses no OpenMP.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * linert [CPU CPU]     prints `linert NS`; the default is the first two CPUs it may use
 *
 * One thread writes a number into its line, the other answers in its own; a round is one number
 * there and back. It is the floor of any fork and join, and tells in which mode the machine is.
 * Printed is the lower quartile of short batches: lost slices do not count, a slow mode does.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define BATCHES 24
#define ROUNDS 4000u /* some 0.3 ms a batch */

struct line {
  _Alignas(128) uint32_t value; /* 128: two lines, which some CPUs fetch together */
};

static struct line there, back; /* w: main / the other; r: the other one, acquire */
static int failed;              /* w: the other, before its first answer */

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#endif
}

static void put(struct line *line, uint32_t value) {
  __atomic_store_n(&line->value, value, __ATOMIC_RELEASE);
}

static void await(struct line *line, uint32_t value) {
  while (__atomic_load_n(&line->value, __ATOMIC_ACQUIRE) != value)
    relax();
}

static int pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *answer(void *cpu) {
  failed = pin(*(int *)cpu) != 0;
  for (uint32_t i = 1; i <= (BATCHES + 1) * ROUNDS; i++) {
    await(&there, i);
    put(&back, i);
  }
  return NULL;
}

static void ask(double *round_ns) {
  uint32_t number = 0;
  for (int b = -1; b < BATCHES; b++) { /* the first one warms up */
    int64_t start = bench_now();
    for (uint32_t i = 0; i < ROUNDS; i++) {
      put(&there, ++number);
      await(&back, number);
    }
    if (b >= 0)
      round_ns[b] = (double)(bench_now() - start) / ROUNDS;
  }
}

static int choose_cpus(int argc, char **argv, int cpu[2]) {
  cpu_set_t allowed;
  int found = 0;
  if (argc == 3) {
    cpu[0] = atoi(argv[1]);
    cpu[1] = atoi(argv[2]);
    return 2;
  }
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return 0;
  for (int c = 0; c < CPU_SETSIZE && found < 2; c++)
    if (CPU_ISSET((size_t)c, &allowed))
      cpu[found++] = c;
  return found;
}

int main(int argc, char **argv) {
  int cpu[2];
  double round_ns[BATCHES];
  pthread_t other;
  if (choose_cpus(argc, argv, cpu) < 2) {
    fprintf(stderr, "linert: needs two CPUs\n");
    return 1;
  }
  if (pin(cpu[0]) != 0 || pthread_create(&other, NULL, answer, &cpu[1]) != 0) {
    fprintf(stderr, "linert: no thread on CPUs %d and %d\n", cpu[0], cpu[1]);
    return 1;
  }
  ask(round_ns);
  pthread_join(other, NULL);
  if (failed) {
    fprintf(stderr, "linert: CPU %d refused\n", cpu[1]);
    return 1;
  }
  qsort(round_ns, BATCHES, sizeof *round_ns, bench_compare);
  printf("linert %.1f\n", round_ns[BATCHES / 4]);
  return 0;
}
