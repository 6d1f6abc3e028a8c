/* host.c - nthbench-host: helps the driver with what Python is too heavy for; uses no OpenMP.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-host launch N PROGRAM ARGS...   runs it N times, prints `launch NS` (median wall time)
 * nthbench-host busy SECONDS               burns one CPU; ends with its parent
 */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench.h"

#define MAX_LAUNCHES 1000

extern char **environ;

/* The wall time from the spawn to the reaping, or -1 unless the program exits with status 0. */
static double launch_once(char **command) {
  pid_t child;
  int status;
  int64_t start = bench_now();
  if (posix_spawn(&child, command[0], NULL, NULL, command, environ) != 0)
    return -1;
  if (waitpid(child, &status, 0) != child || status != 0)
    return -1;
  return (double)(bench_now() - start);
}

/* The median, for a start-up has good and bad days: the new thread meets its creator's CPU. */
static int launch(int times, char **command) {
  static double took[MAX_LAUNCHES];
  if (times < 1 || times > MAX_LAUNCHES)
    return 2;
  launch_once(command); /* into the page cache */
  for (int i = 0; i < times; i++) {
    took[i] = launch_once(command);
    if (took[i] < 0) {
      fprintf(stderr, "nthbench-host: %s failed\n", command[0]);
      return 1;
    }
  }
  printf("launch %.0f\n", bench_median(took, times));
  return 0;
}

static int busy(double seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int64_t end = bench_now() + (int64_t)(seconds * 1e9);
  while (bench_now() < end) {}
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "launch") == 0)
    return launch(atoi(argv[2]), argv + 3);
  if (argc == 3 && strcmp(argv[1], "busy") == 0)
    return busy(atof(argv[2]));
  fprintf(stderr, "usage: nthbench-host launch N PROGRAM ARGS... | busy SECONDS\n");
  return 2;
}
