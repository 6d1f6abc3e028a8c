/* cpuset.h - a set of CPUs of any size
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The C library's cpu_set_t ends at 1024 CPUs and the kernel's masks do not.
 * Use         Words of 64 CPUs, CPU n is bit n % 64 of word n / 64. A set owns its words
 *             (nth_cpuset_free); functions over bare words serve place lists too.
 */
#ifndef NTH_PLACE_CPUSET_H
#define NTH_PLACE_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

struct nth_cpuset {
  uint64_t *word;
  uint32_t words;
};

/* The affinity mask of a thread (0: the caller), with room for every CPU number the kernel has.
 * Words are allocated. */
bool nth_cpuset_affinity(struct nth_cpuset *set, int thread);
/* Binds a thread (0: the caller) to these CPUs. 0 or an errno value. */
int nth_cpus_bind(int thread, const uint64_t *word, uint32_t words);
/* An empty set of that width. */
bool nth_cpuset_make(struct nth_cpuset *set, uint32_t words);
void nth_cpuset_free(struct nth_cpuset *set);

static inline bool nth_cpus_has(const uint64_t *word, uint32_t words, uint64_t cpu) {
  return cpu < (uint64_t)words * 64 && (word[cpu / 64] >> (cpu % 64) & 1) != 0;
}

static inline void nth_cpus_add(uint64_t *word, uint64_t cpu) {
  word[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

uint32_t nth_cpus_count(const uint64_t *word, uint32_t words);

/* The first CPU at or above `from`; words * 64 when there is none. */
uint64_t nth_cpus_next(const uint64_t *word, uint32_t words, uint64_t from);

/* Sets the CPUs of a kernel list such as "0-3,8" that fit; false: not such a list. */
bool nth_cpus_parse(uint64_t *word, uint32_t words, const char *list);

/* "0-3,8" as the kernel and %A write it; with_length: "0:4,8" as places are written. */
void nth_cpus_text(struct nth_text *t, const uint64_t *word, uint32_t words, bool with_length);

#endif
