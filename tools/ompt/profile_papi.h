/* profile_papi.h - events to be counted: which there are, and in which sets they are read
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Events of the processor, or of software, say why work takes so long. libpapi knows
 *             them. It is opened when events are asked for, so that nothing else needs it
 * How         Each event is tried: added to a set of its own, started, read. Those that count are
 *             put together, one set for each component of PAPI. When a set cannot have them all at
 *             once they share counters, and are marked
 *             Only the counters of the CPU and of getrusage() are of a thread. What another
 *             component counts is the process's or the machine's: profile_process.c reads it
 *             A thread of the system has sets of its own. Events of an interval count only if the
 *             member is on the same thread at both its ends
 * Orders      P  prof_papi_sets, release -> acquire: publishes the sets to the members
 */
#ifndef NTH_OMPT_PROFILE_PAPI_H
#define NTH_OMPT_PROFILE_PAPI_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/ompt/profile_file.h"

enum { PAPI_OK = 0, PAPI_NULL = -1 };

/* libpapi's functions that are used. */
#define PROF_PAPI_CALLS(X)                                                                         \
  X(library_init, int, (int version))                                                              \
  X(thread_init, int, (unsigned long (*id)(void)))                                                 \
  X(multiplex_init, int, (void))                                                                   \
  X(create_eventset, int, (int *set))                                                              \
  X(assign_eventset_component, int, (int set, int component))                                      \
  X(set_multiplex, int, (int set))                                                                 \
  X(event_name_to_code, int, (const char *name, int *code))                                        \
  X(event_code_to_name, int, (int code, char *name))                                               \
  X(enum_cmp_event, int, (int *code, int modifier, int component))                                 \
  X(get_component_index, int, (const char *name))                                                  \
  X(get_event_component, int, (int code))                                                          \
  X(add_event, int, (int set, int code))                                                           \
  X(start, int, (int set))                                                                         \
  X(stop, int, (int set, long long *values))                                                       \
  X(read, int, (int set, long long *values))                                                       \
  X(cleanup_eventset, int, (int set))                                                              \
  X(destroy_eventset, int, (int *set))                                                             \
  X(register_thread, int, (void))                                                                  \
  X(unregister_thread, int, (void))                                                                \
  X(strerror, char *, (int error))

struct prof_papi {
#define PROF_PAPI_CALL(name, type, arguments) type(*name) arguments;
  PROF_PAPI_CALLS(PROF_PAPI_CALL)
#undef PROF_PAPI_CALL
};
extern struct prof_papi papi;

enum { PROF_RUSAGE = -1 }; /* component of a set that getrusage() serves */

/* Events that are read together. Written before it is published, P. */
struct prof_set {
  int component;
  bool multiplexed;
  bool shared; /* its events are of the process, not of a thread */
  uint32_t count;
  int codes[PROF_EVENTS];
  uint32_t events[PROF_EVENTS]; /* their numbers in the file's head */
};
extern struct prof_set prof_sets[PROF_EVENTS];
extern _Atomic(uint32_t) prof_papi_sets; /* w: with prof.lock, P; r: members, P */

/* Starts a set for the calling thread. 0, or PAPI's error. */
int prof_set_start(const struct prof_set *s, int *handle);
void prof_set_stop(int handle);
/* The values now, in the set's order. False: it cannot be read. */
bool prof_set_read(const struct prof_set *s, int handle, long long *values);

#endif
