/* deque.c - runtime/struct/deque.h, one thread at a time: results, limits, wrap-around
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/struct/deque.h"

enum { SLOTS = NTH_DEQUE_SLOTS };
static struct nth_deque deque;
static int item[3 * SLOTS];

/* An empty deque that has lived for so many positions. */
static struct nth_deque *deque_at(uint32_t position) {
  memset(&deque, 0, sizeof deque);
  nth_store_rlx(&deque.head, position);
  nth_deque_clear(&deque);
  unit_check(nth_deque_valid(&deque) && !nth_deque_any(&deque));
  return &deque;
}

static void push(struct nth_deque *d, int from, int to) {
  for (int i = from; i < to; i++) {
    unit_check(nth_deque_push(d, &item[i]));
    unit_check(nth_deque_valid(d) && nth_deque_any(d));
  }
}

/* The next steal gives items from .. to - 1. */
static void steals(struct nth_deque *d, uint32_t most, int from, int to) {
  void *got[SLOTS];
  unit_check(nth_deque_oldest(d) == (from < to ? &item[from] : 0));
  unit_check(nth_deque_steal(d, got, most) == (uint32_t)(to - from));
  for (int i = from; i < to; i++)
    unit_check(got[i - from] == &item[i]);
  unit_check(nth_deque_valid(d));
}

static void pops(struct nth_deque *d, int i) {
  unit_check(nth_deque_pop_any(d) == &item[i]);
  unit_check(nth_deque_valid(d));
}

static void is_empty(struct nth_deque *d) {
  unit_check(!nth_deque_any(d) && !nth_deque_pop_any(d) && !nth_deque_oldest(d));
  unit_check(!nth_deque_force(d));
  unit_check(nth_deque_valid(d));
}

static uint32_t public_items(void) {
  uint64_t w = nth_load_rlx(&deque.word);
  return w >= NTH_DEQUE_WANTED ? 0 : (uint32_t)(w >> 32);
}

/* Zeroed memory is a deque. The newest comes first while nobody wants one, and nothing is
 * public. */
static void owner_alone(void) {
  static struct nth_deque d;
  is_empty(&d);
  push(&d, 0, 3);
  unit_check(nth_load_rlx(&d.word) == 0);
  pops(&d, 2);
  push(&d, 5, 7);
  pops(&d, 6);
  pops(&d, 5);
  pops(&d, 1);
  pops(&d, 0);
  is_empty(&d);
  unit_check(nth_load_rlx(&d.word) == 0);
}

/* The same with all of them public. */
static void owner_takes_back(void) {
  struct nth_deque *d = deque_at(0);
  push(d, 0, 3);
  nth_deque_publish(d);
  unit_check(public_items() == 3);
  pops(d, 2);
  unit_check(public_items() == 2);
  push(d, 5, 6);
  pops(d, 5);
  pops(d, 1);
  pops(d, 0);
  is_empty(d);
  nth_deque_publish(d);
  is_empty(d);
}

/* What was pushed before the base stays, public or not, stolen or not. */
static void base_kept(void) {
  for (int public = 0; public < 3; public++) {
    struct nth_deque *d = deque_at(UINT32_MAX);
    push(d, 0, 2);
    if (public)
      nth_deque_publish(d);
    if (public > 1)
      steals(d, 1, 0, 1);
    uint32_t base = nth_deque_base(d);
    unit_check(!nth_deque_pop(d, base) && nth_deque_valid(d));
    push(d, 2, 4);
    unit_check(nth_deque_pop(d, base) == &item[3]);
    unit_check(nth_deque_pop(d, base) == &item[2]);
    unit_check(!nth_deque_pop(d, base) && nth_deque_valid(d));
    pops(d, 1);
    if (public < 2)
      pops(d, 0);
    is_empty(d);
  }
}

/* Thieves have gone beyond the base. */
static void base_passed(void) {
  struct nth_deque *d = deque_at(UINT32_MAX - 1);
  push(d, 0, 2);
  uint32_t base = nth_deque_base(d);
  push(d, 2, 4);
  nth_deque_publish(d);
  steals(d, 4, 0, 2);
  steals(d, 4, 2, 3);
  unit_check(nth_deque_pop(d, base) == &item[3] && nth_deque_valid(d));
  push(d, 4, 5);
  nth_deque_publish(d);
  steals(d, 4, 4, 5);
  for (int i = 0; i < 3; i++)
    unit_check(!nth_deque_pop(d, base) && nth_deque_valid(d));
  is_empty(d);
}

/* Half of what is public, rounded up, but not more than asked for. */
static void stealing(void) {
  struct nth_deque *d = deque_at(7);
  push(d, 0, 9);
  nth_deque_publish(d);
  steals(d, SLOTS, 0, 5);
  steals(d, 1, 5, 6);
  steals(d, 2, 6, 8);
  steals(d, 2, 8, 9);
  steals(d, 2, 9, 9);
  is_empty(d);
}

/* A thief that found nothing leaves a mark; the next push publishes all, once. */
static void wanted_push(void) {
  struct nth_deque *d = deque_at(3);
  push(d, 0, 2);
  steals(d, 4, 0, 0);
  unit_check(nth_load_rlx(&d->word) == (NTH_DEQUE_WANTED | 3));
  steals(d, 4, 0, 0);
  push(d, 2, 3);
  unit_check(public_items() == 3);
  push(d, 3, 4);
  unit_check(public_items() == 3);
  steals(d, 4, 0, 2);
  pops(d, 3);
  pops(d, 2);
  is_empty(d);
}

/* So does the next pop, with what it leaves; when that is nothing the mark stays. */
static void wanted_pop(void) {
  struct nth_deque *d = deque_at(3);
  push(d, 0, 3);
  steals(d, 4, 0, 0);
  pops(d, 2);
  unit_check(public_items() == 2);
  steals(d, 4, 0, 1);
  steals(d, 4, 1, 2);
  push(d, 3, 4);
  steals(d, 4, 0, 0);
  pops(d, 3);
  unit_check(nth_load_rlx(&d->word) == (NTH_DEQUE_WANTED | 5));
  is_empty(d);
  push(d, 4, 5);
  steals(d, 4, 4, 5);
}

/* One item that is pushed and popped again and again is published less and less often, until a
 * thief takes one; two are always. */
static void kept(void) {
  struct nth_deque *d = deque_at(3);
  for (uint32_t keep = 0; keep <= NTH_DEQUE_KEEPS; keep = 2 * keep + 1) {
    for (uint32_t i = 0; i < keep; i++) {
      steals(d, 4, 0, 0);
      push(d, 0, 1);
      unit_check(public_items() == 0 && nth_deque_wanted(d));
      pops(d, 0);
    }
    steals(d, 4, 0, 0);
    push(d, 0, 1);
    unit_check(public_items() == 1);
    pops(d, 0);
  }
  unit_check(d->keep == NTH_DEQUE_KEEPS);
  steals(d, 4, 0, 0);
  push(d, 0, 2);
  unit_check(public_items() == 2 && d->keep == NTH_DEQUE_KEEPS - 1);
  steals(d, 4, 0, 1);
  steals(d, 4, 1, 2);
  is_empty(d);
  steals(d, 4, 0, 0);
  push(d, 0, 1);
  unit_check(public_items() == 1 && d->keep == 0);
  pops(d, 0);
}

/* Offers item 0 to a hungry thief, which takes it. The owner then waits for it, at once or after
 * work of its own. */
static void stolen_single(struct nth_deque *d, bool by_force, bool at_once) {
  steals(d, 4, 0, 0);
  push(d, 0, 1);
  unit_check((public_items() == 0) == by_force);
  if (by_force)
    unit_check(nth_deque_force(d));
  if (d->offered_ns != 0) /* the time is the test's */
    d->offered_ns = at_once ? UINT64_MAX / 2 : 1;
  steals(d, 4, 0, 1);
  nth_deque_awaits(d);
}

/* A single item is kept as well if the owner only waits for the thief that has it. */
static void kept_awaited(void) {
  struct nth_deque *d = deque_at(3);
  stolen_single(d, false, true); /* not timed yet */
  unit_check(d->timed && d->keep == 0);
  stolen_single(d, false, true);
  unit_check(d->keep == 1 && d->vain == 1);
  stolen_single(d, true, true);
  unit_check(d->timed);
  stolen_single(d, false, true);
  unit_check(d->keep == 1);
  d->keep = 0;
  d->vain = 16;
  stolen_single(d, false, false); /* the owner has had work of its own */
  unit_check(!d->timed && d->vain == 16);
  steals(d, 4, 0, 0);
  push(d, 0, 1);
  unit_check(public_items() == 1 && d->keep == 0 && d->vain == 0);
  pops(d, 0);
  d->keep = d->vain = 16;
  stolen_single(d, true, false);
  steals(d, 4, 0, 0);
  push(d, 0, 1);
  unit_check(public_items() == 0 && d->vain == 4 && d->keep == 3);
  pops(d, 0);
}

/* Half of what is private, rounded up. */
static void forcing(void) {
  struct nth_deque *d = deque_at(UINT32_MAX);
  unit_check(!nth_deque_force(d));
  push(d, 0, 5);
  unit_check(nth_deque_force(d) && public_items() == 3);
  unit_check(nth_deque_force(d) && public_items() == 3); /* enough is public */
  steals(d, 4, 0, 2);
  steals(d, 4, 2, 3);
  steals(d, 4, 3, 3);
  unit_check(nth_deque_force(d) && public_items() == 1); /* takes the mark away */
  pops(d, 4);
  pops(d, 3);
  is_empty(d);
  nth_store_rlx(&d->forcing, 1); /* another thief is about it */
  push(d, 5, 6);
  unit_check(!nth_deque_force(d) && public_items() == 0);
}

/* A forcing thief was interrupted: whatever the owner does next answers it. */
static void claimed(void) {
  struct nth_deque *d = deque_at(3);
  push(d, 0, 3);
  nth_store_rlx(&d->word, NTH_DEQUE_CLAIMED | 3);
  pops(d, 2);
  unit_check(nth_load_rlx(&d->word) == (UINT64_C(2) << 32 | 3));
  pops(d, 1);
  pops(d, 0);
  push(d, 0, 1);
  nth_store_rlx(&d->word, NTH_DEQUE_CLAIMED | 3);
  pops(d, 0); /* nothing to publish, but the thief must learn of it */
  unit_check(nth_load_rlx(&d->word) == 3);
  push(d, 0, 1);
  nth_store_rlx(&d->word, NTH_DEQUE_CLAIMED | NTH_DEQUE_WANTED | 3);
  push(d, 1, 2);
  unit_check(nth_load_rlx(&d->word) == (UINT64_C(2) << 32 | 3));
}

/* Full is full, and slots come back when they have been copied out, or popped. */
static void limits(void) {
  struct nth_deque *d = deque_at(UINT32_MAX - SLOTS / 2);
  push(d, 0, SLOTS);
  unit_check(!nth_deque_push(d, &item[SLOTS]) && nth_deque_valid(d));
  pops(d, SLOTS - 1);
  push(d, SLOTS, SLOTS + 1);
  unit_check(!nth_deque_push(d, &item[0]) && nth_deque_valid(d));
  nth_deque_publish(d);
  unit_check(public_items() == SLOTS && !nth_deque_push(d, &item[0]));
  steals(d, 3, 0, 3);
  nth_store_rlx(&d->copied, nth_load_rlx(&d->copied) - 3); /* it has not copied them yet */
  unit_check(!nth_deque_push(d, &item[0]) && nth_deque_valid(d));
  void *got[SLOTS];
  unit_check(nth_deque_steal(d, got, 1) == 0); /* one at a time */
  nth_store_rlx(&d->copied, nth_load_rlx(&d->copied) + 2);
  push(d, 0, 2);
  unit_check(!nth_deque_push(d, &item[0]));
  nth_store_rlx(&d->copied, nth_load_rlx(&d->copied) + 1);
  push(d, 2, 3);
  unit_check(!nth_deque_push(d, &item[0]));
  for (int i = 3; i > 0; i--)
    pops(d, i - 1);
  pops(d, SLOTS);
  for (int i = SLOTS - 1; i > 3; i--)
    pops(d, i - 1);
  is_empty(d);
}

/* Positions pass 2^32 like any other number, at every stage of a life. */
static void wrap(void) {
  for (uint32_t before = 0; before < 40; before++) {
    struct nth_deque *d = deque_at(UINT32_MAX - before);
    for (int i = 0; i < 30; i += 3) {
      push(d, i, i + 3);
      if (i % 2)
        unit_check(nth_deque_force(d));
      else
        nth_deque_publish(d);
      pops(d, i + 2);
      steals(d, 1, i, i + 1);
      pops(d, i + 1);
      is_empty(d);
    }
  }
}

/* The child of a fork: a thief that copied and one that forced are not there any more. */
static void cleared(void) {
  struct nth_deque *d = deque_at(UINT32_MAX - 1);
  push(d, 0, 4);
  nth_deque_publish(d);
  steals(d, 2, 0, 2);
  nth_store_rlx(&d->copied, UINT32_MAX);
  nth_store_rlx(&d->forcing, 1);
  uint32_t base = nth_deque_base(d);
  nth_deque_clear(d);
  unit_check(nth_deque_valid(d) && nth_deque_base(d) == base);
  is_empty(d);
  push(d, 0, SLOTS);
  unit_check(nth_deque_force(d));
  steals(d, 1, 0, 1);
}

/* All of it with full fences in place of membarrier. */
static void without_membarrier(void) {
  bool has = nth_os_fences_all;
  nth_os_fences_all = false;
  owner_takes_back();
  forcing();
  wrap();
  nth_os_fences_all = has;
}

/* _valid() says no to what must not be. */
static void invalid(void) {
  struct nth_deque *d = deque_at(50);
  nth_store_rlx(&d->head, 49);
  unit_check(!nth_deque_valid(d));
  d = deque_at(50);
  nth_store_rlx(&d->word, UINT64_C(1) << 32 | 50); /* the split is beyond the head */
  unit_check(!nth_deque_valid(d));
  d = deque_at(50);
  nth_store_rlx(&d->copied, 51);
  unit_check(!nth_deque_valid(d));
  d = deque_at(50);
  push(d, 0, 2);
  nth_store_rlx(&d->word, NTH_DEQUE_WANTED | UINT64_C(1) << 32 | 50); /* marked, but public */
  unit_check(!nth_deque_valid(d));
  d = deque_at(50);
  nth_store_rlx(&d->head, 51 + SLOTS);
  unit_check(!nth_deque_valid(d));
}

/* One item is held and let go again and again; the word says whether anybody has looked. */
static void held(void) {
  struct nth_deque *d = deque_at(UINT32_MAX);
  uint64_t word, changed;
  unit_check(nth_deque_room(d) == SLOTS && !nth_deque_wanted(d));
  nth_deque_put(d, UINT32_MAX, &item[7]);
  unit_check(nth_deque_pop_at(d, UINT32_MAX, &word) == &item[7]);
  unit_check(nth_deque_is_private(UINT32_MAX, word));
  nth_deque_put(d, UINT32_MAX, &item[7]);
  for (int i = 0; i < 3; i++) {
    unit_check(nth_deque_hold(d, word) && nth_deque_any(d));
    nth_deque_let_go(d);
    unit_check(nth_deque_valid(d) && nth_deque_any(d));
  }
  unit_check(nth_deque_hold(d, word));
  unit_check(!nth_deque_force(d) && nth_deque_any(d)); /* seen, but not to be had */
  nth_deque_pop_held(d, UINT32_MAX);
  unit_check(!nth_deque_any(d));
  nth_deque_put(d, UINT32_MAX, &item[7]);
  steals(d, 1, 0, 0); /* in vain */
  unit_check(nth_deque_wanted(d));
  unit_check(!nth_deque_hold(d, word) && nth_deque_valid(d));
  unit_check(nth_deque_pop_at(d, UINT32_MAX, &changed) == &item[7] && changed != word);
  unit_check(!nth_deque_is_private(UINT32_MAX, changed));
  nth_deque_put(d, UINT32_MAX, &item[7]);
  nth_deque_publish(d);
  unit_check(!nth_deque_wanted(d));
  steals(d, 1, 7, 8);
  unit_check(!nth_deque_hold(d, word));
  unit_check(!nth_deque_pop_at(d, UINT32_MAX, &changed));
  unit_check(nth_deque_base(d) == 0); /* back where it was */
  is_empty(d);
}

/* The held item stays when a thief forces what lies below it. */
static void held_above(void) {
  struct nth_deque *d = deque_at(UINT32_MAX - 1);
  push(d, 0, 3);
  uint64_t word = nth_load_rlx(&d->word);
  unit_check(nth_deque_hold(d, word) && nth_deque_force(d)); /* half of the other two */
  steals(d, 3, 0, 1);
  unit_check(nth_deque_force(d));
  steals(d, 3, 1, 2);
  unit_check(!nth_deque_force(d));
  nth_deque_let_go(d);
  unit_check(nth_deque_force(d));
  steals(d, 3, 2, 3);
  is_empty(d);
}

/* Room is found again when thieves have copied what they took. */
static void room(void) {
  struct nth_deque *d = deque_at(5);
  push(d, 0, SLOTS);
  unit_check(nth_deque_room(d) == 0);
  nth_deque_publish(d);
  steals(d, 3, 0, 3);
  unit_check(nth_deque_room(d) == 3);
}

/* A task that has made items and runs on while thieves take a number of others that does not fit
 * into 31 bits still finds what it makes. */
static void far_from_base(void) {
  static const uint32_t taken[] = {0, 1, SLOTS, INT32_MAX, 1u << 31, UINT32_MAX - 2 * SLOTS};
  for (unsigned i = 0; i < sizeof taken / sizeof *taken; i++) {
    uint32_t base = 77;
    struct nth_deque *d = deque_at(base + taken[i]);
    unit_check(!nth_deque_pop(d, base + taken[i]));
    push(d, 0, 3);
    for (int k = 2; k >= 0; k--)
      unit_check(nth_deque_pop(d, base) == &item[k]);
    unit_check(!nth_deque_pop(d, base));
  }
}

int main(void) {
  unit_begin();
  nth_os_begin();
  unit_run(far_from_base);
  unit_run(owner_alone);
  unit_run(owner_takes_back);
  unit_run(base_kept);
  unit_run(base_passed);
  unit_run(held);
  unit_run(held_above);
  unit_run(room);
  unit_run(stealing);
  unit_run(wanted_push);
  unit_run(wanted_pop);
  unit_run(kept);
  unit_run(kept_awaited);
  unit_run(forcing);
  unit_run(claimed);
  unit_run(limits);
  unit_run(wrap);
  unit_run(cleared);
  unit_run(without_membarrier);
  unit_run(invalid);
  return 0;
}
