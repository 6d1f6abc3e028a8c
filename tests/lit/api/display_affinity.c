/* display_affinity.c - omp_display_affinity and OMP_DISPLAY_AFFINITY print one line per thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the lines on stderr: one a member at the first region under OMP_DISPLAY_AFFINITY=true,
// none again for an unchanged team, one a call of omp_display_affinity.
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
// OFF-NOT: member
// CALL: {{^}}called by 0 at level 0{{$}}
// CALL-NEXT: {{^}}called by 0 at level 1{{$}}
// CALL-NEXT: {{^}}called by 1 at level 1{{$}}
// CALL-NOT: called
#include "check.h"

int main(int argc, char **argv) {
  (void)argv;
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
