/* allowed.h - how many CPUs this process may use
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The default team size, the end of spinning and the test for "more threads than CPUs"
 *             all depend on one number: the CPUs of the affinity mask, limited by the CPU quota,
 *             rounded up, and by the number that somebody outside asks for (sched/wait/request.h).
 * Use         nth_allowed_begin() when the library is loaded. nth_allowed_cpus() anywhere: one load
 *             once the number is known. The first caller finds the number, because the search for
 *             the quota takes some 0.1 ms. At load only a container's quota is read: one file.
 *             nth_allowed_refresh() now and then: the mask may change, and so may a quota that was
 *             found. The program sees none of the descriptors of these files (sysfile.h).
 * Invariants  I1  cpus is 0 (not known yet) or at least 1; so is `all`
 *             I2  cpus = min(all, asked), or all if asked is 0. Whoever changes one of the two
 *                 computes it until neither changes meanwhile
 * Orders      Q   quota_known: the quota that was read -> the count that it limits
 *             S   a change of all or asked, full fence, then cpus; after cpus a full fence, then a
 *                 look at both (I2)
 */
#ifndef NTH_PLACE_ALLOWED_H
#define NTH_PLACE_ALLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/place/cpus/cpuset.h"

/* The fields are independent numbers: but for Q, readers need no order among them. */
struct nth_allowed {
  _Atomic(uint32_t) cpus;    /* the answer, I1, I2; w: a thread that changes all or asked; r: all */
  _Atomic(uint32_t) all;     /* without the request; w: a thread that finds or refreshes it */
  _Atomic(uint32_t) asked;   /* the request; 0: none; w: nth_allowed_ask() */
  _Atomic(uint32_t) mask;    /* CPUs in the affinity mask */
  _Atomic(uint32_t) quota;   /* thousandths of a CPU, UINT32_MAX: none */
  _Atomic(uint64_t) read_at; /* time of the last refresh, ns */
  _Atomic(bool) quota_known; /* w: a thread that has read the quota; Q */
};
extern struct nth_allowed nth_allowed;

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

/* No more CPUs than that are used from now on; 0: all. */
void nth_allowed_ask(uint32_t most);

/* The number if it is known, else the CPUs of the mask, which one system call counts. For programs
 * that say how many threads they want, and for threads that must not open files. */
unsigned nth_allowed_soon(void);
/* nth_allowed_all_soon: the same without the request. */
unsigned nth_allowed_all_soon(void);

/* Whether a quota is known that is below the CPUs of the mask. */
bool nth_allowed_quota(void);

/* If the last refresh is NTH_ALLOWED_REFRESH_NS ago: counts the mask again, and reads the quota
 * again if there was one. Otherwise it only reads the clock. */
void nth_allowed_refresh(void);

/* The CPUs of the calling thread's present mask, limited by the quota (omp_get_num_procs). */
unsigned nth_allowed_here(void);

/* A copy of the mask that is counted; the caller frees it. False: unknown. */
bool nth_allowed_set(struct nth_cpuset *set);

/* Writes why the number is what it is, as snprintf does: "2 of 2 online CPUs: affinity mask 0-1; no
 * quota". */
size_t nth_allowed_why(char *text, size_t size);

#endif
