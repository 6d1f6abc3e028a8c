/* depend.c - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/depend.h"

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend_table.h"
#include "runtime/omp/tasks/exclusion.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/types/team_type.h"

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
  if (nth_likely(d->edges < NTH_EDGES_OWN))
    return &d->own[d->edges];
  uint32_t at = (d->edges - NTH_EDGES_OWN) % NTH_EDGES_MORE;
  if (at == 0) {
    struct nth_edge_slab *b = nth_member_take(sizeof *b);
    b->next = d->slabs;
    d->slabs = b;
  }
  return &d->slabs->edge[at];
}

void (*nth_depend_told)(struct nth_task *before, struct nth_task *after);

void nth_depend_note(struct nth_depend *after, struct nth_depend *before) {
  nth_assert(after != before);
  /* An edge to `before` is there already, by another access. While `before` is unfinished its
   * successors are too, so no other one can have the address in `latest`. */
  if (before->latest == after)
    return;
  before->latest = after;
  next_edge(after)->before = before;
  after->edges++;
  if (nth_unlikely(nth_depend_told != 0) && after->task)
    nth_depend_told(before->task, after->task);
}

static void free_slabs(struct nth_depend *d) {
  while (nth_unlikely(d->slabs != 0)) {
    struct nth_edge_slab *b = d->slabs;
    d->slabs = b->next;
    nth_member_give(b, sizeof *b);
  }
}

/* False: the predecessor has finished. */
static bool link_edge(struct nth_edge *e, struct nth_node *after) {
  struct nth_depend *before = e->before;
  nth_assert(before && (void *)before != (void *)after);
  uintptr_t head = nth_load_acq(&before->successors); /* S */
  e->after = after;
  do {
    if (head == NTH_DEPEND_DONE)
      return false;
    e->next = (struct nth_edge *)head;
  } while (!nth_cas_acqrel(&before->successors, &head, (uintptr_t)e)); /* S */
  return true;
}

/* Links the noted edges. True: all are resolved, and d waits for nothing. False: the task may run
 * as soon as its last edge is linked, and nothing of a wait may be touched later, so d's own edges
 * are linked last. */
static bool link_edges(struct nth_depend *d, struct nth_node *node) {
  uint32_t n = d->edges, own = n < NTH_EDGES_OWN ? n : NTH_EDGES_OWN, more = n - own, late = 0;
  nth_deps_set(&node->deps, NTH_MADE, n);
  for (struct nth_edge_slab *b = d->slabs; nth_unlikely(more > 0); b = b->next) {
    uint32_t used = (more - 1) % NTH_EDGES_MORE + 1;
    for (uint32_t i = 0; i < used; i++)
      late += !link_edge(&b->edge[i], node);
    more -= used;
  }
  nth_assert(late <= n - own);
  for (uint32_t i = 0; i < own; i++)
    late += !link_edge(&d->own[i], node);
  return late == n || (late > 0 && nth_deps_last(&node->deps, late)); /* deps:A */
}

void nth_depend_start(struct nth_task *t) {
  nth_assert(t->kind == NTH_KIND_PLACE || t->kind == NTH_KIND_TASK);
  if (nth_unlikely(t->kind == NTH_KIND_PLACE))
    t->fn(t->data); /* t may be gone after this */
  else
    nth_task_ready(t);
}

/* t waits for no predecessor any longer. */
static inline void resolved(struct nth_task *t) {
  struct nth_depend *d = nth_task_depend(t);
  nth_assert(t->flags & NTH_TASK_DEPENDS && d->task == t);
  if (!d->exclusion || nth_exclusion_take(d))
    nth_depend_start(t);
}

/* A wait with dependences: the node that it waits for, and the bell at which it sleeps. */
struct pause {
  struct nth_node node; /* first */
  struct nth_bell *bell;
};

static void resolve_wait(struct pause *p) {
  struct nth_bell *bell = p->bell;
  nth_assert(bell);
  if (!nth_deps_last(&p->node.deps, 1)) /* deps:A */
    return;
  nth_fence_full(); /* bell:F: p may be gone */
  nth_bell_ring(bell, INT_MAX);
}

/* A predecessor of `to` has finished. */
static inline void resolve(struct nth_node *to) {
  nth_assert(nth_deps_count(nth_load_rlx(&to->deps.word)) > 0); /* I1: this edge, at least */
  if (nth_unlikely(to->kind == NTH_KIND_WAIT))
    resolve_wait((struct pause *)to);
  else if (nth_deps_last(&to->deps, 1)) /* deps:A */
    resolved(nth_task_of(to));
}

static inline struct nth_edge *take_successors(struct nth_depend *d, bool own) {
  if (own) {
    struct nth_edge *list = (struct nth_edge *)nth_load_rlx(&d->successors);
    nth_store_rlx(&d->successors, NTH_DEPEND_DONE);
    return list;
  }
  return (struct nth_edge *)nth_xchg_acqrel(&d->successors, NTH_DEPEND_DONE); /* S */
}

void nth_depend_release(struct nth_depend *d, bool own) {
  free_slabs(d); /* all edges in them were resolved before the task ran */
  if (nth_unlikely(d->exclusion != 0))
    nth_exclusion_release(d);
  struct nth_edge *e = take_successors(d, own);
  nth_assert((uintptr_t)e != NTH_DEPEND_DONE); /* it finishes once */
  while (e) {
    struct nth_edge *next = e->next;
    resolve(e->after);
    e = next;
  }
}

/* The end of the struct nth_depend that holds edge e, from the edge's address alone. The memory of
 * a task begins at a line, as a pool's does, so each of its own edges lies at a different place in
 * its line. That saves a load of the successor's line. For an edge of a slab the result is wrong:
 * then other lines are fetched, which does no harm. */
static inline const char *end_by_place(const struct nth_edge *e) {
  enum { own = offsetof(struct nth_depend, own), size = sizeof(struct nth_edge) };
  static_assert((NTH_EDGES_OWN - 1) * size < NTH_LINE && own + size == NTH_LINE,
                "own[0] is the last of a line, the others are on the next one");
  uintptr_t index = ((uintptr_t)e / size + 1) % (NTH_LINE / size);
  return (const char *)((uintptr_t)e - index * size - own);
}

void nth_depend_fetch(struct nth_depend *d) {
  const struct nth_edge *e = (const struct nth_edge *)nth_load_acq(&d->successors); /* S */
  for (int i = 0; i < NTH_EDGES_FETCHED && e; i++, e = e->next) {
    const char *end = end_by_place(e), *task = end - NTH_TASK_DEPEND;
    nth_prefetch_own(task);
    nth_prefetch_own(task + NTH_LINE);
    nth_prefetch_own(end);
    nth_prefetch_own(end + sizeof *d); /* its arguments */
  }
}

void nth_depend_end(struct nth_depend *d) {
  if (nth_unlikely(d->exclusion != 0))
    nth_exclusion_free(d);
}

/* --- registering, waiting --- */

static inline void begin(struct nth_depend *d, struct nth_task *task) {
  nth_store_rlx(&d->successors, 0);
  d->edges = 0;
  d->latest = 0;
  d->task = task;
  d->exclusion = 0;
  d->slabs = 0;
}

bool nth_depend_register(struct nth_task *t, void **depend) {
  struct nth_depend *d = nth_task_depend(t);
  struct nth_task *parent = nth_task_parent(t);
  nth_assert(!(t->flags & (NTH_TASK_DEPENDS | NTH_TASK_FRAME | NTH_TASK_BATCH)));
  struct nth_depend_table *table = nth_depend_table_of(parent);
  if (nth_likely(parent->flags & NTH_TASK_IMPLICIT))
    t->home->tasks.depends = true;
  begin(d, t);
  t->flags |= NTH_TASK_DEPENDS;
  t->listed = 0;
  nth_depend_table_access_all(table, d, depend);
  bool ready = link_edges(d, &t->node) && (nth_likely(!d->exclusion) || nth_exclusion_take(d));
  nth_depend_table_settle(table);
  return ready;
}

void nth_depend_wait(struct nth_member *m, void **depend) {
  struct nth_task *parent = m->now.task;
  if (!depend || !parent->table || nth_tally_left(&parent->children) == 0) /* task:A */
    return;
  struct nth_depend d;
  struct pause pause = {.node.kind = NTH_KIND_WAIT, .bell = nth_task_bell(m->now.team)};
  begin(&d, 0);
  nth_depend_table_access_all(parent->table, &d, depend);
  nth_assert(!d.exclusion && nth_task_caller_is(m));
  bool ready = link_edges(&d, &pause.node);
  nth_depend_table_settle(parent->table);
  if (!ready)
    nth_task_wait_for(m, &pause.node.deps);
  free_slabs(&d);
}

void nth_depend_clear(struct nth_task *t) {
  if (t->table)
    nth_depend_table_clear(t->table);
}

void nth_depend_go_on_alone(struct nth_task *t) {
  nth_assert(t->table && nth_tally_left(&t->children) == 0);
  nth_depend_table_clear(t->table);
  nth_depend_table_set_alone(t->table, true);
}

void nth_depend_group_over(struct nth_task *t) { nth_depend_table_set_alone(t->table, false); }

bool nth_depend_alone(const struct nth_task *t) {
  return t->table && nth_depend_table_alone(t->table);
}

void nth_depend_restart(struct nth_task *t) {
  if (t->table && nth_depend_table_slots(t->table) > NTH_DEPEND_KEPT)
    nth_depend_forget(t);
  nth_depend_clear(t);
}

void nth_depend_forget(struct nth_task *t) {
  if (t->table)
    nth_depend_table_free(t->table);
  t->table = 0;
}
