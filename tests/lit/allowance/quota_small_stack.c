/* quota_small_stack.c - a CPU quota is read by a thread with a small stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the smallest stack does for the thread that reads the quota's files, where the system
// refuses the runtime's own thread for that: a docked worker, once a second (docked), and a thread
// of the program's that is the first to ask for the number of CPUs (first).
// nanogomp-only: libgomp knows no quotas
// UNSUPPORTED: sanitizer, asserts
// RUN: %omp_build %s -o %t -rdynamic -ldl
// RUN: rm -rf %t.d && mkdir -p %t.d/proc/self %t.d/sys/fs/cgroup/box
// RUN: echo 0::/box > %t.d/proc/self/cgroup
// RUN: echo 30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw > %t.d/proc/self/mountinfo
// RUN: echo 100000 100000 > %t.d/sys/fs/cgroup/box/cpu.max
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os OMP_STACKSIZE=16K %omp_run %t docked
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d NTH_MEMBERS=os %omp_run %t first
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

static int refuses, refused, found;

/* The library's calls come here, too. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (__atomic_load_n(&refuses, __ATOMIC_RELAXED)) {
    __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
    return EAGAIN;
  }
  return ((create_fn *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}

static void region(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
}

static void docked(void) {
  CHECK_EQ(omp_get_num_procs(), 1);
  region();
  __atomic_store_n(&refuses, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 100 && !__atomic_load_n(&refused, __ATOMIC_RELAXED); i++) {
    check_sleep_ms(100);
    region();
  }
  check_sleep_ms(100);
  region();
}

static void *asks(void *unused) {
  while (!__atomic_load_n(&refuses, __ATOMIC_ACQUIRE)) {}
  found = omp_get_num_procs();
  return unused;
}

static void first(void) {
  pthread_attr_t small;
  pthread_t thread;
  CHECK_EQ(pthread_attr_init(&small), 0);
  CHECK_EQ(pthread_attr_setstacksize(&small, (size_t)PTHREAD_STACK_MIN), 0);
  CHECK_EQ(pthread_create(&thread, &small, asks, NULL), 0);
  __atomic_store_n(&refuses, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(found, 1);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  if (!strcmp(argv[1], "docked"))
    docked();
  else
    first();
  return 0;
}
