/* context.h - a switch that takes the thread pointer along
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member that moves to another OS thread keeps its stack and its TLS: threadprivate, errno, the
 *             state of C++ exceptions and of malloc lie there, and compilers take TLS addresses for
 *             constant in a function.
 * Use         sp = nth_context_make(top, f, arg): a context that starts f(arg), which never returns, on the stack
 *             that ends at top, with the caller's floating-point control. nth_context_switch(&mine, sp,
 *             pointer): leaves; it returns when somebody switches to `mine`.
 * Saved       the callee-saved registers and floating-point control, as in nth/switch.h
 * A signal    between the new stack and the new pointer finds the left context's TLS, which nobody else
 *             uses yet: the left one is offered to others only after the switch (carry.c)
 * Cost        x86-64: 25 instructions with wrfsbase, where AT_HWCAP2 has bit 1 (Linux 5.9 and later); else a
 *             system call
 * Tested by   tests/unit/context.c
 */
#ifndef NTH_SCHED_CONTEXT_H
#define NTH_SCHED_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)
#define NTH_CONTEXT 1
/* Saves this context on its stack and its stack pointer at *save; goes on where `to` was saved. */
void nth_context_switch(void **save, void *to, uintptr_t pointer);
/* top: a multiple of 16. */
void *nth_context_make(void *top, void (*f)(void *), void *arg);
/* The calling thread's. */
uintptr_t nth_context_pointer(void);
#else
#define NTH_CONTEXT 0 /* members are OS threads there */
#endif

/* Whether the pointer can be set without a system call. w: nth_context_begin(), before the first switch */
extern bool nth_context_direct;
void nth_context_begin(void);

#endif
