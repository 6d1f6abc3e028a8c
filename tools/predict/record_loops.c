/* record_loops.c - loops whose chunks the runtime hands out, and sections
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A member that is alone may get a whole loop at once. The recorder then hands it out in pieces,
 * each of which has a time of its own, so that a replay can cut the loop anew. A piece is one
 * iteration where iterations take SHORT_PS or more or have events of their own. Otherwise pieces
 * double up to that time, since a piece costs the program some time that cannot be told from its
 * own. A long loop has at most PIECES pieces, MANY where iterations have events. Ordered and
 * doacross loops are cut too: the runtime sees one chunk, whose order a lone member keeps.
 */
#include "record.h"

#include <stdarg.h>

enum { PIECES = 4096, MANY = 65536, KIND_RUNTIME = 0, MONOTONIC = (int)0x80000000u };
#define SHORT_PS ((uint64_t)4000 * 1000) /* 4 us: a piece costs some 20 ns */
/* nanogomp's own kinds; runtime/omp/types/icv.h. */
enum { TRAPEZOID = 0x101, AFFINITY = 0x102, GSS = 0x103 };

static uint64_t iterations(const struct rec_range *r) {
  uint64_t length = r->is_up ? r->end - r->start : r->start - r->end;
  uint64_t step = r->is_up ? r->step : 0 - r->step;
  bool none = (int64_t)length <= 0 && r->schedule != REC_SECTIONS;
  return none || step == 0 ? 0 : (length + step - 1) / step;
}

/* How a kind is recorded. Those of our own have chunks that shrink, as guided ones do. */
static uint32_t recorded_as(int kind) {
  switch (kind) {
  case REC_DYNAMIC: return REC_DYNAMIC;
  case REC_GUIDED:
  case TRAPEZOID:
  case AFFINITY: return REC_GUIDED;
  case GSS: return REC_GSS;
  default: return REC_STATIC;
  }
}

/* schedule(runtime) is what the ICV says. The number of affinity is no chunk. */
static void ask_schedule(struct rec_range *r) {
  REC_REAL(void(int *, int *), omp_get_schedule);
  int kind = REC_STATIC, chunk = 0;
  real(&kind, &chunk);
  kind &= ~MONOTONIC;
  r->schedule |= recorded_as(kind);
  r->chunk = chunk > 0 && kind != AFFINITY ? (uint64_t)chunk : 0;
}

void rec_loop_open(struct rec_range r) {
  if ((r.schedule & 15u) == 0)
    ask_schedule(&r);
  uint64_t count = iterations(&r);
  struct rec_loop *loop = &rec_self()->loop;
  *loop = (struct rec_loop){.first = r.start, .step = r.step, .is_up = r.is_up, .is_set = true};
  if (rec_is_serial() && r.schedule != REC_SECTIONS)
    loop->piece = loop->least = count / MANY + 1;
  rec_note(REC_LOOP_ENTER, r.schedule, count, r.chunk);
}

/* The next piece's size, from what the last one had. */
static void piece_adapt(struct rec_loop *loop) {
  struct rec_own *self = rec_self();
  uint64_t took = self->clock - loop->clock, coarse = loop->least * (MANY / PIECES);
  if (self->noted > loop->noted + 1) /* not only this call's own */
    loop->piece = loop->least;
  else if (loop->least > 1 && loop->piece < coarse)
    loop->piece = coarse;
  else if (took < SHORT_PS && loop->piece <= loop->handed)
    loop->piece *= 2;
  else if (took > 4 * SHORT_PS) {
    uint64_t fits = loop->handed * SHORT_PS / took;
    loop->piece = fits > loop->least ? fits : loop->least;
  }
}

/* The next piece of what is left, into *istart and *iend. */
static bool hand_out(struct rec_loop *loop, uint64_t *istart, uint64_t *iend) {
  uint64_t count = loop->last - loop->at;
  if (loop->piece > 0 && count > loop->piece)
    count = loop->piece;
  *istart = loop->first + loop->at * loop->step;
  *iend = loop->at + count == loop->last ? loop->last_end
                                         : loop->first + (loop->at + count) * loop->step;
  uint64_t at = loop->at;
  loop->at += count;
  rec_note_after(REC_CHUNK, 0, at, count);
  loop->handed = count;
  loop->clock = rec_self()->clock;
  loop->noted = rec_self()->noted;
  return true;
}

/* What the runtime gave, [*istart, *iend), if it gave anything. */
static bool given(bool some, uint64_t *istart, uint64_t *iend) {
  struct rec_loop *loop = &rec_self()->loop;
  if (!some) {
    rec_note_after(REC_CHUNK, 0, 0, 0);
    return false;
  }
  uint64_t step = loop->is_up ? loop->step : 0 - loop->step;
  if (!loop->is_set || step == 0) {
    rec_note_after(REC_CHUNK, 0, 0, 1);
    return true;
  }
  loop->at = (loop->is_up ? *istart - loop->first : loop->first - *istart) / step;
  uint64_t length = loop->is_up ? *iend - *istart : *istart - *iend;
  loop->last = loop->at + (length + step - 1) / step;
  loop->last_end = *iend;
  return hand_out(loop, istart, iend);
}

/* Is there a rest of what the runtime gave? Then the next call is not the runtime's. */
static bool rest(uint64_t *istart, uint64_t *iend) {
  rec_note(REC_NEXT_ENTER, 0, 0, 0);
  struct rec_loop *loop = &rec_self()->loop;
  if (loop->piece > 0)
    piece_adapt(loop);
  return loop->at < loop->last && hand_out(loop, istart, iend);
}

/* --- starts --- */

#define RANGE(start, end, incr, chunk, schedule, up)                                               \
  ((struct rec_range){(uint64_t)(start), (uint64_t)(end), (uint64_t)(incr), (uint64_t)(chunk),     \
                      (schedule), (up)})

#define START(name, schedule)                                                                      \
  REC_ENTRY bool name(long start, long end, long incr, long chunk, long *istart, long *iend) {     \
    REC_REAL(bool(long, long, long, long, long *, long *), name);                                  \
    rec_loop_open(RANGE(start, end, incr, chunk, schedule, incr > 0));                             \
    bool some = real(start, end, incr, chunk, istart, iend);                                       \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
#define START_RUNTIME(name, schedule)                                                              \
  REC_ENTRY bool name(long start, long end, long incr, long *istart, long *iend) {                 \
    REC_REAL(bool(long, long, long, long *, long *), name);                                        \
    rec_loop_open(RANGE(start, end, incr, 0, schedule, incr > 0));                                 \
    bool some = real(start, end, incr, istart, iend);                                              \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
typedef unsigned long long ull;
#define START_ULL(name, schedule)                                                                  \
  REC_ENTRY bool name(bool up, ull start, ull end, ull incr, ull chunk, ull *istart, ull *iend) {  \
    REC_REAL(bool(bool, ull, ull, ull, ull, ull *, ull *), name);                                  \
    rec_loop_open(RANGE(start, end, incr, chunk, schedule, up));                                   \
    bool some = real(up, start, end, incr, chunk, istart, iend);                                   \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
#define START_RUNTIME_ULL(name, schedule)                                                          \
  REC_ENTRY bool name(bool up, ull start, ull end, ull incr, ull *istart, ull *iend) {             \
    REC_REAL(bool(bool, ull, ull, ull, ull *, ull *), name);                                       \
    rec_loop_open(RANGE(start, end, incr, 0, schedule, up));                                       \
    bool some = real(up, start, end, incr, istart, iend);                                          \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
#define NEXT(name, type)                                                                           \
  REC_ENTRY bool name(type *istart, type *iend) {                                                  \
    REC_REAL(bool(type *, type *), name);                                                          \
    if (rest((uint64_t *)istart, (uint64_t *)iend))                                                \
      return true;                                                                                 \
    return given(real(istart, iend), (uint64_t *)istart, (uint64_t *)iend);                        \
  }
#define FAMILY(schedule_name, schedule)                                                            \
  START(GOMP_loop_##schedule_name##_start, schedule)                                               \
  START_ULL(GOMP_loop_ull_##schedule_name##_start, schedule)                                       \
  NEXT(GOMP_loop_##schedule_name##_next, long)                                                     \
  NEXT(GOMP_loop_ull_##schedule_name##_next, ull)
#define FAMILY_RUNTIME(schedule_name, schedule)                                                    \
  START_RUNTIME(GOMP_loop_##schedule_name##_start, schedule)                                       \
  START_RUNTIME_ULL(GOMP_loop_ull_##schedule_name##_start, schedule)                               \
  NEXT(GOMP_loop_##schedule_name##_next, long)                                                     \
  NEXT(GOMP_loop_ull_##schedule_name##_next, ull)

FAMILY(static, REC_STATIC)
FAMILY(dynamic, REC_DYNAMIC)
FAMILY(guided, REC_GUIDED)
FAMILY(nonmonotonic_dynamic, REC_DYNAMIC)
FAMILY(nonmonotonic_guided, REC_GUIDED)
FAMILY(ordered_static, REC_STATIC | REC_ORDERED)
FAMILY(ordered_dynamic, REC_DYNAMIC | REC_ORDERED)
FAMILY(ordered_guided, REC_GUIDED | REC_ORDERED)
FAMILY_RUNTIME(runtime, KIND_RUNTIME)
FAMILY_RUNTIME(nonmonotonic_runtime, KIND_RUNTIME)
FAMILY_RUNTIME(maybe_nonmonotonic_runtime, KIND_RUNTIME)
FAMILY_RUNTIME(ordered_runtime, KIND_RUNTIME | REC_ORDERED)

/* With reductions or memory of the team; sched as GCC numbers schedules: 4 is auto's. */
static uint32_t schedule_of(long sched) {
  long kind = sched & 0x7fffffff;
  return kind == 4 ? KIND_RUNTIME : (uint32_t)kind & 3u;
}

#define START_FULL(name, flag)                                                                     \
  REC_ENTRY bool name(long start, long end, long incr, long sched, long chunk, long *istart,       \
                      long *iend, uintptr_t *reductions, void **mem) {                             \
    REC_REAL(bool(long, long, long, long, long, long *, long *, uintptr_t *, void **), name);      \
    rec_loop_open(RANGE(start, end, incr, chunk, schedule_of(sched) | (flag), incr > 0));          \
    bool some = real(start, end, incr, sched, chunk, istart, iend, reductions, mem);               \
    return istart ? given(some, (uint64_t *)istart, (uint64_t *)iend) : some;                      \
  }
#define START_FULL_ULL(name, flag)                                                                 \
  REC_ENTRY bool name(bool up, ull start, ull end, ull incr, long sched, ull chunk, ull *istart,   \
                      ull *iend, uintptr_t *reductions, void **mem) {                              \
    REC_REAL(bool(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **), name);      \
    rec_loop_open(RANGE(start, end, incr, chunk, schedule_of(sched) | (flag), up));                \
    bool some = real(up, start, end, incr, sched, chunk, istart, iend, reductions, mem);           \
    return istart ? given(some, (uint64_t *)istart, (uint64_t *)iend) : some;                      \
  }
START_FULL(GOMP_loop_start, 0)
START_FULL(GOMP_loop_ordered_start, REC_ORDERED)
START_FULL_ULL(GOMP_loop_ull_start, 0)
START_FULL_ULL(GOMP_loop_ull_ordered_start, REC_ORDERED)

/* A doacross loop's chunks are over its outermost loop, counted from 0. */
static void open_nest(unsigned ncounts, const uint64_t *counts, uint64_t chunk, uint32_t schedule) {
  rec_loop_open(RANGE(0, counts[0], 1, chunk, schedule | REC_DOACROSS, true));
  struct rec_loop *loop = &rec_self()->loop;
  loop->dimensions = ncounts <= REC_DIMENSIONS ? ncounts : 0;
  for (unsigned i = 0; i < loop->dimensions; i++)
    loop->counts[i] = counts[i];
}

#define DOACROSS(name, type, schedule)                                                             \
  REC_ENTRY bool name(unsigned ncounts, type *counts, type chunk, type *istart, type *iend) {      \
    REC_REAL(bool(unsigned, type *, type, type *, type *), name);                                  \
    open_nest(ncounts, (const uint64_t *)counts, (uint64_t)chunk, schedule);                       \
    bool some = real(ncounts, counts, chunk, istart, iend);                                        \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
#define DOACROSS_RUNTIME(name, type)                                                               \
  REC_ENTRY bool name(unsigned ncounts, type *counts, type *istart, type *iend) {                  \
    REC_REAL(bool(unsigned, type *, type *, type *), name);                                        \
    open_nest(ncounts, (const uint64_t *)counts, 0, KIND_RUNTIME);                                 \
    bool some = real(ncounts, counts, istart, iend);                                               \
    return given(some, (uint64_t *)istart, (uint64_t *)iend);                                      \
  }
#define DOACROSS_FULL(name, type)                                                                  \
  REC_ENTRY bool name(unsigned ncounts, type *counts, long sched, type chunk, type *istart,        \
                      type *iend, uintptr_t *reductions, void **mem) {                             \
    REC_REAL(bool(unsigned, type *, long, type, type *, type *, uintptr_t *, void **), name);      \
    open_nest(ncounts, (const uint64_t *)counts, (uint64_t)chunk, schedule_of(sched));             \
    bool some = real(ncounts, counts, sched, chunk, istart, iend, reductions, mem);                \
    return istart ? given(some, (uint64_t *)istart, (uint64_t *)iend) : some;                      \
  }
DOACROSS_RUNTIME(GOMP_loop_doacross_runtime_start, long)
DOACROSS_RUNTIME(GOMP_loop_ull_doacross_runtime_start, ull)
DOACROSS_FULL(GOMP_loop_doacross_start, long)
DOACROSS_FULL(GOMP_loop_ull_doacross_start, ull)
DOACROSS(GOMP_loop_doacross_static_start, long, REC_STATIC)
DOACROSS(GOMP_loop_doacross_dynamic_start, long, REC_DYNAMIC)
DOACROSS(GOMP_loop_doacross_guided_start, long, REC_GUIDED)
DOACROSS(GOMP_loop_ull_doacross_static_start, ull, REC_STATIC)
DOACROSS(GOMP_loop_ull_doacross_dynamic_start, ull, REC_DYNAMIC)
DOACROSS(GOMP_loop_ull_doacross_guided_start, ull, REC_GUIDED)

/* --- source and sink of a doacross loop --- */

/* An iteration is noted as the outermost loop's number and the place in the loops inside. */
static void nest_note(enum rec_kind kind, const uint64_t *iteration) {
  const struct rec_loop *loop = &rec_self()->loop;
  if (loop->dimensions == 0)
    return;
  uint64_t place = 0;
  for (unsigned i = 1; i < loop->dimensions; i++)
    place = place * loop->counts[i] + iteration[i];
  rec_note(kind, 0, iteration[0], place);
}

/* Reads the arguments behind the first. Of a nest that is too deep there are none: the wait of a
 * lone member does nothing, so such programs can be recorded with one member a team only. */
static void nest_wait(uint64_t *iteration, va_list rest) {
  const struct rec_loop *loop = &rec_self()->loop;
  for (unsigned i = 1; i < loop->dimensions; i++)
    iteration[i] = va_arg(rest, uint64_t);
  nest_note(REC_SINK, iteration);
}

#define POST(name, type)                                                                           \
  REC_ENTRY void name(type *iteration) {                                                           \
    REC_REAL(void(type *), name);                                                                  \
    nest_note(REC_POST, (const uint64_t *)iteration);                                              \
    real(iteration);                                                                               \
    rec_go_on();                                                                                   \
  }
#define SINK(name, type)                                                                           \
  REC_ENTRY void name(type first, ...) {                                                           \
    REC_REAL(void(type, ...), name);                                                               \
    uint64_t i[REC_DIMENSIONS] = {(uint64_t)first};                                                \
    va_list rest;                                                                                  \
    va_start(rest, first);                                                                         \
    nest_wait(i, rest);                                                                            \
    va_end(rest);                                                                                  \
    real(first, i[1], i[2], i[3], i[4], i[5], i[6], i[7]);                                         \
    rec_go_on();                                                                                   \
  }
POST(GOMP_doacross_post, long)
POST(GOMP_doacross_ull_post, ull)
SINK(GOMP_doacross_wait, long)
SINK(GOMP_doacross_ull_wait, ull)

/* --- ends --- */

REC_ENTRY void GOMP_loop_end(void) {
  REC_REAL(void(void), GOMP_loop_end);
  rec_note(REC_LOOP_END_ENTER, 0, 0, 0);
  real();
  rec_note_after(REC_LOOP_END_LEAVE, 0, 0, 0);
}

REC_ENTRY bool GOMP_loop_end_cancel(void) {
  REC_REAL(bool(void), GOMP_loop_end_cancel);
  rec_note(REC_LOOP_END_ENTER, 0, 0, 0);
  bool cancelled = real();
  rec_note_after(REC_LOOP_END_LEAVE, 0, 0, 0);
  return cancelled;
}

REC_ENTRY void GOMP_loop_end_nowait(void) {
  REC_REAL(void(void), GOMP_loop_end_nowait);
  rec_note(REC_LOOP_END_ENTER, 1, 0, 0);
  real();
  rec_note_after(REC_LOOP_END_LEAVE, 1, 0, 0);
}

/* --- sections --- */

static unsigned section(unsigned number) {
  rec_note_after(REC_CHUNK, 0, number - 1, number > 0);
  return number;
}

REC_ENTRY unsigned GOMP_sections_start(unsigned count) {
  REC_REAL(unsigned(unsigned), GOMP_sections_start);
  rec_loop_open(RANGE(0, count, 1, 1, REC_SECTIONS, true));
  return section(real(count));
}

REC_ENTRY unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem) {
  REC_REAL(unsigned(unsigned, uintptr_t *, void **), GOMP_sections2_start);
  rec_loop_open(RANGE(0, count, 1, 1, REC_SECTIONS, true));
  return section(real(count, reductions, mem));
}

REC_ENTRY unsigned GOMP_sections_next(void) {
  REC_REAL(unsigned(void), GOMP_sections_next);
  rec_note(REC_NEXT_ENTER, 0, 0, 0);
  return section(real());
}

REC_ENTRY void GOMP_sections_end(void) {
  REC_REAL(void(void), GOMP_sections_end);
  rec_note(REC_LOOP_END_ENTER, 0, 0, 0);
  real();
  rec_note_after(REC_LOOP_END_LEAVE, 0, 0, 0);
}

REC_ENTRY bool GOMP_sections_end_cancel(void) {
  REC_REAL(bool(void), GOMP_sections_end_cancel);
  rec_note(REC_LOOP_END_ENTER, 0, 0, 0);
  bool cancelled = real();
  rec_note_after(REC_LOOP_END_LEAVE, 0, 0, 0);
  return cancelled;
}

REC_ENTRY void GOMP_sections_end_nowait(void) {
  REC_REAL(void(void), GOMP_sections_end_nowait);
  rec_note(REC_LOOP_END_ENTER, 1, 0, 0);
  real();
  rec_note_after(REC_LOOP_END_LEAVE, 1, 0, 0);
}
