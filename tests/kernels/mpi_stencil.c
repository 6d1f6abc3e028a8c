/* mpi_stencil.c - a stencil on several ranks of MPI, with the exchange of borders in tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why      How much of the waiting for messages do tasks hide? The grid's rows are cut into a part
 *          for each rank, and each part into blocks. A step replaces each point by the mean of its
 *          neighbours. Three forms of all steps:
 *            tasks    a task for each block, and an untied task for each border, which exchanges it
 *                     by MPI_Sendrecv; dependences order them, over steps
 *            outside  as most programs: the borders are exchanged between two regions
 *            alone    the tasks of `tasks` without the exchange. The result is wrong, its time is
 *                     what `tasks` would need if each message were there before it is looked for
 * Uneven   With --uneven P the ranks take turns in having P percent more work in a step. Over all
 *          steps they have the same work, so all their waiting can be hidden
 * Output   a line with the medians of all forms, and the share alone / tasks: the median over the
 *          repetitions, in which the forms follow each other. The result line is that of `tasks`
 * Check    bit by bit against serial steps on the whole grid, for tasks and outside
 * Status   77: MPI offers no MPI_THREAD_MULTIPLE
 */
#include "kernel.h"

#include <mpi.h>

enum { FORMS = 3, TASKS = 0, OUTSIDE = 1, ALONE = 2, NO_THREADS = 77, REPS_MOST = 64 };
static const char *const form_names[FORMS] = {"tasks", "outside", "alone"};

struct part {
  long width, rows, blocks, steps;
  double *grid[2]; /* rows + 2 rows: the first and the last one are borders, the neighbours' rows */
  char *mark[2];   /* blocks + 2: what dependences name */
  int up, down;    /* ranks, or MPI_PROC_NULL */
  long uneven;
};

static int rank, ranks;

/* ---- the grid ---- */

static double start_value(long row, long column) {
  return (double)(kern_hash((uint64_t)(row * 100003 + column)) >> 40);
}

/* Both grids, from the row `first` of the whole; the edges keep their values. */
static void fill(double *grid[2], long first, long rows, long width) {
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < width; j++) {
      grid[0][i * width + j] = grid[1][i * width + j] = start_value(first + i, j);
    }
  }
}

static void sweep(double *restrict to, const double *restrict from, long width, long begin,
                  long end) {
  for (long i = begin; i < end; i++) {
    const double *at = from + i * width;
    for (long j = 1; j < width - 1; j++) {
      to[i * width + j] = 0.25 * (at[j - width] + at[j + width] + at[j - 1] + at[j + 1]);
    }
  }
}

/* ---- the steps ---- */

static long row_of(const struct part *p, long block) {
  return 1 + p->rows * (block - 1) / p->blocks;
}

static void do_block(const struct part *p, long step, long block) {
  long begin = row_of(p, block), end = row_of(p, block + 1);
  const double *from = p->grid[step % 2];
  double *to = p->grid[1 - step % 2];
  sweep(to, from, p->width, begin, end);
  if ((step + rank) % 2 == 0) { /* the same once more, for a part of the rows */
    sweep(to, from, p->width, begin, begin + (end - begin) * p->uneven / 100);
  }
}

/* Row `mine` goes to the rank `other`, whose row comes to `theirs`. */
static void exchange(const struct part *p, long step, int other, long mine, long theirs) {
  double *grid = p->grid[step % 2];
  MPI_Sendrecv(grid + mine * p->width, (int)p->width, MPI_DOUBLE, other, 0,
               grid + theirs * p->width, (int)p->width, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void make_step(const struct part *p, long step, bool exchanges) {
  char *from = p->mark[step % 2], *to = p->mark[1 - step % 2];
  long last = p->blocks;
  (void)from, (void)to;
  if (exchanges && p->up != MPI_PROC_NULL) {
#pragma omp task untied depend(in : from[1]) depend(out : from[0])
    exchange(p, step, p->up, 1, 0);
  }
  if (exchanges && p->down != MPI_PROC_NULL) {
#pragma omp task untied depend(in : from[last]) depend(out : from[last + 1])
    exchange(p, step, p->down, p->rows, p->rows + 1);
  }
  for (long b = 1; b <= last; b++) {
#pragma omp task depend(in : from[b - 1], from[b], from[b + 1]) depend(out : to[b])
    do_block(p, step, b);
  }
}

static void run_tasks(const struct part *p, bool exchanges) {
#pragma omp parallel
#pragma omp single
  for (long step = 0; step < p->steps; step++) {
    make_step(p, step, exchanges);
  }
}

static void run_outside(const struct part *p) {
  for (long step = 0; step < p->steps; step++) {
    exchange(p, step, p->up, 1, 0);
    exchange(p, step, p->down, p->rows, p->rows + 1);
#pragma omp parallel for schedule(dynamic)
    for (long b = 1; b <= p->blocks; b++) {
      do_block(p, step, b);
    }
  }
}

/* Seconds of the slowest rank. */
static double timed(const struct part *p, int form) {
  fill((double **)p->grid, rank * p->rows, p->rows + 2, p->width);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = kern_now();
  if (form == OUTSIDE) {
    run_outside(p);
  } else {
    run_tasks(p, form == TASKS);
  }
  double took = kern_now() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

/* ---- the check ---- */

/* Rank 0's; the other ranks have zeros. */
static double *serial_result(const struct part *p) {
  long rows = p->rows * ranks;
  double *grid[2] = {kern_doubles((rows + 2) * p->width), kern_doubles((rows + 2) * p->width)};
  if (rank == 0) {
    fill(grid, 0, rows + 2, p->width);
    for (long step = 0; step < p->steps; step++) {
      sweep(grid[1 - step % 2], grid[step % 2], p->width, 1, rows + 1);
    }
  }
  double *result = grid[p->steps % 2];
  free(grid[1 - p->steps % 2]);
  return result;
}

/* On every rank, whether all rows are those of the serial steps. */
static bool is_right(const struct part *p, const double *serial, const char *form) {
  long points = p->rows * p->width, wrong = 0;
  double *all = kern_doubles(rank == 0 ? points * ranks : 1);
  MPI_Gather(p->grid[p->steps % 2] + p->width, (int)points, MPI_DOUBLE, all, (int)points,
             MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (long i = 0; rank == 0 && i < points * ranks; i++) {
    wrong += all[i] != serial[p->width + i];
  }
  free(all);
  MPI_Bcast(&wrong, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return rank != 0 ? wrong == 0
                   : kern_check(wrong == 0, "%s: %ld points differ from serial steps", form, wrong);
}

static double sum_of(const struct part *p, const double *serial) {
  double sum = 0;
  for (long i = 0; i < (p->rows * ranks + 2) * p->width; i++) {
    sum += serial[i];
  }
  return sum;
}

/* ---- begin ---- */

static struct part make_part(const struct kernel *k, long blocks, long uneven) {
  long rows = (k->size + ranks - 1) / ranks;
  struct part p = {.width = k->size, .rows = rows, .steps = k->iters, .uneven = uneven};
  p.blocks = blocks < rows ? blocks : rows;
  for (int i = 0; i < 2; i++) {
    p.grid[i] = kern_doubles((rows + 2) * p.width);
    p.mark[i] = kern_alloc((size_t)p.blocks + 2, 1);
  }
  p.up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  p.down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  return p;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, long n) {
  qsort(values, (size_t)n, sizeof *values, compare);
  return values[n / 2];
}

/* Medians of `reps` repetitions, in which the forms follow each other. */
static bool measure(const struct part *p, long reps, const double *serial, double seconds[FORMS],
                    double *share) {
  static double took[FORMS][REPS_MOST], shares[REPS_MOST];
  bool right = true;
  for (long rep = 0; rep < reps; rep++) {
    for (int form = 0; form < FORMS; form++) {
      took[form][rep] = timed(p, form);
      right &= form == ALONE || is_right(p, serial, form_names[form]);
    }
    shares[rep] = took[ALONE][rep] / took[TASKS][rep];
  }
  for (int form = 0; form < FORMS; form++) {
    seconds[form] = median(took[form], reps);
  }
  *share = median(shares, reps);
  return right;
}

int main(int argc, char **argv) {
  long blocks = 16, uneven = 0;
  int provided;
  struct kernel k = {.name = "mpi_stencil",
                     .what = "a stencil on several ranks, borders exchanged in tasks",
                     .size_means = "rows and columns of the grid",
                     .iters_means = "steps",
                     .full = {2048, 100},
                     .brief = {96, 40}};
  const struct kern_option extra[] = {
      {"blocks", "blocks of a rank's part (16)", &blocks, NULL},
      {"uneven", "percent of more work, for the ranks in turn (0; to 100)", &uneven, NULL},
      {NULL, NULL, NULL, NULL}};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 3 && k.size <= 16384 && k.size >= ranks, "--size is 3 to 16384");
  kern_require(&k, blocks >= 1 && uneven <= 100, "--blocks is 1 or more, --uneven at most 100");
  kern_require(&k, k.reps <= REPS_MOST, "--reps is at most 64");
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return NO_THREADS;
  }
  struct part p = make_part(&k, blocks, uneven);
  double *serial = serial_result(&p), seconds[FORMS], share;
  kern_threads();
  bool right = measure(&p, k.reps, serial, seconds, &share);
  int status = right ? KERN_OK : KERN_WRONG;
  if (rank == 0) {
    char size[64];
    printf("# ranks %d: tasks %.6f s, outside %.6f s, alone %.6f s, share %.3f\n", ranks,
           seconds[TASKS], seconds[OUTSIDE], seconds[ALONE], share);
    snprintf(size, sizeof size, "%ldx%ldx%ld/%d", k.size, p.blocks, k.iters, ranks);
    status = kern_report(k.name, size, seconds[TASKS], right, "%.17g", sum_of(&p, serial));
  }
  for (int i = 0; i < 2; i++) {
    free(p.grid[i]);
    free(p.mark[i]);
  }
  free(serial);
  MPI_Finalize();
  return status;
}
