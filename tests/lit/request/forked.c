/* forked.c - a child process forked while fewer processors are asked for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the parent's request is none to the child, whose teams run on all processors and take
// requests of their own; that the parent's is still in force.
// nanogomp-only: libgomp takes no requests, and a child of its regions hangs
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: rm -rf %t.share && mkdir %t.share && env NTH_SHARE=%t.share %omp_run %t
#include "Inputs/inside.h"
#include <sys/wait.h>
#include <unistd.h>

static int members, wanted;

static void *asker(void *unused) {
  if (wanted)
    inside_await(wanted);
  else
    inside_await_more(1);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

/* Regions until as many members as that are at work; 0: more than one. */
static void until(int most) {
  pthread_t thread;
  inside_over = 0;
  wanted = most;
  CHECK_EQ(pthread_create(&thread, NULL, asker, NULL), 0);
  while (!inside_ends())
#pragma omp parallel for schedule(dynamic) num_threads(members)
    for (int i = 0; i < 100; i++)
      inside_work(20000);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

int main(void) {
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  until(0);
  CHECK_EQ(nth_request(1), 0);
  until(1);
  pid_t pid = fork();
  if (pid == 0) {
    until(0);
    CHECK_EQ(nth_request(1), 0);
    until(1);
    CHECK_EQ(nth_request(0), 0);
    until(0);
    _exit(7);
  }
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  until(1);
  CHECK_EQ(nth_request(0), 0);
  until(0);
  return 0;
}
