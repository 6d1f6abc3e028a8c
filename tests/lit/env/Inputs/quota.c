/* quota.c - shows what the CPU quota of a made-up control group does; quota.py runs it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quota why      the library's own account of the CPUs allowed, the default team's size, and how
//                many members a region really has
// quota wait     how often the master sleeps while it waits 20 times for the other
// quota watch    prints the default team's size, waits for a line on stdin, goes on with regions
//                for two seconds, prints it again
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <sys/resource.h>

/* How often this thread has given up its CPU because it slept. */
static long sleeps(void) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nvcsw;
}

static int why(void) {
  static char text[1 << 20];
  int (*report)(char *, size_t) = (int (*)(char *, size_t))dlsym(RTLD_DEFAULT, "nth_report");
  CHECK(report);
  CHECK(report(text, sizeof text) < (int)sizeof text);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    if (!strncmp(line, "cpus_", 5))
      puts(line);
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  printf("threads: %d %d\n", omp_get_max_threads(), members);
  return 0;
}

static int wait_long(void) {
  long before = 0;
  for (int k = 0; k < 25; k++) {
    if (k == 5) /* the first regions find the quota and learn */
      before = sleeps();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      check_sleep_ms(20);
  }
  printf("sleeps: %ld\n", sleeps() - before);
  return 0;
}

/* The number of processors follows the quota; the default team's size, for which a program may have
 * made an array, does not. */
static int watch(void) {
  int size = omp_get_max_threads();
  printf("%d %d\n", omp_get_num_procs(), size);
  fflush(stdout);
  CHECK(getchar() == '\n');
  for (int k = 0; k < 100; k++) {
#pragma omp parallel num_threads(2)
    check_busy(1000);
    check_sleep_ms(20);
  }
  printf("%d %d\n", omp_get_num_procs(), omp_get_max_threads());
  return 0;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  return !strcmp(argv[1], "why") ? why() : !strcmp(argv[1], "wait") ? wait_long() : watch();
}
