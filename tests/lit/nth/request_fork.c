/* request_fork.c - a child process forked while processors are away */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a request to the parent is none to the child, which can have all processors, and that
// the parent is as before.
// As fork.c; with a file, too, which is the parent's.
// UNSUPPORTED: sanitizer, emulated
// RUN: %nth_build %s -o %t && %omp_run %t
// RUN: rm -rf %t.share && mkdir %t.share && env NTH_SHARE=%t.share %omp_run %t
#include "Inputs/rounds.h"
#include <sys/wait.h>

static int n;

static void child(void) {
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  pid_t pid = fork();
  if (pid == 0) {
    CHECK_EQ(nth_requested(), 0);
    CHECK_EQ(nth_init(n), 0);
    CHECK_EQ(nth_running(), n);
    rounds_together(n);
    CHECK_EQ(nth_exit(), 0);
    _exit(7);
  }
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  CHECK_EQ(nth_running(), 1);
  CHECK_EQ(nth_request(0), 0);
}

int main(void) {
  n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  CHECK_EQ(nth_init(n), 0);
  n = nth_processors();
  child();
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
