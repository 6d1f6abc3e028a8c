/* members.c - which members are nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/members.h"

#include "runtime/base/clock.h"
#include "runtime/base/msg.h"
#include "runtime/place/places.h"
#include "runtime/sched/watchdog.h"

/* Why members have to be OS threads; NULL: they need not. */
static const char *refusal(void) {
  if (!NTH_CONTEXT)
    return "there is no switch of contexts for this machine";
  if (nth_places_given())
    return "threads are bound to places";
  return 0;
}

void nth_members_begin(void) {
  if (nth_env.members == NTH_MEMBERS_OS)
    return;
  const char *why = refusal();
  if (!why)
    nth_carry_begin(nth_env.test_move);
  else if (nth_verbose)
    nth_msg("NTH_MEMBERS: members are OS threads: %s", why);
}

struct nth_family *nth_members_family(struct nth_member *m) {
  return m->proc->waiter.serves ? m->proc->carrier.family : 0;
}

uint32_t nth_members_leaders(const struct nth_team *t, uint32_t n) {
  uint32_t k = 1;
  while (k < n && !nth_processor_nano(t->group.proc[k]))
    k++;
  return k == n ? 0 : k;
}

/* Whether an OS thread of a leader sleeps: then the region may be over before it is awake. */
static bool leader_sleeps(const struct nth_team *t) {
  for (uint32_t i = 1; i < t->leaders; i++)
    if (nth_load_rlx(&t->group.proc[i]->carrier.asleep) != 0)
      return true;
  return false;
}

void nth_members_lead(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd, bool quietly) {
  uint32_t k = t->leaders, me = m->now.thread_num, n = 0;
  struct nth_identity *first = 0, *last = 0;
  struct nth_wd one = *wd;
  if (!t->group.gwd)
    for (uint32_t i = me + k; i < t->size; i += k) {
      one.addressee = i;
      nth_wdarray_put(&t->group.proc[i]->lwd, &one);
    }
  nth_fence_full(); /* processor:F */
  for (uint32_t i = me + k; i < t->size; i += k) {
    struct nth_identity *x = nth_processor_take_out(t->group.proc[i], quietly);
    if (!x)
      continue;
    if (last)
      last->next = x;
    else
      first = x;
    last = x;
    n++;
  }
  if (!first)
    return;
  last->next = 0;
  nth_carry_ready_all(nth_load_rlx(&m->identity->carrier), first, n);
}

void nth_members_fork(struct nth_member *m, struct nth_team *t, struct nth_wd *wd) {
  bool sleeps = leader_sleeps(t), quietly = sleeps && t->body_ns * t->size < NTH_ALONE_NS && t->body_ns != 0;
  t->forked_at = sleeps ? nth_clock_ns() : 0;
  if (!t->group.gwd)
    for (uint32_t i = 1; i < t->leaders; i++) {
      wd->addressee = i;
      nth_wdarray_put(&t->group.proc[i]->lwd, wd);
    }
  nth_fence_full(); /* processor:F */
  for (uint32_t i = 1; i < t->leaders; i++) {
    struct nth_processor *p = t->group.proc[i];
    if (nth_load_rlx(&p->dock) != NTH_DOCK_AWAKE)
      (void)nth_processor_take_out(p, quietly);
  }
  if (quietly)
    nth_watch_arm();
  nth_members_lead(m, t, wd, quietly);
}

void nth_members_join(struct nth_team *t) {
  if (t->forked_at == 0)
    return;
  uint64_t body = nth_clock_ns() - t->forked_at;
  t->body_ns = t->body_ns == 0 ? body : (t->body_ns * 3 + body) / 4;
}

bool nth_members_await_slave(struct nth_member *m, struct nth_team *t, uint32_t i) {
  _Atomic(uint32_t) *count = &t->slot[i]->djs.count;
  uint32_t value = nth_load_rlx(count);
  if (nth_load_rlx(&t->tasked) || nth_djs_done(&t->slot[i]->djs, nth_load_rlx(&t->pjv[i])))
    return false;
  return nth_members_await(m, t, count, value);
}
