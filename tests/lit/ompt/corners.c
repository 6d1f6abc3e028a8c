/* corners.c - OMPT: a tool that is unwanted, or ends in a callback; doacross; target constructs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a tool whose `initialize` returned 0 hears nothing, also where members note what they
// do for other reasons (OMP_DEBUG, NTH_STALL); that a tool which ends itself when it hears of a
// thread's end is finalized once; that a thread which waits for an iteration of a doacross loop is
// in the state wait_ordered; and what is told of target constructs: kinds with nowait, the task
// that such a construct with dependences is, the number of a region, and that both its ends have
// the same place in the program.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -rdynamic
// RUN: env CASE=unwanted OMP_DEBUG=enabled %omp_run %t
// RUN: env CASE=unwanted NTH_STALL=5 %omp_run %t
// RUN: env CASE=ends %omp_run %t
// RUN: env CASE=doacross NTH_MEMBERS=os %omp_run %t
// RUN: env CASE=target %omp_run %t
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#define OWN_END
#include "Inputs/linked.h"

enum { LOOKS = 20000 };

static const char *what; /* CASE: main has not begun when the tool starts */
static ompt_finalize_tool_t finalize_tool;
static ompt_get_target_info_t target_info;
static ompt_get_state_t get_state;
static atomic_int begun, finalized;

static void thread_begin(ompt_thread_t kind, ompt_data_t *thread) {
  (void)kind, (void)thread;
  begun++;
}

static void thread_end(ompt_data_t *thread) {
  (void)thread;
  finalize_tool();
}

/* --- target --- */

enum { MAIN = 5, TARGET_TASK };
static int kinds[16], targets, created, data_tasks;
static const void *places[2];
static ompt_id_t number;

static void target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task,
                   ompt_id_t id, const void *ra) {
  (void)device, (void)task;
  if (kind == ompt_target)
    places[at == ompt_scope_end] = ra;
  if (kind == ompt_target && at == ompt_scope_begin)
    number = id;
  if (at == ompt_scope_begin && targets < 16)
    kinds[targets++] = (int)kind;
}

static void target_emi(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task,
                       ompt_data_t *target_task, ompt_data_t *data, const void *ra) {
  (void)device, (void)data, (void)ra;
  data_tasks += kind == ompt_target_update_nowait && at == ompt_scope_begin && target_task;
  if (target_task) {
    CHECK_EQ(task->value, MAIN); /* the task that met the construct */
    CHECK_EQ(target_task->value, TARGET_TASK);
  }
}

static void task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int has_dependences, const void *ra) {
  (void)frame, (void)ra;
  from->value = MAIN;
  task->value = TARGET_TASK;
  created += (flags & ompt_task_explicit) && (flags & ompt_task_target) && has_dependences;
}

static void moves_and_runs(void) {
  int a[4] = {1, 2, 3, 4}, inside = a[0] - 1;
  uint64_t device = 9;
  ompt_id_t id = 0, op = 9;
  CHECK_EQ(target_info(&device, &id, &op), 0);
#pragma omp target enter data map(to : a) nowait
#pragma omp target update to(a) nowait depend(inout : a)
#pragma omp taskwait
#pragma omp target exit data map(from : a)
#pragma omp target teams num_teams(2) map(tofrom : inside, id)
  if (omp_get_team_num() == 0) {
    ompt_id_t none;
    CHECK_EQ(target_info(&device, &id, &op), 1);
    CHECK_EQ(target_info(0, &none, 0), 1);
    inside = device == 0 && id == none && op == 0;
  }
  CHECK_EQ(inside * a[3], 4);
  CHECK_EQ(id, number);
  CHECK(places[0] && places[0] == places[1]);
  CHECK_EQ(targets, 4);
  CHECK_EQ(kinds[0], ompt_target_enter_data_nowait);
  CHECK_EQ(kinds[1], ompt_target_update_nowait);
  CHECK_EQ(kinds[2], ompt_target_exit_data);
  CHECK_EQ(kinds[3], ompt_target);
  CHECK_EQ(created, 1);
  CHECK_EQ(data_tasks, 1);
}

/* --- doacross --- */

static pthread_t waiter;
static atomic_int ready, seen;

static void on_signal(int signal) {
  ompt_wait_id_t id;
  (void)signal;
  if (get_state(&id) == ompt_state_wait_ordered)
    seen = 1;
}

static void waits(void) {
  signal(SIGUSR1, on_signal);
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; i++) {
    if (i == 1) {
      waiter = pthread_self();
      ready = 1;
    }
#pragma omp ordered depend(sink : i - 1)
    for (int k = 0; i == 0 && !seen && k < LOOKS; k++) {
      usleep(500);
      if (ready)
        pthread_kill(waiter, SIGUSR1);
    }
#pragma omp ordered depend(source)
  }
  CHECK_EQ(seen, 1);
}

/* --- the tool --- */

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  what = getenv("CASE");
  CHECK(what);
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_target, (ompt_callback_t)target);
  set(ompt_callback_target_emi, (ompt_callback_t)target_emi);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  if (strcmp(what, "ends") == 0)
    set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
  return strcmp(what, "unwanted") != 0;
}

/* At the very end of the process. */
static void end(ompt_data_t *data) {
  (void)data;
  if (++finalized > 1) {
    fprintf(stderr, "finalized again\n");
    _exit(1);
  }
}

int main(void) {
  if (strcmp(what, "target") == 0)
    moves_and_runs();
  else if (strcmp(what, "doacross") == 0)
    waits();
#pragma omp parallel num_threads(2)
  __asm__ volatile("" ::: "memory");
  CHECK((begun > 0) == (strcmp(what, "unwanted") != 0));
  return 0;
}
