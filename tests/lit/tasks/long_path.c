/* long_path.c - tasks that make tasks, one path of which is very long */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a tree of tasks with a path of 100000 does not fill the stack: each one makes a few
// leaves, more than enough to keep all members busy, and then the next one of the path, and waits
// for none of them. Nor do paths that go through taskloops, or where each task yields, or hangs on
// a detached one. Nor does a tree whose tasks wait, where members run their tasks at once once
// enough are ready.
// nanogomp-only: outside any region libgomp fills the stack.
// REQUIRES: nanogomp
// With a tool, which hears of millions of events, the path is shorter.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t %if tool %{ 10 %}
#include "check.h"

enum { LEAVES = 3 };

static long leaves, nodes;

/* At the beginning of a node's function: takes some of the stack. */
#define COUNT_NODE(left)                                                                           \
  volatile char used[512];                                                                         \
  used[(left) % 512] = 1;                                                                          \
  _Pragma("omp atomic") nodes += used[(left) % 512]

static void path(long left) {
  COUNT_NODE(left);
  for (int i = 0; i < LEAVES; i++) {
#pragma omp task
    {
#pragma omp atomic
      leaves++;
    }
  }
  if (left > 1) {
#pragma omp task
    path(left - 1);
  }
}

static void loops(long left) {
  COUNT_NODE(left);
#pragma omp taskloop nogroup num_tasks(2)
  for (int i = 0; i < 2; i++)
    if (i == 0 && left > 1)
      loops(left - 1);
}

static void yields(long left) {
  COUNT_NODE(left);
  if (left > 1) {
#pragma omp task
    yields(left - 1);
#pragma omp taskyield
  }
}

/* In a region, in one of one member, outside any behind a detached task. */
static void each(void (*f)(long), long length) {
  omp_event_handle_t event;
  nodes = 0;
#pragma omp parallel
#pragma omp single
  f(length);
  CHECK_EQ(nodes, length);
#pragma omp parallel num_threads(1)
  f(length);
  CHECK_EQ(nodes, 2 * length);
#pragma omp task detach(event)
  {
    f(length);
    omp_fulfill_event(event);
  }
#pragma omp taskwait
}

static long tree(int depth) {
  long left = 0, right = 0;
  if (depth == 0)
    return 1;
#pragma omp task shared(left)
  left = tree(depth - 1);
#pragma omp task shared(right)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

int main(int argc, char **argv) {
  long shorter = argc > 1 ? atol(argv[1]) : 1;
  long length = CHECK_TIMES(100000) / shorter, sum = 0;
  int depth = CHECK_SLOWER > 1 || shorter > 1 ? 12 : 16;
#pragma omp parallel
#pragma omp single
#pragma omp task
  path(length);
  CHECK_EQ(nodes, length);
  CHECK_EQ(leaves, length * LEAVES);
#pragma omp task
  path(length); /* outside any region */
#pragma omp taskwait
  CHECK_EQ(nodes, 2 * length);
  CHECK_EQ(leaves, 2 * length * LEAVES);
  each(path, length);
  each(loops, length);
  each(yields, length);
#pragma omp parallel
#pragma omp single
#pragma omp task shared(sum)
  sum = tree(depth);
  CHECK_EQ(sum, 1 << depth);
  return 0;
}
