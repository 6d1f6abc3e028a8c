/* depend.c - model of dependences: a successor runs once, after all its predecessors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/tasks/depend.c. Thread 0 is the parent: it makes successors, or waits, while
 * threads 1 and 2 finish the predecessors. A task that gets ready runs, finishes and is freed at
 * once, in the thread that made it ready: nothing may touch it afterwards. The table of accesses is
 * here: address i + 1 means predecessor i.
 */
#include "tests/model/members.h"
#include "tests/model/pools.h"

#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/depend_table.h"
#include "runtime/omp/tasks/exclusion.h"

enum { PREDECESSORS = 2, SUCCESSORS = 2 };

static struct world {
  struct model_team t;
  struct nth_task parent;
  struct nth_depend before[PREDECESSORS];
  struct nth_bell bell;
  int predecessors;       /* that each successor has */
  int done[PREDECESSORS]; /* plain: written before release */
  int ran[SUCCESSORS];    /* plain */
} w;
static struct model_team *model_team(void) { return &w.t; }

/* --- what depend.c calls --- */

struct nth_depend_table *nth_depend_table_of(struct nth_task *t) { return t->table; }
void nth_depend_table_access_all(struct nth_depend_table *table, struct nth_depend *d,
                                 void **depend) {
  (void)table;
  struct nth_depend_list list;
  struct nth_access a;
  nth_depend_list_begin(&list, depend);
  while (nth_depend_list_next(&list, &a)) {
    struct nth_depend *before = &w.before[a.address - 1];
    if (!nth_depend_done(before))
      nth_depend_note(d, before);
  }
}
void nth_depend_table_settle(struct nth_depend_table *table) { (void)table; }
uint32_t nth_depend_table_slots(const struct nth_depend_table *table) { return (void)table, 0; }
void nth_depend_table_clear(struct nth_depend_table *table) { (void)table; }
void nth_depend_table_free(struct nth_depend_table *table) { (void)table; }
void nth_depend_table_set_alone(struct nth_depend_table *table, bool alone) {
  (void)table, (void)alone;
}
bool nth_depend_table_alone(const struct nth_depend_table *table) { return (void)table, false; }
bool nth_exclusion_take(struct nth_depend *d) { return (void)d, true; }
void nth_exclusion_release(struct nth_depend *d) { (void)d; }
void nth_exclusion_free(struct nth_depend *d) { (void)d; }

struct nth_bell *nth_task_bell(struct nth_team *team) { return (void)team, &w.bell; }

static void look(void) {
  for (int i = 0; i < w.predecessors; i++)
    model_check(w.done[i] == 1);
}

void nth_task_ready(struct nth_task *t) {
  look();
  w.ran[t->priority]++;
  nth_depend_release(nth_task_depend(t), model_thread() == 0);
  nth_depend_end(nth_task_depend(t));
  nth_task_depend(t)->edges = 0; /* a race with who has looked at it too late */
  free(t);
}

void nth_task_wait_for(struct nth_member *m, struct nth_deps *deps) {
  (void)m;
  while (!nth_deps_done(deps)) {
    uint32_t ticket = nth_bell_enter(&w.bell);
    if (!nth_deps_done(deps))
      nth_bell_sleep(&w.bell, ticket, 0);
    nth_bell_leave(&w.bell);
  }
}

/* --- cases --- */

static void setup(int predecessors) {
  model_team_setup(1);
  model_enter(0);
  w.t.member[0].now.task = &w.parent;
  w.parent.table = (struct nth_depend_table *)&w;
  w.predecessors = predecessors;
  MODEL_ATOM(w.bell.seq);
  MODEL_ATOM(w.bell.sleepers);
  MODEL_ATOM(w.parent.children.others);
  nth_tally_add_own(&w.parent.children);
  MODEL_NAME(w.done);
  MODEL_NAME(w.ran);
  for (int i = 0; i < PREDECESSORS; i++)
    MODEL_ATOM_AT(i, w.before[i].successors);
}

static void make(uint32_t i) {
  void *depend[] = {(void *)(uintptr_t)w.predecessors, 0, (void *)1, (void *)2};
  struct nth_task *t = nth_heap_need(NTH_TASK_DEPEND + sizeof(struct nth_depend));
  nth_store_rlx(&t->parent, (uintptr_t)&w.parent);
  t->kind = NTH_KIND_TASK;
  t->priority = i; /* says which one it is */
  if (nth_depend_register(t, depend))
    nth_task_ready(t);
}

static void one_before(void) { setup(1); }
static void two_before(void) { setup(2); }
/* The successors are there before their predecessors finish. */
static void made(void) {
  setup(2);
  for (uint32_t i = 0; i < SUCCESSORS; i++)
    make(i);
}

static void make_one(void) { make(0); }
static void make_both(void) {
  make(0);
  make(1);
}
/* Twice on the same stack: who resolved the first wait is done with it. */
static void wait_for(int address) {
  void *depend[] = {(void *)1, 0, (void *)(uintptr_t)address};
  nth_depend_wait(&w.t.member[0], depend);
  model_check(w.done[address - 1] == 1);
}
static void wait_one(void) { wait_for(1); }
static void wait_both(void) {
  wait_for(1);
  wait_for(2);
}
static void wait_at_once(void) {
  void *depend[] = {(void *)2, 0, (void *)1, (void *)2};
  nth_depend_wait(&w.t.member[0], depend);
  look();
}

static void finish_task(int i) {
  w.done[i] = 1;
  nth_depend_release(&w.before[i], model_thread() == 0);
}
static void first(void) { finish_task(0); }
static void second(void) { finish_task(1); }
/* The parent runs the second predecessor itself, between two successors. */
static void make_second_make(void) {
  make(0);
  second();
  make(1);
}

static void ran_one(void) { model_check(w.ran[0] == 1); }
static void ran_both(void) { model_check(w.ran[0] == 1 && w.ran[1] == 1); }
static void waited(void) { model_check(nth_load_rlx(&w.bell.sleepers) == 0); }

MODEL_CASES = {
    {"link", 2, MODEL_ALL, MODEL_WORLD, one_before, {make_one, first}, ran_one},
    {"links", 2, MODEL_ALL, MODEL_WORLD, one_before, {make_both, first}, ran_both},
    {"finish", 2, MODEL_ALL, MODEL_WORLD, made, {first, second}, ran_both},
    {"own", 2, MODEL_ALL, MODEL_WORLD, two_before, {make_second_make, first}, ran_both},
    {"two", 3, 3, MODEL_WORLD, two_before, {make_one, first, second}, ran_one, 20000},
    {"wait", 2, MODEL_ALL, MODEL_WORLD, one_before, {wait_one, first}, waited},
    {"waits", 3, 2, MODEL_WORLD, two_before, {wait_both, first, second}, waited, 20000},
    {"wait2", 3, 2, MODEL_WORLD, two_before, {wait_at_once, first, second}, waited, 20000},
    {0},
};
