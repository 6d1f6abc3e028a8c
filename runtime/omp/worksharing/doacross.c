/* doacross.c - cross-iteration dependences of a loop nest: ordered(n)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/worksharing/doacross.h"

#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/omp/worksharing/loop_bounds.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/cut.h"

/* --- the shared part --- */

/* Whether the positions of all iterations, and the end's, fit in one word. *inner: see the
 * header. */
static bool fits_word(const struct nth_loop_args *a, uint64_t *inner) {
  uint64_t all;
  *inner = 1;
  for (uint32_t k = 1; k < a->ncounts; k++)
    if (__builtin_mul_overflow(*inner, a->counts[k], inner))
      return false;
  return !__builtin_mul_overflow(*inner, a->bounds.trips, &all) && all < NTH_PROGRESS_NOBODY;
}

static uint64_t trapezoid_bounds(const struct nth_loop_args *a, uint32_t members,
                                 uint64_t *bounds) {
  struct nth_trapezoid t;
  nth_trapezoid_set(&t, a->bounds.trips, members, a->bounds.chunk);
  for (uint64_t i = 0; bounds && i < t.chunks; i++)
    bounds[i] = nth_trapezoid_start(&t, i);
  if (bounds)
    bounds[t.chunks] = a->bounds.trips;
  return t.chunks;
}

/* Whether the chunks differ in size by the schedule. */
static bool has_sizes(const struct nth_loop_args *a) {
  return a->sched != NTH_SCHED_STATIC && a->sched != NTH_SCHED_DYNAMIC;
}

/* Counts the chunks of such a schedule; bounds not NULL: writes where they begin. */
static uint64_t sizes_bounds(const struct nth_loop_args *a, uint32_t members, uint64_t *bounds) {
  if (a->sched == NTH_SCHED_TRAPEZOID)
    return trapezoid_bounds(a, members, bounds);
  uint32_t parts = nth_cut_parts(a->sched == NTH_SCHED_GSS, members);
  uint64_t n = 0;
  for (uint64_t at = 0; at < a->bounds.trips; n++) {
    if (bounds)
      bounds[n] = at;
    at += nth_cut_guided(a->bounds.trips - at, parts, a->bounds.chunk);
  }
  if (bounds)
    bounds[n] = a->bounds.trips;
  return n;
}

static void block_bounds(const struct nth_loop_args *a, uint32_t members, uint64_t *bounds) {
  for (uint32_t i = 0; i < members; i++)
    nth_cut_block(a->bounds.trips, i, members, &bounds[i], &bounds[i + 1]);
}

static uint64_t units_of(const struct nth_loop_args *a, uint32_t members) {
  if (has_sizes(a))
    return sizes_bounds(a, members, 0);
  if (a->bounds.chunk == 0)
    return members;
  return nth_loop_chunks(&a->bounds);
}

static uint64_t ring_of(uint64_t units, uint32_t members) {
  uint64_t most = (uint64_t)members * NTH_DOACROSS_UNITS_EACH, ring = 1;
  most = most > NTH_DOACROSS_UNITS ? most : NTH_DOACROSS_UNITS;
  while (ring < units && ring < most)
    ring *= 2;
  return ring;
}

static inline size_t apart(size_t bytes) { return nth_round_up(bytes, NTH_APART); }

/* A block of at least `bytes`, with any contents. */
static struct nth_doacross *block_of(struct nth_doacross *old, size_t bytes) {
  if (old && old->capacity >= bytes)
    return old;
  nth_heap_free(old);
  struct nth_doacross *d = nth_heap_need(bytes);
  d->capacity = bytes;
  return d;
}

static inline struct nth_doacross_unit *line_of(const struct nth_doacross *d, uint64_t unit) {
  return (struct nth_doacross_unit *)(d->lines + (unit & (d->ring - 1)) * d->stride);
}

static void reset_lines(struct nth_doacross *d) {
  for (uint64_t u = 0; u < d->ring; u++) {
    struct nth_doacross_unit *line = line_of(d, u);
    nth_progress_reset(&line->progress);
    for (uint32_t k = 1; !d->packed && k < d->ncounts; k++)
      nth_store_rlx(&line->more[k - 1], 0);
  }
}

void nth_doacross_prepare(struct nth_doacross **at, const struct nth_loop_args *a,
                          uint32_t members) {
  uint64_t inner, units = units_of(a, members), ring = ring_of(units, members);
  bool packed = fits_word(a, &inner);
  bool table = has_sizes(a) || a->bounds.chunk == 0;
  size_t words = packed ? 0 : a->ncounts - 1;
  size_t stride = apart(sizeof(struct nth_doacross_unit) + words * sizeof(uint64_t));
  nth_assert(a->ncounts > 0 && (ring & (ring - 1)) == 0);
  size_t head = sizeof(struct nth_doacross) + a->ncounts * sizeof(uint64_t);
  size_t bounds_bytes = table ? (units + 1) * sizeof(uint64_t) : 0;
  struct nth_doacross *d = *at = block_of(*at, apart(head + bounds_bytes) + ring * stride);
  d->ncounts = a->ncounts;
  d->packed = packed;
  d->counts = (uint64_t *)(d + 1);
  for (uint32_t k = 0; k < a->ncounts; k++)
    d->counts[k] = a->counts[k];
  d->inner = inner;
  d->chunk = a->bounds.chunk;
  d->bounds = table ? d->counts + a->ncounts : 0;
  if (has_sizes(a))
    sizes_bounds(a, members, d->bounds);
  else if (table)
    block_bounds(a, members, d->bounds);
  d->units = units;
  d->ring = ring;
  d->stride = stride;
  d->lines = (char *)d + apart(head + bounds_bytes);
  reset_lines(d);
}

/* --- vectors --- */

/* The iteration number that a sink means, of `count`. gcc 12 adds 2^32 to some sinks of 32-bit
 * unsigned loops (i-1 becomes i + 0xffffffff in 64 bits), where libgomp hangs or crashes. */
static inline uint64_t meant(uint64_t number, uint64_t count) {
  return nth_unlikely(number >= count) && (uint32_t)number < count ? (uint32_t)number : number;
}

/* Whether the line has reached (first, rest[0], ...). */
static bool vector_reached(const struct nth_doacross *d, struct nth_progress *p, uint64_t first,
                           va_list *rest) {
  struct nth_doacross_unit *line = (struct nth_doacross_unit *)p;
  uint64_t have = nth_load_acq(&p->posted); /* progress:A */
  uint64_t want = first;
  va_list more;
  va_copy(more, *rest);
  for (uint32_t k = 1; have == want && k < d->ncounts; k++) {
    have = nth_load_acq(&line->more[k - 1]); /* V */
    want = meant(va_arg(more, unsigned long long), d->counts[k]);
  }
  va_end(more);
  return have >= want;
}

/* --- waiting --- */

/* The end of a unit that is not the loop's last. */
static inline uint64_t end_of(const struct nth_doacross *d, uint64_t unit) {
  return d->bounds ? d->bounds[unit + 1] : (unit + 1) * d->chunk;
}

/* The value of the progress word of a finished unit, as if its last iteration had posted. With
 * vectors it is greater than any of its iterations can post. */
static inline uint64_t end_position(const struct nth_doacross *d, uint64_t end) {
  if (nth_likely(d->packed))
    return end * d->inner;
  return end < UINT64_MAX ? end + 1 : end;
}

/* The goal of a wait: a value of a unit's progress word; with `rest`, a vector. */
struct goal {
  uint64_t unit, first;
  va_list *rest;
};

static inline bool reached(const struct nth_doacross *d, struct nth_progress *p,
                           const struct goal *g) {
  if (nth_likely(!g->rest))
    return nth_progress_reached(p, g->first);
  return vector_reached(d, p, g->first, g->rest);
}

__attribute__((noinline)) static void await_iteration(struct nth_member *m,
                                                      const struct nth_doacross *d,
                                                      struct nth_progress *p, struct goal g) {
  struct nth_wait w;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_ORDERED, m->now.team->crowded);
  while (!nth_cancelled_team(m->now.team)) {
    uint32_t seen = nth_progress_seen(p);
    if (reached(d, p, &g))
      break;
    if (nth_task_go_on_beside(m) || nth_wait_poll(&w))
      continue;
    /* Not for a vector, whose other numbers change without this word. */
    if (!g.rest && nth_members_await_post(m, m->now.team, p, seen))
      continue;
    uint32_t ticket;
    uint64_t timeout = nth_progress_enter(p, g.rest ? 0 : g.first, &ticket);
    if (!reached(d, p, &g))
      nth_progress_sleep(p, ticket, nth_cancel_timeout(nth_task_nap_beside(m, timeout)));
  }
  nth_wait_end(&w);
}

static inline void await(struct nth_member *m, const struct nth_doacross *d, struct goal g) {
  struct nth_progress *p = &line_of(d, g.unit)->progress;
  if (reached(d, p, &g))
    return;
  if (d->packed) { /* an inner iteration beyond its loop */
    uint64_t end = end_position(d, end_of(d, g.unit));
    g.first = g.first < end ? g.first : end;
  }
  await_iteration(m, d, p, g);
}

/* --- a member's chunks --- */

bool nth_doacross_next(struct nth_loop *l) {
  if (nth_load_rlx(&l->share->counter) >= l->doacross->units)
    return false;
  l->unit = nth_add_rlx(&l->share->counter, 1);
  if (l->unit >= l->doacross->units)
    return false;
  l->begin = l->doacross->bounds[l->unit];
  l->end = l->doacross->bounds[l->unit + 1];
  return true;
}

void nth_doacross_chunk_begin(struct nth_member *m, struct nth_loop *l) {
  struct nth_doacross *d = l->doacross;
  if (!d->bounds)
    l->unit = d->chunk == 1 ? l->begin : l->begin / d->chunk;
  nth_assert(l->begin < l->end && l->unit < d->units);
  l->own = line_of(d, l->unit);
  if (l->unit >= d->ring) {
    uint64_t before = l->unit - d->ring;
    await(m, d, (struct goal){before, end_position(d, end_of(d, before)), 0}); /* I2 */
  }
}

void nth_doacross_chunk_done(struct nth_loop *l) {
  if (l->begin == l->end) /* no chunk has been taken yet */
    return;
  struct nth_progress *p = &l->own->progress;
  uint64_t end = end_position(l->doacross, l->end);
  if (nth_load_rlx(&p->posted) < end) /* otherwise the line may have a later chunk by now (I2) */
    nth_progress_post(p, end);
}

void nth_doacross_post(struct nth_member *m, const uint64_t *iteration) {
  struct nth_loop *l = &m->now.slot->loop;
  struct nth_doacross *d = l->doacross;
  if (!d)
    return;
  uint64_t position = iteration[0];
  if (nth_likely(d->packed)) {
    for (uint32_t k = 1; k < d->ncounts; k++)
      position = position * d->counts[k] + iteration[k];
  } else {
    for (uint32_t k = d->ncounts; k-- > 1;)
      nth_store_rel(&l->own->more[k - 1], iteration[k]); /* V */
  }
  nth_progress_post(&l->own->progress, position + 1);
}

/* The unit that holds an iteration which lies before the member's own chunk. */
static inline uint64_t unit_before(const struct nth_doacross *d, const struct nth_loop *l,
                                   uint64_t iteration) {
  uint64_t unit = l->unit - 1;
  if (d->bounds) {
    while (d->bounds[unit] > iteration)
      unit--;
    return unit;
  }
  uint64_t back = l->begin - 1 - iteration; /* the own chunk begins at a multiple of the chunk
                                             * size */
  if (back < d->chunk)
    return unit;
  return unit - (d->chunk == 1 ? back : back / d->chunk);
}

void nth_doacross_wait(struct nth_member *m, uint64_t first, va_list *rest) {
  struct nth_loop *l = &m->now.slot->loop;
  struct nth_doacross *d = l->doacross;
  if (!d)
    return;
  if (first >= l->begin)
    first = meant(first, d->counts[0]);
  if (first >= l->begin)
    return; /* this member has run it, or it does not come before */
  uint64_t unit = unit_before(d, l, first);
  if (nth_likely(d->packed)) {
    for (uint32_t k = 1; k < d->ncounts; k++)
      first = first * d->counts[k] + meant(va_arg(*rest, unsigned long long), d->counts[k]);
    rest = 0;
  }
  await(m, d, (struct goal){unit, first + 1, rest});
}
