/* mgrid.c - multigrid V-cycles on a periodic cube, flat or with a team for the lines of each plane
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of SPEC OMP's mgrid: every operator of the cycle is a parallel region of its own
 *             over the planes of a grid, on grids from large to tiny. The program and its data are
 *             ours, and so is the choice of operators.
 * Levels      outer: planes; inner: the lines of a plane, in a region for each plane. One level:
 *             planes only.
 * Operators   A is the stiffness matrix of trilinear elements (8/3, 0, -1/6, -1/12 for the centre,
 *             6 faces, 12 edges, 8 corners), P trilinear interpolation, and P^T A P is twice the A
 *             of the coarse grid. The smoother adds a quarter of the residual, once on the way down
 *             and once on the way up: 4 is the largest eigenvalue of A. The grid of 2^3 points is
 *             solved exactly, by its eight eigenvectors.
 * Theory      Braess and Hackbusch 1983: if  0 <= A^-1 - P (P^T A P)^-1 P^T <= C/4  on each level,
 *             then a V-cycle with s steps of that smoother makes the energy norm of the error
 *             smaller by C / (C + s) at least. Here C is 3: the largest eigenvalue of the middle
 *             term over all wave numbers is 3/4, for waves that alternate in all three directions.
 *             With s = 2 the factor is 3/5, for every error and every size of the grid.
 * Check       the right side is A times known random numbers. Each serial cycle and the parallel
 *             cycles together reduce the energy of the error as the theory says, and the operators
 *             have the properties that it takes for granted; the residual, computed apart from the
 *             definition of A, is the kernel's up to round-off; the first cycles (all, with
 *             --small) equal serial ones bit by bit, at every split.
 */
#include "levels.h"

#include <float.h>

enum { MAX_LEVEL = 9 };

static const double STIFFNESS[4] = {8.0 / 3, 0, -1.0 / 6, -1.0 / 12};
static const double RESTRICTION[4] = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16}; /* half of P^T */
static const double SMOOTHER = 1.0 / 4;
static const double REDUCTION = 3.0 / 5; /* of the error by a cycle, as the theory says */
static const double ROUND_OFF = 1e-9;    /* the error need not fall below this part of the first */

static const struct lv_split SERIAL = {-1, 0}; /* on one thread, without parallel loops */

/* Points are 1..n along a line, 0..n - 1 from line to line and from plane to plane. Elements 0 and
 * n + 1 of a line repeat its last and its first point. */
struct grid {
  long n, line; /* line: n + 2 */
  double *at;
};

struct multigrid {
  int top;
  struct grid e[MAX_LEVEL + 1], f[MAX_LEVEL + 1], r[MAX_LEVEL + 1]; /* A e = f, r = f - A e */
  struct grid u, right, known;                                      /* A u = right */
  double *norm; /* one a cycle: the largest residual */
};

/* What an operator works on, and its work for one line of `to`. */
struct job {
  void (*line)(const struct job *, long k, long j);
  const struct grid *to, *from, *right;
};

static double *line_of(const struct grid *g, long k, long j) {
  return g->at + ((k & (g->n - 1)) * g->n + (j & (g->n - 1))) * g->line;
}

static void line_close(const struct grid *g, double *line) {
  line[0] = line[g->n];
  line[g->n + 1] = line[1];
}

/* ---- the operators, for one line ---- */

/* The line (k, j) of `g`, then 4 that share a face with it, then 4 that share an edge. */
static void lines_around(const struct grid *g, long k, long j, const double *lines[9]) {
  lines[0] = line_of(g, k, j);
  for (int side = 0; side < 2; side++) {
    long step = 2 * side - 1;
    lines[1 + side] = line_of(g, k + step, j);
    lines[3 + side] = line_of(g, k, j + step);
    lines[5 + side] = line_of(g, k + step, j - 1);
    lines[7 + side] = line_of(g, k + step, j + 1);
  }
}

/* The weighted sum of the 27 points around point i. */
static double around(const double *const lines[9], long i, const double weights[4]) {
  double faces = lines[0][i - 1] + lines[0][i + 1], edges = 0, corners = 0;
  for (int l = 1; l <= 4; l++) {
    faces += lines[l][i];
    edges += lines[l][i - 1] + lines[l][i + 1];
    edges += lines[l + 4][i];
    corners += lines[l + 4][i - 1] + lines[l + 4][i + 1];
  }
  return weights[0] * lines[0][i] + weights[1] * faces + weights[2] * edges + weights[3] * corners;
}

/* to = right - A from */
static void line_residual(const struct job *job, long k, long j) {
  const double *lines[9], *right = line_of(job->right, k, j);
  double *to = line_of(job->to, k, j);
  lines_around(job->from, k, j, lines);
  for (long i = 1; i <= job->to->n; i++) {
    to[i] = right[i] - around(lines, i, STIFFNESS);
  }
  line_close(job->to, to);
}

/* to = S from: the first smoothing step, for which `to` was 0 */
static void line_smooth_first(const struct job *job, long k, long j) {
  const double *from = line_of(job->from, k, j);
  double *to = line_of(job->to, k, j);
  for (long i = 0; i < job->to->line; i++) {
    to[i] = SMOOTHER * from[i];
  }
}

/* to += S from */
static void line_smooth(const struct job *job, long k, long j) {
  const double *from = line_of(job->from, k, j);
  double *to = line_of(job->to, k, j);
  for (long i = 0; i < job->to->line; i++) {
    to[i] += SMOOTHER * from[i];
  }
}

/* to += from */
static void line_add(const struct job *job, long k, long j) {
  const double *from = line_of(job->from, k, j);
  double *to = line_of(job->to, k, j);
  for (long i = 0; i < job->to->line; i++) {
    to[i] += from[i];
  }
}

/* to = P^T from / 2: a coarse point lies on each second fine point, from the first one on. */
static void line_restrict(const struct job *job, long k, long j) {
  const double *lines[9];
  double *to = line_of(job->to, k, j);
  lines_around(job->from, 2 * k, 2 * j, lines);
  for (long i = 1; i <= job->to->n; i++) {
    to[i] = around(lines, 2 * i - 1, RESTRICTION);
  }
  line_close(job->to, to);
}

/* to += P from: a point between two coarse ones, in any direction, gets their mean. */
static void line_interpolate(const struct job *job, long k, long j) {
  const double *a = line_of(job->from, k / 2, j / 2), *b = line_of(job->from, k / 2, (j + 1) / 2);
  const double *c = line_of(job->from, (k + 1) / 2, j / 2);
  const double *d = line_of(job->from, (k + 1) / 2, (j + 1) / 2);
  double *to = line_of(job->to, k, j);
  for (long i = 1; i <= job->to->n; i++) {
    long low = (i + 1) / 2, high = i / 2 + 1;
    to[i] += 0.125 * (a[low] + a[high] + b[low] + b[high] + c[low] + c[high] + d[low] + d[high]);
  }
  line_close(job->to, to);
}

/* ---- the loops over lines ---- */

static void plane_nested(const struct job *job, long k, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long j = 0; j < job->to->n; j++) {
    job->line(job, k, j);
  }
}

static void plane_flat(const struct job *job, long k) {
  for (long j = 0; j < job->to->n; j++) {
    job->line(job, k, j);
  }
}

static void apply(struct lv_split split, const struct job *job) {
  long n = job->to->n;
  if (split.outer < 0) {
    for (long k = 0; k < n; k++) {
      plane_flat(job, k);
    }
  } else if (split.outer == 0) {
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n; k++) {
      plane_flat(job, k);
    }
  } else {
#pragma omp parallel for schedule(static) num_threads(split.outer)
    for (long k = 0; k < n; k++) {
      plane_nested(job, k, split.inner);
    }
  }
}

static double line_largest(const struct grid *g, long k, long j) {
  const double *line = line_of(g, k, j);
  double largest = 0;
  for (long i = 1; i <= g->n; i++) {
    largest = fmax(largest, fabs(line[i]));
  }
  return largest;
}

/* The largest magnitude, which no order of the reduction changes. */
static double largest_of(struct lv_split split, const struct grid *g) {
  double largest = 0;
  if (split.outer <= 0) {
#pragma omp parallel for schedule(static) reduction(max : largest) if (split.outer == 0)
    for (long k = 0; k < g->n; k++) {
      for (long j = 0; j < g->n; j++) {
        largest = fmax(largest, line_largest(g, k, j));
      }
    }
    return largest;
  }
#pragma omp parallel for schedule(static) reduction(max : largest) num_threads(split.outer)
  for (long k = 0; k < g->n; k++) {
    double inner = 0;
#pragma omp parallel for schedule(static) reduction(max : inner) num_threads(split.inner)
    for (long j = 0; j < g->n; j++) {
      inner = fmax(inner, line_largest(g, k, j));
    }
    largest = fmax(largest, inner);
  }
  return largest;
}

/* ---- the cycle ---- */

/* A e = f on 2^3 points, without the constant part: each eigenvector has a sign that alternates in
 * one, two or three directions, and the eigenvalue 4, 8/3 or 4/3. */
static void solve_coarsest(const struct grid *e, const struct grid *f) {
  static const double eigenvalue[4] = {INFINITY, 4, 8.0 / 3, 4.0 / 3};
  for (int to = 0; to < 8; to++) {
    double sum = 0;
    for (int wave = 1; wave < 8; wave++) {
      double part = 0;
      for (int from = 0; from < 8; from++) {
        double sign = __builtin_parity((unsigned)(wave & (from ^ to))) ? -1 : 1;
        part += sign * line_of(f, from >> 2, (from >> 1) & 1)[1 + (from & 1)];
      }
      sum += part / eigenvalue[__builtin_popcount((unsigned)wave)];
    }
    line_of(e, to >> 2, (to >> 1) & 1)[1 + (to & 1)] = sum / 8;
  }
  for (long line = 0; line < 4; line++) {
    line_close(e, line_of(e, line >> 1, line & 1));
  }
}

/* e[top] = the V-cycle's approximation of A^-1 f[top] */
static void cycle(const struct multigrid *m, struct lv_split split) {
  const struct grid *e = m->e, *f = m->f, *r = m->r;
  for (int l = m->top; l > 1; l--) {
    apply(split, &(struct job){line_smooth_first, &e[l], &f[l], NULL});
    apply(split, &(struct job){line_residual, &r[l], &e[l], &f[l]});
    apply(split, &(struct job){line_restrict, &f[l - 1], &r[l], NULL});
  }
  solve_coarsest(&e[1], &f[1]);
  for (int l = 2; l <= m->top; l++) {
    apply(split, &(struct job){line_interpolate, &e[l], &e[l - 1], NULL});
    apply(split, &(struct job){line_residual, &r[l], &e[l], &f[l]});
    apply(split, &(struct job){line_smooth, &e[l], &r[l], NULL});
  }
}

/* u += a cycle's correction; f[top] is the residual of u before and after. */
static void step(const struct multigrid *m, struct lv_split split, long number) {
  cycle(m, split);
  apply(split, &(struct job){line_add, &m->u, &m->e[m->top], NULL});
  apply(split, &(struct job){line_residual, &m->f[m->top], &m->u, &m->right});
  m->norm[number] = largest_of(split, &m->f[m->top]);
}

/* ---- start ---- */

static struct grid grid_new(long n) {
  return (struct grid){.n = n, .line = n + 2, .at = kern_doubles(n * n * (n + 2))};
}

static size_t grid_bytes(const struct grid *g) {
  return (size_t)(g->n * g->n * g->line) * sizeof(double);
}

static void grid_clear(const struct grid *g) { memset(g->at, 0, grid_bytes(g)); }

/* u = 0, and nothing is left of earlier runs. */
static void multigrid_reset(const struct multigrid *m) {
  for (int l = 1; l <= m->top; l++) {
    grid_clear(&m->e[l]);
    grid_clear(&m->f[l]);
    grid_clear(&m->r[l]);
  }
  grid_clear(&m->u);
  memcpy(m->f[m->top].at, m->right.at, grid_bytes(&m->right));
}

/* From -1/2 to 1/2. */
static double noise(long number) {
  return kern_lcg_real(kern_hash((uint64_t)number) & KERN_LCG_MASK) - 0.5;
}

/* The known solution: noise, and waves as long as the grid whose energy is as large. */
static void multigrid_init(struct multigrid *m, int top, long cycles) {
  long n = 1L << top;
  double unit = 2 * acos(-1) / (double)n, swing = (double)n / 4;
  m->top = top;
  m->norm = kern_doubles(cycles);
  m->u = grid_new(n);
  m->right = grid_new(n);
  m->known = grid_new(n);
  for (int l = 1; l <= top; l++) {
    m->e[l] = grid_new(1L << l);
    m->f[l] = grid_new(1L << l);
    m->r[l] = grid_new(1L << l);
  }
  for (long at = 0; at < n * n; at++) {
    double *line = line_of(&m->known, at / n, at % n);
    double waves = swing * (sin((double)(at / n) * unit) + sin((double)(at % n) * unit));
    for (long i = 1; i <= n; i++) {
      line[i] = noise(at * n + i) + waves + swing * sin((double)i * unit);
    }
    line_close(&m->known, line);
  }
  /* right = -(0 - A known): the signs change nothing else */
  grid_clear(&m->u);
  apply(SERIAL, &(struct job){line_residual, &m->right, &m->known, &m->u});
  for (long at = 0; at < n * n * (n + 2); at++) {
    m->right.at[at] = -m->right.at[at];
  }
}

/* ---- checks ---- */

/* (A x) at a point by the definition of A, and the sum of the terms' magnitudes. */
static double apart(const struct grid *x, long k, long j, long i, double *magnitudes) {
  double sum = 0;
  *magnitudes = 0;
  for (long d = 0; d < 27; d++) {
    long dk = d / 9 - 1, dj = d / 3 % 3 - 1, di = d % 3 - 1;
    long there = (i - 1 + di + x->n) % x->n + 1;
    double term = STIFFNESS[labs(dk) + labs(dj) + labs(di)] * line_of(x, k + dk, j + dj)[there];
    sum += term;
    *magnitudes += fabs(term);
  }
  return sum;
}

/* The energy norm of the error of u, (known - u)^T A (known - u); also compares the residual. */
static double error_of(const struct multigrid *m, bool *ok) {
  long n = m->u.n, wrong = 0;
  double energy = 0;
  for (long at = 0; at < n * n; at++) {
    const double *known = line_of(&m->known, at / n, at % n), *u = line_of(&m->u, at / n, at % n);
    const double *right = line_of(&m->right, at / n, at % n);
    const double *found = line_of(&m->f[m->top], at / n, at % n);
    for (long i = 1; i <= n; i++) {
      double magnitudes, residual = right[i] - apart(&m->u, at / n, at % n, i, &magnitudes);
      double most = 64 * DBL_EPSILON * (magnitudes + fabs(right[i]));
      wrong += !(fabs(residual - found[i]) <= most);
      energy += (known[i] - u[i]) * residual;
    }
  }
  *ok &= kern_check(wrong == 0, "%ld residuals are not those computed apart", wrong);
  return sqrt(energy > 0 || isnan(energy) ? energy : 0);
}

/* Of the operators, what the theory takes for granted: P^T A P is twice the A of the coarse grid,
 * for a vector of noise on each level, and the coarsest grid is solved. */
static bool operators_right(const struct multigrid *m) {
  const struct grid *e = m->e, *f = m->f, *r = m->r;
  double wrong = 0;
  for (int l = 1; l < m->top; l++) {
    multigrid_reset(m);
    memset(f[m->top].at, 0, grid_bytes(&f[m->top]));
    for (long at = 0; at < e[l].n * e[l].n * e[l].n; at++) {
      double *line = line_of(&e[l], at / e[l].n / e[l].n, at / e[l].n % e[l].n);
      line[1 + at % e[l].n] = noise(at);
      line_close(&e[l], line);
    }
    apply(SERIAL, &(struct job){line_interpolate, &e[l + 1], &e[l], NULL});
    apply(SERIAL, &(struct job){line_residual, &r[l + 1], &e[l + 1], &f[l + 1]}); /* -A P noise */
    apply(SERIAL, &(struct job){line_restrict, &r[l], &r[l + 1], NULL});
    apply(SERIAL, &(struct job){line_residual, &f[l], &e[l], &f[l]}); /* -A noise */
    for (long at = 0; at < r[l].n * r[l].n * r[l].line; at++) {
      wrong = fmax(wrong, fabs(r[l].at[at] - f[l].at[at]));
    }
    if (l == 1) {
      solve_coarsest(&e[1], &f[1]);
      apply(SERIAL, &(struct job){line_residual, &r[1], &e[1], &f[1]});
      wrong = fmax(wrong, largest_of(SERIAL, &r[1]));
    }
  }
  return kern_check(wrong <= 1e-13, "the operators differ by %g from what they should be", wrong);
}

struct expected {
  long compared; /* cycles */
  double *u;     /* after them */
  double *norm;  /* of each */
  double start;  /* the error before the first cycle */
};

/* The serial cycles; each of them reduces the error. */
static bool expect(const struct multigrid *m, struct expected *x, long compared) {
  bool ok = operators_right(m);
  multigrid_reset(m);
  x->compared = compared;
  x->start = error_of(m, &ok);
  double last = x->start;
  for (long i = 0; i < compared; i++) {
    step(m, SERIAL, i);
    double error = error_of(m, &ok);
    ok &= kern_check(error <= REDUCTION * last || error <= ROUND_OFF * x->start,
                     "cycle %ld: error %g, was %g", i, error, last);
    last = error;
  }
  x->u = kern_alloc(1, grid_bytes(&m->u));
  memcpy(x->u, m->u.at, grid_bytes(&m->u));
  x->norm = kern_doubles(compared);
  memcpy(x->norm, m->norm, (size_t)compared * sizeof(double));
  return ok;
}

static bool same(const struct multigrid *m, const struct expected *x) {
  return kern_check(memcmp(m->u.at, x->u, grid_bytes(&m->u)) == 0 &&
                        memcmp(m->norm, x->norm, (size_t)x->compared * sizeof(double)) == 0,
                    "%ld cycles differ from serial ones", x->compared);
}

static int run(const struct kernel *k, const struct multigrid *m, const struct expected *x,
               struct lv_split split) {
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    multigrid_reset(m);
    double elapsed = 0, start = kern_now();
    for (long i = 0; i < k->iters; i++) {
      step(m, split, i);
      if (i + 1 == x->compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        ok &= same(m, x);
        start = kern_now();
      }
    }
    best = fmin(best, elapsed + kern_now() - start);
    double error = error_of(m, &ok);
    double most = x->start * fmax(pow(REDUCTION, (double)k->iters), ROUND_OFF);
    ok &= kern_check(error <= most, "error %g after all cycles, at most %g", error, most);
  }
  char name[64], size[64];
  snprintf(size, sizeof size, "%ld^3x%ld", k->size, k->iters);
  return kern_report(lv_name(name, "mgrid", split), size, best, ok, "%.12e", m->norm[k->iters - 1]);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "mgrid",
      .what = "multigrid V-cycles on a periodic cube, planes and lines",
      .size_means = "points along an edge, a power of two from 4 to 512",
      .iters_means = "V-cycles",
      .full = {128, 60},
      .brief = {16, 5},
  };
  long compared = LONG_MAX;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"compare", "N: cycles repeated serially (1; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  int top = 2;
  while (top < MAX_LEVEL && 1L << top < k.size) {
    top++;
  }
  kern_require(&k, k.size == 1L << top && k.iters >= 1, "the size is a power of two, 4 to 512");
  compared = kern_compared(&k, compared, 1);
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;

  static struct multigrid m; /* static: what is still there at the end is no leak */
  static struct expected x;
  multigrid_init(&m, top, k.iters);
  status |= expect(&m, &x, compared) ? KERN_OK : KERN_WRONG;
  for (int i = 0; i < count; i++) {
    status |= run(&k, &m, &x, plan[i]);
  }
  return status;
}
