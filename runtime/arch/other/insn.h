/* insn.h - where an architecture has no folder of its own: arch/insn.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ARCH_OTHER_INSN_H
#define NTH_ARCH_OTHER_INSN_H

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static inline void nth_pause(void) {
#if defined(__i386__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

static inline void nth_prefetch_own(const void *p) { __builtin_prefetch(p, 1); }

static inline uint64_t nth_cycles(void) { return 0; }
static inline uint64_t nth_cycles_per_us(void) { return 0; }

static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  int saved = errno;
  long result = syscall(number, a, b, c, d, e, 0);
  result = result < 0 ? -(long)errno : result;
  errno = saved;
  return result;
}

static inline uint32_t nth_float_flags(void) { return 0; }
static inline void nth_set_float_flags(uint32_t flags) { (void)flags; }
static inline uintptr_t nth_split_limit(void) { return 0; }
static inline void nth_set_split_limit(uintptr_t limit) { (void)limit; }
static inline void nth_set_control(uint64_t control) { (void)control; }

#endif
