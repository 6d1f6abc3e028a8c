/* fresh.h - makes an OS thread that has run a created thread as good as new
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The next created thread must find initial thread_local variables, no thread-specific
 *             data, errno 0 and what a new thread inherits from its creator.
 * How         Before each created thread the thread-local storage of all objects gets its initial
 *             values: the loader tells where they are and where the thread's own copies lie. The
 *             storage of the C library, of the loader, of sanitizers and of this library stays; of
 *             it only errno and the locale are the program's.
 * Ends        Destructors of thread_local objects, and of thread-specific data, run when an OS
 *             thread ends, in an order that only the C library knows. So where an object can have
 *             registered the first (its imports tell), or there is a value of the second, the OS
 *             thread ends. Its joiner waits for that end, so destructors have run when it goes on.
 *             Data that a thread has from its birth on does not count: tools that wrap
 *             pthread_create() give it some. The OS thread also ends when it has
 *             changed what traits.h reads.
 * Use         nth_fresh_look() and nth_fresh_given() by a creator; nth_fresh_begin() when an OS
 *             thread starts to be held; before each created thread nth_fresh_start(), after it
 *             nth_fresh_again(); _end(). All but the first two by the OS thread itself
 * Ownership   struct nth_fresh: its OS thread's own
 * Cost        the size of that storage, and about 50 ns; thread-specific data is looked for only
 *             where the program can have any: 1 to 2 us
 * Tested by   tests/lit/tholder/fresh.c, fresh.cpp
 */
#ifndef NTH_SCHED_FRESH_H
#define NTH_SCHED_FRESH_H

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/base/objects.h"
#include "runtime/sched/hold/traits.h"

/* An object's thread-local storage in this thread. */
struct nth_fresh_block {
  void *at; /* NULL: the thread has none yet */
  const void *initial;
  size_t initial_bytes, bytes;
};

struct nth_fresh {
  struct nth_objects_changes seen; /* when the blocks were found */
  struct nth_fresh_block *block;   /* [blocks]; NULL: none */
  uint32_t blocks, capacity;
  uint32_t born[NTH_HOLD_BORN]; /* keys for which the thread had data when it began, + 1; 0: none */
  bool lacking;                 /* a block is not there yet, or there was no memory for the list */
  const void *member;           /* what the runtime itself keeps as thread-specific data: does not
                                 * count; NULL: nothing */
  struct nth_traits traits;     /* with which it can run created threads */
};

/* Finds out what the objects that are loaded now can change; returns NTH_TRAIT_ bits. Where no walk
 * can be made (objects.h) it is NEVER, and each created thread gets an OS thread of its own. */
uint32_t nth_fresh_look(void);
/* Whether a sanitizer is in the process: it takes a thread pointer for an OS thread. */
bool nth_fresh_sanitized(void);

/* What the calling thread gives to a thread that it creates, as far as `which` tells. */
struct nth_traits_given nth_fresh_given(uint32_t which);

/* The calling thread begins to be held. It runs more than one created thread if it has these
 * traits. */
void nth_fresh_begin(struct nth_fresh *f, const struct nth_traits *t);
/* Makes the calling thread as new for a created thread that is given this. */
void nth_fresh_start(struct nth_fresh *f, const struct nth_traits_given *g);
/* Whether the thread can run another created thread, as far as `which`, from nth_fresh_look(),
 * tells. */
bool nth_fresh_again(struct nth_fresh *f, uint32_t which);
void nth_fresh_end(struct nth_fresh *f);

#endif
