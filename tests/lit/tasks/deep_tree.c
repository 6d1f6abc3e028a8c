/* deep_tree.c - a tree of tasks that lies deep: memory does not grow with the tree */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a tree of 2^18 tasks of half a kilobyte below a chain of tasks, none of which waits,
// is gone through with a small part of its 130 MB, in a region, and outside, where the chain hangs
// on a detached task. nanogomp-only: outside any region libgomp fills the stack with longer chains.
// REQUIRES: nanogomp
// UNSUPPORTED: asan, tsan
// RUN: %omp_test
#include "check.h"

#include <sys/resource.h>

enum { CHAIN = 60, DEPTH = 17 };

struct part {
  char byte[400];
};

static long nodes;

static void tree(int depth, struct part p) {
#pragma omp atomic
  nodes += p.byte[0];
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task firstprivate(p)
    tree(depth - 1, p);
  }
}

static void chain(int length, struct part p) {
  if (length == 0) {
    tree(DEPTH, p);
    return;
  }
#pragma omp task firstprivate(p)
  chain(length - 1, p);
}

static void small(void) {
  struct rusage use;
  CHECK_EQ(nodes, (1L << (DEPTH + 1)) - 1);
  nodes = 0;
  CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
  CHECK(use.ru_maxrss < 30000);
}

int main(void) {
  struct part p = {{1}};
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
  chain(CHAIN, p);
  small();
#pragma omp task detach(event)
  {
    chain(CHAIN, p);
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  small();
#pragma omp parallel num_threads(1)
  chain(CHAIN, p);
  small();
  return 0;
}
