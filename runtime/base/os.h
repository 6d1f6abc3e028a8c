/* os.h - fences, clocks and CPUs from the system
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Orders      M   announced: the release that says so -> who wants a fence: it came after the
 *                 announcement
 */
#ifndef NTH_BASE_OS_H
#define NTH_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

/* The next multiple of align, a power of two. */
static inline uintptr_t nth_round_up(uintptr_t at, size_t align) {
  return (at + align - 1) & ~(uintptr_t)(align - 1);
}

/* Whether the process has this thread only. */
bool nth_os_is_alone(void);

/* A detached thread of the runtime's own, with all signals blocked. 0, or pthread_create()'s
 * error. */
int nth_os_thread(void *(*run)(void *), void *argument);

/* A full fence in every running thread of the process; false: the system has none to give (old
 * kernel, sandbox), or not yet; nothing is ordered. One system call that interrupts other CPUs.
 *
 * The kernel gives such fences to processes that have announced themselves. That takes 1 us as long
 * as the process has one thread, and else 7 to 35 ms (an RCU grace period). So it is done when the
 * library is loaded; children of a fork have it from their parent. If there are threads by then
 * (dlopen in a running program), the first who wants a fence starts a thread that announces the
 * process; fences fail until it has. */
bool nth_os_fence_all(void);

/* Whether the system has such a fence: the cheap sides may then be light ones. Found out by
 * nth_os_begin() when the library is loaded, and the same from then on; before that false. */
extern bool nth_os_fences_all;
void nth_os_begin(void);
/* In the child of a fork, while it has one thread. */
void nth_os_forked(void);

/* It is refused all the same: the program went into a sandbox, or is only being announced. As long
 * as that lasts nobody counts on getting at what another thread keeps with a light fence. A hint:
 * who needs a fence goes by what nth_os_fence_all() says each time. */
extern _Atomic(bool) nth_os_fences_lost;

/* Whether the processor keeps a second stack of return addresses for the calling thread (x86-64:
 * CET's shadow stack, aarch64: GCS). A switch of stacks would end the process then. One system
 * call. */
bool nth_os_shadow_stack(void);

/* What the system says of this thread so far. Two system calls, and no file: a descriptor's number
 * might be the one that another thread of the program counts on. */
struct nth_os_usage {
  uint64_t cpu_ns; /* time on a CPU */
  int64_t taken;   /* times that another thread got the CPU, though this one could have gone on */
  int64_t left;    /* times that it left the CPU to sleep, or to wait for something */
};
struct nth_os_usage nth_os_usage(void);

/* CPU time of another thread of the process so far, by its number; 0: of the whole process. */
uint64_t nth_os_cpu_of(int thread);

/* Whether others want the CPU that this thread is on; they get it. */
bool nth_os_offer_cpu(void);

/* If this thread runs on the given CPU: moves it to another one of its mask, if there is one, and
 * leaves it the whole mask. Five system calls at most and a migration. */
void nth_os_leave_cpu(int cpu);
/* Threads are bound to places, also when these are all CPUs there are: moving within its mask a
 * thread does not ask for more. w: who binds one. */
extern _Atomic(bool) nth_os_bound;

#endif
