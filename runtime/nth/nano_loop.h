/* nano_loop.h - a loop on the processors: a nano-thread for each of them, which takes chunks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread a chunk costs a descriptor and a queue operation for each. From "A
 *             Library Implementation of the Nano-Threads Programming Model" (Euro-Par 1996),
 *             section 4: loops with self-scheduling, and a program that answers a request for a
 *             processor at a safe point, of which the end of a chunk is one.
 * Use         nth_nano_loop() by any thread that may call nth_block(). It returns when all chunks
 *             have ended
 * How         One nano-thread for each processor is owner of a part of the loop (struct/chunks.h).
 *             All of them have the caller's wait as successor. The caller blocks
 * Requests    At the end of a chunk the processor looks at the request, as it does between two
 *             nano-threads (away.h). If it has to go, the nano-thread makes another one for the
 *             same owner, leaves it its successor, queues it at the end of the own queue, and ends.
 *             The processor runs that one when it is given back. Else one that has no chunks any
 *             more finds it there. Without memory for it, the nano-thread goes on
 * Wait        The caller may already wait for nano-threads that it has made (nth_depadd). So the
 *             loop has a descriptor of its own, which stands for the caller meanwhile
 * Invariants  I1  one nano-thread at a time is owner i: a queue orders one after the other
 *             I2  each owner's nano-threads take one off the wait together
 * Fork        a child that is forked in a body has that nano-thread only, which ends after the
 *             chunk; a child that is forked while the caller waits returns ECHILD there
 * Cost        of a loop: one descriptor and one queue operation a processor, a block of memory, a
 *             block and a resume. Of a chunk: chunks.h, and a comparison
 * Tested by   tests/lit/nth/loop*.c, tests/unit/chunks.c
 */
#ifndef NTH_NTH_NANO_LOOP_H
#define NTH_NTH_NANO_LOOP_H

#include <stdint.h>

/* The arguments of nth_loop_run(). */
struct nth_nano_loop {
  long begin, end;   /* iterations begin .. end - 1 */
  uint32_t schedule; /* NTH_SCHED_ kind of icv.h; RUNTIME: OMP_SCHEDULE's */
  long chunk;        /* 0: the schedule's usual one */
  void (*body)(long begin, long end, void *data);
  void *data;
};

/* Returns 0 or an errno value; then it has called nothing, but for ECHILD. */
int nth_nano_loop(const struct nth_nano_loop *form);

#endif
