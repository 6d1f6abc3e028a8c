/* untied_refused.c - untied tasks without stacks of their own: beside a collector, or by request */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A runtime that looks through threads' stacks, or how far they have grown, knows of no others. If
// one is in the process, known by a function that it exports, or is loaded between two regions,
// untied tasks that yield run on their threads' stacks; so they do with NTH_UNTIED=stay. Otherwise
// they do not, which shows that this test sees it.
// RUN: %omp_build %s -o %t
// RUN: %omp_build %S/../members/Inputs/exports.c -o %t.so -shared -fPIC -DNAME=GC_init
// RUN: %omp_build %S/../members/Inputs/exports.c -o %t-r.so -shared -fPIC -DNAME=R_CheckStack
// RUN: %omp_build %S/../members/Inputs/exports.c -o %t-other.so -shared -fPIC -DNAME=GC_other
// RUN: %omp_build %s %S/../members/Inputs/exports.c -o %t.within -rdynamic -DNAME=GC_init
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t.within %t.so own
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t %t.so own
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t %t-r.so own
// RUN: env NTH_TEST_BERTHS=1 NTH_UNTIED=stay %omp_run %t %t-other.so own
// RUN: env NTH_TEST_BERTHS=1 NTH_UNTIED=leave %omp_run %t %t-other.so apart
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { TASKS = 20 };

static bool on_own_stack(void) {
  pthread_attr_t attr;
  void *low;
  size_t bytes;
  char here;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
  CHECK_EQ(pthread_attr_getstack(&attr, &low, &bytes), 0);
  pthread_attr_destroy(&attr);
  return &here >= (char *)low && &here < (char *)low + bytes;
}

static int own;

/* The tasks of the two functions differ: each is new when it is first called. */
static void run_before(void) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
    }
  }
}

static void run_after(void) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
      if (on_own_stack()) {
#pragma omp atomic
        own++;
      }
    }
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
#pragma omp parallel
#pragma omp single
  run_before();
  CHECK(dlopen(argv[1], RTLD_NOW) != NULL);
#pragma omp parallel
#pragma omp single
  run_after();
  CHECK_EQ(own, strcmp(argv[2], "own") == 0 ? TASKS : 0);
  return 0;
}
