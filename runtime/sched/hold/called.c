/* called.c - the CPU on which a held thread that was woken begins
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/called.h"

#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"

void nth_called(struct nth_held *h) {
  nth_assert(nth_mutex_is_held(&nth_held_pool.lock));
  h->called_on = nth_os_on_cpu();
  nth_store_rlx(&nth_held_pool.called, h->tid);
}

/* Whether a move pays. */
static bool pays(void) {
  return nth_load_rlx(&nth_held_pool.lasts_ns) > NTH_HOLD_LONG_NS && !nth_held_wakes_slowly();
}

void nth_called_comes(const struct nth_held *h) {
  if (nth_load_rlx(&nth_held_pool.called) != h->tid)
    return;
  nth_store_rlx(&nth_held_pool.called, 0);
  if (pays() && nth_held_busy() + 1 < nth_load_rlx(&nth_allowed.cpus))
    nth_os_leave_cpu(h->called_on);
}

/* Moves the thread that was called last. It takes the lock before it begins an errand, so its mask
 * is what it was by then. */
static void move(bool here) {
  if (nth_load_rlx(&nth_held_pool.called) == 0 || !pays())
    return;
  nth_mutex_lock(&nth_held_pool.lock);
  int called = nth_load_rlx(&nth_held_pool.called);
  nth_store_rlx(&nth_held_pool.called, 0);
  if (called != 0)
    nth_os_move(called, here);
  nth_mutex_unlock(&nth_held_pool.lock);
}

void nth_called_bring(void) { move(true); }
void nth_called_send(void) { move(false); }
