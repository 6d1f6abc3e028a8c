/* display_affinity.c - omp_display_affinity and OMP_DISPLAY_AFFINITY print one line per thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the lines on stderr: one a member at the first region under OMP_DISPLAY_AFFINITY=true,
// none again for an unchanged team, all of a team of another size, and of each inner team; one a
// call of omp_display_affinity.
// RUN: %omp_build %s -o %t
// RUN: env OMP_DISPLAY_AFFINITY=true "OMP_AFFINITY_FORMAT=member %%0.3n/%%N" %omp_run %t 2> %t.on
// RUN: sort %t.on | %FileCheck %s --check-prefix=ON
// RUN: %omp_run %t 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// RUN: %omp_run %t call 2> %t.call
// RUN: sort %t.call | %FileCheck %s --check-prefix=CALL
// ON: {{^}}member 000/3{{$}}
// ON-NEXT: {{^}}member 001/3{{$}}
// ON-NEXT: {{^}}member 002/3{{$}}
// ON-NOT: member
// RUN: env OMP_DISPLAY_AFFINITY=true "OMP_AFFINITY_FORMAT=%%L %%n/%%N of %%a" %omp_run %t sizes \
// RUN:   teams > %t.sizes 2>&1
// RUN: %FileCheck %s --check-prefix=SIZES < %t.sizes
// SIZES: two
// SIZES-DAG: {{^}}1 0/2 of 0{{$}}
// SIZES-DAG: {{^}}1 1/2 of 0{{$}}
// SIZES: {{^}}two{{$}}
// SIZES-NEXT: {{^}}three{{$}}
// SIZES-DAG: {{^}}1 0/3 of 0{{$}}
// SIZES-DAG: {{^}}1 1/3 of 0{{$}}
// SIZES-DAG: {{^}}1 2/3 of 0{{$}}
// SIZES: {{^}}two{{$}}
// SIZES-DAG: {{^}}1 0/2 of 0{{$}}
// SIZES-DAG: {{^}}1 1/2 of 0{{$}}
// SIZES: {{^}}inner{{$}}
// SIZES-DAG: {{^}}2 0/2 of 0{{$}}
// SIZES-DAG: {{^}}2 1/2 of 0{{$}}
// SIZES-DAG: {{^}}2 0/2 of 1{{$}}
// SIZES-DAG: {{^}}2 1/2 of 1{{$}}
// SIZES: {{^}}inner{{$}}
// SIZES-NEXT: {{^}}end{{$}}
// SIZES-NOT: {{.}}
// RUN: env OMP_DISPLAY_AFFINITY=true "OMP_AFFINITY_FORMAT=member %%0.3n/%%N" \
// RUN:   OMP_WAIT_POLICY=passive %omp_run %t tasks for idle members 2> %t.tasks
// RUN: sort %t.tasks | %FileCheck %s --check-prefix=ON
// OFF-NOT: member
// CALL: {{^}}called by 0 at level 0{{$}}
// CALL-NEXT: {{^}}called by 0 at level 1{{$}}
// CALL-NEXT: {{^}}called by 1 at level 1{{$}}
// CALL-NOT: called
#include "check.h"

static void say(const char *what) { fprintf(stderr, "%s\n", what); }

static void team(int size, const char *what) {
  say(what);
#pragma omp parallel num_threads(size)
  __asm__ volatile("");
}

static void inner(void) {
  say("inner");
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  __asm__ volatile("");
}

static void sizes(void) {
  omp_set_max_active_levels(2);
  team(2, "two");
  team(2, "two");
  team(3, "three");
  team(2, "two");
  inner();
  inner();
  say("end");
}

/* Members that are back in their docks are called for tasks. */
static void recalled(void) {
#pragma omp parallel num_threads(3)
#pragma omp single nowait
  for (int round = 0; round < 3; round++) {
    check_sleep_ms(10);
    for (int i = 0; i < 100; i++)
#pragma omp task
      __asm__ volatile("");
#pragma omp taskwait
  }
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 3) {
    recalled();
    return 0;
  }
  if (argc > 2) {
    sizes();
    return 0;
  }
  if (argc > 1) {
    omp_display_affinity("called by %n at level %L");
#pragma omp parallel num_threads(2)
    omp_display_affinity("called by %n at level %L");
    return 0;
  }
  for (int round = 0; round < 3; round++) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum++;
    CHECK_EQ(sum, 3);
  }
  return 0;
}
