/* molecule.c - molecular dynamics with neighbour lists: forces under a lock for each atom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of SPEC OMP's ammp: the force between two atoms of a neighbour list is added to
 *             both of them; an atom's force is protected by a lock of its own. The program and its
 *             data are ours.
 * Ways        --locks: omp_set_lock() of the atom for each addition; --arrays: no locks, a
 *             reduction of the array of forces.
 * System      Lennard-Jones atoms in a periodic box, of unit mass; velocity Verlet. In the square s
 *             of the distance, a straight line is taken from the potential, so that it and the
 *             force are 0 at the cut-off. Pairs up to the cut-off and a skin are in the list, which
 *             is made anew when an atom has moved by half the skin.
 * Exactness   the force of a pair is rounded to a multiple of 2^-32, and the time step is 2^-8. All
 *             sums of forces and velocities are then exact, whatever their order, though they are
 *             in floating point.
 * Check       the total momentum is exactly 0; the energy changes by less than a small part of the
 *             kinetic energy; the first steps (all, with --small) equal serial ones, whose forces
 *             are a sum over all pairs without a list, bit by bit; so do the last forces.
 */
#include "kernel.h"

enum { DIM = 3, NEIGHBOURS = 192, CELLS_MOST = 64 };

static const double DENSITY = 0.8;      /* atoms in a unit cube: a liquid */
static const double CUT = 2.5;          /* of the potential */
static const double SKIN = 0.3;         /* of the lists */
static const double SPEED = 2;          /* the largest one at the start along each axis */
static const double STEP = 0x1p-8;      /* of time */
static const double ROUNDER = 0x1.8p20; /* numbers of this size are multiples of 2^-32 */
static const double UNIT = 0x1p-41; /* velocities are multiples of it: 2^-32 times half a step */
static const double DRIFT = 1e-3;   /* of the energy, as a part of the first kinetic energy */

/* Vectors have three numbers an atom. Neighbours of an atom i are those above i only. */
struct group {
  long n;
  double box;
  double *x, *v, *f;  /* 0 <= x < box */
  double *listed;     /* x when the lists were made */
  int *neighbour;     /* NEIGHBOURS an atom */
  int *neighbours;    /* how many of them there are */
  int *order, *start; /* atoms sorted by cells; the first one of each cell */
  omp_lock_t *lock;
  double potential;
  long lists; /* made so far */
};

enum way { LOCKS, ARRAYS };
static const char *const WAY[] = {"molecule-locks", "molecule-arrays"};

/* ---- a pair ---- */

/* To the next multiple of 2^-32, for magnitudes below 2^19. */
static double rounded(double x) { return x + ROUNDER - ROUNDER; }

/* From b to a, by the shortest way; the way from a to b is exactly the opposite. */
static double square_between(const struct group *g, const double *a, const double *b,
                             double way[DIM]) {
  double square = 0;
  for (int d = 0; d < DIM; d++) {
    double here = a[d] - b[d];
    here = here > g->box / 2 ? here - g->box : here < -g->box / 2 ? here + g->box : here;
    way[d] = here;
    square += here * here;
  }
  return square;
}

/* The potential of a pair by the square of its distance, and its slope. */
static double potential_at(double square, double *slope) {
  double inverse = 1 / square, cube = inverse * inverse * inverse;
  *slope = 12 * inverse * (cube - 2 * cube * cube);
  return 4 * (cube * cube - cube);
}

/* The force on atom i by atom j and the pair's potential; false: beyond the cut-off. */
static bool pair_force(const struct group *g, long i, long j, double force[DIM],
                       double *potential) {
  double way[DIM], slope, slope_at_cut;
  double square = square_between(g, g->x + DIM * i, g->x + DIM * j, way);
  if (square >= CUT * CUT) {
    return false;
  }
  double at_cut = potential_at(CUT * CUT, &slope_at_cut);
  double here = potential_at(square, &slope) - at_cut - (square - CUT * CUT) * slope_at_cut;
  *potential += rounded(here);
  for (int d = 0; d < DIM; d++) {
    force[d] = rounded(-2 * (slope - slope_at_cut) * way[d]);
  }
  return true;
}

static void add(double *to, const double *force, double sign) {
  for (int d = 0; d < DIM; d++) {
    to[d] += sign * force[d];
  }
}

/* ---- the lists ---- */

/* Along an edge of the box. With fewer than three, neighbour cells would coincide: one cell. */
static int cells_of(const struct group *g) {
  int cells = (int)(g->box / (CUT + SKIN));
  return cells < 3 ? 1 : cells < CELLS_MOST ? cells : CELLS_MOST;
}

static int cell_along(const struct group *g, double x, int cells) {
  int cell = (int)(x / g->box * cells);
  return cell < cells ? cell : cells - 1;
}

static int cell_of(const struct group *g, long i, int cells) {
  const double *x = g->x + DIM * i;
  return (cell_along(g, x[0], cells) * cells + cell_along(g, x[1], cells)) * cells +
         cell_along(g, x[2], cells);
}

/* Sorts the atoms by cells; atoms of one cell keep their order. */
static void sort_cells(const struct group *g, int cells) {
  int count = cells * cells * cells;
  memset(g->start, 0, (size_t)(count + 1) * sizeof *g->start);
  for (long i = 0; i < g->n; i++) {
    g->start[cell_of(g, i, cells) + 1]++;
  }
  for (int cell = 0; cell < count; cell++) {
    g->start[cell + 1] += g->start[cell];
  }
  for (long i = g->n - 1; i >= 0; i--) { /* start[c + 1] comes down to the first atom of c */
    g->order[--g->start[cell_of(g, i, cells) + 1]] = (int)i;
  }
  memmove(g->start, g->start + 1, (size_t)count * sizeof *g->start);
  g->start[count] = (int)g->n;
}

/* Lists the atoms of one cell that are above i and near it; counts on beyond the end. */
static int list_cell(const struct group *g, long i, int cell, int count) {
  double most = (CUT + SKIN) * (CUT + SKIN), way[DIM];
  for (int at = g->start[cell]; at < g->start[cell + 1]; at++) {
    int j = g->order[at];
    if (j > i && square_between(g, g->x + DIM * i, g->x + DIM * j, way) < most) {
      if (count < NEIGHBOURS) {
        g->neighbour[i * NEIGHBOURS + count] = j;
      }
      count++;
    }
  }
  return count;
}

static int list_atom(const struct group *g, long i, int cells) {
  int reach = cells > 1 ? 1 : 0, count = 0, home[DIM];
  for (int d = 0; d < DIM; d++) {
    home[d] = cell_along(g, g->x[DIM * i + d], cells);
  }
  for (int a = home[0] - reach; a <= home[0] + reach; a++) {
    for (int b = home[1] - reach; b <= home[1] + reach; b++) {
      for (int c = home[2] - reach; c <= home[2] + reach; c++) {
        int cell =
            ((a + cells) % cells * cells + (b + cells) % cells) * cells + (c + cells) % cells;
        count = list_cell(g, i, cell, count);
      }
    }
  }
  return count;
}

static void make_lists(struct group *g) {
  int cells = cells_of(g), most = 0;
  sort_cells(g, cells);
  memcpy(g->listed, g->x, (size_t)(DIM * g->n) * sizeof *g->x);
#pragma omp parallel for schedule(dynamic, 32) reduction(max : most)
  for (long i = 0; i < g->n; i++) {
    g->neighbours[i] = list_atom(g, i, cells);
    most = g->neighbours[i] > most ? g->neighbours[i] : most;
  }
  if (!kern_check(most <= NEIGHBOURS, "an atom has %d neighbours", most)) {
    exit(KERN_WRONG);
  }
  g->lists++;
}

/* ---- forces ---- */

static void forces_locks(struct group *g) {
  double potential = 0;
#pragma omp parallel reduction(+ : potential)
  {
#pragma omp for schedule(static)
    for (long i = 0; i < DIM * g->n; i++) {
      g->f[i] = 0;
    }
#pragma omp for schedule(guided)
    for (long i = 0; i < g->n; i++) {
      double own[DIM] = {0}, force[DIM];
      for (int at = 0; at < g->neighbours[i]; at++) {
        long j = g->neighbour[i * NEIGHBOURS + at];
        if (pair_force(g, i, j, force, &potential)) {
          add(own, force, 1);
          omp_set_lock(&g->lock[j]);
          add(g->f + DIM * j, force, -1);
          omp_unset_lock(&g->lock[j]);
        }
      }
      omp_set_lock(&g->lock[i]);
      add(g->f + DIM * i, own, 1);
      omp_unset_lock(&g->lock[i]);
    }
  }
  g->potential = potential;
}

static void forces_arrays(struct group *g) {
  long size = DIM * g->n;
  double potential = 0, *f = g->f;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < size; i++) {
    f[i] = 0;
  }
#pragma omp parallel for schedule(guided) reduction(+ : potential, f[ : size])
  for (long i = 0; i < g->n; i++) {
    double force[DIM];
    for (int at = 0; at < g->neighbours[i]; at++) {
      long j = g->neighbour[i * NEIGHBOURS + at];
      if (pair_force(g, i, j, force, &potential)) {
        add(f + DIM * i, force, 1);
        add(f + DIM * j, force, -1);
      }
    }
  }
  g->potential = potential;
}

/* Without lists and threads. */
static void forces_all_pairs(struct group *g) {
  g->potential = 0;
  memset(g->f, 0, (size_t)(DIM * g->n) * sizeof *g->f);
  for (long i = 0; i < g->n; i++) {
    for (long j = 0; j < i; j++) {
      double force[DIM];
      if (pair_force(g, i, j, force, &g->potential)) {
        add(g->f + DIM * i, force, 1);
        add(g->f + DIM * j, force, -1);
      }
    }
  }
}

/* ---- steps ---- */

static void kick(const struct group *g, long i) {
  for (int d = 0; d < DIM; d++) {
    g->v[DIM * i + d] += STEP / 2 * g->f[DIM * i + d];
  }
}

/* Moves atom i; returns the square of its way since the lists were made. */
static double drift(const struct group *g, long i) {
  double way[DIM], *x = g->x + DIM * i;
  for (int d = 0; d < DIM; d++) {
    x[d] += STEP * g->v[DIM * i + d];
    x[d] += x[d] < 0 ? g->box : 0;
    x[d] -= x[d] >= g->box ? g->box : 0;
  }
  return square_between(g, x, g->listed + DIM * i, way);
}

static void step(struct group *g, enum way way) {
  double moved = 0;
#pragma omp parallel for schedule(static) reduction(max : moved)
  for (long i = 0; i < g->n; i++) {
    kick(g, i);
    moved = fmax(moved, drift(g, i));
  }
  if (moved > SKIN * SKIN / 4) {
    make_lists(g);
  }
  if (way == LOCKS) {
    forces_locks(g);
  } else {
    forces_arrays(g);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < g->n; i++) {
    kick(g, i);
  }
}

static void step_serial(struct group *g) {
  for (long i = 0; i < g->n; i++) {
    kick(g, i);
    drift(g, i);
  }
  forces_all_pairs(g);
  for (long i = 0; i < g->n; i++) {
    kick(g, i);
  }
}

/* ---- start, checks ---- */

/* A cubic lattice; neighbours in number have opposite velocities, so that their sum is 0. */
static void group_reset(struct group *g, long edge) {
  double gap = g->box / (double)edge;
  for (long i = 0; i < g->n; i++) {
    long at[DIM] = {i / edge / edge, i / edge % edge, i % edge};
    for (int d = 0; d < DIM; d++) {
      uint64_t word = kern_hash((uint64_t)(i / 2 * DIM + d));
      double speed = SPEED * (2 * kern_lcg_real(word & KERN_LCG_MASK) - 1);
      bool alone = i == g->n - 1 && i % 2 == 0;
      g->x[DIM * i + d] = ((double)at[d] + 0.5) * gap;
      g->v[DIM * i + d] = alone ? 0 : rounded(i % 2 == 0 ? speed : -speed);
    }
  }
  g->lists = 0;
  make_lists(g);
  forces_locks(g);
}

static void group_init(struct group *g, long edge) {
  size_t cells = (size_t)CELLS_MOST * CELLS_MOST * CELLS_MOST;
  g->n = edge * edge * edge;
  g->box = cbrt((double)g->n / DENSITY);
  g->x = kern_doubles(DIM * g->n);
  g->v = kern_doubles(DIM * g->n);
  g->f = kern_doubles(DIM * g->n);
  g->listed = kern_doubles(DIM * g->n);
  g->neighbour = kern_alloc((size_t)g->n * NEIGHBOURS, sizeof *g->neighbour);
  g->neighbours = kern_alloc((size_t)g->n, sizeof *g->neighbours);
  g->order = kern_alloc((size_t)g->n, sizeof *g->order);
  g->start = kern_alloc(cells + 1, sizeof *g->start);
  g->lock = kern_alloc((size_t)g->n, sizeof *g->lock);
  for (long i = 0; i < g->n; i++) {
    omp_init_lock(&g->lock[i]);
  }
}

static double kinetic_of(const struct group *g) {
  double energy = 0;
  for (long i = 0; i < DIM * g->n; i++) {
    energy += g->v[i] * g->v[i] / 2;
  }
  return energy;
}

/* In whole units, of which a velocity is a multiple. */
static bool momentum_zero(const struct group *g) {
  bool ok = true;
  for (int d = 0; d < DIM; d++) {
    int64_t sum = 0, inexact = 0;
    for (long i = 0; i < g->n; i++) {
      double units = g->v[DIM * i + d] / UNIT;
      sum += (int64_t)units;
      inexact += units != floor(units) || fabs(units) > 0x1p52;
    }
    ok &= kern_check(sum == 0 && inexact == 0, "momentum %lld x 2^-41 along %d, %lld inexact",
                     (long long)sum, d, (long long)inexact);
  }
  return ok;
}

static bool vectors_equal(const double *a, const double *b, long count, const char *what) {
  long wrong = 0;
  for (long i = 0; i < count; i++) {
    wrong += a[i] != b[i];
  }
  return kern_check(wrong == 0, "%ld %s differ from the serial ones", wrong, what);
}

/* The present forces are those of a sum over all pairs; the atoms stay as they are. */
static bool forces_right(const struct group *g) {
  struct group apart = *g;
  apart.f = kern_doubles(DIM * g->n);
  forces_all_pairs(&apart);
  bool ok = vectors_equal(g->f, apart.f, DIM * g->n, "forces");
  ok &= vectors_equal(&g->potential, &apart.potential, 1, "potentials");
  free(apart.f);
  return ok;
}

struct state {
  double *x, *v;
};

static struct state state_of(const struct group *g) {
  size_t bytes = (size_t)(DIM * g->n) * sizeof(double);
  struct state s = {kern_doubles(DIM * g->n), kern_doubles(DIM * g->n)};
  memcpy(s.x, g->x, bytes);
  memcpy(s.v, g->v, bytes);
  return s;
}

static int run(const struct kernel *k, struct group *g, enum way way, const struct state *serial,
               long compared) {
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    group_reset(g, k->size);
    double kinetic = kinetic_of(g), energy = kinetic + g->potential;
    double elapsed = 0, start = kern_now();
    for (long i = 1; i <= k->iters; i++) {
      step(g, way);
      if (i == compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        ok &= vectors_equal(g->x, serial->x, DIM * g->n, "positions");
        ok &= vectors_equal(g->v, serial->v, DIM * g->n, "velocities");
        start = kern_now();
      }
    }
    best = fmin(best, elapsed + kern_now() - start);
    double change = kinetic_of(g) + g->potential - energy;
    ok &= kern_check(fabs(change) <= DRIFT * kinetic, "energy %.9g, was %.9g", energy + change,
                     energy);
    ok &= momentum_zero(g);
    ok &= forces_right(g);
    ok &= kern_check(g->lists > 1 || k->iters < 50, "the lists were never made anew");
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld", g->n, k->iters);
  return kern_report(WAY[way], size, best, ok, "%.10f,%.12e", g->potential, kinetic_of(g));
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "molecule",
      .what = "molecular dynamics, forces under a lock for each atom",
      .size_means = "atoms along an edge of the box, 6 to 30",
      .iters_means = "time steps",
      .full = {16, 300},
      .brief = {6, 60},
  };
  long compared = LONG_MAX;
  bool locks = false, arrays = false;
  const struct kern_option extra[] = {
      {"locks", "a lock for each atom (default: both ways in turn)", NULL, &locks},
      {"arrays", "a reduction of the array of forces", NULL, &arrays},
      {"compare", "N: steps repeated serially (3; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 6 && k.size <= 30 && k.iters >= 1, "6 to 30 atoms, 1 step or more");
  compared = kern_compared(&k, compared, 3);

  static struct group g; /* static: what is still there at the end is no leak */
  static struct state serial;
  group_init(&g, k.size);
  kern_threads();
  group_reset(&g, k.size);
  forces_all_pairs(&g);
  for (long i = 0; i < compared; i++) {
    step_serial(&g);
  }
  serial = state_of(&g);
  int status = KERN_OK;
  for (int way = LOCKS; way <= ARRAYS; way++) {
    if (locks == arrays || (way == LOCKS ? locks : arrays)) {
      status |= run(&k, &g, (enum way)way, &serial, compared);
    }
  }
  for (long i = 0; i < g.n; i++) {
    omp_destroy_lock(&g.lock[i]);
  }
  return status;
}
