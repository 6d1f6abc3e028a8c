/* traits.h - what a new OS thread inherits from its creator, and what a program can change of it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A held OS thread that runs a created thread must look as a new OS thread would: with
 *             its creator's CPUs, scheduling, name and signal mask. To ask the kernel for all that
 *             costs more than the rest of a created thread. But most programs never change these:
 *             then they are the same for all threads, and nothing need be asked.
 * Use         nth_trait_of() says what an imported function can change; nth_fresh_look() (fresh.h)
 *             adds this up for the process. nth_traits_read() asks the kernel for that, for the
 *             calling thread
 * NEVER       the process can change what a thread cannot be given back (rights, rings of
 *             io_uring). Then no OS thread is used twice
 * Falls short What objects.h says: calls that are found by dlsym() are not seen
 */
#ifndef NTH_SCHED_TRAITS_H
#define NTH_SCHED_TRAITS_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  NTH_TRAIT_CPUS = 1,     /* the affinity mask */
  NTH_TRAIT_SCHEDULE = 2, /* policy, priority, nice value */
  NTH_TRAIT_NAME = 4,
  NTH_TRAIT_MASK = 8,      /* the signal mask: given to each created thread */
  NTH_TRAIT_SIGSTACK = 16, /* a signal stack: a new thread has none */
  NTH_TRAIT_KEYS = 32,     /* thread-specific data (fresh.h) */
  NTH_TRAIT_LOCALE = 64,   /* uselocale(): a new thread has the global one */
  NTH_TRAIT_CANCEL = 128,  /* cancelability: a new thread's is on and deferred */
  NTH_TRAIT_ENDS = 256,    /* destructors of thread_local objects: only a thread's end runs them */
  NTH_TRAIT_ROBUST = 512,  /* robust mutexes: the kernel passes them on when their owner ends */
  NTH_TRAIT_NEVER = 1024,
  NTH_TRAIT_CALLS = 2048,     /* only a call tells what it changes; where calls are not watched it
                               * counts as NEVER */
  NTH_TRAIT_ABROAD = 4096,    /* what a thread leaves behind finds it by its number, or a process is
                               * copied unseen; looked at by tools/hold, and
                               * before a held thread is lent (lend.h) */
  NTH_TRAIT_OS_THREAD = 8192, /* it can tell on which OS thread it runs, reaches another thread's,
                               * or has constructs of OpenMP */
  NTH_TRAIT_CONTROLS = 16384, /* prctl(): timer slack, rights given up, filters of system calls */
  /* where an object can do this, no joiner runs a created thread (carried.h) */
  NTH_TRAITS_CARRIED = 32767 & ~(NTH_TRAIT_KEYS | NTH_TRAIT_LOCALE | NTH_TRAIT_CANCEL),
  /* what a new thread does not have from its creator */
  NTH_TRAITS_THREADS_OWN = NTH_TRAIT_SIGSTACK | NTH_TRAIT_ROBUST,
  /* where an object can do this, each created thread of tholder_create() has its own OS thread */
  NTH_TRAITS_OWN = NTH_TRAIT_ENDS | NTH_TRAIT_NEVER | NTH_TRAIT_CALLS
};

/* What a created thread inherits, and each held thread can be given. */
struct nth_traits_given {
  uint64_t control; /* floating-point control */
  uint64_t mask;    /* signal mask, if that is looked at */
  uint32_t raised;  /* floating-point exceptions that the creator had raised */
};

/* NTH_TRAIT_ bits of an imported name; 0: none. */
uint32_t nth_trait_of(const char *name);

/* What the kernel says of the calling thread, as far as `which` (NTH_TRAIT_) asks; the rest is 0.
 * So two threads with the same traits have the same bytes. */
struct nth_traits {
  uint64_t cpus; /* a hash of the affinity mask */
  int32_t policy, priority, nice;
  uint16_t stack; /* 1: it has a signal stack */
  uint16_t owns;  /* 1: it owns robust mutexes */
  char name[16];
  int32_t slack;          /* its timers', ns */
  int16_t keeps, filters; /* capabilities where user numbers change; PR_GET_SECCOMP */
  int64_t no_new_rights;  /* 1: PR_SET_NO_NEW_PRIVS */
};
static_assert(sizeof(struct nth_traits) == 56, "no padding: its bytes are compared");
void nth_traits_read(struct nth_traits *t, uint32_t which);

/* The bytes of stack and guard that the attributes ask for. False: they ask for more than these and
 * a detach state: for a stack of the caller's own, a scheduling policy, CPUs, a signal mask. */
bool nth_traits_attributes(const pthread_attr_t *a, size_t *stack, size_t *guard);

/* The calling thread's signal mask, in the kernel's form. */
uint64_t nth_traits_mask(void);
void nth_traits_set_mask(uint64_t mask);
/* All signals but the C library's own: 32 is of pthread_cancel(), 33 of setuid() and its kin. */
#define NTH_TRAITS_BLOCKED (~((uint64_t)3 << 31))
/* Blocks these; returns the mask before. */
uint64_t nth_traits_block(void);

#endif
