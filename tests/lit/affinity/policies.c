/* policies.c - proc_bind: places, partitions and masks of a team's members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks for teams of 1 to 2P+1 members that each member's mask is that of its place, and that
// places and partitions follow the rules of primary, close and spread (OpenMP 5.2, section 10.1.3),
// with clauses and without, also where the same team changes its policy or its size from region to
// region. nanogomp-only: libgomp 12 leaves some held threads where they were when the policy
// changes.
// REQUIRES: nanogomp, cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=true "OMP_PLACES={0},{1},{0,1},{0}" %omp_run %t
// RUN: env OMP_PROC_BIND=close "OMP_PLACES={0},{1}" %omp_run %t
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0},{0,1},{0},{1},{1},{0}" %omp_run %t
// RUN: env OMP_PROC_BIND=primary "OMP_PLACES={1},{0}" %omp_run %t
// RUN: env "OMP_PLACES={0}" %omp_run %t
// RUN: env OMP_PLACES=threads %omp_run %t
// RUN: env OMP_PROC_BIND=true %omp_run %t
// RUN: env "GOMP_CPU_AFFINITY=0 1 0-1" %omp_run %t
// RUN: taskset -c 0 env OMP_PROC_BIND=spread "OMP_PLACES={0},{0,1},{0}" %omp_run %t
// RUN: taskset -c 1 env OMP_PROC_BIND=close OMP_PLACES=cores %omp_run %t
#include "bound.h"

enum { MOST = 64 };

static struct {
  int place, bind;
  struct bound_partition partition;
} seen[MOST];

static void look(void) {
  int i = omp_get_thread_num();
  seen[i].place = bound_check();
  seen[i].partition = bound_partition();
  seen[i].bind = omp_get_proc_bind();
}

static void run(int n, int policy) {
  switch (policy) {
  case omp_proc_bind_master:
#pragma omp parallel num_threads(n) proc_bind(master)
    look();
    break;
  case omp_proc_bind_close:
#pragma omp parallel num_threads(n) proc_bind(close)
    look();
    break;
  case omp_proc_bind_spread:
#pragma omp parallel num_threads(n) proc_bind(spread)
    look();
    break;
  default:
#pragma omp parallel num_threads(n)
    look();
  }
}

/* The team's parent is the initial task on place 0 of the whole list. */
static void check(int n, int policy, int places) {
  int load[MOST] = {0}, covered[MOST] = {0};
  for (int i = 0; i < n; i++) {
    load[seen[i].place]++;
    for (int p = 0; p < seen[i].partition.count; p++)
      covered[seen[i].partition.first + p]++;
    if (policy != omp_proc_bind_spread)
      CHECK_EQ(seen[i].partition.count, places);
  }
  CHECK_EQ(seen[0].place, 0);
  for (int i = 0; i < n && policy == omp_proc_bind_master; i++)
    CHECK_EQ(seen[i].place, 0);
  if (policy == omp_proc_bind_master)
    return;
  for (int p = 0; p < places; p++) {
    CHECK(load[p] <= (n + places - 1) / places);
    CHECK(n < places || load[p] >= n / places);
    if (policy == omp_proc_bind_spread && n <= places)
      CHECK_EQ(covered[p], 1);
  }
  for (int i = 1; i < n && n <= places; i++) {
    if (policy == omp_proc_bind_spread)
      CHECK_EQ(seen[i].place, seen[i - 1].partition.first + seen[i - 1].partition.count);
    else
      CHECK_EQ(seen[i].place, i);
  }
}

int main(void) {
  int places = omp_get_num_places(), fallback = omp_get_proc_bind(), procs = omp_get_num_procs();
  int most = 2 * places + 1;
  CHECK(places > 0 && fallback != omp_proc_bind_false);
  if (fallback == omp_proc_bind_true)
    fallback = omp_proc_bind_close;
  most = most > MOST ? MOST : most;
  static const int policies[] = {omp_proc_bind_spread, omp_proc_bind_close, omp_proc_bind_master,
                                 0};
  omp_set_dynamic(0);
  for (int n = 1; n <= most; n++)
    for (int round = 0; round < 8; round++) {
      int policy = policies[round % 4];
      run(n, policy);
      check(n, policy ? policy : fallback, places);
    }
  for (int n = most; n > 0; n = n / 2)
    for (int round = 0; round < 2; round++) {
      run(n, omp_proc_bind_spread);
      check(n, omp_proc_bind_spread, places);
    }
  CHECK_EQ(bound_check(), 0);
  CHECK_EQ(bound_partition().count, places);
  CHECK_EQ(omp_get_num_procs(), procs); /* not what is left of the initial thread's own mask */
  return 0;
}
