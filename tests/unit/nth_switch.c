/* nth_switch.c - stacks and the step between them: registers, control bits, reuse, guard page
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/base/config.h"
#include "runtime/nth/stack.h"
#include "runtime/nth/switch.h"

#if NTH_SWITCH
static struct nth_stack own, *other;
static int steps;

static void back(void) { nth_stack_switch(other, &own); }
static void there(void) { nth_stack_switch(&own, other); }

static void start(void (*f)(void *), void *arg) {
  nth_stack_adopt(&own);
  other = nth_stack_take(f, arg, nth_switch_control());
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

/* Values in more registers than are saved, which must survive the other side's own. */
static uint64_t mix(uint64_t seed, void (*step)(void)) {
  uint64_t a[14];
  double x[10];
  for (int i = 0; i < 14; i++)
    a[i] = seed * (uint64_t)(2 * i + 1);
  for (int i = 0; i < 10; i++)
    x[i] = (double)(seed % 1000) + i;
#pragma GCC unroll 1
  for (int turn = 0; turn < 3; turn++) {
    uint64_t b0 = a[0], b1 = a[1], b2 = a[2], b3 = a[3], b4 = a[4], b5 = a[5], b6 = a[6];
    double y0 = x[0], y1 = x[1], y2 = x[2], y3 = x[3], y4 = x[4];
    __asm__ volatile("" : "+r"(b0), "+r"(b1), "+r"(b2), "+r"(b3), "+r"(b4));
    step();
    __asm__ volatile("" : "+r"(b0), "+r"(b1), "+r"(b2), "+r"(b3), "+r"(b4));
    unit_check(b0 == a[0] && b1 == a[1] && b2 == a[2] && b3 == a[3] && b4 == a[4] && b5 == a[5]);
    unit_check(b6 == a[6] && y0 == x[0] && y1 == x[1] && y2 == x[2] && y3 == x[3] && y4 == x[4]);
  }
  return a[13];
}

static void mixes(void *arg) {
  nth_stack_arrived(&own);
  for (;;)
    unit_check(mix(*(uint64_t *)arg, back) == *(uint64_t *)arg * 27);
}

static void to_and_fro(void) {
  start(ping, &steps);
  for (int i = 0; i < 1000; i++) {
    unit_check(steps == 2 * i);
    steps++;
    there();
  }
  nth_stack_give(other);
}

static void registers(void) {
  static uint64_t seed = 0x123456789abcdef;
  start(mixes, &seed);
  unit_check(mix(987654321, there) == 987654321ull * 27);
  nth_stack_give(other);
}

/* --- floating-point control --- */

#if defined(__x86_64__)
static uint64_t toward_zero(uint64_t control) { return control | 0x6000 | UINT64_C(0x0c00) << 32; }
static void set(uint64_t control) {
  uint32_t mxcsr = (uint32_t)control;
  uint16_t x87 = (uint16_t)(control >> 32);
  __asm__ volatile("ldmxcsr %0; fldcw %1" ::"m"(mxcsr), "m"(x87));
}
enum { STATUS = 0x3f }; /* of MXCSR: not control */
#else
static uint64_t toward_zero(uint64_t control) { return control | 3ull << 22; }
static void set(uint64_t control) { __asm__ volatile("msr fpcr, %0" ::"r"(control)); }
enum { STATUS = 0 };
#endif

static uint64_t control_now(void) { return nth_switch_control() & ~(uint64_t)STATUS; }

static void controlled(void *arg) {
  nth_stack_arrived(&own);
  uint64_t usual = *(uint64_t *)arg;
  unit_check(control_now() == usual);
  set(toward_zero(usual));
  back();
  unit_check(control_now() == toward_zero(usual));
  set(usual);
  back();
  for (;;) {
    unit_check(control_now() == usual);
    back();
  }
}

static void control(void) {
  uint64_t usual = control_now();
  start(controlled, &usual);
  there();
  unit_check(control_now() == usual);
  there();
  unit_check(control_now() == usual);
  set(toward_zero(usual));
  there();
  unit_check(control_now() == toward_zero(usual));
  set(usual);
  nth_stack_give(other);
}

/* --- memory --- */

static void nothing(void *arg) { (void)arg; }

/* The one given last comes first; beyond NTH_STACKS_COMMON they go back to the system. */
static void reuse(void) {
  enum { MORE = NTH_STACKS_COMMON + 10 };
  static struct nth_stack *s[MORE];
  for (int round = 0; round < 3; round++) {
    for (unsigned i = 0; i < MORE; i++) {
      s[i] = nth_stack_take(nothing, 0, nth_switch_control());
      unit_check(s[i] && s[i]->size >= NTH_NANO_STACK - NTH_APART);
      s[i]->low[0] = 1;
      for (unsigned j = 0; j < i; j++)
        unit_check(s[j] != s[i]);
    }
    for (unsigned i = 0; i < MORE; i++)
      nth_stack_give(s[i]);
    struct nth_stack *again = nth_stack_take(nothing, 0, nth_switch_control());
    unit_check(again == s[NTH_STACKS_COMMON - 1]);
    nth_stack_give(again);
  }
}

static void guard(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  struct nth_stack *s = nth_stack_take(nothing, 0, nth_switch_control());
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
  nth_stack_give(s);
#endif
}

int main(void) {
  unit_begin();
  unit_run(to_and_fro);
  unit_run(registers);
  unit_run(control);
  unit_run(reuse);
  unit_run(guard);
  return 0;
}
#else
int main(void) { return 77; }
#endif
