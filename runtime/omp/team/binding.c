/* binding.c - threads bound to places
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/binding.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/team/team.h"
#include "runtime/place/cpus/near.h"
#include "runtime/place/places/places.h"

/* --- moving a thread --- */

static void say_unbound(const struct nth_places *p, uint32_t place, const char *why) {
  static _Atomic(bool) said;
  char cpus[128];
  struct nth_text t = {cpus, sizeof cpus, 0};
  if (atomic_exchange_explicit(&said, true, memory_order_relaxed))
    return;
  nth_cpus_text(&t, nth_places_set(p, place), p->words, true);
  nth_text_end(&t);
  nth_msg("a thread cannot be bound to place %u, {%s}: %s; it may run on all CPUs that the program "
          "started with, and so may others that cannot be bound",
          place, cpus, why);
}

/* Binds m, which is the calling thread. Returns 0 or an errno value. */
static int bind_to(struct nth_member *m, const uint64_t *cpus, uint32_t words, uint32_t place) {
  int error =
      m->identity ? nth_carry_bind(m->identity, place, cpus, words) : nth_cpus_bind(0, cpus, words);
  m->proc->place = error ? 0 : place;
  return error;
}

/* Binds the calling thread to a place. */
static void bind_here(struct nth_member *m, const struct nth_places *p, uint32_t place) {
  nth_assert(p && place < p->count && m == nth_self);
  const uint64_t *cpus = nth_places_usable(p, place);
  const struct nth_cpuset *all = nth_places_startup();
  int error = cpus ? bind_to(m, cpus, p->words, place + 1) : 0;
  nth_store_rlx(&nth_os_bound, true);
  m->proc->waiter.apart.movable = !m->is_root;
  if (cpus && error == 0) {
    /* With one CPU it has nowhere to go; with more, it moves within the mask. */
    m->proc->waiter.apart.movable = !m->is_root && nth_cpus_count(cpus, p->words) > 1;
    return;
  }
  if (all)
    (void)bind_to(m, all->word, all->words, 0);
  say_unbound(p, place, cpus ? strerror(error) : "it is outside the program's affinity mask");
}

/* Moves what m, the calling thread, uses in every region to its memory node. */
static void take_near(struct nth_member *m) {
  if (!nth_near_wanted() || m->near == NTH_NEAR_TAKES)
    return;
  m->near++;
  nth_near_take(m, sizeof *m);
  nth_near_take(m->proc, sizeof *m->proc);
  if (m->now.slot != &m->solo)
    nth_near_take(m->now.slot, sizeof *m->now.slot);
}

/* Whether m's OS thread began on this place. */
static bool began_there(const struct nth_member *m, uint32_t place) {
  return m->now.seat == 0 && m->proc->bound && m->proc->place == place + 1;
}

void nth_binding_root(struct nth_member *m) {
  if (m->now.seat != 0 || !m->is_root)
    return;
  const struct nth_places *p = nth_places_get();
  if (!p || p->count == 0)
    return;
  m->now.seat = nth_seat(0, 0, p->count);
  bind_here(m, p, 0);
  take_near(m);
}

void nth_binding_move(struct nth_member *m, uint64_t seat) {
  nth_assert(m == nth_self && seat != m->now.seat);
  uint32_t place = nth_seat_place(seat);
  bool stays = nth_seat_place(m->now.seat) == place || began_there(m, place);
  m->now.seat = seat;
  if (seat == 0)
    return;
  if (!stays)
    bind_here(m, nth_places_get(), place);
  take_near(m);
}

/* --- a team's seats --- */

bool nth_binding_plan(const struct nth_member *m, uint32_t n, uint32_t bind,
                      struct nth_seating *seating) {
  bool clause = bind >= NTH_BIND_PRIMARY && bind <= NTH_BIND_SPREAD;
  seating->places = m->now.seat != 0 ? nth_places_get() : 0;
  seating->assignment = (struct nth_assignment){m->now.seat, n, clause ? bind : m->now.icv->bind};
  return seating->places != 0;
}

void nth_binding_seat(struct nth_team *t, const struct nth_seating *seating) {
  nth_assert(seating->places && seating->assignment.members == t->size);
  for (uint32_t i = 0; i < t->size; i++)
    t->slot[i]->seat = nth_assign(&seating->assignment, i);
}

bool nth_binding_crowded(const struct nth_seating *seating) {
  const struct nth_places *p = seating->places;
  const struct nth_assignment *a = &seating->assignment;
  uint32_t used = nth_assign_places(a), each = a->members / used;
  uint64_t *all = nth_heap_alloc(p->words * sizeof *all);
  bool crowded = false;
  for (uint32_t i = 0; all && i < used && !crowded; i++) {
    /* One member for each place in use: under close and spread the places with more members come
     * first. */
    uint32_t place = nth_seat_place(nth_assign(a, i * each));
    nth_assert(place - nth_seat_first(a->primary) < nth_seat_count(a->primary));
    const uint64_t *set = nth_places_set(p, place);
    crowded = nth_cpus_count(set, p->words) < nth_assign_load(a, i);
    for (uint32_t w = 0; w < p->words; w++)
      all[w] |= set[w];
  }
  crowded = crowded || (all && nth_cpus_count(all, p->words) < a->members);
  nth_heap_free(all);
  return crowded;
}

/* --- what programs ask --- */

int nth_binding_place_of(const struct nth_member *m) {
  return m && m->now.seat != 0 ? (int)nth_seat_place(m->now.seat) : -1;
}

int nth_binding_place(void) {
  if (!nth_places_given())
    return -1;
  struct nth_member *m = nth_member_get();
  nth_binding_root(m);
  return nth_binding_place_of(m);
}

uint32_t nth_binding_partition(uint32_t *first) {
  const struct nth_member *m = nth_self;
  const struct nth_places *p = nth_places_get();
  *first = 0;
  if (!m || m->now.seat == 0)
    return p ? p->count : 0;
  *first = nth_seat_first(m->now.seat);
  return nth_seat_count(m->now.seat);
}
