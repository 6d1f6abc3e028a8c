/* places.h - the place list of the process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OMP_PLACES and GOMP_CPU_AFFINITY name places; binding and OpenMP's place functions
 *             use them. An abstract name takes dozens of files to look up, so it is looked up on
 *             first need.
 * Use         The load-time constructor calls the _load functions in the order of this file; then
 *             any thread may call nth_places_get().
 * Invariants  I1  the request and the start-up mask are written at load only
 *             I2  a published list is never changed or freed
 * Orders      A   the CAS that publishes a list -> nth_places_get's load
 */
#ifndef NTH_PLACE_PLACES_H
#define NTH_PLACE_PLACES_H

#include "runtime/place/places/place_parse.h"

/* Load time: takes OMP_PLACES, and prints what is wrong with it. With use false only the grammar is
 * checked. True: these are the process's places. */
bool nth_places_load_omp(const char *text, bool use);
/* Load time: GOMP_CPU_AFFINITY in the same way. */
bool nth_places_load_gomp(const char *text, bool use);
/* Load time: binding is asked for, but no places are given: each CPU becomes a place. */
void nth_places_load_default(void);

/* The process's places, looked up now if they were not; NULL: there are none. */
const struct nth_places *nth_places_get(void);

/* Whether there are places, without looking them up. */
bool nth_places_given(void);

/* The process's affinity mask when it started; NULL: it was not read, since nothing asked for
 * places. */
const struct nth_cpuset *nth_places_startup(void);

/* An OS thread of the runtime's own, whose maker may be bound to a place, gets that mask back. */
void nth_places_unbind(void);

/* The CPUs of place i, to bind a thread to; NULL: some of them were not in the mask at the start
 * (GOMP_CPU_AFFINITY takes any number). */
const uint64_t *nth_places_usable(const struct nth_places *p, uint32_t i);

/* Writes the list as "{0:2},{4}". */
void nth_places_text(struct nth_text *t, const struct nth_places *p);

#endif
