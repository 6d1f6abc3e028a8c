/* member.h - one OpenMP thread with its identity
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member is what a program sees as an OpenMP thread: its number, team, level and ICVs.
 *             It hangs on the thread's one TLS word.
 * Use         nth_self is NULL in a thread that has not called the runtime yet; nth_member_get()
 *             makes it. A member is read and written by its own thread only: nothing is atomic.
 * Invariants  I1  now.team == NULL  <=>  now.level == 0; then thread_num == 0 and team_size == 1
 *                 (target regions and teams are at level 0 again, see context.h)
 *             I2  now.icv points to the current task's own copy, to a team's, or to nth_env.initial
 *             I3  now.slot is never NULL: the team's, or `solo` outside teams
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
#include "runtime/omp/types/slot.h"
#include "runtime/sched/nano/self.h"
#include "runtime/sched/nano/stack.h"

struct nth_team;
struct nth_task;
struct nth_identity;
struct nth_processor;
struct nth_context;

/* What a region saves of its encountering task and restores at its end. */
struct nth_member_state {
  struct nth_team *team;
  struct nth_slot *slot;
  struct nth_task *task;      /* the current task: implicit, explicit or initial */
  const struct nth_icv *icv;  /* of the current task */
  uint32_t thread_num, team_size, level, active_level;
  uint64_t seat;              /* place and place-partition-var, 0: not bound; place/assign.h */
};

/* Which team of a teams construct's league. Outside: 0 of 1. */
struct nth_league {
  uint32_t num, teams;
};

struct nth_member {
  struct nth_identity *identity; /* first: self.h. NULL: it is an OS thread's, members are not carried */
  struct nth_member_state now;
  struct nth_league league;    /* of a root or context; inside a region see its team */
  struct nth_team *next_team;  /* the team this member masters next: one per nesting depth */
  struct nth_team *teams;      /* all of them, outermost first */
  struct nth_team *lent;       /* the one whose slaves are nth.h's processors, or were, NULL: none; */
  bool lends;                  /* whether they are now */
  uint32_t taken;              /* threads taken for the region it is about to fork, see team_make.c */
  struct nth_processor *proc;  /* the OS thread it runs on */
  struct nth_task *initial;    /* the root's initial task */
  struct nth_context *context; /* innermost target or teams region it runs; context.h; NULL: none */
  struct nth_pool pool;        /* descriptors of tasks; mem/pool.h */
  struct nth_chain *chain;     /* while it finishes a task that it has run: what comes next; task_finish.h */
  uint32_t left, left_before;  /* tasks it has left for later, and before this call began; task_run.h */
  bool anything;               /* it finishes a task at a point where it starts any; task_run.c */
  uint32_t generation;         /* of fork() when `now` was last set up, see forked.h */
  uint32_t number;             /* its own in this process, from 1 on */
  bool is_root;                /* a program's thread, not one of the holder's */
  struct nth_member *next;     /* in a team's list of spare objects */
  bool acc_silent;             /* OpenACC: this thread's events are off, see acc/prof.h */
  bool acc_starting;           /* OpenACC: it runs the events of the device's init */
  uint32_t acc_epoch;          /* OpenACC: when it was attached to the device, see acc/device.h */
  struct nth_berth *berth;     /* on which it runs, NULL: its own stack; task_berth.h */
  bool own_known;              /* own_stack is filled in */
  struct nth_stack own_stack;
  uint64_t habit[NTH_HABITS];  /* of functions of untied tasks */
  struct nth_slot solo;        /* constructs outside any team */
};

/* This thread's member, made on first need. Without memory the process cannot go on: it ends with a
 * message, as a thread without its state has no answer to give. */
struct nth_member *nth_member_make(void);
static inline struct nth_member *nth_member_get(void) {
  struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? m : nth_member_make();
}

/* The same where a thread need not be a member: NULL then. */
static inline struct nth_member *nth_member_known(void) { return nth_self; }

/* This thread's pool of descriptors; of a thread that is no member one that keeps nothing. */
extern struct nth_pool nth_member_no_pool;
static inline struct nth_pool *nth_member_pool(void) {
  struct nth_member *m = nth_member_known();
  return nth_likely(m != 0) ? &m->pool : &nth_member_no_pool;
}

/* Memory from there for what the program cannot go on without, with anything in it; and back. */
void *nth_member_take_slow(size_t size);
static inline void *nth_member_take(size_t size) {
  void *memory = nth_pool_take(nth_member_pool(), nth_pool_class(size), size);
  return nth_likely(memory != 0) ? memory : nth_member_take_slow(size);
}
static inline void nth_member_give(void *memory, size_t size) {
  nth_pool_give(nth_member_pool(), memory, nth_pool_class(size));
}

/* The ICVs of the current task, to read. */
static inline const struct nth_icv *nth_icv_read(void) {
  struct nth_member *m = nth_self;
  return m ? m->now.icv : &nth_env.initial;
}

/* The ICVs of the current task, to write: a copy of its own from now on. */
struct nth_icv *nth_icv_mine(void);

/* A member for a processor's thread, made by another thread; the thread itself takes it on. pool:
 * the number of the domain to which its pool belongs, for good; lay.h. object: zeroed memory for it; NULL: it is
 * made. */
struct nth_member *nth_member_for_processor(struct nth_processor *p, uint32_t pool, struct nth_member *object);
/* The thread was not made. */
void nth_member_unused(struct nth_member *m);
void nth_member_adopt(struct nth_member *m);
/* m is outside of all teams, in its initial task. */
void nth_member_alone(struct nth_member *m);
/* The processor's thread is about to end: what the program's destructors do there from here on
 * happens outside any region (nth_holder_config.leave). */
bool nth_member_leave(struct nth_processor *p);

#endif
