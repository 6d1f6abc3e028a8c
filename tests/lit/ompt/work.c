/* work.c - OMPT: loops, blocks, taskloop, doacross, target, teams, error, cancelled tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks how often a tool inside the program hears of each, of which kind, and that the chunks that
// it is told make the whole loop.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -rdynamic
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env OMP_CANCELLATION=true TOOL_OLD=1 %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_MEMBERS=nano %omp_run %t
#include <omp-tools.h>
#include <stdatomic.h>

#include "check.h"
#include "Inputs/linked.h"

enum { KINDS = 32, N = 100, THREADS = 3 };

static atomic_int begins[KINDS], ends[KINDS], chunks[KINDS], targets[2][KINDS], leagues, initial,
    sources, sinks, errors, discarded, made, over, pairs, barriers;
static atomic_ulong first; /* the number of the task that others wait for */
static atomic_long iterations;

static void work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *ra) {
  CHECK(parallel && task && ra && count > 0 && (unsigned)kind < KINDS);
  if (at == ompt_scope_begin)
    begins[kind]++;
  else
    ends[kind]++;
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  CHECK(parallel && task && instance.ptr);
  chunks[kind]++;
  if (kind != ompt_dispatch_section)
    iterations += (long)((ompt_dispatch_chunk_t *)instance.ptr)->iterations;
}

static void target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task,
                   ompt_id_t id, const void *ra) {
  CHECK(task && id && ra);
  CHECK_EQ(device, omp_get_initial_device());
  targets[at == ompt_scope_end][kind]++;
}

/* Only a target region with nowait is a task of its own. */
static void target_emi(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task,
                       ompt_data_t *target_task, ompt_data_t *data, const void *ra) {
  CHECK(task && data && ra);
  CHECK_EQ(target_task != 0, kind == ompt_target_nowait);
  CHECK(task != target_task);
  target(kind, at, device, task, 1, ra);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned wanted, int flags, const void *ra) {
  CHECK(task && frame && parallel && wanted && ra);
  leagues += (flags & ompt_parallel_league) != 0;
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned members, unsigned index, int flags) {
  (void)parallel, (void)members, (void)index;
  CHECK(task);
  initial += at == ompt_scope_begin && flags & ompt_task_initial;
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *d, int n) {
  CHECK(task && n > 0);
  bool source = d->dependence_type == ompt_dependence_type_source;
  if (source || d->dependence_type == ompt_dependence_type_sink) {
    CHECK_EQ(n, 1);
    CHECK(d->variable.value < N);
    *(source ? &sources : &sinks) += 1;
  }
}

static void error(ompt_severity_t severity, const char *message, size_t length, const void *ra) {
  CHECK(severity == ompt_warning && length == 4 && memcmp(message, "told", 4) == 0 && ra);
  errors++;
}

static void cancel(ompt_data_t *task, int flags, const void *ra) {
  (void)ra;
  CHECK(task);
  discarded += (flags & ompt_cancel_discarded_task) != 0;
}

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  (void)frame, (void)depends;
  CHECK(maker && task && ra);
  if (flags & ompt_task_explicit)
    task->value = (uint64_t)++made;
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  bool join = kind == ompt_sync_region_barrier_implicit_parallel; /* of a slave: no place */
  CHECK((parallel || at == ompt_scope_end) && task && (ra || join));
  barriers += kind == ompt_sync_region_barrier_implicit_workshare && at == ompt_scope_begin;
}

static void task_dependence(ompt_data_t *before, ompt_data_t *after) {
  if (first == 0)
    return;
  CHECK_EQ(before->value, first);
  CHECK(after->value == first + 1 || after->value == first + 2);
  pairs++;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  (void)next;
  CHECK(prior);
  over += status == ompt_task_complete || status == ompt_task_cancel;
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_work, (ompt_callback_t)work);
  set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
  if (getenv("TOOL_OLD"))
    set(ompt_callback_target, (ompt_callback_t)target);
  else
    set(ompt_callback_target_emi, (ompt_callback_t)target_emi);
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_dependences, (ompt_callback_t)dependences);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  set(ompt_callback_task_dependence, (ompt_callback_t)task_dependence);
  set(ompt_callback_error, (ompt_callback_t)error);
  set(ompt_callback_cancel, (ompt_callback_t)cancel);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  return 1;
}

/* So many members were in a construct of that kind, and left it; so often. */
static void expect(ompt_work_t kind, int members) {
  CHECK_EQ(begins[kind], members);
  CHECK_EQ(ends[kind], members);
  begins[kind] = ends[kind] = 0;
}

static void loops(void) {
  int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < N; i++)
      sum++;
#pragma omp for schedule(guided) nowait
    for (unsigned long long i = 0; i < N; i++)
      sum++;
  }
  expect(ompt_work_loop_dynamic, THREADS);
  expect(ompt_work_loop_guided, THREADS);
#pragma omp parallel for num_threads(THREADS) schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum++;
  expect(ompt_work_loop_dynamic, THREADS);
  CHECK_EQ(sum, 3 * N);
  CHECK_EQ(iterations, 3 * N);
  CHECK(chunks[ompt_dispatch_ws_loop_chunk] >= N + N / 3);
  iterations = 0;
}

static int all;

static void blocks(void) {
  int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  {
#pragma omp sections
    {
      sum++;
#pragma omp section
      sum++;
#pragma omp section
      sum++;
    }
#pragma omp scope reduction(task, + : all) /* gcc has others inline */
    all++;
#pragma omp single
    sum++;
  }
  CHECK_EQ(sum, 4);
  CHECK_EQ(all, THREADS);
  expect(ompt_work_sections, THREADS);
  expect(ompt_work_scope, THREADS);
  expect(ompt_work_single_executor, 1);
  expect(ompt_work_single_other, THREADS - 1);
  CHECK_EQ(chunks[ompt_dispatch_section], 3);
}

static void tasks(void) {
  _Atomic(int) sum = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  {
#pragma omp taskloop num_tasks(7)
    for (int i = 0; i < N; i++)
      sum++;
#pragma omp taskgroup
    {
#pragma omp task if (0)
      {
#pragma omp task if (0)
        sum++;
#pragma omp cancel taskgroup
      }
    }
  }
  CHECK_EQ(sum, N + 1);
  expect(ompt_work_taskloop, 1);
  CHECK_EQ(chunks[ompt_dispatch_taskloop_chunk], 7);
  CHECK_EQ(iterations, N);
  CHECK_EQ(made, 9);
  CHECK_EQ(over, made);
}

/* A task waits for one that cancels their group. */
static void discards(void) {
  int x = 0, before = over;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task depend(out : x)
    {
#pragma omp cancel taskgroup
    }
#pragma omp task depend(inout : x)
    x++;
  }
  CHECK(x <= 1);
  CHECK_EQ(discarded, x == 0 && over == before + 2);
}

/* Members meet before the first one combines their copies, and again after it. */
static void copies(void) {
  int sum = 0;
  barriers = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp for schedule(dynamic) reduction(task, + : sum)
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  CHECK_EQ(sum, N);
  CHECK_EQ(barriers, 2 * THREADS);
}

/* Two tasks that wait for a third, which is over when its event is fulfilled. */
static void depends(void) {
  omp_event_handle_t event;
  int x = 0, y = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  {
    first = (unsigned long)made + 1;
#pragma omp task depend(out : x) depend(out : y) detach(event)
    x = y = 1;
#pragma omp task depend(in : x) depend(in : y)
    CHECK_EQ(x + y, 2);
#pragma omp task depend(in : x)
    CHECK_EQ(x, 1);
    CHECK_EQ(pairs, 2);
    first = 0;
    omp_fulfill_event(event);
  }
}

static void order(void) {
  int at[N] = {0};
#pragma omp parallel for num_threads(THREADS) ordered(1)
  for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    at[i] = i == 0 ? 1 : at[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(at[N - 1], N);
  CHECK_EQ(sources, N);
  CHECK_EQ(sinks, N - 1);
}

static void devices(void) {
  int x = 0, before = initial;
#pragma omp target map(tofrom : x)
  x++;
#pragma omp target nowait map(tofrom : x)
  x++;
#pragma omp taskwait
#pragma omp target data map(x)
  {
#pragma omp target update to(x)
  }
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
  CHECK_EQ(initial - before, 2);
  for (int at = 0; at < 2; at++) {
    CHECK_EQ(targets[at][ompt_target], 1);
    CHECK_EQ(targets[at][ompt_target_nowait], 1);
    CHECK_EQ(targets[at][ompt_target_enter_data], 2);
    CHECK_EQ(targets[at][ompt_target_exit_data], 2);
    CHECK_EQ(targets[at][ompt_target_update], 1);
  }
  before = initial;
#pragma omp teams num_teams(4) reduction(+ : x)
  x++;
  CHECK_EQ(leagues, 1);
  CHECK_EQ(initial - before, 4);
#pragma omp target teams num_teams(3) map(tofrom : x) reduction(+ : x)
  x++;
  CHECK_EQ(leagues, 2);
  CHECK_EQ(initial - before, 8);
}

int main(void) {
  omp_set_dynamic(0);
  loops();
  blocks();
  tasks();
  discards();
  copies();
  depends();
  order();
  devices();
#pragma omp error at(execution) severity(warning) message("told")
  CHECK_EQ(errors, 1);
  return 0;
}
