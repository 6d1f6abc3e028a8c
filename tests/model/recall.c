/* recall.c - model of the recall of docked slaves against the join, without docks and tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/queue/help.c, and nth_team_join of runtime/omp/team/team.c. A slave sleeps
 * in its dock from the start and looks at its array when woken; "help" is a plain write that the
 * master must find after the join.
 */
#include "runtime/omp/queue/help.h"
#include "tests/model/members.h"
#include "tests/model/stubs.h"

static struct world {
  struct model_team t;
  _Atomic(uint32_t) pending;      /* tasks that are not finished */
  int helped[MODEL_MEMBERS_MOST]; /* plain: w: a recalled slave; r: the master after the join */
} w;
static struct model_team *model_team(void) { return &w.t; }

bool nth_task_run_any(struct nth_member *m, bool deep) { return (void)m, (void)deep, false; }
bool nth_task_queued(const struct nth_team *t) { return (void)t, false; }
bool nth_tasks_left(const struct nth_team *t, const struct nth_slot *s) {
  return (void)t, (void)s, nth_load_acq(&w.pending) != 0;
}
void nth_tasks_begin_again(struct nth_team *t) { (void)t; }
void nth_task_wait_all(struct nth_member *m) {
  (void)m;
  while (nth_tasks_left(0, 0))
    model_idle();
}

/* A region of n is running; those from `docked` on have arrived. Member i asks i + 1 first. */
static void setup(uint32_t n, uint32_t docked) {
  model_team_setup(n);
  nth_store_rlx(&w.t.team.tasked, true);
  MODEL_ATOM(w.pending);
  MODEL_NAME(w.helped);
  for (uint32_t i = 0; i < n; i++) {
    model_enter(i);
    w.t.slot[i].help.ask = i;
    nth_store_rlx(&w.t.pjv[i], 1);
    if (i >= docked)
      nth_djs_arrive(&w.t.slot[i].djs, ++w.t.slot[i].finished);
    struct nth_worker *p = &w.t.proc[i];
    p->lwd_position = nth_wdarray_start(&p->lwd);
    nth_store_rlx(&p->dock, NTH_DOCK_ASLEEP);
    MODEL_ATOM_AT(i, p->dock);
    MODEL_ATOM_AT(i, p->lwd.slot[0].stamp);
    MODEL_ATOM_AT(i, p->lwd.slot[1].stamp);
  }
}

static void call_help(void) { nth_team_call_help(model_member(), &w.t.team); }

static void arrive(void) {
  struct nth_slot *s = &w.t.slot[model_thread()];
  nth_djs_arrive(&s->djs, ++s->finished);
}

/* Waits for a recall, which comes for sure. It was asleep in its dock before. */
static void await_recall(void) {
  uint32_t me = model_thread();
  struct nth_worker *p = &w.t.proc[me];
  struct nth_wd wd = {0};
  while (nth_load_acq(&p->dock) == NTH_DOCK_ASLEEP)
    nth_futex_wait(&p->dock, NTH_DOCK_ASLEEP, 0);
  model_check(nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd));
  model_check(wd.addressee == me && wd.owner == ((uintptr_t)&w.t.team | NTH_WD_HELP));
  w.helped[me]++;
}

static void caller(void) {
  call_help();
  arrive();
}
static void helper(void) {
  await_recall();
  arrive();
}
static void helper_and_caller(void) {
  await_recall();
  call_help();
  arrive();
}

static void join(uint32_t first, uint32_t n) {
  nth_team_join(model_member(), &w.t.team);
  for (uint32_t i = first; i < n; i++)
    model_check(w.helped[i] == 1);
}

/* --- 1 recalls 2 --- */
static void setup_one(void) { setup(3, 2); }
static void master_one(void) { join(2, 3); }

/* --- 1 recalls 2, which recalls 3 --- */
static void setup_chain(void) { setup(4, 2); }
static void master_chain(void) { join(2, 4); }

/* --- 1 recalls 3, which recalls 2 --- */
static void setup_down(void) {
  setup(4, 2);
  w.t.slot[1].help.ask = 2;
  w.t.slot[3].help.ask = 1;
}

/* --- the master itself recalls 1, which recalls 2 --- */
static void setup_own(void) { setup(3, 1); }
static void master_own(void) {
  call_help();
  join(1, 3);
}

/* --- the master and 1 both want 2: one after the other, or only one --- */
static void setup_rivals(void) {
  setup(3, 2);
  w.t.slot[0].help.ask = 1;
  nth_store_rlx(&w.t.slot[0].queue.list.length, 2); /* so that it asks 2 only */
}
static void put_end(uint32_t i) {
  static const struct nth_wd end = {0, 0, NTH_WD_END, 0};
  nth_wdarray_put(&w.t.proc[i].lwd, &end);
}
static void master_rivals(void) {
  call_help();
  nth_team_join(model_member(), &w.t.team);
  model_check(w.helped[2] == 1 || w.helped[2] == 2);
  put_end(2);
}
static void helper_to_the_end(void) {
  struct nth_worker *p = &w.t.proc[2];
  struct nth_wd wd;
  for (;;) {
    while (!nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd))
      model_idle();
    if (wd.owner == NTH_WD_END)
      return;
    w.helped[2]++;
    arrive();
  }
}

/* --- 2 is a worker that has arrived and is on its way to sleep in its dock --- */
static void run_help(struct nth_worker *p, const struct nth_wd *wd) {
  model_check(wd->addressee == 2);
  w.helped[2]++;
  p->ending = true;
  arrive();
}
static void setup_docking(void) {
  setup(3, 2);
  struct nth_worker *p = &w.t.proc[2];
  nth_store_rlx(&p->dock, NTH_DOCK_AWAKE);
  nth_worker_start(p, &w.t.proc[0].waiter, 0, 0, run_help);
  p->started = true;
}
static void docking(void) { w.t.run(&w.t.proc[2]); }

/* --- the master still forks when 1, which has its descriptor, wants 2 --- */
static void setup_forking(void) {
  setup(3, 1);
  nth_store_rlx(&w.t.proc[1].dock, NTH_DOCK_AWAKE);
  nth_store_rlx(&w.t.proc[2].dock, NTH_DOCK_AWAKE);
}
static void master_forking(void) {
  struct nth_member *m = model_member();
  nth_team_fork(m, &w.t.team, 0, 0);
  nth_team_join(m, &w.t.team);
  model_check(w.helped[1] == 1);
  model_check(w.helped[2] == 1 || w.helped[2] == 2);
  put_end(2);
}
static void caller_when_forked(void) {
  struct nth_worker *p = &w.t.proc[1];
  struct nth_wd wd;
  while (!nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd))
    model_idle();
  w.helped[1]++;
  caller();
}

/* --- 1 arrives, is recalled and arrives again, while the master falls asleep on it --- */
static void setup_again(void) {
  setup(2, 2);
  nth_store_rlx(&w.pending, 1);
}
static void master_again(void) { join(1, 2); }
/* It plays the thread outside that recalls it, too: that needs fewer steps. */
static void helper_again(void) {
  arrive();
  nth_team_recall_one(&w.t.team);
  nth_sub_acqrel(&w.pending, 1);
  await_recall();
  arrive();
}

/* --- a thread outside the team recalls 1 while it finishes the last task --- */
static void setup_outside(void) {
  setup(2, 1);
  nth_store_rlx(&w.pending, 2);
}
static void outside(void) {
  nth_team_recall_one(&w.t.team);
  nth_sub_acqrel(&w.pending, 1);
}
/* Runs the task that was made ready. */
static void helper_outside(void) {
  await_recall();
  nth_sub_acqrel(&w.pending, 1);
  arrive();
}
static void master_outside(void) {
  join(1, 2);
  model_check(nth_djs_done(&w.t.slot[1].djs, 2)); /* it does not touch the team any more */
}

MODEL_CASES = {
    {"again", 2, 3, MODEL_WORLD, setup_again, {master_again, helper_again}, 0, 20000},
    {"outside",
     3,
     2,
     MODEL_WORLD,
     setup_outside,
     {master_outside, helper_outside, outside},
     0,
     20000},
    {"forking",
     3,
     1,
     MODEL_WORLD,
     setup_forking,
     {master_forking, caller_when_forked, helper_to_the_end},
     0,
     20000},
    {"one", 3, 2, MODEL_WORLD, setup_one, {master_one, caller, helper}, 0, 10000},
    {"own", 3, 1, MODEL_WORLD, setup_own, {master_own, helper_and_caller, helper}, 0},
    {"docking", 3, 1, MODEL_WORLD, setup_docking, {master_one, caller, docking}, 0, 20000},
    {"rivals", 3, 1, MODEL_WORLD, setup_rivals, {master_rivals, caller, helper_to_the_end}, 0},
    {"down",
     4,
     1,
     MODEL_WORLD,
     setup_down,
     {master_chain, caller, helper, helper_and_caller},
     0,
     20000},
    {"chain",
     4,
     1,
     MODEL_WORLD,
     setup_chain,
     {master_chain, caller, helper_and_caller, helper},
     0,
     12000},
    {0},
};
