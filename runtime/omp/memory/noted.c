/* noted.c - which pointers came from an OpenMP allocator
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hashes are divided into parts. Each part has a table with linear probing, and its own lock.
 */
#include "runtime/omp/memory/noted.h"

#include <stdint.h>

#include "runtime/arch/section.h"
#include "runtime/base/config.h"
#include "runtime/mem/heap.h"
#include "runtime/struct/mutex.h"

struct part {
  struct nth_mutex lock;
  uintptr_t *slot;   /* 0: free */
  size_t size, used; /* size is 0 or a power of two */
  char apart[NTH_APART - sizeof(struct nth_mutex) - 3 * sizeof(size_t) - 4];
};

static struct part parts[1 << NTH_NOTED_PARTS_LOG2] NTH_SPARSE;
static _Atomic(uint64_t) count; /* of all parts */

/* A multiplication by the golden ratio; its high bits are the good ones. */
static uint64_t hash(uintptr_t p) { return (uint64_t)p * UINT64_C(0x9e3779b97f4a7c15); }

static struct part *part_of(uintptr_t p) { return &parts[hash(p) >> (64 - NTH_NOTED_PARTS_LOG2)]; }

static size_t home(const struct part *t, uintptr_t p) { return (hash(p) >> 20) & (t->size - 1); }

/* The slot that holds p, or the free one where it would stand. */
static size_t find(const struct part *t, uintptr_t p) {
  size_t i = home(t, p);
  while (t->slot[i] != 0 && t->slot[i] != p)
    i = (i + 1) & (t->size - 1);
  return i;
}

static bool grow(struct part *t) {
  struct part larger = {.size = t->size ? 2 * t->size : NTH_NOTED_FIRST};
  larger.slot = nth_heap_alloc(larger.size * sizeof *larger.slot);
  if (!larger.slot)
    return false;
  for (size_t i = 0; i < t->size; i++)
    if (t->slot[i] != 0)
      larger.slot[find(&larger, t->slot[i])] = t->slot[i];
  nth_heap_free(t->slot);
  t->slot = larger.slot;
  t->size = larger.size;
  return true;
}

/* Frees slot i. Later pointers of its run move up, so that no run has a gap. */
static void close_gap(struct part *t, size_t i) {
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
  struct part *t = part_of(key);
  if (key == 0)
    return true;
  nth_mutex_lock(&t->lock);
  bool good = 4 * (t->used + 1) <= 3 * t->size || grow(t);
  size_t i = good ? find(t, key) : 0;
  if (good && t->slot[i] == 0) {
    t->slot[i] = key;
    t->used++;
    nth_add_rlx(&count, 1);
  }
  nth_mutex_unlock(&t->lock);
  return good;
}

bool nth_noted_take(void *p) {
  uintptr_t key = (uintptr_t)p;
  if (key == 0 || nth_load_rlx(&count) == 0)
    return false;
  struct part *t = part_of(key);
  nth_mutex_lock(&t->lock);
  size_t i = t->size ? find(t, key) : 0;
  bool noted = t->size && t->slot[i] == key;
  if (noted) {
    close_gap(t, i);
    t->used--;
    nth_sub_rlx(&count, 1);
  }
  nth_mutex_unlock(&t->lock);
  return noted;
}
