/* deque.h - ready tasks of one member: the owner works at one end, thieves take from the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A member makes and runs most tasks itself, and then a push or a pop should cost no
 *             locked operation, no fence, and no store to a line that others read. So the deque is
 *             split (as in van Dijk and van de Pol, "Lace: Non-blocking Split Deque for
 *             Work-Stealing", 2014): items before the split are public and taken by
 *             compare-and-swap, those behind it are the owner's alone. A thief that finds nothing
 *             public leaves a mark, and the owner's next push or pop publishes. An owner in a long
 *             task does neither: then the thief moves the split itself and pays for both sides,
 *             with a fence in all threads (membarrier). An owner that pushes one item and pops it,
 *             again and again, gains nothing by publishing it: when thieves came too late for the
 *             last ones it keeps a single item to itself (I5).
 * Use         All zero is an empty deque. Items are pointers, not NULL.
 *             owner:   nth_deque_push(), false: full; nth_deque_pop(d, base), base:
 *                      nth_deque_base() of when the current task began (what is above it descends
 *                      from that task); nth_deque_pop_any(); nth_deque_publish() before it waits:
 *                      from then on it may neither push nor pop for long; nth_deque_put() and
 *                      nth_deque_pop_at() for one item again and again
 *             thief:   nth_deque_steal(); after some microseconds without luck nth_deque_force(),
 *                      and steal again; nth_deque_oldest() to look before
 *             sleeper: says that it sleeps, nth_deque_fence_all(), then nth_deque_any() of all.
 *                      A maker: push, nth_deque_fence(), then looks for sleepers. One of the two
 *                      sees the other (F). Where fence_all fails a sleeper may not sleep without a
 *                      limit
 * Invariants  I1  positions are numbers without end, modulo 2^32, compared by their difference; p
 *                 lies in slot p % NTH_DEQUE_SLOTS.
 *                 freed <= copied <= tail <= split <= head <= freed + NTH_DEQUE_SLOTS
 *             I2  word = tail | public << 32 | marks, split = tail + public. Only a thief moves
 *                 tail. Split falls by the owner only, and rises by the owner or by who has set
 *                 CLAIMED. A mark is set only while public is 0; whatever makes it more clears both
 *             I3  copied != tail: a thief has claimed [copied, tail) and copies it. No other one
 *                 moves tail until it is done, and the owner does not use these slots again. So
 *                 items are read after they were claimed, and nobody writes there meanwhile; what
 *                 the word was between a thief's look and its CAS does not matter: it claims what
 *                 is public then. (Unless 2^32 positions have passed meanwhile, no more and no
 *                 less: 40 s at least)
 *             I4  CLAIMED is set only by who holds `forcing`, and cleared by it or by any CAS of
 *                 the owner's. Still set, it means that the owner made no CAS since
 *             I5  keep: so often a push does not publish a single item, though a thief has left a
 *                 mark, which stays. Each single item that was published and not stolen doubles it,
 *                 up to NTH_DEQUE_KEEPS; the first push that finds something stolen clears it. A
 *                 thief that needs such an item forces it, as that of an owner in a long task
 * Pop         The owner lowers head first, then looks at the word (F between): an item at or behind
 *             the split is its own. It can be mistaken about one thing only, a split raised by
 *             force. The forcing thief sets CLAIMED, fences all threads, reads head, and raises the
 *             split by a CAS that demands CLAIMED. Of each pop one of two is true. Its fence came
 *             first: then the thief has read head as lowered, or later, and leaves the item alone.
 *             Or it reads the word with CLAIMED, or a later one. A later one tells it the split. At
 *             CLAIMED it needs a CAS to take the item, which also publishes what is below and
 *             clears the mark: it fails if the thief was first, and makes the thief's fail
 *             otherwise, for only the holder of `forcing` can set the mark again (I4). So nobody
 *             waits: the owner overrules a thief that was interrupted. Such a one keeps others from
 *             forcing this deque, or from stealing while it copies (I3); the owner at most finds
 *             the deque full.
 *             Pushes need no such care: they only make head larger than what the thief has read.
 *             The last public item: the owner's CAS lowers split, a thief's raises tail, on one
 *             word. When thieves have taken all, beyond base perhaps, head goes back to where it
 *             was
 * Orders      A   word: the release that publishes (owner, force) -> steal's acquire: slots, and
 *                 what the items point to. All changes are read-modify-writes, so a later one
 *                 carries it on
 *             B   head: push's and pop's release -> force's acquire: the same for what force
 *                 publishes. The pop's too: the thief may read its head, and owes the items below
 *                 it
 *             C   copied: a thief's release, after it has read the slots -> the owner's acquire
 *                 before it writes there again; -> the next thief's, whose release stands for both
 *             F   pop: head lowered, fence, word read; force: CLAIMED, fence, head read. The
 *                 maker's and the sleeper's fence likewise
 *             L   forcing: release -> acquire: a holder's last CAS comes before the next one's
 *                 first
 * Cost        push, pop: no locked operation, loads of the shared line, which stays in the cache
 *             while nobody is hungry. Published items: one CAS for all, and one each that the owner
 *             takes back. steal: a miss and a CAS, a miss a line of items. force: a system call.
 *             Without membarrier pop has a full fence (nth_os_fences_all). Where it is refused
 *             later (nth_os_fences_lost) there is no force, and the owner is to publish what it
 *             pushes
 * Tested by   tests/model/deque, tests/unit/deque.c, tests/unit/deque_threads.c
 */
#ifndef NTH_STRUCT_DEQUE_H
#define NTH_STRUCT_DEQUE_H

#include <assert.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"

/* Marks in the word (I2). Below the sign bit of its upper half: pop compares that half signed. */
#define NTH_DEQUE_WANTED (UINT64_C(1) << 61)  /* a thief has found nothing public */
#define NTH_DEQUE_CLAIMED (UINT64_C(1) << 62) /* a thief is about to raise the split */

struct nth_deque {
  /* the owner's line */
  _Alignas(NTH_APART) _Atomic(uint32_t) head; /* next free position; w: owner; r: force, any; B */
  uint32_t freed;                             /* a past value of copied; w, r: owner */
  uint32_t vain, keep, stolen;                /* w, r: owner; stolen: a past tail; I5 */
  /* the shared line */
  _Alignas(NTH_APART) _Atomic(uint64_t) word; /* w, r: owner, thieves; I2, A */
  _Atomic(uint32_t) copied;                   /* w: who has claimed; r: thieves, owner; I3, C */
  _Atomic(uint32_t) forcing;                  /* 1: held; w: thieves; I4, L */
  /* w: owner; r: who has claimed the position; oldest */
  _Alignas(NTH_APART) _Atomic(void *) slot[NTH_DEQUE_SLOTS];
};

static_assert((NTH_DEQUE_SLOTS & (NTH_DEQUE_SLOTS - 1)) == 0, "positions wrap at 2^32");

/* I1 and I2, by the owner between its calls. copied first: tail may be further than that later. */
static inline bool nth_deque_valid(const struct nth_deque *d) {
  uint32_t copied = nth_load_acq(&d->copied) - d->freed; /* C */
  uint64_t w = nth_load_rlx(&d->word), count = w & ~(NTH_DEQUE_WANTED | NTH_DEQUE_CLAIMED);
  uint32_t tail = (uint32_t)w - d->freed, head = nth_load_rlx(&d->head) - d->freed;
  count >>= 32;
  return copied <= tail && tail <= head && count <= head - tail && head <= NTH_DEQUE_SLOTS &&
         (w < NTH_DEQUE_WANTED || count == 0) && d->keep <= d->vain && d->vain <= NTH_DEQUE_KEEPS;
}

/* Forgets items and thieves, keeps the position for those who have a base. Nobody else is at work:
 * the child of a fork, where thieves have stopped in the midst of something. */
static inline void nth_deque_clear(struct nth_deque *d) {
  d->freed = nth_load_rlx(&d->head);
  nth_store_rlx(&d->word, d->freed);
  nth_store_rlx(&d->copied, d->freed);
  nth_store_rlx(&d->forcing, 0);
}

/* The fence of who does it often. */
static inline void nth_deque_fence(void) {
  if (nth_likely(nth_os_fences_all))
    nth_fence_light(); /* F: against fence_all */
  else
    nth_fence_full(); /* F: against fence_all */
}

/* The fence of who does it seldom. False: the system has refused it, nothing is ordered. */
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

/* Whether the item at that position, the newest or one behind it, is the owner's alone, and nobody
 * wants one. */
static inline bool nth_deque_is_private(uint32_t position, uint64_t word) {
  return (int32_t)(position - (uint32_t)word) >= (int32_t)(word >> 32);
}

/* Makes all items public and clears the marks, unless nothing is private. */
void nth_deque_publish(struct nth_deque *d);

/* A thief's mark is seen after a push: publishes all, unless it keeps a single item (I5). */
void nth_deque_answer(struct nth_deque *d);

/* The rest of a pop whose item is public, or claimed, or gone; head has been lowered to
 * `newest`. */
void *nth_deque_pop_shared(struct nth_deque *d, uint32_t newest, uint64_t word);

/* Publishes if a thief has left a mark: for an owner that goes from one item to the next without a
 * push or a pop. */
static inline void nth_deque_heed(struct nth_deque *d) {
  if (nth_unlikely(nth_deque_wanted(d)))
    nth_deque_publish(d);
}

/* False: the deque is full. */
static inline bool nth_deque_push(struct nth_deque *d, void *item) {
  uint32_t head = nth_load_rlx(&d->head);
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

/* Where the items begin that will be pushed from now on. */
static inline uint32_t nth_deque_base(const struct nth_deque *d) { return nth_load_rlx(&d->head); }

/* So many can be pushed, perhaps more. */
static inline uint32_t nth_deque_room(struct nth_deque *d) {
  uint32_t head = nth_load_rlx(&d->head);
  if (nth_unlikely(head - d->freed >= NTH_DEQUE_SLOTS - 1))
    d->freed = nth_load_acq(&d->copied); /* C */
  return NTH_DEQUE_SLOTS - (head - d->freed);
}

/* Push for who knows that there is room, and that head is at that position, and looks at the marks
 * itself. */
static inline void nth_deque_put(struct nth_deque *d, uint32_t position, void *item) {
  nth_store_rlx(&d->slot[position % NTH_DEQUE_SLOTS], item);
  nth_store_rel(&d->head, position + 1); /* B */
}

/* Pop for who knows that the newest item is at that position, or thieves have it: NULL. *word: what
 * it has found. */
static inline void *nth_deque_pop_at(struct nth_deque *d, uint32_t newest, uint64_t *word) {
  nth_store_rel(&d->head, newest); /* B */
  nth_deque_fence();               /* F */
  *word = nth_load_rlx(&d->word);
  if (nth_unlikely(!nth_deque_is_private(newest, *word)))
    return nth_deque_pop_shared(d, newest, *word);
  return nth_load_rlx(&d->slot[newest % NTH_DEQUE_SLOTS]);
}

/* Both again for the same item. False: the word is another one, the item not taken
 * yet. An equal one says that no thief has moved tail or split, nor left a mark. Only where
 * nth_os_fences_all. */
static inline void nth_deque_put_again(struct nth_deque *d, uint32_t position) {
  nth_store_rel(&d->head, position + 1); /* B */
}
static inline bool nth_deque_pop_again(struct nth_deque *d, uint32_t newest, uint64_t word) {
  nth_store_rel(&d->head, newest); /* B */
  nth_fence_light();               /* F */
  return nth_likely(nth_load_rlx(&d->word) == word);
}

/* The newest item at a position from base on, NULL when there is none. */
static inline void *nth_deque_pop(struct nth_deque *d, uint32_t base) {
  uint32_t newest = nth_load_rlx(&d->head) - 1;
  uint64_t word;
  return (int32_t)(newest - base) < 0 ? 0 : nth_deque_pop_at(d, newest, &word);
}

/* The newest item. */
static inline void *nth_deque_pop_any(struct nth_deque *d) {
  return nth_deque_pop(d, (uint32_t)nth_load_rlx(&d->word));
}

/* --- thieves --- */

/* Takes the oldest public items, half of them (rounded up) but not more than `most`, which is at
 * least 1. Returns how many, the oldest first; 0: there are none, which is marked for the owner to
 * see, or another thief is at work. */
uint32_t nth_deque_steal(struct nth_deque *d, void *items[], uint32_t most);

/* Publishes half of the private items (rounded up) in place of an owner that is busy elsewhere.
 * Whether something is public now; false: nothing is there, or another thief is about it, or
 * membarrier, which was there at the start, is refused. */
bool nth_deque_force(struct nth_deque *d);

/* For a look at all items, one after the other: where the oldest lies, and what lies at a position,
 * public or not; NULL: nothing, nor behind it. A position stays when items before it are taken. A
 * hint like the next one, and sure like nth_deque_any() for what is not on its way to somebody
 * else. */
static inline uint32_t nth_deque_begin(const struct nth_deque *d) {
  return (uint32_t)nth_load_acq(&d->word); /* A */
}
static inline void *nth_deque_at(const struct nth_deque *d, uint32_t position) {
  if ((int32_t)(nth_load_acq(&d->head) - position) <= 0) /* B */
    return 0;
  return nth_load_rlx(&d->slot[position % NTH_DEQUE_SLOTS]);
}

/* The oldest public item, NULL when there is none. A hint: it may have been taken long ago, so what
 * it points to must still be memory of its type, read by atomic loads. */
static inline void *nth_deque_oldest(struct nth_deque *d) {
  uint64_t w = nth_load_acq(&d->word); /* A */
  if (w >> 32 == 0 || w >= NTH_DEQUE_WANTED)
    return 0;
  return nth_load_rlx(&d->slot[(uint32_t)w % NTH_DEQUE_SLOTS]);
}

/* Whether there is an item, public or not. A hint, and sure behind nth_deque_fence_all(): then an
 * item is not overlooked but by its taker. Reads the owner's line: not for polling. */
static inline bool nth_deque_any(const struct nth_deque *d) {
  uint32_t tail = (uint32_t)nth_load_rlx(&d->word);
  return (int32_t)(nth_load_rlx(&d->head) - tail) > 0;
}

#endif
