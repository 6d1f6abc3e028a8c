/* details.c - OMPT: what the arguments of events say of tasks, chunks and states */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks how a task is left by taskyield and by cancel, and what a discarded one is told; that the
// iterations of chunks are counted from 0, and those of a taskloop told in the task that runs them;
// flags of tasks and of taskwait with dependences; what a thread waits for; the list of
// states; and that the frames of tasks lie on the stack as their functions do.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -rdynamic
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_TEST_BERTHS=1 %omp_run %t
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "Inputs/linked.h"

enum { N = 60, THREADS = 3, LAST_STATE = 0x200, STATUSES = ompt_taskwait_complete + 1 };

static ompt_get_task_info_t task_info;
static ompt_enumerate_states_t states;
static ompt_get_state_t get_state;

static atomic_int left[STATUSES], seen[N], waits, kinds, frames;
static atomic_int begun, ended; /* flags of the last region, or league */

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  (void)depends;
  CHECK(maker && task && ra);
  frames += frame->enter_frame.ptr != 0;
  if (flags & ompt_task_taskwait)
    waits = flags;
  else
    kinds = flags;
}

static void parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned size, int flags, const void *ra) {
  CHECK(from && frame && parallel && size > 0 && ra);
  begun = flags;
}
static void parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra) {
  CHECK(from && parallel && ra);
  ended = flags;
}

/* What is waited for has a name if it is a lock. */
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  ompt_wait_id_t wait = 0;
  int state = get_state(&wait);
  (void)prior, (void)next;
  CHECK_EQ(wait != 0, state == ompt_state_wait_lock);
  left[status]++;
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  ompt_data_t *now;
  int flags;
  CHECK(parallel && task_info(0, &flags, &now, 0, 0, 0) == 2 && now == task);
  CHECK_EQ((flags & ompt_task_explicit) != 0, kind == ompt_dispatch_taskloop_chunk);
  const ompt_dispatch_chunk_t *chunk = instance.ptr;
  for (uint64_t i = chunk->start; i < chunk->start + chunk->iterations; i++) {
    CHECK(i < N);
    seen[i]++;
  }
}

static void cancel(ompt_data_t *task, int flags, const void *ra) {
  CHECK(task && (ra || flags & ompt_cancel_discarded_task));
  kinds = flags;
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_cancel, (ompt_callback_t)cancel);
  set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
  return 1;
}

static void forget(void) {
  for (int i = 0; i < STATUSES; i++)
    left[i] = 0;
  frames = 0;
}

/* The loop's own numbers go from 100 down. */
static void chunks(void) {
  for (int i = 0; i < N; i++)
    seen[i] = 0;
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 7)
  for (int i = 100; i > 100 - 3 * N; i -= 3)
    CHECK((100 - i) % 3 == 0);
  for (int i = 0; i < N; i++)
    CHECK_EQ(seen[i], 1);
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskloop grainsize(7)
  for (int i = 100; i > 100 - 3 * N; i -= 3)
    CHECK((100 - i) % 3 == 0);
  for (int i = 0; i < N; i++)
    CHECK_EQ(seen[i], 2);
}

/* Alone, so that the task which is queued runs in one of the yields. */
static void yields(void) {
  int ran = 0;
  forget();
#pragma omp parallel num_threads(1)
  {
#pragma omp task if (0)
    {
#pragma omp task shared(ran)
      ran++;
      for (int i = 0; i < 100; i++) {
#pragma omp taskyield
      }
    }
#pragma omp taskwait
  }
  CHECK_EQ(ran, 1);
  CHECK(left[ompt_task_yield] <= 1);
  CHECK_EQ(left[ompt_task_yield] + left[ompt_task_switch], 2);
  CHECK_EQ(left[ompt_task_complete], 2);
}

/* One member makes a task and yields until another one, or itself, has run it. */
static void yields_to(void) {
  atomic_int ran = 0;
  forget();
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 1000 && !left[ompt_task_yield]; i++) {
#pragma omp task shared(ran)
    ran++;
#pragma omp task shared(ran)
    ran++;
    while (ran < 2 * (i + 1)) {
#pragma omp taskyield
    }
  }
  CHECK(left[ompt_task_yield] > 0);
}

static void cancels(void) {
  forget();
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
      CHECK(false);
    }
#pragma omp task if (0)
    CHECK(false);
  }
  CHECK(left[ompt_task_cancel] >= 1);
  CHECK_EQ(left[ompt_task_complete], 0);
}

/* The queued task waits for the one that cancels their group, or their region. */
static void discards(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task depend(out : x)
    {
#pragma omp cancel taskgroup
    }
#pragma omp task depend(in : x)
    CHECK(x == 0);
  }
  if (kinds & ompt_cancel_discarded_task)
    CHECK_EQ(kinds, ompt_cancel_taskgroup | ompt_cancel_discarded_task);
#pragma omp parallel num_threads(2)
  {
#pragma omp task
    check_sleep_ms(1);
#pragma omp task
    check_sleep_ms(1);
#pragma omp cancel parallel
  }
  if (kinds & ompt_cancel_discarded_task)
    CHECK_EQ(kinds, ompt_cancel_parallel | ompt_cancel_discarded_task);
}

void GOMP_taskwait_depend_nowait(void **depend);
#pragma weak GOMP_taskwait_depend_nowait

static void flags(void) {
  int x = 0, on = 1, off = omp_get_max_threads() < 0;
  void *depend[] = {(void *)1, (void *)1, &x};
  forget();
#pragma omp task mergeable shared(x) if (off)
  x++;
  CHECK_EQ(kinds, ompt_task_explicit | ompt_task_undeferred | ompt_task_mergeable);
#pragma omp task depend(out : x) shared(x) if (on)
  x++;
  CHECK_EQ(kinds & ompt_task_mergeable, 0);
#pragma omp taskwait depend(in : x)
  CHECK_EQ(x, 2);
  CHECK_EQ(waits, ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable);
  CHECK_EQ(frames, 3);
  if (!GOMP_taskwait_depend_nowait)
    return;
  GOMP_taskwait_depend_nowait(depend);
  CHECK_EQ(waits, ompt_task_taskwait | ompt_task_mergeable);
  CHECK_EQ(frames, 4);
}

/* Untied tasks that may be suspended where they wait for a lock. */
static void locks(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
  for (int i = 0; i < N; i++) {
#pragma omp task untied
    {
      omp_set_lock(&lock);
      check_busy(1000);
#pragma omp taskyield
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
}

/* From the inside out: the function that calls this one, the library's frame that has called that
 * function, the library's frame that main has called, a frame of main. */
static void is_between(const void *main_frame) {
  ompt_frame_t *inner, *outer;
  const void *mine = __builtin_frame_address(0);
  CHECK_EQ(task_info(0, 0, 0, &inner, 0, 0), 2);
  CHECK((uintptr_t)mine < (uintptr_t)inner->exit_frame.ptr);
  CHECK((uintptr_t)inner->exit_frame.ptr < (uintptr_t)main_frame);
  if (!task_info(1, 0, 0, &outer, 0, 0)) /* nothing is around a target region */
    return;
  CHECK((uintptr_t)inner->exit_frame.ptr <= (uintptr_t)outer->enter_frame.ptr);
  CHECK((uintptr_t)outer->enter_frame.ptr < (uintptr_t)main_frame);
}

static void stacks(const void *main_frame) {
  char here[4096]; /* more than the library's frames have, lest one that is gone looks right */
  memset(here, 0, sizeof here);
#pragma omp parallel num_threads(1)
  is_between(main_frame);
#pragma omp target map(here)
  {
    char inside[4096];
    memset(inside, here[0], sizeof inside);
    is_between(inside[4095] == 0 ? main_frame : 0);
  }
#pragma omp teams num_teams(2)
  {
    char inside[4096];
    memset(inside, here[0], sizeof inside);
    is_between(inside[4095] == 0 ? main_frame : 0);
  }
}

/* Each has a name and comes once. */
static void names(void) {
  static char met[LAST_STATE];
  const char *name;
  int n = 0;
  for (int state = ompt_state_undefined; states(state, &state, &name); n++) {
    CHECK(state >= 0 && state < LAST_STATE && !met[state]++);
    CHECK(strncmp(name, "ompt_state_", 11) == 0);
  }
  CHECK(n >= 5 && met[ompt_state_idle] && met[ompt_state_wait_lock]);
}

#pragma weak GOMP_parallel_start
#pragma weak GOMP_parallel_end
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned size);
void GOMP_parallel_end(void);
static void nothing(void *unused) { (void)unused; }

/* Who calls the program's code: the library, or the program itself. */
static void invokers(void) {
  const int library = ompt_parallel_invoker_runtime, program = ompt_parallel_invoker_program;
  const int team = (int)ompt_parallel_team, league = (int)ompt_parallel_league;
#pragma omp parallel num_threads(2)
  nothing(0);
  CHECK_EQ(begun, library | team);
  CHECK_EQ(ended, library | team);
#pragma omp teams num_teams(2)
  nothing(0);
  CHECK_EQ(begun, library | league);
  CHECK_EQ(ended, library | league);
#pragma omp target teams num_teams(2)
  nothing(0);
  CHECK_EQ(begun, program | league);
  CHECK_EQ(ended, program | league);
  GOMP_parallel_start(nothing, 0, 2);
  CHECK_EQ(begun, program | team);
  nothing(0);
  GOMP_parallel_end();
  CHECK_EQ(ended, program | team);
}

int main(void) {
  omp_set_dynamic(0);
  invokers();
  chunks();
  yields();
  yields_to();
  cancels();
  discards();
  flags();
  locks();
  stacks(__builtin_frame_address(0));
  names();
  return 0;
}
