/* quota_later.c - a CPU quota that is lowered after members have run for a while without a sleep */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the runtime goes on looking at the quota while members only compute: no more of them
// run at the same time than it allows, and more once it is raised. The program learns of the quota
// before the first region (first), or between regions (later).
// nanogomp-only: libgomp knows no quotas
// RUN: %omp_build %s -o %t
// RUN: rm -rf %t.d && mkdir -p %t.d/proc/self %t.d/sys/fs/cgroup/box
// RUN: echo 0::/box > %t.d/proc/self/cgroup
// RUN: echo 30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw > %t.d/proc/self/mountinfo
// RUN: echo 200000 100000 > %t.d/sys/fs/cgroup/box/cpu.max
// RUN: ln -s sys/fs/cgroup/box/cpu.max %t.d/quota
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os %omp_run %t %t.d/quota first
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os %omp_run %t %t.d/quota later
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=nano %omp_run %t %t.d/quota first
#define _GNU_SOURCE
#include "Inputs/masks.h"
#include "Inputs/quota.h"
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 20000 };
static int members;

/* The runtime's looker rests after 100 ms in which it knows of one OS thread that runs. On one CPU
 * the members use no more CPU time than one of them. */
static void *changer(void *shares_cpu) {
  for (int turn = 0; turn < 2; turn++) {
    inside_await_more(1);
    if (shares_cpu)
      masks_set(getpid(), &masks_one);
    check_sleep_ms(300);
    masks_set(getpid(), &masks_full);
    quota_set(1);
    inside_await(1);
    quota_set(2);
  }
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* Members take chunks, and none waits for minutes. */
static void chunks(void) {
  while (!inside_ends())
#pragma omp parallel for schedule(dynamic) num_threads(members)
    for (int i = 0; i < 20000000; i++)
      if (!inside_ends())
        inside_work(TURNS);
}

int main(int argc, char **argv) {
  pthread_t thread;
  CHECK_EQ(argc, 3);
  quota_path = argv[1];
  members = 2;
  if (masks_find() < 2)
    return 0;
  bool first = strcmp(argv[2], "first") == 0;
  quota_learn(members, first);
  CHECK_EQ(pthread_create(&thread, NULL, changer, first ? &members : NULL), 0);
  chunks();
  CHECK_EQ(pthread_join(thread, NULL), 0);
  return 0;
}
