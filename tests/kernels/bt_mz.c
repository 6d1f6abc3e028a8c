/* bt_mz.c - block tridiagonal systems in zones of unequal sizes, an inner team for each zone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  the equation of bt (adi.h) on a grid that is cut along x and y into zones whose edges
 *             grow by a factor, as in the multi-zone versions of NPB: the largest zone has about 20
 *             times the cells of the smallest. Within a step the zones are independent; then each
 *             takes over its neighbours' cells along their common faces.
 * Levels      outer: zones, shared out beforehand by their sizes (the next largest one to the part
 *             that has least), or with --dynamic the largest ones first to whoever is free. Inner:
 *             the loops of a zone's step, over k, for lines along z over j. One level: zone after
 *             zone, the loops on all processors.
 * Check       bit by bit against serial steps of all zones, and the error falls to a part of the
 *             first one. The exchange leaves the known field as it is, in which neighbours agree.
 */
#include "adi.h"
#include "levels.h"

enum { ACROSS_MOST = 8, ZONES_MOST = ACROSS_MOST * ACROSS_MOST };
static const double UNEVEN = 20; /* cells of the largest zone over those of the smallest */

struct zones {
  int across, count;      /* along an edge; in all */
  long edge[ACROSS_MOST]; /* cells along the edges of a row of zones */
  struct box box[ZONES_MOST];
  int by_size[ZONES_MOST]; /* the largest one first */
  int part[ZONES_MOST];    /* of the outer level, if zones are shared out beforehand */
};

static long zone_cells(const struct box *b) { return b->nx * b->ny * b->nz; }

/* ---- start ---- */

/* Cuts n cells into `across` edges that grow by one factor, 2 cells each at least. */
static void cut_edges(struct zones *z, long n) {
  double growth = z->across > 1 ? pow(UNEVEN, 0.5 / (z->across - 1)) : 1, all = 0, sum = 0;
  long from = 0;
  for (int e = 0; e < z->across; e++) {
    all += pow(growth, e);
  }
  for (int e = 0; e < z->across; e++) {
    sum += pow(growth, e);
    long left = 2 * (z->across - 1 - e), to = lround((double)n * sum / all);
    to = to < from + 2 ? from + 2 : to;
    to = to > n - left ? n - left : to;
    z->edge[e] = to - from;
    from = to;
  }
}

static void zones_init(struct zones *z, int across, long n, long depth) {
  long whole[3] = {n, n, depth}, first[3] = {0, 0, 0};
  z->across = across;
  z->count = 0;
  cut_edges(z, n);
  for (int row = 0; row < across; row++) {
    first[0] = 0;
    for (int column = 0; column < across; column++) {
      long size[3] = {z->edge[column], z->edge[row], depth};
      box_init(&z->box[z->count++], size, first, whole);
      first[0] += z->edge[column];
    }
    first[1] += z->edge[row];
  }
  for (int i = 0; i < z->count; i++) { /* insertion: few zones */
    int at = i;
    for (; at > 0 && zone_cells(&z->box[z->by_size[at - 1]]) < zone_cells(&z->box[i]); at--) {
      z->by_size[at] = z->by_size[at - 1];
    }
    z->by_size[at] = i;
  }
}

/* The next largest zone to the part that has the fewest cells. */
static void zones_share_out(struct zones *z, int parts) {
  long *load = kern_alloc((size_t)parts, sizeof *load);
  for (int i = 0; i < z->count; i++) {
    int zone = z->by_size[i], least = 0;
    for (int part = 1; part < parts; part++) {
      least = load[part] < load[least] ? part : least;
    }
    z->part[zone] = least;
    load[least] += zone_cells(&z->box[zone]);
  }
  free(load);
}

/* ---- one step ---- */

static struct block plane_k(const struct box *b, long k) {
  return block_cut(box_all(b), ADI_Z, k, b->nz);
}

static struct block plane_j(const struct box *b, long j) {
  return block_cut(box_all(b), ADI_Y, j, b->ny);
}

/* The loops of a zone, by all members of the calling team. */
static void zone_loops(const struct box *b) {
#pragma omp for schedule(static)
  for (long k = 0; k < b->nz; k++) {
    box_residual(b, plane_k(b, k));
  }
  for (int direction = ADI_X; direction <= ADI_Y; direction++) {
#pragma omp for schedule(static)
    for (long k = 0; k < b->nz; k++) {
      box_lines(b, direction, plane_k(b, k));
    }
  }
#pragma omp for schedule(static)
  for (long j = 0; j < b->ny; j++) {
    box_lines(b, ADI_Z, plane_j(b, j));
  }
#pragma omp for schedule(static)
  for (long k = 0; k < b->nz; k++) {
    box_advance(b, plane_k(b, k));
  }
}

static void zone_step(const struct box *b, int threads) {
#pragma omp parallel num_threads(threads)
  zone_loops(b);
}

/* Cell (i, j, k) of the neighbour's to the zone's own layer. */
static void take_cell(const struct box *b, long at, const struct box *from, long there) {
  memcpy(b->u + at * ADI_M, from->u + there * ADI_M, ADI_M * sizeof(double));
}

/* The neighbours' cells along the faces of a zone. */
static void zone_exchange(const struct zones *z, int zone) {
  const struct box *b = &z->box[zone];
  int row = zone / z->across, column = zone % z->across;
  for (long k = 0; k < b->nz; k++) {
    for (int side = -1; side <= 1; side += 2) {
      if (column + side >= 0 && column + side < z->across) {
        const struct box *from = &z->box[zone + side];
        for (long j = 0; j < b->ny; j++) {
          take_cell(b, box_at(b, side < 0 ? -1 : b->nx, j, k), from,
                    box_at(from, side < 0 ? from->nx - 1 : 0, j, k));
        }
      }
      if (row + side >= 0 && row + side < z->across) {
        const struct box *from = &z->box[zone + side * z->across];
        for (long i = 0; i < b->nx; i++) {
          take_cell(b, box_at(b, i, side < 0 ? -1 : b->ny, k), from,
                    box_at(from, i, side < 0 ? from->ny - 1 : 0, k));
        }
      }
    }
  }
}

static void step_one_level(const struct zones *z) {
#pragma omp parallel
  {
    for (int zone = 0; zone < z->count; zone++) {
      zone_loops(&z->box[zone]);
    }
#pragma omp for schedule(static)
    for (int zone = 0; zone < z->count; zone++) {
      zone_exchange(z, zone);
    }
  }
}

static void step_static(const struct zones *z, struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
  {
    int num = omp_get_thread_num(), size = omp_get_num_threads();
    for (int zone = 0; zone < z->count; zone++) {
      if (z->part[zone] % size == num) {
        zone_step(&z->box[zone], split.inner);
      }
    }
#pragma omp barrier
    for (int zone = 0; zone < z->count; zone++) {
      if (z->part[zone] % size == num) {
        zone_exchange(z, zone);
      }
    }
  }
}

static void step_dynamic(const struct zones *z, struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < z->count; i++) {
      zone_step(&z->box[z->by_size[i]], split.inner);
    }
#pragma omp for schedule(dynamic, 1)
    for (int zone = 0; zone < z->count; zone++) {
      zone_exchange(z, zone);
    }
  }
}

static void step_serial(const struct zones *z) {
  for (int zone = 0; zone < z->count; zone++) {
    box_step_serial(&z->box[zone]);
  }
  for (int zone = 0; zone < z->count; zone++) {
    zone_exchange(z, zone);
  }
}

/* ---- runs ---- */

struct fields {
  struct zones work, start, known, serial;
  double error; /* at the start */
};

static double zones_distance(const struct zones *z, const struct zones *other) {
  double largest = 0;
  for (int zone = 0; zone < z->count; zone++) {
    double here = box_distance(&z->box[zone], &other->box[zone]);
    largest = here > largest || isnan(here) ? here : largest;
  }
  return largest;
}

static long zones_differences(const struct zones *z, const struct zones *other) {
  long wrong = 0;
  for (int zone = 0; zone < z->count; zone++) {
    wrong += box_differences(&z->box[zone], &other->box[zone]);
  }
  return wrong;
}

static void zones_copy(struct zones *z, const struct zones *from) {
  for (int zone = 0; zone < z->count; zone++) {
    box_copy(&z->box[zone], &from->box[zone]);
  }
}

/* The exchange changes nothing in the known field, whose layers are the neighbours' cells already;
 * and in another one the first zone's layer is then its neighbour's. */
static bool exchange_works(const struct fields *f, long wrong) {
  const struct box *b = &f->start.box[0], *next = &f->start.box[1];
  bool ok = kern_check(wrong == 0, "the exchange changes %ld cells of the known field", wrong);
  if (f->start.across > 1) {
    ok &= kern_check(b->u[box_at(b, b->nx, 0, 0) * ADI_M] == next->u[box_at(next, 0, 0, 0) * ADI_M],
                     "the exchange leaves out a face");
  }
  return ok;
}

static bool fields_init(struct fields *f, int across, long n, long depth, long steps) {
  zones_init(&f->work, across, n, depth);
  zones_init(&f->start, across, n, depth);
  zones_init(&f->known, across, n, depth);
  zones_init(&f->serial, across, n, depth);
  for (int zone = 0; zone < f->known.count; zone++) {
    zone_exchange(&f->known, zone);
  }
  long wrong = zones_differences(&f->known, &f->start);
  for (int zone = 0; zone < f->start.count; zone++) {
    box_disturb(&f->start.box[zone]);
  }
  for (int zone = 0; zone < f->start.count; zone++) {
    zone_exchange(&f->start, zone);
  }
  f->error = zones_distance(&f->start, &f->known);
  zones_copy(&f->serial, &f->start);
  for (long i = 0; i < steps; i++) {
    step_serial(&f->serial);
  }
  return exchange_works(f, wrong);
}

static int run(const struct kernel *k, struct fields *f, struct lv_split split, bool dynamic,
               long compared) {
  bool ok = true;
  double best = INFINITY;
  zones_share_out(&f->work, split.outer > 0 ? split.outer : 1);
  for (long rep = 0; rep < k->reps; rep++) {
    zones_copy(&f->work, &f->start);
    double elapsed = 0, start = kern_now();
    for (long i = 1; i <= k->iters; i++) {
      if (split.outer == 0) {
        step_one_level(&f->work);
      } else if (dynamic) {
        step_dynamic(&f->work, split);
      } else {
        step_static(&f->work, split);
      }
      if (i == compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        long wrong = zones_differences(&f->work, &f->serial);
        ok &= kern_check(wrong == 0, "%ld cells differ from the serial ones", wrong);
        start = kern_now();
      }
    }
    best = fmin(best, elapsed + kern_now() - start);
    double error = zones_distance(&f->work, &f->known);
    ok &= kern_check(error < 0.9 * f->error, "error %g, was %g", error, f->error);
  }
  char name[64], size[64];
  snprintf(size, sizeof size, "%ldx%ld/%d^2", k->size, k->iters, f->work.across);
  return kern_report(lv_name(name, dynamic ? "bt_mz-dynamic" : "bt_mz", split), size, best, ok,
                     "%.9e", zones_distance(&f->work, &f->known));
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "bt_mz",
      .what = "block tridiagonal systems in zones of unequal sizes, an inner team a zone",
      .size_means = "cells along x and y, of all zones",
      .iters_means = "steps",
      .full = {48, 60},
      .brief = {14, 3},
  };
  long across = 4, depth = 0, compared = LONG_MAX;
  bool dynamic = false;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"dynamic", "zones to whoever is free, not shared out by size", NULL, &dynamic},
      {"across", "N: zones along x, and along y (4)", &across, NULL},
      {"depth", "N: cells along z (8; 4 with --small)", &depth, NULL},
      {"compare", "N: steps repeated serially (5; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, across >= 1 && across <= ACROSS_MOST, "1 to 8 zones along an edge");
  kern_require(&k, k.size >= 2 * across && k.size <= 5000, "2 cells a zone or more, 5000 at most");
  kern_require(&k, k.iters >= 1 && depth <= 5000, "1 step or more, 5000 cells along z at most");
  depth = depth > 0 ? depth : (k.small ? 4 : 8);
  compared = kern_compared(&k, compared, 5);
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;
  static struct fields f; /* static: what is still there at the end is no leak */
  status |= fields_init(&f, (int)across, k.size, depth, compared) ? KERN_OK : KERN_WRONG;
  for (int i = 0; i < count; i++) {
    status |= run(&k, &f, plan[i], dynamic, compared);
  }
  return status;
}
