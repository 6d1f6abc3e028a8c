/* pool_threads.c - pools of descriptors under real threads: one makes, another gives back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All fields of an object are plain memory here: the thread sanitizer sees whether the levels'
 * locks order one life of an object with the next one.
 */
#include "tests/unit/unit.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/base/clock.h"
#include "runtime/mem/heap.h"
#include "runtime/mem/pool.h"

#if defined(__SANITIZE_THREAD__) || defined(NTH_POOL_POISON) || NTH_CHECK > 1
enum { SLOWER = 10 };
#else
enum { SLOWER = 1 };
#endif

static const enum nth_pool_policy policies[] = {NTH_POOL_HIER, NTH_POOL_LOCAL, NTH_POOL_CENTRAL};
static enum nth_pool_policy policy;
static bool apart; /* each thread in a domain of its own */

struct object {
  uint64_t serial; /* nobody's while it is in a pool: 0 */
  uint32_t class, maker;
};

static void fill(struct object *o, uint32_t class, uint32_t maker, uint64_t serial) {
  unit_check(o->serial == 0);
  *o = (struct object){serial, class, maker};
}

static void give(struct nth_pool *p, struct object *o) {
  unit_check(o->serial != 0);
  o->serial = 0;
  nth_pool_give(p, o, o->class);
}

/* Everything that was made is in the domains and the central pool. */
static void all_back(uint32_t class) {
  struct nth_pool_figures f = nth_pool_count(class);
  unit_check(f.idle == f.made && nth_pool_levels_valid());
}

/* --- one takes, another gives --- */

/* On a CPU that others want, too, each turn costs slices: there are as many objects as time
 * allows. */
enum { AHEAD = 256, OBJECTS = 1000000 / SLOWER, MOST_MS = 1500 };
static struct object *ring[AHEAD];
static _Alignas(NTH_APART) _Atomic(uint32_t) sent;
static _Alignas(NTH_APART) _Atomic(uint32_t) received;
static _Atomic(uint32_t) total; /* known when the producer ends */

static void produce(struct nth_pool *p) {
  uint64_t end = nth_clock_ns() + MOST_MS * UINT64_C(1000000);
  uint32_t i = 0;
  for (; i < OBJECTS && (i % AHEAD != 0 || nth_clock_ns() < end); i++) {
    struct object *o = nth_pool_take(p, 0, sizeof *o);
    unit_check(o != 0);
    fill(o, 0, 1, i + 1);
    while (i - nth_load_acq(&received) >= AHEAD)
      sched_yield();
    ring[i % AHEAD] = o;
    nth_store_rel(&sent, i + 1);
  }
  nth_store_rel(&total, i);
}

static void consume(struct nth_pool *p) {
  for (uint32_t i = 0;; i++) {
    while (nth_load_acq(&sent) == i) {
      if (nth_load_acq(&total) == i)
        return;
      sched_yield();
    }
    struct object *o = ring[i % AHEAD];
    unit_check(o->serial == i + 1);
    nth_store_rel(&received, i + 1);
    give(p, o);
  }
}

static void producer_consumer(unsigned me) {
  struct nth_pool *p = nth_heap_need(sizeof *p);
  nth_pool_init(p, policy, apart ? me : 0);
  (me == 0 ? produce : consume)(p);
  unit_check(nth_pool_valid(p));
  nth_pool_end(p);
  nth_heap_free(p);
}

/* In two domains what the consumer's is too full for goes through the central pool. */
static void bounded(void) {
  for (int which = 0; which < 4; which++) {
    policy = policies[which % 3];
    apart = which == 3;
    nth_store_rlx(&sent, 0);
    nth_store_rlx(&received, 0);
    nth_store_rlx(&total, UINT32_MAX);
    unit_threads(2, producer_consumer);
    struct nth_pool_figures f = nth_pool_count(0);
    printf("  %s: %u slabs, %zu objects\n", nth_pool_policies[policy], f.slabs, f.made);
    uint32_t most = AHEAD + 2 * NTH_POOL_KEPT + (apart ? NTH_POOL_DOMAIN : 0);
    unit_check(f.made <= most + 2 * f.made / f.slabs);
    all_back(0);
  }
}

/* --- all to all; threads come and go --- */

enum { MEMBERS = 6, BOXES = 32, STEPS = 30000 / SLOWER, LIVES = 3, FEW = 20 };
static _Atomic(uintptr_t) box[BOXES]; /* an object that waits for somebody to give it back */

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Puts an object into a box, and gives back what was there. */
static void pass_on(struct nth_pool *p, struct object *o, uint64_t random) {
  o = (struct object *)nth_xchg_acqrel(&box[random % BOXES], (uintptr_t)o);
  if (o)
    give(p, o);
}

static void member(unsigned me) {
  uint64_t state = me;
  for (int life = 0; life < LIVES; life++) {
    struct nth_pool *p = nth_heap_need(sizeof *p);
    void *few[FEW];
    nth_pool_init(p, policy, me % 3);
    for (uint32_t step = 1; step <= STEPS / LIVES; step++) {
      uint64_t random = next_random(&state);
      uint32_t class = random >> 8 & 1, n = (random >> 16 & 31) == 0 ? FEW : 1;
      for (uint32_t i = 0; i < n; i++) {
        few[i] = nth_pool_take(p, class, sizeof(struct object));
        unit_check(few[i] != 0);
        fill(few[i], class, me, step);
      }
      for (uint32_t i = 0; i < n; i++)
        pass_on(p, few[i], next_random(&state));
    }
    unit_check(nth_pool_valid(p));
    nth_pool_end(p);
    nth_heap_free(p);
  }
}

static void all_to_all(void) {
  for (int which = 0; which < 3; which++) {
    policy = policies[which];
    unit_threads(MEMBERS, member);
    struct nth_pool p = {0};
    nth_pool_init(&p, policy, 0);
    for (int i = 0; i < BOXES; i++)
      pass_on(&p, 0, (uint64_t)i);
    nth_pool_end(&p);
    all_back(0);
    all_back(1);
  }
}

/* --- fork while others hold locks --- */

/* gcc 12's address sanitizer may leave its allocator locked in the child. */
#ifndef NTH_POOL_POISON
enum { FORKS = 60 };
static _Atomic(bool) enough;

static void in_child(struct nth_pool *p) {
  void *object[100];
  alarm(UNIT_SECONDS);
  nth_pool_forked();
  for (int i = 0; i < 100; i++) {
    object[i] = nth_pool_take(p, 0, 1);
    unit_check(object[i] != 0);
  }
  for (int i = 0; i < 100; i++)
    nth_pool_give(p, object[i], 0);
  nth_pool_end(p);
  unit_check(nth_pool_levels_valid());
  _exit(7);
}

static void forker(struct nth_pool *p) {
  for (int i = 0; i < FORKS; i++) {
    pid_t child = fork();
    if (child == 0)
      in_child(p);
    int status;
    unit_check(waitpid(child, &status, 0) == child);
    unit_check(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  nth_store_rlx(&enough, true);
}

static void fork_member(unsigned me) {
  struct nth_pool *p = nth_heap_need(sizeof *p);
  nth_pool_init(p, me == 0 ? NTH_POOL_HIER : NTH_POOL_CENTRAL, 0);
  if (me == 0)
    forker(p);
  while (!nth_load_rlx(&enough)) { /* hardly ever without a lock */
    void *object = nth_pool_take(p, 0, 1);
    unit_check(object != 0);
    nth_pool_give(p, object, 0);
  }
  nth_pool_end(p);
  nth_heap_free(p);
}

static void forks(void) {
  unit_threads(3, fork_member);
  all_back(0);
}
#endif

int main(void) {
  unit_begin();
  unit_run(bounded);
  unit_run(all_to_all);
#ifndef NTH_POOL_POISON
  unit_run(forks);
#endif
  return 0;
}
