/* random_locks.h - random programs that use locks: numbers from a seed; a round for each seed
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_TEST_RANDOM_LOCKS_H
#define NTH_TEST_RANDOM_LOCKS_H

#include <omp.h>
#include <stdint.h>

/* The next number of the seed, below n. */
static inline unsigned next_of(uint64_t *s, unsigned n) {
  *s += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = (*s ^ *s >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (unsigned)((z ^ z >> 27) >> 33) % n;
}

/* A round for each of so many seeds, with 1, 2 and 4 members. The locks are free before it. */
static inline void run_rounds(omp_lock_t lock[], int locks, unsigned seeds,
                              void (*round_of)(uint64_t seed, int members)) {
  for (int i = 0; i < locks; i++)
    omp_init_lock(&lock[i]);
  for (uint64_t seed = 1; seed <= seeds; seed++)
    for (int members = 1; members <= 4; members *= 2)
      round_of(seed << 32, members);
  for (int i = 0; i < locks; i++)
    omp_destroy_lock(&lock[i]);
}

#endif
