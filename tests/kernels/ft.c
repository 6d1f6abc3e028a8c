/* ft.c - NAS FT: a heat equation in a periodic box, by 3-D Fourier transforms
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007: the box is filled with numbers of the NAS
 *             generator, seed 314159265, and transformed. For each of six times t the spectrum is
 *             multiplied by exp(-4 alpha pi^2 t |k|^2) and transformed back; the sum of 1024 points
 *             is that time's checksum.
 * OpenMP      one region around all transforms, each of which has two loops. One is over planes,
 *             for lines along x and y; a plane stays in the cache between them. The other is over
 *             y, for lines along z. Most data move to another member between these loops. Two
 *             levels: an outer member has a block of planes or of y, and opens an inner region for
 *             each loop.
 * Check       the checksums are the published ones of the class, to 1e-12. No sum depends on the
 *             number of threads, so all digits are the same for any number.
 */
#include "levels.h"
#include "pencil.h"

enum { TIMES = 6, POINTS = 1024, PAD = 4 };
enum { X, Y, Z };

static const uint64_t SEED = 314159265;
static const double ALPHA = 1e-6;
static const double PI = 3.14159265358979323846;

struct ft_class {
  char letter;
  int size[3];
  struct complex2 sum[TIMES];
};

/* The published checksums (NAS Parallel Benchmarks, FT verification). */
static const struct ft_class classes[] = {
    {'S',
     {64, 64, 64},
     {{5.546087004964e2, 4.845363331978e2},
      {5.546385409189e2, 4.865304269511e2},
      {5.546148406171e2, 4.883910722336e2},
      {5.545423607415e2, 4.901273169046e2},
      {5.544255039624e2, 4.917475857993e2},
      {5.542683411902e2, 4.932597244941e2}}},
    {'W',
     {128, 128, 32},
     {{5.673612178944e2, 5.293246849175e2},
      {5.631436885271e2, 5.282149986629e2},
      {5.594024089970e2, 5.270996558037e2},
      {5.560698047020e2, 5.260027904925e2},
      {5.530898991250e2, 5.249400845633e2},
      {5.504159734538e2, 5.239212247086e2}}},
    {'A',
     {256, 256, 128},
     {{5.046735008193e2, 5.114047905510e2},
      {5.059412319734e2, 5.098809666433e2},
      {5.069376896287e2, 5.098144042213e2},
      {5.077892868474e2, 5.101336130759e2},
      {5.085233095391e2, 5.104914655194e2},
      {5.091487099959e2, 5.107917842803e2}}},
};

struct box {
  int size[3];
  long line, plane;          /* from y to y + 1, from z to z + 1 */
  struct complex2 *spectrum; /* at first the start, which is transformed in place */
  struct complex2 *work;     /* the spectrum of some time, transformed back */
  struct complex2 root[PENCIL_MOST];
  double decay[TIMES][3][PENCIL_MOST]; /* by time, direction and wave number: factors */
  struct complex2 sum[TIMES];
  struct lv_split split;
  struct pencil *pencil; /* one a thread */
};

/* A transform. time < 0: forward, in place in `spectrum`; else from `spectrum` back to `work`. */
struct sweep {
  struct box *box;
  int time;
};

/* ---- called by every member of a team ---- */

static struct pencil *own_pencil(const struct box *b) {
  int num = omp_get_thread_num();
  return &b->pencil[b->split.outer ? omp_get_ancestor_thread_num(1) * b->split.inner + num : num];
}

/* Fills planes [from, to). Numbers are in the order of the points, whoever draws them. */
static void team_start(const struct sweep *s, long from, long to) {
  const struct box *b = s->box;
#pragma omp for schedule(static)
  for (long z = from; z < to; z++) {
    uint64_t state = kern_lcg_jump(SEED, 2 * (uint64_t)(z * b->size[Y] * b->size[X]));
    for (long y = 0; y < b->size[Y]; y++) {
      struct complex2 *line = b->spectrum + z * b->plane + y * b->line;
      for (long x = 0; x < b->size[X]; x++) {
        uint64_t next = kern_lcg_next(state);
        state = kern_lcg_next(next);
        line[x] = (struct complex2){kern_lcg_real(next), kern_lcg_real(state)};
      }
    }
    memset(b->work + z * b->plane, 0, (size_t)b->plane * sizeof *b->work);
  }
}

/* The lines of one pencil, in place. */
static void lines_transform(const struct sweep *s, struct pencil *p, struct complex2 *at,
                            struct pencil_stride stride, int direction) {
  int length = s->box->size[direction];
  pencil_load(p, at, stride, length);
  pencil_transform(p, length, s->time >= 0, s->box->root);
  pencil_store(p, at, stride, length);
}

/* Lines along x and y in planes z of [from, to). */
static void team_planes(const struct sweep *s, long from, long to) {
  const struct box *b = s->box;
  struct pencil *p = own_pencil(b);
  struct complex2 *data = s->time >= 0 ? b->work : b->spectrum;
#pragma omp for schedule(static)
  for (long z = from; z < to; z++) {
    struct complex2 *plane = data + z * b->plane;
    for (long y = 0; y < b->size[Y]; y += LANES) {
      lines_transform(s, p, plane + y * b->line, (struct pencil_stride){1, b->line}, X);
    }
    for (long x = 0; x < b->size[X]; x += LANES) {
      lines_transform(s, p, plane + x, (struct pencil_stride){b->line, 1}, Y);
    }
  }
}

/* Makes those of the sweep's time of the values in `p`, of lines along z at y and from x on. */
static void pencil_decay(const struct sweep *s, struct pencil *p, long y, long x) {
  const struct box *b = s->box;
  const double (*decay)[PENCIL_MOST] = b->decay[s->time];
  double here[LANES];
  for (int l = 0; l < LANES; l++) {
    here[l] = decay[Y][y] * decay[X][x + l];
  }
  for (int z = 0; z < b->size[Z]; z++) {
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      p->re[0][z * LANES + l] *= decay[Z][z] * here[l];
      p->im[0][z * LANES + l] *= decay[Z][z] * here[l];
    }
  }
}

/* Lines along z at y of [from, to). */
static void team_depth(const struct sweep *s, long from, long to) {
  const struct box *b = s->box;
  struct pencil *p = own_pencil(b);
  struct pencil_stride stride = {b->plane, 1};
#pragma omp for schedule(static)
  for (long y = from; y < to; y++) {
    for (long x = 0; x < b->size[X]; x += LANES) {
      struct complex2 *at = b->spectrum + y * b->line + x;
      if (s->time < 0) {
        lines_transform(s, p, at, stride, Z);
        continue;
      }
      pencil_load(p, at, stride, b->size[Z]);
      pencil_decay(s, p, y, x);
      pencil_transform(p, b->size[Z], true, b->root);
      pencil_store(p, b->work + y * b->line + x, stride, b->size[Z]);
    }
  }
}

typedef void (*team_loop)(const struct sweep *s, long from, long to);

/* Runs a loop over [0, count), on one level or on two; ends with a barrier of the calling team. */
static void team_run(const struct sweep *s, team_loop loop, long count) {
  struct lv_split split = s->box->split;
  if (split.outer == 0) {
    loop(s, 0, count);
    return;
  }
#pragma omp for schedule(static)
  for (int part = 0; part < split.outer; part++) {
#pragma omp parallel num_threads(split.inner)
    loop(s, count * part / split.outer, count * (part + 1) / split.outer);
  }
}

static struct complex2 box_sum(const struct box *b) {
  struct complex2 sum = {0, 0};
  for (long j = 1; j <= POINTS; j++) {
    long x = j % b->size[X], y = 3 * j % b->size[Y], z = 5 * j % b->size[Z];
    struct complex2 c = b->work[z * b->plane + y * b->line + x];
    sum.re += c.re;
    sum.im += c.im;
  }
  return sum;
}

static void team_solve(struct box *b) {
  struct sweep forward = {b, -1};
  team_run(&forward, team_planes, b->size[Z]);
  team_run(&forward, team_depth, b->size[Y]);
  for (int time = 0; time < TIMES; time++) {
    struct sweep back = {b, time};
    team_run(&back, team_depth, b->size[Y]);
    team_run(&back, team_planes, b->size[Z]);
#pragma omp single
    b->sum[time] = box_sum(b);
  }
}

/* ---- the rest is serial ---- */

/* Wave numbers of the upper half of a line are negative. The inverse transform's factor, a power of
 * two, is in those along z. */
static void box_decay(struct box *b) {
  double volume = (double)b->size[X] * b->size[Y] * b->size[Z];
  for (int time = 0; time < TIMES; time++) {
    for (int direction = X; direction <= Z; direction++) {
      for (int k = 0; k < b->size[direction]; k++) {
        double wave = k < b->size[direction] / 2 ? k : k - b->size[direction];
        double scale = direction == Z ? 1 / volume : 1;
        b->decay[time][direction][k] = scale * exp(-4 * ALPHA * PI * PI * (time + 1) * wave * wave);
      }
    }
  }
}

static void box_init(struct box *b, const struct ft_class *class) {
  memcpy(b->size, class->size, sizeof b->size);
  b->line = b->size[X] + PAD; /* so that neighbouring lines are in different sets of a cache */
  b->plane = b->line * b->size[Y];
  b->spectrum = kern_alloc((size_t)(b->plane * b->size[Z]), sizeof *b->spectrum);
  b->work = kern_alloc((size_t)(b->plane * b->size[Z]), sizeof *b->work);
  pencil_roots(b->root);
  box_decay(b);
}

static bool verify(const struct box *b, const struct ft_class *class) {
  bool ok = true;
  for (int time = 0; time < TIMES; time++) {
    struct complex2 sum = b->sum[time], published = class->sum[time];
    ok &= kern_check(kern_close(sum.re, published.re, 1e-12) &&
                         kern_close(sum.im, published.im, 1e-12),
                     "time %d: checksum %.15g %.15g, published %.13g %.13g", time + 1, sum.re,
                     sum.im, published.re, published.im);
  }
  return ok;
}

static int run(const struct kernel *k, struct box *b, struct lv_split split,
               const struct ft_class *class) {
  int team = split.outer ? split.outer : kern_threads();
  int threads = split.outer ? split.outer * split.inner : team;
  b->split = split;
  b->pencil = aligned_alloc(128, (size_t)threads * sizeof *b->pencil);
  kern_require(k, b->pencil != NULL, "no memory");
  struct sweep start = {b, -1};
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    memset(b->sum, 0xff, sizeof b->sum);
#pragma omp parallel num_threads(team)
    team_run(&start, team_start, b->size[Z]);
    double begin = kern_now();
#pragma omp parallel num_threads(team)
    team_solve(b);
    best = kern_time(k, best, kern_now() - begin);
    ok &= verify(b, class);
  }
  free(b->pencil);
  char name[64], size[64];
  snprintf(size, sizeof size, "%c:%dx%dx%dx%d", class->letter, b->size[X], b->size[Y], b->size[Z],
           TIMES);
  return kern_report(lv_name(name, "ft", split), size, best, ok, "%.12e,%.12e",
                     b->sum[TIMES - 1].re, b->sum[TIMES - 1].im);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "ft",
      .what = "NAS FT, 3-D Fourier transforms",
      .size_means = "class: S, W or A",
      .classes = "SWA",
      .full = {'W', TIMES},
      .brief = {'S', TIMES},
  };
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  const struct ft_class *class = classes;
  while (class->letter != k.size) {
    class++;
  }
  levels.one_level |= levels.outer == 0 && levels.inner == 0 && !levels.splits;
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;
  static struct box b; /* static: what is still there at the end is no leak */
  box_init(&b, class);
  for (int i = 0; i < count; i++) {
    status |= run(&k, &b, plan[i], class);
  }
  return status;
}
