/* start.c - nthbench-start: the smallest program with a region, for start-up time and memory.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-start              one empty region, exit
 * nthbench-start rss [TASKS]  the same, and so many empty tasks by one producer; then prints
 *                             `peak-rss BYTES`
 * nthbench-start which        prints the file that the OpenMP runtime was loaded from
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_tasks(long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task
    __asm__ volatile("" ::: "memory");
  }
}

static int print_peak_rss(void) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld kB", &kib) == 1)
      break;
  if (status)
    fclose(status);
  if (kib == 0)
    return 1;
  printf("peak-rss %ld\n", kib * 1024);
  return 0;
}

static int print_which(void) {
  Dl_info info;
  void *entry = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  if (!entry || !dladdr(entry, &info))
    return 1;
  puts(info.dli_fname);
  return 0;
}

int main(int argc, char **argv) {
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  if (argc < 2)
    return 0;
  if (strcmp(argv[1], "rss") == 0) {
    if (argc > 2)
      make_tasks(atol(argv[2]));
    return print_peak_rss();
  }
  if (strcmp(argv[1], "which") == 0)
    return print_which();
  fprintf(stderr, "usage: nthbench-start [rss [TASKS]|which]\n");
  return 2;
}
