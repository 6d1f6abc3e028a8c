/* memory.c - what happens when there is no memory that the program could go on with
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * It ends with libgomp's words and status.
 */
#include <stdlib.h>

#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"

static void end(size_t size) {
  nth_msg_libgomp("Out of memory allocating %zu bytes", size);
  exit(EXIT_FAILURE);
}

/* Before omp/process/init.c reads the environment, which wants memory. */
__attribute__((constructor(999))) static void begin(void) { nth_heap_exhausted = end; }
