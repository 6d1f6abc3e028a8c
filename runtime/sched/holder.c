/* holder.c - keeps processors alive between regions; groups of processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/holder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/place/allowed.h"
#include "runtime/struct/mutex.h"

struct nth_holder_config nth_holder_config;

static struct {
  struct nth_mutex lock;
  struct nth_processor *idle; /* unused, docked, last in first out; under lock */
  uint32_t held, made;        /* under lock */
  _Atomic(uint32_t) roots;    /* program's threads with a member; w: under lock */
  _Atomic(uint32_t) active;   /* threads that may run: roots + processors in groups; w: under lock */
} holder;

bool nth_holder_crowded(void) {
  return nth_load_rlx(&holder.roots) > 1 && nth_load_rlx(&holder.active) > nth_allowed_cpus();
}

uint64_t nth_holder_idle_ns(void) {
  return nth_load_rlx(&holder.roots) ? NTH_IDLE_END_NS : NTH_ORPHAN_END_NS;
}

void nth_holder_root(int change) {
  nth_mutex_lock(&holder.lock);
  uint32_t roots = nth_add_rlx(&holder.roots, (uint32_t)change) + (uint32_t)change;
  nth_add_rlx(&holder.active, (uint32_t)change);
  struct nth_processor *idle = roots == 0 ? holder.idle : 0;
  /* Without a root nobody may ever need them again: let them look at their time-out. */
  for (; idle; idle = idle->next)
    nth_processor_wake(idle);
  nth_mutex_unlock(&holder.lock);
}

bool nth_holder_retire(struct nth_processor *p) {
  bool end = false;
  nth_mutex_lock(&holder.lock);
  for (struct nth_processor **at = &holder.idle; *at; at = &(*at)->next) {
    if (*at != p)
      continue;
    *at = p->next;
    holder.held--;
    end = true;
    break;
  }
  if (end)
    nth_processor_recycle(p);
  nth_mutex_unlock(&holder.lock);
  return end;
}

/* An idle processor, or a new one. Under lock. */
static struct nth_processor *take(int *error) {
  struct nth_processor *p = holder.idle;
  if (p) {
    holder.idle = p->next;
    p->next = 0;
  } else {
    p = nth_processor_new();
    if (!p) {
      *error = ENOMEM;
      return 0;
    }
    nth_store_rel(&p->held, true); /* processor:H */
    *error = nth_processor_start(p, nth_holder_config.stacksize, nth_holder_config.run);
    if (*error) {
      nth_processor_recycle(p);
      return 0;
    }
    holder.held++;
    holder.made++;
  }
  nth_store_rel(&p->held, true); /* processor:H */
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

/* Tells a new processor of the group where to read. */
static void attach(struct nth_group *g, struct nth_processor *p, uint32_t number) {
  struct nth_wd wd = {0, g->gwd, NTH_WD_ATTACH, number};
  wd.fn = (void (*)(void *))(uintptr_t)nth_wdarray_start(g->gwd);
  nth_wdarray_put(&p->lwd, &wd);
}

uint32_t nth_group_grow(struct nth_group *g, uint32_t want, int *error) {
  *error = 0;
  if (g->size == 0)
    g->size = 1;
  if (!g->gwd && nth_holder_config.gwd)
    g->gwd = nth_os_alloc(sizeof *g->gwd);
  if (!reserve(g, want)) {
    *error = ENOMEM;
    return g->size;
  }
  nth_mutex_lock(&holder.lock);
  while (g->size < want) {
    struct nth_processor *p = take(error);
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
  static const struct nth_wd detach = {0, 0, NTH_WD_DETACH, 0};
  nth_mutex_lock(&holder.lock);
  for (uint32_t i = 1; i < g->size; i++) {
    struct nth_processor *p = g->proc[i];
    if (g->gwd)
      nth_wdarray_put(&p->lwd, &detach);
    nth_store_rel(&p->held, false); /* processor:H */
    nth_add_rlx(&holder.active, UINT32_MAX);
    p->next = holder.idle;
    holder.idle = p;
  }
  nth_fence_full(); /* processor:F: between the puts and the looks at the docks */
  for (uint32_t i = 1; i < g->size; i++)
    nth_processor_wake(g->proc[i]); /* to sleep again, with the time-out of the unused */
  nth_mutex_unlock(&holder.lock);
  free(g->proc);
  memset(g, 0, sizeof *g); /* the GWD stays: a processor may read it until it sees the detach */
}

void nth_holder_forked(uint32_t roots) {
  nth_mutex_init(&holder.lock);
  holder.idle = 0;
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
