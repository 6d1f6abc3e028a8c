/* deque.h - a member's ready tasks: its owner works at one end, thieves take from the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member makes and runs most of its tasks itself. Then a push or a pop should cost no
 *             locked operation, no fence, and no store to a line that others read. So the deque is
 *             split, as in van Dijk and van de Pol, "Lace: Non-blocking Split Deque for
 *             Work-Stealing", 2014. Items before the split are public, and thieves take them by
 *             compare-and-swap. Items above the split are private: the owner's alone.
 * Hunger      A thief that finds nothing public leaves a mark. The owner's next push or pop sees it
 *             and publishes. An owner in a long task does neither: then the thief moves the split
 *             itself and pays for both sides, with a fence in all threads (membarrier).
 *             An owner that pushes one item and pops it, again and again, gains nothing by
 *             publishing it: thieves come too late, or the owner waits for the thief that has it.
 *             Then the owner keeps a single item to itself (I5).
 * Use         All zero is an empty deque. Items are pointers, not NULL.
 *             owner:   nth_deque_push(), false: full. nth_deque_pop(d, base), where base is what
 *                      nth_deque_base() said when the current task began: the items above it
 *                      descend from that task. nth_deque_pop_any(). nth_deque_publish() before it
 *                      waits: after that it may neither push nor pop for a long time.
 *                      nth_deque_awaits() when it begins to wait for an item that it has pushed;
 *                      nth_deque_take_oldest() where it begins items in the order of their age
 *                      nth_deque_put() and nth_deque_pop_at() for one item again and again;
 *                      nth_deque_hold() and nth_deque_let_go() to change what the newest item
 *                      points to, while it is private
 *             thief:   nth_deque_steal(); after some microseconds without luck nth_deque_force(),
 *                      and steal again; nth_deque_oldest() to look before it steals
 *             sleeper: says that it sleeps, nth_deque_fence_all(), then nth_deque_any() of all
 *                      deques. A maker: push, nth_deque_fence(), then looks for sleepers. One of
 *                      the two sees the other (F). Where fence_all fails a sleeper must not sleep
 *                      without a limit
 * Invariants  I1  positions are numbers without end, modulo 2^32, compared by their difference;
 *                 position p lies in slot p % NTH_DEQUE_SLOTS. freed <= copied <= tail <= split <=
 *                 head <= freed + NTH_DEQUE_SLOTS
 *             I2  word = tail | public << 32 | marks; split = tail + public. Only a thief moves
 *                 tail. The owner lowers the split; the owner, or a thief that has set CLAIMED,
 *                 raises it. A mark is set only while public is 0, and a change that makes public
 *                 more than 0 clears both marks
 *             I3  copied != tail: a thief has claimed [copied, tail) and copies these items. Until
 *                 it is done no other thief moves tail, and the owner does not use these slots
 *                 again. So a thief reads items after it has claimed them, and nobody writes there
 *                 during that time. What the word was between a thief's look and its CAS does not
 *                 matter: the thief claims what is public at its CAS. (The exception is a word that
 *                 is equal because exactly 2^32 positions have passed, which takes 40 s at least.)
 *             I4  only the thief that holds `forcing` sets CLAIMED. It clears the mark itself,
 *                 unless a CAS of the owner's has done so before. While the mark is set, the owner
 *                 has made no CAS since
 *             I5  keep is the number of pushes that will not publish a single item although a thief
 *                 has left a mark, which stays. It is set to `vain`, which doubles with each single
 *                 item that was published in vain: the owner took it back, or began to wait for it
 *                 less than NTH_DEQUE_VAIN_NS after the push. The first push that finds something
 *                 else stolen makes both 0. A thief that needs an item which is kept takes it by
 *                 force, as from an owner in a long task: that makes both a quarter of vain
 * Pop         The owner lowers head first, then looks at the word (F between): an item at or behind
 *             the split is its own. It can be mistaken only about a split that is raised by force.
 *             The forcing thief sets CLAIMED, fences all threads, reads head, and raises the split
 *             by a CAS that demands CLAIMED.
 *             Of each pop one of two statements is true. Either the thief's fence came before the
 *             pop's: then the thief reads head as lowered, or later, and leaves the item alone. Or
 *             the pop reads the word with CLAIMED, or a later word. A later one tells it the split.
 *             With CLAIMED it needs a CAS to take the item, which also publishes the items below
 *             and clears the mark. That CAS fails if the thief's came first. Otherwise it makes the
 *             thief's CAS fail, since only the holder of `forcing` can set the mark again (I4).
 *             So nobody waits: the owner overrules a thief that was interrupted. Such a thief keeps
 *             others from forcing this deque, or from stealing while it copies (I3). The worst for
 *             the owner is to find the deque full.
 *             An owner that holds the newest item does as if it had popped it, and the thief as if
 *             head were one less. But head is not lowered, so nobody overlooks the item. The thief
 *             reads held before head: an owner that takes the held item out lowers head first.
 *             Pushes need no such care: they only make head larger than the head that the thief has
 *             read. Of the last public item: the owner's CAS lowers split, a thief's raises tail,
 *             on one word. When thieves have taken all items, perhaps beyond base, head goes back
 *             to where it was
 * Orders      A   word: the release that publishes (owner, force) -> steal's acquire: slots, and
 *                 what the items point to. All changes are read-modify-writes, so a later one
 *                 carries an earlier one on
 *             B   head: push's and pop's release -> force's acquire: slots and items that force
 *                 publishes. The pop's release counts too: the thief may read the head that it
 *                 stored, and publishes the items below it. held: let_go's release -> force's
 *                 acquire: what the owner has changed
 *             C   copied: a thief's release, after it has read the slots -> the owner's acquire
 *                 before it writes there again; -> the next thief's acquire, whose own release
 *                 stands for both
 *             F   pop: head lowered, fence, word read; hold: held set, fence, word read; force:
 *                 CLAIMED, fence, held and head read. The maker's fence and the sleeper's in the
 *                 same way
 *             L   forcing: release -> acquire: a holder's last CAS comes before the next holder's
 *                 first
 * Cost        push, pop: no locked operation; a load of the shared line, which stays in the cache
 *             while nobody is hungry. Published items: one CAS for all, and one for each that the
 *             owner takes back. steal: a miss and a CAS, and a miss for each line of items. force:
 *             a system call.
 *             Without membarrier pop has a full fence (nth_os_fences_all). Where membarrier is
 *             refused later (nth_os_fences_lost) there is no force, and the owner must publish what
 *             it pushes. Nobody may know yet that it is refused, so an owner also publishes
 *             before it sleeps in a wait that runs no tasks (sync/lock.c)
 * Tested by   tests/model/deque, tests/unit/deque.c, tests/unit/deque_threads.c
 */
#ifndef NTH_STRUCT_DEQUE_H
#define NTH_STRUCT_DEQUE_H

#include <assert.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"

/* Marks in the word (I2). Below the sign bit of its upper half: pop compares that half signed. */
#define NTH_DEQUE_WANTED (UINT64_C(1) << 61)  /* a thief has found nothing public */
#define NTH_DEQUE_CLAIMED (UINT64_C(1) << 62) /* a thief is about to raise the split */

struct nth_deque {
  /* the owner's line */
  _Alignas(NTH_APART) _Atomic(uint32_t) head; /* next free position; w: owner; r: force, any; B */
  uint32_t freed;                             /* a past value of copied; w, r: owner */
  _Atomic(uint32_t) held;      /* 1: the newest item is held; w: owner; r: force; B */
  uint32_t vain, keep, stolen; /* w, r: owner; stolen: a past tail; I5 */
  bool gave;                   /* has published since it last looked what was stolen; w, r: owner */
  bool timed;                  /* the next single item that is published is timed; w, r: owner */
  uint64_t offered_ns;         /* when it was; 0: it was not, or is not the last; w, r: owner */
  /* the shared line */
  _Alignas(NTH_APART) _Atomic(uint64_t) word; /* w, r: owner, thieves; I2, A */
  _Atomic(uint32_t) copied;                   /* w: the claiming thief; r: thieves, owner; I3, C */
  _Atomic(uint32_t) forcing;                  /* 1: held; w: thieves; I4, L */
  /* w: owner; r: the thief that has claimed the position; oldest */
  _Alignas(NTH_APART) _Atomic(void *) slot[NTH_DEQUE_SLOTS];
};

static_assert((NTH_DEQUE_SLOTS & (NTH_DEQUE_SLOTS - 1)) == 0, "positions wrap at 2^32");

/* I1, I2 and I5. By the owner between its calls. copied is read first: tail may only have moved on
 * since. */
static inline bool nth_deque_valid(const struct nth_deque *d) {
  uint32_t copied = nth_load_acq(&d->copied) - d->freed; /* C */
  uint64_t w = nth_load_rlx(&d->word), count = w & ~(NTH_DEQUE_WANTED | NTH_DEQUE_CLAIMED);
  uint32_t tail = (uint32_t)w - d->freed, head = nth_load_rlx(&d->head) - d->freed;
  count >>= 32;
  return copied <= tail && tail <= head && count <= head - tail && head <= NTH_DEQUE_SLOTS &&
         (w < NTH_DEQUE_WANTED || count == 0) && d->keep <= d->vain && d->vain <= NTH_DEQUE_KEEPS;
}

/* How many items are public by this word. */
static inline uint32_t nth_deque_public_of(uint64_t word) {
  return word >= NTH_DEQUE_WANTED ? 0 : (uint32_t)(word >> 32); /* I2 */
}

/* Whether no item is NULL. By the owner between its calls. */
static inline bool nth_deque_items_valid(const struct nth_deque *d) {
  uint32_t head = nth_load_rlx(&d->head);
  for (uint32_t p = (uint32_t)nth_load_rlx(&d->word); p != head; p++)
    if (!nth_load_rlx(&d->slot[p % NTH_DEQUE_SLOTS]))
      return false;
  return true;
}

/* I1 as its owner sees it: no more than all slots are in use below that position, the head's. */
static inline bool nth_deque_fits(const struct nth_deque *d, uint32_t head) {
  return head - d->freed <= NTH_DEQUE_SLOTS;
}

/* Forgets items and thieves, and keeps the position, since a base may be in use. In the child of a
 * fork: no other thread is at work, but thieves may have been stopped halfway. */
static inline void nth_deque_clear(struct nth_deque *d) {
  d->freed = nth_load_rlx(&d->head);
  nth_store_rlx(&d->word, d->freed);
  nth_store_rlx(&d->copied, d->freed);
  nth_store_rlx(&d->forcing, 0);
  nth_store_rlx(&d->held, 0);
}

/* The fence of the frequent side: push, pop, makers. */
static inline void nth_deque_fence(void) {
  if (nth_likely(nth_os_fences_all))
    nth_fence_light(); /* F: against fence_all */
  else
    nth_fence_full(); /* F: against fence_all */
}

/* The fence of the rare side: force, sleepers. False: the system has refused it, and nothing is
 * ordered. */
static inline bool nth_deque_fence_all(void) {
  if (nth_likely(nth_os_fences_all))
    return nth_os_fence_all(); /* F: against fence */
  nth_fence_full();            /* F: against fence */
  return true;
}

/* --- owner --- */

/* Whether a thief has left a mark. */
static inline bool nth_deque_wanted(const struct nth_deque *d) {
  return nth_load_rlx(&d->word) >= NTH_DEQUE_WANTED;
}

/* Whether the item at this position, the newest one or a later one, is private, and no mark is
 * set. */
static inline bool nth_deque_is_private(uint32_t position, uint64_t word) {
  return (int32_t)(position - (uint32_t)word) >= (int32_t)(word >> 32);
}

/* Makes all items public and clears the marks, unless nothing is private. */
void nth_deque_publish(struct nth_deque *d);

/* After a push that has seen a mark: publishes all items, unless it keeps a single one (I5). */
void nth_deque_answer(struct nth_deque *d);

/* The rest of a pop whose item is public, or claimed, or gone. head has been lowered to
 * `newest`. */
void *nth_deque_pop_shared(struct nth_deque *d, uint32_t newest, uint64_t word);

/* The owner waits for items that it has pushed and does not find: others have them (I5). */
void nth_deque_awaits(struct nth_deque *d);

/* Publishes if a thief has left a mark: for an owner that goes on without a push or a pop. */
static inline void nth_deque_heed(struct nth_deque *d) {
  if (nth_unlikely(nth_deque_wanted(d)))
    nth_deque_publish(d);
}

/* False: the deque is full. */
static inline bool nth_deque_push(struct nth_deque *d, void *item) {
  uint32_t head = nth_load_rlx(&d->head);
  nth_assert(item && nth_deque_fits(d, head));
  if (nth_unlikely(head - d->freed == NTH_DEQUE_SLOTS)) {
    d->freed = nth_load_acq(&d->copied); /* C */
    if (head - d->freed == NTH_DEQUE_SLOTS)
      return false;
  }
  nth_store_rlx(&d->slot[head % NTH_DEQUE_SLOTS], item);
  nth_store_rel(&d->head, head + 1); /* B */
  if (nth_unlikely(nth_deque_wanted(d)))
    nth_deque_answer(d);
  return true;
}

/* The position of the next item to be pushed. */
static inline uint32_t nth_deque_base(const struct nth_deque *d) { return nth_load_rlx(&d->head); }

/* How many items can be pushed at least. */
static inline uint32_t nth_deque_room(struct nth_deque *d) {
  uint32_t head = nth_load_rlx(&d->head);
  nth_assert(nth_deque_fits(d, head));
  if (nth_unlikely(head - d->freed >= NTH_DEQUE_SLOTS - 1))
    d->freed = nth_load_acq(&d->copied); /* C */
  return NTH_DEQUE_SLOTS - (head - d->freed);
}

/* Push for an owner that knows that there is room and that head is `position`, and that looks at
 * the marks itself. */
static inline void nth_deque_put(struct nth_deque *d, uint32_t position, void *item) {
  nth_assert(item && nth_deque_fits(d, position + 1));
  nth_store_rlx(&d->slot[position % NTH_DEQUE_SLOTS], item);
  nth_store_rel(&d->head, position + 1); /* B */
}

/* Pop for an owner that knows that the newest item is at this position, unless thieves have taken
 * it: then NULL. *word: the word that it has found. */
static inline void *nth_deque_pop_at(struct nth_deque *d, uint32_t newest, uint64_t *word) {
  nth_assert(nth_deque_fits(d, newest + 1));
  nth_store_rel(&d->head, newest); /* B */
  nth_deque_fence();               /* F */
  *word = nth_load_rlx(&d->word);
  if (nth_unlikely(!nth_deque_is_private(newest, *word)))
    return nth_deque_pop_shared(d, newest, *word);
  return nth_load_rlx(&d->slot[newest % NTH_DEQUE_SLOTS]);
}

/* Keeps the newest item from thieves while the owner changes what it points to. The owner had found
 * this word and the item private. The item stays where others see it. False: the word has changed;
 * the item is not kept, and may be gone. Only where nth_os_fences_all. */
static inline bool nth_deque_hold(struct nth_deque *d, uint64_t word) {
  nth_assert(nth_os_fences_all && nth_load_rlx(&d->held) == 0);
  nth_store_rlx(&d->held, 1);
  nth_fence_light(); /* F */
  if (nth_likely(nth_load_rlx(&d->word) == word))
    return true;
  nth_store_rlx(&d->held, 0);
  return false;
}

/* The item that is held is ready for others. */
static inline void nth_deque_let_go(struct nth_deque *d) {
  nth_assert(nth_load_rlx(&d->held) == 1);
  nth_store_rel(&d->held, 0); /* B */
}

/* Takes the item that is held, the one at this position, out of the deque. */
static inline void nth_deque_pop_held(struct nth_deque *d, uint32_t newest) {
  nth_assert(nth_load_rlx(&d->head) == newest + 1);
  nth_store_rel(&d->head, newest); /* B */
  nth_deque_let_go(d);
}

/* Takes the newest item, unless it lies below base; NULL: there is none. Then head is at base, or
 * below base by the deque's length at most. Each other head is above base, however many items
 * thieves have taken since. */
static inline void *nth_deque_pop(struct nth_deque *d, uint32_t base) {
  uint32_t head = nth_load_rlx(&d->head);
  uint64_t word;
  return base - head <= NTH_DEQUE_SLOTS ? 0 : nth_deque_pop_at(d, head - 1, &word);
}

/* Takes the newest item. */
static inline void *nth_deque_pop_any(struct nth_deque *d) {
  return nth_deque_pop(d, (uint32_t)nth_load_rlx(&d->word));
}

/* Takes the oldest item, as a thief would. NULL: there is none, or a thief is at work. */
void *nth_deque_take_oldest(struct nth_deque *d);

/* --- thieves --- */

/* Takes the oldest public items: half of them (rounded up), but not more than `most`, which is at
 * least 1. Returns how many; items[0] is the oldest. 0: there are none, and a mark tells the owner;
 * or another thief is at work. */
uint32_t nth_deque_steal(struct nth_deque *d, void *items[], uint32_t most);

/* Publishes half of the private items (rounded up) in place of an owner that is busy. True:
 * something is public now. False: the deque is empty, or another thief is forcing it, or
 * membarrier, which was there at the start, is refused. */
bool nth_deque_force(struct nth_deque *d);

/* For a look at all items, one after the other: begin() is the position of the oldest; at() is the
 * item at a position, public or not, NULL: none there nor above it. An item keeps its position when
 * items before it are taken. A hint like nth_deque_oldest(); as sure as nth_deque_any() for items
 * that nobody is taking. */
static inline uint32_t nth_deque_begin(const struct nth_deque *d) {
  return (uint32_t)nth_load_acq(&d->word); /* A */
}
static inline void *nth_deque_at(const struct nth_deque *d, uint32_t position) {
  if ((int32_t)(nth_load_acq(&d->head) - position) <= 0) /* B */
    return 0;
  return nth_load_rlx(&d->slot[position % NTH_DEQUE_SLOTS]);
}

/* The oldest public item; NULL: there is none. A hint: it may have been taken long ago. So what it
 * points to must still be memory of its type, and is read by atomic loads. */
static inline void *nth_deque_oldest(struct nth_deque *d) {
  uint64_t w = nth_load_acq(&d->word); /* A */
  if (nth_deque_public_of(w) == 0)
    return 0;
  return nth_load_rlx(&d->slot[(uint32_t)w % NTH_DEQUE_SLOTS]);
}

/* How many of the oldest public items, up to `most`, have all of these bits in their addresses. A
 * hint like nth_deque_oldest(). */
static inline uint32_t nth_deque_marked(const struct nth_deque *d, uintptr_t bits, uint32_t most) {
  uint64_t w = nth_load_acq(&d->word); /* A */
  uint32_t n = 0, all = nth_deque_public_of(w);
  while (n < all && n < most &&
         ((uintptr_t)nth_load_rlx(&d->slot[((uint32_t)w + n) % NTH_DEQUE_SLOTS]) & bits) == bits)
    n++;
  return n;
}

/* Whether there is an item, public or not. A hint. After nth_deque_fence_all() it is sure: only
 * an item that somebody is taking is overlooked. It reads the owner's line, so it is not for
 * polling. */
static inline bool nth_deque_any(const struct nth_deque *d) {
  uint32_t tail = (uint32_t)nth_load_rlx(&d->word);
  return (int32_t)(nth_load_rlx(&d->head) - tail) > 0;
}

#endif
