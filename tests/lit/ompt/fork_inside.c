/* fork_inside.c - OMPT: a task forks while another thread tells of its event */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that fulfils the event is in the tool's callback when the task's code forks. In the
// child that thread is gone, and the task's end must not wait until it has told.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool, asan, tsan, emulated
// RUN: %omp_build %s -o %t -I%ompt -I%S/../process -rdynamic
// RUN: %omp_run %t
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "children.h"
#include "Inputs/linked.h"

static omp_event_handle_t event;
static atomic_int made, told, forked;

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  (void)prior, (void)next;
  if (status == ompt_task_early_fulfill) {
    told = 1;
    CHECK_WAIT_UNTIL(forked);
  }
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  CHECK_EQ(set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule), ompt_set_always);
  return 1;
}

static void *fulfil(void *none) {
  CHECK_WAIT_UNTIL(made);
  omp_fulfill_event(event);
  return none;
}

int main(void) {
  pthread_t thread;
  pid_t parent = getpid(), child = -1;
  CHECK_EQ(pthread_create(&thread, 0, fulfil, 0), 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t mine;
#pragma omp task detach(mine)
    {
      event = mine;
      made = 1;
      CHECK_WAIT_UNTIL(told);
      child = fork();
      if (child == 0)
        child_limit(10);
      forked = 1;
    }
  }
  if (getpid() != parent)
    _exit(0);
  CHECK_EQ(pthread_join(thread, 0), 0);
  expect_child(child, 0);
  return 0;
}
