/* fork_of_guest_ends.c - the child of a member that forks on another one's OS thread ends */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child's only thread goes on out of the region, and ends as a thread that returns. Another
// thread of its parent is in dl_iterate_phdr() at the fork, so in the child nothing can be loaded:
// its C library may have the loader's lock taken for good. Also the child of a child ends.
// nanogomp-only: libgomp's child hangs.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t -I %S/../process
// RUN: env NTH_MEMBERS=nano %omp_run %t
#define _GNU_SOURCE
#include <link.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "children.h"
#include "walker.h"

enum { ROUNDS = 6, MEMBERS = 4 };

static int ended;
static long root_tid;
static pthread_key_t key;

/* The child's thread ends with its keys' destructors. */
static void at_end(void *own) { _exit(own == &ended ? 7 : 8); }

static void fork_beside_walker(int round) {
  pthread_t walker = walker_begin();
  pid_t child = fork();
  if (child == 0) {
    child_limit(30);
    if (round % 3 == 1)
      pthread_setspecific(key, &ended);
    return;
  }
  expect_child(child, round % 3 == 1 ? 7 : 0);
  walker_end(walker);
}

/* A child and its child, each with nano-threads of its own. */
static void fork_twice(void) {
  pid_t child = 0;
  for (int depth = 0; depth < 2 && child == 0; depth++) {
    child = fork();
    if (child == 0) {
      child_limit(30);
      use_runtime(MEMBERS);
    }
  }
  if (child > 0)
    expect_child(child, 0);
}

int main(void) {
  int guests = 0;
  CHECK_EQ(pthread_key_create(&key, at_end), 0);
  omp_set_max_active_levels(2);
  root_tid = syscall(SYS_gettid);
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(MEMBERS)
#pragma omp for schedule(static, 1) ordered
    for (int i = 0; i < MEMBERS; i++) {
#pragma omp ordered
      if (i > 0 && syscall(SYS_gettid) == root_tid) {
        guests++;
        if (round % 3 == 2)
          fork_twice();
        else
          fork_beside_walker(round);
      }
    }
  }
  printf("guests: %d\n", guests);
  return 0;
}
