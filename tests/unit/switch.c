/* switch.c - contexts on one OS thread, and some that go to another with their thread pointer
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A member is a pthread that has lent its stack and its thread pointer: its OS thread waits on
 * another stack, and runners go on where it stopped. While it waits it must not write TLS: a runner
 * uses it.
 */
#include "tests/unit/registers.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/arch/switch.h"
#include "runtime/base/atomic.h"

enum { STACK = 64 << 10, CONTEXTS = 8, MEMBERS = 4, RUNNERS = 3, STEPS = 2000 };

/* --- one OS thread; its own thread pointer, or none is given --- */

static _Alignas(64) char stacks[CONTEXTS][STACK]; /* one a context: none of them returns */
static char *stack = stacks[0];
static void *own, *other;
static uintptr_t given; /* the pointer of each switch */
static int steps;

static void start(void (*f)(void *), void *arg) {
  unit_check(stack + STACK <= stacks[0] + sizeof stacks);
  stack += STACK;
  other = nth_switch_make(stack, f, arg, registers_control());
}

static void there(void *none) {
  (void)none;
  nth_switch(&own, other, given);
}

static void back(void *none) {
  (void)none;
  nth_switch(&other, own, given);
}

static void ping(void *arg) {
  uintptr_t pointer = nth_switch_pointer();
  _Alignas(16) char local[1000];
  memset(local, 1, sizeof local);
  unit_check((uintptr_t)local % 16 == 0 && (uintptr_t)__builtin_frame_address(0) % 16 == 0);
  char *frame = __builtin_frame_address(0); /* newer sanitizers keep `local` elsewhere */
  unit_check(frame < stack && frame >= stack - STACK);
  for (int i = 0;; i++) {
    unit_check(arg == &steps && steps == 2 * i + 1 && nth_switch_pointer() == pointer);
    steps++;
    for (unsigned j = 0; j < sizeof local; j++)
      unit_check(local[j] == 1);
    back(0);
  }
}

static void to_and_fro(void) {
  steps = 0;
  start(ping, &steps);
  for (int i = 0; i < 1000; i++) {
    unit_check(steps == 2 * i);
    steps++;
    there(0);
  }
}

static void mixes(void *arg) {
  for (;;)
    unit_check(registers_mix(*(uint64_t *)arg, back, 0) == *(uint64_t *)arg * 27);
}

static void registers(void) {
  static uint64_t seed = 0x123456789abcdef;
  start(mixes, &seed);
  unit_check(registers_mix(987654321, there, 0) == 987654321ull * 27);
}

static void controlled(void *arg) {
  uint64_t made = *(uint64_t *)arg, changed = registers_toward_zero(made);
  for (;;) {
    unit_check(registers_control() == made);
    registers_control_set(changed);
    back(0);
    unit_check(registers_control() == changed);
    registers_control_set(made);
    back(0);
  }
}

/* A context starts with the control that its maker gave it. */
static void control(void) {
  uint64_t usual = registers_control(), changed = registers_toward_zero(usual);
  unit_check(usual != changed);
  start(controlled, &usual);
  registers_control_set(changed);
  for (int i = 0; i < 3; i++) {
    there(0);
    unit_check(registers_control() == changed);
  }
  start(controlled, &changed);
  registers_control_set(usual);
  there(0);
  unit_check(registers_control() == usual);
}

/* --- thread pointers --- */

static __thread long mine = 17; /* of the thread whose pointer is in force */
static uintptr_t pointers[UNIT_MAX_THREADS];
static intptr_t distance; /* from the thread pointer to `mine`: the same in all threads */

static void pointer_of(unsigned number) {
  pointers[number] = nth_switch_pointer();
  unit_check((intptr_t)((uintptr_t)&mine - pointers[number]) == distance);
}

static void pointer(void) {
  distance = (intptr_t)((uintptr_t)&mine - nth_switch_pointer());
  unit_threads(4, pointer_of);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      unit_check(pointers[i] != pointers[j]);
}

/* --- members and runners --- */

struct runner {
  void *sp; /* its own context while it runs a member */
  uintptr_t pointer;
};

enum asks { AGAIN, HOME };

struct member {
  unsigned number;
  pthread_t thread;
  void *sp; /* while nobody runs it */
  uintptr_t pointer;
  struct runner *runner; /* who runs it; w: that one */
  enum asks asks;        /* of the runner it goes back to */
  _Atomic(bool) home;    /* it goes on on its own OS thread; w: the last runner; r:
                          * wait_outside() */
  void *outside;         /* a context on the stack below */
  _Alignas(64) char stack[STACK];
};

static struct member members[MEMBERS];
static struct {
  pthread_mutex_t lock;
  struct member *waiting[MEMBERS];
  unsigned count, left;
} ready = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Atomic(unsigned) moves;

/* Not libc's: a thread's number may be remembered in TLS. */
static long os_thread(void) { return syscall(SYS_gettid); }

static void ready_put(struct member *m) {
  pthread_mutex_lock(&ready.lock);
  ready.waiting[ready.count++] = m;
  pthread_mutex_unlock(&ready.lock);
}

/* The one that has waited longest; *left: how many are not home. */
static struct member *ready_take(unsigned *left) {
  struct member *m = 0;
  pthread_mutex_lock(&ready.lock);
  *left = ready.left;
  if (ready.count > 0) {
    m = ready.waiting[0];
    memmove(ready.waiting, ready.waiting + 1, --ready.count * sizeof m);
  }
  pthread_mutex_unlock(&ready.lock);
  return m;
}

static void ready_leave(void) {
  pthread_mutex_lock(&ready.lock);
  ready.left--;
  pthread_mutex_unlock(&ready.lock);
}

/* What a member's OS thread does meanwhile: sched_yield() does not fail, so it writes no errno. */
static void wait_outside(void *arg) {
  struct member *m = arg;
  void *unused;
  ready_put(m);
  while (!atomic_load_explicit(&m->home, memory_order_acquire))
    sched_yield();
  nth_switch(&unused, m->sp, m->pointer);
}

static void member_lend(struct member *m) {
  m->pointer = nth_switch_pointer();
  m->outside = nth_switch_make(m->stack + sizeof m->stack, wait_outside, m, registers_control());
  nth_switch(&m->sp, m->outside, m->pointer);
}

static void member_step(void *arg) {
  struct member *m = arg;
  nth_switch(&m->sp, m->runner->sp, m->runner->pointer);
}

static void runner_run(struct runner *r, struct member *m) {
  m->runner = r;
  nth_switch(&r->sp, m->sp, m->pointer);
  if (m->asks == AGAIN) {
    ready_put(m);
    return;
  }
  ready_leave();
  atomic_store_explicit(&m->home, true, memory_order_release);
}

/* What a member finds again after each step, whoever ran it and whatever that one has written. */
static void member_steps(struct member *m, long home) {
  pthread_t self = pthread_self();
  uint64_t usual = registers_control();
  uint64_t control = m->number % 2 ? registers_toward_zero(usual) : usual;
  long *address = &mine;
  registers_control_set(control);
  for (int i = 0; i < STEPS; i++) {
    mine = m->number * 10000L + i;
    errno = (int)m->number * 10000 + i;
    char *block = malloc(100);
    if (i % 8 == 0)
      registers_mix((uint64_t)mine + 1, member_step, m);
    else
      member_step(m);
    unit_check(errno == (int)m->number * 10000 + i);
    free(block);
    unit_check(mine == m->number * 10000L + i && *address == mine);
    unit_check(pthread_equal(pthread_self(), self) && nth_switch_pointer() == m->pointer);
    unit_check(registers_control() == control);
    unit_check(os_thread() != home);
  }
  registers_control_set(usual);
}

static void *member_main(void *arg) {
  struct member *m = arg;
  long home = os_thread();
  member_lend(m);
  unit_check(os_thread() != home);
  member_steps(m, home);
  m->asks = HOME;
  member_step(m);
  unit_check(os_thread() == home && nth_switch_pointer() == m->pointer);
  unit_check(mine == m->number * 10000L + STEPS - 1);
  return 0;
}

static void runner_main(unsigned number) {
  struct runner r = {.pointer = nth_switch_pointer()};
  pthread_t self = pthread_self();
  uint64_t usual = registers_control();
  long home = os_thread();
  unsigned turns = 0;
  for (unsigned left = MEMBERS; left > 0;) {
    struct member *m = ready_take(&left);
    if (!m) {
      sched_yield();
      continue;
    }
    mine = -(long)number;
    errno = -(int)number;
    if (m->runner && m->runner != &r)
      nth_add_rlx(&moves, 1);
    runner_run(&r, m);
    if (++turns % 4 == 0)
      sched_yield(); /* others run what this one has run */
    unit_check(mine == -(long)number && errno == -(int)number);
    unit_check(pthread_equal(pthread_self(), self) && nth_switch_pointer() == r.pointer);
    unit_check(registers_control() == usual && os_thread() == home);
  }
}

/* Members have RUNNERS OS threads between them, which are not theirs, and end on their own. */
static void lent(void) {
  ready.left = MEMBERS;
  for (unsigned i = 0; i < MEMBERS; i++) {
    members[i].number = i;
    unit_check(pthread_create(&members[i].thread, 0, member_main, &members[i]) == 0);
  }
  unit_threads(RUNNERS, runner_main);
  for (unsigned i = 0; i < MEMBERS; i++)
    unit_check(pthread_join(members[i].thread, 0) == 0);
  printf("  %u steps with another runner than the last\n", nth_load_rlx(&moves));
}

/* A member's way is given: first runner, second, first, home. */
static void *traveller_main(void *arg) {
  struct member *m = arg;
  long home = os_thread(), at[3];
  mine = 99;
  member_lend(m);
  for (int i = 0; i < 3; i++) {
    at[i] = os_thread();
    unit_check(mine == 99 && at[i] != home);
    m->asks = i == 2 ? HOME : AGAIN;
    member_step(m);
  }
  unit_check(os_thread() == home && mine == 99);
  unit_check(at[0] == at[2] && at[0] != at[1]);
  return 0;
}

static void travel_once(unsigned number) {
  struct runner r = {.pointer = nth_switch_pointer()};
  struct member *m;
  (void)number;
  for (unsigned left; !(m = ready_take(&left));)
    sched_yield();
  runner_run(&r, m);
}

static void travel(void) {
  static struct member one, *m = &one;
  nth_store_rlx(&m->home, false);
  ready.left = 1;
  unit_check(pthread_create(&m->thread, 0, traveller_main, m) == 0);
  travel_once(0);
  unit_threads(1, travel_once);
  travel_once(0);
  unit_check(pthread_join(m->thread, 0) == 0);
}

int main(void) {
  unit_begin();
  nth_switch_begin();
  for (int i = 0; i < 2; i++) {
    given = i == 0 ? 0 : nth_switch_pointer();
    unit_run(to_and_fro);
    unit_run(registers);
    unit_run(control);
  }
  unit_run(pointer);
  unit_run(travel);
  unit_run(lent);
  nth_switch_direct = false; /* where there are two ways: the other one */
  unit_run(travel);
  return 0;
}
