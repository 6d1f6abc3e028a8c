/* stack.c - stacks of their own and the step between them: control word, reuse, guard page
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/registers.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/config.h"
#include "runtime/sched/nano/stack.h"

#if NTH_SWITCH
static struct nth_pool pool;
static struct nth_stack own, *other;
static int steps;

static void back(void) { nth_stack_switch(other, &own); }
static void there(void) { nth_stack_switch(&own, other); }

static void start(void (*f)(void *), void *arg) {
  nth_stack_adopt(&own);
  other = nth_stack_take(&pool, f, arg, nth_switch_control());
  unit_check(other != 0);
}

/* --- to and fro --- */

static void ping(void *arg) {
  nth_stack_arrived(&own);
  _Alignas(64) char local[1000];
  memset(local, 1, sizeof local);
  unit_check((uintptr_t)local % 64 == 0);
  unit_check(local >= other->low && local + sizeof local <= other->low + other->size);
  for (int i = 0;; i++) {
    unit_check(arg == &steps && steps == 2 * i + 1);
    steps++;
    for (unsigned j = 0; j < sizeof local; j++)
      unit_check(local[j] == 1);
    back();
  }
}

static void to_and_fro(void) {
  start(ping, &steps);
  for (int i = 0; i < 1000; i++) {
    unit_check(steps == 2 * i);
    steps++;
    there();
  }
  nth_stack_give(&pool, other);
}

/* --- floating-point control --- */

static void controlled(void *arg) {
  nth_stack_arrived(&own);
  uint64_t usual = *(uint64_t *)arg;
  unit_check(registers_control() == usual);
  registers_control_set(registers_toward_zero(usual));
  back();
  unit_check(registers_control() == registers_toward_zero(usual));
  registers_control_set(usual);
  back();
  for (;;) {
    unit_check(registers_control() == usual);
    back();
  }
}

static void control(void) {
  uint64_t usual = registers_control();
  start(controlled, &usual);
  there();
  unit_check(registers_control() == usual);
  there();
  unit_check(registers_control() == usual);
  registers_control_set(registers_toward_zero(usual));
  there();
  unit_check(registers_control() == registers_toward_zero(usual));
  registers_control_set(usual);
  nth_stack_give(&pool, other);
}

/* --- memory --- */

static void nothing(void *arg) { (void)arg; }

static bool mapped(const char *at) {
  unsigned char resident;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return mincore((void *)((uintptr_t)at & ~(page - 1)), 1, &resident) == 0;
}

/* The one given last comes first; beyond what the pools keep they go back to the system. */
static void reuse(void) {
  enum { MORE = NTH_POOL_KEPT + 2 * NTH_STACKS_COMMON + 10 };
  static struct nth_stack *s[MORE];
  static char *low[MORE];
  for (int round = 0; round < 3; round++) {
    unsigned left = 0;
    for (unsigned i = 0; i < MORE; i++) {
      s[i] = nth_stack_take(&pool, nothing, 0, nth_switch_control());
      unit_check(s[i] && s[i]->size >= 256 * 1024 - NTH_APART);
      low[i] = s[i]->low;
      low[i][0] = 1;
      for (unsigned j = 0; j < i; j++)
        unit_check(s[j] != s[i]);
    }
    for (unsigned i = 0; i < MORE; i++)
      nth_stack_give(&pool, s[i]);
    for (unsigned i = 0; i < MORE; i++)
      left += mapped(low[i]);
    unit_check(left == MORE - 10);
    struct nth_stack *again = nth_stack_take(&pool, nothing, 0, nth_switch_control());
    unit_check(again == s[MORE - 11]);
    nth_stack_give(&pool, again);
  }
}

/* A thread that ends leaves its stacks to others, and none is lost. */
static void leave(void) {
  enum { SOME = NTH_POOL_KEPT / 2 };
  struct nth_stack *s[SOME];
  struct nth_pool ends = {0}, near = {0};
  nth_pool_forked(); /* nothing is left of the last test */
  nth_pool_init(&ends, NTH_POOL_HIER, 1);
  nth_pool_init(&near, NTH_POOL_HIER, 1);
  for (int i = 0; i < SOME; i++)
    s[i] = nth_stack_take(&ends, nothing, 0, nth_switch_control());
  for (int i = 0; i < SOME; i++)
    nth_stack_give(&ends, s[i]);
  unit_check(nth_pool_count(NTH_POOL_STACK).idle == 0);
  nth_stack_leave(&ends);
  nth_pool_end(&ends);
  unit_check(nth_pool_count(NTH_POOL_STACK).idle == SOME);
  for (int i = 0; i < SOME; i++) {
    struct nth_stack *t = nth_stack_take(&near, nothing, 0, nth_switch_control());
    int j = 0;
    while (j < SOME && s[j] != t)
      j++;
    unit_check(j < SOME);
  }
}

static void guard(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  struct nth_stack *s = nth_stack_take(&pool, nothing, 0, nth_switch_control());
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    s->low[0] = 1;
    s->low[-1] = 1;
    _exit(0);
  }
  int status;
  unit_check(waitpid(child, &status, 0) == child);
  unit_check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  nth_stack_give(&pool, s);
#endif
}

int main(void) {
  unit_begin();
  nth_pool_init(&pool, NTH_POOL_HIER, 0);
  unit_run(to_and_fro);
  unit_run(control);
  unit_run(reuse);
  unit_run(guard);
  unit_run(leave);
  return 0;
}
#else
int main(void) { return 77; }
#endif
