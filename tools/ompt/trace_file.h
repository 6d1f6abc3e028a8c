/* trace_file.h - the file of a process's trace, and the parts of it that threads write
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A block of the file that a thread maps is its buffer. What it writes is the kernel's
 *             at once: it stays when the process ends by _exit() or by a signal, and no handler of
 *             signals is needed. Space is reserved before it is mapped, so that a full disk is an
 *             error of that reservation, and no SIGBUS.
 * Use         trace_file_begin() once; trace_file_block() for each block, by any thread
 * Invariants  I1  blocks do not overlap: `used` gives each a part of its own
 *             I2  the file is opened anew for each block. A program that closes all its files, or
 *                 reuses their numbers, does not harm the trace, nor the trace the program
 *             I3  after fork() the child has no block of its parent's, and a file of its own, which
 *                 is made with its first event
 */
#ifndef NTH_TRACE_FILE_H
#define NTH_TRACE_FILE_H

#include <stdbool.h>

#include "tools/ompt/trace_format.h"

/* Starts the trace in the folder of NTH_TRACE_DIR. False, after a message: it cannot be. */
bool trace_file_begin(void);
/* A block of that many bytes, mapped, its head filled in; NULL: limit, full disk, no memory. */
struct trace_block *trace_file_block(uint32_t row, uint32_t turn, uint32_t bytes);
/* The process ends by exit(). dropped: of rows without blocks. */
void trace_file_end(uint64_t dropped);
/* The child of fork() begins a trace of its own. */
void trace_file_forked(void);

#endif
