/* trace_format.h - the raw trace: what `nanogomp trace` records of a process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Recording must be cheap and must survive any end of the process. So the file is what
 *             threads write, by shared mappings; formats for viewers are made of it later.
 * File        a head of TRACE_PAGE bytes, then blocks. A block begins at a multiple of TRACE_PAGE
 *             and has struct trace_block first. Pages of zeros between blocks are space that was
 *             reserved by a thread that did not get to use it: a reader goes on at the next page.
 *             Numbers are little-endian.
 * Rows        the events of one thread have one row. A thread that begins after another has ended
 *             may go on in its row. The blocks of a row have turns 0, 1, 2 ...
 * Events      those of a row are in the order of their time. The first of kind 0 is behind the
 *             last one.
 * Read by     tools/nanogomp_lib/trace_file.py, which has the same numbers; docs/trace.md
 */
#ifndef NTH_TRACE_FORMAT_H
#define NTH_TRACE_FORMAT_H

#include <stdint.h>

#define TRACE_MAGIC "NTHTRACE"
enum { TRACE_VERSION = 1, TRACE_PAGE = 4096, TRACE_BLOCK = 0x4b4c4254 /* "TBLK" */ };

enum trace_clock { TRACE_TICKS = 1 /* of the CPU's counter */, TRACE_NS = 2 /* CLOCK_MONOTONIC */ };

/* Two clocks at one moment. */
struct trace_moment {
  uint64_t ticks; /* of events */
  uint64_t ns;    /* of CLOCK_MONOTONIC */
};

struct trace_head {
  char magic[8];
  uint32_t version, event_bytes;
  uint32_t clock; /* enum trace_clock */
  uint32_t pid, parent;
  uint32_t forked;           /* 1: begins in a child of fork() */
  struct trace_moment start; /* the beginning of the trace */
  struct trace_moment
      other; /* before `start`: tells how long a tick is, if nothing tells it better */
  struct trace_moment end; /* 0: the process has ended without exit() */
  uint64_t real_ns;        /* CLOCK_REALTIME at `start` */
  uint64_t dropped;        /* events of rows that have no block; others: trace_block.dropped */
};

enum trace_content { TRACE_EVENTS = 1, TRACE_MAPS = 2, TRACE_COMMAND = 3 };

struct trace_block {
  uint32_t magic;   /* TRACE_BLOCK */
  uint32_t content; /* enum trace_content; MAPS: text of /proc/PID/maps; COMMAND: arguments, each
                     * with a 0 behind it */
  uint32_t bytes;   /* with this head; a multiple of TRACE_PAGE */
  uint32_t row;     /* of EVENTS */
  uint32_t turn;    /* of EVENTS; else the length of the text */
  uint32_t unused;
  struct trace_moment opened;
  uint64_t dropped; /* events that came when the block was full and there was no other one */
};
_Static_assert(sizeof(struct trace_block) == 48, "trace_file.py reads 48 bytes");

/* Beside each: sub; where; what stands in row and number. Tasks have numbers of 48 bits: row is the
 * upper part. An address is codeptr_ra: the call before it was made there. */
enum trace_kind {
  TRACE_THREAD_BEGIN = 1, /* ompt_thread_t */
  TRACE_THREAD_END,       /* - */
  TRACE_REGION_BEGIN,     /* -; address, and a name of the region in the upper 16 bits; members
                           * wanted */
  TRACE_REGION_END,       /* -; the same; - */
  TRACE_MEMBER_BEGIN,     /* 1: an initial task; as REGION_BEGIN; row: number in the team; number:
                           * the implicit task's, in its thread's row */
  TRACE_MEMBER_END,       /* as MEMBER_BEGIN; -; as there */
  TRACE_WAIT_BEGIN,       /* ompt_sync_region_t; address; - */
  TRACE_WAIT_END,         /* the same */
  TRACE_TASK_CREATE,      /* enum trace_task; address; the task */
  TRACE_TASK_SWITCH,      /* ompt_task_status_t; the task before; the next one, 0: none */
  TRACE_LOCK_WAIT,        /* ompt_mutex_t; address; the lock's address, 48 bits */
  TRACE_LOCK_TAKEN,       /* the same */
  TRACE_LOCK_LEFT,        /* the same */
  TRACE_WORK_BEGIN,       /* ompt_work_t; address; iterations, 48 bits */
  TRACE_WORK_END,         /* the same */
  TRACE_CHUNK,            /* ompt_dispatch_t; first iteration, or a section's address; iterations,
                           * 48 bits */
  TRACE_CANCEL,           /* ompt_cancel_flag_t; address; - */
  TRACE_TARGET_BEGIN,     /* ompt_target_t; address; the device */
  TRACE_TARGET_END,       /* the same */
  TRACE_ERROR             /* ompt_severity_t; address; - */
};

enum trace_task { TRACE_UNDEFERRED = 1, TRACE_UNTIED = 2, TRACE_FINAL = 4, TRACE_DEPENDS = 8 };

struct trace_event {
  uint64_t time; /* ticks */
  uint64_t where;
  uint32_t number;
  uint16_t row;
  uint8_t kind; /* enum trace_kind; written last */
  uint8_t sub;
};
_Static_assert(sizeof(struct trace_event) == 24, "trace_file.py reads 24 bytes");

#endif
