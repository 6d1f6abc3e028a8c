/* prof.c - which profiling tools are told of which OpenACC events
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/acc/prof.h"

#include <pthread.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/struct/mutex.h"

struct hook {
  NTH_ACC_CALLBACK(callback);
  uint32_t references;
  bool off;
};

struct hooks {
  struct hook *hook; /* in order of registration */
  uint32_t count, room;
  bool off;
};

_Atomic(uint32_t) nth_acc_prof_wanted;

static struct nth_mutex lock; /* guards hooks and is_watched */
static bool is_watched;       /* children of fork() free the lock */
/* acc_ev_none has no hooks; its switch is for all events */
static struct hooks hooks[acc_ev_last] NTH_SPARSE;

/* --- the lists, under the lock --- */

static bool is_on(const struct hooks *h) {
  for (uint32_t i = 0; i < h->count; i++)
    if (!h->hook[i].off)
      return !h->off && !hooks[acc_ev_none].off;
  return false;
}

static void find_wanted(void) {
  uint32_t wanted = 0;
  for (uint32_t e = acc_ev_none + 1; e < acc_ev_last; e++)
    wanted |= (uint32_t)is_on(&hooks[e]) << e;
  nth_store_rlx(&nth_acc_prof_wanted, wanted);
}

static struct hook *find(const struct hooks *h, NTH_ACC_CALLBACK(callback)) {
  for (uint32_t i = 0; i < h->count; i++)
    if (h->hook[i].callback == callback)
      return &h->hook[i];
  return 0;
}

static void add(struct hooks *h, NTH_ACC_CALLBACK(callback)) {
  if (h->count == h->room) {
    uint32_t room = h->room ? 2 * h->room : 4;
    struct hook *grown = nth_heap_need(room * sizeof *grown);
    if (h->count > 0)
      memcpy(grown, h->hook, h->count * sizeof *grown);
    struct hook *before = h->hook; /* freed last: a child of fork() may find the list half done */
    h->hook = grown;
    h->room = room;
    nth_heap_free(before);
  }
  h->hook[h->count++] = (struct hook){.callback = callback, .references = 1};
}

static void drop(struct hooks *h, struct hook *gone) {
  struct hook *end = h->hook + --h->count;
  memmove(gone, gone + 1, (size_t)((char *)end - (char *)gone));
}

/* --- registration --- */

static void count_reference(struct hooks *h, NTH_ACC_CALLBACK(callback), bool more) {
  struct hook *known = find(h, callback);
  if (known && more)
    known->references++;
  else if (known && --known->references == 0)
    drop(h, known);
  else if (!known && more)
    add(h, callback);
}

static void turn(struct hooks *h, NTH_ACC_CALLBACK(callback), bool on) {
  struct hook *known = callback ? find(h, callback) : 0;
  if (known)
    known->off = !on;
  else if (!callback)
    h->off = !on;
}

NTH_IN_CHILD static void forked(void) { nth_mutex_init(&lock); }

static void change(int event, NTH_ACC_CALLBACK(callback), int how, bool more) {
  if (event < acc_ev_none || event >= acc_ev_last)
    return;
  if (how == acc_toggle_per_thread) {
    if (event == acc_ev_none && !callback)
      nth_member_get()->acc_silent = !more;
    return;
  }
  nth_mutex_lock(&lock);
  if (!is_watched)
    is_watched = pthread_atfork(0, 0, forked) == 0;
  if (how == acc_toggle)
    turn(&hooks[event], callback, more);
  else if (how == acc_reg && event != acc_ev_none && callback)
    count_reference(&hooks[event], callback, more);
  find_wanted();
  nth_mutex_unlock(&lock);
}

void nth_acc_prof_register(int event, NTH_ACC_CALLBACK(callback), int how) {
  change(event, callback, how, true);
}

void nth_acc_prof_unregister(int event, NTH_ACC_CALLBACK(callback), int how) {
  change(event, callback, how, false);
}

/* --- dispatch --- */

#define FEW 8 /* callbacks of one event that need no allocation */

/* A copy of an event's hooks that are on, in `few` or in memory to be freed. */
static struct hook *hooks_now(const struct hooks *h, struct hook *few, uint32_t *count) {
  struct hook *now = few;
  *count = 0;
  nth_mutex_lock(&lock);
  if (is_on(h)) {
    if (h->count > FEW)
      now = nth_heap_need(h->count * sizeof *now);
    for (uint32_t i = 0; i < h->count; i++)
      if (!h->hook[i].off)
        now[(*count)++] = h->hook[i];
  }
  nth_mutex_unlock(&lock);
  return now;
}

static bool is_end(int event) {
  switch (event) {
  case acc_ev_device_init_end:
  case acc_ev_device_shutdown_end:
  case acc_ev_enter_data_end:
  case acc_ev_exit_data_end:
  case acc_ev_update_end:
  case acc_ev_compute_construct_end:
  case acc_ev_enqueue_launch_end:
  case acc_ev_enqueue_upload_end:
  case acc_ev_enqueue_download_end:
  case acc_ev_wait_end: return true;
  default: return false;
  }
}

void nth_acc_prof_dispatch(struct acc_prof_info *prof, union acc_event_info *event,
                           struct acc_api_info *api) {
  int e = prof->event_type;
  if (e <= acc_ev_none || e >= acc_ev_last || !(nth_load_rlx(&nth_acc_prof_wanted) >> e & 1) ||
      nth_member_get()->acc_silent)
    return;
  struct hook few[FEW];
  uint32_t count;
  struct hook *now = hooks_now(&hooks[e], few, &count);
  for (uint32_t i = 0; i < count; i++)
    now[is_end(e) ? count - 1 - i : i].callback(prof, event, api);
  if (now != few)
    nth_heap_free(now);
}
