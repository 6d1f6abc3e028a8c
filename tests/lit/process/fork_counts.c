/* fork_counts.c - the child of a held thread knows how many threads the library holds */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the library's last line under NTH_VERBOSE: in a child that a slave made and that calls
// exit() it holds that one thread; when the region's body returns in the child the thread ends, and
// it holds none. It counts the threads that it makes itself, from 0 on.
// nanogomp-only: libgomp has no such line.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_VERBOSE=1 %omp_run %t exit 2> %t.exit && %FileCheck --check-prefix=EXIT %s < %t.exit
// RUN: env NTH_VERBOSE=1 %omp_run %t return 2> %t.return && \
// RUN:   %FileCheck --check-prefix=RETURN %s < %t.return
// RUN: env NTH_VERBOSE=1 %omp_run %t region 2> %t.region && \
// RUN:   %FileCheck --check-prefix=REGION %s < %t.region
// EXIT: 0 threads made, 1 held at the end
// EXIT: 2 threads made, 2 held at the end
// RETURN: 0 threads made, 0 held at the end
// RETURN: 2 threads made, 2 held at the end
// REGION: 2 threads made, 3 held at the end
// REGION: 2 threads made, 2 held at the end
#include "children.h"

static void in_child(const char *what) {
  child_limit(30);
  if (strcmp(what, "region") == 0) {
#pragma omp parallel num_threads(3)
    CHECK_EQ(omp_get_num_threads(), 3);
  }
  if (strcmp(what, "return") != 0)
    exit(0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 2) {
    pid_t child = fork();
    if (child == 0)
      in_child(argv[1]);
    else
      expect_child(child, 0);
  }
  return 0;
}
