/* quota_idle.c - a program with a CPU quota that does nothing for a while is not woken up */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the runtime's looker at the quota comes to rest while the members of a region sleep
// outside the runtime; that it goes on when they compute again: no more of them run at the same
// time than a quota that was lowered meanwhile allows, and more once it is raised. The program
// learns of the quota before its first region (first), or between regions (later).
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
#include <dirent.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 20000 };
static int members, asleep, awake;

/* How often the looker has gone to sleep so far; -1: there is none. */
static long naps_of_looker(void) {
  char name[512], line[128];
  long naps = -1;
  DIR *tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  for (struct dirent *e; naps < 0 && (e = readdir(tasks));) {
    int is_looker = 0;
    snprintf(name, sizeof name, "/proc/self/task/%s/status", e->d_name);
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file)) {
      is_looker |= strcmp(line, "Name:\tnanogomp-follow\n") == 0;
      if (is_looker)
        (void)sscanf(line, "voluntary_ctxt_switches: %ld", &naps);
    }
    if (file)
      fclose(file);
  }
  closedir(tasks);
  return naps;
}

/* Until the looker has slept through a second and a half; it looks 8 times a second before. */
static void await_rest(void) {
  long before;
  do {
    before = naps_of_looker();
    check_sleep_ms(1500);
  } while (before < 0 || naps_of_looker() != before);
}

static void *changer(void *unused) {
  while (__atomic_load_n(&asleep, __ATOMIC_RELAXED) < members)
    check_sleep_ms(1);
  await_rest();
  quota_set(1);
  __atomic_store_n(&awake, 1, __ATOMIC_RELAXED);
  inside_await(1);
  quota_set(2);
  inside_await_more(1);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

/* Members sleep outside the runtime, and take chunks afterwards, without a wait in between. */
static void region(void) {
#pragma omp parallel num_threads(members)
  {
    __atomic_add_fetch(&asleep, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&awake, __ATOMIC_RELAXED))
      check_sleep_ms(20);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20000000; i++)
      if (!inside_ends())
        inside_work(TURNS);
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  CHECK_EQ(argc, 3);
  quota_path = argv[1];
  members = 2;
  if (masks_find() < 2)
    return 0;
  quota_learn(members, strcmp(argv[2], "first") == 0);
  CHECK_EQ(pthread_create(&thread, NULL, changer, NULL), 0);
  region();
  CHECK_EQ(pthread_join(thread, NULL), 0);
  return 0;
}
