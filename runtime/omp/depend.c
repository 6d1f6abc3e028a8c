/* depend.c - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/depend.h"

#include <stdlib.h>

#include "runtime/base/os.h"
#include "runtime/omp/depend_table.h"
#include "runtime/omp/exclusion.h"
#include "runtime/omp/member.h"
#include "runtime/omp/team.h"

/* --- the compiler's array --- */

void nth_depend_list_begin(struct nth_depend_list *l, void **depend) {
  l->array = depend;
  l->at = 0;
  l->mutex = 0;
  l->count = (size_t)(uintptr_t)depend[0];
  l->out = (size_t)(uintptr_t)depend[1];
  l->in = l->count - l->out;
  l->first = 2;
  if (l->count == 0 && depend[1]) { /* both 0: iterators without an item */
    l->count = (size_t)(uintptr_t)depend[1];
    l->out = (size_t)(uintptr_t)depend[2];
    l->mutex = (size_t)(uintptr_t)depend[3];
    l->in = (size_t)(uintptr_t)depend[4];
    l->first = 5;
  }
}

bool nth_depend_list_next(struct nth_depend_list *l, struct nth_access *a) {
  if (l->at == l->count)
    return false;
  size_t i = l->at++;
  void *item = l->array[l->first + i];
  a->address = (uintptr_t)item;
  if (i < l->out)
    a->kind = NTH_DEPEND_OUT;
  else if (i < l->out + l->mutex)
    a->kind = NTH_DEPEND_MUTEX;
  else if (i < l->out + l->mutex + l->in)
    a->kind = NTH_DEPEND_IN;
  else { /* an omp_depend_t */
    const uintptr_t *object = item;
    a->address = object[0];
    a->kind = (uint32_t)object[1];
    if (a->kind == NTH_DEPEND_INOUT)
      a->kind = NTH_DEPEND_OUT;
  }
  return true;
}

/* --- edges --- */

static struct nth_edge *next_edge(struct nth_depend *d) {
  if (!d->blocks && d->edges < NTH_EDGES_OWN)
    return &d->own[d->edges];
  if (!d->blocks || d->edges == NTH_EDGES_MORE) {
    struct nth_edge_block *b = nth_os_need(sizeof *b);
    b->next = d->blocks;
    d->blocks = b;
    d->edges = 0;
  }
  return &d->blocks->edge[d->edges];
}

void nth_depend_link(struct nth_depend *before, struct nth_depend *after) {
  uintptr_t head = nth_load_acq(&before->successors); /* S */
  if (before == after || head == NTH_DEPEND_DONE)
    return;
  /* Linked by another access? While `before` is unfinished its successors are, so that no other one can
   * have the address of the latest. */
  if (before->latest == after)
    return;
  struct nth_edge *e = next_edge(after);
  e->to = after;
  nth_add_rlx(&after->blockers, 1); /* not the last one: I1 */
  do {
    if (head == NTH_DEPEND_DONE) {
      nth_sub_rlx(&after->blockers, 1);
      return;
    }
    e->next = (struct nth_edge *)head;
  } while (!nth_cas_acqrel(&before->successors, &head, (uintptr_t)e)); /* S */
  before->latest = after;
  after->edges++;
}

static void free_blocks(struct nth_depend *d) {
  while (d->blocks) {
    struct nth_edge_block *next = d->blocks->next;
    free(d->blocks);
    d->blocks = next;
  }
}

/* The last blocker is gone. */
static void unblocked(struct nth_depend *d) {
  if (!d->exclusion || nth_exclusion_take(d))
    nth_task_ready(d->task);
}

void nth_depend_release(struct nth_depend *d) {
  free_blocks(d); /* the edges to it were all resolved before it ran */
  if (d->exclusion)
    nth_exclusion_release(d);
  struct nth_edge *e = (struct nth_edge *)nth_xchg_acqrel(&d->successors, NTH_DEPEND_DONE); /* S */
  while (e) {
    struct nth_edge *next = e->next;
    struct nth_depend *to = e->to;
    const struct nth_task *task = to->task;
    struct nth_bell *bell = to->bell;
    if (nth_sub_acqrel(&to->blockers, 1) == 1) { /* B */
      if (task) {
        unblocked(to);
      } else { /* `to` may be gone */
        nth_fence_full(); /* bell:F */
        nth_bell_ring(bell, INT_MAX);
      }
    }
    e = next;
  }
}

void nth_depend_end(struct nth_depend *d) {
  if (d->exclusion)
    nth_exclusion_free(d);
}

/* --- registering, waiting --- */

static void begin(struct nth_depend *d, struct nth_task *task) {
  nth_store_rlx(&d->successors, 0);
  nth_store_rlx(&d->blockers, 1);
  d->edges = 0;
  d->latest = 0;
  d->task = task;
  d->bell = 0;
  d->blocks = 0;
  d->exclusion = 0;
}

static void access_all(struct nth_depend_table *table, struct nth_depend *d, void **depend) {
  struct nth_depend_list list;
  struct nth_access a;
  nth_depend_list_begin(&list, depend);
  while (nth_depend_list_next(&list, &a))
    nth_depend_table_access(table, d, &a);
}

bool nth_depend_register(struct nth_task *t, void **depend) {
  struct nth_depend *d = (struct nth_depend *)(t + 1);
  begin(d, t);
  t->depend = d;
  access_all(nth_depend_table_of(nth_task_parent(t)), d, depend);
  if (nth_sub_acqrel(&d->blockers, 1) != 1) /* B */
    return false;
  return !d->exclusion || nth_exclusion_take(d);
}

void nth_depend_wait(struct nth_member *m, void **depend) {
  struct nth_task *parent = m->now.task;
  if (!depend || !parent->table || nth_tally_left(&parent->children) == 0) /* task:A */
    return;
  struct nth_depend d;
  begin(&d, 0);
  d.bell = nth_task_bell(m->now.team);
  access_all(parent->table, &d, depend);
  if (nth_sub_acqrel(&d.blockers, 1) != 1) /* B */
    nth_task_wait_for(m, &d.blockers, parent);
  free_blocks(&d);
}

void nth_depend_clear(struct nth_task *t) { nth_depend_table_clear(t->table); }

void nth_depend_forget(struct nth_task *t) {
  if (t->table)
    nth_depend_table_free(t->table);
  t->table = 0;
}
