/* registers.h - for tests of switches: values in registers, and floating-point control
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_UNIT_REGISTERS_H
#define NTH_UNIT_REGISTERS_H

#include "tests/unit/unit.h"

#include <stdint.h>

#include "runtime/arch/switch.h"

#if NTH_SWITCH
#if defined(__x86_64__)
#define REGISTERS_FLOAT "+x"
#else
#define REGISTERS_FLOAT "+w"
#endif
/* The compiler does not know these values any more: it has to keep them. */
#define REGISTERS_HIDE4(kind, a, b, c, d) __asm__ volatile("" : kind(a), kind(b), kind(c), kind(d))

/* Values in more registers than are saved, which must survive the other side's own. */
static inline uint64_t registers_mix(uint64_t seed, void (*step)(void *), void *arg) {
  uint64_t a[14];
  double x[8];
  for (int i = 0; i < 14; i++)
    a[i] = seed * (uint64_t)(2 * i + 1);
  for (int i = 0; i < 8; i++)
    x[i] = (double)(seed % 1000) + i;
#pragma GCC unroll 1
  for (int turn = 0; turn < 3; turn++) {
    uint64_t b0 = a[0], b1 = a[1], b2 = a[2], b3 = a[3], b4 = a[4], b5 = a[5], b6 = a[6], b7 = a[7];
    uint64_t b8 = a[8], b9 = a[9], b10 = a[10], b11 = a[11];
    double y0 = x[0], y1 = x[1], y2 = x[2], y3 = x[3], y4 = x[4], y5 = x[5], y6 = x[6], y7 = x[7];
    for (int after = 0; after < 2; after++) {
      REGISTERS_HIDE4("+r", b0, b1, b2, b3);
      REGISTERS_HIDE4("+r", b4, b5, b6, b7);
      REGISTERS_HIDE4("+r", b8, b9, b10, b11);
      REGISTERS_HIDE4(REGISTERS_FLOAT, y0, y1, y2, y3);
      REGISTERS_HIDE4(REGISTERS_FLOAT, y4, y5, y6, y7);
      if (!after)
        step(arg);
    }
    unit_check(b0 == a[0] && b1 == a[1] && b2 == a[2] && b3 == a[3] && b4 == a[4] && b5 == a[5]);
    unit_check(b6 == a[6] && b7 == a[7] && b8 == a[8] && b9 == a[9] && b10 == a[10] &&
               b11 == a[11]);
    unit_check(y0 == x[0] && y1 == x[1] && y2 == x[2] && y3 == x[3]);
    unit_check(y4 == x[4] && y5 == x[5] && y6 == x[6] && y7 == x[7]);
  }
  return a[13];
}

/* nth_switch_control() without status bits is the control; this is the same with another
 * rounding. */
#if defined(__x86_64__)
static inline uint64_t registers_toward_zero(uint64_t control) {
  return control | 0x6000 | UINT64_C(0x0c00) << 32;
}
static inline void registers_control_set(uint64_t control) {
  uint32_t mxcsr = (uint32_t)control;
  uint16_t x87 = (uint16_t)(control >> 32);
  __asm__ volatile("ldmxcsr %0; fldcw %1" ::"m"(mxcsr), "m"(x87));
}
enum { REGISTERS_STATUS = 0x3f }; /* of MXCSR: not control */
#else
static inline uint64_t registers_toward_zero(uint64_t control) { return control | 3ull << 22; }
static inline void registers_control_set(uint64_t control) {
  __asm__ volatile("msr fpcr, %0" ::"r"(control));
}
enum { REGISTERS_STATUS = 0 };
#endif

static inline uint64_t registers_control(void) {
  return nth_switch_control() & ~(uint64_t)REGISTERS_STATUS;
}
#endif

#endif
