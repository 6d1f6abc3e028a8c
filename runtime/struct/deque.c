/* deque.c - the slow paths of a deque: an item is or becomes public
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/deque.h"

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/count.h"

/* A word without marks. */
static inline uint64_t pack(uint32_t tail, uint32_t count) {
  nth_assert(count <= NTH_DEQUE_SLOTS);
  return (uint64_t)count << 32 | tail;
}

static inline uint32_t tail_of(uint64_t w) { return (uint32_t)w; }

/* --- owner --- */

void nth_deque_publish(struct nth_deque *d) {
  uint32_t head = nth_load_rlx(&d->head);
  uint64_t w = nth_load_rlx(&d->word);
  do {
    if (head - tail_of(w) == nth_deque_public_of(w))
      return;
  } while (!nth_cas_rel(&d->word, &w, pack(tail_of(w), head - tail_of(w)))); /* A */
  nth_count(NTH_COUNT_OFFERS);
  nth_count_add(NTH_COUNT_OFFERED, head - tail_of(w));
  nth_count_most(NTH_COUNT_LONGEST, head - tail_of(w));
}

void nth_deque_answer(struct nth_deque *d) {
  uint32_t tail = tail_of(nth_load_rlx(&d->word));
  nth_assert(d->keep <= d->vain && d->vain <= NTH_DEQUE_KEEPS);
  if (d->stolen != tail) {
    d->stolen = tail;
    d->vain = d->keep = d->gave ? 0 : d->vain / 4;
    d->gave = false;
  }
  bool single = nth_load_rlx(&d->head) - tail == 1;
  if (single && d->keep > 0) {
    d->keep--;
    return;
  }
  d->gave = true;
  d->offered_ns = single && d->timed ? nth_clock_ns() : 0;
  nth_deque_publish(d);
}

/* A single item was published, and the owner has taken it back, or waits for it. */
static void published_in_vain(struct nth_deque *d) {
  d->vain = d->vain < NTH_DEQUE_KEEPS ? 2 * d->vain + 1 : NTH_DEQUE_KEEPS;
  d->keep = d->vain;
  d->gave = false;
}

void nth_deque_awaits(struct nth_deque *d) {
  uint32_t tail = tail_of(nth_load_rlx(&d->word));
  uint64_t at = d->offered_ns;
  if (d->stolen == tail)
    return;
  d->timed = true;
  d->offered_ns = 0;
  if (at == 0)
    return;
  d->timed = nth_clock_ns() < at + NTH_DEQUE_VAIN_NS;
  if (!d->timed)
    return;
  d->stolen = tail;
  published_in_vain(d);
}

void *nth_deque_pop_shared(struct nth_deque *d, uint32_t newest, uint64_t w) {
  for (;;) {
    uint32_t before = newest - tail_of(w); /* items below it */
    if ((int32_t)before < 0) {
      nth_store_rel(&d->head, newest + 1); /* B */
      return 0;
    }
    nth_assert(before + 1 >= nth_deque_public_of(w));
    if (before == nth_deque_public_of(w) && !(w & NTH_DEQUE_CLAIMED))
      break; /* the only private item: a thief's mark stays until there are more */
    /* The split moves down to this item, or up to it, which publishes the items below. */
    if (nth_cas_rel(&d->word, &w, pack(tail_of(w), before))) { /* A */
      if (nth_deque_public_of(w) == 1)
        published_in_vain(d);
      break;
    }
  }
  return nth_load_rlx(&d->slot[newest % NTH_DEQUE_SLOTS]);
}

/* --- thieves --- */

uint32_t nth_deque_steal(struct nth_deque *d, void *items[], uint32_t most) {
  nth_assert(most > 0);
  uint64_t w = nth_load_rlx(&d->word);
  uint32_t n;
  for (;;) {
    uint32_t count = nth_deque_public_of(w);
    if (count == 0) {
      if (w & NTH_DEQUE_WANTED || nth_cas_rlx(&d->word, &w, w | NTH_DEQUE_WANTED))
        return 0;
      continue;
    }
    if (nth_load_acq(&d->copied) != tail_of(w)) /* C */
      return 0;
    n = (count + 1) / 2;
    n = n < most ? n : most;
    if (nth_cas_acq(&d->word, &w, pack(tail_of(w) + n, count - n))) /* A */
      break;
  }
  for (uint32_t i = 0; i < n; i++)
    items[i] = nth_load_rlx(&d->slot[(tail_of(w) + i) % NTH_DEQUE_SLOTS]);
  nth_assert(items[0] && items[n - 1]);
  nth_store_rel(&d->copied, tail_of(w) + n); /* C */
  return n;
}

void *nth_deque_take_oldest(struct nth_deque *d) {
  void *item = 0;
  if (!nth_deque_any(d))
    return 0;
  nth_deque_publish(d);
  bool stolen = d->stolen != tail_of(nth_load_rlx(&d->word));
  if (nth_deque_steal(d, &item, 1) > 0 && !stolen)
    d->stolen = tail_of(nth_load_rlx(&d->word)); /* by nobody else, unless just now */
  return item;
}

/* nth_deque_force() by the thief that holds `forcing`. Whether something is public now. */
static bool raise_split(struct nth_deque *d) {
  uint64_t w = nth_load_rlx(&d->word), to;
  uint32_t give;
  do {
    if (nth_deque_public_of(w) > 0)
      return true;
  } while (!nth_cas_rlx(&d->word, &w, w | NTH_DEQUE_CLAIMED));
  bool fenced = nth_deque_fence_all();    /* F */
  uint32_t held = nth_load_acq(&d->held); /* B */
  uint32_t head = nth_load_acq(&d->head); /* B */
  w = nth_load_rlx(&d->word);
  do {
    if (!(w & NTH_DEQUE_CLAIMED)) /* the owner was quicker */
      return nth_deque_public_of(w) > 0;
    /* With a mark nothing is public (I2). */
    int32_t own = fenced ? (int32_t)(head - held - tail_of(w)) : 0;
    give = own > 0 ? (uint32_t)(own + 1) / 2 : 0;
    to = give > 0 ? pack(tail_of(w), give) : w & ~NTH_DEQUE_CLAIMED;
  } while (!nth_cas_rel(&d->word, &w, to)); /* A */
  return give > 0;
}

bool nth_deque_force(struct nth_deque *d) {
  if (nth_deque_public_of(nth_load_rlx(&d->word)) > 0)
    return true;
  uint32_t free = 0;
  if (!nth_deque_any(d) || !nth_cas_acq(&d->forcing, &free, 1)) /* L */
    return false;
  bool raised = raise_split(d);
  nth_store_rel(&d->forcing, 0); /* L */
  return raised;
}
