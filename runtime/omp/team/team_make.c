/* team_make.c - the slow paths of a fork: making and changing teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/team_make.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/ancestors.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/binding.h"
#include "runtime/omp/team/crew.h"
#include "runtime/omp/team/team_valid.h"
#include "runtime/omp/types/generation.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/follow.h"
#include "runtime/struct/mutex.h"

/* --- objects --- */

/* Team objects. A new master gets the object of one that has ended. A team is never freed (team.h
 * I3). */
static struct {
  struct nth_mutex lock;
  struct nth_team *unused;
  _Atomic(struct nth_team *) known; /* all team objects; w: in the lock; K */
} teams;

void nth_team_reuse(struct nth_team *t) {
  t->twin = (struct nth_twin){0, false};
  nth_mutex_lock(&teams.lock);
  t->next = teams.unused;
  teams.unused = t;
  nth_mutex_unlock(&teams.lock);
}

NTH_IN_CHILD void nth_team_make_forked(void) {
  nth_mutex_init(&teams.lock);
  for (struct nth_team *t = nth_load_rlx(&teams.known); t; t = t->known)
    nth_store_rlx(&t->regions, (nth_load_rlx(&t->regions) + 1) & ~1ull);
}

struct nth_team *nth_team_known(void) { return nth_load_acq(&teams.known); } /* K */

uint32_t nth_team_at_work(uint32_t most) {
  uint32_t sum = 0;
  for (struct nth_team *t = nth_load_acq(&teams.known); t && sum < most; t = t->known) /* K */
    sum += nth_crew_at_work(t);
  return sum;
}

struct nth_team *nth_team_new(bool needed) {
  nth_mutex_lock(&teams.lock);
  struct nth_team *t = teams.unused;
  if (t) {
    teams.unused = t->next;
  } else if ((t = needed ? nth_heap_need(sizeof *t) : nth_heap_alloc(sizeof *t))) {
    t->known = nth_load_rlx(&teams.known);
    nth_store_rel(&teams.known, t); /* K */
  }
  nth_mutex_unlock(&teams.lock);
  if (!t)
    return 0;
  nth_assert((t->crew.capacity > 0) == (t->slot != 0));
  t->size = 0;
  t->next = t->parent = 0;
  t->crew.refused_at = 0;
  return t;
}

/* Tells the holder how to make workers. */
static void configure_holder(void) {
  nth_holder_config.stacksize = nth_env.stacksize;
  nth_holder_config.gwd = nth_env.fork_gwd;
  nth_holder_config.run = nth_team_run;
  nth_holder_config.come_back = nth_team_come_back;
  nth_holder_config.leave = nth_member_leave;
  nth_holder_config.idle = nth_crew_spares;
  nth_holder_config.move = nth_crew_move;
  nth_holder_config.carried = nth_crew_carried;
  nth_holder_config.renew = nth_crew_renew;
  nth_holder_config.relinquish = nth_crew_relinquish;
  nth_holder_config.lost = nth_crew_lost;
}

/* Does so once, before the first team asks for workers. */
static void use_holder(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, configure_holder);
}

/* The link to m's next team in its list, or the list's end. */
static struct nth_team **link_to_next(struct nth_member *m) {
  struct nth_team **link = &m->teams;
  while (*link != m->next_team) {
    nth_assert(*link); /* next_team is one of them, or NULL */
    link = &(*link)->next;
  }
  return link;
}

static struct nth_team *team_for(struct nth_member *m) {
  if (m->next_team)
    return m->next_team;
  if (!m->teams)
    use_holder();
  struct nth_team **link = link_to_next(m);
  struct nth_team *t = m->next_team = *link = nth_team_new(true);
  m->regions_before += nth_load_rlx(&t->regions);
  return t;
}

/* Makes slots for n members; returns for how many there is memory, at least one. */
static uint32_t add_slots(struct nth_team *t, uint32_t n) {
  nth_assert(n > 0 && n <= NTH_MAX_TEAM && !nth_team_open(t));
  if (n <= t->crew.capacity)
    return n;
  bool first = t->crew.capacity == 0;
  struct nth_slot **slot = nth_heap_alloc(n * sizeof(struct nth_slot *));
  _Atomic(uint32_t) *pjv = nth_heap_alloc(n * sizeof *pjv);
  if (!slot || !pjv) {
    nth_heap_free(slot);
    nth_heap_free((void *)pjv);
    if (!first)
      return t->crew.capacity;
    n = 1;
    slot = nth_heap_need(sizeof(struct nth_slot *));
    pjv = nth_heap_need(sizeof *pjv);
  }
  for (uint32_t i = 0; i < n; i++) {
    bool old = i < t->crew.capacity;
    slot[i] = old      ? t->slot[i]
              : i == 0 ? nth_heap_need(sizeof(struct nth_slot))
                       : nth_heap_alloc(sizeof(struct nth_slot));
    if (!slot[i])
      n = i;
    else if (!old)
      slot[i]->implicit.flags = NTH_TASK_IMPLICIT;
    nth_store_rlx(&pjv[i], old ? nth_load_rlx(&t->crew.pjv[i]) : 0);
  }
  nth_heap_free(t->slot);
  nth_heap_free((void *)t->crew.pjv);
  t->slot = slot;
  t->crew.pjv = pjv;
  t->crew.capacity = n;
  return n;
}

/* Makes member objects for n more workers; returns for how many there is memory. */
static uint32_t add_members(struct nth_team *t, uint32_t n) {
  uint32_t there = 0;
  for (const struct nth_member *m = t->crew.spare; m && there < n; m = m->next)
    there++;
  for (struct nth_member *m; there < n && (m = nth_member_new()); there++) {
    m->next = t->crew.spare;
    t->crew.spare = m;
  }
  return there;
}

/* Gives a member to each of the group's first n workers that has none, from t->crew.spare while
 * that lasts. The master does so here, so that a new thread needs no heap before it can work. */
static void make_identities(struct nth_team *t, uint32_t n, const struct nth_stretch *stretch,
                            const struct nth_seating *seating) {
  for (uint32_t i = 1; i < n; i++) {
    struct nth_worker *p = t->group.proc[i];
    nth_assert(p && p->rank > 0);
    if (p->may_leave || p->identity) /* of a crew: its thread may be ending now, and take the member
                                      * with it */
      continue;
    p->leaf = nth_lay_pool(stretch, seating, i, n);
    if (p->carried)
      nth_store_rlx(&nth_worker_carrier(p)->domain, p->leaf);
    struct nth_member *object = t->crew.spare;
    if (object)
      t->crew.spare = object->next;
    p->identity = nth_member_for_worker(p, p->leaf, object);
  }
}

/* Warns once, with the reason; a program may open a region each microsecond. */
static void say_refused(uint32_t wanted, uint32_t got, int error) {
  static _Atomic(bool) said;
  if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
    nth_msg("%u threads were asked for, but the system refused to make them (%s): the team has %u",
            wanted, strerror(error), got);
}

/* Says where the group of m's team t, of n members, stands among the groups of its root. */
static void place_group(const struct nth_member *m, struct nth_team *t, uint32_t n) {
  struct nth_group *g = &t->group, *home = g->apart ? g : m->proc->home;
  if (!home || home->team == 0) { /* the first team of a root; or of a thread that is about to
                                   * end or serves no team */
    home = g->apart ? g : (m->proc->home = &nth_team_with_workers(m->teams)->group);
    nth_store_rlx(&home->home, home);
    home->master = m->proc;
    home->size = 0;
    home->team = 1;
  }
  if (nth_load_rlx(&g->home) != home || g->master != m->proc) {
    g->size = 0;
    nth_store_rlx(&g->home, home);
    g->master = m->proc;
  }
  nth_assert(nth_load_rlx(&home->home) == home && home->master);
  m->proc->tid = m->proc->carried ? 0 : nth_os_tid();
  g->team = n;
  g->number = 0;
  g->span = 1;
  uint32_t number = m->now.thread_num;
  for (const struct nth_team *outer = m->now.team; outer && g->span < NTH_MAX_TEAM;
       outer = outer->parent) {
    g->number += number * g->span;
    g->span *= outer->size;
    number = outer->master_num;
  }
}

/* Makes workers for n members, of which `most` are there; returns how many there are. A thread is
 * made after the memory that it needs, for the stacks of others may take the last of it. It goes in
 * steps, so that little memory is wasted when threads are refused. */
static uint32_t add_workers(struct nth_member *m, struct nth_team *t, uint32_t n, uint32_t most,
                            const struct nth_stretch *stretch, const struct nth_seating *seating,
                            int *error) {
  enum { STEP = 64 };
  t->group.family = nth_members_family(m);
  place_group(m, t, n);
  while (most < n && !*error) {
    uint32_t step = most < STEP ? STEP : most, more = n - most < step ? n : most + step,
             wanted = more;
    more = add_slots(t, more);
    uint32_t missing = nth_group_take(&t->group, more), there = add_members(t, missing);
    if (there < missing)
      more = nth_load_rlx(&t->group.home) == &t->group ? more - (missing - there) : most;
    if (more < wanted)
      *error = ENOMEM;
    if (more > most) {
      int refused = 0;
      most = nth_group_grow(&t->group, more, seating, &m->proc->waiter, &refused);
      *error = refused ? refused : *error;
    }
    make_identities(t, most, stretch, seating);
  }
  nth_assert(most <= n && (most == n || *error));
  nth_crew_enrol(t, most);
  return most;
}

/* Makes workers and slots for n members; returns how many there are. */
static uint32_t grow(struct nth_member *m, struct nth_team *t, uint32_t n,
                     const struct nth_stretch *stretch, const struct nth_seating *seating) {
  int error = 0;
  bool lately = t->crew.refused_at != 0 && nth_clock_ns() - t->crew.refused_at < NTH_REFUSED_NS;
  uint32_t most = nth_group_present(&t->group, n);
  if (most < n && !lately)
    most = add_workers(m, t, n, most, stretch, seating, &error);
  most = add_slots(t, most);
  if (error) {
    t->crew.refused_at = nth_clock_ns();
    say_refused(n, most, error);
  }
  nth_assert(most > 0 && most <= n);
  return most;
}

bool nth_team_pause(struct nth_member *m) {
  if (m->now.team || m->role)
    return false;
  nth_team_part(m);
  for (struct nth_team *t = m->teams; t; t = t->next) {
    nth_assert(!nth_team_open(t));
    nth_group_release(&t->group);
    t->size = 0; /* the next region makes the team ready from scratch */
  }
  if (m->lends)
    return true;
  if (m->lent)
    nth_group_release(&m->lent->group);
  m->proc->home = 0;
  return true;
}

/* --- twins --- */

/* Puts the other twin in its place in m's list, at the head. */
static struct nth_team *swap(struct nth_member *m, struct nth_team *t) {
  struct nth_team *other = t->twin.other;
  nth_assert(m->teams == t && m->next_team == t && !nth_team_open(t) && !nth_team_open(other));
  nth_assert(other->twin.other == t && other->twin.is_for_one != t->twin.is_for_one);
  other->next = t->next;
  return m->teams = m->next_team = other;
}

static bool make_twin(struct nth_team *t) {
  struct nth_team *made = nth_team_new(false);
  if (!made)
    return false;
  made->twin = (struct nth_twin){t, true};
  t->twin = (struct nth_twin){made, false};
  return true;
}

struct nth_team *nth_team_turn(struct nth_member *m, uint32_t n) {
  struct nth_team *t = m->next_team;
  nth_assert(n > 0);
  if (!t || t != m->teams || t->twin.is_for_one == (n == 1) ||
      (!t->twin.other && (t->size <= 1 || !make_twin(t))))
    return 0;
  struct nth_team *large = nth_team_with_workers(t);
  if (large->size > 1) /* in a region of one, teams further in may take the workers */
    large->group.members = n > 1 ? large->size : 1;
  if (n > 1 && nth_load_rlx(&large->group.home) == &large->group)
    nth_group_call_back(&large->group, n);
  return swap(m, t);
}

void nth_team_part(struct nth_member *m) {
  struct nth_team *t = m->teams;
  if (!t || !t->twin.other || t != m->next_team)
    return;
  if (t->twin.is_for_one)
    t = swap(m, t);
  nth_team_reuse(t->twin.other);
  t->twin.other = 0;
}

/* --- the config line --- */

/* The ICVs of the implicit tasks: those of the encountering task, with the items of the
 * OMP_NUM_THREADS and OMP_PROC_BIND lists for the level. */
static void set_icv(struct nth_member *m, struct nth_team *t, const struct nth_seating *seating) {
  struct nth_icv icv = *m->now.icv;
  uint32_t level = m->now.level + 1;
  if (level < nth_env.nthreads_list_len)
    icv.nthreads = nth_env.nthreads_list[level];
  if (level < nth_env.bind_list_len)
    icv.bind = nth_env.bind_list[level];
  else if (seating)
    icv.bind = (uint8_t)seating->assignment.policy; /* also the policy of a clause, as in libgomp */
  t->icv_source = *m->now.icv;
  t->icv = icv;
}

void nth_team_catch_up(struct nth_team *t, uint32_t n) {
  struct nth_slot *first = t->slot[0];
  nth_assert(n > 0 && n <= t->crew.capacity);
  nth_store_rlx(&t->barrier.released, first->epoch << 1);
  nth_store_rlx(&t->barrier.arrivals, 0);
  for (uint32_t i = 0; i < n; i++) {
    struct nth_slot *s = t->slot[i];
    s->epoch = first->epoch;
    s->shares.singles = nth_load_rlx(&t->shares.singles);
    nth_store_rlx(&s->barrier.arrived, s->epoch << 1);
    nth_store_rlx(&s->barrier.gathered, 0);
    nth_store_rlx(&s->barrier.released, s->epoch << 1);
  }
}

static uint8_t barrier_kind(uint32_t n, const struct nth_seating *seating) {
  if (n > nth_allowed_soon() || nth_allowed_quota() || (seating && nth_binding_crowded(seating)))
    return NTH_BARRIER_CROWDED;
  return n < NTH_TREE_FROM ? NTH_BARRIER_FLAT : NTH_BARRIER_TREE;
}

/* Sets the parts of the config line that depend on the number of members and on their places. */
static void set_size(struct nth_team *t, uint32_t n, const struct nth_stretch *stretch,
                     const struct nth_seating *seating) {
  nth_assert(!nth_team_open(t) && (n == 1 || n <= t->group.size));
  t->size = t->group.members = n;
  t->leaders.count = nth_members_leaders(t, n);
  t->leaders.strip = nth_members_strip(t, n);
  nth_assert(t->leaders.count <= n && t->leaders.strip > 0 && n % t->leaders.strip == 0);
  t->barrier_shape.kind =
      t->leaders.count && t->leaders.count < n ? NTH_BARRIER_CROWDED : barrier_kind(n, seating);
  if (t->barrier_shape.kind == NTH_BARRIER_CROWDED) {
    t->crowded = true;
    t->crew.crowd_left = NTH_CROWD_REGIONS;
  }
  nth_members_pin(t, n);
  nth_team_catch_up(t, n);
  nth_lay_team(t, stretch, n, seating);
  if (seating)
    nth_binding_seat(t, seating);
}

struct nth_team *nth_team_prepare(struct nth_member *m, uint32_t n, uint32_t bind) {
  nth_assert(nth_self == m && n > 0 && n <= NTH_MAX_TEAM);
  nth_count(NTH_COUNT_CHANGES);
  nth_binding_root(m);
  bool again = nth_members_need(m, n, false);
  if (n > 1)
    nth_follow_quota(nth_member_permit(m));
  struct nth_team *t = team_for(m);
  nth_assert(!nth_team_open(t) && t->crew.due == 0);
  nth_store_rel(&t->join.closed, nth_load_rlx(&t->join.closed) + 1); /* team:L */
  struct nth_seating plan, *seating = 0;
  if (t->generation != nth_fork_generation) {
    t->generation = nth_fork_generation;
    t->size = 0;
  }
  if (nth_binding_plan(m, n, bind, &plan))
    seating = &plan;
  struct nth_stretch stretch = nth_lay_plan(m, n);
  uint32_t allowed = nth_load_rlx(&nth_allowed.cpus), before = nth_load_rlx(&t->crew.allowed);
  nth_store_rlx(&t->crew.allowed, again ? 0 : allowed);
  nth_crew_want(m, t, n);
  if (n > 1 && nth_load_rlx(&t->group.home) == &t->group)
    nth_group_call_back(&t->group, n);
  if (n > t->crew.capacity || n > t->size || before == NTH_TEAM_IDLE)
    n = plan.assignment.members = grow(m, t, n, &stretch, seating);
  t->parent = m->now.team;
  if (t->size != n || before != allowed || seating || !nth_lay_same(&t->laid.stretch, &stretch))
    set_size(t, n, &stretch, seating);
  t->seating = nth_team_seating(m, bind);
  t->level = m->now.level + 1;
  t->active_level = m->now.active_level + (n > 1 ? 1 : 0);
  t->league = m->league;
  t->master_num = m->now.thread_num;
  set_icv(m, t, seating);
  nth_assert_valid(nth_team_valid(t) && nth_team_crew_valid(t));
  return t;
}

/* --- the team of nth.h's processors --- */

/* Makes t the home of m's other teams, except those that are homes themselves. m's list does not
 * hold t: regions of nano-threads are open side by side, one put aside for the other. If one of
 * their teams were the home, its next region would call back workers that another team has. */
static void be_home(struct nth_member *m, struct nth_team *t) {
  bool open = true;
  t->group.apart = true;
  for (struct nth_team *in = m->teams; in; in = in->next) {
    open &= in != m->next_team;
    struct nth_team *other = nth_team_with_workers(in);
    const struct nth_group *home = nth_load_rlx(&other->group.home);
    if (home == &other->group) {
      other->group.apart = true;
    } else if (home && (!open || other != in)) {
      nth_group_give_back(&other->group, 0);
      other->size = 0;
    }
  }
}

struct nth_team *nth_team_lend(struct nth_member *m, uint32_t n) {
  nth_assert(!m->lends && (!m->lent || m->lent->size == 0));
  nth_binding_root(m);
  (void)nth_members_need(m, n, true);
  nth_team_part(m);
  struct nth_team **link = link_to_next(m), *t = m->lent ? m->lent : team_for(m);
  if (m->lent) { /* it is in the list while it is prepared */
    t->next = m->next_team;
    m->next_team = *link = t;
  }
  be_home(m, t);
  nth_team_prepare(m, n, 0);
  place_group(m, t, t->size);
  m->proc->home = &t->group;
  m->next_team = *link = t->next;
  nth_crew_lend(t);
  m->lent = t;
  m->lends = true;
  return t;
}

void nth_team_take_back(struct nth_member *m, bool ends) {
  nth_assert(m->lends && m->lent && !nth_team_open(m->lent));
  m->lends = false;
  m->lent->size = 0;
  m->lent->group.members = 1; /* its workers serve regions, or leave */
  nth_store_rlx(&m->lent->crew.wanted, 0);
  if (ends)
    (void)nth_team_pause(m);
}
