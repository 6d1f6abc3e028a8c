/* locks.c - the grammar tool's rules for mutual exclusion
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A release is told after the lock is free, so another thread may be told that it has the lock
 * before. Then the release is the next that the former owner's thread tells.
 */
#include <pthread.h>
#include <string.h>

#include "model.h"

enum { OWNERS = 4096 };

/* Who was told that it has a lock; found by the lock's number. An entry that is free has id 0. */
static struct owner {
  ompt_wait_id_t id;
  struct thread *thread;
} owners[OWNERS];
static pthread_mutex_t owners_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_owners(void) { pthread_mutex_lock(&owners_lock); }
static void unlock_owners(void) { pthread_mutex_unlock(&owners_lock); }

/* With owners_lock. Locks beyond the table are not compared. */
static void own(ompt_wait_id_t id, struct thread *me) {
  struct owner *free = 0;
  for (size_t i = 0; i < 32; i++) {
    struct owner *o = &owners[(id / 4 * 31 + i) % OWNERS];
    if (o->id == id) {
      if (o->thread && o->thread != me)
        atomic_store(&o->thread->must_leave, id);
      o->thread = me;
      return;
    }
    if (!free && !o->thread)
      free = o;
  }
  if (free)
    *free = (struct owner){id, me};
}

static void disown(ompt_wait_id_t id, struct thread *me) {
  for (size_t i = 0; i < 32; i++) {
    struct owner *o = &owners[(id / 4 * 31 + i) % OWNERS];
    if (o->id == id && o->thread == me)
      *o = (struct owner){0};
  }
}

static struct held *find(struct task *t, ompt_wait_id_t id) {
  for (int i = t->locks - 1; i >= 0; i--)
    if (t->held[i].id == id)
      return &t->held[i];
  return 0;
}

/* The task that has a nestable lock: *t, or, of old programs, whose locks belong to a thread, one
 * below it. */
static struct held *find_nest(struct task **t, ompt_wait_id_t id) {
  for (struct task *u = *t; u; u = u->below) {
    struct held *h = find(u, id);
    if (h) {
      *t = u;
      return h;
    }
  }
  return 0;
}

static struct task *current(const char *event, struct thread **me) {
  *me = grammar_thread(event);
  if (!*me || !EXPECT((*me)->task, "%s outside tasks", event))
    return 0;
  grammar_ask(*me, event);
  return (*me)->task;
}

static bool is_nest(int kind) {
  return kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock;
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                    const void *ra) {
  struct thread *me;
  struct task *t = current("mutex_acquire", &me);
  (void)hint;
  if (!t)
    return;
  EXPECT(ra && impl, "mutex_acquire %d: no address, or no kind of lock", kind);
  EXPECT(!t->acquiring || t->acquiring_kind == ompt_mutex_test_lock ||
             t->acquiring_kind == ompt_mutex_test_nest_lock,
         "mutex_acquire %d while the task waits for another", kind);
  t->acquiring = id;
  t->acquiring_kind = kind;
}

static void acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) {
  struct thread *me;
  struct task *t = current("mutex_acquired", &me);
  if (!t)
    return;
  EXPECT(ra && t->acquiring == id && t->acquiring_kind == (int)kind,
         "mutex_acquired %d without its mutex_acquire", kind);
  t->acquiring = 0;
  if (!id)
    return;
  EXPECT(!find(t, id), "mutex_acquired %d of a lock that the task has", kind);
  if (!t->held)
    t->held = grammar_new(HELD * sizeof *t->held);
  if (EXPECT(t->locks < HELD, "%d locks of one task", HELD))
    t->held[t->locks++] = (struct held){id, 1};
  lock_owners();
  own(id, me);
  unlock_owners();
}

static void released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) {
  struct thread *me;
  struct task *t = current("mutex_released", &me);
  if (!t || !id)
    return;
  struct held *h = is_nest(kind) ? find_nest(&t, id) : find(t, id);
  lock_owners();
  disown(id, me);
  atomic_store(&me->must_leave, 0);
  unlock_owners();
  if (EXPECT(h && ra, "mutex_released %d of a lock that the task has not", kind)) {
    EXPECT(h->depth == 1, "mutex_released of a lock that is taken %d times", h->depth);
    *h = t->held[--t->locks];
  }
}

static void nest_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra) {
  struct thread *me;
  struct task *t = current("nest_lock", &me);
  struct task *owner = t;
  struct held *h = find_nest(&owner, id);
  if (!EXPECT(h && ra, "nest_lock of a lock that the task has not"))
    return;
  if (at == ompt_scope_begin) {
    EXPECT(t->acquiring == id && is_nest(t->acquiring_kind), "nest_lock without mutex_acquire");
    t->acquiring = 0;
    h->depth++;
  } else {
    EXPECT(--h->depth >= 1, "nest_lock: more ends than begins");
  }
}

static void made(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                 const void *ra) {
  struct thread *me;
  (void)hint;
  current("lock_init", &me);
  EXPECT((kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) && impl && id && ra,
         "lock_init of kind %d", kind);
}

static void gone(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) {
  struct thread *me;
  current("lock_destroy", &me);
  EXPECT((kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) && id && ra,
         "lock_destroy of kind %d", kind);
}

void grammar_locks_begin(void (*set)(ompt_callbacks_t event, ompt_callback_t callback)) {
  pthread_atfork(lock_owners, unlock_owners, unlock_owners);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)released);
  set(ompt_callback_nest_lock, (ompt_callback_t)nest_lock);
  set(ompt_callback_lock_init, (ompt_callback_t)made);
  set(ompt_callback_lock_destroy, (ompt_callback_t)gone);
}
