/* places.c - the place list of the process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/places/places.h"

#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/places/topology.h"

static struct {
  enum nth_place_kind kind;          /* w: load time; r: all */
  uint32_t limit;                    /* w: load time; r: all */
  struct nth_cpuset startup;         /* w: load time; r: all */
  _Atomic(struct nth_places *) list; /* w: the first thread to look it up; r: all; A */
} places;

static const char *const kind_name[] = {"",        "a list",    "threads",     "cores",
                                        "sockets", "ll_caches", "numa_domains"};

/* --- load time --- */

static bool need_startup(void) {
  return places.startup.word || nth_cpuset_affinity(&places.startup, 0);
}

/* Prints the line that libgomp prints before "Invalid value". */
static void say_fault(const struct nth_place_result *r) {
  unsigned long long cpu = r->cpu;
  switch (r->fault) {
  case NTH_PLACE_OUT_OF_RANGE: nth_msg_libgomp("Logical CPU number %llu out of range", cpu); break;
  case NTH_PLACE_SHIFT_OUT_OF_RANGE:
    nth_msg_libgomp("Logical CPU number %llu+%lld out of range", cpu, (long long)r->stride);
    break;
  case NTH_PLACE_NOT_IN_SET:
    nth_msg_libgomp("Logical CPU %llu to be removed is not in the set", cpu);
    break;
  case NTH_PLACE_NO_SUCH_PLACE:
    nth_msg_libgomp("Trying to remove a non-existing place from list of places");
    break;
  case NTH_PLACE_ALL_REMOVED: nth_msg_libgomp("All places have been removed"); break;
  case NTH_PLACE_NONE_USABLE:
    nth_msg_libgomp("None of the places contain usable logical CPUs");
    break;
  case NTH_PLACE_OK:
  case NTH_PLACE_SYNTAX:
  case NTH_PLACE_TOO_MANY:
  case NTH_PLACE_NO_MEMORY: break;
  }
}

/* The end of our line: what the lines before it do not say. */
static const char *why(enum nth_place_fault fault) {
  switch (fault) {
  case NTH_PLACE_TOO_MANY: return "these are more than 65536 places";
  case NTH_PLACE_NO_MEMORY: return "there is no memory for this list";
  default: return "this one is not used";
  }
}

/* Makes the result the process's places, if it is good and wanted. */
static bool take(const struct nth_place_result *r, bool use) {
  if (!use)
    nth_heap_free(r->places);
  if (!use || r->kind == NTH_PLACES_NONE)
    return false;
  places.kind = r->kind;
  places.limit = r->limit;
  nth_store_rlx(&places.list, r->places); /* load time: no other thread reads it yet */
  return true;
}

bool nth_places_load_omp(const char *text, bool use) {
  struct nth_place_result r;
  if (!need_startup()) {
    nth_msg("OMP_PLACES is not used: the affinity mask cannot be read");
    return false;
  }
  nth_place_parse(&r, text, &places.startup);
  if (r.fault != NTH_PLACE_OK && (use || r.fault == NTH_PLACE_SYNTAX)) {
    say_fault(&r);
    nth_msg_libgomp("Invalid value for environment variable OMP_PLACES");
    nth_msg("OMP_PLACES takes threads, cores, sockets, ll_caches or numa_domains, with or without "
            "(count), or a list such as {0:4},{4:4}; %s",
            why(r.fault));
  } else if (use && r.kind == NTH_PLACES_LIST && r.places->count < r.written) {
    nth_msg_libgomp("Number of places reduced from %u to %u because some places didn't contain any "
                    "usable logical CPUs",
                    r.written, r.places->count);
    nth_msg("OMP_PLACES: a place needs a CPU of the process's affinity mask; %u of %u have one",
            r.places->count, r.written);
  }
  return take(&r, use);
}

bool nth_places_load_gomp(const char *text, bool use) {
  struct nth_place_result r;
  if (!need_startup()) {
    nth_msg("GOMP_CPU_AFFINITY is not used: the affinity mask cannot be read");
    return false;
  }
  nth_place_parse_cpus(&r, text, places.startup.words);
  if (r.fault != NTH_PLACE_OK) {
    nth_msg_libgomp("Invalid value for enviroment variable GOMP_CPU_AFFINITY");
    nth_msg("GOMP_CPU_AFFINITY takes CPU numbers and ranges such as 0 3 1-2 4-15:2; %s",
            why(r.fault));
  } else if (use && r.kind == NTH_PLACES_NONE)
    nth_msg("GOMP_CPU_AFFINITY names no CPU that this system can have; it is not used");
  return take(&r, use);
}

void nth_places_load_default(void) {
  if (places.kind == NTH_PLACES_NONE && need_startup())
    places.kind = NTH_PLACES_THREADS;
}

/* --- later --- */

struct topology {
  struct nth_places *list;
  bool known;
};

static void read_topology(void *topology) {
  struct topology *t = topology;
  t->list = nth_topology_places(places.kind, places.limit, &places.startup, &t->known);
}

/* Several threads may do this at once: one list is published, the others are freed. */
static const struct nth_places *look_up(void) {
  struct topology t = {0, false};
  nth_sysfile_apart(read_topology, &t);
  struct nth_places *mine = t.list, *first = 0;
  if (!mine)
    return 0;
  if (!nth_cas_acqrel(&places.list, &first, mine)) { /* A */
    nth_heap_free(mine);
    return first;
  }
  if (!t.known) {
    nth_msg_libgomp("Error reading core/socket topology");
    nth_msg("OMP_PLACES=%s: /sys/devices/system does not tell; each CPU it does not know is a "
            "place of its own",
            kind_name[places.kind]);
  }
  return mine;
}

const struct nth_places *nth_places_get(void) {
  if (places.kind == NTH_PLACES_NONE)
    return 0;
  const struct nth_places *p = nth_load_acq(&places.list); /* A */
  return p ? p : look_up();
}

bool nth_places_given(void) { return places.kind != NTH_PLACES_NONE; }

const struct nth_cpuset *nth_places_startup(void) {
  return places.startup.word ? &places.startup : 0;
}

void nth_places_unbind(void) {
  if (places.startup.word)
    (void)nth_cpus_bind(0, places.startup.word, places.startup.words);
}

const uint64_t *nth_places_usable(const struct nth_places *p, uint32_t i) {
  const uint64_t *set = nth_places_set(p, i);
  uint64_t outside = 0;
  for (uint32_t w = 0; w < p->words; w++)
    outside |= set[w] & ~(w < places.startup.words ? places.startup.word[w] : 0);
  return outside == 0 ? set : 0;
}

void nth_places_text(struct nth_text *t, const struct nth_places *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    nth_text_add(t, i > 0 ? ",{" : "{");
    nth_cpus_text(t, nth_places_set(p, i), p->words, true);
    nth_text_add(t, "}");
  }
}
