/* workshare.c - shared descriptors of work-sharing constructs, a chain without an end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/worksharing/workshare.h"

#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/doacross.h"
#include "runtime/omp/worksharing/loop_bounds.h"

/* A link names a descriptor, its maker's wish and, by a code, its schedule. Three bits of that are
 * the kind's, which differ, and two the chunk's. */
enum { ON_COUNTER = 1, LINKED = ~(NTH_APART - 1) };
static_assert(NTH_APART >= 128, "a link has seven bits");

static inline uintptr_t code_of(const struct nth_loop_args *a) {
  if (!a)
    return 0;
  uint32_t kind = (a->sched ^ a->sched >> 6) & 7;
  uint64_t chunk = a->bounds.chunk * 0x9e3779b97f4a7c15u >> 62;
  return (kind | (uint32_t)chunk << 3 | (uint32_t)a->monotonic << 5) << 1;
}
static inline struct nth_workshare *linked(uintptr_t link) {
  return (struct nth_workshare *)(link & (uintptr_t)LINKED);
}

/* Whether the list of a member's descriptors in use has the noted length and last element, and
 * growing ids (I1). By the member. */
__attribute__((unused)) static bool made_valid(const struct nth_slot_shares *s) {
  uint32_t n = 0;
  for (const struct nth_workshare *w = s->made_first; w; w = w->made_next, n++)
    if (w->made_next ? w->made_next->id <= w->id : w != s->made_last)
      return false;
  return n == s->made;
}

/* Whether a member has met a construct in the region, but was recalled for tasks after it and has
 * forgotten which. */
__attribute__((unused)) static bool has_forgotten(const struct nth_team *t,
                                                  const struct nth_slot *s) {
  return !s->shares.last && s->shares.id > t->shares.anchor.id;
}

/* Whether ids grow along the chain (I1), from the member that is furthest back to the end.
 * Descriptors before it may be in use again (I3). By the master, after the join. */
__attribute__((unused)) static bool chain_valid(const struct nth_team *t) {
  const struct nth_workshare *at = 0;
  for (uint32_t i = 0; i < t->size; i++) {
    const struct nth_workshare *w =
        t->slot[i]->shares.last ? t->slot[i]->shares.last : &t->shares.anchor;
    if (!has_forgotten(t, t->slot[i]))
      at = !at || w->id < at->id ? w : at;
  }
  for (const struct nth_workshare *next; at && (next = linked(nth_load_rlx(&at->next))); at = next)
    if (next->id <= at->id)
      return false;
  return true;
}

static struct nth_workshare *allocate(uint32_t ranges) {
  struct nth_workshare *w = nth_heap_need(sizeof *w + (size_t)ranges * sizeof(struct nth_range));
  w->ranges = ranges;
  nth_assert(linked((uintptr_t)w) == w); /* I4 */
  return w;
}

/* Fills a free descriptor for a construct of `members`. */
static void prepare(struct nth_workshare *w, const struct nth_workshare_spec *spec,
                    uint32_t members) {
  nth_store_rlx(&w->next, 0);
  nth_store_rlx(&w->counter, spec->claimed);
  nth_progress_reset(&w->turn);
  nth_store_rlx(&w->several, false);
  nth_heap_free(nth_load_rlx(&w->reductions));
  nth_store_rlx(&w->reductions, 0);
  nth_heap_free(w->mem);
  w->mem = spec->mem ? nth_heap_need(spec->mem) : 0;
  if (nth_unlikely(spec->doacross != 0))
    nth_doacross_prepare(&w->doacross, spec->doacross, members);
  if (spec->loop) {
    w->sched = (uint16_t)spec->loop->sched;
    w->monotonic = spec->loop->monotonic;
    w->bounds = spec->loop->bounds;
  }
  uint32_t units = spec->on_counter ? 0 : spec->units;
  nth_assert(units == 0 || members <= w->ranges);
  uint32_t size = units / members, more = units % members, at = 0;
  for (uint32_t i = 0; units > 0 && i < members; i++) {
    uint32_t end = at + size + (i < more ? 1 : 0);
    nth_range_set(&nth_workshare_ranges(w)[i], at, end);
    at = end;
  }
}

/* The smallest id that a member may still touch. */
static uint64_t oldest_in_use(struct nth_team *t) {
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < t->size; i++) {
    uint64_t id = nth_load_acq(&t->slot[i]->share_id); /* B */
    least = id < least ? id : least;
  }
  return least;
}

/* Moves those of the member's descriptors that all members have left to its free list (I3). */
static void reclaim(struct nth_slot_shares *s, uint64_t in_use) {
  while (s->made_first && s->made_first->id < in_use) {
    struct nth_workshare *w = s->made_first;
    s->made_first = w->made_next;
    w->made_next = s->free;
    s->free = w;
    s->made--;
  }
  if (!s->made_first)
    s->made_last = 0;
}

/* A free descriptor of the member, with room for ranges if they are needed. Without that room a
 * long nowait chain is short in the caches. */
static struct nth_workshare *take(struct nth_member *m, bool ranges) {
  struct nth_slot_shares *s = &m->now.slot->shares;
  uint32_t need = ranges ? m->now.team->crew.capacity : 0;
  nth_assert_valid(made_valid(s));
  if (!s->free && s->made >= s->scan_at) {
    reclaim(s, oldest_in_use(m->now.team));
    s->scan_at = 2 * s->made + 2; /* a long nowait chain is scanned less and less often */
  }
  struct nth_workshare *w = s->free;
  if (!w)
    return allocate(need);
  s->free = w->made_next;
  if (w->ranges >= need)
    return w;
  nth_heap_free(nth_load_rlx(&w->reductions));
  nth_heap_free(w->mem);
  nth_heap_free(w->doacross);
  nth_heap_free(w);
  return allocate(need);
}

static void remember(struct nth_slot_shares *s, struct nth_workshare *w) {
  nth_assert(!s->made_last || s->made_last->id < w->id); /* I1 */
  w->made_next = 0;
  if (s->made_last)
    s->made_last->made_next = w;
  else
    s->made_first = w;
  s->made_last = w;
  s->made++;
}

/* Whether the link names a loop of another schedule than the member's, which has that code. */
static inline bool differs_from(uintptr_t link, uintptr_t code, const struct nth_loop_args *a,
                                const struct nth_team *t) {
  if (nth_unlikely(((link ^ code) & ~(uintptr_t)(LINKED | ON_COUNTER)) != 0))
    return true;
  if (nth_likely(!a || !a->runtime || !nth_load_rlx(&t->shares.mixed)))
    return false;
  const struct nth_workshare *w = linked(link);
  return w->sched != a->sched || w->monotonic != a->monotonic || w->bounds.chunk != a->bounds.chunk;
}

struct nth_workshare *nth_workshare_next(struct nth_member *m, struct nth_workshare_spec *spec) {
  struct nth_slot *slot = m->now.slot;
  struct nth_slot_shares *s = &slot->shares;
  nth_assert(nth_team_has(m->now.team, m));
  struct nth_workshare *at = s->last ? s->last : &m->now.team->shares.anchor;
  uintptr_t next = nth_load_acq(&at->next); /* A */
  uintptr_t code = code_of(spec->loop);
  uint64_t id = (s->last ? s->id : at->id) + 1;
  if (!s->last) /* the region's first one; a cancelled region may have been left in a scope */
    s->pinned = 0;
  if (!next) {
    struct nth_workshare *mine = take(m, spec->units > 0 && !spec->on_counter);
    prepare(mine, spec, m->now.team_size);
    mine->id = id;
    uintptr_t link = (uintptr_t)mine | code | spec->on_counter;
    if (nth_cas_acqrel(&at->next, &next, link)) { /* A */
      next = link;
      remember(s, mine);
    } else { /* another member was first, and no member has seen this descriptor */
      mine->made_next = s->free;
      s->free = mine;
    }
  }
  s->last = linked(next);
  spec->on_counter = (next & ON_COUNTER) != 0;
  spec->differs = differs_from(next, code, spec->loop, m->now.team);
  nth_assert(s->last->id == id); /* I1 */
  s->id = id;
  nth_store_rel(&slot->share_id, nth_unlikely(s->pinned != 0) ? s->pinned : id); /* B */
  return s->last;
}

void nth_workshare_pin(struct nth_slot *s) {
  nth_assert(s->shares.last && nth_load_rlx(&s->share_id) <= s->shares.id);
  if (s->shares.pinned == 0)
    s->shares.pinned = s->shares.id;
}

void nth_workshare_unpin(struct nth_slot *s, const struct nth_workshare *w) {
  if (s->shares.pinned != w->id)
    return; /* of a scope in another one */
  s->shares.pinned = 0;
  nth_store_rel(&s->share_id, s->shares.id); /* B */
}

void nth_workshare_enter_region(struct nth_slot *s) {
  s->shares.last = 0;
  s->shares.scan_at = 0;
  reclaim(&s->shares, UINT64_MAX);
}

void nth_workshare_leave_region(struct nth_team *t) {
  nth_assert(nth_workshare_used(t));
  nth_assert_valid(chain_valid(t));
  for (uint32_t i = 0; i < t->size; i++) {
    uint64_t id = t->slot[i]->shares.id;
    t->shares.anchor.id = id > t->shares.anchor.id ? id : t->shares.anchor.id;
  }
  nth_store_rlx(&t->shares.anchor.next, 0);
}

struct nth_workshare *nth_workshare_alone(struct nth_member *m,
                                          const struct nth_workshare_spec *spec) {
  struct nth_slot_shares *s = &m->now.slot->shares;
  struct nth_workshare_spec plain = {.mem = spec->mem};
  if (!s->alone)
    s->alone = allocate(0);
  prepare(s->alone, &plain, 1);
  return s->alone;
}

void nth_workshare_free_alone(struct nth_slot *slot) {
  struct nth_slot_shares *s = &slot->shares;
  if (!s->alone)
    return;
  nth_heap_free(s->alone->mem);
  nth_heap_free(s->alone);
  s->alone = 0;
}
