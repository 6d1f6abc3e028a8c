/* constructor_library.c - a library with a region in its constructor and in its destructor */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

static void region(void) {
  int members = 0;
#pragma omp parallel num_threads(4) reduction(+ : members)
  members++;
  if (members != 4)
    abort();
}

#ifdef LATE
__attribute__((destructor))
#else
__attribute__((constructor))
#endif
static void first_need(void) {
  for (int i = 0; i < 1000; i++)
    region();
}
