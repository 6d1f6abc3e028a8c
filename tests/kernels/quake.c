/* quake.c - elastic waves on an irregular mesh of tetrahedra: sums into arrays that threads share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of SPEC OMP's equake: time steps whose cost is the product of a sparse symmetric
 *             matrix of 3 x 3 blocks and a vector. Only the upper half of the matrix is stored, so
 *             a row adds into its own place of the product and into those of its columns. Program,
 *             mesh and data are ours.
 * Ways        --reduction: a reduction of the whole array; --copies: an array for each thread, all
 *             of them added up by hand; --atomics: each addition is atomic.
 * Equation    M u'' = -K u on the mesh of quake.h, the mass lumped in the nodes. The step is "kick,
 *             then drift": v -= dt M^-1 K u, u += dt v. It conserves the energy
 *             v M v / 2 + u K (u - dt v) / 2 exactly, for any dt.
 * Check       that energy after all steps, computed apart, is the first one within the bound of
 *             round-off, which is below 1e-8 of it; the products of the first and the last state
 *             agree with a serial product, computed element by element, within the bound of
 *             round-off; no forces arise when the whole mesh is shifted and turned.
 */
#include "quake.h"

#include <float.h>

/* A sum of t terms, in any order, is wrong by at most about t eps / 2 times the sum of their
 * magnitudes. A row has 45 terms; a comparison has two such sums. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

enum way { REDUCTION, COPIES, ATOMICS, WAYS };
static const char *const WAY[WAYS] = {"quake-reduction", "quake-copies", "quake-atomics"};

/* The motion, and what the ways need. Vectors have three numbers a node. */
struct motion {
  const struct mesh *mesh;
  double *u, *v, *w; /* w: the product K u */
  double *copies;    /* w of each thread */
  int threads;
};

/* ---- the three ways to the product ---- */

/* to += B x */
static void block_times(const double *b, const double *x, double *to) {
  for (int d = 0; d < DIM; d++) {
    to[d] += b[DIM * d] * x[0] + b[DIM * d + 1] * x[1] + b[DIM * d + 2] * x[2];
  }
}

/* to += B^T x */
static void block_times_transposed(const double *b, const double *x, double *to) {
  for (int d = 0; d < DIM; d++) {
    to[d] += b[d] * x[0] + b[DIM + d] * x[1] + b[2 * DIM + d] * x[2];
  }
}

/* Adds what the blocks of one row add to w. */
static void row_add(const struct mesh *m, const double *u, long row, double *w) {
  double own[DIM] = {0};
  block_times(m->block + m->first[row] * BLOCK, u + DIM * row, own);
  for (long at = m->first[row] + 1; at < m->first[row + 1]; at++) {
    block_times(m->block + at * BLOCK, u + DIM * m->column[at], own);
    block_times_transposed(m->block + at * BLOCK, u + DIM * row, w + DIM * m->column[at]);
  }
  for (int d = 0; d < DIM; d++) {
    w[DIM * row + d] += own[d];
  }
}

static void add_atomic(double *w, const double *part) {
  for (int d = 0; d < DIM; d++) {
#pragma omp atomic
    w[d] += part[d];
  }
}

static void row_add_atomic(const struct mesh *m, const double *u, long row, double *w) {
  double own[DIM] = {0};
  block_times(m->block + m->first[row] * BLOCK, u + DIM * row, own);
  for (long at = m->first[row] + 1; at < m->first[row + 1]; at++) {
    double other[DIM] = {0};
    block_times(m->block + at * BLOCK, u + DIM * m->column[at], own);
    block_times_transposed(m->block + at * BLOCK, u + DIM * row, other);
    add_atomic(w + DIM * m->column[at], other);
  }
  add_atomic(w + DIM * row, own);
}

static void product_reduction(const struct motion *o) {
  long size = DIM * o->mesh->nodes;
  double *w = o->w;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < size; i++) {
    w[i] = 0;
  }
#pragma omp parallel for schedule(static) reduction(+ : w[ : size])
  for (long row = 0; row < o->mesh->nodes; row++) {
    row_add(o->mesh, o->u, row, w);
  }
}

static void product_copies(const struct motion *o) {
  long size = DIM * o->mesh->nodes;
#pragma omp parallel num_threads(o->threads)
  {
    int threads = omp_get_num_threads();
    double *own = o->copies + omp_get_thread_num() * size;
    memset(own, 0, (size_t)size * sizeof *own);
#pragma omp for schedule(static)
    for (long row = 0; row < o->mesh->nodes; row++) {
      row_add(o->mesh, o->u, row, own);
    }
#pragma omp for schedule(static)
    for (long i = 0; i < size; i++) {
      double sum = 0;
      for (int t = 0; t < threads; t++) {
        sum += o->copies[t * size + i];
      }
      o->w[i] = sum;
    }
  }
}

static void product_atomics(const struct motion *o) {
  long size = DIM * o->mesh->nodes;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 0; i < size; i++) {
      o->w[i] = 0;
    }
#pragma omp for schedule(static)
    for (long row = 0; row < o->mesh->nodes; row++) {
      row_add_atomic(o->mesh, o->u, row, o->w);
    }
  }
}

static void (*const PRODUCT[WAYS])(const struct motion *) = {product_reduction, product_copies,
                                                             product_atomics};

static void step(const struct motion *o, enum way way) {
  double dt = o->mesh->dt;
  PRODUCT[way](o);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < DIM * o->mesh->nodes; i++) {
    o->v[i] -= dt / o->mesh->mass[i / DIM] * o->w[i];
    o->u[i] += dt * o->v[i];
  }
}

/* ---- start, checks ---- */

/* A push at one corner of a mesh at rest, some cubes wide. */
static void motion_reset(const struct motion *o, long edge) {
  static const double push[DIM] = {1, -0.5, 0.25};
  double width = (double)edge / 8 + 1, centre = (double)edge / 3;
  memset(o->v, 0, (size_t)(DIM * o->mesh->nodes) * sizeof *o->v);
  for (long i = 0; i < DIM * o->mesh->nodes; i++) {
    const double *at = o->mesh->place + i / DIM * DIM;
    double square = 0;
    for (int d = 0; d < DIM; d++) {
      square += (at[d] - centre) * (at[d] - centre);
    }
    o->u[i] = push[i % DIM] * exp(-square / (width * width));
  }
}

/* K x and the sums of its terms' magnitudes, element by element, unlike the kernel's own rows. */
static void product_apart(const struct mesh *m, const double *x, double *sum, double *magnitudes) {
  memset(sum, 0, (size_t)(DIM * m->nodes) * sizeof *sum);
  memset(magnitudes, 0, (size_t)(DIM * m->nodes) * sizeof *magnitudes);
  for (long row = 0; row < m->nodes; row++) {
    for (long i = m->first[row] * BLOCK; i < m->first[row + 1] * BLOCK; i++) {
      long column = m->column[i / BLOCK];
      long a = DIM * row + i % BLOCK / DIM, b = DIM * column + i % DIM;
      sum[a] += m->block[i] * x[b];
      magnitudes[a] += fabs(m->block[i] * x[b]);
      if (column != row) {
        sum[b] += m->block[i] * x[a];
        magnitudes[b] += fabs(m->block[i] * x[a]);
      }
    }
  }
}

/* The product of the present u in one way. Each thread adds a term to those of a row. */
static bool product_right(const struct motion *o, enum way way) {
  long size = DIM * o->mesh->nodes, wrong = 0;
  double *sum = kern_doubles(size), *magnitudes = kern_doubles(size);
  product_apart(o->mesh, o->u, sum, magnitudes);
  PRODUCT[way](o);
  for (long i = 0; i < size; i++) {
    double most = (ROUND_OFF + o->threads * DBL_EPSILON) * magnitudes[i];
    wrong += !(fabs(o->w[i] - sum[i]) <= most);
  }
  free(sum);
  free(magnitudes);
  return kern_check(wrong == 0, "%s: %ld sums differ from the serial ones", WAY[way], wrong);
}

/* v M v / 2 + u K (u - dt v) / 2, and the same of all terms' magnitudes. */
static double energy_of(const struct motion *o, double *terms) {
  const struct mesh *m = o->mesh;
  long size = DIM * m->nodes;
  double *sum = kern_doubles(size), *magnitudes = kern_doubles(size);
  long double energy = 0; /* many terms: their sum should add no round-off of its own */
  product_apart(m, o->u, sum, magnitudes);
  *terms = 0;
  for (long i = 0; i < size; i++) {
    double kinetic = m->mass[i / DIM] * o->v[i] * o->v[i] / 2, before = o->u[i] - m->dt * o->v[i];
    energy += kinetic + before * sum[i] / 2;
    *terms += kinetic + fabs(before) * magnitudes[i] / 2;
  }
  free(sum);
  free(magnitudes);
  return (double)energy;
}

/* A shift and a turn of the whole mesh cause no forces; K itself is right up to some eps. */
static bool rigid_right(const struct mesh *m) {
  static const double shift[DIM] = {3, -1, 2}, turn[DIM] = {0.7, 1.9, -1.3};
  long size = DIM * m->nodes, wrong = 0;
  double *u = kern_doubles(size), *sum = kern_doubles(size), *magnitudes = kern_doubles(size);
  for (long i = 0; i < size; i++) {
    long a = (i + 1) % DIM, b = (i + 2) % DIM;
    const double *at = m->place + i / DIM * DIM;
    u[i] = shift[i % DIM] + turn[a] * at[b] - turn[b] * at[a];
  }
  product_apart(m, u, sum, magnitudes);
  for (long i = 0; i < size; i++) {
    wrong += !(fabs(sum[i]) <= 1e-12 * magnitudes[i]);
  }
  free(u);
  free(sum);
  free(magnitudes);
  return kern_check(wrong == 0, "%ld forces in a mesh that only turns", wrong);
}

static double kinetic_of(const struct motion *o) {
  double energy = 0;
  for (long i = 0; i < DIM * o->mesh->nodes; i++) {
    energy += o->mesh->mass[i / DIM] * o->v[i] * o->v[i] / 2;
  }
  return energy;
}

static int run(const struct kernel *k, const struct motion *o, enum way way) {
  bool ok = true;
  double best = INFINITY, now = 0;
  for (long rep = 0; rep < k->reps; rep++) {
    motion_reset(o, k->size);
    ok &= product_right(o, way);
    double terms, terms_now, energy = energy_of(o, &terms), start = kern_now();
    for (long i = 0; i < k->iters; i++) {
      step(o, way);
    }
    best = fmin(best, kern_now() - start);
    now = energy_of(o, &terms_now);
    double most = ROUND_OFF * (double)(k->iters + 1) * fmax(terms, terms_now);
    ok &= kern_check(fabs(now - energy) <= most, "%s: energy %.17g, was %.17g, at most %g off",
                     WAY[way], now, energy, most);
    ok &= product_right(o, way);
  }
  char size[64];
  snprintf(size, sizeof size, "%ld/%ldx%ld", o->mesh->nodes, o->mesh->blocks, k->iters);
  return kern_report(WAY[way], size, best, ok, "%.9e,%.8e", now, kinetic_of(o));
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "quake",
      .what = "elastic waves on an irregular mesh, sums into shared arrays",
      .size_means = "nodes along an edge of the mesh, 3 to 60",
      .iters_means = "time steps",
      .full = {24, 400},
      .brief = {8, 40},
  };
  bool only[WAYS] = {false};
  const struct kern_option extra[] = {
      {"reduction", "a reduction of the array (default: each way in turn)", NULL, &only[REDUCTION]},
      {"copies", "an array for each thread, added up by hand", NULL, &only[COPIES]},
      {"atomics", "atomic additions", NULL, &only[ATOMICS]},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 3 && k.size <= 60 && k.iters >= 1, "3 to 60 nodes, 1 step or more");
  bool all = !only[REDUCTION] && !only[COPIES] && !only[ATOMICS];

  static struct mesh m; /* static: what is still there at the end is no leak */
  static struct motion o;
  mesh_init(&m, k.size);
  long size = DIM * m.nodes;
  o = (struct motion){.mesh = &m, .threads = kern_threads()};
  o.u = kern_doubles(size);
  o.v = kern_doubles(size);
  o.w = kern_doubles(size);
  o.copies = kern_doubles(size * o.threads);
  int status = rigid_right(&m) ? KERN_OK : KERN_WRONG;
  for (int way = 0; way < WAYS; way++) {
    if (all || only[way]) {
      status |= run(&k, &o, (enum way)way);
    }
  }
  return status;
}
