/* allowed.h - how many CPUs this process may use
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The default team size, the end of spinning and the test for "more threads than CPUs"
 *             all depend on one number: the CPUs of the affinity mask, limited by the CPU quota,
 *             rounded up, and by the number that somebody outside asks for (sched/adapt/request.h).
 * Use         nth_allowed_begin() when the library is loaded. nth_allowed_cpus() anywhere: one load
 *             once the number is known. The first caller finds the number, because the search for
 *             the quota takes some 0.1 ms. At load only a container's quota is read, one file, and
 *             the mask is counted, for the default size of teams: a program may bind its first
 *             thread before its first region.
 *             nth_allowed_refresh() now and then: the mask may change, and so may a quota that was
 *             found. The program sees none of the descriptors of these files (sysfile.h).
 *             nth_allowed_look() from waits and lookers, at any rate: it counts the mask only. A
 *             number that has changed, or a quota that has begun or ceased to bind, is told to
 *             nth_allowed_hook
 * Mask        The initial thread's counts, and that of the last other thread that looked. Programs
 *             bind threads of their own, and such a mask is no change of the allowance. taskset -a
 *             and a cpuset leave all threads with one mask. So fewer CPUs are believed only where
 *             the two masks are the same. Else the CPUs of both count, if these are more. The other
 *             thread may have ended since, and its number may be another process's by now: that
 *             one's mask does not count
 * Invariants  I1  cpus is 0 (not known yet) or at least 1; so is `all`
 *             I2  cpus = min(all, asked), or all if asked is 0. Whoever changes one of the two
 *                 computes it until neither changes meanwhile
 * Orders      Q   quota_known: the quota that was read -> the count that it limits
 *             S   a change of all or asked, full fence, then cpus; after cpus a full fence, then a
 *                 look at both (I2)
 * Tested by   tests/unit/allowed.c, tests/lit/allowance
 */
#ifndef NTH_PLACE_ALLOWED_H
#define NTH_PLACE_ALLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/place/cpus/cpuset.h"

/* The fields are independent numbers: but for Q, readers need no order among them. */
struct nth_allowed {
  _Atomic(uint32_t) cpus;    /* the answer, I1, I2; w: a thread that changes all or asked; r: all */
  _Atomic(uint32_t) all;     /* without the request; w: a thread that finds or refreshes it */
  _Atomic(uint32_t) asked;   /* the request; 0: none; w: nth_allowed_ask() */
  _Atomic(uint32_t) mask;    /* CPUs in the affinity mask */
  _Atomic(uint32_t) quota;   /* thousandths of a CPU, UINT32_MAX: none */
  _Atomic(uint32_t) most;    /* the largest `all` so far; w: as all */
  uint32_t at_load;          /* CPUs in the mask when the library was loaded; 0: not known */
  _Atomic(uint32_t) size;    /* of these, limited by the first known quota; 0: none is known; w: as
                              * all, once */
  _Atomic(uint32_t) other;   /* the last thread that looked, but for the initial one; 0: none */
  _Atomic(uint64_t) read_at; /* time of the last refresh, ns */
  _Atomic(uint64_t) look_at; /* time of the next look, ns */
  _Atomic(uint64_t) grew_at; /* when `all` last became larger, ns; 0: never */
  _Atomic(bool) bounded;     /* the quota is below the mask's CPUs; w: as all */
  _Atomic(bool) quota_known; /* w: a thread that has read the quota; Q */
};
extern struct nth_allowed nth_allowed;

/* Called by the thread that has found `all` to be another number, or another reason for it: a quota
 * below the mask's CPUs, or the mask. Set before the first member. */
extern void (*nth_allowed_hook)(void);

void nth_allowed_begin(void);
/* In the child of a fork. */
void nth_allowed_forked(void);

/* Finds the number now. */
unsigned nth_allowed_find(void);

/* The number of CPUs; found now if it is not known. */
static inline unsigned nth_allowed_cpus(void) {
  uint32_t cpus = nth_load_rlx(&nth_allowed.cpus);
  return nth_likely(cpus != 0) ? cpus : nth_allowed_find();
}

/* The number without the request, for what outlives a request: a program may have arrays for as
 * many threads. */
static inline unsigned nth_allowed_all(void) {
  return nth_allowed_cpus() != 0 ? nth_load_rlx(&nth_allowed.all) : 0;
}

/* The number when the library was loaded, without the request. */
static inline unsigned nth_allowed_first(void) {
  if (nth_unlikely(nth_load_rlx(&nth_allowed.size) == 0))
    (void)nth_allowed_find();
  return nth_load_rlx(&nth_allowed.size);
}

/* The default size of a team: that number, limited by the request. It does not change with the
 * allowance, since programs have arrays for as many threads. A region that begins while CPUs are
 * taken has members for those that are given back, and a member beyond the CPUs costs little. */
static inline unsigned nth_allowed_team(void) {
  uint32_t asked = nth_load_rlx(&nth_allowed.asked), first = nth_allowed_first();
  return asked != 0 && asked < first ? asked : first;
}

/* No more CPUs than that are used from now on; 0: all. */
void nth_allowed_ask(uint32_t most);

/* The number if it is known, else the CPUs of the mask, which one system call counts. For programs
 * that say how many threads they want, and for threads that must not open files. */
unsigned nth_allowed_soon(void);
/* nth_allowed_all_soon: the same without the request. */
unsigned nth_allowed_all_soon(void);

/* Whether a quota is known; it may be larger than the mask. */
static inline bool nth_allowed_has_quota(void) {
  return nth_load_rlx(&nth_allowed.quota) != UINT32_MAX;
}
/* Whether a quota is known that is below the CPUs of the mask. */
bool nth_allowed_quota(void);

/* If the last refresh is NTH_ALLOWED_REFRESH_NS ago: counts the mask again, and reads the quota
 * again if there was one; it stays if it cannot be read now. Otherwise it only reads the clock. */
void nth_allowed_refresh(void);

/* The calling thread may run members: its mask counts if no other one is known. */
void nth_allowed_present(void);
/* Counts the mask again, if the last look is NTH_ALLOWED_LOOK_NS ago and the number is known. */
void nth_allowed_look_slow(uint64_t now);
/* late: only if such a look has been due for that time, ns. */
static inline void nth_allowed_look(uint64_t now, uint64_t late) {
  if (nth_unlikely(now - late >= nth_load_rlx(&nth_allowed.look_at)))
    nth_allowed_look_slow(now);
}
/* Whether `all` became larger a moment ago: the kernel may have left threads together on a CPU. */
static inline bool nth_allowed_grew(uint64_t now) {
  uint64_t at = nth_load_rlx(&nth_allowed.grew_at);
  return nth_unlikely(at != 0) && now - at < NTH_ALLOWED_GREW_NS;
}
/* Reads the quota in these folders again. By a thread with a table of descriptors of its own
 * (sysfile.h). False: they cannot all be read; the quota stays what it was. */
struct nth_quota_folder;
bool nth_allowed_read(const struct nth_quota_folder *folders);

/* The CPUs of the calling thread's present mask, limited by the quota (omp_get_num_procs). */
unsigned nth_allowed_here(void);

/* A copy of the mask that is counted; the caller frees it. False: unknown. */
bool nth_allowed_set(struct nth_cpuset *set);

/* Writes why the number is what it is, as snprintf does: "2 of 2 online CPUs: affinity mask 0-1; no
 * quota". */
size_t nth_allowed_why(char *text, size_t size);

#endif
