/* depend_table.c - what a task's children access
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/depend_table.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/exclusion.h"
#include "runtime/omp/member.h"

#define FIRST_SLOTS 32u /* power of two */
#define SWEEP_FROM 16u  /* list nodes */
#define NODES_A_BLOCK 63

/* A listed child. */
struct node {
  struct node *next;
  struct nth_depend *who;
};

struct node_block {
  struct node_block *next;
  struct node node[NODES_A_BLOCK];
};

struct entry {
  uintptr_t address;            /* 0: the slot is free */
  struct node *now, *before;
  struct nth_exclusive *exclusive; /* of a mutexinoutset group; NULL: not one */
  uint32_t kind;                /* of the group `now` */
  uint32_t length, sweep_at;    /* nodes in `now`; length to look for finished ones at */
};

struct nth_depend_table {
  struct entry *slot;
  uint32_t slots, used;
  struct node *all;      /* latest access to all memory: none or one node */
  struct node *free;
  struct node_block *blocks;
};

/* --- nodes --- */

static struct node *take_node(struct nth_depend_table *t, struct nth_depend *who,
                              struct node *next) {
  if (!t->free) {
    struct node_block *b = nth_os_need(sizeof *b);
    b->next = t->blocks;
    t->blocks = b;
    for (int i = 0; i < NODES_A_BLOCK; i++) {
      b->node[i].next = t->free;
      t->free = &b->node[i];
    }
  }
  struct node *n = t->free;
  t->free = n->next;
  n->who = who;
  n->next = next;
  nth_add_rlx(&who->task->refs, 1);
  return n;
}

/* Gives the node back; returns the next one. */
static struct node *drop(struct nth_depend_table *t, struct node *n) {
  struct node *next = n->next;
  nth_task_unref(n->who->task);
  n->next = t->free;
  t->free = n;
  return next;
}

static void drop_list(struct nth_depend_table *t, struct node **list) {
  while (*list)
    *list = drop(t, *list);
}

/* Takes the finished children out; returns how many are left. */
static uint32_t sweep(struct nth_depend_table *t, struct node **list) {
  uint32_t left = 0;
  while (*list) {
    if (nth_depend_done((*list)->who)) {
      *list = drop(t, *list);
    } else {
      list = &(*list)->next;
      left++;
    }
  }
  return left;
}

/* d behind each of the list; finished ones are dropped on the way. */
static void behind(struct nth_depend_table *t, struct node **list, struct nth_depend *d) {
  while (*list) {
    if ((*list)->who != d && nth_depend_done((*list)->who)) {
      *list = drop(t, *list);
      continue;
    }
    nth_depend_link((*list)->who, d);
    list = &(*list)->next;
  }
}

/* --- slots --- */

static uint32_t hash(const struct nth_depend_table *t, uintptr_t address) {
  return (uint32_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->slots - 1);
}

/* The address's entry, or the free slot where it belongs. */
static struct entry *probe(const struct nth_depend_table *t, uintptr_t address) {
  uint32_t i = hash(t, address);
  while (t->slot[i].address != 0 && t->slot[i].address != address)
    i = (i + 1) & (t->slots - 1);
  return &t->slot[i];
}

static void empty(struct nth_depend_table *t, struct entry *e) {
  drop_list(t, &e->now);
  drop_list(t, &e->before);
  if (e->exclusive)
    nth_exclusive_unref(e->exclusive);
  memset(e, 0, sizeof *e);
}

/* Room for more: entries whose children have all finished go; if half of the slots stay, there will be
 * twice as many. */
static void grow(struct nth_depend_table *t) {
  struct entry *old = t->slot;
  uint32_t slots = t->slots, live = 0;
  for (uint32_t i = 0; i < slots; i++) {
    struct entry *e = &old[i];
    if (e->address != 0 && sweep(t, &e->now) + sweep(t, &e->before) == 0)
      empty(t, e);
    live += e->address != 0;
  }
  if (live >= slots / 2)
    t->slots = 2 * slots;
  t->slot = nth_os_need(t->slots * sizeof *t->slot);
  t->used = live;
  for (uint32_t i = 0; i < slots; i++) {
    if (old[i].address != 0)
      *probe(t, old[i].address) = old[i];
  }
  free(old);
}

static struct entry *entry_of(struct nth_depend_table *t, uintptr_t address) {
  struct entry *e = probe(t, address);
  if (e->address == address)
    return e;
  if (4 * (t->used + 1) > 3 * t->slots) {
    grow(t);
    e = probe(t, address);
  }
  t->used++;
  e->address = address;
  return e;
}

/* --- accesses --- */

/* To all memory: behind everybody, and from now on the only one. */
static void access_everything(struct nth_depend_table *t, struct nth_depend *d) {
  for (uint32_t i = 0; i < t->slots && t->used > 0; i++) {
    struct entry *e = &t->slot[i];
    behind(t, &e->now, d);
    if (d->task)
      empty(t, e);
  }
  behind(t, &t->all, d);
  if (!d->task)
    return;
  t->used = 0;
  drop_list(t, &t->all);
  t->all = take_node(t, d, 0);
}

static bool joins(const struct entry *e, uint32_t kind) {
  return e->now && e->kind == kind && kind != NTH_DEPEND_OUT;
}

static void join(struct nth_depend_table *t, struct entry *e, struct nth_depend *d) {
  if (e->length >= e->sweep_at) {
    e->length = sweep(t, &e->now);
    e->sweep_at = e->length < SWEEP_FROM ? 2 * SWEEP_FROM : 2 * e->length;
  }
  e->now = take_node(t, d, e->now);
  e->length++;
}

/* d begins a new group, behind the one that was there. */
static void replace(struct nth_depend_table *t, struct entry *e, struct nth_depend *d,
                    uint32_t kind) {
  drop_list(t, &e->before);
  e->before = e->now;
  e->now = take_node(t, d, 0);
  e->length = 1;
  e->sweep_at = SWEEP_FROM;
  e->kind = kind;
  if (e->exclusive)
    nth_exclusive_unref(e->exclusive);
  e->exclusive = kind == NTH_DEPEND_MUTEX ? nth_exclusive_make() : 0;
}

/* A wait is not noted, and waits for the others of a mutexinoutset group too. */
static void wait_for(struct nth_depend_table *t, struct nth_depend *d, const struct nth_access *a) {
  struct entry *e = probe(t, a->address);
  if (e->address == 0)
    return;
  bool beside = joins(e, a->kind) && a->kind != NTH_DEPEND_MUTEX;
  behind(t, beside ? &e->before : &e->now, d);
}

void nth_depend_table_access(struct nth_depend_table *t, struct nth_depend *d,
                             const struct nth_access *a) {
  if (a->address == 0) {
    access_everything(t, d);
    return;
  }
  behind(t, &t->all, d);
  if (!d->task) {
    wait_for(t, d, a);
    return;
  }
  struct entry *e = entry_of(t, a->address);
  bool listed = e->now && e->now->who == d; /* by an earlier item of its clauses */
  if (listed && (e->kind == a->kind || e->kind == NTH_DEPEND_OUT))
    return;
  if (joins(e, a->kind)) {
    behind(t, &e->before, d);
    join(t, e, d);
  } else {
    behind(t, &e->now, d);
    replace(t, e, d, a->kind);
  }
  if (e->exclusive)
    nth_exclusion_add(d, e->exclusive);
}

/* --- life --- */

struct nth_depend_table *nth_depend_table_of(struct nth_task *task) {
  if (!task->table) {
    struct nth_depend_table *t = nth_os_need(sizeof *t);
    t->slots = FIRST_SLOTS;
    t->slot = nth_os_need(t->slots * sizeof *t->slot);
    task->table = t;
    if (task->flags & NTH_TASK_IMPLICIT)
      nth_self->now.slot->depends = true;
  }
  return task->table;
}

static void forget(struct nth_depend_table *t) {
  for (uint32_t i = 0; i < t->slots && t->used > 0; i++) {
    if (t->slot[i].address != 0)
      empty(t, &t->slot[i]);
  }
  t->used = 0;
  drop_list(t, &t->all);
}

void nth_depend_table_clear(struct nth_depend_table *t) {
  /* A table that was large once is not looked through for ever. */
  bool sparse = t->used > 0 && t->slots > FIRST_SLOTS && t->used < t->slots / 8;
  forget(t);
  if (sparse) {
    free(t->slot);
    t->slots /= 2;
    t->slot = nth_os_need(t->slots * sizeof *t->slot);
  }
}

void nth_depend_table_free(struct nth_depend_table *t) {
  forget(t);
  while (t->blocks) {
    struct node_block *next = t->blocks->next;
    free(t->blocks);
    t->blocks = next;
  }
  free(t->slot);
  free(t);
}
