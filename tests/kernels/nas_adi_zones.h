/* nas_adi_zones.h - boxes side by side that exchange their boundaries: the zones of SP-MZ and BT-MZ
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    report NAS-03-010: a grid is cut along x and y into zones, of equal edges or of edges
 *           that grow by one factor. Before each time step a zone's faces get the values of the
 *           inner points of its neighbours, next to their faces; the first and the last zone of a
 *           row are neighbours, too. Within a step zones are independent.
 * Places    The grid is as long along x and y as it has zones across; so all zones have the same
 *           spacing. The places of each zone begin at 0, in the source term and in the error. Only
 *           at the start do its far faces have the known solution of place 1. With these rules the
 *           norms of classes S and W are the published ones.
 */
#ifndef NTH_KERNEL_NAS_ADI_ZONES_H
#define NTH_KERNEL_NAS_ADI_ZONES_H

#include "nas_adi_step.h"

enum { NAS_ACROSS = 4, NAS_ZONES = NAS_ACROSS * NAS_ACROSS };

struct zones {
  int across, count; /* along x or y; in all */
  struct zone zone[NAS_ZONES];
  int by_size[NAS_ZONES]; /* the largest one first */
  int part[NAS_ZONES];    /* of the outer level, if zones are shared out beforehand */
};

static inline long zone_inner(const struct zone *z) {
  return (z->n[NAS_X] - 2) * (z->n[NAS_Y] - 2) * (z->n[NAS_Z] - 2);
}

/* ---- start ---- */

/* Cuts n points into `across` edges, which grow by one factor. Returns the shortest edge. */
static inline long zones_cut(long n, int across, double uneven, long edge[NAS_ACROSS]) {
  double growth = across > 1 ? pow(uneven, 1.0 / (across - 1)) : 1, all = 0, sum = 0;
  long from = 0, shortest = n;
  for (int e = 0; e < across; e++) {
    all += pow(growth, e);
  }
  for (int e = 0; e < across; e++) {
    sum += pow(growth, e);
    long to = lround((double)n * sum / all);
    edge[e] = to - from;
    shortest = edge[e] < shortest ? edge[e] : shortest;
    from = to;
  }
  return shortest;
}

/* `size` points along x and y, cut into `edge`. */
static inline void zones_init(struct zones *z, const struct nas_class *class, long size,
                              const long edge[NAS_ACROSS]) {
  z->across = class->across;
  z->count = class->across * class->across;
  double flat = (double)class->across / (double)(size - 1);
  const double h[NAS_DIRECTIONS] = {flat, flat, 1 / (double)(class->depth - 1)};
  for (int i = 0; i < z->count; i++) {
    const long n[] = {edge[i % z->across], edge[i / z->across], class->depth};
    zone_init(&z->zone[i], n, h, class->dt);
    int at = i; /* insertion: few zones */
    for (; at > 0 && zone_inner(&z->zone[z->by_size[at - 1]]) < zone_inner(&z->zone[i]); at--) {
      z->by_size[at] = z->by_size[at - 1];
    }
    z->by_size[at] = i;
  }
}

/* The next largest zone to the part that has the fewest points. */
static inline void zones_share_out(struct zones *z, int parts) {
  long load[NAS_ZONES] = {0};
  parts = parts < z->count ? parts : z->count; /* more have nothing to do */
  for (int i = 0; i < z->count; i++) {
    int zone = z->by_size[i], least = 0;
    for (int part = 1; part < parts; part++) {
      least = load[part] < load[least] ? part : least;
    }
    z->part[zone] = least;
    load[least] += zone_inner(&z->zone[zone]);
  }
}

/* ---- exchange ---- */

/* The inner points of plane `plane` across direction d, x or y, from plane `there` of a
 * neighbour. */
static inline void zone_take(const struct zone *z, int d, long plane, const struct zone *from,
                             long there) {
  int along = d == NAS_X ? NAS_Y : NAS_X;
  for (long k = 1; k < z->n[NAS_Z] - 1; k++) {
    for (long i = 1; i < z->n[along] - 1; i++) {
      memcpy(z->u[plane * z->stride[d] + i * z->stride[along] + k * z->stride[NAS_Z]],
             from->u[there * from->stride[d] + i * from->stride[along] + k * from->stride[NAS_Z]],
             sizeof *z->u);
    }
  }
}

/* The four faces of zone `i`. It reads inner points and writes others, so all zones may exchange
 * at the same time. */
static inline void zones_exchange(const struct zones *z, int i) {
  const struct zone *zone = &z->zone[i];
  int row = i / z->across * z->across, column = i % z->across, last = z->across - 1;
  for (int side = 0; side < 2 && z->across > 1; side++) {
    int step = side == 0 ? last : 1; /* to the neighbour, around the end */
    const struct zone *x = &z->zone[row + (column + step) % z->across];
    const struct zone *y = &z->zone[(row + step * z->across) % z->count + column];
    zone_take(zone, NAS_X, side == 0 ? 0 : zone->n[NAS_X] - 1, x, side == 0 ? x->n[NAS_X] - 2 : 1);
    zone_take(zone, NAS_Y, side == 0 ? 0 : zone->n[NAS_Y] - 1, y, side == 0 ? y->n[NAS_Y] - 2 : 1);
  }
}

/* ---- checks ---- */

static inline long zones_differences(const struct zones *z, const struct zones *other) {
  long wrong = 0;
  for (int i = 0; i < z->count; i++) {
    wrong += zone_differences(&z->zone[i], &other->zone[i]);
  }
  return wrong;
}

static inline void zones_copy(const struct zones *z, const struct zones *from) {
  for (int i = 0; i < z->count; i++) {
    zone_copy(&z->zone[i], &from->zone[i]);
  }
}

/* Sums of the zones' norms. */
static inline void zones_norms(const struct zones *z, struct nas_norms *sum) {
  memset(sum, 0, sizeof *sum);
  for (int i = 0; i < z->count; i++) {
    struct nas_norms own;
    zone_error(&z->zone[i], own.error);
    zone_residual(&z->zone[i], own.residual);
    for (int m = 0; m < NAS_M; m++) {
      sum->error[m] += own.error[m];
      sum->residual[m] += own.residual[m];
    }
  }
}

#endif
