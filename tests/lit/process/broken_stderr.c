/* broken_stderr.c - a message of the runtime where nobody reads stderr any more */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message is lost, and the program goes on, also if SIGPIPE would end it. A SIGPIPE that it has
// pending itself stays pending.
// nanogomp-only: libgomp ends such a program by SIGPIPE
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && %omp_run %t
#include "check.h"

#include <omp.h>
#include <signal.h>
#include <unistd.h>

static int is_pending(void) {
  sigset_t now;
  CHECK_EQ(sigpending(&now), 0);
  return sigismember(&now, SIGPIPE);
}

static void complain(void) { omp_display_affinity("on a CPU"); }

int main(void) {
  int ends[2], errors = dup(STDERR_FILENO);
  sigset_t pipes;
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(close(ends[0]), 0);
  CHECK(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
  complain();
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  CHECK_EQ(sigprocmask(SIG_BLOCK, &pipes, NULL), 0);
  complain();
  int wrongly = is_pending();
  raise(SIGPIPE);
  complain();
  int rightly = is_pending();
  CHECK(dup2(errors, STDERR_FILENO) == STDERR_FILENO);
  CHECK_EQ(wrongly, 0);
  CHECK_EQ(rightly, 1);
  return 0;
}
