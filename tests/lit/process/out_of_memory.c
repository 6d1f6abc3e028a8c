/* out_of_memory.c - tasks whose copies of arguments take all the memory that RLIMIT_AS leaves */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the library says once a second at most that it waits for memory, however many tasks
// are made in a second without any, and that the tasks then run, or the program ends with status 1.
// nanogomp-only: libgomp ends the program.
// REQUIRES: base, nanogomp
// UNSUPPORTED: sanitizer
// UNSUPPORTED: emulated
// RUN: %omp_test
#include "memory.h"

#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct large {
  char bytes[20000];
};

static int chain[100]; /* what the tasks depend on */

static void storm(void) {
  struct large l = {{0}};
  int done = 0;
  struct rlimit limit = {0, 0};
#pragma omp parallel
  ;
  limit.rlim_cur = limit.rlim_max = memory_mapped() + 20000000;
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20000; i++) {
#pragma omp task firstprivate(l) shared(done) depend(inout : chain[i % 100])
    {
#pragma omp atomic
      done += 1 + l.bytes[i % 100];
    }
  }
  CHECK_EQ(done, 20000);
}

int main(void) {
  int ends[2], status = 0, lines = 0;
  char byte;
  double start = omp_get_wtime();
  CHECK_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    storm();
    _exit(0);
  }
  close(ends[1]);
  while (read(ends[0], &byte, 1) == 1)
    lines += byte == '\n';
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
  CHECK(lines <= 4 + (int)(omp_get_wtime() - start));
  return 0;
}
