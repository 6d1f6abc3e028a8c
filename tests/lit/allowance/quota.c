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
// A pipe in place of the file gives no quota, and nobody waits for its writer.
// RUN: mkdir -p %t.p/sys/fs/cgroup/box && cp -r %t.d/proc %t.p
// RUN: rm -f %t.p/sys/fs/cgroup/box/cpu.max && mkfifo %t.p/sys/fs/cgroup/box/cpu.max
// RUN: env NTH_TEST_CGROUP_ROOT=%t.p %omp_run %t
#define _GNU_SOURCE
#include "Inputs/quota.h"
#include "Inputs/masks.h"
#include "Inputs/shapes.h"

static void *changer(void *unused) {
  for (int turn = 0; turn < 2; turn++) {
    quota_set(2);
    inside_await_more(1);
    quota_set(1);
    inside_await(1);
  }
  quota_set(2);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    quota_find();
    return 0;
  }
  quota_path = argv[1];
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  if (masks_find() < 2)
    return 0;
  run_shapes(quota_find, changer);
  return 0;
}
