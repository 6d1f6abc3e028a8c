/* place_parse.h - the grammars of OMP_PLACES and GOMP_CPU_AFFINITY
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The parsers have no state and print nothing, so a fuzzer can feed them any bytes.
 * Use         OMP_PLACES is either an abstract name, which only says what to look up later, or a
 *             list, which becomes CPU sets at once. Every fault has a code, from which the caller
 *             prints what libgomp prints.
 */
#ifndef NTH_PLACE_PLACE_PARSE_H
#define NTH_PLACE_PLACE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/place/cpus/cpuset.h"

/* A list of CPU sets of equal width. */
struct nth_places {
  uint32_t count, words; /* words of 64 CPUs a place */
  uint64_t bits[];       /* place i starts at i * words */
};

static inline const uint64_t *nth_places_set(const struct nth_places *p, uint32_t i) {
  return p->bits + (size_t)i * p->words;
}

enum nth_place_kind {
  NTH_PLACES_NONE,
  NTH_PLACES_LIST,
  NTH_PLACES_THREADS,
  NTH_PLACES_CORES,
  NTH_PLACES_SOCKETS,
  NTH_PLACES_LL_CACHES,
  NTH_PLACES_NUMA_DOMAINS
};

enum nth_place_fault {
  NTH_PLACE_OK,
  NTH_PLACE_SYNTAX,
  NTH_PLACE_OUT_OF_RANGE,       /* cpu is beyond the kernel's masks */
  NTH_PLACE_SHIFT_OUT_OF_RANGE, /* cpu + stride is beyond them */
  NTH_PLACE_NOT_IN_SET,         /* !cpu, but the place has no such CPU */
  NTH_PLACE_NO_SUCH_PLACE,      /* !place, but the list has no such place */
  NTH_PLACE_ALL_REMOVED,
  NTH_PLACE_NONE_USABLE, /* no place has a usable CPU */
  NTH_PLACE_TOO_MANY,    /* more than NTH_MAX_PLACES */
  NTH_PLACE_NO_MEMORY
};

/* Enough for one place a CPU, and few enough that any text is parsed quickly. */
#define NTH_MAX_PLACES 65536u

struct nth_place_result {
  enum nth_place_kind kind;
  enum nth_place_fault fault; /* not OK: kind is NONE, places is NULL */
  uint64_t cpu;               /* of the fault */
  int64_t stride;             /* of the fault */
  uint32_t limit;             /* of an abstract name: at most that many places, 0: all */
  uint32_t written;           /* of a list: places before the unusable ones are removed */
  struct nth_places *places;  /* of a list: from the heap */
};

/* OMP_PLACES. A list keeps only the CPUs in usable. */
void nth_place_parse(struct nth_place_result *r, const char *text, const struct nth_cpuset *usable);

/* GOMP_CPU_AFFINITY: each CPU is a place. CPUs beyond the kernel's masks, of that many words, are
 * left out silently; when none remains the kind is NONE. */
void nth_place_parse_cpus(struct nth_place_result *r, const char *text, uint32_t words);

#endif
