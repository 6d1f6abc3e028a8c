/* space.h - libompd.so: handles, and how the process is read
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A debugger asks about a process or core file that it alone can read. So everything
 *             here goes through its callbacks, and addresses of the process are numbers.
 * Use         A function that the debugger calls checks its handles (NTH_OMPD_NEED), opens a look
 *             and reads fields by nth_ompd_get(). The first failure stays in the look: what is read
 *             after it is 0, and the function returns look.rc at its end
 * Invariants  I1  offsets come from the process's own table (abi/ompd_table.h), which was compared
 *                 with this library's when the space was opened
 *             I2  a handle's `kind` says what it is; a released one has kind 0
 *             I3  loops over lists of the process end by NTH_OMPD_MANY: it may have been stopped
 *                 anywhere, or its memory may be damaged
 */
#ifndef NTH_OMPD_SPACE_H
#define NTH_OMPD_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/ompd_table.h"
#pragma GCC visibility push(default)
#include "runtime/omp/tool/omp-tools.h"
#pragma GCC visibility pop

enum { NTH_OMPD_MANY = 100000, NTH_OMPD_LEVELS = 1000 };

/* The first word of each handle. */
enum nth_ompd_kind {
  NTH_OMPD_SPACE = 0x6e734153,
  NTH_OMPD_THREAD = 0x6e734154,
  NTH_OMPD_REGION = 0x6e734152,
  NTH_OMPD_TASK = 0x6e73414b
};

struct _ompd_aspace_handle {
  uint32_t kind;
  ompd_address_space_context_t *context;
  struct nth_ompd_table table;
};

/* A member: its line in the roll, and which use of the line (roll.h I2). line 0: not known. */
struct nth_ompd_line {
  uint64_t line;
  uint32_t uses;
};

struct _ompd_thread_handle {
  uint32_t kind;
  ompd_address_space_handle_t *space;
  struct nth_ompd_line of;
};

/* A region of a team. team 0: what stands for one around an initial task of the member `of`. */
struct _ompd_parallel_handle {
  uint32_t kind;
  ompd_address_space_handle_t *space;
  uint64_t team, regions; /* regions: the team's count, by which an ended region is known */
  uint64_t slot;          /* of the initial task; 0: a team's region */
  struct nth_ompd_line of;
};

struct _ompd_task_handle {
  uint32_t kind;
  ompd_address_space_handle_t *space;
  uint64_t task;   /* struct nth_task; 0: only its record is known */
  uint64_t record; /* struct nth_tool_task; 0: none */
  uint64_t team;   /* of its region; 0: an initial task's */
  uint64_t regions;
  struct nth_ompd_line of; /* the member that led to it */
};

extern const ompd_callbacks_t *nth_ompd_call; /* NULL: ompd_initialize() was not called */

/* Leaves the caller unless p is a handle of that kind, whose space is one. */
#define NTH_OMPD_NEED(p, what)                                                                     \
  do {                                                                                             \
    if (!nth_ompd_call || !(p) || (p)->kind != (what))                                             \
      return ompd_rc_stale_handle;                                                                 \
  } while (0)
#define NTH_OMPD_NEED_IN_SPACE(p, what)                                                            \
  do {                                                                                             \
    NTH_OMPD_NEED(p, what);                                                                        \
    NTH_OMPD_NEED((p)->space, NTH_OMPD_SPACE);                                                     \
  } while (0)

/* --- reading --- */

struct nth_ompd_look {
  const ompd_address_space_handle_t *space;
  ompd_rc_t rc; /* of the first failure; ompd_rc_ok: none */
};

/* Bytes of the process. False: they cannot be read, and look->rc says why. */
bool nth_ompd_bytes(struct nth_ompd_look *look, uint64_t at, uint64_t bytes, void *to);
/* An unsigned number of 1, 2, 4 or 8 bytes. */
uint64_t nth_ompd_number(struct nth_ompd_look *look, uint64_t at, uint32_t bytes);
/* A field of the struct at `base`: its address, or its value. base 0 is a failure. */
uint64_t nth_ompd_at(struct nth_ompd_look *look, uint64_t base, enum nth_ompd_field field);
uint64_t nth_ompd_get(struct nth_ompd_look *look, uint64_t base, enum nth_ompd_field field);

static inline uint64_t nth_ompd_place(const struct nth_ompd_look *look, enum nth_ompd_place p) {
  return (uint64_t)(uintptr_t)look->space->table.place[p];
}
static inline uint64_t nth_ompd_is(const struct nth_ompd_look *look, enum nth_ompd_number n) {
  return look->space->table.number[n];
}
/* Item i of an array of pointers at `array`. */
static inline uint64_t nth_ompd_item(struct nth_ompd_look *look, uint64_t array, uint64_t i) {
  return nth_ompd_number(look, array + i * sizeof(void *), sizeof(void *));
}
/* Notes a failure. */
static inline void nth_ompd_fail(struct nth_ompd_look *look, ompd_rc_t rc) {
  if (look->rc == ompd_rc_ok)
    look->rc = rc;
}
/* Whether the members note tasks and states: there is a tool, or OMP_DEBUG=enabled. */
bool nth_ompd_tracked(struct nth_ompd_look *look);

/* --- memory of the debugger --- */

/* Zeroed; NULL: none. */
void *nth_ompd_new(size_t bytes);
ompd_rc_t nth_ompd_free(void *p);

/* --- members: threads.c --- */

/* The member of a line; 0, and look->rc: it has ended. */
uint64_t nth_ompd_member(struct nth_ompd_look *look, struct nth_ompd_line of);
/* The next line that has a member. at: the line before it, 0 at first. False: there is none. */
bool nth_ompd_next(struct nth_ompd_look *look, struct nth_ompd_line *at, uint32_t *steps);
/* A member's place in the nest of teams. team 0: outside regions, or in an initial task that it
 * runs in a region (role.h): role is the innermost one around that place. idle: it is a slave
 * without work, in no region. */
struct nth_ompd_seat {
  uint64_t team, role;
  uint32_t num;
  bool idle;
};
struct nth_ompd_seat nth_ompd_seat(struct nth_ompd_look *look, uint64_t member);
/* One level further out. False: there is none in which the member is the same thread. */
bool nth_ompd_outward(struct nth_ompd_look *look, struct nth_ompd_seat *seat);
/* The member that is thread `num` of the team; line 0: it is not found. */
struct nth_ompd_line nth_ompd_find(struct nth_ompd_look *look, uint64_t team, uint32_t num);

/* --- regions, tasks --- */

/* The failure, if the region is not the one that the handle was made for. */
void nth_ompd_region_check(struct nth_ompd_look *look, const ompd_parallel_handle_t *r);
ompd_rc_t nth_ompd_region_new(struct nth_ompd_look *look, uint64_t team, uint64_t slot,
                              struct nth_ompd_line of, ompd_parallel_handle_t **handle);
/* The slot of the initial task that is, or has made, that task of no team. */
uint64_t nth_ompd_initial_slot(struct nth_ompd_look *look, uint64_t task);
void nth_ompd_task_check(struct nth_ompd_look *look, const ompd_task_handle_t *t);
/* The member's record of that task, or (task 0) of its implicit task in the team; 0: none. */
uint64_t nth_ompd_record(struct nth_ompd_look *look, uint64_t member, uint64_t task);
/* Where a task's ICVs are. */
uint64_t nth_ompd_task_icv(struct nth_ompd_look *look, const ompd_task_handle_t *t);
uint64_t nth_ompd_task_flags(struct nth_ompd_look *look, const ompd_task_handle_t *t);

#endif
