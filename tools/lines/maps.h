/* maps.h - where an address of the traced process lies
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         maps_find() reads /proc/PID/maps when the address is in none of the mappings that it
 *             knows. The pipe of the trace is short, so the process still lives
 * What        A mapping belongs to a file if it has the file's name, or follows such a one without
 *             a gap: then it is the file's data that begins as zeros. Without a file it is a stack
 *             if the mapping below it is a guard (no access), else the heap
 */
#ifndef NTH_LINES_MAPS_H
#define NTH_LINES_MAPS_H

#include <stdint.h>

struct mapping {
  uint64_t from, to;
  uint64_t offset;   /* of `from` in the file */
  uint64_t base;     /* where the file's first mapping begins */
  const char *where; /* a path, "[stack]", "[heap]" */
};

/* The mapping of an address of process pid; NULL: none. Valid until the next call. */
const struct mapping *maps_find(long pid, uint64_t address);

/* Grows `old`, or ends the program if there is no memory. */
void *maps_grown(void *old, uint64_t bytes);

#endif
