/* helgrind.c - members are OS threads under a tool that follows these */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that helgrind and DRD, which take whatever runs on an OS thread for one thread, find OS
// threads as members. nanogomp-only: libgomp has no others.
// REQUIRES: nanogomp, valgrind, base
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env NTH_VERBOSE=1 NTH_MEMBERS=auto %omp_run %t 2> %t.alone
// RUN: %FileCheck %s --check-prefix=ALONE < %t.alone
// RUN: env NTH_VERBOSE=1 %nano valgrind -q --tool=helgrind %t 2> %t.helgrind
// RUN: %FileCheck %s --check-prefix=HELGRIND < %t.helgrind
// RUN: env NTH_VERBOSE=1 %nano valgrind -q --tool=drd %t 2> %t.drd
// RUN: %FileCheck %s --check-prefix=DRD < %t.drd
// ALONE-NOT: members are OS threads
// HELGRIND: members are OS threads: helgrind follows OS threads
// DRD: members are OS threads: DRD follows OS threads
#include "check.h"

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(6) reduction(+ : sum)
  sum += omp_get_thread_num();
  CHECK_EQ(sum, 15);
  return 0;
}
