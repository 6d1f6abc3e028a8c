/* member.h - a member: what a program sees as one OpenMP thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member has a thread's number, team, level and ICVs. The thread's word nth_self
 *             points to it.
 * Use         nth_self is NULL in a thread that has not called the runtime yet; nth_member_get()
 *             then makes the member. Only its own thread reads and writes a member: nothing in it
 *             is atomic.
 * Invariants  I1  now.team == NULL <=> now.level == 0; then thread_num == 0 and team_size == 1
 *                 (target regions and teams are at level 0 again, see role.h)
 *             I2  now.icv points to the current task's own copy, to a team's, or to nth_env.initial
 *             I3  now.slot is never NULL: it is a slot of the team, or `solo` outside teams
 */
#ifndef NTH_OMP_MEMBER_H
#define NTH_OMP_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/mem/pool.h"
#include "runtime/omp/types/icv.h"
#include "runtime/omp/types/member_type.h"
#include "runtime/sched/nano/self.h"
#include "runtime/sched/threads/worker.h"

/* Called with a member whose thread ends: releases what the member holds, then frees it. The room
 * omp/process sets this hook at load. */
extern void (*nth_member_end_hook)(void *m);

/* This thread's member, made when it is first needed. Without memory for it the process ends with a
 * message, since a thread without its state has no answer to give. */
struct nth_member *nth_member_make(void);
static inline struct nth_member *nth_member_get(void) {
  struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? m : nth_member_make();
}

/* This thread's member; NULL: it has none, and need not have one. */
static inline struct nth_member *nth_member_known(void) { return nth_self; }

/* This thread's pool of descriptors. A thread that is no member has one that keeps nothing. */
extern struct nth_pool nth_member_no_pool;
static inline struct nth_pool *nth_member_pool(void) {
  struct nth_member *m = nth_member_known();
  return nth_likely(m != 0) ? &m->pool : &nth_member_no_pool;
}

/* Memory of that pool that the program cannot go on without, with any contents; and back. */
void *nth_member_take_slow(size_t size);
static inline void *nth_member_take(size_t size) {
  void *memory = nth_pool_take(nth_member_pool(), nth_pool_class(size), size);
  return nth_likely(memory != 0) ? memory : nth_member_take_slow(size);
}
static inline void nth_member_give(void *memory, size_t size) {
  nth_pool_give(nth_member_pool(), memory, nth_pool_class(size));
}

/* The permit of the OS thread that runs m, the caller. */
static inline struct nth_permit *nth_member_permit(const struct nth_member *m) {
  return m->identity ? &nth_load_rlx(&m->identity->carrier)->permit : &m->proc->permit;
}

/* m, the caller, is at a safe point (permit.h). */
void nth_member_pass_slow(struct nth_member *m);
static inline void nth_member_pass(struct nth_member *m) {
  if (nth_permits_limited())
    nth_member_pass_slow(m);
}

/* The ICVs of the current task, to read. */
static inline const struct nth_icv *nth_icv_read(void) {
  struct nth_member *m = nth_self;
  return m ? m->now.icv : &nth_env.initial;
}

/* The ICVs of the current task, to write: from now on it has a copy of its own. */
struct nth_icv *nth_icv_mine(void);

/* Zeroed memory for a member, of which most members touch the beginning and the end; NULL: none. */
struct nth_member *nth_member_new(void);

/* Makes the member of a worker's thread; another thread calls it, and the worker's thread adopts
 * the member. pool: the number of the domain to which its pool belongs from now on; lay.h. object:
 * zeroed memory for it; NULL: it is made. */
struct nth_member *nth_member_for_worker(struct nth_worker *p, uint32_t pool,
                                         struct nth_member *object);
/* Frees a member whose thread was not made. */
void nth_member_unused(struct nth_member *m);
void nth_member_adopt(struct nth_member *m);
/* Puts m outside all teams, into its initial task. */
void nth_member_alone(struct nth_member *m);
/* The calling thread is no member any longer, and goes on: nth_member_end_hook is not called at its
 * end. False: it would be. */
bool nth_member_let_go(void);
/* Prepares the end of a worker's thread: the program's destructors there run outside any region
 * (nth_holder_config.leave). */
bool nth_member_leave(struct nth_worker *p);

#endif
