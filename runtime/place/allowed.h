/* allowed.h - how many CPUs this process may use
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The default team size, the end of spinning and the idea of "too many threads" all
 *             hang on one number: the CPUs of the affinity mask, limited by the CPU quota,
 *             rounded up.
 * Use         nth_allowed_begin() when the library is loaded. nth_allowed_cpus() anywhere: one load
 *             once it is known. It is found on the first need, since looking for the quota costs
 *             some 0.1 ms; only that of a container, in one file, is read at load.
 *             nth_allowed_refresh() now and then: the mask may change, and a quota that there is.
 *             Files are read apart from the program (sysfile.h): the numbers of descriptors belong
 *             to it
 * Invariants  I1  cpus is 0 (not known yet) or at least 1
 * Orders      Q   quota_known: who has read the quota -> who counts with it
 */
#ifndef NTH_PLACE_ALLOWED_H
#define NTH_PLACE_ALLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/place/cpuset.h"

/* Each field is a number of its own: readers need no order among them, but for Q. */
struct nth_allowed {
  _Atomic(uint32_t) cpus;    /* the answer, I1; w: who finds or refreshes it; r: all */
  _Atomic(uint32_t) mask;    /* CPUs in the affinity mask */
  _Atomic(uint32_t) quota;   /* thousandths of a CPU, UINT32_MAX: none */
  _Atomic(uint64_t) read_at; /* time of the last refresh, ns */
  _Atomic(bool) quota_known; /* w: who has read the quota; Q */
};
extern struct nth_allowed nth_allowed;

void nth_allowed_begin(void);
/* In the child of a fork. */
void nth_allowed_forked(void);

/* Finds the number now. */
unsigned nth_allowed_find(void);

static inline unsigned nth_allowed_cpus(void) {
  uint32_t cpus = nth_load_rlx(&nth_allowed.cpus);
  return nth_likely(cpus != 0) ? cpus : nth_allowed_find();
}

/* The number if it is known, else the CPUs of the mask, which cost one system call to count: for
 * programs that say how many threads they want, and for threads that are not to open files. */
unsigned nth_allowed_soon(void);

/* Whether there is a quota below the CPUs of the mask, as far as it is known. */
bool nth_allowed_quota(void);

/* Counts the mask again, and reads the quota if there was one, when the last time is a second ago;
 * else one look at the clock. */
void nth_allowed_refresh(void);

/* The same number for the calling thread's own mask of now (omp_get_num_procs). */
unsigned nth_allowed_here(void);

/* The mask that is counted, a copy to be freed; false: unknown. */
bool nth_allowed_set(struct nth_cpuset *set);

/* Says how the number came about, as snprintf does: "2 of 2 online CPUs: affinity mask 0-1; no
 * quota". */
size_t nth_allowed_why(char *text, size_t size);

#endif
