/* ready.c - model of a domain's ready queue: no task is lost, the word says what is there
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/queue/task_domain.c, task_list.c. Thread i is member i; what they put into is
 * one node. Its parts have locks, the word that they share has none.
 */
#include "tests/model/ready_team.h"

#include "runtime/omp/tasks/task.h"

enum { TASKS = 3 };

static struct world {
  struct model_team t;
  struct nth_task task[TASKS];
  int taken[TASKS]; /* plain: by one only */
  _Atomic(uint32_t) asleep;
  int rung, slept; /* plain */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint32_t n) {
  model_team_setup(n);
  model_lay();
  MODEL_ATOM(w.asleep);
  MODEL_NAME(w.taken);
  for (uint32_t i = 0; i < n; i++)
    model_enter(i);
  for (uint32_t i = 0; i < TASKS; i++)
    MODEL_ATOM_AT(i, w.task[i].parent);
}

/* Task i, by the thread with that number, into a part. */
static void push(uint32_t part, uint32_t priority) {
  struct nth_task *t = &w.task[model_thread()];
  t->priority = priority;
  nth_task_domain_push(&w.t.domain, part, t);
}

static bool took(struct nth_task *t) {
  if (t)
    w.taken[t - w.task]++;
  return t != 0;
}

static bool take_any(void) {
  struct nth_member *m = model_member();
  return took(nth_task_domains_urgent(m, 0)) || took(nth_task_domains_take(m, 0, 0, true));
}

/* What is left comes out, and each came out once. */
static void finish(uint32_t n) {
  model_check(nth_task_domain_valid(&w.t.domain));
  while (take_any()) {}
  for (uint32_t i = 0; i < n; i++)
    model_check(w.taken[i] == 1);
  model_check(nth_load_rlx(&w.t.domain.word) == 0 && nth_task_domain_valid(&w.t.domain));
}
static void finish_one(void) { finish(1); }
static void finish_two(void) { finish(2); }
static void finish_three(void) { finish(3); }

static void two(void) { setup(2); }
static void three(void) { setup(3); }

/* --- each puts, and takes what it sees --- */

static void apart(void) {
  push(model_thread() % 2, 1 + model_thread());
  take_any();
}
static void together(void) {
  push(0, model_thread());
  take_any();
}

/* --- the highest that was there before --- */

static void two_there(void) {
  setup(2);
  for (uint32_t i = 0; i < 2; i++) {
    w.task[i].priority = 1 + i;
    nth_task_domain_push(&w.t.domain, i, &w.task[i]);
  }
}
static void take_one(void) { model_check(take_any()); }

/* --- sleep --- */

static void maker(void) {
  push(0, 1);
  nth_fence_light();
  w.rung = nth_load_rlx(&w.asleep) > 0;
}
static void sleeper(void) {
  nth_store_rlx(&w.asleep, 1);
  nth_os_fence_all();
  w.slept = !nth_task_domains_any(&w.t.team);
}
static void not_forgotten(void) {
  model_check(w.rung || !w.slept);
  finish_one();
}

MODEL_CASES = {
    {"both", 2, MODEL_ALL, MODEL_WORLD, two_there, {take_one}, finish_two},
    {"sleep", 2, MODEL_ALL, MODEL_WORLD, two, {maker, sleeper}, not_forgotten},
    {"apart", 2, 4, MODEL_WORLD, two, {apart}, finish_two},
    {"together", 2, 4, MODEL_WORLD, two, {together}, finish_two},
    {"three", 3, 2, MODEL_WORLD, three, {apart}, finish_three},
    {0},
};
