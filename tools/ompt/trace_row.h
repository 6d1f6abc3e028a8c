/* trace_row.h - a row of the trace: what one thread writes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thread of OMPT has a row of its own, whatever OS thread runs it: so an event is
 *             some stores into memory that nobody else writes.
 * Use         trace_row_new() when a thread begins, trace_note() for an event, trace_row_free()
 *             when the thread ends
 * Invariants  I1  a row is written by its thread only, but for its link in the lists
 *             I2  next < end: there is room. next == end: the block is full, or there is none
 *             I3  is_over: there are no more blocks; each event goes into `spare`, and is counted
 * Cost        an event: a read of the clock and five stores. A block, of some thousand events: an
 *             open, a reservation, two changes of mappings. No lock but at the begin and end of a
 *             thread and of a file
 * Tested by   tests/tool/test_trace.py
 */
#ifndef NTH_TRACE_ROW_H
#define NTH_TRACE_ROW_H

#include <stdatomic.h>

#include "tools/ompt/ticks.h"
#include "tools/ompt/trace_file.h"

struct trace_row {
  struct trace_event *next, *end; /* I2 */
  struct trace_block *block;      /* NULL: none yet */
  uint32_t number;                /* of the row, from 0 on */
  uint32_t tasks, regions;        /* that this thread has made: their names */
  uint32_t turn, bytes;           /* of the next block */
  bool is_over;                   /* I3 */
  uint64_t dropped;               /* as long as there is no block */
  struct trace_event spare;
  struct trace_row *older; /* list of all; w: with the lock, once */
  struct trace_row *free;  /* list of those without a thread; w, r: with the lock */
};

/* most: bytes of the largest block. */
void trace_row_begin(uint32_t most);
/* A row for a thread; NULL: no memory. */
struct trace_row *trace_row_new(void);
void trace_row_free(struct trace_row *r);
/* Makes room: where the next event goes. */
struct trace_event *trace_row_more(struct trace_row *r);
/* Events of rows that never got a block. */
uint64_t trace_row_dropped(void);
/* In the child of fork(): the rows forget their blocks. mine: of the thread that goes on. */
void trace_row_forked(struct trace_row *mine);

/* Writes an event. b: of 48 bits, in row and number. */
static inline void trace_note(struct trace_row *r, enum trace_kind kind, uint32_t sub,
                              uint64_t where, uint64_t b) {
  struct trace_event *e = r->next;
  if (__builtin_expect(e == r->end, 0))
    e = trace_row_more(r);
  e->time = ticks_now();
  e->where = where;
  e->number = (uint32_t)b;
  e->row = (uint16_t)(b >> 32);
  e->sub = (uint8_t)sub;
  atomic_signal_fence(
      memory_order_release); /* the kernel keeps what a killed process has written */
  e->kind = (uint8_t)kind;
  r->next = e + 1;
}

#endif
