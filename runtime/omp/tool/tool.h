/* tool.h - the tool that watches the program by OMPT: what it wants to hear, and its records
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A tool (omp-tools.h) hears of each region, task and wait. A program without a tool
 *             must not pay for that. So the rooms that do the work do not know of tools. Where a
 *             program enters the library, one test of nth_tool.on leads to the room omp/told,
 *             which makes the same calls with the events around them.
 * Use         if (nth_tool_on()) at an entry; NTH_TELL(event, arguments) in omp/told
 * Invariants  I1  `on` is set while the library is loaded, before any member is there, and stays.
 *                 When the tool ends its callbacks go
 *             I2  nth_tool_member.task is the task that the tool was last told to run on the
 *                 member
 *             I3  a record lives from the event that begins its task or region to the event
 *                 that ends it. The tool has its address, so it does not move
 * Orders      the callbacks are relaxed: the tool writes them while it starts, before there are
 *             members, or in a callback. One that is taken away may be called once more
 * Cost        no tool: a load and a branch that is never taken, at each entry that tells something
 * Tested by   tests/lit/ompt
 */
#ifndef NTH_OMP_TOOL_H
#define NTH_OMP_TOOL_H

#include "runtime/base/atomic.h"
#include "runtime/omp/tool/omp-tools.h"
#include "runtime/omp/tool/own-tools.h"

/* The events: name, name of the callback's type, what ompt_set_callback answers. impossible: the
 * program makes no call for it, since the compiler has it inline; or there is no device. */
#define NTH_TOOL_EVENTS(X)                                                                         \
  X(thread_begin, thread_begin, always)                                                            \
  X(thread_end, thread_end, always)                                                                \
  X(parallel_begin, parallel_begin, always)                                                        \
  X(parallel_end, parallel_end, always)                                                            \
  X(task_create, task_create, always)                                                              \
  X(task_schedule, task_schedule, always)                                                          \
  X(implicit_task, implicit_task, always)                                                          \
  X(target, target, always)                                                                        \
  X(target_data_op, target_data_op, impossible)                                                    \
  X(target_submit, target_submit, impossible)                                                      \
  X(control_tool, control_tool, always)                                                            \
  X(device_initialize, device_initialize, impossible)                                              \
  X(device_finalize, device_finalize, impossible)                                                  \
  X(device_load, device_load, impossible)                                                          \
  X(device_unload, device_unload, impossible)                                                      \
  X(sync_region_wait, sync_region, always)                                                         \
  X(mutex_released, mutex, always)                                                                 \
  X(dependences, dependences, always)                                                              \
  X(task_dependence, task_dependence, sometimes)                                                   \
  X(work, work, sometimes)                                                                         \
  X(masked, masked, sometimes)                                                                     \
  X(target_map, target_map, impossible)                                                            \
  X(sync_region, sync_region, always)                                                              \
  X(lock_init, mutex_acquire, always)                                                              \
  X(lock_destroy, mutex, always)                                                                   \
  X(mutex_acquire, mutex_acquire, always)                                                          \
  X(mutex_acquired, mutex, always)                                                                 \
  X(nest_lock, nest_lock, always)                                                                  \
  X(flush, flush, impossible)                                                                      \
  X(cancel, cancel, always)                                                                        \
  X(reduction, sync_region, impossible)                                                            \
  X(dispatch, dispatch, sometimes)                                                                 \
  X(target_emi, target_emi, always)                                                                \
  X(target_data_op_emi, target_data_op_emi, impossible)                                            \
  X(target_submit_emi, target_submit_emi, impossible)                                              \
  X(target_map_emi, target_map_emi, impossible)                                                    \
  X(error, error, always)

struct nth_tool {
  bool on; /* w: the library's start; r: all; I1 */
  /* OMP_TOOL, OMP_TOOL_LIBRARIES, OMP_TOOL_VERBOSE_INIT; NULL: not set; for debuggers */
  bool looks;
  const char *libraries, *verbose;
  struct {
#define NTH_TOOL_CALL(event, type, answer) _Atomic(ompt_callback_##type##_t) event;
    NTH_TOOL_EVENTS(NTH_TOOL_CALL)
#undef NTH_TOOL_CALL
  } call; /* NULL: the tool does not want the event, or has ended; w: the tool; r: all */
  _Atomic(nth_tool_doacross_wait_t) doacross_wait; /* the same */
};
/* hidden: an entry's test is one instruction and a branch */
extern struct nth_tool nth_tool __attribute__((visibility("hidden")));

#define nth_tool_on() nth_unlikely(nth_tool.on)

/* Calls the callback of an event, if there is one: NTH_TELL(cancel, data, flags, ra). */
#define NTH_TELL(event, ...)                                                                       \
  do {                                                                                             \
    __typeof__(nth_load_rlx(&nth_tool.call.event)) call_ = nth_load_rlx(&nth_tool.call.event);     \
    if (call_)                                                                                     \
      call_(__VA_ARGS__);                                                                          \
  } while (0)

struct nth_task;
struct nth_tool_task;

/* A parallel region, or what stands for one around an initial task. */
struct nth_tool_region {
  ompt_data_t data;
  struct nth_tool_task *from; /* the encountering task; NULL: none */
  const void *ra;             /* where in the program it begins; NULL: not known */
  _Atomic(uint32_t) size;     /* members; w: the master before the fork; r: all members' tools */
};

/* A task. Its own member reads and writes it. */
struct nth_tool_task {
  ompt_data_t data;
  ompt_frame_t frame;
  struct nth_tool_region *region; /* innermost parallel region; an initial task's is its own */
  struct nth_tool_task *below;    /* the task that the member has left for it; NULL: none, or that
                                   * is its region's encountering task */
  const void *code;               /* the program's function that it runs; NULL: an initial task */
  const void *made; /* where in the program an explicit task was made; this field and the next
                     * one: for NTH_STALL */
  uintptr_t maker;  /* the name of the task that made it: its record's address */
  const void *work; /* where in the program the work-sharing construct is that the task executes,
                     * or executed last; NULL: none, or its end is told */
  ompt_work_t work_kind; /* of that one */
  uint64_t work_count;
  bool work_ahead; /* it is a loop of which the task has not asked for a chunk; not told yet */
  int flags;       /* ompt_task_flag_t */
  bool yields;     /* it is in a taskyield */
  bool target;     /* it is the initial task of a target region, a part of nth_told_role */
  bool cancelled;  /* it has met an active cancellation point of its taskgroup */
  uint32_t thread_num;
  struct nth_task *task; /* the task itself, or the frame that it has left; for debuggers */
};

/* A task outside all regions, and what stands for its region. */
struct nth_tool_initial {
  struct nth_tool_task task; /* first: so the member's current task is found here */
  struct nth_tool_region whole;
  struct nth_tool_initial *next;
  bool spare; /* in `more`: no nano-thread is in it */
};

#define NTH_TOOL_NO_GOAL UINT64_MAX

/* A member, which is a thread to the tool, whatever OS thread runs it. Its own. */
struct nth_stall_notes;
struct nth_tool_member {
  ompt_data_t data;
  struct nth_tool_task *task;      /* I2; NULL: a slave outside regions */
  const void *ra;                  /* where in the program the library was entered last, of entries
                                    * whose events come from below */
  ompt_wait_id_t wait;             /* what it waits for; 0: nothing with a name */
  uint64_t goal;                   /* where it waits in an ordered loop: the iteration that must be
                                    * past first; NTH_TOOL_NO_GOAL: not known; for NTH_STALL */
  uint32_t state;                  /* ompt_state_t */
  bool passed;                     /* it has passed the point thread_begin; points.h */
  bool ended;                      /* its thread_end has been told */
  struct nth_tool_initial initial; /* a root's; of a slave it has begun if `region` is set */
  struct nth_tool_region *spare;   /* records of regions that it has opened and that are over;
                                    * told_region.c */
  struct nth_tool_initial *more;   /* others, while nano-threads of nth.h wait inside regions */
  struct nth_stall_notes *notes;   /* where it is, for NTH_STALL; NULL: nothing noted */
};

/* Looks for a tool and starts it, if there is one. lookup: what the tool finds entry points by.
 * False: OMP_TOOL wants none. */
bool nth_tool_begin(ompt_function_lookup_t lookup);
/* Whether there is a tool that has not ended: the library may tell its events without one, to a
 * debugger or for NTH_STALL. */
bool nth_tool_there(void);
/* Lets the tool end; later calls do nothing. before: what is told before. */
void nth_tool_end(void (*before)(void));

#endif
