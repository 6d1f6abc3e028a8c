/* holder.c - keeps processors alive between regions; groups of processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/holder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/place/allowed.h"
#include "runtime/struct/mutex.h"

struct nth_holder_config nth_holder_config;

static struct {
  struct nth_mutex lock;
  uint32_t held, made;        /* under lock */
  _Atomic(uint32_t) roots;    /* program's threads with a member; w: any, relaxed */
  _Atomic(uint32_t) active;   /* threads that may run: roots + processors in groups; w: any, relaxed */
} holder;

bool nth_holder_crowded(void) {
  return nth_load_rlx(&holder.roots) > 1 && nth_load_rlx(&holder.active) > nth_allowed_cpus();
}

struct nth_processor *nth_holder_adopt(void) {
  nth_mutex_lock(&holder.lock);
  struct nth_processor *p = nth_processor_new();
  nth_mutex_unlock(&holder.lock);
  if (p) {
    nth_add_rlx(&holder.roots, 1);
    nth_add_rlx(&holder.active, 1);
  }
  return p;
}

void nth_holder_dismiss(struct nth_processor *p) {
  nth_mutex_lock(&holder.lock);
  nth_processor_recycle(p);
  nth_mutex_unlock(&holder.lock);
  nth_add_rlx(&holder.roots, UINT32_MAX);
  nth_add_rlx(&holder.active, UINT32_MAX);
}

/* The CPUs on which member i starts; cpus NULL: any. */
static struct nth_start start_of(const struct nth_seating *s, uint32_t i) {
  struct nth_start start = {0, 0, false};
  if (s) {
    start.words = s->places->words;
    start.cpus = nth_places_usable(s->places, nth_seat_place(nth_assign(&s->assignment, i)));
    start.roomy = start.cpus && nth_cpus_count(start.cpus, start.words) > 1;
  }
  return start;
}

/* A new processor. Under lock. */
static struct nth_processor *make(struct nth_waiter *master, const struct nth_start *start,
                                  int *error) {
  struct nth_processor *p = nth_processor_new();
  if (!p) {
    *error = ENOMEM;
    return 0;
  }
  *error = nth_processor_start(p, master, nth_holder_config.stacksize, start,
                               nth_holder_config.run);
  if (*error) {
    nth_processor_recycle(p);
    return 0;
  }
  master->creator = true;
  holder.held++;
  holder.made++;
  nth_add_rlx(&holder.active, 1);
  return p;
}

/* Room for `want` pointers. */
static bool reserve(struct nth_group *g, uint32_t want) {
  if (want <= g->capacity)
    return true;
  uint32_t capacity = want < 8 ? 8 : want + want / 2;
  struct nth_processor **proc = realloc(g->proc, capacity * sizeof *proc);
  if (!proc)
    return false;
  g->proc = proc;
  g->capacity = capacity;
  return true;
}

/* A group's GWD. It outlives the group until the last processor has seen its end. */
struct gwd {
  struct nth_wdarray array;
  uint32_t users; /* the group, processors told of it; under lock */
};

static struct nth_wdarray *new_gwd(void) {
  struct gwd *d = nth_os_alloc(sizeof *d);
  if (!d)
    return 0;
  d->users = 1;
  return &d->array;
}

/* Under lock. */
static void drop_gwd(struct nth_wdarray *array) {
  struct gwd *d = (struct gwd *)array;
  if (d && --d->users == 0)
    free(d);
}

/* Tells a new processor of the group where to read. Under lock. */
static void attach(struct nth_group *g, struct nth_processor *p, uint32_t number) {
  ((struct gwd *)g->gwd)->users++;
  struct nth_wd wd = {0, g->gwd, NTH_WD_ATTACH, number};
  wd.fn = (void (*)(void *))(uintptr_t)nth_wdarray_start(g->gwd);
  nth_wdarray_put(&p->lwd, &wd);
}

uint32_t nth_group_grow(struct nth_group *g, uint32_t want, const struct nth_seating *seating,
                        struct nth_waiter *master, int *error) {
  *error = 0;
  if (g->size == 0)
    g->size = 1;
  if (!g->gwd && nth_holder_config.gwd && g->size == 1) /* later ones would not be attached to it */
    g->gwd = new_gwd();
  if (!reserve(g, want)) {
    *error = ENOMEM;
    return g->size;
  }
  nth_mutex_lock(&holder.lock);
  while (g->size < want) {
    struct nth_start start = start_of(seating, g->size);
    struct nth_processor *p = make(master, start.cpus ? &start : 0, error);
    if (!p)
      break;
    if (g->gwd)
      attach(g, p, g->size);
    g->proc[g->size++] = p;
  }
  nth_mutex_unlock(&holder.lock);
  return g->size;
}

void nth_group_release(struct nth_group *g) {
  static const struct nth_wd end = {0, 0, NTH_WD_END, 0};
  for (uint32_t i = 1; i < g->size; i++)
    nth_wdarray_put(&g->proc[i]->lwd, &end);
  nth_fence_full(); /* processor:F: between the puts and the looks at the docks */
  for (uint32_t i = 1; i < g->size; i++)
    nth_processor_wake(g->proc[i]);
  nth_mutex_lock(&holder.lock);
  drop_gwd(g->gwd);
  nth_mutex_unlock(&holder.lock);
  free(g->proc);
  memset(g, 0, sizeof *g);
}

void nth_holder_ended(struct nth_processor *p) {
  if (!nth_holder_config.leave(p))
    nth_holder_recycle(p);
}

void nth_holder_recycle(struct nth_processor *p) {
  nth_mutex_lock(&holder.lock);
  holder.held--;
  nth_add_rlx(&holder.active, UINT32_MAX);
  drop_gwd(p->gwd);
  p->gwd = 0;
  nth_processor_recycle(p);
  nth_mutex_unlock(&holder.lock);
}

void nth_holder_forked(uint32_t roots) {
  nth_mutex_init(&holder.lock);
  holder.held = 0;
  nth_store_rlx(&holder.roots, roots);
  nth_store_rlx(&holder.active, roots);
}

void nth_holder_count(uint32_t *held, uint32_t *made) {
  nth_mutex_lock(&holder.lock);
  *held = holder.held;
  *made = holder.made;
  nth_mutex_unlock(&holder.lock);
}
