/* pool.h - pools of descriptors and stacks, used again near where they were used
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task costs as much as its descriptor's memory: malloc's lists, and lines that lie
 *             in another CPU's cache. "Efficient Runtime Thread Management for the Nano-Threads
 *             Programming Model", section 3.1: each processor keeps a small LIFO, so that what it
 *             takes is what it touched last; a central pool behind keeps them balanced; pools for
 *             memory domains in between make a hierarchy. There whoever runs a thread gives back
 *             what another one made, one by one; here it moves in batches, as in "Handling Massive
 *             Parallelism Efficiently: Introducing Batches of Threads", section 4.2.
 * Use         class = nth_pool_class(size), kept by the caller; nth_pool_take(); nth_pool_give()
 *             with the same class, by any thread into its own pool. nth_pool_take_many(): as many
 *             as a batch of nano-threads needs. A pool is initialised and ended by its thread. A
 *             zeroed one works too and keeps nothing, like an ended one; several threads may share
 *             such a one.
 * Levels      own LIFO of NTH_POOL_KEPT -> domain, NTH_POOL_DOMAIN -> central -> slab of the
 *             system. An empty LIFO gets a batch, a full one sends its oldest batch away. A slab
 *             belongs to the domain that had to make it, whose thread touches its pages first.
 *             NTH_POOL_LOCAL: no domains (Stack_aff in the paper); NTH_POOL_CENTRAL: the central
 *             pool only, an object at a time (Base); NTH_POOL_HIER: all (Hier).
 * Kinds       Classes by size are for what OpenMP needs. Nano-threads' descriptors are a class of
 *             their own, for a program may ask one that has ended for its state: it is in memory of
 *             the right type, and not poisoned. Stacks (stack.h) are one, too: they have no slabs,
 *             are made elsewhere when there is none, and no level keeps more than NTH_STACKS_COMMON
 * Class       The caller passes it back: it has a byte for it in the line that it writes anyway. A
 *             header in front would cost each object a line, for they are aligned to lines; a look
 *             into the slab's head would cost a miss.
 * Pointers    A level is an array of pointers to objects, no list through the objects. So a pool
 *             writes nothing into an object, and a thread that gets a batch which lies in another
 *             CPU's cache waits for none of its lines: its first access to each is a write of its
 *             own. An array has room for all that may come: the central one grows with each slab.
 * Invariants  I1  an object is in use, or in one array, or not carved out of its slab yet; all
 *                 arrays and the rests of slabs hold objects of one class each
 *             I2  objects of the classes are type-stable: a slab is never freed nor used for
 *                 another class. What is in an object when it is given back is there when it is
 *                 taken the next time, and zero the first time. NTH_POOL_BIG is the heap's: no such
 *                 promise
 *             I3  the central array has room for all objects of a class with slabs, so giving them
 *                 never fails. In a forked child without memory for a new array objects are lost
 *             I4  locks are taken in the order domain, central
 * Orders      A pool is its thread's alone. A level, and a rest of a slab, is under the level's
 *             lock (mutex:A; whether it is worth taking is read before), which also orders what was
 *             done with an object before it was given with what is done after it is taken. The list
 *             of slabs is under the central lock of its class. The lock has a model; there is
 *             nothing lock-free here to make another for.
 * Late        Who may still look into an object that was given back (I2) does so by relaxed loads
 *             of atomic fields, in a function marked NTH_POOL_LATE: with the address sanitizer a
 *             pooled object is poisoned for all others. Who uses objects for something else leaves
 *             alone what such a look may read: NTH_POOL_NOT_OURS, a task's pointer to its parent.
 * Cost        take, give: a load, a compare, a load or store and a store, on lines of the thread's
 *             own. Once a batch: one lock, two lines of the level.
 * Tested by   tests/unit/pool.c, tests/unit/pool_threads.c; the lock: tests/model/mutex
 */
#ifndef NTH_MEM_POOL_H
#define NTH_MEM_POOL_H

#include <assert.h>
#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"

enum nth_pool_policy { NTH_POOL_HIER, NTH_POOL_LOCAL, NTH_POOL_CENTRAL };
/* Their names in NTH_POOL, in that order. */
extern const char *const nth_pool_policies[3];

/* 0: objects of any size, which come from elsewhere */
static const uint16_t nth_pool_bytes[] = {NTH_POOL_SIZES, 0, NTH_POOL_NANO_SIZE, 0};
enum {
  NTH_POOL_CLASSES = sizeof nth_pool_bytes / sizeof nth_pool_bytes[0],
  NTH_POOL_BIG = NTH_POOL_CLASSES - 3, /* behind the sizes: larger than the largest */
  NTH_POOL_NANO,
  NTH_POOL_STACK
};

/* A thread's own objects of one class. w, r: the pool's thread */
struct nth_pool_shelf {
  uint32_t count; /* objects here, the newest last */
  uint32_t room;  /* NTH_POOL_KEPT, or 0: nothing is kept here (policy, NTH_POOL_BIG, ended) */
  void *object[NTH_POOL_KEPT];
};

struct nth_pool {
  _Alignas(NTH_APART) struct nth_pool_shelf shelf[NTH_POOL_CLASSES];
  uint32_t domain; /* below NTH_POOL_DOMAINS */
  enum nth_pool_policy policy;
};

static_assert(NTH_POOL_KEPT >= NTH_POOL_BATCH, "a shelf that is full can send a batch away");

/* The class of objects of that many bytes, for good. */
static inline uint32_t nth_pool_class(size_t size) {
  uint32_t class = 0;
  while (class < NTH_POOL_BIG && size > nth_pool_bytes[class])
    class++;
  return class;
}

/* domain: the number of the memory domain in which the thread runs, from 0. */
void nth_pool_init(struct nth_pool *p, enum nth_pool_policy policy, uint32_t number);
/* The thread ends: what it kept goes to its domain. The pool may be used on, and keeps nothing. */
void nth_pool_end(struct nth_pool *p);

/* In a forked child: the levels are empty and their locks free. What the levels and other threads'
 * pools held is lost to the child; the pool of the thread that forked stays as it is. */
void nth_pool_forked(void);

/* The first member of everything in a pool but tasks: nobody writes it (Late). */
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

/* The shelf is empty, or full. */
void *nth_pool_take_slow(struct nth_pool *p, uint32_t class, size_t size);
bool nth_pool_give_slow(struct nth_pool *p, void *object, uint32_t class);

/* An object of the class, at a multiple of NTH_LINE, as its last user left it; NULL: no memory, or
 * no stack. size is looked at for NTH_POOL_BIG only, whose objects come with anything in them. */
static inline void *nth_pool_take(struct nth_pool *p, uint32_t class, size_t size) {
  struct nth_pool_shelf *s = &p->shelf[class];
  if (nth_unlikely(s->count == 0))
    return nth_pool_take_slow(p, class, size);
  void *object = s->object[--s->count];
  nth_pool_open(object, class);
  return object;
}

/* n of them, or as many as there is memory for; returns how many. */
uint32_t nth_pool_take_many(struct nth_pool *p, uint32_t class, uint32_t n, void **object);

/* The one that is taken next is likely to be in the cache of who gave it back: begins to get its
 * first `size` bytes. */
static inline void nth_pool_fetch_next(const struct nth_pool *p, uint32_t class, size_t size) {
  if (class == NTH_POOL_BIG || p->shelf[class].count == 0)
    return;
  const char *next = p->shelf[class].object[p->shelf[class].count - 1];
  for (size_t at = 0; at < size; at += NTH_LINE)
    nth_prefetch_own(next + at);
}

/* The object is not used any more, but see Late. False: it is a stack, of which there are enough,
 * and the caller ends it. */
static inline bool nth_pool_give(struct nth_pool *p, void *object, uint32_t class) {
  struct nth_pool_shelf *s = &p->shelf[class];
  if (nth_unlikely(s->count == s->room))
    return nth_pool_give_slow(p, object, class);
  nth_pool_shut(object, class);
  s->object[s->count++] = object;
  return true;
}

/* --- reports and checks --- */

struct nth_pool_figures {
  uint32_t slabs; /* made for the class by the process; of stacks none */
  size_t made;    /* objects in them */
  size_t idle;    /* of these in no thread's pool and not in use */
};
struct nth_pool_figures nth_pool_count(uint32_t class);

/* I1 of a pool, by its thread: objects of the class, none twice. */
bool nth_pool_valid(const struct nth_pool *p);
/* I1, I3 of all domains and the central pool. */
bool nth_pool_levels_valid(void);

#endif
