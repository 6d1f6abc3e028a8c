/* atomic.h - atomic operations with the memory order in the name
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         An order that stands in the name can be read, searched, and checked by a script.
 * Use         Suffixes: _rlx relaxed, _acq acquire, _rel release, _acqrel both. No access is
 *             sequentially consistent. nth_fence_full() is the one full fence, and each use says
 *             against which other fence it stands.
 *             With NTH_MODEL defined the operations go to the model checker's bridge instead.
 */
#ifndef NTH_BASE_ATOMIC_H
#define NTH_BASE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/arch/insn.h"

#ifdef NTH_MODEL
#include "tests/model/bridge.h"
#else

#define nth_load_rlx(p) atomic_load_explicit((p), memory_order_relaxed)
#define nth_load_acq(p) atomic_load_explicit((p), memory_order_acquire)
#define nth_store_rlx(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define nth_store_rel(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define nth_xchg_rlx(p, v) atomic_exchange_explicit((p), (v), memory_order_relaxed)
#define nth_xchg_acq(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define nth_xchg_rel(p, v) atomic_exchange_explicit((p), (v), memory_order_release)
#define nth_xchg_acqrel(p, v) atomic_exchange_explicit((p), (v), memory_order_acq_rel)
#define nth_add_rlx(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define nth_add_rel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_release)
#define nth_add_acqrel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#define nth_sub_rlx(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_relaxed)
#define nth_sub_rel(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_release)
#define nth_sub_acqrel(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel)
#define nth_or_acqrel(p, v) atomic_fetch_or_explicit((p), (v), memory_order_acq_rel)
#define nth_or_rlx(p, v) atomic_fetch_or_explicit((p), (v), memory_order_relaxed)
#define nth_and_rlx(p, v) atomic_fetch_and_explicit((p), (v), memory_order_relaxed)
#define nth_cas_rlx(p, e, v)                                                                       \
  atomic_compare_exchange_strong_explicit((p), (e), (v), memory_order_relaxed, memory_order_relaxed)
#define nth_cas_acq(p, e, v)                                                                       \
  atomic_compare_exchange_strong_explicit((p), (e), (v), memory_order_acquire, memory_order_acquire)
#define nth_cas_rel(p, e, v)                                                                       \
  atomic_compare_exchange_strong_explicit((p), (e), (v), memory_order_release, memory_order_relaxed)
#define nth_cas_acqrel(p, e, v)                                                                    \
  atomic_compare_exchange_strong_explicit((p), (e), (v), memory_order_acq_rel, memory_order_acquire)

/* Full fence: orders stores before it with loads after it (sleep/wake handshakes). ThreadSanitizer
 * knows no fences, so it gets an operation instead; what else it needs comes from the accesses on
 * either side. */
static inline void nth_fence_full(void) {
#if defined(__SANITIZE_THREAD__)
  static _Atomic(uint32_t) word;
  atomic_fetch_add_explicit(&word, 0, memory_order_seq_cst);
#else
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* The same, directly after a locked operation of this thread, which on x86 is a full fence
 * already. */
static inline void nth_fence_behind(void) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  atomic_signal_fence(memory_order_seq_cst);
#else
  nth_fence_full();
#endif
}

/* Keeps the compiler from moving memory accesses across: the cheap side of a pair whose other side
 * is nth_os_fence_all(). */
static inline void nth_fence_light(void) { atomic_signal_fence(memory_order_seq_cst); }
#endif /* NTH_MODEL */

/* A function that is inlined into each of its callers, even if it has several. */
#define NTH_HOT inline __attribute__((always_inline))

#define nth_likely(x) __builtin_expect(!!(x), 1)
#define nth_unlikely(x) __builtin_expect(!!(x), 0)

#endif
