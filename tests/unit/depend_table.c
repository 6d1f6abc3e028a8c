/* depend_table.c - dependences, one thread: who is behind whom, the table's size, many edges
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend_table.h"
#include "runtime/omp/tasks/exclusion.h"
#include "runtime/omp/tasks/task.h"

static struct nth_slot *home;
static struct nth_task *parent;

static void begin(void) {
  static struct nth_slot slot;
  static struct nth_task task;
  memset(&slot, 0, sizeof slot);
  memset(&task, 0, sizeof task);
  home = &slot;
  parent = &task;
}

/* A task that holds itself only; freed with its last reference. */
static struct nth_task *new_task(void) {
  size_t size = nth_round_up(NTH_TASK_DEPEND + sizeof(struct nth_depend), NTH_LINE);
  struct nth_task *t = nth_heap_take(size);
  unit_check(t);
  memset(t, 0, size);
  t->kind = NTH_KIND_TASK;
  t->class = NTH_POOL_BIG;
  t->flags = NTH_TASK_OUTERMOST;
  t->home = home;
  nth_store_rlx(&t->parent, (uintptr_t)parent);
  nth_store_rlx(&t->refs, 1);
  return t;
}

/* As task.c does at its end. */
static void finish(struct nth_task *t) {
  nth_depend_release(nth_task_depend(t), true);
  nth_task_unref(t);
}

/* --- the rules, against all pairs --- */

enum { TASKS = 250, OBJECTS = 5, MOST = 3, ALIVE = 30, ROUNDS = 12 };

static struct {
  struct nth_task *task; /* NULL: finished */
  struct nth_access access[MOST];
  int accesses;
  bool before[TASKS]; /* it is behind these, in one step or more */
} made[TASKS];

static bool conflict(const struct nth_access *a, const struct nth_access *b) {
  if (a->address != b->address && a->address != 0 && b->address != 0)
    return false;
  return a->kind != b->kind || a->kind == NTH_DEPEND_OUT;
}

static bool conflicts(int a, int b) {
  for (int i = 0; i < made[a].accesses; i++)
    for (int j = 0; j < made[b].accesses; j++)
      if (conflict(&made[a].access[i], &made[b].access[j]))
        return true;
  return false;
}

static const struct nth_edge *edge(const struct nth_depend *d, uint32_t i) {
  if (i < NTH_EDGES_OWN)
    return &d->own[i];
  const struct nth_edge_slab *b = d->slabs;
  for (uint32_t back =
           (d->edges - NTH_EDGES_OWN - 1) / NTH_EDGES_MORE - (i - NTH_EDGES_OWN) / NTH_EDGES_MORE;
       back > 0; back--)
    b = b->next;
  return &b->edge[(i - NTH_EDGES_OWN) % NTH_EDGES_MORE];
}

/* Every edge is to an unfinished task in whose way n is, and through them n is behind all of
 * these. */
static void check_edges(int n, const struct nth_depend *d) {
  for (uint32_t i = 0; i < d->edges; i++) {
    int k = 0;
    while (k < n && (!made[k].task || nth_task_depend(made[k].task) != edge(d, i)->before))
      k++;
    unit_check(k < n && !made[n].before[k] && conflicts(k, n));
    made[n].before[k] = true;
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int i = 0; i < k && made[n].before[k]; i++)
      made[n].before[i] |= made[k].before[i];
    if (made[k].task && conflicts(k, n))
      unit_check(made[n].before[k]);
  }
}

static void choose_accesses(int n) {
  static const uint32_t kind[] = {NTH_DEPEND_IN, NTH_DEPEND_IN, NTH_DEPEND_OUT, NTH_DEPEND_MUTEX,
                                  NTH_DEPEND_INOUTSET};
  made[n].accesses = 1 + rand() % MOST;
  for (int i = 0; i < made[n].accesses; i++) {
    struct nth_access *a = &made[n].access[i];
    a->address = 64 * (uintptr_t)(1 + (rand() + n / 20) % OBJECTS);
    a->kind = kind[rand() % 5];
    for (int j = 0; j < i; j++) /* twice: in, then inout */
      if (made[n].access[j].address == a->address)
        a->kind = NTH_DEPEND_OUT;
  }
  if (rand() % 50 == 0) {
    made[n].accesses = 1;
    made[n].access[0] = (struct nth_access){0, NTH_DEPEND_OUT};
  }
}

/* The steps of nth_depend_register() without the links: nobody runs here. */
static void add(int n) {
  struct nth_depend_table *table = nth_depend_table_of(parent);
  struct nth_task *t = made[n].task = new_task();
  struct nth_depend *d = nth_task_depend(t);
  d->task = t;
  t->flags |= NTH_TASK_DEPENDS;
  choose_accesses(n);
  memset(made[n].before, 0, sizeof made[n].before);
  for (int i = 0; i < made[n].accesses; i++)
    nth_depend_table_access(table, d, &made[n].access[i]);
  check_edges(n, d);
  for (uint32_t i = 0; i < d->edges; i++) /* what is linked may still be seen: by finish() */
    ((struct nth_edge *)edge(d, i))->before = 0;
  nth_depend_table_settle(table);
  unit_check(nth_depend_table_valid(table));
}

/* Unless it has finished, or is behind others that have not. */
static void try_to_finish(int n) {
  bool ready = made[n].task != 0;
  for (int i = 0; i < n; i++)
    ready &= !made[n].before[i] || !made[i].task;
  if (ready) {
    finish(made[n].task);
    made[n].task = 0;
  }
}

static void finish_all(void) {
  for (int n = 0; n < TASKS; n++)
    try_to_finish(n);
}

static void add_and_finish(void) {
  int oldest = 0;
  for (int n = 0; n < TASKS; n++) {
    add(n);
    for (int tries = rand() % 4; tries > 0; tries--)
      try_to_finish(oldest + rand() % (n - oldest + 1));
    while (oldest < n && (!made[oldest].task || n - oldest > ALIVE))
      try_to_finish(oldest++);
  }
}

static void rules(void) {
  begin();
  srand(1);
  for (int round = 0; round < ROUNDS; round++) {
    add_and_finish();
    if (round % 2 == 0) /* a taskwait; else the parent ends while it has children */
      finish_all();
    nth_depend_clear(parent);
    unit_check(nth_depend_table_valid(parent->table));
    if (round % 3 == 0)
      nth_depend_forget(parent);
    finish_all();
  }
  nth_depend_forget(parent);
}

/* --- size --- */

static struct nth_task *write_to(uintptr_t address, bool ready) {
  struct nth_task *t = new_task();
  void *depend[] = {(void *)1, (void *)1, (void *)address};
  unit_check(nth_depend_register(t, depend) == ready);
  return t;
}

/* So many unfinished at once, of which none is in the end. */
static void write_many(struct nth_task **t, int n) {
  for (int i = 0; i < n; i++)
    t[i] = write_to(8 * (uintptr_t)(i + 1), true);
  unit_check(nth_depend_table_valid(parent->table));
  for (int i = 0; i < n; i++)
    finish(t[i]);
}

/* The slots follow the unfinished ones; an emptied table gets small again. */
static void size(void) {
  enum { MANY = NTH_DEPEND_KEPT, SLOTS = 2 * MANY };
  static struct nth_task *t[MANY];
  begin();
  for (uintptr_t i = 1; i <= MANY; i++)
    finish(write_to(8 * i, true));
  unit_check(nth_depend_table_slots(parent->table) == 16);
  for (int i = 0; i < MANY; i++) {
    t[i] = write_to(8 * (uintptr_t)(i + 1), true);
    unit_check(i % 64 != 0 || nth_depend_table_valid(parent->table));
  }
  unit_check(nth_depend_table_slots(parent->table) == SLOTS);
  for (int i = 0; i < MANY; i++)
    finish(t[i]);
  for (uint32_t slots = SLOTS; slots > 16; slots /= 2) {
    nth_depend_clear(parent);
    nth_depend_clear(parent);
    unit_check(nth_depend_table_slots(parent->table) < slots);
  }
  write_many(t, MANY);
  for (uintptr_t i = 1; i <= SLOTS; i++) /* without a taskwait between them */
    finish(write_to(8 * (MANY + i), true));
  unit_check(nth_depend_table_slots(parent->table) <= 64);
  nth_depend_clear(parent);
  write_many(t, MANY);
  nth_depend_clear(parent);
  unit_check(nth_depend_table_slots(parent->table) == SLOTS);
  for (uintptr_t i = 0; i <= SLOTS / 8; i++)
    finish(write_to(8 * (i + 1), true));
  unit_check(nth_depend_table_slots(parent->table) <= 64);
  write_many(t, MANY);
  nth_depend_restart(parent); /* too large to keep */
  unit_check(!parent->table);
  finish(write_to(8, true));
  nth_depend_restart(parent);
  unit_check(parent->table && nth_depend_table_slots(parent->table) == 16);
  nth_depend_forget(parent);
}

/* --- edges --- */

/* A task behind many: ready with the end of the last one, in whatever order. */
static void many_edges(void) {
  enum { MANY = NTH_EDGES_OWN + 2 * NTH_EDGES_MORE + 1 };
  for (uint32_t n = 1; n <= MANY; n++) {
    struct nth_task *t[MANY];
    begin();
    for (uint32_t i = 0; i < n; i++) {
      t[i] = new_task();
      void *depend[] = {(void *)1, 0, (void *)64}; /* readers */
      unit_check(nth_depend_register(t[i], depend));
    }
    struct nth_task *last = write_to(64, false);
    unit_check(nth_deps_count(nth_load_rlx(&last->deps.word)) == n);
    for (uint32_t i = 0; i < n; i++) {
      unit_check(nth_load_rlx(&home->queue.list.length) == 0);
      finish(t[n % 7 ? i * 7 % n : i]);
    }
    unit_check(nth_load_rlx(&home->queue.list.length) == 1 && home->queue.list.oldest == last);
    finish(last);
    nth_depend_forget(parent);
  }
}

/* --- memory --- */

static struct nth_member member;

/* Calls visit for the first word of every object there is, each in no use. */
static void with_all(void (*visit)(uintptr_t *word)) {
  static void *object[NTH_POOL_BIG][5000];
  for (uint32_t class = 0; class < NTH_POOL_BIG; class++) {
    uint32_t n = (uint32_t)nth_pool_count(class).made;
    unit_check(n <= 5000);
    for (uint32_t i = 0; i < n; i++) {
      object[class][i] = nth_pool_take(&member.pool, class, nth_pool_bytes[class]);
      visit(object[class][i]);
    }
    for (uint32_t i = 0; i < n; i++)
      nth_pool_give(&member.pool, object[class][i], class);
  }
}

enum { MARK = 4711 };
static uint32_t marked, seen;
static void mark(uintptr_t *word) {
  *word = MARK;
  marked++;
}
static void see(uintptr_t *word) { seen += *word == MARK; }

/* Nothing that lies in a pool has its first word written (NTH_POOL_NOT_OURS). */
static void not_ours(void) {
  rules();
  with_all(mark);
  rules();
  size();
  many_edges();
  with_all(see);
  unit_check(marked > 0 && seen == marked);
}

int main(void) {
  unit_begin();
  nth_pool_init(&member.pool, NTH_POOL_HIER, 0);
  member.now.slot = &member.solo;
  nth_self = &member;
  unit_run(rules);
  unit_run(size);
  unit_run(many_edges);
  unit_run(not_ours);
  return 0;
}
