/* pool.c - pools of descriptors, one thread at a time: classes, levels, policies, no memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>
#include <sys/wait.h>

#include "runtime/mem/heap.h"
#include "runtime/mem/pool.h"

/* --- memory that can be refused; in place of mem/heap.c --- */

static int refuse_from = -1; /* the call that is refused and all after it; -1: none */

void *nth_heap_alloc(size_t size) {
  void *p = 0;
  if (refuse_from == 0)
    return 0;
  refuse_from -= refuse_from > 0;
  if (size > SIZE_MAX / 4)
    return 0;
  unit_check(posix_memalign(&p, NTH_APART, size) == 0);
  return memset(p, 0, size);
}

void *nth_heap_take(size_t size) { return nth_heap_alloc(size); }
void nth_heap_free(void *p) { free(p); }

/* --- helpers --- */

enum { MANY = 1000 };
static const enum nth_pool_policy policies[] = {NTH_POOL_HIER, NTH_POOL_LOCAL, NTH_POOL_CENTRAL};

static struct nth_pool *fresh_pool(enum nth_pool_policy policy, uint32_t domain) {
  struct nth_pool *p = nth_heap_alloc(sizeof *p);
  nth_pool_init(p, policy, domain);
  return p;
}

static void drop(struct nth_pool *p) {
  unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
  nth_pool_end(p);
  unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
  nth_heap_free(p);
}

static void *take(struct nth_pool *p, uint32_t class) {
  void *object = nth_pool_take(p, class, nth_pool_bytes[class]);
  unit_check(object && (uintptr_t)object % NTH_LINE == 0);
  return object;
}

static void take_all(struct nth_pool *p, uint32_t class, uint32_t n, void **object) {
  for (uint32_t i = 0; i < n; i++) {
    object[i] = take(p, class);
    memset(object[i], 1 + (int)(i % 100), nth_pool_bytes[class]);
  }
}

/* As many of n as there is memory for; not written to. */
static uint32_t take_many(struct nth_pool *p, uint32_t class, size_t size, uint32_t n,
                          void **object) {
  uint32_t got = 0;
  while (got < n && (object[got] = nth_pool_take(p, class, size)))
    got++;
  return got;
}

/* Nobody has written over anybody: they do not overlap. */
static void give_all(struct nth_pool *p, uint32_t class, uint32_t n, void **object) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t at = 0; at < nth_pool_bytes[class]; at += 31)
      unit_check(((char *)object[i])[at] == 1 + (char)(i % 100));
    nth_pool_give(p, object[i], class);
  }
}

/* With the address sanitizer: nobody may touch any byte of it. */
static void is_shut(void *object, uint32_t class, bool shut) {
#ifdef NTH_POOL_POISON
  for (uint32_t at = 0; at < nth_pool_bytes[class]; at++)
    unit_check(__asan_address_is_poisoned((char *)object + at) == (shut && class != NTH_POOL_NANO));
#endif
  (void)object, (void)class, (void)shut;
}

static size_t idle(uint32_t class) { return nth_pool_count(class).idle; }

/* --- classes --- */

static void classes(void) {
  for (uint32_t class = 0; class < NTH_POOL_BIG; class++) {
    unit_check(nth_pool_bytes[class] % NTH_LINE == 0);
    unit_check(class == 0 || nth_pool_bytes[class] > nth_pool_bytes[class - 1]);
    unit_check(nth_pool_class(nth_pool_bytes[class]) == class);
    unit_check(nth_pool_class(nth_pool_bytes[class] + 1u) == class + 1);
  }
  unit_check(nth_pool_class(0) == 0 && nth_pool_class(SIZE_MAX) == NTH_POOL_BIG);
  for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++)
    unit_check((nth_pool_bytes[class] == 0) == (class == NTH_POOL_BIG || class == NTH_POOL_STACK));
}

/* A thread that takes nothing needs no memory for its shelves: a new pool writes none of them. */
static void untouched(void) {
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 3);
  for (size_t i = 0; i < sizeof p->shelf; i++)
    unit_check(((const char *)p->shelf)[i] == 0);
  nth_pool_end(p);
  for (size_t i = 0; i < sizeof p->shelf; i++)
    unit_check(((const char *)p->shelf)[i] == 0);
  void *object = take(p, 0); /* ended: it keeps nothing */
  nth_pool_give(p, object, 0);
  unit_check(p->shelf[0].count == 0);
  drop(p);
}

/* The newest first, as it was left; zero the first time. */
static void lifo(void) {
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 0);
  for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++) {
    if (nth_pool_bytes[class] == 0)
      continue;
    char *a = take(p, class), *b = take(p, class);
    for (uint32_t i = 0; i < p->shelf[class].count; i++) /* never used */
      is_shut(p->shelf[class].object[i], class, true);
    for (uint32_t at = 0; at < nth_pool_bytes[class]; at++)
      unit_check(a[at] == 0 && b[at] == 0);
    memset(a, 7, nth_pool_bytes[class]);
    memset(b, 8, nth_pool_bytes[class]);
    nth_pool_give(p, a, class);
    nth_pool_give(p, b, class);
    unit_check(nth_pool_valid(p));
    unit_check(take(p, class) == b && take(p, class) == a);
    for (uint32_t at = 0; at < nth_pool_bytes[class]; at++)
      unit_check(a[at] == 7 && b[at] == 8);
    nth_pool_give(p, b, class);
    nth_pool_give(p, a, class);
  }
  drop(p);
}

static void big(void) {
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 0);
  void *object[3];
  for (size_t size = 2049; size < 1000000; size = size * 3 + 1) {
    unit_check(nth_pool_class(size) == NTH_POOL_BIG);
    char *one = nth_pool_take(p, NTH_POOL_BIG, size);
    unit_check(one && (uintptr_t)one % NTH_LINE == 0);
    memset(one, 1, size);
    unit_check(take_many(p, NTH_POOL_BIG, size, 3, object) == 3);
    memset(object[2], 1, size);
    for (int i = 0; i < 3; i++)
      nth_pool_give(p, object[i], NTH_POOL_BIG);
    nth_pool_give(p, one, NTH_POOL_BIG);
  }
  for (size_t less = 0; less < NTH_LINE; less++) {
    unit_check(nth_pool_class(SIZE_MAX - less) == NTH_POOL_BIG);
    if (less < NTH_LINE - 1)
      unit_check(!nth_pool_take(p, NTH_POOL_BIG, SIZE_MAX - less));
  }
  unit_check(take_many(p, NTH_POOL_BIG, SIZE_MAX, 3, object) == 0);
  drop(p);
}

/* --- levels --- */

/* Many objects out and back, again and again: the second time none is made. */
static void again(void) {
  static void *object[MANY];
  for (int which = 0; which < 3; which++) {
    for (uint32_t class = 0; class < NTH_POOL_CLASSES; class++) {
      if (nth_pool_bytes[class] == 0)
        continue;
      struct nth_pool *p = fresh_pool(policies[which], 3);
      take_all(p, class, MANY, object);
      give_all(p, class, MANY, object);
      struct nth_pool_figures f = nth_pool_count(class);
      unit_check(f.made >= MANY && f.made == f.slabs * (f.made / f.slabs));
      uint32_t kept = policies[which] == NTH_POOL_CENTRAL ? 0 : p->shelf[class].count;
      unit_check(kept <= NTH_POOL_KEPT && f.idle == f.made - kept);
      for (int times = 0; times < 3; times++) {
        take_all(p, class, MANY, object);
        unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
        give_all(p, class, MANY, object);
      }
      unit_check(nth_pool_count(class).slabs == f.slabs);
      drop(p);
      unit_check(idle(class) == f.made);
    }
  }
}

/* A full pool sends its oldest objects away, a batch of them, and keeps the newest. */
static void oldest_leave(void) {
  enum { N = NTH_POOL_KEPT + 1 };
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 5), *other = fresh_pool(NTH_POOL_HIER, 5);
  void *object[N];
  take_all(p, 1, N, object);
  nth_pool_end(p);
  nth_pool_init(p, NTH_POOL_HIER, 5);
  size_t before = idle(1);
  give_all(p, 1, N - 1, object);
  unit_check(p->shelf[1].count == NTH_POOL_KEPT && idle(1) == before);
  nth_pool_give(p, object[N - 1], 1);
  unit_check(p->shelf[1].count == N - NTH_POOL_HANDFUL && idle(1) == before + NTH_POOL_HANDFUL);
  for (uint32_t i = 0; i < NTH_POOL_HANDFUL;
       i++) /* a member of the domain gets them in a handful */
    unit_check(take(other, 1) == object[NTH_POOL_HANDFUL - 1 - i]);
  unit_check(idle(1) == before);
  for (uint32_t i = N; i-- > NTH_POOL_HANDFUL;)
    unit_check(take(p, 1) == object[i]);
  for (uint32_t i = 0; i < N; i++)
    nth_pool_give(p, object[i], 1);
  drop(p);
  drop(other);
}

/* A domain keeps its own up to a limit; what is beyond is for all. */
static void domains(void) {
  enum { BEYOND = 20 * NTH_POOL_HANDFUL, N = NTH_POOL_DOMAIN + NTH_POOL_KEPT + BEYOND };
  static void *object[N], *more[N];
  struct nth_pool *a = fresh_pool(NTH_POOL_HIER, 7), *b = fresh_pool(NTH_POOL_HIER, 8),
                  *c = fresh_pool(NTH_POOL_HIER, 7 + NTH_POOL_DOMAINS), *all[] = {a, b, c};
  /* nothing may be left in the central pool from the tests before */
  struct nth_pool *drain = fresh_pool(NTH_POOL_LOCAL, 0);
  static void *held[4 * MANY];
  uint32_t slabs = nth_pool_count(5).slabs, drained = 0;
  for (; nth_pool_count(5).slabs == slabs; drained++)
    held[drained] = take(drain, 5);
  unit_check(take_many(a, 5, 1, N, object) == N);
  for (uint32_t i = 0; i < N; i++)
    nth_pool_give(a, object[i], 5);
  slabs = nth_pool_count(5).slabs;
  unit_check(a->shelf[5].count == NTH_POOL_KEPT);
  /* b finds what is beyond a's domain, then makes a slab for its own; c is of a's domain */
  unit_check(take_many(b, 5, 1, BEYOND, more) == BEYOND);
  unit_check(nth_pool_count(5).slabs == slabs);
  more[BEYOND] = take(b, 5);
  unit_check(nth_pool_count(5).slabs == slabs + 1);
  unit_check(take_many(c, 5, 1, NTH_POOL_DOMAIN, &more[BEYOND + 1]) == NTH_POOL_DOMAIN);
  unit_check(nth_pool_count(5).slabs == slabs + 1);
  for (uint32_t i = 0; i <= BEYOND + NTH_POOL_DOMAIN; i++)
    nth_pool_give(all[i % 3], more[i], 5);
  for (uint32_t i = 0; i < drained; i++)
    nth_pool_give(drain, held[i], 5);
  drop(drain);
  for (int i = 0; i < 3; i++)
    drop(all[i]);
  unit_check(idle(5) == nth_pool_count(5).made);
}

/* One pool for all policies: what one gives the others find. */
static void policies_share(void) {
  static void *object[MANY];
  struct nth_pool *p[3];
  for (int i = 0; i < 3; i++)
    p[i] = fresh_pool(policies[i], 0);
  take_all(p[NTH_POOL_HIER], 2, MANY, object);
  uint32_t slabs = nth_pool_count(2).slabs;
  give_all(p[NTH_POOL_CENTRAL], 2, MANY, object);
  take_all(p[NTH_POOL_LOCAL], 2, MANY / 2, object);
  take_all(p[NTH_POOL_HIER], 2, MANY / 2, object + MANY / 2);
  unit_check(nth_pool_count(2).slabs == slabs);
  give_all(p[NTH_POOL_LOCAL], 2, MANY / 2, object);
  give_all(p[NTH_POOL_CENTRAL], 2, MANY / 2, object + MANY / 2);
  for (int i = 0; i < 3; i++)
    drop(p[i]);
}

/* --- kinds --- */

/* One thread gives a pool's worth of objects and a half; who finds which. */
struct finds {
  bool at_once;         /* the first one by itself: another thread of the domain has it next */
  uint32_t far, domain; /* of all: a thread of another domain, then one of the same */
};

static struct finds who_finds(enum nth_pool_policy policy, uint32_t class) {
  enum { N = 3 * NTH_POOL_KEPT / 2 };
  static _Alignas(NTH_APART) char stack[N][NTH_APART]; /* of a stack its address alone is looked
                                                        * at */
  void *object[N], *all[2 * N];
  struct nth_pool *a = fresh_pool(policy, 1), *near = fresh_pool(policy, 1),
                  *far = fresh_pool(policy, 2);
  struct finds finds = {0};
  for (uint32_t i = 0; i < N; i++)
    object[i] = class == NTH_POOL_STACK ? stack[i] : take(a, class);
  unit_check(a->shelf[class].count == 0);
  unit_check(nth_pool_give(a, object[0], class));
  finds.at_once = nth_pool_take(near, class, 0) == object[0];
  for (uint32_t i = finds.at_once ? 0 : 1; i < N; i++)
    unit_check(nth_pool_give(a, object[i], class));
  uint32_t n = nth_pool_take_many(far, class, N, all),
           m = nth_pool_take_many(near, class, N, all + n);
  for (uint32_t i = 0; i < n + m; i++)
    for (uint32_t j = 0; j < N; j++)
      *(i < n ? &finds.far : &finds.domain) += all[i] == object[j];
  return finds;
}

/* NTH_POOL means the same for each kind: a task's descriptor, a nano-thread's, a stack. In a child,
 * where the levels are empty. */
static void kinds(void) {
  enum { ALL = 3 * NTH_POOL_KEPT / 2, NOT_KEPT = ALL - NTH_POOL_KEPT };
  static const struct finds due[] = {[NTH_POOL_CENTRAL] = {true, ALL, 0},
                                     [NTH_POOL_LOCAL] = {false, NOT_KEPT, 0},
                                     [NTH_POOL_HIER] = {false, 0, NOT_KEPT}};
  static const uint32_t kind[] = {0, NTH_POOL_NANO, NTH_POOL_STACK};
  for (int i = 0; i < 9; i++) {
    enum nth_pool_policy policy = policies[i % 3];
    pid_t child = fork();
    if (child == 0) {
      nth_pool_forked();
      struct finds finds = who_finds(policy, kind[i / 3]);
      unit_check(finds.at_once == due[policy].at_once);
      unit_check(finds.far == due[policy].far && finds.domain == due[policy].domain);
      _exit(7);
    }
    int status;
    unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
               WEXITSTATUS(status) == 7);
  }
}

/* There is none until one is given; those for which there is no room stay with who wants to give
 * them. */
static void stacks(void) {
  enum { N = NTH_POOL_KEPT + 2 * NTH_STACKS_COMMON };
  static _Alignas(NTH_APART) char made[N + 1][NTH_APART];
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 3), *ended = nth_heap_alloc(sizeof *ended);
  void *none[1];
  unit_check(!nth_pool_take(p, NTH_POOL_STACK, 0) &&
             nth_pool_take_many(p, NTH_POOL_STACK, 1, none) == 0);
  for (int i = 0; i < N; i++)
    unit_check(nth_pool_give(p, made[i], NTH_POOL_STACK));
  for (int i = 0; i < 3; i++)
    unit_check(!nth_pool_give(p, made[N], NTH_POOL_STACK));
  unit_check(nth_pool_count(NTH_POOL_STACK).idle == 2 * NTH_STACKS_COMMON && nth_pool_valid(p));
  unit_check(nth_pool_give(ended, made[N], NTH_POOL_STACK)); /* in another domain there is room */
  for (int i = 0; i < N; i++)
    unit_check(nth_pool_take(p, NTH_POOL_STACK, 0));
  unit_check(!nth_pool_take(p, NTH_POOL_STACK, 0));
  unit_check(nth_pool_take(ended, NTH_POOL_STACK, 0) == made[N]);
  drop(p);
  drop(ended);
}

/* --- many at once --- */

static void many(void) {
  static void *object[MANY], *sorted[MANY];
  for (int which = 0; which < 3; which++) {
    struct nth_pool *p = fresh_pool(policies[which], 4);
    unit_check(take_many(p, 0, 1, 0, object) == 0);
    for (uint32_t n = 1; n < MANY; n = n * 2 + 1) {
      unit_check(take_many(p, 0, 100, n, object) == n);
      for (uint32_t i = 0; i < n; i++) {
        memset(object[i], 1 + (int)(i % 100), nth_pool_bytes[0]);
        sorted[i] = object[i];
      }
      unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
      give_all(p, 0, n, object);
    }
    if (policies[which] != NTH_POOL_CENTRAL) { /* the own ones first, none from elsewhere */
      uint32_t own = p->shelf[0].count;
      memcpy(sorted, p->shelf[0].object, own * sizeof(void *));
      size_t before = idle(0);
      unit_check(take_many(p, 0, 1, own, object) == own && idle(0) == before);
      unit_check(p->shelf[0].count == 0);
      for (uint32_t i = 0; i < own; i++) {
        unit_check(object[i] == sorted[own - 1 - i]);
        nth_pool_give(p, object[i], 0);
      }
    }
    drop(p);
  }
}

/* --- no memory --- */

/* NULL, or fewer; what is there goes back, and all is well when there is memory again. In a domain
 * of its own each time, which has no memory for its array either: all go to the central pool. */
static void refused_one(struct nth_pool *p, uint32_t class) {
  static void *object[8 * MANY];
  struct nth_pool_figures f = nth_pool_count(class);
  uint32_t n = 0;
  refuse_from = 0;
  while ((object[n] = nth_pool_take(p, class, 1)))
    memset(object[n], 1 + (int)(n % 100), nth_pool_bytes[class]), n++;
  unit_check(!nth_pool_take(p, class, 1) && nth_pool_valid(p));
  unit_check(take_many(p, class, 1, 5, object + n) == 0);
  give_all(p, class, n, object);
  unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
  unit_check(nth_pool_count(class).slabs == f.slabs);
  unit_check(idle(class) + p->shelf[class].count == f.made);
  for (int from = 1; from < 9; from++) { /* now a slab is refused, now the room for its pointers */
    refuse_from = from;
    n = take_many(p, class, 1, 8 * MANY, object);
    f = nth_pool_count(class);
    unit_check(n < 8 * MANY && nth_pool_levels_valid());
    unit_check(n + idle(class) == f.made);
    refuse_from = 0; /* to give needs no memory */
    for (uint32_t i = 0; i < n; i++)
      nth_pool_give(p, object[i], class);
    unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
    unit_check(idle(class) + p->shelf[class].count == f.made);
    refuse_from = -1;
  }
}

static void refused(void) {
  for (uint32_t which = 0; which < 3; which++) {
    struct nth_pool *p = fresh_pool(policies[which], 9 + which);
    uint32_t class = 3 + which;
    refused_one(p, class);
    drop(p);
    unit_check(idle(class) == nth_pool_count(class).made);
  }
}

/* --- ends --- */

/* An ended pool and a zeroed one keep nothing. */
static void ended(void) {
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 0), *zero = nth_heap_alloc(sizeof *zero);
  for (int i = 0; i < 2; i++) {
    struct nth_pool *q = i ? zero : p;
    void *object = take(p, 0);
    nth_pool_end(q);
    size_t before = idle(0);
    nth_pool_give(q, object, 0);
    unit_check(idle(0) == before + 1 && take(q, 0) == object && idle(0) == before);
    nth_pool_give(q, object, 0);
    unit_check(nth_pool_valid(q));
    if (q == p)
      nth_pool_init(p, NTH_POOL_LOCAL, 0);
  }
  drop(p);
  drop(zero);
}

/* The child's levels are empty; what the thread itself has is there, and can be given back. */
static void forked(void) {
  static void *object[MANY];
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 0);
  take_all(p, 4, MANY, object);
  uint32_t own = p->shelf[4].count;
  pid_t child = fork();
  if (child == 0) {
    nth_pool_forked();
    unit_check(idle(4) == 0 && p->shelf[4].count == own && nth_pool_valid(p));
    give_all(p, 4, MANY, object);
    unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
    unit_check(idle(4) + p->shelf[4].count == MANY + own);
    take_all(p, 4, MANY, object);
    unit_check(take_many(p, 4, 1, MANY, object) == MANY);
    unit_check(nth_pool_valid(p) && nth_pool_levels_valid());
    _exit(7);
  }
  int status;
  unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  give_all(p, 4, MANY, object);
  drop(p);
}

/* --- checks --- */

/* _valid() says no to what must not be. */
static void invalid(void) {
  struct nth_pool *p = fresh_pool(NTH_POOL_HIER, 0);
  char *a = take(p, 0), *b = take(p, 1);
  uint32_t count = p->shelf[0].count;
  struct nth_pool good = *p;
  p->shelf[0].object[p->shelf[0].count++] = a;
  unit_check(nth_pool_valid(p));
  p->shelf[0].object[p->shelf[0].count++] = a; /* twice */
  unit_check(!nth_pool_valid(p));
  void *const wrong[] = {b, a + NTH_LINE, p, a - 1}; /* another class, a part, no object */
  for (int i = 0; i < 4; i++) {
    *p = good;
    p->shelf[0].object[count] = wrong[i];
    p->shelf[0].count++;
    unit_check(!nth_pool_valid(p));
  }
  *p = good;
  p->shelf[NTH_POOL_BIG].count = 1;
  unit_check(!nth_pool_valid(p));
  *p = good;
  p->shelf[2].room = 0;
  p->shelf[2].count = 1; /* more than there is room for */
  unit_check(!nth_pool_valid(p));
  *p = good;
  p->domain = NTH_POOL_DOMAINS;
  unit_check(!nth_pool_valid(p));
  *p = good;
  nth_pool_give(p, a, 0);
  nth_pool_give(p, b, 1);
  drop(p);
}

/* What a late reader does. */
NTH_POOL_LATE static uint32_t look(_Atomic(uint32_t) *field) { return nth_load_rlx(field); }

static void late(void) {
  for (int which = 0; which < 3; which++) {
    struct nth_pool *p = fresh_pool(policies[which], 0);
    _Atomic(uint32_t) *field = take(p, 0);
    nth_store_rlx(field, 42);
    nth_pool_give(p, field, 0);
    unit_check(look(field) == 42);
    is_shut(field, 0, true);
    unit_check(take(p, 0) == field);
    is_shut(field, 0, false);
    nth_pool_give(p, field, 0);
    drop(p);
  }
}

int main(void) {
  unit_begin();
  unit_run(classes);
  unit_run(untouched);
  unit_run(lifo);
  unit_run(again);
  unit_run(big);
  unit_run(oldest_leave);
  unit_run(domains);
  unit_run(policies_share);
  unit_run(kinds);
  unit_run(stacks);
  unit_run(many);
  unit_run(refused);
  unit_run(ended);
  unit_run(forked);
  unit_run(invalid);
  unit_run(late);
  return 0;
}
