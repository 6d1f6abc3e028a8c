/* inside.c - OMPT: a tool inside the program: regions, tasks and levels, asked for in callbacks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a tool linked into the program is found; that each member of each region has its
// begin and end, also nested ones and nano-threads; that each task is made, begun and ended once;
// that the levels of ompt_get_task_info and ompt_get_parallel_info lead to the initial task; and
// that no end of a barrier comes before the last member's begin.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -I%ompt -rdynamic
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive NTH_FORK=gwd %omp_run %t
#include <omp-tools.h>
#include <stdatomic.h>

#include "check.h"

enum { REGIONS = 40, TASKS = 200, MEMBERS = 4 };

static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;
static atomic_int regions_begun, regions_ended, members_begun, members_ended, made, begun, ended,
    in_barrier, ends_told;

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned wanted, int flags, const void *ra) {
  (void)wanted, (void)flags;
  CHECK(task && frame && frame->enter_frame.ptr && ra);
  CHECK_EQ(parallel->value, 0);
  parallel->value = (uint64_t)++regions_begun;
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra) {
  (void)task, (void)flags, (void)ra;
  CHECK(parallel->value > 0);
  regions_ended++;
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned members, unsigned index, int flags) {
  (void)members, (void)index;
  if (flags & ompt_task_initial)
    return;
  if (at == ompt_scope_begin) {
    CHECK(parallel && parallel->value > 0 && task->value == 0);
    task->value = 1;
    members_begun++;
    return;
  }
  CHECK(!parallel && task->value == 1);
  members_ended++;
}

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  (void)maker, (void)frame, (void)flags, (void)depends, (void)ra;
  task->value = 10;
  made++;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  ompt_data_t *now;
  CHECK(task_info(0, 0, &now, 0, 0, 0) == 2);
  if (status == ompt_task_switch) {
    CHECK(next->value == 10 && now == next);
    next->value = 11;
    begun++;
  } else {
    CHECK(status == ompt_task_complete && prior->value == 11);
    prior->value = 12;
    ended++;
  }
}

/* The last barrier of the program is one of MEMBERS. */
static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  (void)parallel, (void)task, (void)ra;
  if (kind != ompt_sync_region_barrier_explicit)
    return;
  if (at == ompt_scope_begin) {
    in_barrier++;
  } else {
    CHECK_EQ(in_barrier % MEMBERS, 0);
    ends_told++;
  }
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  CHECK(!lookup("ompt_no_such_entry"));
  CHECK_EQ(set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin), ompt_set_always);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  CHECK_EQ(set((ompt_callbacks_t)1000, 0), ompt_set_error);
  CHECK_EQ(set(ompt_callback_flush, 0), ompt_set_impossible);
  return 1;
}

static void end(ompt_data_t *data) {
  (void)data;
  CHECK_EQ(regions_begun, regions_ended);
  CHECK_EQ(members_begun, members_ended);
  CHECK_EQ(made, ended);
  CHECK_EQ(begun, ended);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  (void)omp_version, (void)runtime_version;
  return &result;
}

/* How many tasks there are around the caller, itself among them. */
static int levels(void) {
  int n = 0;
  while (task_info(n, 0, 0, 0, 0, 0))
    n++;
  return n;
}

int main(void) {
  int sum = 0;
  omp_set_max_active_levels(2);
  CHECK_EQ(levels(), 1);
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
    {
      int size;
      CHECK_EQ(levels(), 2);
      CHECK(parallel_info(0, 0, &size) == 2);
      CHECK_EQ(size, omp_get_num_threads());
#pragma omp parallel num_threads(2) reduction(+ : sum)
      {
        CHECK_EQ(levels(), 3);
        sum++;
      }
    }
  }
  CHECK_EQ(regions_ended, REGIONS + REGIONS * MEMBERS);
  CHECK_EQ(members_begun, members_ended);
  atomic_int done = 0;
#pragma omp parallel num_threads(MEMBERS)
#pragma omp single nowait
  for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(done)
    {
      CHECK(levels() >= 3);
#pragma omp task shared(done) if (i % 2)
      done++;
#pragma omp taskwait
      done++;
    }
  }
  CHECK_EQ(done, 2 * TASKS);
  CHECK_EQ(made, 2 * TASKS);
  CHECK_EQ(ended, 2 * TASKS);
  for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(MEMBERS)
    {
#pragma omp barrier
    }
  }
  CHECK_EQ(ends_told, 100 * MEMBERS);
  return 0;
}
