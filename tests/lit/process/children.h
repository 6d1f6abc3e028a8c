/* children.h - for tests that fork: waiting for a child, and work that uses the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CHILDREN_H
#define CHILDREN_H

#include "check.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

/* A child that hangs is the error most of these tests look for: it must not outlive its limit. */
static inline void child_limit(unsigned seconds) { alarm(seconds); }

/* The child must have ended with this exit status. */
static inline void expect_child(pid_t child, int want) {
  int status = 0;
  CHECK(child > 0);
  while (waitpid(child, &status, 0) < 0)
    CHECK_EQ(errno, EINTR);
  if (WIFSIGNALED(status))
    fprintf(stderr, "child ended by signal %d%s\n", WTERMSIG(status),
            WTERMSIG(status) == SIGALRM ? ": it hung" : "");
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), want);
}

/* Regions, loops, tasks, locks and a nested region; every result is checked. */
static inline void use_runtime(int size) {
  long sum = 0, tasks = 0, members = 0, inner = 0;
  int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(omp_get_active_level() + 2);
#pragma omp parallel num_threads(size) reduction(+ : members, inner)
  {
    members++;
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp single
    for (int t = 0; t < 20; t++) {
#pragma omp task shared(tasks)
#pragma omp atomic
      tasks++;
    }
#pragma omp barrier
    CHECK_EQ(tasks, 20);
#pragma omp critical(children)
    members += 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    inner++;
  }
  omp_set_max_active_levels(levels);
  CHECK_EQ(members, size);
  CHECK_EQ(sum, 4950);
  CHECK_EQ(inner, 2 * size);
}

#endif
