/* events.c - OMPT: how a tool is found, and what it hears of a small program */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the order of events, the data that they pass on, the log of the search, and that a program
// runs without a tool that cannot be loaded, or is none.
// nanogomp-only: libgomp knows no tools
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_build %S/Inputs/print.c -o %t.so -shared -fPIC -I%ompt
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL=disabled OMP_TOOL_LIBRARIES=%t.so %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NONE
// RUN: env OMP_TOOL=maybe OMP_TOOL_LIBRARIES=%t.so %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=MAYBE
// RUN: env OMP_TOOL_LIBRARIES=/none/a.so:%t.so OMP_TOOL_VERBOSE_INIT=stdout %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=LOG
// RUN: env OMP_TOOL_LIBRARIES=%library OMP_TOOL_VERBOSE_INIT=/none/log %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=BAD
#include "check.h"

int main(void) {
  int n = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp single
    {
#pragma omp task shared(n) if (0)
      {
#pragma omp critical
        n++;
      }
#pragma omp taskwait
    }
#pragma omp barrier
  }
  CHECK_EQ(n, 1);
  puts("the program is over");
  return 0;
}

// CHECK: thread [[T:[0-9]+]]: thread_begin type=1
// CHECK: implicit_task begin parallel=0 task=[[I:[0-9]+]] members=1 index=1 flags=1
// CHECK: parallel_begin task=[[I]] parallel=[[P:[0-9]+]] wanted=1 flags=80000002 frame=1 ra=1
// CHECK: implicit_task begin parallel=[[P]] task=[[M:[0-9]+]] members=1 index=0 flags=2
// CHECK: work 3 begin parallel=[[P]] task=[[M]]
// CHECK: task_create by=[[M]] task=[[E:[0-9]+]] flags=8000004 depends=0
// CHECK: schedule [[M]] status=7 next=[[E]]
// CHECK: acquire 5 impl=1
// CHECK: acquired 5
// CHECK: released 5
// CHECK: schedule [[E]] status=1 next=[[M]]
// CHECK: sync 5 begin parallel=[[P]] task=[[M]]
// CHECK: sync 5 end parallel=[[P]] task=[[M]]
// CHECK: work 3 end parallel=[[P]] task=[[M]]
// CHECK: sync 3 begin parallel=[[P]] task=[[M]]
// CHECK: sync 9 begin parallel=[[P]] task=[[M]]
// CHECK: sync 9 end parallel=0 task=[[M]]
// CHECK: implicit_task end parallel=0 task=[[M]] members=0 index=0 flags=2
// CHECK: parallel_end parallel=[[P]] task=[[I]]
// CHECK: implicit_task end parallel=0 task=[[I]] members=0 index=1 flags=1
// CHECK: thread_end [[T]]
// CHECK: finalize
// NONE-NOT: thread
// NONE: the program is over
// MAYBE: OMP_TOOL takes enabled or disabled, not 'maybe'; no tool is looked for
// MAYBE-NOT: thread_begin
// MAYBE: the program is over
// LOG: OMP_TOOL: enabled
// LOG: the program and its libraries: have no ompt_start_tool
// LOG: /none/a.so: not loaded:
// LOG: the tool of OMP_TOOL_LIBRARIES cannot be loaded
// LOG: tool initialized: it stays
// LOG: a tool watches the program
// LOG: the program is over
// BAD: OMP_TOOL_VERBOSE_INIT=/none/log cannot be written
// BAD: has no ompt_start_tool; the program runs without it
// BAD: the program is over
