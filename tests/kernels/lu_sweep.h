/* lu_sweep.h - the triangular sweeps of NAS LU by the members of a team: three ways, one result
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why       a point of a sweep needs its three neighbours before it, so work passes through the
 *           grid as a wave: many small units, each after one or two others.
 *   pipe      as in NPB: each member has a range of rows (j) and goes through all planes (k). It
 *             does its part of a plane after the member before it has done its own of that plane.
 *   doacross  ordered(2) over planes and tiles of rows: depend(sink) and depend(source)
 *   tasks     a task a tile: depend on the tiles before it in its plane and in the plane before
 * Waiting   in the pipe, by one of:
 *   atomic    a count of planes a member, written by `atomic write release` and polled by `atomic
 *             read acquire`
 *   flush     the same without orders, ordered by `flush` as in OpenMP 2 and NPB
 *   locks     a lock a plane, which its member holds until its part of the plane is done; the next
 *             member takes it and gives it back. So the runtime itself waits, as it does for locks.
 *           Who polls offers its CPU after some polls: there may be more threads than CPUs.
 * Use       lu_order_init() once for all teams of at most so many members; lu_order_reset() before
 *           the first step; lu_team_step() by all members of one team, steps in order
 */
#ifndef NTH_KERNEL_LU_SWEEP_H
#define NTH_KERNEL_LU_SWEEP_H

#include "choice.h"
#include "lu_system.h"

#include <sched.h>

enum lu_form { LU_PIPE, LU_DOACROSS, LU_TASKS };
enum lu_wait { LU_ATOMIC, LU_FLUSH, LU_LOCKS, LU_SPIN };
static const char *const lu_forms[] = {"pipe", "doacross", "tasks", NULL};
static const char *const lu_waits[] = {"atomic", "flush", "locks", "spin", NULL};
enum { LU_LOWER = 0, LU_UPPER = 1, LU_SWEEPS = 2 };
enum { LU_POLLS = 200 }; /* before a member offers its CPU: some microseconds */

/* How many planes a member has done since lu_order_reset(). */
struct lu_flag {
  _Alignas(128) long done;
};

struct lu_order {
  enum lu_form form;
  enum lu_wait wait;
  long rows;  /* in a tile, the last one may have fewer */
  long tiles; /* in a plane */
  long planes;
  int members;           /* of a team, at most */
  struct lu_flag *flags; /* one a member */
  omp_lock_t *locks;     /* by member, sweep and plane */
  char *marks;           /* addresses for depend: by plane and tile, with one more on each side */
};

static inline void lu_order_init(struct lu_order *o, const struct lu_system *s, enum lu_form form,
                                 enum lu_wait wait, long rows, int members) {
  *o = (struct lu_order){form, wait, .rows = rows, .planes = lu_planes(s), .members = members};
  o->tiles = (lu_rows(s) + rows - 1) / rows;
  size_t locks = (size_t)(members * LU_SWEEPS * o->planes);
  o->flags = aligned_alloc(128, (size_t)members * sizeof *o->flags);
  o->locks = kern_alloc(locks, sizeof *o->locks);
  o->marks = kern_alloc((size_t)((o->planes + 2) * (o->tiles + 2)), 1);
  if (!o->flags) {
    fprintf(stderr, "no memory for %d flags\n", members);
    exit(KERN_USAGE);
  }
  for (size_t i = 0; i < locks; i++) {
    omp_init_lock(&o->locks[i]);
  }
}

static inline void lu_order_free(struct lu_order *o) {
  for (long i = 0; i < o->members * LU_SWEEPS * o->planes; i++) {
    omp_destroy_lock(&o->locks[i]);
  }
  free(o->flags);
  free(o->locks);
  free(o->marks);
}

static inline void lu_order_reset(const struct lu_order *o) {
  memset(o->flags, 0, (size_t)o->members * sizeof *o->flags);
}

static inline void lu_sweep_tile(const struct lu_system *s, int sweep, struct lu_tile t) {
  if (sweep == LU_LOWER) {
    lu_lower(s, t);
  } else {
    lu_upper(s, t);
  }
}

/* ---- pipe ---- */

static inline omp_lock_t *lu_lock(const struct lu_order *o, int member, int sweep, long plane) {
  return o->locks + (member * LU_SWEEPS + sweep) * o->planes + plane;
}

static inline long lu_flag_read(const struct lu_flag *f, enum lu_wait wait) {
  long done;
  if (wait == LU_ATOMIC) {
#pragma omp atomic read acquire
    done = f->done;
  } else {
#pragma omp flush
#pragma omp atomic read
    done = f->done;
#pragma omp flush
  }
  return done;
}

/* Only the flag's own member writes it. */
static inline void lu_flag_count(struct lu_flag *f, enum lu_wait wait) {
  long before = f->done;
  if (wait == LU_ATOMIC) {
#pragma omp atomic write release
    f->done = before + 1;
  } else {
#pragma omp flush
#pragma omp atomic write
    f->done = before + 1;
#pragma omp flush
  }
}

/* Until the member before has done its part of the sweep's plane number `plane`, from 0; `base`
 * planes are those of earlier sweeps. */
static inline void lu_pipe_wait(const struct lu_order *o, int before, int sweep, long base,
                                long plane) {
  if (o->wait == LU_LOCKS) {
    omp_lock_t *lock = lu_lock(o, before, sweep, plane);
    omp_set_lock(lock);
    omp_unset_lock(lock);
    return;
  }
  for (long polls = 1; lu_flag_read(&o->flags[before], o->wait) <= base + plane; polls++) {
    if (polls % LU_POLLS == 0 && o->wait != LU_SPIN) {
      sched_yield();
    }
  }
}

static inline void lu_pipe_post(const struct lu_order *o, int member, int sweep, long plane) {
  if (o->wait == LU_LOCKS) {
    omp_unset_lock(lu_lock(o, member, sweep, plane));
  } else {
    lu_flag_count(&o->flags[member], o->wait);
  }
}

/* One sweep; the upper one begins at the last member and the last plane. A member without rows
 * passes on what it waits for. */
static inline void lu_pipe_sweep(const struct lu_order *o, const struct lu_system *s, int sweep,
                                 long base) {
  int num = omp_get_thread_num(), size = omp_get_num_threads();
  int before = sweep == LU_LOWER ? num - 1 : num + 1;
  struct lu_tile t = {.j0 = 1 + lu_rows(s) * num / size, .j1 = 1 + lu_rows(s) * (num + 1) / size};
  for (long plane = 0; plane < o->planes; plane++) {
    t.k0 = sweep == LU_LOWER ? 1 + plane : o->planes - plane;
    t.k1 = t.k0 + 1;
    if (before >= 0 && before < size) {
      lu_pipe_wait(o, before, sweep, base, plane);
    }
    lu_sweep_tile(s, sweep, t);
    lu_pipe_post(o, num, sweep, plane);
  }
}

/* Step `step`, from 0. A member holds its locks of both sweeps before anyone tries to take them. */
static inline void lu_pipe(const struct lu_order *o, const struct lu_system *s, long step) {
  if (o->wait == LU_LOCKS) {
    for (long plane = 0; plane < o->planes; plane++) {
      omp_set_lock(lu_lock(o, omp_get_thread_num(), LU_LOWER, plane));
      omp_set_lock(lu_lock(o, omp_get_thread_num(), LU_UPPER, plane));
    }
#pragma omp barrier
  }
  for (int sweep = LU_LOWER; sweep <= LU_UPPER; sweep++) {
    lu_pipe_sweep(o, s, sweep, (LU_SWEEPS * step + sweep) * o->planes);
#pragma omp barrier
  }
}

/* ---- doacross and tasks ---- */

/* Tile number `tile` of plane k, both from 1. */
static inline struct lu_tile lu_tile_of(const struct lu_order *o, const struct lu_system *s, long k,
                                        long tile) {
  long end = 1 + tile * o->rows, most = 1 + lu_rows(s);
  return (struct lu_tile){end - o->rows, end < most ? end : most, k, k + 1};
}

/* The member that has a plane does its tiles in order anyway; the second sink says so. */
static inline void lu_doacross(const struct lu_order *o, const struct lu_system *s) {
#pragma omp for schedule(static, 1) ordered(2)
  for (long k = 1; k <= o->planes; k++) {
    for (long tile = 1; tile <= o->tiles; tile++) {
#pragma omp ordered depend(sink : k - 1, tile) depend(sink : k, tile - 1)
      lu_lower(s, lu_tile_of(o, s, k, tile));
#pragma omp ordered depend(source)
    }
  }
#pragma omp for schedule(static, 1) ordered(2)
  for (long k = o->planes; k >= 1; k--) {
    for (long tile = o->tiles; tile >= 1; tile--) {
#pragma omp ordered depend(sink : k + 1, tile) depend(sink : k, tile + 1)
      lu_upper(s, lu_tile_of(o, s, k, tile));
#pragma omp ordered depend(source)
    }
  }
}

/* One task. before, beside: marks of the tiles that come first; those on the sides of the grid are
 * written by no task, so a tile there depends on nothing. */
static inline void lu_task(const struct lu_system *s, int sweep, struct lu_tile t,
                           const char *before, const char *beside, char *own) {
#pragma omp task depend(in : *before, *beside) depend(inout : *own)
  lu_sweep_tile(s, sweep, t);
}

static inline void lu_tasks(const struct lu_order *o, const struct lu_system *s) {
  long line = o->tiles + 2;
#pragma omp single
  {
    for (long k = 1; k <= o->planes; k++) {
      for (long tile = 1; tile <= o->tiles; tile++) {
        char *mark = o->marks + k * line + tile;
        lu_task(s, LU_LOWER, lu_tile_of(o, s, k, tile), mark - line, mark - 1, mark);
      }
    }
    for (long k = o->planes; k >= 1; k--) {
      for (long tile = o->tiles; tile >= 1; tile--) {
        char *mark = o->marks + k * line + tile;
        lu_task(s, LU_UPPER, lu_tile_of(o, s, k, tile), mark + line, mark + 1, mark);
      }
    }
  }
}

/* ---- a step by a team ---- */

static inline void lu_team_step(const struct lu_order *o, const struct lu_system *s, long step) {
  switch (o->form) {
  case LU_PIPE: lu_pipe(o, s, step); break;
  case LU_DOACROSS: lu_doacross(o, s); break;
  case LU_TASKS: lu_tasks(o, s); break;
  }
#pragma omp for schedule(static)
  for (long k = 1; k <= o->planes; k++) {
    lu_advance(s, k);
  }
#pragma omp for schedule(static)
  for (long k = 1; k <= o->planes; k++) {
    lu_residual(s, k);
  }
}

#endif
