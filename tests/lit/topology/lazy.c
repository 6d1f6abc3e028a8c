/* lazy.c - when the machine's topology is looked up, and by whom */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, with a dlopen() of its own, that small teams open nothing, that the first team with a
// need opens hwloc once, in a program's thread, and that nothing of it stays; likewise in a
// constructor and at exit. A child of fork() does not look. Another hwloc in the program's scope is
// left alone. nanogomp-only: libgomp opens nothing.
// REQUIRES: base, nanogomp, hwloc
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t -rdynamic
// RUN: %omp_run %t small
// RUN: env NTH_DOMAINS=2x4 HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t small
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t need
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t nested
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t roots
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t child
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t exit
// RUN: env EARLY=1 HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run %t early
// RUN: %omp_build %s -o %t.other -rdynamic -DOTHER
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" NTH_VERBOSE=1 %omp_run %t.other other 2>&1 | \
// RUN:   %FileCheck %s
// CHECK: {{^nanogomp: another hwloc is in the program's scope; one memory domain is used$}}
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int opened, in_child;
static int expected_at_exit = -1;

/* The loader's, unless it is for hwloc: then it is counted too. */
void *dlopen(const char *name, int how) {
  void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  if (name && strstr(name, "libhwloc.so")) {
    __atomic_add_fetch(&opened, 1, __ATOMIC_RELAXED);
    CHECK(!in_child);
  }
  return real(name, how);
}

#ifdef OTHER
int hwloc_topology_init(void **topology) {
  CHECK(!"this one is not to be called");
  return topology ? -1 : 0;
}
#endif

static int is_mapped(void) {
  char line[1000];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    found |= strstr(line, "libhwloc") != 0;
  if (maps)
    fclose(maps);
  return found;
}

static void region(int n) {
  int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  members++;
  CHECK_EQ(members, n);
}

static void *root(void *unused) {
  region(2);
  region(3);
  return unused;
}

static void roots(void) {
  pthread_t thread[6];
  for (int i = 0; i < 6; i++)
    CHECK(pthread_create(&thread[i], 0, root, 0) == 0);
  for (int i = 0; i < 6; i++)
    pthread_join(thread[i], 0);
}

static void nested(void) {
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
  region(1);
  CHECK_EQ(opened, 0); /* a team of one is no need, and inside of it nobody looks */
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  region(4);
  CHECK_EQ(opened, 1);
}

static void child(void) {
  pid_t pid = fork();
  if (pid == 0) {
    in_child = 1;
    region(4);
    _exit(0); /* dlopen() has checked */
  }
  int status = 1;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void at_exit(void) {
  if (expected_at_exit < 0)
    return;
  region(4);
  CHECK_EQ(opened, expected_at_exit);
  CHECK(!is_mapped());
}

__attribute__((constructor)) static void early(void) {
  if (!getenv("EARLY"))
    return;
  region(4);
  CHECK_EQ(opened, 1);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "small";
  atexit(at_exit);
  CHECK(!is_mapped());
  if (!strcmp(what, "small")) {
    region(2);
    region(4);
    region(2);
    CHECK_EQ(opened, 0);
  } else if (!strcmp(what, "need") || !strcmp(what, "other")) {
    region(4);
    region(8);
    region(3);
    CHECK_EQ(opened, 1);
  } else if (!strcmp(what, "nested")) {
    nested();
  } else if (!strcmp(what, "roots")) {
    roots();
    CHECK_EQ(opened, 1);
  } else if (!strcmp(what, "child")) {
    region(1); /* so that the child is known for one */
    CHECK_EQ(opened, 0);
    child();
    region(4);
    CHECK_EQ(opened, 1);
    child();
  } else if (!strcmp(what, "exit")) {
    expected_at_exit = 1;
  }
  CHECK(!is_mapped());
  return 0;
}
