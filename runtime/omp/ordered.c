/* ordered.c - ordered regions of a work-sharing loop
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * share->turn is the iteration with which the chunk begins whose turn it is. A chunk takes its turn at
 * its first ordered region and passes it after its last, or when the member asks for the next chunk:
 * then it waits for its turn first, so that turns pass in the order of iterations.
 */
#include "runtime/omp/loop.h"
#include "runtime/omp/team.h"
#include "runtime/sched/wait.h"

static void wait_turn(struct nth_member *m, struct nth_loop *l) {
  struct nth_team *t = m->now.team;
  struct nth_wait w;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_ORDERED, t->crowded);
  while (nth_load_acq(&l->share->turn) != l->begin) { /* workshare:O */
    if (nth_wait_poll(&w))
      continue;
    uint32_t ticket = nth_bell_enter(&t->bell);
    if (nth_load_acq(&l->share->turn) != l->begin) /* workshare:O */
      nth_bell_sleep(&t->bell, ticket, 0);
    nth_bell_leave(&t->bell);
  }
  nth_wait_end(&w);
  l->turn = true;
}

static void pass_turn(struct nth_member *m, struct nth_loop *l) {
  nth_store_rel(&l->share->turn, l->end); /* workshare:O */
  nth_fence_full(); /* bell:F: against a sleeper's enter */
  nth_bell_ring(&m->now.team->bell, INT_MAX);
  l->turn = false;
  l->ordered_left = 0;
}

void nth_ordered_begin(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  if (l->ordered && !l->turn && l->ordered_left > 0)
    wait_turn(m, l);
}

void nth_ordered_end(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  if (l->turn && --l->ordered_left == 0)
    pass_turn(m, l);
}

void nth_ordered_chunk_done(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  if (l->begin == l->end || l->ordered_left == 0)
    return;
  if (!l->turn)
    wait_turn(m, l);
  pass_turn(m, l);
}
