/* asks.c - OMPT: what each member of each team learns from the entry points, outside all events */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members ask at each level around them: sizes, numbers, flags, data of regions and tasks that
// belong to the level, frames, the thread's data, the state. In teams whose size changes, nested
// ones, serialized ones, cancelled ones, and in explicit tasks. The program's own functions say
// what is right.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -rdynamic
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_MEMBERS=os %omp_run %t
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "check.h"
#include "Inputs/linked.h"

enum { MOST = 1000 }; /* members of a team are fewer */

static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;
static ompt_get_thread_data_t thread_data;
static ompt_get_state_t state;
static atomic_int regions, threads, answers;

/* --- events: only what names records --- */

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  (void)type;
  data->value = (uint64_t)++threads;
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                           unsigned wanted, int flags, const void *ra) {
  (void)task, (void)frame, (void)wanted, (void)flags, (void)ra;
  region->value = (uint64_t)++regions;
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *region, ompt_data_t *task,
                          unsigned members, unsigned index, int flags) {
  (void)members;
  if (at == ompt_scope_begin && !(flags & ompt_task_initial))
    task->value = region->value * MOST + index;
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  state = (ompt_get_state_t)lookup("ompt_get_state");
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  return 1;
}

/* --- questions --- */

struct answer {
  ompt_data_t *task, *region;
  ompt_frame_t *frame;
  int flags, number, size;
};

/* What both functions say of a level. explicit_tasks: that many tasks lie above the implicit one of
 * the innermost region. */
static struct answer ask_level(int level, int explicit_tasks) {
  struct answer a = {0};
  ompt_data_t *region = 0;
  int above = level < explicit_tasks ? level : explicit_tasks;
  CHECK_EQ(task_info(level, &a.flags, &a.task, &a.frame, &a.region, &a.number), 2);
  CHECK_EQ(parallel_info(level - above, &region, &a.size), 2);
  CHECK(a.task && a.frame && region == a.region);
  return a;
}

/* The region at one of OpenMP's levels, 0: the initial task. */
static void check_region(const struct answer *a, int level, bool innermost) {
  CHECK_EQ(a->number, omp_get_ancestor_thread_num(level));
  CHECK_EQ(a->size, omp_get_team_size(level));
  CHECK((a->flags & ompt_task_initial) == (level == 0 ? ompt_task_initial : 0));
  CHECK((a->flags & ompt_task_implicit) == (level == 0 ? 0 : ompt_task_implicit));
  CHECK(!(a->flags & (int)ompt_task_undeferred) == (level == 0 || a->size > 1));
  CHECK((a->frame->exit_frame.ptr != 0) == (level > 0));
  CHECK((a->frame->enter_frame.ptr != 0) == !innermost);
  if (level > 0) {
    CHECK(a->region->value > 0);
    CHECK_EQ(a->task->value, a->region->value * MOST + (uint64_t)a->number);
  }
}

static void ask(int explicit_tasks) {
  int levels = omp_get_level();
  struct answer inner = {0};
  ompt_wait_id_t wait = 1;
  for (int i = 0; i < explicit_tasks; i++) {
    struct answer a = ask_level(i, explicit_tasks);
    CHECK(a.flags & ompt_task_explicit);
    CHECK_EQ(a.number, omp_get_thread_num());
    CHECK(a.frame->exit_frame.ptr != 0 && (a.frame->enter_frame.ptr != 0) == (i > 0));
    CHECK(a.task != inner.task);
    inner = a;
  }
  for (int i = 0; i <= levels; i++) {
    struct answer a = ask_level(explicit_tasks + i, explicit_tasks);
    check_region(&a, levels - i, i == 0 && explicit_tasks == 0);
    CHECK(a.task != inner.task);
    CHECK(i == 0 || a.region != inner.region);
    inner = a;
  }
  CHECK_EQ(task_info(explicit_tasks + levels + 1, 0, 0, 0, 0, 0), 0);
  CHECK_EQ(parallel_info(levels + 1, 0, 0), 0);
  CHECK(thread_data() && thread_data()->value > 0);
  CHECK_EQ(state(&wait), levels > 0 ? ompt_state_work_parallel : ompt_state_work_serial);
  answers++;
}

/* All members of a team see one region, and have threads of their own. */
static void ask_team(ompt_data_t **region, uint64_t *thread) {
  ompt_data_t *mine = 0;
  ask(0);
  CHECK_EQ(parallel_info(0, &mine, 0), 2);
  thread[omp_get_thread_num()] = thread_data()->value;
#pragma omp single
  *region = mine;
  CHECK(*region == mine);
  for (int i = 0; i < omp_get_thread_num(); i++)
    CHECK(thread[i] != thread[omp_get_thread_num()]);
  ask(0);
}

/* --- teams --- */

static void flat(int n) {
  ompt_data_t *region = 0;
  uint64_t thread[16];
#pragma omp parallel num_threads(n)
  {
    CHECK_EQ(omp_get_num_threads(), n);
    ask_team(&region, thread);
    if (n == 1) { /* it is deferred there, too */
#pragma omp task
      {
        struct answer a = ask_level(0, 1);
        CHECK(!(a.flags & (int)ompt_task_undeferred));
        ask(1);
      }
#pragma omp taskwait
    }
#pragma omp task if (0)
    {
      ask(1);
#pragma omp task if (0)
      ask(2);
    }
  }
  ask(0);
}

static void nested(int active) {
  omp_set_max_active_levels(active);
#pragma omp parallel num_threads(2)
  {
    ompt_data_t *region = 0;
    uint64_t thread[16];
    ask(0);
#pragma omp parallel num_threads(3)
    {
      CHECK_EQ(omp_get_num_threads(), active > 1 ? 3 : 1);
      ask_team(&region, thread);
#pragma omp parallel num_threads(1)
      ask(0);
      ask(0);
    }
    ask(0);
  }
  ask(0);
}

static void cancelled(int n) {
#pragma omp parallel num_threads(n)
  {
    ask(0);
    if (omp_get_thread_num() == n - 1) {
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
    ask(0);
#pragma omp barrier
    ask(0);
  }
  ask(0);
}

int main(void) {
  static const int sizes[] = {1, 2, 5, 3, 2, 1, 4};
  omp_set_dynamic(0);
  ask(0);
  for (int turn = 0; turn < 20; turn++) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      flat(sizes[i]);
    nested(2);
    cancelled(3);
    nested(1);
    cancelled(2);
    flat(4);
  }
  CHECK(answers > 20 * (4 * 18 + 7));
  return 0;
}
