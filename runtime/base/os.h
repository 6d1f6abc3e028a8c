/* os.h - fences, clocks and CPUs from the operating system
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All functions leave errno as it was: waits of the program's call them, and a filter of system
 * calls may refuse any call.
 *
 * Orders      M   announced: the release that sets it -> the thread that wants a fence: its fence
 *                 comes after the announcement
 *             B   sent: the maker of a thread has set its mask -> what the thread runs next
 */
#ifndef NTH_BASE_OS_H
#define NTH_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/syscall.h"

/* The next multiple of align, a power of two. */
static inline uintptr_t nth_round_up(uintptr_t at, size_t align) {
  nth_assert(align > 0 && (align & (align - 1)) == 0);
  return (at + align - 1) & ~(uintptr_t)(align - 1);
}

/* Bytes of a page. Of the C library's ways this one touches the fewest pages of it: sysconf() is
 * code that no other part of a start uses. */
static inline size_t nth_os_page(void) { return (size_t)getpagesize(); }

/* Gives the CPU to a thread that wants it. The system call itself, for the same reason. */
static inline void nth_os_yield(void) { (void)nth_syscall(SYS_sched_yield, 0, 0, 0, 0, 0); }

/* Sleeps for 10 ms: what is missing may come. No cancellation point. */
static inline void nth_os_rest(void) {
  const struct timespec rest = {0, 10000000};
  (void)nth_syscall(SYS_nanosleep, (long)&rest, 0, 0, 0, 0);
}

/* Whether the calling thread is the only one of the process. It may say false when others have
 * ended. */
bool nth_os_is_alone(void);
/* The kernel's count of the process's threads, 0: not known. Threads that are just ending count,
 * and so does the first one when it has ended before others. */
uint32_t nth_os_tasks(void);
/* Whether the calling thread is the only one, by the kernel's count unless nth_os_is_alone(). */
bool nth_os_has_one_thread(void);

/* Starts a detached thread of the runtime's own, with all signals blocked. Returns 0 or
 * pthread_create()'s error. */
int nth_os_thread(void *(*run)(void *), void *argument);

/* Makes a full fence in every running thread of the process. False: the system has no such fence
 * (old kernel, sandbox), or not yet, and nothing is ordered. One system call that interrupts other
 * CPUs.
 *
 * The kernel gives such fences to processes that have announced themselves. An announcement takes
 * 1 us while the process has one thread, and otherwise 7 to 35 ms (an RCU grace period). So the
 * library makes it when it is loaded; children of a fork have their parent's. If there are threads
 * by then (dlopen in a running program), the first thread that wants a fence starts another one,
 * which announces the process. Until it has, fences fail. */
bool nth_os_fence_all(void);

/* Whether the system has such a fence, so that the fences on the cheap sides may be light ones.
 * nth_os_begin() finds out when the library is loaded. Before that it is false; after that it does
 * not change. */
extern bool nth_os_fences_all;
void nth_os_begin(void);
/* In the child of a fork, while it has one thread. */
void nth_os_forked(void);

/* Such a fence was refused although the system has it: the program went into a sandbox, or its
 * announcement is still under way. While this is set, no thread may rely on taking what another one
 * keeps to itself with a light fence. A hint: code that needs a fence goes by the result of
 * nth_os_fence_all() each time. */
extern _Atomic(bool) nth_os_fences_lost;

/* Whether the CPU keeps a second stack of return addresses for the calling thread (x86-64: CET's
 * shadow stack, aarch64: GCS). Then a switch of stacks would end the process. One system call. */
bool nth_os_shadow_stack(void);

/* The CPU that the calling thread is on; -1: not known. */
int nth_os_on_cpu(void);

/* What the system counts for this thread. Two system calls, and no file: opening one would take a
 * file descriptor's number on which another thread of the program may rely. */
struct nth_os_usage {
  uint64_t cpu_ns; /* time on a CPU */
  int64_t taken;   /* times that another thread got the CPU although this one could have gone on */
  int64_t left;    /* times that it left the CPU to sleep or to wait for something */
};
struct nth_os_usage nth_os_usage(void);

/* The CPU time in ns of a thread of the process, by its number; 0: of the whole process. */
uint64_t nth_os_cpu_of(int thread);

/* The CPU time in ns of the calling thread. One system call. */
uint64_t nth_os_cpu_mine(void);

/* Gives the CPU to other threads that want it. True: there were some. */
bool nth_os_offer_cpu(void);

/* If this thread runs on this CPU: moves it to another one of its mask, if there is one. Its mask
 * stays as it was, or becomes what somebody outside sets meanwhile. At most six system calls and a
 * migration. */
void nth_os_leave_cpu(int cpu);
/* Moves that thread of the process, 0: the calling one, to the caller's CPU, or away from it, if it
 * may run there and elsewhere. Its mask stays, as above. At most six system calls. */
void nth_os_move(int thread, bool here);
/* How a new thread gets away from its maker's CPU, where the kernel mostly puts it. */
struct nth_os_birth {
  int cpu; /* the maker's when it began to make the thread; -1: the thread may stay there */
  _Atomic(bool) sent; /* the maker has done with the thread's mask; w: maker; r: thread; B */
};
/* By the maker: moves the new thread away as above. That thread may be waiting for the end of the
 * maker's slice. It must not have ended. */
void nth_os_send_off(pthread_t thread, struct nth_os_birth *b);
/* By the new thread, before it runs anything of the program: waits until the maker has done with
 * the thread's mask. Else a mask that the program sets in the thread might be lost. leaves: after
 * that the thread leaves the maker's CPU. */
void nth_os_arrive(struct nth_os_birth *b, bool leaves);
/* The calling OS thread's number. One system call. */
int nth_os_tid(void);
/* Threads are bound to places, perhaps to all CPUs there are. Then a thread that moves within its
 * mask does not ask for more CPUs. w: a thread that binds one. */
extern _Atomic(bool) nth_os_bound;

#endif
