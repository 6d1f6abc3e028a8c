/* quota.c - a CPU quota that is lowered and raised while regions run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that no more members run at the same time than the quota of a made-up control group
// allows, in a region that was open before and in later ones, and more once it is raised.
// nanogomp-only: libgomp knows no quotas
// RUN: %omp_build %s -o %t
// RUN: rm -rf %t.d && mkdir -p %t.d/proc/self %t.d/sys/fs/cgroup/box
// RUN: echo 0::/box > %t.d/proc/self/cgroup
// RUN: echo 30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw > %t.d/proc/self/mountinfo
// RUN: echo 200000 100000 > %t.d/sys/fs/cgroup/box/cpu.max
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os %omp_run %t %t.d/sys/fs/cgroup/box/cpu.max
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=nano %omp_run %t %t.d/sys/fs/cgroup/box/cpu.max
#define _GNU_SOURCE
#include "../request/Inputs/inside.h"

#include "Inputs/masks.h"

static const char *path;

/* In place: a reader finds the old text or the new one. */
static void set(const char *text) {
  FILE *file = fopen(path, "r+");
  CHECK(file && fputs(text, file) >= 0);
  CHECK_EQ(fclose(file), 0);
}

enum { PIECES = 1000, TURNS = 20000 };
static int members;

static void *changer(void *unused) {
  for (int turn = 0; turn < 2; turn++) {
    set("200000 100000\n");
    inside_await_more(1);
    set("100000 100000\n");
    inside_await(1);
  }
  set("200000 100000\n");
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

/* One region: its loops go on until the changer is ready. */
static void one_region(void) {
#pragma omp parallel num_threads(members)
  for (int over = 0; !over;) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < PIECES / 10; i++)
      inside_work(TURNS);
#pragma omp single copyprivate(over)
    over = inside_ends();
  }
}

static void many_regions(void) {
  while (!inside_ends())
#pragma omp parallel for schedule(static) num_threads(members)
    for (int i = 0; i < members; i++)
      inside_work(TURNS);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  path = argv[1];
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  if (masks_find() < 2)
    return 0;
  for (int shape = 0; shape < 2; shape++) {
    pthread_t thread;
    inside_over = 0;
    (void)omp_get_num_procs(); /* finds the quota, which num_threads does not need */
    CHECK_EQ(pthread_create(&thread, NULL, changer, NULL), 0);
    if (shape == 0)
      one_region();
    else
      many_regions();
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
  return 0;
}
