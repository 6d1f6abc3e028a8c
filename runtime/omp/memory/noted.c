/* noted.c - which pointers came from an OpenMP allocator
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hashes are divided into parts. Each part has a table with linear probing, and its own lock.
 */
#include "runtime/omp/memory/noted.h"

#include <stddef.h>
#include <stdint.h>

#include "runtime/arch/section.h"
#include "runtime/base/config.h"
#include "runtime/mem/heap.h"
#include "runtime/struct/mutex.h"

/* A complete table replaces another one in one store: a child of fork() finds one of the two. */
struct table {
  size_t size;      /* a power of two */
  uintptr_t slot[]; /* 0: free */
};

struct part {
  struct nth_mutex lock;
  struct table *table; /* NULL: nothing was noted */
  size_t used;
  char apart[NTH_APART - sizeof(struct nth_mutex) - sizeof(void *) - sizeof(size_t) - 4];
};

static struct part parts[1 << NTH_NOTED_PARTS_LOG2] NTH_SPARSE;
static _Atomic(uint64_t) count; /* of all parts */
static _Atomic(bool) begun;     /* parts have been locked */

/* A multiplication by the golden ratio; its high bits are the good ones. */
static uint64_t hash(uintptr_t p) { return (uint64_t)p * UINT64_C(0x9e3779b97f4a7c15); }

static struct part *part_of(uintptr_t p) { return &parts[hash(p) >> (64 - NTH_NOTED_PARTS_LOG2)]; }

static size_t home(const struct table *t, uintptr_t p) { return (hash(p) >> 20) & (t->size - 1); }

/* The slot that holds p, or the free one where it would stand. */
static size_t find(const struct table *t, uintptr_t p) {
  size_t i = home(t, p);
  while (t->slot[i] != 0 && t->slot[i] != p)
    i = (i + 1) & (t->size - 1);
  return i;
}

/* The part's pointers move to a table of that size. False: no memory. */
static bool move(struct part *part, size_t size) {
  struct table *old = part->table;
  struct table *t = nth_heap_alloc(sizeof *t + size * sizeof *t->slot);
  if (!t)
    return false;
  t->size = size;
  for (size_t i = 0; old && i < old->size; i++)
    if (old->slot[i] != 0)
      t->slot[find(t, old->slot[i])] = old->slot[i];
  part->table = t;
  nth_heap_free(old);
  return true;
}

static bool has_room(struct part *part) {
  size_t size = part->table ? part->table->size : 0;
  return 4 * (part->used + 1) <= 3 * size || move(part, size ? 2 * size : NTH_NOTED_FIRST);
}

/* Frees slot i. Later pointers of its run move up, so that no run has a gap. */
static void close_gap(struct table *t, size_t i) {
  size_t mask = t->size - 1;
  for (size_t next = (i + 1) & mask; t->slot[next] != 0; next = (next + 1) & mask) {
    size_t way = (next - home(t, t->slot[next])) & mask;
    if (way >= ((next - i) & mask)) {
      t->slot[i] = t->slot[next];
      i = next;
    }
  }
  t->slot[i] = 0;
}

bool nth_noted_add(void *p) {
  uintptr_t key = (uintptr_t)p;
  struct part *part = part_of(key);
  if (key == 0)
    return true;
  nth_store_rlx(&begun, true);
  nth_mutex_lock(&part->lock);
  bool good = has_room(part);
  size_t i = good ? find(part->table, key) : 0;
  if (good && part->table->slot[i] == 0) {
    part->table->slot[i] = key;
    part->used++;
    nth_add_rlx(&count, 1);
  }
  nth_mutex_unlock(&part->lock);
  return good;
}

bool nth_noted_take(void *p) {
  uintptr_t key = (uintptr_t)p;
  if (key == 0 || nth_load_rlx(&count) == 0)
    return false;
  struct part *part = part_of(key);
  nth_mutex_lock(&part->lock);
  struct table *t = part->table;
  size_t i = t ? find(t, key) : 0;
  bool noted = t && t->slot[i] == key;
  if (noted) {
    close_gap(t, i);
    part->used--;
    nth_sub_rlx(&count, 1);
  }
  nth_mutex_unlock(&part->lock);
  return noted;
}

NTH_IN_CHILD void nth_noted_forked(void) {
  for (size_t k = 0; nth_load_rlx(&begun) && k < sizeof parts / sizeof *parts; k++) {
    struct part *part = &parts[k];
    if (!nth_mutex_is_held(&part->lock))
      continue;
    nth_mutex_init(&part->lock);
    if (part->table) /* a pointer may be in it twice: a gap was about to be closed */
      (void)move(part, part->table->size);
  }
}
