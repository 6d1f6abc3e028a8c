/* profile_file.h - the file in which the tool of `nanogomp profile` keeps its figures
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program may end by _exit(), by exec or by a signal, and its figures must be there
 *             all the same. So they are not written at the end: they lie in a file that is mapped
 *             into the process. tools/nanogomp_lib/profile_raw.py reads it and has the same numbers
 * Layout      struct prof_head, then records, each of which says its size. The end of a chunk of
 *             PROF_CHUNK bytes may be empty: no record lies in two chunks
 * Invariants  I1  a record's `type` is written last: what has none is not complete
 *             I2  only its member writes a row and its cells; nodes do not change
 *             I3  the ticks of all cells of a row, and those from `since` on, are the time from its
 *                 `begin` to its `end`
 *             I4  a slave that is `late` has been in its `instance` of a region, which is open,
 *                 since `came`; before that it was idle, and called when the region began
 * Cost        sparse: a page of memory is touched when a record in it is made
 */
#ifndef NTH_OMPT_PROFILE_FILE_H
#define NTH_OMPT_PROFILE_FILE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define PROF_MAGIC "nthprof6"
enum {
  PROF_HEAD_BYTES = 8192,
  PROF_CHUNK = 1 << 18,
  PROF_EVENTS = 8, /* counters at most */
  PROF_NAME = 64,
  PROF_BINS = 256
};

/* The member of cells that have the events of the process. Their ticks are the time in which the
 * events were those of the node, in `count` intervals. */
#define PROF_PROCESS UINT32_MAX

enum prof_type { PROF_NODE = 1, PROF_ROW, PROF_CELL, PROF_MAPS };

/* What a member does. */
enum prof_state { PROF_WORK, PROF_WAIT, PROF_OVERHEAD, PROF_IDLE, PROF_STATES };

/* What a node stands for. */
enum prof_kind {
  PROF_SERIAL = 1, /* outside regions; there is one such node, number 0 */
  PROF_REGION,
  PROF_TASK,
  PROF_LOOP,
  PROF_SECTIONS,
  PROF_SINGLE,
  PROF_SCOPE,
  PROF_TASKLOOP,
  PROF_DISTRIBUTE,
  PROF_BARRIER,
  PROF_BARRIER_IMPLICIT,
  PROF_TASKWAIT,
  PROF_TASKGROUP,
  PROF_LOCK,
  PROF_NEST_LOCK,
  PROF_CRITICAL,
  PROF_ATOMIC,
  PROF_ORDERED
};

struct prof_head {
  char magic[8];
  uint32_t head_bytes, chunk_bytes;
  uint64_t ticks_begin;           /* the profile's time begins */
  uint64_t ticks_first, ns_first; /* a pair of times; ns: CLOCK_MONOTONIC */
  uint64_t ticks_now, ns_now;     /* a later one; w: the member that finds it a second old */
  uint64_t ticks_end;             /* 0: the process has not ended by exit() */
  uint64_t ns_gone;               /* when the command saw it gone, or 0; w: the command */
  uint64_t ns_started;  /* when the command started it, or 0: it did not; w: the command */
  uint32_t pid, parent; /* parent: process from which this one was forked; 0: none */
  uint32_t lost;        /* records for which there was no room */
  uint32_t events;
  uint32_t counted;     /* bit i: event i is counted */
  uint32_t multiplexed; /* bit i: event i shares its counter with others */
  uint32_t moved;       /* members changed OS threads: their events are not counted */
  uint32_t closed;      /* the program has closed counters: from then on events are not counted */
  /* Ticks in which a region was open. While one is, its begin is subtracted already: a reader adds
   * the end. w: with roots, from 0 or to 0: profile_process.c */
  _Atomic(uint64_t) inside;
  _Atomic(uint32_t) roots;   /* threads that have an outermost region open; R */
  uint32_t shared;           /* bit i: event i is of the process: cells of PROF_PROCESS have it */
  uint32_t floating, unused; /* bit i: event i has floating-point values; it is not counted */
  char event_names[PROF_EVENTS][PROF_NAME];
  char program[1024];
  char why[1024]; /* a line for each event that is not counted */
};
static_assert(sizeof(struct prof_head) <= PROF_HEAD_BYTES, "it has its place");

struct prof_record {
  uint32_t type, bytes;
};

/* A place in the program: a construct, in a task or region, or a region, in another one. */
struct prof_node {
  struct prof_record record;
  uint32_t kind, id;
  uint64_t site;   /* codeptr_ra */
  uint64_t caller; /* of a region: where the function with the region was called; 0: unknown */
  uint32_t parent, unused;
  /* for the process only: */
  struct prof_node *up;     /* the parent */
  struct prof_node *region; /* the region or SERIAL around it, or itself */
  struct prof_node *scope;  /* the task or region of which it is a construct, or itself */
};

/* Of a member's time line: ticks by state between two moments, and the region of the last one. */
struct prof_bin {
  uint64_t ticks[PROF_STATES];
  uint32_t node, unused;
};

/* What of a slave's part of a region is not in its cells yet; profile_region.c. */
enum prof_late { PROF_SETTLED, PROF_CAME, PROF_JOINED };

/* A member. Its own, as cells are. */
struct prof_row {
  struct prof_record record;
  uint32_t number, is_initial;
  uint64_t begin, end; /* ticks; end 0: it lives */
  uint64_t since;      /* up to here its time is in its cells */
  uint32_t state, node;
  uint64_t bin_ticks; /* of one bin; bins begin at ticks_begin of the head */
  uint32_t threads;   /* threads that one after the other had this row */
  uint32_t late;      /* PROF_CAME: its task began at `came`; JOINED: and its wait for the others */
  uint64_t came, joined; /* at `joined`. `since`, `state` and `node` are as before the region */
  uint64_t instance;     /* of that region; as in its master's cell */
  struct prof_bin bins[PROF_BINS];
};

/* What one member did at one node. */
struct prof_cell {
  struct prof_record record;
  uint32_t member, node;
  struct prof_node *at; /* for the process only; what follows are the figures */
  uint64_t ticks[PROF_STATES];
  uint64_t count; /* times: implicit tasks of a region, tasks run, waits, locks taken, loops */
  uint64_t units; /* instances of a region (at its master), chunks of a loop, tasks created */
  uint64_t size;  /* ticks of the instances, iterations of the chunks */
  uint64_t least, most;      /* of `size`, of one unit */
  uint64_t opened;           /* of a region: when its master began the one that is open; 0: none */
  uint64_t held;             /* ticks from having a lock to leaving it */
  uint64_t samples, sampled; /* intervals of work in which events were counted; their ticks */
  uint64_t spent;            /* ticks for counting them */
  uint64_t events[PROF_EVENTS];
  /* of a region's instances, at its master: the smallest and largest team, and the most members
   * that were asked for */
  uint32_t team_least, team_most, team_asked, unused;
  uint64_t instance; /* of the one that is open: the address of its ompt_data_t */
};

/* A part of /proc/self/maps, without zeros in it; text of record.bytes - sizeof, filled up with
 * zeros. The parts in the order of their records are the whole text, or that of several moments. */
struct prof_maps {
  struct prof_record record;
  char text[];
};

#endif
