/* suspended.c - OMPT: what is told of tasks that leave their stacks and go on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task that a library suspends is told as switched from and to, once for each wait,
// by the thread that began it; that taskyield is told as such; that the task is current again when
// it goes on; and that each one ends once.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// RUN: %omp_build %library %s -o %t -I%ompt -I%S/../../../abi/include -rdynamic
// RUN: %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive NTH_FORK=gwd %omp_run %t
#include <nanogomp/suspend.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

enum { TASKS = 60, YIELDS = 3 };
enum { NEW = 1, RUNS, SUSPENDED, OVER }; /* states, in a task's data */

struct seen {
  _Atomic(int) state, left, yielded, resumed, ended, thread;
};
static struct seen seen[TASKS + YIELDS];
static ompt_get_task_info_t task_info;
static atomic_int made, wrong;
static struct nth_suspension all[TASKS];
static atomic_int shown[TASKS];

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  (void)maker, (void)frame, (void)flags, (void)depends, (void)ra;
  int i = made++;
  task->ptr = &seen[i];
  seen[i].state = NEW;
}

static void leaves(struct seen *s, ompt_task_status_t status) {
  wrong += s->state != RUNS || s->thread != omp_get_thread_num();
  if (status == ompt_task_complete) {
    s->state = OVER;
    s->ended++;
    return;
  }
  wrong += status != ompt_task_switch && status != ompt_task_yield;
  s->state = SUSPENDED;
  if (status == ompt_task_yield)
    s->yielded++;
  else
    s->left++;
}

static void enters(struct seen *s, ompt_data_t *next) {
  ompt_data_t *now = 0;
  wrong += task_info(0, 0, &now, 0, 0, 0) != 2 || now != next;
  if (s->state == NEW) {
    s->thread = omp_get_thread_num();
  } else {
    wrong += s->state != SUSPENDED || s->thread != omp_get_thread_num();
    s->resumed++;
  }
  s->state = RUNS;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  if (prior && prior->ptr)
    leaves(prior->ptr, status);
  if (next && next->ptr)
    enters(next->ptr, next);
}

static int begin(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  CHECK_EQ(set(ompt_callback_task_create, (ompt_callback_t)task_create), ompt_set_always);
  CHECK_EQ(set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule), ompt_set_always);
  return 1;
}
static void end(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name) {
  static ompt_start_tool_result_t result = {begin, end, {0}};
  (void)version, (void)name;
  return &result;
}

static void *resume(void *arg) {
  for (int i = TASKS - 1; i >= 0; i--) {
    while (!shown[i])
      usleep(100);
    nth_suspend_over(&all[i]);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  nth_suspend_always();
  CHECK_EQ(pthread_create(&t, 0, resume, 0), 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
#pragma omp task untied firstprivate(i)
    {
      CHECK(nth_suspend_begin(&all[i]));
      shown[i] = 1;
      nth_suspend_wait(&all[i]);
    }
  }
  CHECK_EQ(pthread_join(t, 0), 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < YIELDS; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
    }
  }
  CHECK_EQ(made, TASKS + YIELDS);
  CHECK_EQ(wrong, 0);
  for (int i = 0; i < TASKS + YIELDS; i++) {
    bool by_library = i < TASKS;
    CHECK_EQ(seen[i].ended, 1);
    CHECK_EQ(seen[i].left, by_library);
    CHECK_EQ(seen[i].yielded, !by_library);
    CHECK_EQ(seen[i].resumed, 1);
  }
  return 0;
}
