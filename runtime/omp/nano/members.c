/* members.c - the members that are nano-threads: which, and how they get their work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/nano/members.h"

#include <pthread.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/msg.h"
#include "runtime/base/objects.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/nano/imports.h"
#include "runtime/omp/nano/runtimes.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/handlers.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/sched/threads/holder.h"

/* --- where nano-threads would not be sound --- */

/* The reason why members must be OS threads, as far as it is known when the library is loaded;
 * NULL: there is none. */
static const char *refusal(void) {
  if (!NTH_SWITCH)
    return "there is no switch of contexts for this machine";
  if (nth_os_shadow_stack())
    return "shadow stacks are in force";
  return 0;
}

static void say(const char *why) {
  static _Atomic(bool) said;
  if (nth_verbose && !atomic_exchange_explicit(&said, true, memory_order_relaxed))
    nth_msg("NTH_MEMBERS: members are OS threads: %s", why);
}

/* Ignores libgfortran's handlers: they print where the program was, and end it. */
static int ignore_handlers(struct dl_phdr_info *info, size_t size, void *unused) {
  static const char name[] = "libgfortran.so";
  (void)size, (void)unused;
  if (strncmp(nth_object_name(info), name, sizeof name - 1) != 0)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
      nth_handlers_ignore(low, low + info->dlpi_phdr[i].p_memsz);
  }
  return 0;
}

/* Called once. */
static void begin(void) {
  (void)nth_objects_walk(ignore_handlers, 0);
  nth_carry_begin(nth_env.test_move);
}

static const char *unsound; /* the reason why auto means os; set when the library is loaded */

void nth_members_begin(void) {
  if (nth_env.members == NTH_MEMBERS_OS)
    return;
  unsound = refusal();
  if (nth_env.members == NTH_MEMBERS_AUTO || nth_places_given()) { /* the places have to be
                                                                    * looked up first */
    nth_holder_config.may_carry = !unsound;
    nth_lend_extra_stack = unsound ? 0 : NTH_REST_BYTES;
  } else if (unsound) {
    say(unsound);
  } else {
    nth_holder_config.carries = true;
    begin();
  }
}

/* Why the places do not allow nano-threads; NULL: they do, or there are none. A carrier runs
 * members of its own place only, and there are to be no more carriers than CPUs. */
static const char *places_refuse(void) {
  const struct nth_places *p = nth_places_get();
  uint64_t *all = p ? nth_heap_need(p->words * sizeof *all) : 0;
  bool good = true;
  for (uint32_t i = 0; good && p && i < p->count; i++) {
    const uint64_t *set = nth_places_usable(p, i);
    for (uint32_t w = 0; (good &= set != 0) && w < p->words; w++) {
      good &= (all[w] & set[w]) == 0;
      all[w] |= set[w];
    }
  }
  nth_heap_free(all);
  return good ? 0 : "threads are bound to places that overlap, or that the process may not use";
}

/* Whether a runtime that does not go together with nano-threads has been loaded, or this cannot be
 * known. If the user has asked for nano-threads, only a reason that makes members hang counts. */
static bool has_reason(void) {
  const char *why;
  if (!nth_runtimes_find(&why))
    why = "the process was forked while its parent had other threads";
  else if (!why)
    why = nth_imports_reason(nth_env.members == NTH_MEMBERS_NANO);
  if (why)
    say(why);
  return why != 0;
}

struct nth_family *nth_members_family(struct nth_member *m) {
  nth_assert(m == nth_self);
  if (!m->proc->waiter.serves || has_reason()) /* so it looks before threads are made */
    return 0;
  return nth_worker_carrier(m->proc)->family;
}

/* Whether m is in a team, perhaps around the target or teams region that it runs. */
static bool is_in_team(const struct nth_member *m) {
  bool in = m->now.team != 0;
  for (const struct nth_role *r = m->role; r && !in; r = r->outer)
    in = r->saved.team != 0;
  return in;
}

/* Roots in a row that have ended with NTH_YOUNG_REGIONS regions or fewer, though their teams were
 * larger than the machine. w: roots; a hint. */
static _Atomic(uint32_t) brief_roots;

void nth_members_over(const struct nth_member *m) {
  uint64_t regions = 0; /* begun + ended */
  if (!m->is_root || (m->crowded == 0 && !m->proc->waiter.serves))
    return;
  for (struct nth_team *t = m->teams; t; t = t->next)
    regions += nth_load_rlx(&nth_team_with_workers(t)->regions);
  bool brief = (regions - m->regions_before) / 2 <= NTH_YOUNG_REGIONS;
  nth_store_rlx(&brief_roots, brief ? nth_load_rlx(&brief_roots) + 1 : 0);
}

/* Whether m will most likely end before nano-threads have paid for their beginning, as the roots
 * before m did. Held threads (hold/lend.h) serve m meanwhile, for a fraction of what new threads
 * cost. The OS threads of nano-threads are never held. */
static bool is_young(struct nth_member *m) {
  if (m->crowded == NTH_YOUNG_REGIONS || nth_load_rlx(&nth_os_bound) ||
      nth_load_rlx(&brief_roots) < NTH_YOUNG_AFTER)
    return false;
  if (++m->crowded == NTH_YOUNG_REGIONS)
    nth_store_rlx(&brief_roots, 0);
  return true;
}

bool nth_members_need(struct nth_member *m, uint32_t n, bool nests) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  nth_assert(m == nth_self && n > 0);
  static _Atomic(bool) refused; /* libraries come, and hardly ever go */
  bool is_auto = nth_env.members == NTH_MEMBERS_AUTO;
  nests = nests || m->now.icv->max_active_levels > 1;
  if (nth_env.members == NTH_MEMBERS_OS || nth_load_rlx(&refused) || !m->is_root || is_in_team(m) ||
      m->proc->waiter.serves || (is_auto && n <= nth_allowed_all_soon() && !nests))
    return false;
  const char *why = unsound ? unsound : places_refuse();
  if (why)
    say(why);
  if (why || has_reason()) {
    nth_store_rlx(&refused, true);
    return false;
  }
  if (is_auto && !nests && is_young(m))
    return true;
  pthread_once(&once, begin);
  if (!nth_holder_carry(m->proc))
    return false;
  m->identity = nth_worker_self(m->proc);
  nth_assert(m->proc->waiter.serves && nth_worker_carrier(m->proc)->family);
  nth_teams_outdate(m->teams);
  struct nth_group *home = m->proc->home;
  if (home)
    nth_group_carry(home, nth_worker_carrier(m->proc)->family);
  return false;
}

/* --- teams --- */

void nth_members_pin(struct nth_team *t, uint32_t n) {
  nth_assert(n == 1 || n <= t->group.size);
  bool stay = nth_env.members == NTH_MEMBERS_AUTO && t->leaders.count == n && !t->parent;
  for (uint32_t i = 1; i < n; i++)
    if (t->group.proc[i]->carried)
      nth_carry_pin(nth_worker_self(t->group.proc[i]), stay);
}

uint32_t nth_members_leaders(const struct nth_team *t, uint32_t n) {
  uint32_t k = 1, carried = 1;
  nth_assert(n == 1 || n <= t->group.size);
  while (carried < n && t->group.proc[carried]->carried)
    carried++;
  while (k < n && (!nth_worker_nano(t->group.proc[k]) ||
                   nth_load_rlx(&nth_worker_carrier(t->group.proc[k])->called)))
    k++;
  if (nth_permits_limited() && k > nth_allowed_soon())
    k = nth_allowed_soon();             /* the other carriers are away, or go */
  return carried == n && n > 1 ? k : 0; /* threads were refused: some members may not be carried,
                                         * and are woken like any others */
}

/* Whether an OS thread of a leader sleeps: then the region may be over before that thread is
 * awake. */
static bool leader_sleeps(const struct nth_team *t) {
  for (uint32_t i = 1; i < t->leaders.count; i++)
    if (nth_load_rlx(&nth_worker_carrier(t->group.proc[i])->asleep) != 0)
      return true;
  return false;
}

uint32_t nth_members_strip(const struct nth_team *t, uint32_t n) {
  uint32_t outer = t->group.outer, k = t->leaders.count;
  return k > 1 && outer != 0 && outer < n && n % outer == 0 && outer % k == 0 ? n / outer : 1;
}

/* The members that a leader leads, in ascending order. Each strip of consecutive members goes to
 * the next leader in turn. */
struct led {
  uint32_t i, leaders, strip, left; /* left: members of the current strip, i among them */
};

static inline void led_next(struct led *l) {
  if (nth_likely(l->strip == 1)) {
    l->i += l->leaders;
  } else if (--l->left == 0) {
    l->left = l->strip;
    l->i += 1 + (l->leaders - 1) * l->strip;
  } else {
    l->i++;
  }
}

/* The first one of those that leader `me` leads. */
static inline struct led led_first(const struct nth_team *t, uint32_t me) {
  nth_assert(me < t->leaders.count && t->leaders.strip > 0);
  struct led l = {me * t->leaders.strip, t->leaders.count, t->leaders.strip, t->leaders.strip};
  while (l.i < l.leaders)
    led_next(&l);
  return l;
}

void nth_members_lead(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd) {
  struct nth_identity *all, **end = &all;
  nth_assert(nth_team_has(t, m) && m->identity);
  struct nth_wd one = *wd;
  const struct led first = led_first(t, m->now.thread_num);
  if (!t->group.gwd)
    for (struct led l = first; l.i < t->size; led_next(&l)) {
      one.addressee = l.i;
      nth_wdarray_put(&t->group.proc[l.i]->lwd, &one);
    }
  nth_fence_full(); /* worker:F */
  /* In ascending order: a member that spins on a flag of a lower member finds it set. */
  for (struct led l = first; l.i < t->size; led_next(&l)) {
    nth_assert(l.i >= t->leaders.count && t->group.proc[l.i]->carried);
    struct nth_identity *x = nth_worker_take_out(t->group.proc[l.i], false);
    if (x) {
      *end = x;
      end = &x->next;
    }
  }
  *end = 0;
  if (all)
    nth_carry_ready_all(nth_load_rlx(&m->identity->carrier), all);
}

/* Whether the master's OS thread may run all members, one after the other. It cannot run those of
 * other places, nor members that wait for each other on OS threads of their own. */
static bool may_run_all(const struct nth_member *m, const struct nth_team *t) {
  const struct nth_carrier *c = nth_load_rlx(&m->identity->carrier);
  uint32_t place = nth_load_rlx(&c->place);
  if (nth_carrier_alone(m->identity->own) || nth_watch_apart(c->family))
    return false;
  for (uint32_t i = 1; i < t->leaders.count; i++)
    if (nth_worker_self(t->group.proc[i])->place != place)
      return false;
  return true;
}

/* Whether the master runs all bodies while leaders sleep. A wake-up costs the master some us and
 * takes up to 50 us. So the master runs them alone, if it may, and if that takes less time than
 * recent regions took for which it woke leaders. Now and then it wakes them nevertheless, to
 * measure. */
static bool run_alone(const struct nth_member *m, struct nth_team *t) {
  struct nth_alone *a = &t->alone;
  uint32_t n = t->size;
  a->now = a->woken != 0 && a->body * n < a->woken && may_run_all(m, t);
  if (a->now && a->body * n > NTH_ALONE_NS && ++a->count % NTH_ALONE_TIMES == 0)
    a->now = false;
  return a->now;
}

static uint64_t average(uint64_t before, uint64_t now) {
  return before == 0 ? now : before / 2 + now / 2;
}

void nth_members_join(struct nth_team *t) {
  nth_assert(t->leaders.count > 0 && t->alone.forked_at != 0);
  t->alone.body = average(t->alone.body, nth_clock_ns() - t->alone.forked_at);
}

void nth_members_joined(struct nth_team *t) {
  if (!t->alone.now)
    t->alone.woken = average(t->alone.woken, nth_clock_ns() - t->alone.forked_at);
  t->alone.forked_at = 0;
}

/* Looks whether a root's OS thread may run other members, before any of them come to it. */
static void look_for_handlers(const struct nth_member *m, const struct nth_team *t) {
  if (t->parent)
    return;
  nth_handlers_look_soon();
  nth_overflow_look(m->identity->own);
}

/* Wakes leaders that are docked. */
static void rouse_leaders(const struct nth_member *m, struct nth_team *t) {
  bool sleeps = leader_sleeps(t), alone = sleeps && run_alone(m, t);
  for (uint32_t i = 1; i < t->leaders.count; i++) {
    struct nth_worker *p = t->group.proc[i];
    bool quietly = alone && !nth_load_rlx(&nth_worker_carrier(p)->current) &&
                   !nth_load_rlx(&nth_worker_self(p)->pinned);
    if (nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE) /* worker:F */
      continue;
    if (!t->crowded)
      (void)nth_gaps_stamp(&p->stamp, &m->proc->waiter);
    struct nth_identity *x = nth_worker_take_out(p, quietly);
    if (nth_unlikely(x != 0)) /* mostly a leader at rest has left its identity in a queue; this one
                               * found no room among the family's carriers when it began */
      nth_carry_ready(x);
  }
  if (!alone || nth_load_rlx(&nth_watch_armed) == 0) /* an armed watchdog looks every few ms
                                                      * itself */
    look_for_handlers(m, t);
  if (alone)
    nth_watch_arm();
  if (sleeps)
    t->alone.forked_at = nth_clock_ns();
}

/* All slaves are in the master's own queue: calls an OS thread of the family that sleeps, if that
 * pays. If it did not lately, and bodies were short, most regions are not measured: reading the
 * clock would take longer. */
static void call_sleeper(const struct nth_member *m, struct nth_team *t) {
  struct nth_carrier *c = nth_load_rlx(&m->identity->carrier);
  struct nth_alone *a = &t->alone;
  nth_assert(c && c->family == t->group.family);
  if (nth_likely(nth_load_rlx(&c->family->asleep) == 0))
    return;
  if (a->now && a->body * t->size <= NTH_ALONE_NS && ++a->count % NTH_ALONE_TIMES != 0)
    return;
  if (!run_alone(m, t))
    nth_carrier_call_one(c);
  t->alone.forked_at = nth_clock_ns();
}

static inline bool leader_docked(const struct nth_team *t) {
  for (uint32_t i = 1; i < t->leaders.count; i++)
    if (nth_load_rlx(&t->group.proc[i]->dock) != NTH_DOCK_AWAKE) /* worker:F */
      return true;
  return false;
}

void nth_members_fork(struct nth_member *m, struct nth_team *t, struct nth_wd *wd) {
  nth_assert(m->now.thread_num == 0 && t->leaders.count > 0 && t->leaders.count <= t->size);
  if (t->leaders.count == 1) {
    look_for_handlers(m, t);
    nth_members_lead(m, t, wd);
    call_sleeper(m, t);
    return;
  }
  if (!t->group.gwd)
    for (uint32_t i = 1; i < t->leaders.count; i++) {
      wd->addressee = i;
      nth_wdarray_put(&t->group.proc[i]->lwd, wd);
    }
  nth_fence_full(); /* worker:F */
  if (nth_unlikely(leader_docked(t)))
    rouse_leaders(m, t);
  if (t->leaders.count < t->size)
    nth_members_lead(m, t, wd);
}
