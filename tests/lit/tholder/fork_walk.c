/* fork_walk.c - a process that is forked while another thread is in dl_iterate_phdr() */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child creates and joins threads, opens regions with more members than CPUs, and
// forks on, though its C library may have the loader's lock taken for good. The parent's created
// threads are held as before.
// The sanitizers of gcc 12 do not unlock their allocators in a forked child.
// UNSUPPORTED: sanitizer, emulated
// RUN: %th_test
#include "names.h"
#include <link.h>
#include <omp.h>
#include <sys/wait.h>

#include "../process/walker.h"

enum { FORKS = 5, MEMBERS = 64 };
static int members;

static void *value(void *argument) { return argument; }

static void region(void) {
  members = 0;
#pragma omp parallel num_threads(MEMBERS)
  __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
  CHECK(members > 0);
}

/* The child of a child has its lock as it was. */
static pid_t fork_child(int depth) {
  pid_t child = fork();
  if (child == 0) {
    CHECK(th_call(value, &inside) == &inside);
    if (HELD)
      region();
    CHECK(th_call(value, &forked) == &forked);
    if (depth > 0) {
      int status;
      pid_t next = fork_child(depth - 1);
      CHECK_EQ(waitpid(next, &status, 0), next);
      CHECK_EQ(status, 0);
    }
    _exit(0);
  }
  CHECK(child > 0);
  return child;
}

int main(void) {
  for (int i = 0; i < FORKS; i++) {
    int status;
    pthread_t walker = walker_begin();
    pid_t child = fork_child(1);
    th_set(&forked, 1); /* the child may be slow */
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    walker_end(walker);
    CHECK(th_call(value, &inside) == &inside); /* the next fork has held threads beside it */
  }
  return 0;
}
