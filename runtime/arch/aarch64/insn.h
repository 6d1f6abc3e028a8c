/* insn.h - single instructions of aarch64: arch/insn.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ARCH_AARCH64_INSN_H
#define NTH_ARCH_AARCH64_INSN_H

#include <stdint.h>

static inline void nth_pause(void) { __asm__ volatile("isb" ::: "memory"); }

static inline void nth_prefetch_own(const void *p) { __builtin_prefetch(p, 1); }

static inline uint64_t nth_cycles(void) {
  uint64_t now;
  __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(now));
  return now;
}

static inline uint64_t nth_cycles_per_us(void) {
  uint64_t hertz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz >> 20;
}

static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = 0;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

static inline uint32_t nth_float_flags(void) {
  uint64_t status;
  __asm__ volatile("mrs %0, fpsr" : "=r"(status));
  return (uint32_t)status;
}

static inline void nth_set_float_flags(uint32_t flags) {
  __asm__ volatile("msr fpsr, %0" : : "r"((uint64_t)flags));
}

static inline uintptr_t nth_split_limit(void) { return 0; }
static inline void nth_set_split_limit(uintptr_t limit) { (void)limit; }

static inline void nth_set_control(uint64_t control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

#endif
