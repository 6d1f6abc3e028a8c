/* worker_wait.c - what waits ask of a worker whose member may change its OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/check.h"
#include "runtime/sched/threads/worker.h"

static struct nth_identity *identity_of(struct nth_waiter *t) {
  nth_assert(t->serves); /* the waiter of a worker that has an identity */
  return nth_worker_self((struct nth_worker *)((char *)t - offsetof(struct nth_worker, waiter)));
}

static struct nth_waiter *os_waiter(struct nth_waiter *t) {
  return &nth_load_rlx(&identity_of(t)->carrier)->waiter;
}

static bool is_guest(struct nth_waiter *t) {
  const struct nth_identity *me = identity_of(t);
  return nth_load_rlx(&me->carrier) != me->own;
}

static bool serve(struct nth_waiter *t) {
  struct nth_identity *me = identity_of(t);
  return nth_carry_wanted(nth_load_rlx(&me->carrier)) && nth_carry_yield(me);
}

static void try_home(struct nth_waiter *t) {
  struct nth_identity *me = identity_of(t);
  if (nth_carry_may_leave(me))
    nth_carry_try_home(me);
}

static void tire(struct nth_waiter *t) { nth_load_rlx(&identity_of(t)->carrier)->tired = true; }

void nth_worker_begin(void) {
  nth_wait_hooks = (struct nth_wait_hooks){os_waiter, is_guest, try_home, serve, tire};
}
