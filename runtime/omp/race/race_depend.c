/* race_depend.c - the thread sanitizer hears of dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each address that children of a task name is an object with three tokens. A task that starts
 * acquires what it is behind, and a task that ends releases what later ones are behind:
 *   in            behind `written` and `set`; releases `read`
 *   out, inout    behind all three; releases `written`
 *   mutexinoutset as inout: these tasks run one after the other
 *   inoutset      behind `written` and `read`; releases `set`
 * omp_all_memory is behind all objects that there are, and writes the object without an address,
 * which each later task with dependences is behind. When a task starts, only tasks that it is
 * behind have released tokens of its objects, since the later ones wait for it.
 *
 * The maker of tasks alone looks into its table of objects. A task has what it needs of it in its
 * accesses, which are complete before it can start. Places stay where they are.
 */
#include <stdlib.h>

#include "runtime/omp/race/race.h"

enum { BUCKETS = 64 };

struct link {
  struct link *next;
  struct object *to;
};

struct object {
  struct object *next; /* in its bucket */
  const void *address;
  struct link *behind;     /* objects of empty tasks: a task behind this one is behind these too */
  char written, read, set; /* tokens */
};

struct nth_race_objects {
  struct object *bucket[BUCKETS];
  struct object all; /* the object without an address */
};

struct nth_race_access {
  struct object *object;
  ompt_dependence_type_t kind;
  bool only; /* the task is behind it; nobody is behind the task because of it */
};

static struct object *object_of(struct nth_race_objects *p, const void *address) {
  uintptr_t a = (uintptr_t)address;
  struct object **first = &p->bucket[(a >> 3 ^ a >> 9) % BUCKETS], *it = *first;
  while (it && it->address != address)
    it = it->next;
  if (!it && (it = calloc(1, sizeof *it))) {
    it->address = address;
    it->next = *first;
    *first = it;
  }
  return it;
}

/* --- what a task has --- */

static void add(struct nth_race_task *t, struct object *object, ompt_dependence_type_t kind,
                bool only) {
  if ((t->count & (t->count - 1)) == 0) { /* full */
    struct nth_race_access *more =
        realloc(t->accesses, (t->count ? 2 * t->count : 1) * sizeof *more);
    if (!more)
      return;
    t->accesses = more;
  }
  t->accesses[t->count++] = (struct nth_race_access){object, kind, only};
}

/* What omp_all_memory is behind. */
static void add_all(struct nth_race_task *t, struct nth_race_objects *p) {
  for (int b = 0; b < BUCKETS; b++)
    for (struct object *it = p->bucket[b]; it; it = it->next)
      add(t, it, ompt_dependence_type_inout, true);
}

void nth_race_depends(ompt_data_t *task, const ompt_dependence_t *list, int count) {
  struct nth_race_task *t = task->ptr;
  if (!t || !t->parent)
    return;
  struct nth_race_objects *p = t->parent->objects;
  if (!p && !(p = t->parent->objects = calloc(1, sizeof *p)))
    return;
  add(t, &p->all, ompt_dependence_type_in, true);
  for (int i = 0; i < count; i++) {
    ompt_dependence_type_t kind = list[i].dependence_type;
    if (kind == ompt_dependence_type_inout_all_memory ||
        kind == ompt_dependence_type_out_all_memory) {
      add_all(t, p);
      add(t, &p->all, ompt_dependence_type_inout, false);
      continue;
    }
    struct object *object = object_of(p, list[i].variable.ptr);
    if (!object)
      continue;
    add(t, object, kind, false);
    for (struct link *l = object->behind; l; l = l->next)
      add(t, l->to, ompt_dependence_type_inout, true);
  }
}

void nth_race_depend_empty(struct nth_race_task *t) {
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = 0; k < t->count; k++) {
      struct object *object = t->accesses[i].object;
      struct link *l = i == k || t->accesses[i].only ? 0 : malloc(sizeof *l);
      if (!l)
        continue;
      l->to = t->accesses[k].object;
      l->next = object->behind;
      object->behind = l;
    }
}

/* --- its start, its end --- */

void nth_race_depend_start(struct nth_race_task *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    struct object *object = t->accesses[i].object;
    ompt_dependence_type_t kind = t->accesses[i].kind;
    nth_race_acquire(&object->written);
    if (kind != ompt_dependence_type_in)
      nth_race_acquire(&object->read);
    if (kind != ompt_dependence_type_inoutset)
      nth_race_acquire(&object->set);
  }
}

void nth_race_depend_over(struct nth_race_task *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    struct object *object = t->accesses[i].object;
    if (t->accesses[i].only)
      continue;
    switch (t->accesses[i].kind) {
    case ompt_dependence_type_in: nth_race_release(&object->read); break;
    case ompt_dependence_type_inoutset: nth_race_release(&object->set); break;
    default: nth_race_release(&object->written); break;
    }
  }
}

static void object_free(struct object *it) {
  for (struct link *l = it->behind, *next; l; l = next) {
    next = l->next;
    nth_race_free(l);
  }
}

void nth_race_depend_free(struct nth_race_task *t) {
  struct nth_race_objects *p = t->objects;
  nth_race_free(t->accesses);
  for (int b = 0; p && b < BUCKETS; b++)
    for (struct object *it = p->bucket[b], *next; it; it = next) {
      next = it->next;
      object_free(it);
      nth_race_free(it);
    }
  nth_race_free(p);
}
