/* insn.h - single instructions of x86-64: arch/insn.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ARCH_X86_64_INSN_H
#define NTH_ARCH_X86_64_INSN_H

#include <stdint.h>

static inline void nth_pause(void) { __builtin_ia32_pause(); }

static inline void nth_prefetch_own(const void *p) {
  __asm__("prefetchw %0" : : "m"(*(const char *)p)); /* a no-op where it is unknown */
}

static inline uint64_t nth_cycles(void) { return __builtin_ia32_rdtsc(); }

static inline uint64_t nth_cycles_per_us(void) { return 2500; } /* they have 1.4 to 5 GHz */

static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/* The x87 unit's; those of MXCSR are among the control bits. */
static inline uint32_t nth_float_flags(void) {
  uint16_t status;
  __asm__ volatile("fnstsw %0" : "=am"(status));
  return status & 0x3f;
}

static inline void nth_set_float_flags(uint32_t flags) {
  struct {
    uint32_t control, status, rest[5];
  } state;
  __asm__ volatile("fnstenv %0" : "=m"(state));
  state.status = (state.status & ~(uint32_t)0x3f) | flags;
  __asm__ volatile("fldenv %0" : : "m"(state));
}

/* glibc keeps a word for this limit at the thread pointer. Other C libraries keep something else
 * there. */
#if defined(__GLIBC__) && defined(__LP64__)
static inline uintptr_t nth_split_limit(void) {
  uintptr_t limit;
  __asm__ volatile("movq %%fs:0x70, %0" : "=r"(limit));
  return limit;
}

static inline void nth_set_split_limit(uintptr_t limit) {
  __asm__ volatile("movq %0, %%fs:0x70" : : "r"(limit) : "memory");
}
#else
static inline uintptr_t nth_split_limit(void) { return 0; }
static inline void nth_set_split_limit(uintptr_t limit) { (void)limit; }
#endif

static inline void nth_set_control(uint64_t control) {
  uint32_t mxcsr = (uint32_t)control;
  uint16_t word = (uint16_t)(control >> 32);
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(word));
}

#endif
