/* pool.h - pools of descriptors and stacks, used again near where they were used
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The cost of a task is mostly that of its descriptor's memory: malloc's lists, and
 *             lines that lie in another CPU's cache. The pools paper, "Efficient Runtime Thread
 *             Management for the Nano-Threads Programming Model", section 3.1: each processor keeps
 *             a small LIFO, so it takes what it touched last. A central pool behind the LIFOs keeps
 *             them balanced, and pools of memory domains in between make a hierarchy. In the paper
 *             the processor that runs a thread gives back what another one has made, one descriptor
 *             at a time. Here descriptors move in handfuls, as in "Handling Massive Parallelism
 *             Efficiently: Introducing Batches of Threads", section 4.2.
 * Use         class = nth_pool_class(size), which the caller keeps; nth_pool_take();
 *             nth_pool_give() with the same class, by any thread into its own pool.
 *             nth_pool_take_many(): as many as a batch of nano-threads needs. A pool is initialised
 *             and ended by its thread. A zeroed pool works too and keeps nothing, like an ended
 *             one; several threads may share such a pool.
 * Levels      own LIFO of NTH_POOL_KEPT -> domain, NTH_POOL_DOMAIN -> central -> slab of the
 *             system. An empty LIFO gets a handful, a full one sends its oldest handful away. A
 *             slab belongs to the domain that had to make it, whose thread touches its pages first.
 *             NTH_POOL_LOCAL: no domains (Stack_aff in the paper). NTH_POOL_CENTRAL: the central
 *             pool only, one object at a time (Base). NTH_POOL_HIER: all levels (Hier).
 * Kinds       Classes by size are for OpenMP's objects. Nano-threads' descriptors are a class of
 *             their own, since a program may ask for the state of one that has ended: its memory
 *             keeps its type, and is not poisoned. Stacks (stack.h) are a class, too: they have no
 *             slabs, stack.c makes them when there is none, and no level keeps more than
 *             NTH_STACKS_COMMON
 * Class       The caller passes it back: it has a byte for it in a line that it writes anyway. A
 *             header before each object would cost a line, since objects are aligned to lines. A
 *             look into the slab's head would cost a miss.
 * Pointers    A level is an array of pointers to objects, not a list through them. So a pool writes
 *             nothing into an object. A thread that gets a handful from another CPU's cache waits
 *             for none of its lines: its first access to each is a write of its own. An array has
 *             room for all that may come: the central one grows with each slab.
 * Invariants  I1  an object is in use, or in one array, or not carved out of its slab yet. Each
 *                 array, and the rest of each slab, holds objects of one class
 *             I2  objects are type-stable: a slab is never freed nor used for another class. An
 *                 object is taken with the contents with which it was given back, zero the first
 *                 time. NTH_POOL_BIG has no such promise: its objects are the heap's
 *             I3  the central array has room for all objects of a class with slabs, so giving them
 *                 never fails. In a forked child without memory for a new array objects are lost
 *             I4  locks are taken in the order domain, central
 * Orders      A pool is its thread's alone. A level and the rest of its slab are under the level's
 *             lock (mutex:A); a read before the lock only tells whether it is worth taking. The
 *             lock also orders what was done with an object before it was given before what is done
 *             after it is taken. The list of slabs is under the central lock of its class. The lock
 *             has a model; there is nothing lock-free here that needs another.
 * Late        A thread that may still look into an object that was given back (I2) does so by
 *             relaxed loads of atomic fields, in a function marked NTH_POOL_LATE: under the address
 *             sanitizer all other code finds a pooled object poisoned. A user of objects for
 *             something else must not write what such a look may read: NTH_POOL_NOT_OURS, where a
 *             task has the pointer to its parent.
 * Cost        take, give: a load, a compare, a load or store and a store, on lines of the thread's
 *             own. Once in a handful: one lock, two lines of the level.
 * Tested by   tests/unit/pool.c, tests/unit/pool_threads.c; the lock: tests/model/mutex
 */
#ifndef NTH_MEM_POOL_H
#define NTH_MEM_POOL_H

#include <assert.h>
#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

enum nth_pool_policy { NTH_POOL_HIER, NTH_POOL_LOCAL, NTH_POOL_CENTRAL };
/* Their names in NTH_POOL, in this order. */
extern const char *const nth_pool_policies[3];

/* 0: objects of any size, which are made elsewhere */
static const uint16_t nth_pool_bytes[] = {NTH_POOL_SIZES, 0, NTH_POOL_NANO_SIZE, 0};
enum {
  NTH_POOL_CLASSES = sizeof nth_pool_bytes / sizeof nth_pool_bytes[0],
  NTH_POOL_BIG = NTH_POOL_CLASSES - 3, /* after the sizes: larger than the largest */
  NTH_POOL_NANO,
  NTH_POOL_STACK
};

/* A thread's own objects of one class. w, r: the pool's thread */
struct nth_pool_shelf {
  uint32_t count; /* objects here, the newest last */
  uint32_t room;  /* NTH_POOL_KEPT; 0: nothing is kept here (policy, NTH_POOL_BIG, ended), or
                   * nothing was asked for yet */
  void *object[NTH_POOL_KEPT];
};

struct nth_pool {
  _Alignas(NTH_APART) struct nth_pool_shelf shelf[NTH_POOL_CLASSES];
  uint32_t domain; /* below NTH_POOL_DOMAINS */
  enum nth_pool_policy policy;
  bool keeps; /* its shelves may have room */
};

static_assert(NTH_POOL_KEPT >= NTH_POOL_HANDFUL, "a shelf that is full can send a handful away");

/* The class of objects of this size; it never changes. */
static inline uint32_t nth_pool_class(size_t size) {
  uint32_t class = 0;
  while (class < NTH_POOL_BIG && size > nth_pool_bytes[class])
    class++;
  return class;
}

/* p: zeroed, or ended. Its shelves are not touched before something is asked for: a region without
 * tasks needs no memory for them. number: of the memory domain in which the thread runs, from 0. */
void nth_pool_init(struct nth_pool *p, enum nth_pool_policy policy, uint32_t number);
/* The pool's thread ends: what it kept goes to its domain. The pool can still be used, and keeps
 * nothing. */
void nth_pool_end(struct nth_pool *p);

/* In a forked child: empties the levels and frees their locks. What the levels and other threads'
 * pools held is lost to the child. The pool of the thread that forked stays as it is. */
void nth_pool_forked(void);

/* The first field of all objects in pools except tasks: never written (Late). */
#define NTH_POOL_NOT_OURS void *not_ours

/* --- poison: what is in a pool is out of bounds --- */

#if defined(__SANITIZE_ADDRESS__)
#define NTH_POOL_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NTH_POOL_POISON 1
#endif
#endif

#ifdef NTH_POOL_POISON
#include <sanitizer/asan_interface.h>
#define NTH_POOL_LATE __attribute__((no_sanitize_address, noinline))
#else
#define NTH_POOL_LATE
#endif

static inline void nth_pool_shut(void *object, uint32_t class) {
#ifdef NTH_POOL_POISON
  if (class < NTH_POOL_BIG)
    __asan_poison_memory_region(object, nth_pool_bytes[class]);
#endif
  (void)object, (void)class;
}

static inline void nth_pool_open(void *object, uint32_t class) {
#ifdef NTH_POOL_POISON
  if (class < NTH_POOL_BIG)
    __asan_unpoison_memory_region(object, nth_pool_bytes[class]);
#endif
  (void)object, (void)class;
}

/* --- take and give --- */

/* By the pool's thread, or for a pool that keeps nothing: class is one, and its shelf not
 * overfull. */
static inline bool nth_pool_is_sound(const struct nth_pool *p, uint32_t class) {
  return class < NTH_POOL_CLASSES && p->shelf[class].count <= p->shelf[class].room &&
         p->shelf[class].room <= NTH_POOL_KEPT;
}

/* When the shelf is empty, or full. */
void *nth_pool_take_slow(struct nth_pool *p, uint32_t class, size_t size);
bool nth_pool_give_slow(struct nth_pool *p, void *object, uint32_t class);

/* An object of the class, at a multiple of NTH_LINE, as its last user left it; NULL: no memory, or
 * no stack. Only NTH_POOL_BIG, whose objects have any contents, looks at size. */
static inline void *nth_pool_take(struct nth_pool *p, uint32_t class, size_t size) {
  struct nth_pool_shelf *s = &p->shelf[class];
  nth_assert(nth_pool_is_sound(p, class));
  nth_assert(size <= nth_pool_bytes[class] || nth_pool_bytes[class] == 0);
  if (nth_unlikely(s->count == 0))
    return nth_pool_take_slow(p, class, size);
  void *object = s->object[--s->count];
  nth_pool_open(object, class);
  return object;
}

/* Takes n objects, or as many as there is memory for. Returns how many. */
uint32_t nth_pool_take_many(struct nth_pool *p, uint32_t class, uint32_t n, void **object);

/* Begins to fetch the first `size` bytes of the object that is taken next: they are likely to be in
 * the cache of the thread that gave it back. */
static inline void nth_pool_fetch_next(const struct nth_pool *p, uint32_t class, size_t size) {
  if (class == NTH_POOL_BIG || p->shelf[class].count == 0)
    return;
  const char *next = p->shelf[class].object[p->shelf[class].count - 1];
  for (size_t at = 0; at < size; at += NTH_LINE)
    nth_prefetch_own(next + at);
}

/* The object is not used any longer, except by a late look (Late). False: it is a stack and there
 * are enough of these: the caller ends it. */
static inline bool nth_pool_give(struct nth_pool *p, void *object, uint32_t class) {
  struct nth_pool_shelf *s = &p->shelf[class];
  nth_assert(object && nth_pool_is_sound(p, class));
  if (nth_unlikely(s->count == s->room))
    return nth_pool_give_slow(p, object, class);
  nth_pool_shut(object, class);
  s->object[s->count++] = object;
  return true;
}

/* --- reports and checks --- */

struct nth_pool_figures {
  uint32_t slabs; /* made for the class by the process; 0 for stacks */
  size_t made;    /* objects in them */
  size_t idle;    /* of these not in use and in no thread's pool */
};
struct nth_pool_figures nth_pool_count(uint32_t class);

/* I1 of a pool, by its thread: all objects are of their class, and none is there twice. */
bool nth_pool_valid(const struct nth_pool *p);
/* I1, I3 of all domains and of the central pool. */
bool nth_pool_levels_valid(void);

#endif
