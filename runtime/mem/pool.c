/* pool.c - the levels behind a thread's own pool: domains, central pool, slabs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/mem/pool.h"

#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/struct/mutex.h"

const char *const nth_pool_policies[3] = {"hier", "local", "central"};

/* Objects of one class that no thread has. w, r: under the lock */
struct level {
  _Alignas(NTH_APART) struct nth_mutex lock;
  _Atomic(uint32_t) count; /* of the array; r: all, to see whether the lock is worth taking */
  uint32_t capacity;
  void **object;     /* the newest last */
  char *fresh, *end; /* what is left of the level's newest slab */
};

/* The head of a slab. NTH_APART bytes, so that objects of 256 bytes and more are apart, too. */
struct slab {
  _Alignas(NTH_APART) struct slab *older;
};

static struct level central[NTH_POOL_CLASSES] NTH_SPARSE;
static struct level domain[NTH_POOL_DOMAINS][NTH_POOL_CLASSES] NTH_SPARSE;

static struct {
  struct slab *newest;
  const struct slab *inherited; /* the newest one at a fork: the chain from there on may be torn */
  uint32_t count;
} slabs[NTH_POOL_CLASSES]; /* w, r: under the class's central lock */

/* Some level has been in use: until then nobody touches their pages. w: who is about to lock one */
static _Atomic(bool) entered;

static uint32_t per_slab(uint32_t class) {
  uint32_t bytes = nth_pool_bytes[class];
  return bytes ? (NTH_POOL_SLAB - (uint32_t)sizeof(struct slab)) / bytes : 0;
}

/* --- levels --- */

/* How many objects a level keeps. Of the central one: under its lock. */
static uint32_t limit(const struct level *l, uint32_t class) {
  if (class == NTH_POOL_STACK)
    return NTH_STACKS_COMMON;
  if (l == &central[class])
    return slabs[class].count * per_slab(class);
  return class == NTH_POOL_NANO ? NTH_POOL_DOMAIN_NANO : NTH_POOL_DOMAIN;
}

static void lock(struct level *l) {
  if (nth_unlikely(!nth_load_rlx(&entered)))
    nth_store_rlx(&entered, true);
  nth_mutex_lock_soon(&l->lock);
}

static void unlock(struct level *l) { nth_mutex_unlock(&l->lock); }

/* Makes room for `capacity` objects; at least doubles, so that each pointer is copied a few times
 * only. */
static bool widen(struct level *l, uint32_t capacity) {
  if (capacity <= l->capacity)
    return true;
  if (capacity < 2 * l->capacity)
    capacity = 2 * l->capacity;
  nth_assert(nth_mutex_is_held(&l->lock) && nth_load_rlx(&l->count) <= l->capacity);
  void **more = nth_heap_alloc(capacity * sizeof *more);
  if (!more)
    return false;
  if (l->capacity)
    memcpy(more, l->object, nth_load_rlx(&l->count) * sizeof *more);
  nth_heap_free(l->object);
  l->object = more;
  l->capacity = capacity;
  return true;
}

/* Adds a slab to the list of slabs, and makes room for its objects (I3). Under the central lock. */
static bool enter(struct slab *s, uint32_t class) {
  nth_assert(nth_mutex_is_held(&central[class].lock) && nth_pool_bytes[class] != 0);
  if (!widen(&central[class], (slabs[class].count + 1) * per_slab(class)))
    return false;
  s->older = slabs[class].newest;
  slabs[class].newest = s;
  slabs[class].count++;
  return true;
}

/* Makes a slab. Under the level's lock, so members of the domain that want a slab too wait for this
 * one. */
static bool make_slab(struct level *l, uint32_t class) {
  struct level *c = &central[class];
  nth_assert(nth_mutex_is_held(&l->lock) && l->fresh == l->end);
  struct slab *s = nth_heap_alloc(NTH_POOL_SLAB);
  if (!s)
    return false;
  if (l != c)
    lock(c);
  bool good = enter(s, class);
  if (l != c)
    unlock(c);
  if (!good) {
    nth_heap_free(s);
    return false;
  }
  l->fresh = (char *)(s + 1);
  l->end = l->fresh + (size_t)per_slab(class) * nth_pool_bytes[class];
  for (char *object = l->fresh; object != l->end; object += nth_pool_bytes[class])
    nth_pool_shut(object, class);
  return true;
}

/* Takes up to n objects out of a level. carve: those that are missing come from a slab. */
static uint32_t draw(struct level *l, uint32_t class, uint32_t n, void **object, bool carve) {
  lock(l);
  uint32_t count = nth_load_rlx(&l->count), got = count < n ? count : n;
  nth_assert(n > 0 && count <= l->capacity);
  if (got) {
    memcpy(object, l->object + count - got, got * sizeof *object);
    nth_store_rlx(&l->count, count - got);
  }
  while (carve && got < n && (l->fresh != l->end || make_slab(l, class))) {
    object[got++] = l->fresh;
    l->fresh += nth_pool_bytes[class];
  }
  unlock(l);
  return got;
}

/* Puts up to n objects into a level; returns how many it has room for. */
static uint32_t put(struct level *l, uint32_t class, uint32_t n, void *const *object) {
  lock(l);
  uint32_t count = nth_load_rlx(&l->count);
  nth_assert(n > 0 && count <= l->capacity);
  if (n > l->capacity - count) /* the first objects of a domain, or stacks, or in a forked child */
    widen(l, limit(l, class));
  uint32_t room = l->capacity - count, fit = n < room ? n : room;
  if (fit) {
    memcpy(l->object + count, object, fit * sizeof *object);
    nth_store_rlx(&l->count, count + fit);
  }
  unlock(l);
  return fit;
}

/* --- a whole handful, the usual case, without a call --- */

/* The level where a pool's thread looks first. */
static inline struct level *nearest(const struct nth_pool *p, uint32_t class) {
  return p->policy == NTH_POOL_HIER ? &domain[p->domain][class] : &central[class];
}

static inline bool draw_handful(struct level *l, void **object) {
  if (nth_load_rlx(&l->count) < NTH_POOL_HANDFUL)
    return false;
  lock(l);
  uint32_t count = nth_load_rlx(&l->count);
  bool enough = count >= NTH_POOL_HANDFUL;
  nth_assert(count <= l->capacity);
  if (enough) {
    memcpy(object, l->object + count - NTH_POOL_HANDFUL, NTH_POOL_HANDFUL * sizeof *object);
    nth_store_rlx(&l->count, count - NTH_POOL_HANDFUL);
  }
  unlock(l);
  return enough;
}

static inline bool put_handful(struct level *l, uint32_t class, void *const *object) {
  if (l != &central[class] && nth_load_rlx(&l->count) == limit(l, class))
    return false;
  lock(l);
  uint32_t count = nth_load_rlx(&l->count);
  nth_assert(count <= l->capacity);
  bool fits = l->capacity - count >= NTH_POOL_HANDFUL;
  if (fits) {
    memcpy(l->object + count, object, NTH_POOL_HANDFUL * sizeof *object);
    nth_store_rlx(&l->count, count + NTH_POOL_HANDFUL);
  }
  unlock(l);
  return fits;
}

/* --- the way up and down --- */

static uint32_t gather(struct nth_pool *p, uint32_t class, uint32_t n, void **object) {
  struct level *d = p->policy == NTH_POOL_HIER ? &domain[p->domain][class] : 0,
               *c = &central[class];
  bool carve = nth_pool_bytes[class] != 0;
  uint32_t got = 0;
  if (d && nth_load_rlx(&d->count) != 0)
    got = draw(d, class, n, object, false);
  if (got < n && (nth_load_rlx(&c->count) != 0 || (carve && !d)))
    got += draw(c, class, n - got, object + got, carve && !d);
  if (got < n && carve && d)
    got += draw(d, class, n - got, object + got, true);
  return got;
}

/* Puts up to n objects into the levels. Returns for how many there was room. */
static uint32_t scatter(struct nth_pool *p, uint32_t class, uint32_t n, void *const *object) {
  struct level *d = p->policy == NTH_POOL_HIER ? &domain[p->domain][class] : 0;
  uint32_t gone = 0;
  if (d && nth_load_rlx(&d->count) != limit(d, class))
    gone = put(d, class, n, object);
  if (gone < n)
    gone += put(&central[class], class, n - gone, object + gone);
  return gone;
}

/* Whether the shelf keeps objects. It gets its room when it is first asked for something. */
static bool keeps(const struct nth_pool *p, struct nth_pool_shelf *s) {
  if (s->room == 0 && p->keeps)
    s->room = NTH_POOL_KEPT;
  return s->room != 0;
}

void *nth_pool_take_slow(struct nth_pool *p, uint32_t class, size_t size) {
  struct nth_pool_shelf *s = &p->shelf[class];
  void *object;
  if (class == NTH_POOL_BIG)
    return nth_heap_take(size);
  nth_assert(class < NTH_POOL_CLASSES && s->count == 0 && size <= nth_pool_bytes[class]);
  if (keeps(p, s)) {
    bool whole = draw_handful(nearest(p, class), s->object);
    s->count = nth_likely(whole) ? NTH_POOL_HANDFUL : gather(p, class, NTH_POOL_HANDFUL, s->object);
    nth_assert_valid(nth_pool_valid(p));
    if (s->count == 0)
      return 0;
    if (class == NTH_POOL_NANO)
      for (uint32_t i = 0; i < s->count; i++)
        nth_prefetch_own(s->object[i]);
    object = s->object[--s->count];
  } else if (!gather(p, class, 1, &object)) {
    return 0;
  }
  nth_pool_open(object, class);
  return object;
}

uint32_t nth_pool_take_many(struct nth_pool *p, uint32_t class, uint32_t n, void **object) {
  struct nth_pool_shelf *s = &p->shelf[class];
  uint32_t got = 0;
  nth_assert(nth_pool_is_sound(p, class) && n > 0);
  do {
    uint32_t some = s->count < n - got ? s->count : n - got;
    if (some) { /* a pool that keeps nothing may be shared: do not write */
      s->count -= some;
      memcpy(object + got, s->object + s->count, some * sizeof *object);
      got += some;
    }
    if (got < n && keeps(p, s) && draw_handful(nearest(p, class), s->object))
      s->count = NTH_POOL_HANDFUL;
  } while (s->count != 0 && got < n);
  if (got < n)
    got += gather(p, class, n - got, object + got);
  for (uint32_t i = 0; i < got; i++) {
    nth_pool_open(object[i], class);
    nth_prefetch_own(object[i]);
  }
  nth_assert(got <= n && nth_pool_is_sound(p, class));
  return got;
}

bool nth_pool_give_slow(struct nth_pool *p, void *object, uint32_t class) {
  struct nth_pool_shelf *s = &p->shelf[class];
  if (class == NTH_POOL_BIG) {
    nth_heap_free(object);
    return true;
  }
  nth_assert(class < NTH_POOL_CLASSES && (uintptr_t)object % NTH_LINE == 0);
  nth_pool_shut(object, class);
  if (!keeps(p, s))
    return scatter(p, class, 1, &object) == 1;
  nth_assert_valid(nth_pool_valid(p));
  if (s->count < s->room) {
    s->object[s->count++] = object;
    return true;
  }
  uint32_t gone = NTH_POOL_HANDFUL; /* the oldest */
  if (nth_likely(put_handful(nearest(p, class), class, s->object)))
    memmove(s->object, s->object + NTH_POOL_HANDFUL,
            (NTH_POOL_KEPT - NTH_POOL_HANDFUL) * sizeof object);
  else if ((gone = scatter(p, class, NTH_POOL_HANDFUL, s->object)) != 0)
    memmove(s->object, s->object + gone, (NTH_POOL_KEPT - gone) * sizeof object);
  else
    return false;
  s->count -= gone;
  s->object[s->count++] = object;
  nth_assert_valid(nth_pool_valid(p));
  return true;
}

/* --- begin and end --- */

void nth_pool_init(struct nth_pool *p, enum nth_pool_policy policy, uint32_t number) {
  nth_assert(policy <= NTH_POOL_CENTRAL && p->shelf[0].count == 0 && p->shelf[0].room == 0);
  p->policy = policy;
  p->domain = number % NTH_POOL_DOMAINS;
  p->keeps = policy != NTH_POOL_CENTRAL;
}

void nth_pool_end(struct nth_pool *p) {
  nth_assert_valid(nth_pool_valid(p));
  for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++) {
    struct nth_pool_shelf *s = &p->shelf[class];
    if (s->count)
      scatter(p, class, s->count, s->object);
    if (s->room)
      s->count = s->room = 0;
  }
  p->keeps = false;
}

/* A thread that does not exist here may have been in the middle of a change. fork() copies page
 * after page, so even a free lock says nothing of the rest. So nothing of the levels is used
 * again. */
NTH_IN_CHILD void nth_pool_forked(void) {
  if (!nth_load_rlx(&entered))
    return;
  memset(central, 0, sizeof central);
  memset(domain, 0, sizeof domain);
  for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++)
    slabs[class].inherited = slabs[class].newest;
  nth_store_rlx(&entered, false);
}

/* --- reports and checks --- */

static size_t idle(struct level *l, uint32_t class) {
  lock(l);
  size_t n = nth_load_rlx(&l->count);
  if (l->fresh != l->end)
    n += (size_t)(l->end - l->fresh) / nth_pool_bytes[class];
  unlock(l);
  return n;
}

struct nth_pool_figures nth_pool_count(uint32_t class) {
  struct nth_pool_figures f;
  lock(&central[class]);
  f.slabs = slabs[class].count;
  unlock(&central[class]);
  f.made = (size_t)f.slabs * per_slab(class);
  f.idle = idle(&central[class], class);
  for (uint32_t d = 0; d < NTH_POOL_DOMAINS; d++)
    f.idle += idle(&domain[d][class], class);
  return f;
}

/* Slabs of a class that a check looks at, at most: one for each object would take as long as the
 * program has made objects. */
enum { CHECKED = 64 };

/* Whether it is an object of the class. It may be in a slab older than the CHECKED newest ones, and
 * in a forked child in one of the parent's; of stacks nothing is known. Under the central lock. */
static bool is_of(const void *object, uint32_t class) {
  if (class == NTH_POOL_STACK)
    return object != 0;
  const struct slab *s = slabs[class].newest, *last = slabs[class].inherited;
  for (uint32_t i = 0; s != last; s = s->older) {
    if (i++ == CHECKED)
      return true;
    uintptr_t offset = (uintptr_t)object - (uintptr_t)(s + 1);
    if (offset < (uintptr_t)per_slab(class) * nth_pool_bytes[class])
      return offset % nth_pool_bytes[class] == 0;
  }
  return last != 0;
}

static bool shelf_valid(const struct nth_pool_shelf *s, uint32_t class) {
  if (s->count > s->room || s->room > NTH_POOL_KEPT)
    return false;
  for (uint32_t i = 0; i < s->count; i++) {
    if (!is_of(s->object[i], class))
      return false;
    for (uint32_t j = 0; j < i; j++)
      if (s->object[i] == s->object[j])
        return false;
  }
  return true;
}

bool nth_pool_valid(const struct nth_pool *p) {
  bool good = p->shelf[NTH_POOL_BIG].count == 0 && p->shelf[NTH_POOL_BIG].room == 0;
  for (uint32_t class = 0; class < NTH_POOL_CLASSES && good; class++) {
    lock(&central[class]);
    good = shelf_valid(&p->shelf[class], class);
    unlock(&central[class]);
  }
  return good && p->domain < NTH_POOL_DOMAINS;
}

static bool level_valid(struct level *l, uint32_t class) {
  struct level *c = &central[class];
  lock(l);
  if (l != c)
    lock(c);
  uint32_t count = nth_load_rlx(&l->count);
  bool good = count <= l->capacity;
  for (uint32_t i = 0; i < count && good; i++)
    good = is_of(l->object[i], class);
  for (char *fresh = l->fresh; fresh != l->end && good; fresh += nth_pool_bytes[class])
    good = is_of(fresh, class);
  if (l != c)
    unlock(c);
  unlock(l);
  return good;
}

bool nth_pool_levels_valid(void) {
  bool good = true;
  for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++) {
    struct nth_pool_figures f = nth_pool_count(class);
    good = good && level_valid(&central[class], class);
    for (uint32_t d = 0; d < NTH_POOL_DOMAINS; d++)
      good = good && level_valid(&domain[d][class], class);
    good = good && (f.idle <= f.made || class == NTH_POOL_STACK);
  }
  return good;
}
