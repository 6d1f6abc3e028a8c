/* cpuset.h - a set of CPUs of any size
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The C library's cpu_set_t ends at 1024 CPUs; the kernel's masks do not.
 * Use         A set is an array of words of 64 CPUs: CPU n is bit n % 64 of word n / 64. A struct
 *             nth_cpuset owns its words (nth_cpuset_free). Functions named nth_cpus_ take bare
 *             words, so place lists use them too.
 */
#ifndef NTH_PLACE_CPUSET_H
#define NTH_PLACE_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

/* CPU numbers that a small set has. */
#define NTH_CPUS_FEW 1024u

struct nth_cpuset {
  uint64_t *word;
  uint32_t words;
};

/* The affinity mask of a thread (0: the caller), in new words with room for every CPU number that
 * the kernel has. */
bool nth_cpuset_affinity(struct nth_cpuset *set, int thread);
/* How many CPUs that mask has; 0: not known. With up to NTH_CPUS_FEW CPU numbers it takes no memory
 * of the heap, so a signal handler may ask. */
uint32_t nth_cpuset_affinity_count(int thread);
/* Binds a thread (0: the caller) to these CPUs. Returns 0 or an errno value. */
int nth_cpus_bind(int thread, const uint64_t *word, uint32_t words);
/* Makes an empty set of that width. */
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

/* Adds the CPUs of a kernel list such as "0-3,8", as far as they fit. False: not such a list. */
bool nth_cpus_parse(uint64_t *word, uint32_t words, const char *list);

/* Writes "0-3,8" as the kernel and %A do; with_length: "0:4,8" as OMP_PLACES has it. */
void nth_cpus_text(struct nth_text *t, const uint64_t *word, uint32_t words, bool with_length);

#endif
