/* quota_unread.c - a CPU quota whose files cannot be read for a while */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the quota stays while its file cannot be read, and while its group is gone and the
// process has no other one; that it is followed again after that, in the group to which the process
// was moved; and that a group without the file has no quota.
// nanogomp-only: libgomp knows no quotas
// RUN: %omp_build %s -o %t
// RUN: rm -rf %t.d && mkdir -p %t.d/proc/self %t.d/sys/fs/cgroup/box %t.d/sys/fs/cgroup/other
// RUN: echo 0::/box > %t.d/proc/self/cgroup
// RUN: echo 30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw > %t.d/proc/self/mountinfo
// RUN: echo 100000 100000 > %t.d/sys/fs/cgroup/box/cpu.max
// RUN: cp %t.d/sys/fs/cgroup/box/cpu.max %t.d/sys/fs/cgroup/other
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os %omp_run %t %t.d
#define _GNU_SOURCE
#include "Inputs/masks.h"
#include "Inputs/quota.h"
#include <sys/stat.h>
#include <unistd.h>

enum { STAYS = 14 };

static void regions(void) {
  for (double end = check_seconds() + 0.02; check_seconds() < end;)
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int i = 0; i < 20; i++)
      inside_work(2000);
}

/* Until the program learns of that many CPUs. */
static void await_cpus(int cpus) {
  while (omp_get_num_procs() != cpus)
    regions();
}

/* For 1.4 s nothing changes, whether members run or sleep. */
static void stays(int cpus) {
  for (int i = 0; i < STAYS; i++) {
    regions();
    CHECK_EQ(omp_get_num_procs(), cpus);
    check_sleep_ms(i == STAYS / 2 ? 1000 : 10);
    CHECK_EQ(omp_get_num_procs(), cpus);
  }
}

/* Moves the process to another group. */
static void move(void) {
  FILE *file = fopen("proc/self/cgroup", "w");
  CHECK(file && fputs("0::/other\n", file) > 0);
  CHECK_EQ(fclose(file), 0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  int cpus = masks_find();
  if (cpus < 2)
    return 0;
  CHECK_EQ(omp_get_num_procs(), 1);
  CHECK_EQ(chdir(argv[1]), 0);
  quota_path = "sys/fs/cgroup/box/cpu.max";
  regions();
  quota_set(2);
  await_cpus(2);
  quota_set(1);
  await_cpus(1);
  CHECK_EQ(rename(quota_path, "kept"), 0); /* a folder can be opened, but not read */
  CHECK_EQ(mkdir(quota_path, 0700), 0);
  stays(1);
  CHECK_EQ(rmdir(quota_path), 0);
  CHECK_EQ(rename("kept", quota_path), 0);
  quota_set(2);
  await_cpus(2);
  quota_set(1);
  await_cpus(1);
  CHECK_EQ(unlink(quota_path), 0);
  CHECK_EQ(rmdir("sys/fs/cgroup/box"), 0);
  stays(1);
  move();
  quota_path = "sys/fs/cgroup/other/cpu.max";
  stays(1);
  quota_set(2);
  await_cpus(2);
  quota_set(1);
  await_cpus(1);
  CHECK_EQ(unlink(quota_path), 0);
  await_cpus(cpus);
  return 0;
}
