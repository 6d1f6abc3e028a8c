/* memory.c - ends the program when the runtime finds no memory to go on with
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words and the status are libgomp's.
 */
#include <stdlib.h>

#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"

static void end(size_t size) {
  nth_msg_libgomp("Out of memory allocating %zu bytes", size);
  exit(EXIT_FAILURE);
}

/* Runs before omp/process/init.c reads the environment, which needs memory. */
__attribute__((constructor(999))) static void begin(void) { nth_heap_exhausted = end; }
