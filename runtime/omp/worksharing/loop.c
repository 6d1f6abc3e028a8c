/* loop.c - work-sharing loops and sections: one engine for all kinds
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/worksharing/loop.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/doacross.h"
#include "runtime/omp/worksharing/loop_bounds.h"
#include "runtime/omp/worksharing/loop_sizes.h"
#include "runtime/omp/worksharing/workshare.h"
#include "runtime/place/places/allowed.h"
#include "runtime/struct/cut.h"

/* Which engine serves the loop in a team of `members`. */
static uint8_t kind_of(struct nth_loop *l, const struct nth_loop_args *a, uint32_t members) {
  l->units = 0;
  if (members == 1 && !a->sections && !nth_loop_told)
    return NTH_LOOP_BLOCK; /* chunks that follow each other are one to the program */
  if (a->sched == NTH_SCHED_STATIC)
    return a->bounds.chunk == 0 ? NTH_LOOP_BLOCK : NTH_LOOP_CYCLIC;
  if (members == 1)
    return NTH_LOOP_SERIAL;
  if (a->sched != NTH_SCHED_DYNAMIC)
    return a->ncounts ? NTH_LOOP_TABLE : nth_loop_sizes_kind(a);
  uint64_t n = l->count = nth_loop_chunks(&a->bounds);
  l->parts = members;
  if (!nth_env.ranges || a->monotonic || a->ordered || n <= NTH_RANGES_FROM * members ||
      n > NTH_RANGE_MAX)
    return NTH_LOOP_COUNTER;
  l->units = (uint32_t)n - 1; /* the last one is kept back, see loop.h */
  return NTH_LOOP_RANGES;
}

/* The chunks that a member may claim at once. Single ones: where a tool hears of each, where a
 * chunk is a section or has its own progress line, where sums of chunks could wrap, where the user
 * says so, and where a counter has so few that no claim may have two (I2 of claim.h): such a loop
 * reads no time. */
static uint32_t most_at_once(const struct nth_loop *l, const struct nth_loop_args *a,
                             uint32_t members) {
  if (nth_env.single_chunks)
    return 1;
  if (l->kind == NTH_LOOP_RANGES)
    return nth_loop_told ? 1 : NTH_CLAIM_OWN;
  if (l->kind != NTH_LOOP_COUNTER || a->sections || a->ncounts || nth_loop_told ||
      l->count > UINT64_MAX / 2 || l->count < (uint64_t)members << NTH_CLAIM_PART)
    return 1;
  return a->ordered ? NTH_CLAIM_ORDERED : NTH_CLAIM_SHARED;
}

/* Among how many a short loop is shared: members that take turns would come too late. The number of
 * CPUs is not found out for that if it is not known, which takes a thread. */
static inline uint32_t runners(const struct nth_loop *l) {
  uint32_t cpus = nth_load_rlx(&nth_allowed.cpus);
  cpus = cpus != 0 ? cpus : nth_load_rlx(&nth_allowed.mask);
  return cpus != 0 && cpus < l->parts ? cpus : l->parts;
}

/* Looks up what the member knows of loops begun at this place: whether it will claim shares, and
 * whether it will measure a claim. */
static void look_up_site(struct nth_loop *l, struct nth_slot_shares *s,
                         const struct nth_loop_args *a) {
  if (a->from == 0 || a->sections || l->special || l->count <= l->parts ||
      l->count > NTH_RANGE_MAX || nth_env.single_chunks)
    return; /* a loop with an iteration for each member has single ones */
  struct nth_loop_site *site = nth_loop_site_find(&s->sites, a->from);
  uint32_t n = runners(l);
  l->samples = nth_loop_site_samples(site);
  if (nth_loop_site_is_short(site, l->count, n))
    l->some = (uint32_t)(l->count + n - 1) / n;
  l->site = l->samples || l->some > 0 ? site : 0;
}

/* The chunks are on the counter or in the ranges, or have ordered regions. */
static void begin_claims(struct nth_loop *l, const struct nth_loop_args *a, uint32_t members) {
  nth_claim_set(&l->claim, most_at_once(l, a, members), members,
                l->ordered                   ? NTH_CLAIM_OF_ORDERED
                : l->kind == NTH_LOOP_RANGES ? NTH_CLAIM_OF_RANGE
                                             : NTH_CLAIM_OF_COUNTER);
  if (nth_likely(!l->site))
    return;
  if (l->some > 0)
    nth_claim_first(&l->claim, l->samples);
  else if (l->samples)
    l->claim.left = l->kind == NTH_LOOP_RANGES ? 2 : 1; /* the own range's line comes first */
  else
    l->site = 0;
}

/* Looks whether all chunks of the counter are claimed. */
static inline bool is_over(struct nth_loop *l) {
  if (nth_load_rlx(&l->share->counter) < l->count)
    return false;
  l->kind = NTH_LOOP_DONE;
  return true;
}

/* A loop whose chunks are on the counter or in the ranges. */
static void begin_dynamic(struct nth_member *m, struct nth_loop *l, const struct nth_loop_args *a,
                          struct nth_workshare_spec *spec) {
  struct nth_slot_shares *s = &m->now.slot->shares;
  bool ranges = l->kind == NTH_LOOP_RANGES, there = nth_workshare_there(m->now.team, s);
  if (!there)
    look_up_site(l, s, a);
  spec->on_counter = !ranges || l->some > 0;
  if (spec->on_counter && l->count > 0)
    spec->claimed = l->some > 0 ? l->some : 1;
  l->share = nth_workshare_next(m, spec);
  spec->differs |= !ranges && !spec->on_counter; /* the maker's loop has more chunks */
  if (nth_unlikely(spec->differs))
    return;
  if (!spec->on_counter) {
    l->some = 0;
    return;
  }
  l->kind = NTH_LOOP_COUNTER;
  /* Where members take turns most of them come to a short loop too late, and only look. Elsewhere a
   * look before the first claim would move the line twice. */
  if (there && !(m->now.team->crowded && is_over(l)))
    look_up_site(l, s, a);
}

/* What the loop is to the member, but for what members share. */
static void set(struct nth_member *m, struct nth_loop *l, const struct nth_loop_args *a,
                uint32_t n) {
  l->bounds = a->bounds;
  l->begin = l->end = 0;
  l->ordered = a->ordered && n > 1;
  l->special = l->ordered || nth_loop_told;
  l->turn = l->passed = false;
  l->plain = 0;
  l->regions = 0;
  l->kind = kind_of(l, a, n);
  l->victim = m->now.thread_num;
  if (l->kind == NTH_LOOP_SERIAL && a->sched != NTH_SCHED_DYNAMIC)
    l->bounds.chunk = a->bounds.trips; /* the others give a team of one the whole loop */
  if (l->kind == NTH_LOOP_GUIDED)
    l->parts = nth_cut_parts(a->sched == NTH_SCHED_GSS, n);
  else if (l->kind > NTH_LOOP_GUIDED)
    nth_loop_sizes_begin(l, a, n);
  l->next = l->kind == NTH_LOOP_CYCLIC ? a->bounds.chunk * m->now.thread_num : 0;
  if (l->kind == NTH_LOOP_CYCLIC && a->bounds.trips / n < a->bounds.chunk &&
      (a->bounds.trips - 1) / a->bounds.chunk < m->now.thread_num)
    l->next = a->bounds.trips; /* its first chunk lies beyond the loop's end; the product may have
                                * wrapped */
  l->share = 0;
  l->doacross = 0;
  l->site = 0;
  l->some = 0;
  l->unit = m->now.thread_num; /* a block's; other kinds set it with each chunk */
}

/* The maker of the loop's descriptor has another schedule than the member, or other bounds: the
 * maker's count, and are put into *a. Members must have the same. Some programs set a schedule in
 * one member by mistake, and run well on libgomp. */
__attribute__((noinline)) static void adopt(struct nth_member *m, struct nth_loop *l,
                                            struct nth_loop_args *a, uint32_t members,
                                            const struct nth_workshare_spec *spec) {
  struct nth_workshare *share = l->share;
  a->sched = share->sched;
  a->monotonic = share->monotonic;
  a->bounds = share->bounds;
  set(m, l, a, members);
  l->share = share;
  if (l->kind == NTH_LOOP_RANGES && spec->on_counter)
    l->kind = NTH_LOOP_COUNTER;
}

/* Whether the maker of the loop's descriptor has other bounds, where a member looks before its
 * first claim. */
static inline bool has_others(const struct nth_loop *l, const struct nth_loop_args *a,
                              uint32_t members) {
  return members > 1 && l->kind != NTH_LOOP_COUNTER && l->kind != NTH_LOOP_GUIDED &&
         nth_loop_bounds_differ(l->share, &a->bounds);
}

/* The part of the loop that members share. Returns the arguments that count: `theirs`, which it
 * fills in, if the maker has others. */
static const struct nth_loop_args *begin_shared(struct nth_member *m, struct nth_loop *l,
                                                const struct nth_loop_args *a, uint32_t members,
                                                struct nth_loop_args *theirs) {
  struct nth_workshare_spec spec = {
      .units = l->units, .mem = a->mem, .doacross = l->ordered && a->ncounts ? a : 0, .loop = a};
  if (members == 1)
    l->share = nth_workshare_alone(m, &spec);
  else if (l->kind == NTH_LOOP_RANGES || l->kind == NTH_LOOP_COUNTER)
    begin_dynamic(m, l, a, &spec);
  else
    l->share = nth_workshare_next(m, &spec);
  if (nth_unlikely(spec.differs || has_others(l, a, members))) {
    *theirs = *a;
    adopt(m, l, theirs, members, &spec);
    a = theirs;
  }
  if (spec.doacross)
    l->doacross = l->share->doacross;
  if (l->ordered || l->kind == NTH_LOOP_RANGES || l->kind == NTH_LOOP_COUNTER)
    begin_claims(l, a, members);
  if (l->kind == NTH_LOOP_COUNTER && spec.claimed > 0 &&
      nth_workshare_is_mine(&m->now.slot->shares, l->share)) {
    l->kind = NTH_LOOP_FIRST;
    l->next = spec.claimed;
  }
  return a;
}

void (*nth_loop_told)(struct nth_member *m, enum nth_loop_event event,
                      const struct nth_loop_args *args);

void nth_loop_begin(struct nth_member *m, const struct nth_loop_args *a) {
  struct nth_loop *l = &m->now.slot->loop;
  struct nth_loop_args theirs;
  uint32_t n = m->now.team_size;
  nth_assert(n == 1 || nth_team_has(m->now.team, m));
  nth_assert(a->sched != NTH_SCHED_RUNTIME &&
             (a->bounds.chunk > 0 || nth_sched_chunk(a->sched) == 0));
  set(m, l, a, n);
  if (l->ordered || a->mem || a->share || a->runtime || l->kind >= NTH_LOOP_COUNTER)
    a = begin_shared(m, l, a, n, &theirs);
  if (nth_unlikely(l->special) && nth_loop_told)
    nth_loop_told(m, NTH_LOOP_BEGIN, a);
}

static bool next_block(struct nth_member *m, struct nth_loop *l) {
  l->kind = NTH_LOOP_DONE;
  nth_cut_block(l->bounds.trips, m->now.thread_num, m->now.team_size, &l->begin, &l->end);
  return l->begin < l->end;
}

static bool next_cyclic(struct nth_member *m, struct nth_loop *l) {
  if (l->next >= l->bounds.trips)
    return false;
  uint64_t left = l->bounds.trips - l->next, n = m->now.team_size;
  l->begin = l->next;
  l->end = left > l->bounds.chunk ? l->begin + l->bounds.chunk : l->bounds.trips;
  /* advances by n chunks without wrapping */
  l->next = left / n < l->bounds.chunk || left <= l->bounds.chunk * n
                ? l->bounds.trips
                : l->next + l->bounds.chunk * n;
  return true;
}

static bool next_serial(struct nth_loop *l) {
  if (l->next >= l->bounds.trips)
    return false;
  l->begin = l->next;
  l->end =
      l->bounds.trips - l->next > l->bounds.chunk ? l->next + l->bounds.chunk : l->bounds.trips;
  l->next = l->end;
  return true;
}

/* Makes unit `u` the current chunk. */
static inline bool set_unit(struct nth_loop *l, uint64_t u) {
  nth_assert(l->bounds.trips > 0 && u <= (l->bounds.trips - 1) / l->bounds.chunk);
  l->begin = u * l->bounds.chunk;
  l->end =
      l->bounds.trips - l->begin > l->bounds.chunk ? l->begin + l->bounds.chunk : l->bounds.trips;
  return true;
}

/* The chunks that its maker claimed with the descriptor. */
static bool next_first(struct nth_loop *l) {
  bool more = l->next < l->count;
  nth_claim_claimed(&l->claim);
  l->kind = more ? NTH_LOOP_COUNTER : NTH_LOOP_DONE;
  l->begin = 0;
  l->end = more ? l->next * l->bounds.chunk : l->bounds.trips;
  return true;
}

/* Claims chunks of the counter. `next` is the first one behind the member's last claim. Where fewer
 * may be left than there are members, most of them find none: they look first, which leaves the
 * line to the others. Nobody asks after the last one. */
static inline bool claim_counted(struct nth_loop *l, uint32_t some) {
  if (some == 1 && l->count - l->next < l->parts && is_over(l))
    return false;
  uint64_t u = nth_add_rlx(&l->share->counter, some);
  if (nth_unlikely(l->next == 0))
    nth_loop_bounds_agree(l);
  nth_claim_claimed(&l->claim);
  if (u + some >= l->count)
    l->kind = NTH_LOOP_DONE;
  if (u >= l->count)
    return false;
  l->next = u + some;
  l->begin = u * l->bounds.chunk;
  l->end = l->count - u <= some ? l->bounds.trips : l->begin + some * l->bounds.chunk;
  return true;
}

/* So many chunks have been measured. */
static void end_sample(struct nth_loop *l, uint64_t chunks) {
  uint64_t took = nth_cycles() - l->claim.since;
  nth_assert(l->claim.since != 0 && l->begin < l->end);
  nth_loop_site_note(l->site, took, chunks, l->count, runners(l));
  l->claim.since = 0;
}

static void end_share(struct nth_loop *l) {
  if (l->claim.since != 0)
    end_sample(l, (l->end - l->begin - 1) / l->bounds.chunk + 1);
}

/* Single chunks: the sample begins with this claim, or is over after so many. */
static void sample(struct nth_loop *l, uint32_t chunks) {
  nth_assert(l->site && l->samples && l->some == 0);
  if (l->claim.since == 0) {
    l->claim.since = nth_cycles();
    l->claim.left = chunks;
    return;
  }
  end_sample(l, chunks);
  l->site = 0;
  nth_claim_restart(&l->claim);
}

/* Claims the member's share. When it comes again, mostly nothing is left, so it looks first. If
 * something is left, others are late. One of two members then claims the other one's share whole:
 * the line moves once. One of more claims half of what it claimed the last time. */
static bool claim_share(struct nth_loop *l) {
  nth_assert(l->site && l->some > 0);
  if (l->next > 0) {
    end_share(l);
    if (is_over(l))
      return false;
    l->some -= runners(l) > 2 ? l->some / 2 : 0;
  }
  l->claim.left = 1; /* the next claim comes here, too */
  return claim_counted(l, l->some);
}

__attribute__((noinline)) static bool claim_counted_look(struct nth_loop *l) {
  if (l->some > 0)
    return claim_share(l);
  if (l->site)
    sample(l, 1); /* the next claim may take long itself */
  else
    nth_claim_look(&l->claim);
  uint32_t some = l->claim.size;
  if (some > 1 && l->next < l->count)
    some = nth_claim_within(&l->claim, some, l->count - l->next);
  return claim_counted(l, some);
}

static inline bool next_counted(struct nth_loop *l) {
  if (nth_unlikely(nth_claim_due(&l->claim)))
    return claim_counted_look(l);
  nth_assert(l->claim.size == 1 && l->some == 0);
  return claim_counted(l, 1);
}

/* Where even failing additions could make the counter wrap, unless the maker has fewer chunks. */
__attribute__((noinline)) static bool next_countless(struct nth_loop *l) {
  nth_loop_bounds_agree(l);
  if (l->count <= UINT64_MAX / 2)
    return next_counted(l);
  uint64_t u = nth_load_rlx(&l->share->counter);
  do {
    if (u >= l->count)
      return false;
  } while (!nth_cas_rlx(&l->share->counter, &u, u + 1));
  return set_unit(l, u);
}

static bool next_counter(struct nth_loop *l) {
  return nth_unlikely(l->count > UINT64_MAX / 2) ? next_countless(l) : next_counted(l);
}

bool nth_loop_last_unit(struct nth_loop *l) {
  l->kind = NTH_LOOP_DONE;
  if (nth_load_rlx(&l->share->counter) != 0 || nth_add_rlx(&l->share->counter, 1) != 0)
    return false;
  return set_unit(l, l->units);
}

/* Takes half of another member's range when the own one is empty; at the end, the chunk that was
 * kept out. */
static bool steal(struct nth_member *m, struct nth_loop *l) {
  struct nth_range *range = nth_workshare_ranges(l->share);
  uint32_t n = m->now.team_size, me = m->now.thread_num;
  for (uint32_t tries = 0; tries < n; tries++) {
    uint32_t next, end;
    if (l->victim != me && nth_range_steal(&range[l->victim], &next, &end)) {
      nth_range_give(&range[me], next + 1, end);
      nth_claim_restart(&l->claim);
      return set_unit(l, next);
    }
    l->victim = l->victim + 1 == n ? 0 : l->victim + 1;
  }
  return nth_loop_last_unit(l);
}

/* No chunk of the ranges is the loop's last one, so all are whole. */
static inline bool claim_own(struct nth_member *m, struct nth_loop *l) {
  struct nth_range *own = &nth_workshare_ranges(l->share)[m->now.thread_num];
  uint32_t unit, some = nth_range_take_some(own, l->claim.size, NTH_CLAIM_PART, &unit);
  if (nth_unlikely(some == 0))
    return steal(m, l);
  l->begin = unit * l->bounds.chunk;
  l->end = l->begin + some * l->bounds.chunk;
  return true;
}

__attribute__((noinline)) static bool claim_own_look(struct nth_member *m, struct nth_loop *l) {
  if (l->site)
    sample(l, NTH_LOOP_SAMPLE);
  else
    nth_claim_look(&l->claim);
  return claim_own(m, l);
}

static inline bool next_ranges(struct nth_member *m, struct nth_loop *l) {
  return nth_unlikely(nth_claim_due(&l->claim)) ? claim_own_look(m, l) : claim_own(m, l);
}

/* Nothing is left. The loop may have ended with the member's share. */
static bool done(struct nth_loop *l) {
  if (nth_unlikely(l->some > 0) && l->begin < l->end)
    end_share(l);
  return false;
}

static bool next_chunk(struct nth_member *m, struct nth_loop *l) {
  nth_assert(l->kind <= NTH_LOOP_AFFINITY);
  switch (l->kind) {
  case NTH_LOOP_DONE: return done(l);
  case NTH_LOOP_RANGES: return next_ranges(m, l);
  case NTH_LOOP_FIRST: return next_first(l);
  case NTH_LOOP_COUNTER: return next_counter(l);
  case NTH_LOOP_GUIDED: return nth_loop_guided_next(m, l);
  case NTH_LOOP_BLOCK: return next_block(m, l);
  case NTH_LOOP_CYCLIC: return next_cyclic(m, l);
  case NTH_LOOP_SERIAL: return next_serial(l);
  case NTH_LOOP_TABLE: return nth_doacross_next(l);
  case NTH_LOOP_TRAPEZOID: return nth_loop_trapezoid_next(m, l);
  case NTH_LOOP_AFFINITY: return nth_loop_affinity_next(m, l);
  default: __builtin_unreachable();
  }
}

/* The next chunk of an ordered or doacross loop: other members may wait for the end of this one. */
static bool next_in_order(struct nth_member *m, struct nth_loop *l) {
  if (!l->doacross || l->turn)
    nth_ordered_chunk_done(m);
  if (!l->doacross)
    return next_chunk(m, l);
  nth_doacross_chunk_done(l);
  if (!next_chunk(m, l))
    return false;
  nth_doacross_chunk_begin(m, l);
  return true;
}

/* The next chunk where something is to be done first: in an ordered loop, or while fewer processors
 * are asked for. A member that rests leaves its chunks to the others; so not in static loops, and
 * not where others wait for the end of its chunks. */
__attribute__((noinline)) static bool next_special(struct nth_member *m, struct nth_loop *l) {
  bool there;
  if (nth_loop_told)
    nth_loop_told(m, NTH_LOOP_NEXT, 0);
  if (l->ordered) {
    there = next_in_order(m, l);
  } else {
    if (l->kind >= NTH_LOOP_COUNTER && nth_permits_limited())
      nth_member_pass(m);
    there = next_chunk(m, l);
  }
  if (there && nth_loop_told)
    nth_loop_told(m, NTH_LOOP_CHUNK, 0);
  return there;
}

bool nth_loop_next(struct nth_member *m, uint64_t *from, uint64_t *to) {
  struct nth_loop *l = &m->now.slot->loop;
  bool there =
      nth_unlikely(l->special || nth_permits_limited()) ? next_special(m, l) : next_chunk(m, l);
  if (nth_unlikely(!there)) {
    l->begin = l->end = 0;
    return false;
  }
  nth_assert(l->begin < l->end && l->end <= l->bounds.trips);
  *from = l->bounds.base + l->begin * l->bounds.step;
  *to = l->end == l->bounds.trips ? l->bounds.last : l->bounds.base + l->end * l->bounds.step;
  return true;
}

void nth_loop_leave(struct nth_member *m) {
  struct nth_loop *l = &m->now.slot->loop;
  l->kind = NTH_LOOP_DONE;
  l->share = 0;
  if (nth_unlikely(l->special) && nth_loop_told)
    nth_loop_told(m, NTH_LOOP_LEAVE, 0);
}
