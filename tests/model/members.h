/* members.h - a team of a few members for the models of runtime/omp and runtime/sched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         The harness is compiled with MODEL_MEMBERS and linked with the runtime's own sources;
 *             here is what those want besides: a waiting policy that sleeps at once, memory, the
 *             process-wide variables. Thread i of a case is member i of world.team.
 */
#ifndef NTH_MODEL_MEMBERS_H
#define NTH_MODEL_MEMBERS_H

#include "tests/model/model.h"

#include "runtime/base/os.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/binding.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/place/places/allowed.h"
#include "tests/model/stubs_carry.h"
#include "tests/model/stubs_lend.h"
#include "tests/model/stubs_wait.h"

enum { MODEL_MEMBERS_MOST = 4 };

struct model_team {
  struct nth_team team;
  struct nth_slot slot[MODEL_MEMBERS_MOST], *slots[MODEL_MEMBERS_MOST];
  struct nth_member member[MODEL_MEMBERS_MOST];
  struct nth_worker proc[MODEL_MEMBERS_MOST], *procs[MODEL_MEMBERS_MOST];
  _Atomic(uint32_t) pjv[MODEL_MEMBERS_MOST];
  struct nth_task_domain domain; /* ready_team.h */
  struct nth_ready *domains;
  void *(*run)(void *); /* what nth_worker_start gave to pthread_create */
};
static struct model_team *model_team(void); /* the harness has one in its world */

/* --- what the runtime's sources need --- */

_Thread_local struct nth_member *nth_self;
_Thread_local int32_t nth_locks;
uint32_t nth_fork_generation;
struct nth_env nth_env;
struct nth_allowed nth_allowed;
struct nth_member *nth_member_make(void) { return 0; }
void nth_member_adopt(struct nth_member *m) { (void)m; }
void nth_display_affinity(bool always) { (void)always; }
void nth_binding_move(struct nth_member *m, uint64_t seat) { (void)m, (void)seat; }
void nth_allowed_refresh(void) {}
void nth_allowed_present(void) {}
bool nth_crowded(void) { return false; }
void nth_holder_ended(struct nth_worker *p) { (void)p; }
static bool model_stays_away(struct nth_worker *p) { return (void)p, false; }
struct nth_holder_config nth_holder_config = {.come_back = model_stays_away};
struct nth_worker *nth_holder_stand_in(void) { return &model_team()->proc[MODEL_MEMBERS_MOST - 1]; }
void nth_holder_stand_in_unused(struct nth_worker *p) { (void)p; }
static void (*model_return)(struct nth_worker *); /* of a harness where workers may leave */
void nth_holder_return_surely(struct nth_worker *p) {
  model_check(model_return);
  if (model_return)
    model_return(p);
}
uint64_t nth_wait_nap(const struct nth_wait *wait) { return (void)wait, 0; }
int nth_os_on_cpu(void) { return 0; }
void nth_os_leave_cpu(int cpu) { (void)cpu; }
void nth_os_send_off(pthread_t thread, struct nth_os_birth *b) { (void)thread, (void)b; }
void nth_os_arrive(struct nth_os_birth *b, bool leaves) { (void)b, (void)leaves; }

struct nth_member *model_member(void) { return &model_team()->member[model_thread()]; }

int model_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                         void *arg) {
  (void)thread, (void)attr, (void)arg;
  model_team()->run = run;
  return 0;
}

/* --- the team --- */

static inline void model_slot_setup(uint32_t i, struct nth_slot *s) {
  MODEL_ATOM_AT(i, s->barrier.arrived);
  MODEL_ATOM_AT(i, s->barrier.released);
  MODEL_ATOM_AT(i, s->djs.count);
  MODEL_ATOM_AT(i, s->share_id);
  MODEL_ATOM_AT(i, s->queue.list.lock.word);
  MODEL_ATOM_AT(i, s->queue.list.length);
  MODEL_ATOM_AT(i, s->queue.list.top);
  MODEL_ATOM_AT(i, s->queue.deque.head);
  MODEL_ATOM_AT(i, s->queue.deque.word);
  MODEL_ATOM_AT(i, s->queue.deque.copied);
  MODEL_ATOM_AT(i, s->queue.deque.forcing);
  MODEL_ATOM_AT(i, s->queue.deque.held);
  for (uint32_t k = 0; k < NTH_DEQUE_SLOTS; k++)
    MODEL_ATOM_AT(i, s->queue.deque.slot[k]);
  s->implicit.flags = NTH_TASK_IMPLICIT;
  MODEL_ATOM_AT(i, s->implicit.children.others);
  MODEL_ATOM_AT(i, s->implicit.runner);
  MODEL_ATOM_AT(i, s->tasks.made);
  MODEL_ATOM_AT(i, s->tasks.done);
  MODEL_ATOM_AT(i, s->tasks.done_outside);
  MODEL_ATOM_AT(i, s->implicit.refs);
}

/* Only models with tasks have it. */
extern _Atomic(bool) nth_task_find_asks __attribute__((weak, visibility("hidden")));

static inline void model_team_atoms(struct nth_team *team) {
  MODEL_ATOM(nth_os_fences_lost);
  if (&nth_task_find_asks)
    MODEL_ATOM(nth_task_find_asks);
  MODEL_ATOM(team->shares.singles);
  MODEL_ATOM(team->shares.anchor.next);
  MODEL_ATOM(team->barrier.released);
  MODEL_ATOM(team->barrier.arrivals);
  MODEL_ATOM(team->tasked);
  MODEL_ATOM(team->join.closed);
  MODEL_ATOM(team->help.master_sleeps);
  MODEL_ATOM(team->help.bell.seq);
  MODEL_ATOM(team->help.bell.sleepers);
  MODEL_ATOM(team->help.choosy.seq);
  MODEL_ATOM(team->help.choosy.sleepers);
  MODEL_ATOM(team->help.search);
  MODEL_ATOM(team->help.enders);
  MODEL_ATOM(team->regions);
  MODEL_ATOM(team->crew.allowed);
}

/* A team of n members, made and idle; nobody is in it yet. */
static inline void model_team_setup(uint32_t n) {
  struct model_team *t = model_team();
  struct nth_team *team = &t->team;
  team->size = team->crew.capacity = team->group.size = n;
  team->level = team->active_level = 1;
  team->barrier_shape.kind = NTH_BARRIER_FLAT;
  team->barrier_shape.leaf = 2;
  team->slot = t->slots;
  team->crew.pjv = t->pjv;
  team->group.proc = t->procs;
  model_team_atoms(team);
  for (uint32_t i = 0; i < n; i++) {
    t->slots[i] = &t->slot[i];
    t->procs[i] = &t->proc[i];
    t->proc[i].identity = &t->member[i];
    t->member[i].proc = &t->proc[i];
    t->member[i].now.icv = &nth_env.initial;
    t->member[i].now.slot = &t->member[i].solo;
    t->member[i].now.team_size = 1;
    model_slot_setup(i, &t->slot[i]);
    MODEL_ATOM_AT(i, t->pjv[i]);
  }
  t->member[0].next_team = team;
}

/* Makes member i a member of a region that runs already, as a fork would. */
static inline void model_enter(uint32_t i) {
  struct model_team *t = model_team();
  struct nth_member_state *now = &t->member[i].now;
  now->team = &t->team;
  now->slot = &t->slot[i];
  now->task = &t->slot[i].implicit;
  now->icv = &t->team.icv;
  now->thread_num = i;
  now->team_size = t->team.size;
  now->level = now->active_level = 1;
}

#endif
