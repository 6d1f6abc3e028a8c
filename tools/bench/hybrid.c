/* hybrid.c - nthbench-mpi: steps of a hybrid program, a region and an exchange between two ranks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpirun -n 2 nthbench-mpi ROW     prints `ROW NS` (a step; median of the batches, slower rank)
 *
 * Each step is a region with work of each member, then the masters swap a number, as programs with
 * MPI_THREAD_FUNNELED do. In `turns` only one of the ranks has work, in turn: the other waits in
 * MPI.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define BATCH_NS 150000000
enum { BATCHES = 5 };

struct row {
  const char *name;
  int work_us; /* of each member in each step */
  int regions; /* in which the work of a step is cut */
  int turns;   /* only one rank has work */
};

static const struct row rows[] = {
    {"even-20us", 20, 1, 0},
    {"even-1ms", 1000, 1, 0},
    {"regions-10us", 100, 10, 0},
    {"turns-1ms", 1000, 1, 1},
};

static int rank;
static double turns_per_us;

/* Both ranks are given the same work: the slower one's rate would be that of a lost CPU. */
static void calibrate(void) {
  turns_per_us = bench_turns_per_us();
  MPI_Allreduce(MPI_IN_PLACE, &turns_per_us, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void swap(long step) {
  long mine = step * 2 + rank, theirs = -1;
  MPI_Sendrecv(&mine, 1, MPI_LONG, 1 - rank, 1, &theirs, 1, MPI_LONG, 1 - rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (theirs != step * 2 + 1 - rank) {
    fprintf(stderr, "nthbench-mpi: wrong answer: step %ld, got %ld\n", step, theirs);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

/* ns a step */
static double run(const struct row *row, long steps) {
  long work = (long)(row->work_us * turns_per_us / row->regions);
  int64_t start = bench_now();
  for (long step = 0; step < steps; step++) {
    if (!row->turns || step % 2 == rank) {
      for (int region = 0; region < row->regions; region++) {
#pragma omp parallel
        bench_work(work);
      }
    }
    swap(step);
  }
  return (double)(bench_now() - start) / (double)steps;
}

static void measure(const struct row *row) {
  double took[BATCHES];
  double guess = (double)row->work_us * 1000 * 2; /* four threads on two CPUs */
  long steps = (long)(BATCH_NS / guess);
  run(row, steps / 4 + 2);
  for (int i = 0; i < BATCHES; i++)
    took[i] = run(row, steps);
  double slower = bench_median(took, BATCHES);
  MPI_Allreduce(MPI_IN_PLACE, &slower, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %.1f\n", row->name, slower);
}

int main(int argc, char **argv) {
  int level, ranks, status = 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (size_t i = 0; i < sizeof rows / sizeof *rows && argc == 2 && ranks == 2; i++) {
    if (strcmp(rows[i].name, argv[1]) == 0) {
      calibrate();
      measure(&rows[i]);
      status = 0;
    }
  }
  if (status && rank == 0)
    fprintf(stderr, "usage: mpirun -n 2 nthbench-mpi even-20us|even-1ms|regions-10us|turns-1ms\n");
  MPI_Finalize();
  return status;
}
