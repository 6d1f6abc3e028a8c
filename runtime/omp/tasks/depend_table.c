/* depend_table.c - the table of what a task's children access
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/depend_table.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/exclusion.h"
#include "runtime/omp/tasks/task.h"

/* A listed child. */
struct node {
  struct node *next;
  struct nth_depend *who;
};

struct node_slab {
  NTH_POOL_NOT_OURS;
  struct node_slab *next;
  struct node node[NTH_DEPEND_NODES_MORE];
};

struct entry {
  uintptr_t address; /* 0: the slot is free */
  struct node *now, *before;
  struct nth_exclusive *exclusive; /* of a mutexinoutset group; NULL: `now` is none */
  uint32_t kind;                   /* of the group `now` */
  uint32_t length, sweep_at;       /* nodes in `now`; length at which to sweep it */
};

/* Slots of a table that has grown. */
struct slot_array {
  NTH_POOL_NOT_OURS;
  struct entry slot[];
};

struct nth_depend_table {
  NTH_POOL_NOT_OURS;
  struct slot_array *grown; /* NULL: slot is first_slot */
  struct entry *slot;
  uint32_t slots, used, sweep_at; /* sweep_at: used slots at which to sweep the table */
  struct node *all;               /* latest access to all memory: none or one node */
  struct node *free;
  struct node *dropped;           /* still with references; I4 */
  struct node *fresh, *fresh_end; /* never used since the last clear */
  struct node_slab *slabs;
  bool alone; /* the parent is alone, and runs its children as it makes them */
  struct entry first_slot[NTH_DEPEND_SLOTS_OWN];
  struct node first_node[NTH_DEPEND_NODES_OWN];
};
static_assert(sizeof(struct nth_depend_table) <= 1024 && sizeof(struct node_slab) <= 1024,
              "an object of a pool");

/* Slots of the largest table that is checked at each access, if it has no slabs of nodes. */
enum { CHECKED = 2 * NTH_DEPEND_SLOTS_OWN };

/* --- nodes --- */

static struct node *fresh_node(struct nth_depend_table *t) {
  nth_assert(t->fresh <= t->fresh_end);
  if (t->fresh == t->fresh_end) {
    struct node_slab *b = nth_member_take(sizeof *b);
    b->next = t->slabs;
    t->slabs = b;
    t->fresh = b->node;
    t->fresh_end = b->node + NTH_DEPEND_NODES_MORE;
  }
  return t->fresh++;
}

/* Counts a node. Other threads do not know the task yet, but one that misuses its event might. */
static inline void hold(struct nth_task *task) {
  nth_assert(task->flags & NTH_TASK_DEPENDS);
  if (task->listed++ > 0)
    return;
  if (nth_unlikely(task->flags & NTH_TASK_DETACH))
    nth_add_rlx(&task->refs, 1);
  else
    nth_store_rlx(&task->refs, nth_load_rlx(&task->refs) + 1);
}

static inline struct node *take_node(struct nth_depend_table *t, struct nth_depend *who,
                                     struct node *next) {
  struct node *n = t->free;
  if (nth_likely(n != 0))
    t->free = n->next;
  else
    n = fresh_node(t);
  n->who = who;
  n->next = next;
  hold(who->task);
  return n;
}

/* Takes the node out of its list; returns the next one. */
static inline struct node *drop(struct nth_depend_table *t, struct node *n) {
  struct node *next = n->next;
  nth_assert(n->who->task->listed > 0);
  nth_prefetch_own(&n->who->task->listed); /* for settle() */
  n->next = t->dropped;
  t->dropped = n;
  return next;
}

static inline void drop_list(struct nth_depend_table *t, struct node **list) {
  while (*list)
    *list = drop(t, *list);
}

void nth_depend_table_settle(struct nth_depend_table *t) {
  while (t->dropped) {
    struct node *n = t->dropped;
    t->dropped = n->next;
    struct nth_task *task = n->who->task;
    nth_assert(task->listed > 0);
    if (--task->listed == 0)
      nth_task_unref(task);
    n->next = t->free;
    t->free = n;
  }
  nth_assert_valid(t->slots > CHECKED || t->slabs || nth_depend_table_valid(t));
}

/* Takes the finished children out of the list. Returns how many are left. */
static NTH_HOT uint32_t sweep(struct nth_depend_table *t, struct node **list) {
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

/* Notes edges from d to each child of the list, and drops the finished children. */
static NTH_HOT void behind(struct nth_depend_table *t, struct node **list, struct nth_depend *d) {
  while (*list) {
    struct nth_depend *who = (*list)->who;
    if (who != d) {
      if (nth_depend_done(who)) {
        *list = drop(t, *list);
        continue;
      }
      nth_depend_note(d, who);
    }
    list = &(*list)->next;
  }
}

/* --- slots --- */

/* The entry of the address, or the free slot where the address belongs. */
static NTH_HOT struct entry *probe(const struct nth_depend_table *t, uintptr_t address) {
  uint32_t hash = (uint32_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  struct entry *end = t->slot + t->slots, *e = t->slot + (hash & (t->slots - 1));
  while (e->address != address && e->address != 0)
    e = nth_likely(e + 1 < end) ? e + 1 : t->slot;
  return e;
}

static void empty(struct nth_depend_table *t, struct entry *e) {
  drop_list(t, &e->now);
  drop_list(t, &e->before);
  if (nth_unlikely(e->exclusive != 0))
    nth_exclusive_unref(e->exclusive);
  memset(e, 0, sizeof *e);
}

static uint32_t full(uint32_t slots) { return slots / 4 * 3; } /* I3 */

static size_t slot_bytes(uint32_t slots) {
  return sizeof(struct slot_array) + slots * sizeof(struct entry);
}

/* Gives t that number of slots, zeroed. */
static void make_slots(struct nth_depend_table *t, uint32_t slots) {
  nth_assert(slots >= NTH_DEPEND_SLOTS_OWN && (slots & (slots - 1)) == 0); /* I3 */
  t->slots = slots;
  t->sweep_at = full(slots);
  t->grown = slots > NTH_DEPEND_SLOTS_OWN ? nth_member_take(slot_bytes(slots)) : 0;
  t->slot = t->grown ? t->grown->slot : t->first_slot;
  memset(t->slot, 0, slots * sizeof *t->slot);
}

static void free_slots(struct slot_array *grown, uint32_t slots) {
  if (grown)
    nth_member_give(grown, slot_bytes(slots));
}

/* Takes finished children out of the entry, and frees the slot if no child is left. True: the entry
 * stays; it moves to where its probe ends now. */
static bool sweep_entry(struct nth_depend_table *t, struct entry *e) {
  if (sweep(t, &e->now) + sweep(t, &e->before) == 0) {
    empty(t, e);
    return false;
  }
  uintptr_t address = e->address;
  nth_assert(address != 0);
  e->address = 0;
  struct entry *to = probe(t, address);
  if (to != e) {
    *to = *e;
    memset(e, 0, sizeof *e);
  }
  to->address = address;
  return true;
}

/* sweep_range: sweep_entry for slots [from, to). Returns how many entries stay. */
static uint32_t sweep_range(struct nth_depend_table *t, uint32_t from, uint32_t to) {
  uint32_t live = 0;
  for (struct entry *e = t->slot + from, *end = t->slot + to; e < end; e++) {
    if (end - e > NTH_DEPEND_SWEEP_AHEAD && e[NTH_DEPEND_SWEEP_AHEAD].now)
      nth_prefetch_own(e[NTH_DEPEND_SWEEP_AHEAD].now->who);
    live += e->address != 0 && sweep_entry(t, e);
  }
  return live;
}

/* Sweeps all slots. It begins after a free slot, which no probe passes, and moves one entry after
 * the other. */
static uint32_t sweep_slots(struct nth_depend_table *t) {
  uint32_t start = 0;
  nth_assert(t->used < t->slots);
  while (t->slot[start].address != 0)
    start++;
  uint32_t live = sweep_range(t, start, t->slots);
  return live + sweep_range(t, 0, start);
}

/* Moves all entries to a new array of slots. */
static void resize(struct nth_depend_table *t, uint32_t slots) {
  struct slot_array *grown = t->grown;
  nth_assert(t->used <= full(slots));
  struct entry *old = t->slot;
  uint32_t old_slots = t->slots;
  make_slots(t, slots);
  for (uint32_t i = 0; i < old_slots; i++) {
    if (old[i].address != 0)
      *probe(t, old[i].address) = old[i];
  }
  free_slots(grown, old_slots);
}

/* Nodes of a list, which may be finished children's; UINT32_MAX: one of them is not counted. */
static uint32_t length_of(const struct node *list) {
  uint32_t n = 0;
  for (; list; list = list->next, n++)
    if (!list->who->task || list->who->task->listed == 0)
      return UINT32_MAX;
  return n;
}

/* What an entry lists: `length` counts the nodes of `now`, and those dropped since its sweep. */
static bool entry_valid(const struct nth_depend_table *t, const struct entry *e) {
  if (e->address == 0)
    return !e->now && !e->before && !e->exclusive;
  return probe(t, e->address) == e && length_of(e->now) <= e->length &&
         length_of(e->before) < UINT32_MAX && (e->exclusive != 0) == (e->kind == NTH_DEPEND_MUTEX);
}

/* I3. */
static bool slots_valid(const struct nth_depend_table *t) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < t->slots; i++) {
    if (!entry_valid(t, &t->slot[i]))
      return false;
    used += t->slot[i].address != 0;
  }
  return (t->slots & (t->slots - 1)) == 0 && used == t->used && 4 * used <= 3 * t->slots;
}

/* Makes room by a sweep. If half of the slots are still used, the table gets twice as many; if few
 * are, fewer. */
static __attribute__((noinline)) void make_room(struct nth_depend_table *t) {
  uint32_t slots = t->slots;
  t->used = sweep_slots(t);
  if (t->used >= slots / 2)
    slots *= 2;
  else if (t->used < slots / 16)
    while (slots > 2 * NTH_DEPEND_SLOTS_OWN && t->used < slots / 8)
      slots /= 2;
  if (slots == t->slots)
    t->sweep_at = full(slots); /* perhaps this sweep was early */
  else
    resize(t, slots);
  nth_assert_valid(slots_valid(t));
}

static NTH_HOT struct entry *entry_of(struct nth_depend_table *t, uintptr_t address) {
  struct entry *e = probe(t, address);
  nth_assert(address != 0 && t->used <= full(t->slots));
  if (e->address == address)
    return e;
  if (nth_unlikely(t->used >= t->sweep_at)) {
    make_room(t);
    e = probe(t, address);
  }
  nth_assert(t->used < t->sweep_at && e->address == 0);
  t->used++;
  e->address = address;
  return e;
}

/* --- accesses --- */

/* An access to all memory: d waits for every child, and is the only one listed from now on. */
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
  nth_assert(e->now && e->kind != NTH_DEPEND_OUT && e->length > 0);
  if (e->length >= e->sweep_at) {
    e->length = sweep(t, &e->now);
    e->sweep_at = e->length < NTH_DEPEND_SWEEP_FROM ? 2 * NTH_DEPEND_SWEEP_FROM : 2 * e->length;
  }
  e->now = take_node(t, d, e->now);
  e->length++;
}

/* d begins a new group, which takes the place of the present one. */
static NTH_HOT void replace(struct nth_depend_table *t, struct entry *e, struct nth_depend *d,
                            uint32_t kind) {
  nth_assert(e->address != 0 && d->task);
  drop_list(t, &e->before);
  e->before = e->now;
  e->now = take_node(t, d, 0);
  e->length = 1;
  e->sweep_at = NTH_DEPEND_SWEEP_FROM;
  e->kind = kind;
  if (nth_unlikely(e->exclusive != 0 || kind == NTH_DEPEND_MUTEX)) {
    if (e->exclusive)
      nth_exclusive_unref(e->exclusive);
    e->exclusive = kind == NTH_DEPEND_MUTEX ? nth_exclusive_make() : 0;
  }
}

/* A wait is not listed, and also waits for the other children of a mutexinoutset group. */
static void wait_for(struct nth_depend_table *t, struct nth_depend *d, const struct nth_access *a) {
  struct entry *e = probe(t, a->address);
  if (e->address == 0)
    return;
  bool beside = joins(e, a->kind) && a->kind != NTH_DEPEND_MUTEX;
  behind(t, beside ? &e->before : &e->now, d);
}

static NTH_HOT void access_one(struct nth_depend_table *t, struct nth_depend *d,
                               const struct nth_access *a) {
  struct nth_access null = {UINTPTR_MAX, a->kind}; /* I3 */
  if (nth_unlikely(a->address == 0)) {
    if (a->kind == NTH_DEPEND_OUT) {
      access_everything(t, d);
      return;
    }
    a = &null;
  }
  if (nth_unlikely(t->all != 0))
    behind(t, &t->all, d);
  if (nth_unlikely(!d->task)) {
    wait_for(t, d, a);
    return;
  }
  struct entry *e = entry_of(t, a->address);
  bool listed = e->now && e->now->who == d; /* it was listed by an earlier item of its clauses */
  if (listed && (e->kind == a->kind || e->kind == NTH_DEPEND_OUT))
    return;
  if (joins(e, a->kind)) {
    behind(t, &e->before, d);
    join(t, e, d);
  } else {
    behind(t, &e->now, d);
    replace(t, e, d, a->kind);
  }
  if (nth_unlikely(e->exclusive != 0))
    nth_exclusion_add(d, e->exclusive);
}

void nth_depend_table_access(struct nth_depend_table *t, struct nth_depend *d,
                             const struct nth_access *a) {
  access_one(t, d, a);
}

void nth_depend_table_access_all(struct nth_depend_table *t, struct nth_depend *d, void **depend) {
  uintptr_t n = (uintptr_t)depend[0], out = (uintptr_t)depend[1];
  if (nth_likely(n != 0)) { /* the old kind of array, of most programs: in and out only */
    for (uintptr_t i = 0; i < n; i++)
      access_one(
          t, d,
          &(struct nth_access){(uintptr_t)depend[2 + i], i < out ? NTH_DEPEND_OUT : NTH_DEPEND_IN});
    return;
  }
  struct nth_depend_list list;
  struct nth_access a;
  nth_depend_list_begin(&list, depend);
  while (nth_depend_list_next(&list, &a))
    nth_depend_table_access(t, d, &a);
}

/* --- life --- */

static void no_nodes(struct nth_depend_table *t) {
  t->free = 0;
  t->fresh = t->first_node;
  t->fresh_end = t->first_node + NTH_DEPEND_NODES_OWN;
}

struct nth_depend_table *nth_depend_table_of(struct nth_task *task) {
  if (nth_likely(task->table != 0))
    return task->table;
  struct nth_depend_table *t = nth_member_take(sizeof *t);
  make_slots(t, NTH_DEPEND_SLOTS_OWN);
  t->used = 0;
  t->all = t->dropped = 0;
  t->slabs = 0;
  t->alone = false;
  no_nodes(t);
  return task->table = t;
}

/* The table is empty and had `used` entries. A table that is far too large gets smaller: going over
 * it at each taskwait would cost more than the tasks. Without a sweep, it is not known how many of
 * the entries were finished children's. So the next sweep comes early, at as many entries again. */
static void shrink(struct nth_depend_table *t, uint32_t used) {
  if (t->slots > NTH_DEPEND_SLOTS_OWN && used <= t->slots / 8) {
    free_slots(t->grown, t->slots);
    make_slots(t, t->slots / 2);
  } else if (t->slots >= NTH_DEPEND_SWEEP_EARLY) {
    t->sweep_at = t->slots / 8;
  }
}

void nth_depend_table_clear(struct nth_depend_table *t) {
  uint32_t used = t->used;
  for (uint32_t i = 0; i < t->slots && t->used > 0; i++) {
    if (t->slot[i].address != 0) {
      empty(t, &t->slot[i]);
      t->used--;
    }
  }
  drop_list(t, &t->all);
  nth_assert(t->used == 0);
  nth_depend_table_settle(t);
  t->alone = false;
  no_nodes(t);
  while (nth_unlikely(t->slabs != 0)) {
    struct node_slab *b = t->slabs;
    t->slabs = b->next;
    nth_member_give(b, sizeof *b);
  }
  shrink(t, used);
}

void nth_depend_table_free(struct nth_depend_table *t) {
  nth_depend_table_clear(t);
  free_slots(t->grown, t->slots);
  nth_member_give(t, sizeof *t);
}

void nth_depend_table_set_alone(struct nth_depend_table *t, bool alone) { t->alone = alone; }
bool nth_depend_table_alone(const struct nth_depend_table *t) { return t->alone; }

uint32_t nth_depend_table_slots(const struct nth_depend_table *t) { return t->slots; }

bool nth_depend_table_valid(const struct nth_depend_table *t) {
  return slots_valid(t) && length_of(t->all) <= 1 && !t->dropped;
}
