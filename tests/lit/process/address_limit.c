/* address_limit.c - RLIMIT_AS leaves room for a few stacks only: a smaller team, or an end that
 * says why */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks regions of 16, with tasks and loops, under limits of address space from 64 KiB to 100 MiB
// above what the program has, and others after the program has taken the rest: each run is right
// with a smaller team, or ends with status 1 and a message. None waits for ever.
// nanogomp-only: libgomp ends the program when it gets no thread.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// UNSUPPORTED: emulated
// RUN: %omp_test
#include "memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(void) {
  int sum = 0, size = 0, members = 0, tasks = 0;
#pragma omp parallel num_threads(16) reduction(+ : sum, members)
  {
    members++;
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp task shared(tasks)
#pragma omp atomic
    tasks++;
  }
  CHECK_EQ(sum, 4950);
  CHECK_EQ(members, size);
  CHECK_EQ(tasks, size);
  return size;
}

/* The program takes all that is left, and then makes more tasks than there is memory for, and inner
 * regions. */
static void full(void) {
  for (size_t size = (size_t)1 << 30; size >= 4096; size /= 2)
    while (mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {}
  long sum = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(16)
#pragma omp single
    for (int i = 0; i < 5000; i++) {
      struct {
        char byte[1500];
      } block = {{(char)(i % 100)}};
#pragma omp task shared(sum) firstprivate(block)
#pragma omp atomic
      sum += block.byte[0];
    }
#pragma omp parallel num_threads(2)
    region();
  }
  CHECK_EQ(sum, 3 * 50 * 4950);
}

static int *reached; /* shared with children: the size of the team, 0: not known yet */

static void limited(size_t more) {
  struct rlimit limit = {memory_mapped() + more, RLIM_INFINITY};
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  int size = 0;
  for (int round = 0; round < 20; round++)
    size = region();
  *reached = size;
  full();
  _exit(100);
}

int main(void) {
  int ended = 0, largest = 0;
  reached = mmap(0, sizeof *reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(reached != MAP_FAILED);
  for (size_t more = 65536; more < 100000000; more += more < 3000000 ? 400000 : 11000000) {
    *reached = 0;
    pid_t child = fork();
    int status;
    CHECK(child >= 0);
    if (child == 0)
      limited(more);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 100);
    ended += WEXITSTATUS(status) == 1;
    int size = *reached;
    CHECK(size >= (WEXITSTATUS(status) == 100) && size <= 16);
    if (size > 0)
      CHECK(size >= largest);
    largest = size > largest ? size : largest;
  }
  fprintf(stderr, "%d ended, the largest team has %d\n", ended, largest);
  CHECK(largest > 1);
  return 0;
}
