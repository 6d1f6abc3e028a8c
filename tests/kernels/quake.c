/* quake.c - elastic waves on an irregular mesh of tetrahedra: sums into arrays that threads share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of SPEC OMP's equake: time steps whose cost is the product of a sparse symmetric
 *             matrix of 3 x 3 blocks and a vector. Only the upper half of the matrix is stored, so
 *             a row adds into its own place of the product and into those of its columns. Program,
 *             mesh and data are ours.
 * Ways        --reduction: a reduction of the whole array; --copies: an array for each thread, all
 *             of them added up by hand; --atomics: each addition is atomic.
 * Mesh        a lattice of nodes that are moved at random; its cubes are cut into six tetrahedra
 *             each, some cubes are left out, and the nodes are numbered at random.
 * Equation    M u'' = -K u: linear elements, isotropic material, the mass lumped in the nodes. The
 *             step is "kick, then drift": v -= dt M^-1 K u, u += dt v. It conserves the energy
 *             v M v / 2 + u K (u - dt v) / 2 exactly, for any dt.
 * Check       that energy after all steps, computed apart, is the first one within the bound of
 *             round-off, which is below 1e-8 of it; the products of the first and the last state
 *             agree with a serial product of the whole matrix, computed element by element, within
 *             the bound of round-off.
 */
#include "kernel.h"

#include <float.h>

enum { OFFSETS = 8, CORNERS = 4, DIM = 3, BLOCK = DIM * DIM };

static const double JITTER = 0.15;           /* of a node, in edges of a cube: keeps volumes > 0 */
static const double LAME = 1.0, SHEAR = 0.8; /* the material */
static const int HOLES = 10;                 /* per cent of the cubes */

/* The six tetrahedra of a cube: paths from corner 0 to corner 7. Bit d of a corner is its step
 * along direction d. */
static const int TETRAHEDRA[6][CORNERS] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                           {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

/* While it is put together: nodes by their places in the lattice. A block for each node and each
 * corner of the cube above it: their edge, or for corner 0 the node's own block. */
struct lattice {
  long edge, places; /* edge: nodes along an edge */
  double *place;     /* three coordinates a node */
  double *mass, *block;
  bool *used; /* the blocks */
};

/* Upper half: row r has the blocks first[r]..first[r + 1], its diagonal one first. */
struct mesh {
  long nodes, blocks;
  long *first, *column;
  double *block, *mass;
  double dt;
};

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

static double noise(uint64_t number) {
  return kern_lcg_real(kern_hash(number) & KERN_LCG_MASK) - 0.5;
}

/* ---- the matrix ---- */

static long corner_of(const struct lattice *l, long node, int corner) {
  return node + (corner & 1) + ((corner >> 1) & 1) * l->edge + (corner >> 2) * l->edge * l->edge;
}

/* The gradients of the four linear functions that are 1 in one corner and 0 in the others. Returns
 * the volume. */
static double gradients(const double *const place[CORNERS], double g[CORNERS][DIM]) {
  double e[DIM][DIM], volume = 0;
  for (int a = 0; a < DIM; a++) {
    for (int d = 0; d < DIM; d++) {
      e[a][d] = place[a + 1][d] - place[0][d];
    }
  }
  for (int a = 0; a < DIM; a++) {
    const double *b = e[(a + 1) % DIM], *c = e[(a + 2) % DIM];
    for (int d = 0; d < DIM; d++) {
      g[a + 1][d] = b[(d + 1) % DIM] * c[(d + 2) % DIM] - b[(d + 2) % DIM] * c[(d + 1) % DIM];
    }
  }
  for (int d = 0; d < DIM; d++) {
    volume += e[0][d] * g[1][d];
  }
  for (int d = 0; d < DIM; d++) {
    g[0][d] = 0;
    for (int a = 1; a < CORNERS; a++) {
      g[a][d] /= volume;
      g[0][d] -= g[a][d];
    }
  }
  return fabs(volume) / 6;
}

/* Adds the stiffness and mass of one tetrahedron of the cube above `node`. */
static void add_tetrahedron(const struct lattice *l, long node, const int corner[CORNERS]) {
  const double *place[CORNERS];
  double g[CORNERS][DIM];
  for (int a = 0; a < CORNERS; a++) {
    place[a] = l->place + DIM * corner_of(l, node, corner[a]);
  }
  double volume = gradients(place, g);
  for (int a = 0; a < CORNERS; a++) {
    long from = corner_of(l, node, corner[a]);
    l->mass[from] += volume / CORNERS;
    for (int b = a; b < CORNERS; b++) { /* corners of a path: b is above a */
      long at = from * OFFSETS + (corner[b] ^ corner[a]);
      double along = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
      l->used[at] = true;
      for (int i = 0; i < BLOCK; i++) {
        int row = i / DIM, column = i % DIM;
        l->block[at * BLOCK + i] +=
            volume * (LAME * g[a][row] * g[b][column] + SHEAR * g[a][column] * g[b][row] +
                      (row == column ? SHEAR * along : 0));
      }
    }
  }
}

static void lattice_init(struct lattice *l, long edge) {
  l->edge = edge;
  l->places = edge * edge * edge;
  l->place = kern_doubles(DIM * l->places);
  l->mass = kern_doubles(l->places);
  l->block = kern_doubles(l->places * OFFSETS * BLOCK);
  l->used = kern_alloc((size_t)(l->places * OFFSETS), sizeof *l->used);
  for (long node = 0; node < l->places; node++) {
    long at[DIM] = {node % edge, node / edge % edge, node / edge / edge};
    for (int d = 0; d < DIM; d++) {
      l->place[DIM * node + d] = (double)at[d] + 2 * JITTER * noise((uint64_t)(DIM * node + d));
    }
  }
  for (long node = 0; node < l->places; node++) {
    bool inside =
        node % edge < edge - 1 && node / edge % edge < edge - 1 && node / edge / edge < edge - 1;
    if (inside && kern_hash(~(uint64_t)node) % 100 >= (uint64_t)HOLES) {
      for (int t = 0; t < 6; t++) {
        add_tetrahedron(l, node, TETRAHEDRA[t]);
      }
    }
  }
}

/* A random number for each node that has mass, -1 for the others; returns how many have. */
static long number_nodes(const struct lattice *l, long *number) {
  long *order = kern_alloc((size_t)l->places, sizeof *order), nodes = 0;
  for (long node = 0; node < l->places; node++) {
    number[node] = -1;
    if (l->mass[node] > 0) {
      long other = (long)(kern_hash((uint64_t)node) % (uint64_t)(nodes + 1));
      order[nodes++] = order[other]; /* Fisher and Yates */
      order[other] = node;
    }
  }
  for (long i = 0; i < nodes; i++) {
    number[order[i]] = i;
  }
  free(order);
  return nodes;
}

/* Calls are in two rounds: the first one counts the blocks of each row, the second one stores them.
 * `next` has the row's next free block. */
static void mesh_take(struct mesh *m, const struct lattice *l, const long *number, long *next) {
  for (int corner = 0; corner < OFFSETS; corner++) { /* corner 0, the diagonal block, first */
    for (long node = 0; node < l->places; node++) {
      long at = node * OFFSETS + corner;
      if (!l->used[at]) {
        continue;
      }
      long row = number[node], column = number[corner_of(l, node, corner)];
      bool upper = row <= column;
      long place = next[upper ? row : column]++;
      if (m->block) {
        m->column[place] = upper ? column : row;
        for (int i = 0; i < BLOCK; i++) {
          int from = upper ? i : i % DIM * DIM + i / DIM; /* transposed */
          m->block[place * BLOCK + i] = l->block[at * BLOCK + from];
        }
      }
    }
  }
}

/* The largest dt by Gershgorin's bound of the largest eigenvalue, and somewhat less. */
static double mesh_step(const struct mesh *m) {
  double *sum = kern_doubles(DIM * m->nodes), largest = 0;
  for (long row = 0; row < m->nodes; row++) {
    for (long at = m->first[row]; at < m->first[row + 1]; at++) {
      for (int i = 0; i < BLOCK; i++) {
        double size = fabs(m->block[at * BLOCK + i]);
        sum[DIM * row + i / DIM] += size;
        sum[DIM * m->column[at] + i % DIM] += m->column[at] == row ? 0 : size;
      }
    }
  }
  for (long i = 0; i < DIM * m->nodes; i++) {
    largest = fmax(largest, sum[i] / m->mass[i / DIM]);
  }
  free(sum);
  return 0.9 * 2 / sqrt(largest);
}

/* The mesh, and in `place` the coordinates of its nodes. */
static void mesh_init(struct mesh *m, long edge, double **place) {
  struct lattice l;
  lattice_init(&l, edge);
  long *number = kern_alloc((size_t)l.places, sizeof *number);
  m->nodes = number_nodes(&l, number);
  m->first = kern_alloc((size_t)m->nodes + 1, sizeof *m->first);
  m->block = NULL;
  mesh_take(m, &l, number, m->first + 1);
  for (long row = 0; row < m->nodes; row++) {
    m->first[row + 1] += m->first[row];
  }
  m->blocks = m->first[m->nodes];
  m->column = kern_alloc((size_t)m->blocks, sizeof *m->column);
  m->block = kern_doubles(m->blocks * BLOCK);
  long *next = kern_alloc((size_t)m->nodes, sizeof *next);
  memcpy(next, m->first, (size_t)m->nodes * sizeof *next);
  mesh_take(m, &l, number, next);
  m->mass = kern_doubles(m->nodes);
  *place = kern_doubles(DIM * m->nodes);
  for (long node = 0; node < l.places; node++) {
    if (number[node] >= 0) {
      m->mass[number[node]] = l.mass[node];
      memcpy(*place + DIM * number[node], l.place + DIM * node, DIM * sizeof **place);
    }
  }
  m->dt = mesh_step(m);
  free(next);
  free(number);
  free(l.place);
  free(l.mass);
  free(l.block);
  free(l.used);
}

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
static void motion_reset(const struct motion *o, const double *place, long edge) {
  static const double push[DIM] = {1, -0.5, 0.25};
  double width = (double)edge / 8 + 1, centre = (double)edge / 3;
  memset(o->v, 0, (size_t)(DIM * o->mesh->nodes) * sizeof *o->v);
  for (long i = 0; i < DIM * o->mesh->nodes; i++) {
    const double *at = place + i / DIM * DIM;
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

static double kinetic_of(const struct motion *o) {
  double energy = 0;
  for (long i = 0; i < DIM * o->mesh->nodes; i++) {
    energy += o->mesh->mass[i / DIM] * o->v[i] * o->v[i] / 2;
  }
  return energy;
}

static int run(const struct kernel *k, const struct motion *o, const double *place, enum way way) {
  bool ok = true;
  double best = INFINITY, now = 0;
  for (long rep = 0; rep < k->reps; rep++) {
    motion_reset(o, place, k->size);
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
  static double *place;
  mesh_init(&m, k.size, &place);
  long size = DIM * m.nodes;
  o = (struct motion){.mesh = &m, .threads = kern_threads()};
  o.u = kern_doubles(size);
  o.v = kern_doubles(size);
  o.w = kern_doubles(size);
  o.copies = kern_doubles(size * o.threads);
  int status = KERN_OK;
  for (int way = 0; way < WAYS; way++) {
    if (all || only[way]) {
      status |= run(&k, &o, place, (enum way)way);
    }
  }
  return status;
}
