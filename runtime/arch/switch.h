/* switch.h - from one stack to another, with or without the thread pointer
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member that moves to another OS thread keeps its stack and its TLS: threadprivate
 *             variables, errno, the state of C++ exceptions and of malloc lie there, and compilers
 *             take TLS addresses for constant in a function. A flow of control that stays on its OS
 *             thread, beside others that wait there (sched/nano/stack.h), keeps its stack alone.
 * Use         sp = nth_switch_make(top, f, arg, control): a context that starts f(arg), which never
 *             returns, on the stack that ends at top.
 *             nth_switch(&mine, sp, pointer): leaves; it returns when another context switches to
 *             `mine`. pointer: the thread pointer of the other context; 0: it stays
 * Saved       what a called function must preserve: the callee-saved registers and, as the ABIs
 *             demand, the control bits of floating point (MXCSR and x87 control word; FPCR with
 *             d8-d15). The control bits are written back only where they differ, since that write
 *             waits for all instructions under way.
 *             Not saved is what belongs to the OS thread: signal mask, signal stack; and without
 *             the pointer TLS, errno among it. The caller sees to these
 * A signal    between the new stack and the new pointer finds the TLS of the context that is left.
 *             Nobody else uses that TLS yet: the context is offered to others only after the switch
 *             (carry.c)
 * Unwinding   each instruction has its unwind table. A started stack ends at its first frame, and
 *             so does a debugger's backtrace. An exception that nobody catches ends the program, as
 *             in a thread's first function
 * Written     in x86_64/switch.S and aarch64/switch.S. Elsewhere NTH_SWITCH is 0: members are OS
 *             threads, and nth_init() says that it is not supported
 * Cost        x86-64: 29 instructions without the pointer, 32 with wrfsbase, where AT_HWCAP2 has
 *             bit 1 (Linux 5.9 and later); else a system call. aarch64: 31, and 32 with the pointer
 * Tested by   tests/unit/switch.c
 */
#ifndef NTH_ARCH_SWITCH_H
#define NTH_ARCH_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)
#define NTH_SWITCH 1
#else
#define NTH_SWITCH 0
#endif

/* Saves this context on its stack, and its stack pointer at *save. Goes on where `to` was saved. */
void nth_switch(void **save, void *to, uintptr_t pointer);

/* top: a multiple of 16. control: floating-point control with which f starts. */
void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control);
uint64_t nth_switch_control(void);  /* the caller's */
uintptr_t nth_switch_pointer(void); /* the calling thread's */

/* Whether the pointer can be set without a system call. w: nth_switch_begin(), before the first
 * switch with one */
extern bool nth_switch_direct;
void nth_switch_begin(void);

#endif
