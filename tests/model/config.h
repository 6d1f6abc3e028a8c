/* config.h - included first in every model: small sizes, no spinning, memory that is watched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_CONFIG_H
#define NTH_MODEL_CONFIG_H

#include <pthread.h>
#include <stdlib.h>

#include "runtime/base/config.h"
#include "tests/model/bridge.h"

/* Two slots are lapped at the third descriptor. */
#undef NTH_WD_SLOTS
#define NTH_WD_SLOTS 2
#undef NTH_HELP_LOOKS
#define NTH_HELP_LOOKS 1

/* A deque that is full with two items uses a slot again at the third. Of three a thief takes
 * two. */
#undef NTH_DEQUE_SLOTS
#ifdef MODEL_DEQUE_SLOTS
#define NTH_DEQUE_SLOTS MODEL_DEQUE_SLOTS
#else
#define NTH_DEQUE_SLOTS 2u
#endif

/* A domain's queue in which two members share nothing, and one more is with the first. */
#undef NTH_READY_PARTS
#define NTH_READY_PARTS 2u

/* Two nano-threads are a pack of a ready queue, three are too many. */
#undef NTH_LRQ_TAKE
#define NTH_LRQ_TAKE 2u

/* Two suspended tasks are many. */
#undef NTH_BERTHS_MANY
#define NTH_BERTHS_MANY 2u

/* Locks sleep at once; those of the program after one look. */
#undef NTH_MUTEX_LOOKS
#define NTH_MUTEX_LOOKS 0
#undef NTH_LOCK_LOOKS
#define NTH_LOCK_LOOKS 1u

/* The harness's thread i runs what the worker it made would have run. */
int model_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                         void *arg);
#define pthread_create model_pthread_create

/* Who is woken for a task in vain gives up at once. */
#undef NTH_SEARCH_NAPS
#define NTH_SEARCH_NAPS 0

/* A task's second edge lies in a block, its third in another one; what a chain of tasks owes is
 * paid at the second. */
#undef NTH_EDGES_OWN
#define NTH_EDGES_OWN 1u
#undef NTH_EDGES_MORE
#define NTH_EDGES_MORE 1u
#undef NTH_OWED_MOST
#define NTH_OWED_MOST 1u

/* Packs from the second task on, though its siblings have ended. */
#undef NTH_PACK_FROM
#define NTH_PACK_FROM 0u

/* All tasks are brief: a thief takes several. */
#undef NTH_BRIEF_FROM
#define NTH_BRIEF_FROM 0u
#undef NTH_BRIEF_MOST
#define NTH_BRIEF_MOST UINT64_MAX

#undef NTH_DOCK_POLLS
#define NTH_DOCK_POLLS 2u

/* Every poll asks nth_wait_tick, which a harness defines: it sleeps at once. */
#undef NTH_SPIN_POLLS
#define NTH_SPIN_POLLS 1

#include "runtime/mem/heap.h"
#define malloc(size) nth_model_bridge->alloc(size)
#define free(memory) nth_model_bridge->free(memory)
#define nth_heap_alloc(size) nth_model_bridge->alloc(size)
#define nth_heap_take(size) nth_model_bridge->alloc(size)
#define nth_heap_need(size) nth_model_bridge->alloc(size)
#define nth_heap_free(memory) free(memory)

#ifdef MODEL_CARRIED
/* Time stands still unless the harness moves it; system calls do nothing; TLS is shared by all
 * threads of a model. */
#include "runtime/base/clock.h"
#include "runtime/base/syscall.h"
#include "runtime/sched/nano/carry.h"
uint64_t model_clock_ns(void);
#define nth_clock_ns() model_clock_ns()
extern uint64_t model_look_ns; /* all bits set: OS threads at rest never look whether they are
                                * needed */
#undef NTH_IDLE_NANO_NS
#define NTH_IDLE_NANO_NS model_look_ns
#undef NTH_IDLE_NS
#define NTH_IDLE_NS model_look_ns
#define nth_syscall(...) 0L
#undef NTH_OVERFLOW_BYTES
#define NTH_OVERFLOW_BYTES 64u
struct nth_identity *model_identity(void);
#define nth_identity_mine() model_identity()
#else
#define NTH_BASE_CLOCK_H /* in place of base/clock.h: time stands still */
#define nth_clock_ns() UINT64_C(1)
#endif

#ifdef MODEL_HELD
#include "tests/model/threads.h"
#endif

#ifdef MODEL_MEMBERS
/* The member is the thread's number: coroutines share the OS thread's TLS. */
#include "runtime/omp/member/member.h"
struct nth_member *model_member(void);
#define nth_member_get() model_member()
#define nth_member_known() model_member()
#endif

#endif
