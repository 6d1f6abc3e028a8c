/* quake.h - quake's mesh: irregular tetrahedra, and the upper half of their stiffness matrix
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mesh        a lattice of nodes that are moved at random; its cubes are cut into six tetrahedra
 *             each, some cubes are left out, and the nodes are numbered at random.
 * Matrix      linear elements of an isotropic elastic material: a block of 3 x 3 for each node and
 *             each edge. An edge's block is stored in the row of the node with the lower number.
 * Use         mesh_init(), which is serial
 */
#ifndef NTH_KERNEL_QUAKE_H
#define NTH_KERNEL_QUAKE_H

#include "kernel.h"

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
  double *place; /* three coordinates a node */
  double dt;     /* a step in time */
};

static inline double noise(uint64_t number) {
  return kern_lcg_real(kern_hash(number) & KERN_LCG_MASK) - 0.5;
}

static inline long corner_of(const struct lattice *l, long node, int corner) {
  return node + (corner & 1) + ((corner >> 1) & 1) * l->edge + (corner >> 2) * l->edge * l->edge;
}

/* The gradients of the four linear functions that are 1 in one corner and 0 in the others. Returns
 * the volume. */
static inline double gradients(const double *const place[CORNERS], double g[CORNERS][DIM]) {
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
static inline void add_tetrahedron(const struct lattice *l, long node, const int corner[CORNERS]) {
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

static inline void lattice_init(struct lattice *l, long edge) {
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
static inline long number_nodes(const struct lattice *l, long *number) {
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
static inline void mesh_take(struct mesh *m, const struct lattice *l, const long *number,
                             long *next) {
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
static inline double mesh_step(const struct mesh *m) {
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

static inline void mesh_init(struct mesh *m, long edge) {
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
  m->place = kern_doubles(DIM * m->nodes);
  for (long node = 0; node < l.places; node++) {
    if (number[node] >= 0) {
      m->mass[number[node]] = l.mass[node];
      memcpy(m->place + DIM * number[node], l.place + DIM * node, DIM * sizeof(double));
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

#endif
