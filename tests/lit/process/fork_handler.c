/* fork_handler.c - the program's own handler of fork() has a region in the child */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a handler which the program registered before its first region finds a fresh runtime
// in the child, and that a child of a process without regions has them. nanogomp-only: libgomp
// waits in the handler's region for threads of the parent.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated
// RUN: %omp_test
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_handler;

static void region(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum += omp_get_thread_num() + 1;
  CHECK_EQ(sum, 10);
}

static void child(void) {
  region();
  in_handler++;
}

static void spawn(void) {
  pid_t pid = fork();
  if (pid == 0) {
    region();
    _exit(in_handler == 1 ? 0 : 9);
  }
  int status = 0;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK_EQ(status, 0);
}

int main(void) {
  CHECK_EQ(pthread_atfork(NULL, NULL, child), 0);
  spawn();
  region();
  for (int i = 0; i < 5; i++)
    spawn();
  region();
  return 0;
}
