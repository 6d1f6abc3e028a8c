/* record_regions.c - parallel regions, and who asks for his number in a team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each member runs member_run() in place of the region's function. The forms with _start and
 * GOMP_parallel_end, which compilers before gcc 4.9 call, are not recorded.
 */
#include "record.h"

typedef void rec_fn(void *);

struct member_args {
  void *first_word; /* of data: GOMP_parallel_reductions finds its array there */
  rec_fn *fn;
  void *data;
  uint64_t region;
  struct rec_range range;
  bool has_loop;
};

static int team_size(void) {
  REC_REAL(int(void), omp_get_num_threads);
  return real();
}

static int member_number(void) {
  REC_REAL(int(void), omp_get_thread_num);
  return real();
}

static void member_run(void *argument) {
  struct member_args *args = argument;
  struct rec_own *t = rec_self();
  struct rec_loop outer = t->loop;
  uint64_t asked = t->asked;
  t->asked = 0;
  t->loop = (struct rec_loop){0};
  rec_note_after(REC_MEMBER_BEGIN, (uint32_t)member_number(), args->region, (uint64_t)team_size());
  if (args->has_loop)
    rec_loop_open(args->range);
  args->fn(args->data);
  rec_note(REC_MEMBER_END, 0, args->region, 0);
  t = rec_self(); /* the member may be on another OS thread now */
  t->loop = outer;
  t->asked = asked;
}

static unsigned clause(unsigned num_threads) { return rec_is_serial() ? 1 : num_threads; }

static struct member_args region_enter(rec_fn *fn, void *data, unsigned num_threads) {
  struct member_args args = {NULL, fn, data, rec_number(), {0}, false};
  rec_note(REC_REGION_ENTER, num_threads, args.region, (uint64_t)(uintptr_t)fn);
  return args;
}

REC_ENTRY void GOMP_parallel(rec_fn *fn, void *data, unsigned num_threads, unsigned flags) {
  REC_REAL(void(rec_fn *, void *, unsigned, unsigned), GOMP_parallel);
  struct member_args args = region_enter(fn, data, num_threads);
  real(member_run, &args, clause(num_threads), flags);
  rec_note_after(REC_REGION_LEAVE, 0, args.region, 0);
}

REC_ENTRY unsigned GOMP_parallel_reductions(rec_fn *fn, void *data, unsigned num_threads,
                                            unsigned flags) {
  REC_REAL(unsigned(rec_fn *, void *, unsigned, unsigned), GOMP_parallel_reductions);
  struct member_args args = region_enter(fn, data, num_threads);
  args.first_word = *(void **)data;
  unsigned size = real(member_run, &args, clause(num_threads), flags);
  rec_note_after(REC_REGION_LEAVE, 0, args.region, 0);
  return size;
}

REC_ENTRY void GOMP_parallel_sections(rec_fn *fn, void *data, unsigned num_threads, unsigned count,
                                      unsigned flags) {
  REC_REAL(void(rec_fn *, void *, unsigned, unsigned, unsigned), GOMP_parallel_sections);
  struct member_args args = region_enter(fn, data, num_threads);
  args.has_loop = true;
  args.range = (struct rec_range){0, count, 1, 1, REC_SECTIONS, true};
  real(member_run, &args, clause(num_threads), count, flags);
  rec_note_after(REC_REGION_LEAVE, 0, args.region, 0);
}

/* A region that is a loop, of a schedule with a chunk. */
#define PARALLEL_LOOP(name, schedule)                                                              \
  REC_ENTRY void name(rec_fn *fn, void *data, unsigned num_threads, long start, long end,          \
                      long incr, long chunk, unsigned flags) {                                     \
    REC_REAL(void(rec_fn *, void *, unsigned, long, long, long, long, unsigned), name);            \
    struct member_args args = region_enter(fn, data, num_threads);                                 \
    args.has_loop = true;                                                                          \
    args.range = (struct rec_range){(uint64_t)start, (uint64_t)end, (uint64_t)incr,                \
                                    (uint64_t)chunk, schedule,      incr > 0};                     \
    real(member_run, &args, clause(num_threads), start, end, incr, chunk, flags);                  \
    rec_note_after(REC_REGION_LEAVE, 0, args.region, 0);                                           \
  }

PARALLEL_LOOP(GOMP_parallel_loop_static, REC_STATIC)
PARALLEL_LOOP(GOMP_parallel_loop_dynamic, REC_DYNAMIC)
PARALLEL_LOOP(GOMP_parallel_loop_guided, REC_GUIDED)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic, REC_DYNAMIC)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided, REC_GUIDED)

/* The same of schedule(runtime). */
#define PARALLEL_RUNTIME(name)                                                                     \
  REC_ENTRY void name(rec_fn *fn, void *data, unsigned num_threads, long start, long end,          \
                      long incr, unsigned flags) {                                                 \
    REC_REAL(void(rec_fn *, void *, unsigned, long, long, long, unsigned), name);                  \
    struct member_args args = region_enter(fn, data, num_threads);                                 \
    args.has_loop = true;                                                                          \
    args.range =                                                                                   \
        (struct rec_range){(uint64_t)start, (uint64_t)end, (uint64_t)incr, 0, 0, incr > 0};        \
    real(member_run, &args, clause(num_threads), start, end, incr, flags);                         \
    rec_note_after(REC_REGION_LEAVE, 0, args.region, 0);                                           \
  }

PARALLEL_RUNTIME(GOMP_parallel_loop_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* Static loops are compiled into calls of these two: the first of each in a region is noted. */
static void ask(unsigned which) {
  struct rec_own *t = rec_self();
  if (t->asked & 1u << which)
    return;
  t->asked |= 1u << which;
  rec_note(REC_SPLIT, which, 0, 0);
}

REC_ENTRY int omp_get_thread_num(void) {
  ask(0);
  return member_number();
}

REC_ENTRY int omp_get_num_threads(void) {
  ask(1);
  return team_size();
}
