/* insn.h - single machine instructions for which C has no name
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         nth_pause(): a hint in a wait loop; it frees the line for the writer, and the core
 *                 for its sibling
 *             nth_prefetch_own(p): asks for the line at p, to write there soon; p may be any
 *                 address
 *             nth_cycles(): a counter of time, for measurements; 0 where there is none
 *             nth_cycles_per_us(): how far it counts in a microsecond, within a factor of two; 0
 *                 where there is none
 *             nth_float_flags(), nth_set_float_flags(flags): the exceptions that floating-point
 *             operations have raised so far, as far as nth_switch_control() lacks them
 *             nth_set_control(control): the control bits of floating point, as
 *             nth_switch_control() (switch.h) returns them
 *             nth_split_limit(), nth_set_split_limit(limit): below which address functions
 *                 compiled with -fsplit-stack continue on another piece of stack; 0: nowhere
 *             nth_syscall(number, a, b, c, d, e): the result, or a negated errno value
 *                 (base/syscall.h)
 * Written     in the folder of each architecture; other/ has what C alone can say
 */
#ifndef NTH_ARCH_INSN_H
#define NTH_ARCH_INSN_H

#if defined(__x86_64__)
#include "runtime/arch/x86_64/insn.h"
#elif defined(__aarch64__)
#include "runtime/arch/aarch64/insn.h"
#else
#include "runtime/arch/other/insn.h"
#endif

#endif
