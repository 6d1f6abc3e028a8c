/* switch.h - from one stack to another on the same OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread that blocks keeps its stack while others run. Only what a called function has
 *             to preserve is saved: the callee-saved registers and, as the ABIs demand, the control bits
 *             of floating point (MXCSR and x87 control word; FPCR with d8-d15). They are written back
 *             only where they differ, for that write waits for all that is under way.
 * Use         sp = nth_switch_make(top, f, arg, control): a stack on which f(arg) starts; nth_switch(&mine, sp)
 *             leaves: it returns when somebody switches to `mine`. f never returns.
 * Not saved   what belongs to the OS thread: TLS, signal mask, signal stack. errno and the state of C++
 *             exceptions lie in TLS: who leaves sees to them (block.c)
 * Unwinding   both functions carry unwind tables for each instruction; a started stack ends at its
 *             first frame, so a debugger's backtrace does, and an exception that nobody catches ends
 *             the program as in a thread's first function
 * Written     in switch_x86_64.S and switch_aarch64.S; elsewhere there is no switch, and nth_init() says so
 */
#ifndef NTH_NTH_SWITCH_H
#define NTH_NTH_SWITCH_H

#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)
#define NTH_SWITCH 1
#else
#define NTH_SWITCH 0
#endif

#if NTH_SWITCH
/* Saves this context on its stack and its stack pointer at *save; goes on where `to` was saved. */
void nth_switch(void **save, void *to);

/* top: multiple of 16, the end of the stack. control: floating-point control with which f starts. */
void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control);
uint64_t nth_switch_control(void); /* the caller's */
#endif

#endif
