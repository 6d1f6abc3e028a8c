/* places.h - the place list of the process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OMP_PLACES and GOMP_CPU_AFFINITY name places; binding and the place functions use
 *             them. Looking up an abstract name reads dozens of files, so it waits for the first
 *             need.
 * Use         The load-time constructor calls the _load functions in their order, then anybody
 *             calls nth_places_get().
 * Invariants  I1  the request and the start-up mask are written at load only
 *             I2  a published list is never changed or freed
 * Orders      A   the winner's publishing CAS -> nth_places_get's load
 */
#ifndef NTH_PLACE_PLACES_H
#define NTH_PLACE_PLACES_H

#include "runtime/place/place_parse.h"

/* Load time: OMP_PLACES. Prints what is wrong with it; with use false only its grammar is looked
 * at. True: these are the places. */
bool nth_places_load_omp(const char *text, bool use);
/* Load time: GOMP_CPU_AFFINITY, likewise. */
bool nth_places_load_gomp(const char *text, bool use);
/* Load time: binding is asked for without places; each CPU is one. */
void nth_places_load_default(void);

/* The process's places, looked up now if need be; NULL: there are none. */
const struct nth_places *nth_places_get(void);

/* Whether there are places, without looking them up. */
bool nth_places_given(void);

/* The process's affinity mask when it started; NULL: nobody asked for places, so it was not
 * read. */
const struct nth_cpuset *nth_places_startup(void);

/* The CPUs of place i for a thread to be bound to; NULL: the process did not start with all of
 * them (GOMP_CPU_AFFINITY takes any number). */
const uint64_t *nth_places_usable(const struct nth_places *p, uint32_t i);

/* "{0:2},{4}" */
void nth_places_text(struct nth_text *t, const struct nth_places *p);

#endif
