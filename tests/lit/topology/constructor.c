/* constructor.c - a constructor of a library is the first to need the topology */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions there do not wait for the thread that asks hwloc, in a process that has other
// threads: the program's thread holds the loader's lock, which that thread needs to open hwloc.
// Only the first region waits for a moment.
// REQUIRES: base, hwloc
// UNSUPPORTED: sanitizer
// RUN: %omp_build %S/Inputs/constructor_library.c -o %t.1.so -shared -fPIC
// RUN: %omp_build %S/Inputs/constructor_library.c -o %t.2.so -shared -fPIC -DLATE
// RUN: %omp_build %s -o %t -ldl
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run --under 20 %t %t.1.so
// RUN: env HWLOC_SYNTHETIC="pack:2 core:4 pu:1" %omp_run --under 20 %t %t.2.so
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static void *stay(void *unused) {
  for (;;)
    pause();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  CHECK_EQ(argc, 2);
  CHECK_EQ(pthread_create(&thread, 0, stay, 0), 0);
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != 0);
  CHECK_EQ(dlclose(library), 0);
  return 0;
}
