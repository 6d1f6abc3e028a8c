/* place_parse.h - the grammars of OMP_PLACES and GOMP_CPU_AFFINITY
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Parsing is apart from state and messages, so that any bytes can be thrown at it.
 * Use         OMP_PLACES is either an abstract name, which only says what to look up later, or a
 *             list, which becomes CPU sets at once. Every failure has a code, so that the caller
 *             can print what libgomp prints.
 */
#ifndef NTH_PLACE_PLACE_PARSE_H
#define NTH_PLACE_PLACE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/place/cpuset.h"

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
  NTH_PLACE_SHIFT_OUT_OF_RANGE, /* cpu + stride is */
  NTH_PLACE_NOT_IN_SET,         /* !cpu, but it is not there */
  NTH_PLACE_NO_SUCH_PLACE,      /* !place, but it is not there */
  NTH_PLACE_ALL_REMOVED,
  NTH_PLACE_NONE_USABLE, /* no place has a CPU of the mask */
  NTH_PLACE_TOO_MANY,    /* more than NTH_MAX_PLACES */
  NTH_PLACE_NO_MEMORY
};

/* Enough for a place a CPU, and little enough for any text to be parsed at once. */
#define NTH_MAX_PLACES 65536u

struct nth_place_result {
  enum nth_place_kind kind;
  enum nth_place_fault fault; /* not OK: kind is NONE, places is NULL */
  uint64_t cpu;               /* see fault */
  int64_t stride;
  uint32_t limit;            /* abstract name: at most that many places, 0: all */
  uint32_t written;          /* list: places before the unusable ones went */
  struct nth_places *places; /* list: from the heap */
};

/* OMP_PLACES. A list keeps only the CPUs in usable. */
void nth_place_parse(struct nth_place_result *r, const char *text, const struct nth_cpuset *usable);

/* GOMP_CPU_AFFINITY: each CPU is a place. Those beyond the kernel's masks (words) go silently; when
 * none is left the kind is NONE. */
void nth_place_parse_cpus(struct nth_place_result *r, const char *text, uint32_t words);

#endif
