/* hybrid.c - MPI ranks with OpenMP teams: where members run, what waiting costs, right answers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * hybrid where             mask of each rank; members must run and be bound inside it
 * hybrid halo funneled     a stencil over all ranks and threads; the masters exchange the borders
 * hybrid halo multiple     the same, borders exchanged by two members of each rank at once
 * hybrid idle MS           rank 0 computes for MS on all members, the others wait in MPI_Recv: CPU
 *                          time
 *
 * Each rank prints lines `rank R key value ...`. Status 1: a wrong answer, 2: usage, 77: MPI has no
 * such level of thread support.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 3000, STEPS = 400, REGIONS = 300 };

static int rank, ranks;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One line, written at once: mpirun mixes the ranks' lines, not their characters. */
static void say(const char *key, const char *value) {
  char line[400];
  int n = snprintf(line, sizeof line, "rank %d %s %s\n", rank, key, value);
  if (n > 0 && write(1, line, (size_t)n) != n)
    exit(1);
}

static void say_number(const char *key, double value) {
  char text[64];
  snprintf(text, sizeof text, "%.9g", value);
  say(key, text);
}

static void list_cpus(const cpu_set_t *set, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE && used + 8 < size; cpu++) {
    if (CPU_ISSET(cpu, set))
      used += (size_t)snprintf(text + used, size - used, "%s%d", used ? "," : "", cpu);
  }
}

/* The mask that mpirun gave this rank, and whether a member leaves it or is bound beyond it. */
static int where(void) {
  cpu_set_t mask;
  char text[300];
  long outside = 0, beyond = 0;
  int members = 0;
  Dl_info info;
  void *entry = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  sched_getaffinity(0, sizeof mask, &mask);
  list_cpus(&mask, text, sizeof text);
  say("mask", text);
  say("library", entry && dladdr(entry, &info) ? info.dli_fname : "none");
  say_number("procs", omp_get_num_procs());
  for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel reduction(+ : outside, beyond)
    {
      cpu_set_t own, common;
      int cpu = sched_getcpu();
      sched_getaffinity(0, sizeof own, &own);
      CPU_AND(&common, &own, &mask);
      outside += cpu < 0 || !CPU_ISSET((unsigned)cpu, &mask);
      beyond += !CPU_EQUAL(&common, &own);
#pragma omp single
      members = omp_get_num_threads();
    }
  }
  say_number("members", members);
  say_number("outside", (double)outside);
  say_number("beyond", (double)beyond);
  return outside || beyond;
}

/* New values from the old ones of a cell and its neighbours, modulo 2^64: exact in any order. */
static uint64_t next(uint64_t left, uint64_t here, uint64_t right) {
  return left * 3 + here * UINT64_C(6364136223846793005) + right * 5 + 1;
}

static uint64_t first(long cell) { return (uint64_t)cell * UINT64_C(1442695040888963407) + 7; }

/* Swaps border cells with one neighbour: side 0 is left, 1 is right. Cells 0 and CELLS + 1 are the
 * neighbours' borders; around everything is 0. */
static void exchange(uint64_t *u, int side) {
  int peer = side == 0 ? rank - 1 : rank + 1;
  if (peer < 0 || peer >= ranks)
    return;
  uint64_t *mine = side == 0 ? &u[1] : &u[CELLS], *theirs = side == 0 ? &u[0] : &u[CELLS + 1];
  MPI_Sendrecv(mine, 1, MPI_UINT64_T, peer, side, theirs, 1, MPI_UINT64_T, peer, 1 - side,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One region for all steps: members wait in barriers while others are in MPI. */
static void sweep(uint64_t *u[2], int multiple) {
#pragma omp parallel
  for (int step = 0; step < STEPS; step++) {
    uint64_t *from = u[step & 1], *to = u[(step + 1) & 1];
    if (multiple) {
#pragma omp for schedule(static, 1)
      for (int side = 0; side < 2; side++)
        exchange(from, side);
    } else {
#pragma omp master
      {
        exchange(from, 0);
        exchange(from, 1);
      }
#pragma omp barrier
    }
#pragma omp for schedule(static)
    for (int i = 1; i <= CELLS; i++)
      to[i] = next(from[i - 1], from[i], from[i + 1]);
  }
}

/* The same by one thread over the cells of all ranks; how many of ours differ. */
static long differences(const uint64_t *ours) {
  long size = (long)ranks * CELLS + 2, wrong = 0;
  uint64_t *a = calloc((size_t)size, sizeof *a), *b = calloc((size_t)size, sizeof *b);
  for (long i = 1; a && i < size - 1; i++)
    a[i] = first(i);
  for (int step = 0; a && b && step < STEPS; step++) {
    for (long i = 1; i < size - 1; i++)
      b[i] = next(a[i - 1], a[i], a[i + 1]);
    uint64_t *other = a;
    a = b;
    b = other;
  }
  for (long i = 1; i <= CELLS; i++)
    wrong += !a || a[rank * CELLS + i] != ours[i];
  free(a);
  free(b);
  return wrong;
}

static int halo(int multiple) {
  static uint64_t one[CELLS + 2], other[CELLS + 2];
  uint64_t *u[2] = {one, other};
  for (long i = 1; i <= CELLS; i++)
    one[i] = first(rank * CELLS + i);
  sweep(u, multiple);
  long wrong = differences(u[STEPS & 1]);
  say_number("wrong", (double)wrong);
  return wrong != 0;
}

/* Seconds on a CPU of a thread of this process. */
static double cpu_of(long tid) {
  char path[64];
  double ns = -1e9;
  snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", tid);
  FILE *file = fopen(path, "r");
  if (file) {
    if (fscanf(file, "%lf", &ns) != 1)
      ns = -1e9;
    fclose(file);
  }
  return ns / 1e9;
}

/* CPU time, so that members which share a CPU have the same to do. */
static void compute(double seconds) {
#pragma omp parallel
  {
    double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {}
  }
}

/* Other threads than the master: slaves, whatever OS threads serve them, and MPI's. */
static int idle(double seconds) {
  long master = syscall(SYS_gettid);
  int token = 1, members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  MPI_Barrier(MPI_COMM_WORLD);
  double all = now(CLOCK_PROCESS_CPUTIME_ID), before = cpu_of(master);
  double start = now(CLOCK_MONOTONIC);
  if (rank == 0) {
    compute(seconds);
    for (int to = 1; to < ranks; to++)
      MPI_Send(&token, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  say_number("wall", now(CLOCK_MONOTONIC) - start);
  double own = cpu_of(master) - before, slaves = now(CLOCK_PROCESS_CPUTIME_ID) - all - own;
  say_number("master", own);
  say_number("slaves", slaves > 0 ? slaves : 0); /* read one after the other */
  return 0;
}

int main(int argc, char **argv) {
  int multiple = argc == 3 && strcmp(argv[2], "multiple") == 0, got, status = 2;
  int wanted = multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  MPI_Init_thread(&argc, &argv, wanted, &got);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (got < wanted)
    status = 77;
  else if (argc == 2 && strcmp(argv[1], "where") == 0)
    status = where();
  else if (argc == 3 && strcmp(argv[1], "halo") == 0)
    status = halo(multiple);
  else if (argc == 3 && strcmp(argv[1], "idle") == 0)
    status = idle(atof(argv[2]) / 1000);
  MPI_Finalize();
  return status;
}
