/* control.c - OMPT: omp_control_tool(), and where in the program some events are */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what omp_control_tool() answers without a tool, without a callback and with one, also as
// Fortran calls it; that ordered outside any loop is told; that only the master's barrier at the
// end of a region has a place in the program; and that a thread of which the tool has not heard has
// no processor to it, and no place.
// nanogomp-only: libgomp knows no tools, and has no omp_control_tool
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -I%S/../../../abi/include -rdynamic
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_PLACES=threads %omp_run %t
// RUN: env OMP_TOOL=disabled %omp_run %t without
// RUN: env OMP_TOOL=disabled NTH_STALL=100 %omp_run %t without
// RUN: env OMP_TOOL=disabled OMP_DEBUG=enabled %omp_run %t without
#define _GNU_SOURCE
#include <omp-tools.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include <nanogomp/control_tool.h>

#include "check.h"
#include "Inputs/linked.h"

/* the library that programs are linked with has none */
#pragma weak omp_control_tool
#pragma weak omp_control_tool_

enum { MEMBERS = 3, OURS = 77 };

static ompt_set_callback_t set;
static ompt_get_proc_id_t proc_id;
static ompt_get_place_num_t place_num;
static atomic_int controls, turns, ends, ends_with_place;

static int control(uint64_t command, uint64_t modifier, void *arg, const void *ra) {
  CHECK(ra);
  CHECK_EQ(modifier, 5);
  controls++;
  if (command == omp_control_tool_flush)
    CHECK(arg == &controls);
  else
    CHECK(!arg);
  return command == omp_control_tool_flush ? omp_control_tool_success : OURS;
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                    const void *ra) {
  (void)hint, (void)impl, (void)id;
  turns += kind == ompt_mutex_ordered && ra;
}

static void mutex(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) {
  (void)id;
  turns += kind == ompt_mutex_ordered && ra;
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  (void)parallel, (void)task;
  if (kind == ompt_sync_region_barrier_implicit_parallel && at == ompt_scope_begin) {
    ends++;
    ends_with_place += ra != 0;
  }
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  set = (ompt_set_callback_t)lookup("ompt_set_callback");
  proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
  place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
  set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)mutex);
  set(ompt_callback_mutex_released, (ompt_callback_t)mutex);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  return 1;
}

static void *stranger(void *unused) {
  cpu_set_t before, after;
  CHECK_EQ(proc_id(), -1);
  CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CHECK_EQ(place_num(), -1); /* a question does not bind the thread */
  CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  CHECK(CPU_EQUAL(&before, &after));
  return unused;
}

static void controlled(void) {
  const int32_t command = OURS, modifier = 5;
  CHECK_EQ(omp_control_tool(omp_control_tool_start, 5, 0), omp_control_tool_nocallback);
  CHECK_EQ(set(ompt_callback_control_tool, (ompt_callback_t)control), ompt_set_always);
  CHECK_EQ(omp_control_tool(omp_control_tool_flush, 5, &controls), omp_control_tool_success);
#pragma omp parallel num_threads(MEMBERS)
  CHECK_EQ(omp_control_tool(omp_control_tool_end, 5, 0), OURS);
  CHECK_EQ(omp_control_tool_(&command, &modifier), OURS);
  CHECK_EQ(controls, MEMBERS + 2);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    CHECK_EQ(omp_control_tool(omp_control_tool_start, 0, 0), omp_control_tool_notool);
    return 0;
  }
  pthread_t t;
  CHECK_EQ(pthread_create(&t, 0, stranger, 0), 0);
  CHECK_EQ(pthread_join(t, 0), 0);
  CHECK(proc_id() >= 0);
  controlled();
  CHECK_EQ(ends, MEMBERS);
  CHECK_EQ(ends_with_place, 1);
#pragma omp ordered
  CHECK_EQ(turns, 2); /* to be acquired, acquired */
  CHECK_EQ(turns, 3);
  return 0;
}
