/* teams_fork.c - processes forked by members of regions of created threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child that such a member forked can create threads and open regions, that it is
// over when the region's body is, and that the parent's threads serve on.
// The sanitizers of gcc 12 do not unlock their allocators in a forked child.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %th_build %s -o %t && %omp_run %t && env NTH_MEMBERS=os %omp_run %t
#include "names.h"
#include <omp.h>
#include <sys/wait.h>

enum { TURNS = 20, TEAM = 2 };
static int members;

static void *plain(void *argument) { return argument; }

static void region(void) {
#pragma omp parallel num_threads(TEAM)
  __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
}

static void *opens(void *argument) {
  region();
  return argument;
}

/* The child goes on behind it as the member that forked. */
static void fork_here(bool busy) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    if (busy) {
      CHECK(th_call(plain, &members) == &members);
      CHECK(th_call(opens, &members) == &members);
    }
    return;
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

static void *forks(void *argument) {
  int mode = (int)(intptr_t)argument, forker = mode % 2;
#pragma omp parallel num_threads(TEAM)
  if (omp_get_thread_num() == forker)
    fork_here(mode >= 2);
  return argument;
}

int main(void) {
  omp_set_dynamic(0);
  for (int i = 0; i < TURNS; i++) {
    CHECK(th_call(opens, &members) == &members);
    CHECK(th_call(forks, th_pointer(i % 4)) == th_pointer(i % 4));
  }
  CHECK_EQ(members, TURNS * TEAM);
  return 0;
}
