/* bt.c - block tridiagonal systems along x, y and z, with pipelines of one and two levels
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1999, sections 5.2 and 6.2 (figures 7, 8, 10): NAS APPBT. A line of
 *             cells is a recurrence, up and down again. The numbers are in adi.h; here are the ways
 *             to share them out:
 *   loops     only parallel loops: over k for x and y, over j for z, so that all data move between
 *             the solution along y and that along z. Two levels: lines of any direction over both
 *             of the others.
 *   ordered   one level: k is shared out for all three, so data stay; along z it is a pipeline.
 *             Blocks of j pass from member to member, in an ORDERED region each, as in figure 7.
 *             Two levels: k for the outer members, j for the inner ones; a pipeline along y in each
 *             inner team (blocks of k), and along z in the outer one (blocks of i), where each
 *             stage opens an inner region, as in figure 8.
 *   doacross  the same, with ordered(1) and depend(sink), depend(source) for the ORDERED region
 *   doacross2 the same with one loop nest, ordered(2), for parts and blocks
 *   flags     the same with a flag a member, as in the pipelines of NPB. Along z each inner member
 *             waits for the one with the same j in the team before; so no region is opened in a
 *             stage. They poll, and offer their CPU when that takes long.
 * Check       bit by bit against serial steps, and the error falls to a part of the first one.
 */
#include "adi.h"
#include "levels.h"

#include <sched.h>

enum form { LOOPS, ORDERED, DOACROSS, DOACROSS2, FLAGS, FORMS };
static const char *const form_names[] = {"loops", "ordered", "doacross", "doacross2", "flags"};
enum { POLLS = 200, BLOCKS_MOST = 1000 };

/* How many blocks a member has done, ever. */
struct flag {
  _Alignas(128) long done;
};

struct solver {
  const struct box *box;
  enum form form;
  int outer, inner; /* parts of k, and of j; on one level inner is 1 */
  bool two;
  int blocks; /* of a pipeline's stage */
  struct flag *flags[3];
  long passed[3]; /* blocks that all flags of this direction have passed; between regions */
};

/* ---- pipelines: parts in order, each by its member; several blocks are under way at once ---- */

/* A pipeline of the calling team, or (flags) of members of several teams. */
struct pipe {
  const struct solver *s;
  int direction;
  int parts;
  bool back;  /* substitution: parts in falling order */
  int k_part; /* along y: the outer member's */
};

/* The cells of one block in one part; column: of j, along z on two levels. */
static struct block pipe_block(const struct pipe *p, int part, int block, int column) {
  const struct solver *s = p->s;
  struct block c = box_all(s->box);
  if (p->direction == ADI_Y) {
    c = block_cut(c, ADI_Z, p->k_part, s->outer);
    c = block_cut(c, ADI_Z, block, s->blocks);
    return block_cut(c, ADI_Y, part, p->parts);
  }
  c = block_cut(c, ADI_Z, part, p->parts);
  if (!s->two) {
    return block_cut(c, ADI_Y, block, s->blocks);
  }
  c = block_cut(c, ADI_Y, column, s->inner);
  return block_cut(c, ADI_X, block, s->blocks);
}

static void pipe_cells(const struct pipe *p, int part, int block, int column) {
  struct block c = pipe_block(p, part, block, column);
  if (p->back) {
    box_substitute(p->s->box, p->direction, c);
  } else {
    box_eliminate(p->s->box, p->direction, c);
  }
}

/* One stage. turn: the part's place in the order. */
static void pipe_stage(const struct pipe *p, int turn, int block) {
  int part = p->back ? p->parts - 1 - turn : turn;
  if (!p->s->two || p->direction == ADI_Y) {
    pipe_cells(p, part, block, 0);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(p->s->inner)
  for (int column = 0; column < p->s->inner; column++) {
    pipe_cells(p, part, block, column);
  }
}

static void pipe_ordered(const struct pipe *p) {
  for (int block = 0; block < p->s->blocks; block++) {
#pragma omp for schedule(static) ordered nowait
    for (int turn = 0; turn < p->parts; turn++) {
#pragma omp ordered
      pipe_stage(p, turn, block);
    }
  }
#pragma omp barrier
}

static void pipe_doacross(const struct pipe *p) {
  for (int block = 0; block < p->s->blocks; block++) {
#pragma omp for schedule(static) ordered(1) nowait
    for (int turn = 0; turn < p->parts; turn++) {
#pragma omp ordered depend(sink : turn - 1)
      pipe_stage(p, turn, block);
#pragma omp ordered depend(source)
    }
  }
#pragma omp barrier
}

static void pipe_doacross2(const struct pipe *p) {
#pragma omp for schedule(static) ordered(2)
  for (int turn = 0; turn < p->parts; turn++) {
    for (int block = 0; block < p->s->blocks; block++) {
#pragma omp ordered depend(sink : turn - 1, block)
      pipe_stage(p, turn, block);
#pragma omp ordered depend(source)
    }
  }
}

static void flag_wait(const struct flag *f, long wanted) {
  for (long polls = 1;; polls++) {
    long done;
#pragma omp atomic read acquire
    done = f->done;
    if (done >= wanted) {
      return;
    }
    if (polls % POLLS == 0) {
      sched_yield();
    }
  }
}

/* Part `part` of a pipeline; flags: of this and of the others, `apart` from each other. A part
 * waits for those before it only, so members with several parts do them in the order of the
 * pipeline. */
static void pipe_part(const struct pipe *p, struct flag *flags, int apart, int part, int column) {
  int before = p->back ? part + 1 : part - 1;
  struct flag *own = flags + part * apart;
  long base = p->s->passed[p->direction] + (p->back ? p->s->blocks : 0);
  for (int block = 0; block < p->s->blocks; block++) {
    if (before >= 0 && before < p->parts) {
      flag_wait(flags + before * apart, base + block + 1);
    }
    pipe_cells(p, part, block, column);
#pragma omp atomic write release
    own->done = base + block + 1;
  }
}

/* Up and down again, all parts of member `num` of `size`. What it waits for is under way in other
 * members, so there is no barrier between up and down. */
static void pipe_flags(struct pipe p, struct flag *flags, int apart, int num, int size,
                       int column) {
  p.back = false;
  for (int part = num; part < p.parts; part += size) {
    pipe_part(&p, flags, apart, part, column);
  }
  p.back = true;
  for (int part = p.parts - 1; part >= 0; part--) {
    if (part % size == num) {
      pipe_part(&p, flags, apart, part, column);
    }
  }
}

/* Both ways, by all members of the calling team; not FLAGS along z on two levels. */
static void pipe_run(struct pipe p, struct flag *flags) {
  if (p.s->form == FLAGS) {
    pipe_flags(p, flags, 1, omp_get_thread_num(), omp_get_num_threads(), 0);
    return;
  }
  for (int way = 0; way < 2; way++) {
    p.back = way == 1;
    if (p.s->form == ORDERED) {
      pipe_ordered(&p);
    } else if (p.s->form == DOACROSS) {
      pipe_doacross(&p);
    } else {
      pipe_doacross2(&p);
    }
  }
}

/* ---- parallel loops ---- */

enum loop { RESIDUAL, ADVANCE, LINES_X, LINES_Y, LINES_Z };

static void loop_block(const struct box *b, enum loop loop, struct block c) {
  switch (loop) {
  case RESIDUAL: box_residual(b, c); break;
  case ADVANCE: box_advance(b, c); break;
  default: box_lines(b, (int)loop - LINES_X + ADI_X, c);
  }
}

/* Part `part` of `parts` along the outer index of a loop, which is k, for lines along z j. */
static struct block loop_outer(const struct box *b, enum loop loop, long part, long parts) {
  return block_cut(box_all(b), loop == LINES_Z ? ADI_Y : ADI_Z, part, parts);
}

/* Of that, part `part` of `parts` along the inner index: j, for lines along y and z i. */
static struct block loop_inner(enum loop loop, struct block c, long part, long parts) {
  return block_cut(c, loop == LINES_Y || loop == LINES_Z ? ADI_X : ADI_Y, part, parts);
}

static void solver_loop(const struct solver *s, enum loop loop) {
  const struct box *b = s->box;
  if (!s->two) {
    long planes = loop == LINES_Z ? b->ny : b->nz;
#pragma omp parallel for schedule(static)
    for (long plane = 0; plane < planes; plane++) {
      loop_block(b, loop, loop_outer(b, loop, plane, planes));
    }
    return;
  }
#pragma omp parallel for schedule(static) num_threads(s->outer)
  for (int part = 0; part < s->outer; part++) {
    struct block c = loop_outer(b, loop, part, s->outer);
#pragma omp parallel for schedule(static) num_threads(s->inner)
    for (int column = 0; column < s->inner; column++) {
      loop_block(b, loop, loop_inner(loop, c, column, s->inner));
    }
  }
}

/* ---- one step ---- */

/* Along y on two levels: a pipeline in each inner team. */
static void pipes_along_y(const struct solver *s) {
#pragma omp parallel for schedule(static) num_threads(s->outer)
  for (int part = 0; part < s->outer; part++) {
#pragma omp parallel num_threads(s->inner)
    pipe_run((struct pipe){s, ADI_Y, s->inner, false, part}, s->flags[ADI_Y] + part * s->inner);
  }
}

/* Along z: a pipeline of the outer team, or of the inner members with the same j in all teams. */
static void pipes_along_z(const struct solver *s) {
  struct pipe p = {s, ADI_Z, s->outer, false, 0};
  if (!s->two) {
#pragma omp parallel
    pipe_run(p, s->flags[ADI_Z]);
  } else if (s->form != FLAGS) {
#pragma omp parallel num_threads(s->outer)
    pipe_run(p, NULL);
  } else {
#pragma omp parallel num_threads(s->outer)
    {
      int num = omp_get_thread_num(), size = omp_get_num_threads();
#pragma omp parallel for schedule(static, 1) num_threads(s->inner)
      for (int column = 0; column < s->inner; column++) {
        pipe_flags(p, s->flags[ADI_Z] + column, s->inner, num, size, column);
      }
    }
  }
}

static void solver_step(struct solver *s) {
  solver_loop(s, RESIDUAL);
  solver_loop(s, LINES_X);
  if (s->form == LOOPS || !s->two) {
    solver_loop(s, LINES_Y);
  } else {
    pipes_along_y(s);
    s->passed[ADI_Y] += 2 * s->blocks;
  }
  if (s->form == LOOPS) {
    solver_loop(s, LINES_Z);
  } else {
    pipes_along_z(s);
    s->passed[ADI_Z] += 2 * s->blocks;
  }
  solver_loop(s, ADVANCE);
}

/* ---- runs ---- */

struct boxes {
  struct box work, start, known, serial;
  double error; /* at the start */
};

static void boxes_init(struct boxes *b, long n, long steps) {
  long size[3] = {n, n, n}, first[3] = {0, 0, 0};
  box_init(&b->work, size, first, size);
  box_init(&b->start, size, first, size);
  box_init(&b->known, size, first, size);
  box_init(&b->serial, size, first, size);
  box_disturb(&b->start);
  b->error = box_distance(&b->start, &b->known);
  box_copy(&b->serial, &b->start);
  for (long i = 0; i < steps; i++) {
    box_step_serial(&b->serial);
  }
}

static int run(const struct kernel *k, struct boxes *b, struct lv_split split, enum form form,
               int blocks, int parts, long compared) {
  struct solver s = {.box = &b->work, .form = form, .two = split.outer > 0, .blocks = blocks};
  s.outer = s.two ? split.outer : parts > 0 ? parts : kern_threads();
  s.inner = s.two ? split.inner : 1;
  size_t members = (size_t)(s.outer * s.inner);
  s.flags[ADI_Y] = aligned_alloc(128, members * sizeof(struct flag));
  s.flags[ADI_Z] = aligned_alloc(128, members * sizeof(struct flag));
  kern_require(k, s.flags[ADI_Y] && s.flags[ADI_Z], "no memory");
  memset(s.flags[ADI_Y], 0, members * sizeof(struct flag));
  memset(s.flags[ADI_Z], 0, members * sizeof(struct flag));
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    box_copy(&b->work, &b->start);
    double elapsed = 0, start = kern_now();
    for (long i = 1; i <= k->iters; i++) {
      solver_step(&s);
      if (i == compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        long wrong = box_differences(&b->work, &b->serial);
        ok &= kern_check(wrong == 0, "%ld cells differ from the serial ones", wrong);
        start = kern_now();
      }
    }
    best = fmin(best, elapsed + kern_now() - start);
    double error = box_distance(&b->work, &b->known);
    ok &= kern_check(error < 0.9 * b->error, "error %g, was %g", error, b->error);
  }
  free(s.flags[ADI_Y]);
  free(s.flags[ADI_Z]);
  char name[64], kind[32], size[64];
  snprintf(kind, sizeof kind, "bt-%s", form_names[form]);
  snprintf(size, sizeof size, "%ld^3x%ld/%d", k->size, k->iters, blocks);
  return kern_report(lv_name(name, kind, split), size, best, ok, "%.9e",
                     box_distance(&b->work, &b->known));
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "bt",
      .what = "block tridiagonal systems along three directions, pipelines of one and two levels",
      .size_means = "cells along an edge of the box",
      .iters_means = "steps",
      .full = {24, 100},
      .brief = {8, 3},
  };
  bool wanted[FORMS] = {false}, all = false, any = false;
  long blocks = 0, parts = 0, compared = LONG_MAX;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"loops", "only parallel loops, no pipeline", NULL, &wanted[LOOPS]},
      {"ordered", "pipelines by ordered regions", NULL, &wanted[ORDERED]},
      {"doacross", "pipelines by ordered(1) and depend (what runs by default)", NULL,
       &wanted[DOACROSS]},
      {"doacross2", "pipelines by ordered(2) and depend", NULL, &wanted[DOACROSS2]},
      {"flags", "pipelines by flags", NULL, &wanted[FLAGS]},
      {"all", "all of these, a line each", NULL, &all},
      {"blocks", "N: blocks that pass through a pipeline (6; 3 with --small)", &blocks, NULL},
      {"parts", "N: parts of a pipeline on one level (the threads)", &parts, NULL},
      {"compare", "N: steps repeated serially (10; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= 500 && k.iters >= 1, "1 to 500 cells, 1 step or more");
  kern_require(&k, blocks <= BLOCKS_MOST, "at most 1000 blocks");
  kern_require(&k, parts <= BLOCKS_MOST, "at most 1000 parts");
  blocks = blocks > 0 ? blocks : (k.small ? 3 : 6);
  compared = kern_compared(&k, compared, 10);
  for (int form = 0; form < FORMS; form++) {
    any |= wanted[form];
  }
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;
  static struct boxes b; /* static: what is still there at the end is no leak */
  boxes_init(&b, k.size, compared);
  for (int i = 0; i < count; i++) {
    for (int form = 0; form < FORMS; form++) {
      if (wanted[form] || all || (!any && form == DOACROSS)) {
        status |= run(&k, &b, plan[i], (enum form)form, (int)blocks, (int)parts, compared);
      }
    }
  }
  return status;
}
