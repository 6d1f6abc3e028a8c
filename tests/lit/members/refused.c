/* refused.c - where members are OS threads though nano-threads were asked for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that places which overlap, and a library in the process that stops all threads by signals,
// or such a runtime within the program or a plug-in, make members OS threads, with the reason when
// asked for, once; and that they are nano-threads otherwise, which more members than CPUs show by
// having the OS thread of another one.
// REQUIRES: members-nano
// RUN: %omp_build %S/Inputs/tls_library.c -o %t-guest.so -shared -fPIC && mkdir -p %t.d
// RUN: cp %t-guest.so %t.d/libjvm.so && cp %t-guest.so %t.d/libharmless.so && %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t %t.d/libjvm.so os 2> %t.java
// RUN: %FileCheck %s --check-prefix=JAVA < %t.java
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 OMP_PLACES={0},{0} %omp_run %t \
// RUN:   %t.d/libharmless.so os 2> %t.bound
// RUN: %FileCheck %s --check-prefix=BOUND < %t.bound
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t %t.d/libharmless.so nano 2> %t.none
// RUN: %FileCheck %s --check-prefix=NONE < %t.none
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t %t.d/libjvm.so os 2> %t.auto
// RUN: %FileCheck %s --check-prefix=JAVA < %t.auto
// RUN: env NTH_MEMBERS=sometimes %omp_run %t %t.d/libharmless.so nano 2> %t.wrong
// RUN: %FileCheck %s --check-prefix=WRONG < %t.wrong
// RUN: cp %t-guest.so %t.d/libdruntime-ldc-shared.so.100 && cp %t-guest.so %t.d/libgphobos.so.3
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t %t.d/libdruntime-ldc-shared.so.100 os \
// RUN:   2> %t.d1
// RUN: %FileCheck %s --check-prefix=DRUNTIME < %t.d1
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t %t.d/libgphobos.so.3 os 2> %t.d2
// RUN: %FileCheck %s --check-prefix=DRUNTIME < %t.d2
// RUN: %omp_build %S/Inputs/exports.c -o %t.d/plugin.so -shared -fPIC -DNAME=crosscall2
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t %t.d/plugin.so os 2> %t.plugin
// RUN: %FileCheck %s --check-prefix=GO < %t.plugin
// RUN: %omp_build %s %S/Inputs/exports.c -o %t.within -rdynamic -DNAME=crosscall2
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t.within %t.d/libharmless.so os 2> %t.go
// RUN: %FileCheck %s --check-prefix=GO < %t.go
// RUN: %omp_build %s %S/Inputs/exports.c -o %t.lisp -rdynamic -DNAME=create_main_lisp_thread
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t.lisp %t.d/libharmless.so os 2> %t.sbcl
// RUN: %FileCheck %s --check-prefix=LISP < %t.sbcl
// RUN: %omp_build %s %S/Inputs/exports.c -o %t.other -rdynamic -DNAME=crosscall3
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t.other %t.d/libharmless.so nano 2> %t.none
// RUN: %FileCheck %s --check-prefix=NONE < %t.none
// GO: members are OS threads: Go stops all threads by signals
// LISP: members are OS threads: SBCL stops all threads by signals
// DRUNTIME: members are OS threads: D's runtime stops all threads by signals
// JAVA: members are OS threads: the Java virtual machine stops all threads by signals
// JAVA-NOT: members are OS threads
// BOUND: members are OS threads: threads are bound to places that overlap
// NONE-NOT: members are OS threads
// WRONG: NTH_MEMBERS takes os, nano or auto; auto is used
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMBERS = 8 };

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  CHECK(dlopen(argv[1], RTLD_NOW) != NULL);
  long id[MEMBERS];
  int same = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      CHECK_EQ(omp_get_num_threads(), MEMBERS);
      id[omp_get_thread_num()] = syscall(SYS_gettid);
    }
    for (int i = 0; i < MEMBERS; i++)
      for (int j = 0; j < i; j++)
        same += id[i] == id[j];
  }
  CHECK_EQ(same > 0, strcmp(argv[2], "nano") == 0);
  return 0;
}
