/* ready.c - the tree of ready queues: who looks into which of them, and where members are idle
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/ready.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/mem/heap.h"
#include "runtime/struct/mutex.h"

/* All nodes of all trees, for reports. */
static struct {
  struct nth_mutex lock;
  struct nth_ready *first;
} all;

static struct nth_ready *make(size_t size) {
  nth_assert(size >= sizeof(struct nth_ready));
  struct nth_ready *node = nth_heap_need(size);
  nth_mutex_lock(&all.lock);
  node->next = all.first;
  all.first = node;
  nth_mutex_unlock(&all.lock);
  return node;
}

static void add_nodes(struct nth_ready_tree *t, uint32_t nodes, size_t size) {
  t->nodes = nodes;
  if (nodes <= t->made)
    return;
  struct nth_ready **node = nth_heap_need(nodes * sizeof(struct nth_ready *));
  for (uint32_t k = 0; k < nodes; k++)
    node[k] = k < t->made ? t->node[k] : make(size);
  nth_heap_free(t->node);
  t->node = node;
  t->made = nodes;
}

void nth_ready_grow(struct nth_ready_tree *t, const struct nth_layout *l, size_t size) {
  add_nodes(t, nth_layout_nodes(l), size);
  for (uint32_t k = 0; k < l->tree->count; k++)
    if (l->used[k] < l->used[k + 1])
      t->node[l->used[k]]->depth = l->tree->node[k].depth;
  nth_assert_valid(nth_ready_valid(t));
}

void nth_ready_grow_like(struct nth_ready_tree *t, const struct nth_ready_tree *other,
                         size_t size) {
  nth_assert(t != other);
  nth_assert_valid(nth_ready_valid(other));
  add_nodes(t, other->nodes, size);
  for (uint32_t k = 0; k < t->nodes; k++)
    t->node[k]->depth = other->node[k]->depth;
  nth_assert_valid(nth_ready_valid(t));
}

void nth_ready_route(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                     struct nth_span **room) {
  uint32_t spans = nth_route_lay(r, l, i, *room);
  *room += r->member == *room ? spans : 0;
  nth_assert_valid(nth_route_valid(r, l, i));
}

NTH_IN_CHILD void nth_ready_forked(void) { nth_mutex_init(&all.lock); }

NTH_IN_CHILD void nth_ready_forget(struct nth_ready_tree *t) {
  for (uint32_t k = 0; k < t->made; k++)
    nth_store_rlx(&t->node[k]->idle, 0);
}

void nth_ready_text(struct nth_text *t) {
  uint64_t put[NTH_DOMAIN_LEVELS] = {0}, taken[NTH_DOMAIN_LEVELS] = {0};
  nth_mutex_lock(&all.lock);
  for (const struct nth_ready *node = all.first; node; node = node->next) {
    nth_assert(node->depth < NTH_DOMAIN_LEVELS);
    put[node->depth] += nth_load_rlx(&node->put);
    taken[node->depth] += nth_load_rlx(&node->taken);
  }
  nth_mutex_unlock(&all.lock);
  for (uint32_t depth = 0; depth < NTH_DOMAIN_LEVELS; depth++) {
    if (put[depth] == 0)
      continue;
    nth_text_add(t, "ready: ");
    nth_text_unsigned(t, depth);
    nth_text_add(t, " ");
    nth_text_unsigned(t, put[depth]);
    nth_text_add(t, " ");
    nth_text_unsigned(t, taken[depth]);
    nth_text_add(t, "\n");
  }
}
