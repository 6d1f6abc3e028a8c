/* ordered.c - ordered regions of a work-sharing loop
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * share->turn (progress.h) is the first iteration of the chunk that has the turn. A chunk takes its
 * turn at its first ordered region and passes it when its member asks for the next chunk. If it had
 * no region it waits for its turn first, so that turns pass in the order of iterations.
 *
 * An iteration of OpenMP has one ordered region at most. With that known the turn could pass after
 * the last iteration's region, and what follows that region would overlap with other chunks. But
 * programs have several, in an inner loop or under a condition, and on libgomp all of these are in
 * order. So a member passes its turn early only when many chunks of its own have had one region an
 * iteration, and no member of the loop has seen more.
 */
#include "runtime/base/msg.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/sched/wait/wait.h"

__attribute__((noinline)) static void wait_turn(struct nth_member *m, struct nth_loop *l) {
  struct nth_progress *turn = &l->share->turn;
  struct nth_wait w;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_ORDERED, m->now.team->crowded);
  while (!nth_cancelled_team(m->now.team)) {
    uint32_t seen = nth_progress_seen(turn);
    if (nth_progress_reached(turn, l->begin))
      break;
    if (nth_task_go_on_beside(m) || nth_wait_poll(&w) ||
        nth_members_await_post(m, m->now.team, turn, seen))
      continue;
    uint32_t ticket;
    uint64_t timeout = nth_progress_enter(turn, l->begin, &ticket);
    if (!nth_progress_reached(turn, l->begin))
      nth_progress_sleep(turn, ticket, nth_cancel_timeout(nth_task_nap_beside(m, timeout)));
  }
  nth_wait_end(&w);
}

static inline void take_turn(struct nth_member *m, struct nth_loop *l) {
  nth_assert(l->share && !l->turn && l->begin < l->end);
  nth_claim_stop(&l->claim);
  if (!nth_progress_reached(&l->share->turn, l->begin))
    wait_turn(m, l);
  if (l->claim.size > 1)
    nth_claim_go_on(&l->claim);
  l->turn = true;
}

/* The region of a single chunk does not count: regions never overlap. */
static inline void pass_turn(struct nth_loop *l) {
  nth_assert(l->turn);
  l->turn = false;
  nth_progress_post(&l->share->turn, l->end);
  if (l->claim.size == 1)
    nth_claim_go_on(&l->claim);
}

/* A further region of a chunk whose turn has passed. */
__attribute__((cold, noinline)) static void comes_too_late(struct nth_loop *l) {
  static _Atomic(uint32_t) said;
  nth_store_rlx(&l->share->several, true);
  if (nth_load_rlx(&said) == 0 && nth_add_rlx(&said, 1) == 0)
    nth_msg("an iteration of an ordered loop has a second ordered region, where earlier ones had "
            "one, as OpenMP demands; it may run out of order");
}

void nth_ordered_begin(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  if (!l->ordered || l->turn || l->begin == l->end)
    return;
  if (nth_unlikely(l->passed))
    comes_too_late(l);
  else
    take_turn(m, l);
}

void nth_ordered_end(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  nth_assert(!(l->turn && l->passed));
  if (!l->turn || ++l->regions != l->end - l->begin || l->plain < NTH_ORDERED_PLAIN ||
      nth_load_rlx(&l->share->several))
    return;
  l->passed = true;
  pass_turn(l);
}

/* What the chunk that is done tells of the loop. */
static void learn(struct nth_loop *l) {
  uint64_t iterations = l->end - l->begin;
  nth_assert(l->begin < l->end && l->plain <= NTH_ORDERED_PLAIN);
  if (nth_unlikely(l->regions > iterations))
    nth_store_rlx(&l->share->several, true);
  else if (l->regions == iterations && l->plain < NTH_ORDERED_PLAIN)
    l->plain++;
  l->regions = 0;
}

void nth_ordered_chunk_done(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  if (l->begin == l->end)
    return;
  learn(l);
  if (l->passed) {
    l->passed = false;
    return;
  }
  if (!l->turn)
    take_turn(m, l);
  pass_turn(l);
}
