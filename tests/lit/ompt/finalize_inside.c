/* finalize_inside.c - OMPT: a tool ends itself in a callback, while the program goes on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callback's event is one of each kind that a thread tells outside all regions. After
// ompt_finalize_tool() the tool hears nothing more, the program's answer is right, and the process
// ends well. Each event in a child process of its own.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: emulated, tool
// RUN: %omp_build %s -o %t -I%ompt -I%S/../../../abi/include -rdynamic
// RUN: %omp_run %t
#include <omp-tools.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nanogomp/control_tool.h>

#include "check.h"

/* the library that programs are linked with has none */
#pragma weak omp_control_tool

static ompt_finalize_tool_t finalize;
static int wanted, finalized; /* event at which the tool ends; times that it has */

static void hear(int event) {
  CHECK_EQ(finalized, 0);
  if (event == wanted)
    finalize();
}

/* Whatever the arguments are: a callback leaves them alone. */
#define EVENTS(X)                                                                                  \
  X(parallel_begin)                                                                                \
  X(parallel_end)                                                                                  \
  X(task_create)                                                                                   \
  X(task_schedule)                                                                                 \
  X(sync_region)                                                                                   \
  X(sync_region_wait)                                                                              \
  X(dependences)                                                                                   \
  X(work)                                                                                          \
  X(dispatch)                                                                                      \
  X(mutex_acquire)                                                                                 \
  X(mutex_acquired)                                                                                \
  X(mutex_released)                                                                                \
  X(nest_lock)                                                                                     \
  X(lock_init)                                                                                     \
  X(lock_destroy)                                                                                  \
  X(control_tool)                                                                                  \
  X(error)
#define HEAR(event)                                                                                \
  static void event(void) { hear((int)ompt_callback_##event); }
EVENTS(HEAR)
static const int events[] = {
#define NUMBER(event) (int)ompt_callback_##event,
    EVENTS(NUMBER)};

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  finalize = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
#define SET(event) CHECK(set(ompt_callback_##event, (ompt_callback_t)(void (*)(void))event) > 1);
  EVENTS(SET)
  return 1;
}
static void end(ompt_data_t *data) {
  (void)data;
  finalized++;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  (void)version, (void)runtime;
  return &result;
}

static int sum;

static void tasks(void) {
#pragma omp task depend(out : sum)
  sum++;
#pragma omp task depend(inout : sum)
  sum++;
#pragma omp taskwait
#pragma omp taskgroup
#pragma omp task
  sum++;
}

static void locks(void) {
  omp_lock_t simple;
  omp_nest_lock_t nest;
  omp_init_lock(&simple);
  omp_set_lock(&simple);
  omp_unset_lock(&simple);
  omp_destroy_lock(&simple);
  omp_init_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
#pragma omp critical
  sum++;
}

static void shares(void) {
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < 4; i++)
    sum++;
#pragma omp single
  sum++;
#pragma omp barrier
  (void)omp_control_tool(omp_control_tool_flush, 0, 0);
#pragma omp error at(execution) severity(warning) message("as it should be")
}

static void regions(void) {
  int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
  members++;
  CHECK_EQ(members, 3);
}

static void program(void) {
  for (int round = 0; round < 2; round++) {
    tasks();
    locks();
    shares();
    regions();
  }
  CHECK_EQ(sum, 2 * 9);
}

int main(void) {
  for (unsigned i = 0; i < sizeof events / sizeof *events; i++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      wanted = events[i];
      program();
      CHECK_EQ(finalized, 1);
      return 0;
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
  return 0;
}
