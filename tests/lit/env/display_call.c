/* display_call.c - omp_display_env and OMP_DISPLAY_ENV: frame, order and lines */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the shape of the display, plain and verbose, from the environment and from the call, with
// or without the [host] and [all] marks that libgomp 13 introduced.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=3 %omp_run %t 2> %t.0
// RUN: %FileCheck %s --check-prefixes=FRAME,PLAIN < %t.0
// RUN: env OMP_NUM_THREADS=3 %omp_run %t verbose 2> %t.1
// RUN: %FileCheck %s --check-prefixes=FRAME,VERBOSE < %t.1
// RUN: env OMP_NUM_THREADS=3 OMP_DISPLAY_ENV=TRUE %omp_run %t none 2> %t.2 && diff %t.0 %t.2
// RUN: env OMP_NUM_THREADS=3 OMP_DISPLAY_ENV=verbose %omp_run %t none 2> %t.3 && diff %t.1 %t.3
// FRAME: {{^$}}
// FRAME-NEXT: {{^OPENMP DISPLAY ENVIRONMENT BEGIN$}}
// FRAME-NEXT: {{^  _OPENMP = '20....'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_DYNAMIC = 'FALSE'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_NESTED = 'FALSE'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_NUM_THREADS = '3'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_SCHEDULE = 'DYNAMIC'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_PROC_BIND = 'FALSE'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_PLACES = ''$}}
// FRAME-NEXT: {{^  (.host. )?OMP_STACKSIZE = '0'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_WAIT_POLICY = '(PASSIVE|ACTIVE)'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_THREAD_LIMIT = '4294967295'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_MAX_ACTIVE_LEVELS = '1'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_NUM_TEAMS = '0'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_TEAMS_THREAD_LIMIT = '0'$}}
// FRAME-NEXT: {{^  (.all. )?OMP_CANCELLATION = 'FALSE'$}}
// FRAME-NEXT: {{^  (.all. )?OMP_DEFAULT_DEVICE = '0'$}}
// FRAME-NEXT: {{^  (.all. )?OMP_MAX_TASK_PRIORITY = '0'$}}
// FRAME-NEXT: {{^  (.all. )?OMP_DISPLAY_AFFINITY = 'FALSE'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_AFFINITY_FORMAT = 'level %L thread %i affinity %A'$}}
// FRAME-NEXT: {{^  (.host. )?OMP_ALLOCATOR = 'omp_default_mem_alloc'$}}
// FRAME-NEXT: {{^  (.all. )?OMP_TARGET_OFFLOAD = 'DEFAULT'$}}
// VERBOSE-NEXT: {{^  (.host. )?GOMP_CPU_AFFINITY = ''$}}
// VERBOSE-NEXT: {{^  (.host. )?GOMP_STACKSIZE = '0'$}}
// VERBOSE-NEXT: {{^  (.host. )?GOMP_SPINCOUNT = '[0-9]*'$}}
// VERBOSE-NEXT: {{^OPENMP DISPLAY ENVIRONMENT END$}}
// PLAIN-NEXT: {{^OPENMP DISPLAY ENVIRONMENT END$}}
#include "check.h"

int main(int argc, char **argv) {
  if (argc == 1 || strcmp(argv[1], "verbose") == 0)
    omp_display_env(argc > 1);
  /* What a program sets later is not shown: the display is about the environment. */
  omp_set_num_threads(7);
  return omp_get_max_threads() != 7;
}
