/* locked.h - the process's locked memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_TEST_LOCKED_H
#define NTH_TEST_LOCKED_H

#include <stdio.h>

/* In KiB; -1: the system does not say. */
static long locked(void) {
  char line[256];
  long kib = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    sscanf(line, "VmLck: %ld", &kib);
  if (f)
    fclose(f);
  return kib;
}

#endif
