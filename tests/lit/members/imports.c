/* imports.c - programs whose calls belong to an OS thread have members on their own OS threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program with constructs that refers to setfsuid(), setuid(), unshare(), ... or to
// mutexes with priority inheritance has OS threads by default, with the reason when asked for; that
// such a reference in a library without constructs changes nothing, but for these mutexes; that
// NTH_MEMBERS=nano is refused for these alone.
// REQUIRES: members-nano
// RUN: %omp_build %s -o %t-none
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-none nano 2> %t.none
// RUN: %FileCheck %s --check-prefix=NONE --allow-empty < %t.none
// RUN: %omp_build %s -o %t-user -DCALL=setfsuid
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-user os 2> %t.user
// RUN: %FileCheck %s --check-prefix=RIGHTS < %t.user
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t-user nano 2> %t.asked
// RUN: %FileCheck %s --check-prefix=NONE --allow-empty < %t.asked
// RUN: %omp_build %s -o %t-now -DCALL=setgid -Wl,-z,now -fno-plt
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-now os 2> %t.now
// RUN: %FileCheck %s --check-prefix=USER < %t.now
// RUN: %omp_build %s -o %t-exports -DCALL=unshare -rdynamic
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-exports os 2> %t.exports
// RUN: %FileCheck %s --check-prefix=RIGHTS < %t.exports
// RUN: %omp_build %S/Inputs/imports.c -o %t-call.so -shared -fPIC -DCALL=setfsuid
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-none nano %t-call.so 2> %t.library
// RUN: %FileCheck %s --check-prefix=NONE --allow-empty < %t.library
// RUN: %omp_build %S/Inputs/imports.c -o \
// RUN:   %t-inherit.so -shared -fPIC -DCALL=pthread_mutexattr_setprotocol
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-none os %t-inherit.so 2> %t.inherit
// RUN: %FileCheck %s --check-prefix=INHERIT < %t.inherit
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t-none os %t-inherit.so 2> %t.inherit-nano
// RUN: %FileCheck %s --check-prefix=INHERIT < %t.inherit-nano
// NONE-NOT: members are OS threads
// RIGHTS: members are OS threads: the program may change rights or namespaces of an OS thread
// USER: members are OS threads: the program may change its user or group, thread by thread
// INHERIT: members are OS threads: mutexes with priority inheritance know their owner
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMBERS = 8 };
#ifdef CALL
static volatile int never;
#endif

int main(int argc, char **argv) {
  long id[MEMBERS];
  int same = 0;
  omp_set_dynamic(0);
  if (argc > 2)
    CHECK(dlopen(argv[2], RTLD_NOW) != NULL);
#ifdef CALL
  if (never)
    CHECK_EQ(CALL(0), 0);
#endif
  for (int round = 0; round < 50; round++) {
#pragma omp parallel num_threads(MEMBERS)
    id[omp_get_thread_num()] = syscall(SYS_gettid);
    for (int i = 0; i < MEMBERS; i++)
      for (int j = 0; j < i; j++)
        same += id[i] == id[j];
  }
  CHECK_EQ(same > 0, strcmp(argv[1], "nano") == 0);
  return 0;
}
