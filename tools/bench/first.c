/* first.c - nthbench-first: the first region of a process, and of a forked child
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-first SHAPE TURNS   one region, exit; each member has TURNS of bench_work() to do
 *                              parallel: each does its own; tasks: one makes all of it as tasks;
 *                              beside: one makes half of two members' as a task, does the other,
 *                              taskwait
 * nthbench-first forked        prints `forked NS`: the first region of children of a process
 *                              without regions
 * nthbench-first forked-after  the same after a region of the parent's
 *
 * A wrong answer is exit status 3.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define TASKS 8 /* a member */
#define CHILDREN 15

static void need(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "nthbench-first: %s\n", what);
  exit(3);
}

static void parallel(long turns) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    bench_work(turns);
    members++;
  }
  need(members == omp_get_max_threads(), "size of the team");
}

static void tasks(long turns) {
  int done = 0, wanted = 0;
#pragma omp parallel
#pragma omp single
  {
    wanted = TASKS * omp_get_num_threads();
    for (int i = 0; i < wanted; i++) {
#pragma omp task shared(done)
      {
        bench_work(turns / TASKS);
#pragma omp atomic
        done++;
      }
    }
  }
  need(done == wanted, "tasks");
}

static void beside(long turns) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(done)
    {
      bench_work(turns);
#pragma omp atomic
      done++;
    }
    bench_work(turns);
#pragma omp taskwait
    need(done == 1, "taskwait");
  }
}

/* ns of a child's first region, a short one, by way of a pipe. */
static double child_region(void) {
  int ends[2], status;
  double ns = 0;
  need(pipe(ends) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) {
    int64_t start = bench_now();
    tasks(TASKS);
    ns = (double)(bench_now() - start);
    _exit(write(ends[1], &ns, sizeof ns) == sizeof ns ? 0 : 3);
  }
  need(waitpid(child, &status, 0) == child && status == 0, "child");
  need(read(ends[0], &ns, sizeof ns) == sizeof ns, "answer of the child");
  close(ends[0]);
  close(ends[1]);
  return ns;
}

static int forked(const char *name) {
  double took[CHILDREN];
  for (int i = 0; i < CHILDREN; i++)
    took[i] = child_region();
  printf("%s %.0f\n", name, bench_median(took, CHILDREN));
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(long turns);
  } shapes[] = {{"parallel", parallel}, {"tasks", tasks}, {"beside", beside}};
  if (argc == 2 && strcmp(argv[1], "forked") == 0)
    return forked(argv[1]);
  if (argc == 2 && strcmp(argv[1], "forked-after") == 0) {
    tasks(TASKS);
    return forked(argv[1]);
  }
  for (unsigned i = 0; argc == 3 && i < sizeof shapes / sizeof *shapes; i++)
    if (strcmp(argv[1], shapes[i].name) == 0) {
      shapes[i].run(atol(argv[2]));
      return 0;
    }
  fprintf(stderr, "usage: nthbench-first parallel|tasks|beside TURNS | forked | forked-after\n");
  return 2;
}
