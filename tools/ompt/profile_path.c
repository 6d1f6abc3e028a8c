/* profile_path.c - the function that called the one with the parallel region
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The unwinder takes microseconds. It also tells where in the stack the return address lies. From
 * one region of a place to the next the distance of that word to the library's frame is the same,
 * unless the function has arrays of changing size. So a look at the word tells whether the caller
 * is still the same; if not, the unwinder is asked again.
 *
 * With such arrays the word may be beyond the stack's end, where there may be no memory. So it is
 * read only on the thread's stack, or, of a task that has a stack of its own, where the unwinder
 * has gone from this region before.
 */
#include <pthread.h>
#include <unwind.h>

#include "tools/ompt/profile.h"

enum {
  FRAMES = 24,      /* of the library and the tool, at most, above the program's */
  NEAR = 1 << 14,   /* bytes from the frame to the word, at most */
  PATIENCE = 100000 /* times of asking the unwinder: from then on callers are unknown */
};

struct walk {
  uint64_t site, caller, top; /* top: just beyond the callee's frame */
  int frames;
  bool found;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
  struct walk *w = data;
  uint64_t ip = (uint64_t)_Unwind_GetIP(context);
  if (w->found) {
    w->caller = ip;
    w->top = (uint64_t)_Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
  }
  w->found = ip == w->site;
  return w->frames++ > FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* The distance from the frame to the word with the caller's address. 0: not found. */
static uint64_t slot_of(const struct walk *w, uint64_t frame) {
  for (uint64_t at = (w->top & ~7ull) - 8; at > frame && w->top - at < NEAR; at -= 8)
    if (*(const uint64_t *)at == w->caller)
      return at - frame;
  return 0;
}

/* The stack of the calling thread; of the initial one this takes as long as some walks. */
static void find_stack(struct prof_me *m) {
  pthread_attr_t attributes;
  void *begin;
  size_t size;
  m->stack_known = true;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    m->stack_begin = (uint64_t)(uintptr_t)begin;
    m->stack_end = m->stack_begin + size;
  }
  pthread_attr_destroy(&attributes);
}

static void look(struct prof_me *m, struct prof_path *p, uint64_t site, uint64_t frame) {
  struct walk w = {.site = site};
  if (!m->stack_known)
    find_stack(m);
  _Unwind_Backtrace(step, &w);
  *p = (struct prof_path){.site = site, .frame = frame, .caller = w.caller};
  if (w.caller && w.top > frame) {
    p->slot = slot_of(&w, frame);
    p->top = w.top & ~7ull;
  }
}

/* Whether the function that has the region has been called from where it was last time. */
static bool is_same(const struct prof_me *m, const struct prof_path *p, uint64_t frame) {
  if (!p->slot)
    return p->frame == frame;
  uint64_t at = frame + p->slot;
  bool on_stack = m->stack_begin <= frame && at + sizeof at <= m->stack_end,
       was_seen = p->frame <= frame && at + sizeof at <= p->top;
  return (on_stack || was_seen) && *(const uint64_t *)at == p->caller;
}

struct prof_cell *prof_region(struct prof_me *m, const void *at, const void *enter,
                              struct prof_node *up) {
  uint64_t site = (uint64_t)(uintptr_t)at, frame = (uint64_t)(uintptr_t)enter;
  struct prof_path *p = &m->paths[(site >> 2 ^ site >> 9) % PROF_PATHS];
  bool known = p->site == site && frame && is_same(m, p, frame);
  if (known && p->up == up)
    return p->cell;
  if (!known && frame && m->walks < PATIENCE) {
    m->walks++;
    look(m, p, site, frame);
  } else if (!known) {
    *p = (struct prof_path){.site = site};
  }
  p->up = up;
  return p->cell = prof_find(m, PROF_REGION, at, p->caller, up);
}
