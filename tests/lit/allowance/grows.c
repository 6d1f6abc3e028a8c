/* grows.c - a program that began on one CPU uses more once its mask has grown */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that nano-thread members run at the same time then, in a region that was open before and
// in later ones; that they take turns on one OS thread while the mask is cut again; and that the
// root of a program on OS threads becomes a carrier where CPUs are taken.
// nanogomp-only: libgomp's members are OS threads, which the kernel puts on any CPU
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t 1
// RUN: env NTH_MEMBERS=auto %omp_run %t 1
// RUN: env NTH_MEMBERS=nano %omp_run %t 2
#define _GNU_SOURCE
#include "Inputs/masks.h"
#include "Inputs/shapes.h"

static void *changer(void *unused) {
  inside_await(1);
  for (int turn = 0; turn < 2; turn++) {
    masks_set(getpid(), &masks_full);
    inside_await_more(1);
    masks_set(getpid(), &masks_one);
    inside_await(1);
  }
  masks_set(getpid(), &masks_full);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

static void cut(void) { masks_set(getpid(), &masks_one); }

int main(int argc, char **argv) {
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  bool begins_with_one = argc > 1 && argv[1][0] == '1';
  if (masks_find() < 2)
    return 0;
  if (!begins_with_one) { /* the first region is on all CPUs */
#pragma omp parallel num_threads(members)
    inside_work(1);
  }
  run_shapes(cut, changer);
  return 0;
}
