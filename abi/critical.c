/* critical.c - critical constructs, and atomic constructs for which there is no instruction
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 15.2 and 15.8. There are two locks for the process. A named critical brings
 * its own word of pointer size, which is 0 at first.
 *
 * GOMP_critical_start, GOMP_critical_end
 *                                     the unnamed critical construct
 * GOMP_critical_name_*                a named critical construct, with its word
 * GOMP_atomic_start, GOMP_atomic_end  around an atomic construct for which the compiler has no
 *                                     instruction
 * GOMP_reduction_start, GOMP_reduction_end
 *                                     around the sum of a member's copies, in programs of gcc 17
 *                                     and later; the same lock as for an atomic construct, which
 *                                     earlier ones call
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/base/config.h"
#include "runtime/omp/sync/lock.h"

static _Alignas(NTH_APART) struct nth_mutex critical_lock;

void GOMP_critical_start(void) { NTH_SET(&critical_lock, ompt_mutex_critical); }

void GOMP_critical_end(void) { NTH_UNSET(&critical_lock, ompt_mutex_critical); }

void GOMP_critical_name_start(void **word) {
  NTH_SET((struct nth_mutex *)word, ompt_mutex_critical);
}

void GOMP_critical_name_end(void **word) {
  NTH_UNSET((struct nth_mutex *)word, ompt_mutex_critical);
}

void GOMP_atomic_start(void) { NTH_SET(&nth_lock_atomic, ompt_mutex_atomic); }

void GOMP_atomic_end(void) { NTH_UNSET(&nth_lock_atomic, ompt_mutex_atomic); }

void GOMP_reduction_start(void) { NTH_SET(&nth_lock_atomic, ompt_mutex_atomic); }

void GOMP_reduction_end(void) { NTH_UNSET(&nth_lock_atomic, ompt_mutex_atomic); }
