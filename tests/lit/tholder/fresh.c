/* fresh.c - what a new thread begins with */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread begins with initial __thread variables, errno 0, no locale and no signal
// stack of its own, cancellation enabled and deferred, and with its creator's signal mask and
// floating-point environment, whatever earlier threads have done to theirs.
// AddressSanitizer gives each thread a signal stack.
// UNSUPPORTED: asan
// RUN: %th_test
#include "names.h"
#include <fenv.h>
#include <locale.h>
#include <signal.h>

enum { FLAGS = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW };

/* What the creator has, and so its thread. */
struct creator {
  sigset_t mask;
  int rounding, flags;
  long seen;
};

static int any;
static __thread int initialised = 5;
static __thread int zero;
static __thread char page[5000];
static __thread int *relocated = &any;
static __thread int aligned __attribute__((aligned(64))) = 9;

static void check_variables(void) {
  CHECK_EQ(initialised, 5);
  CHECK_EQ(zero, 0);
  for (unsigned i = 0; i < sizeof page; i++)
    CHECK_EQ(page[i], 0);
  CHECK(relocated == &any);
  CHECK_EQ(aligned, 9);
  CHECK_EQ((uintptr_t)&aligned % 64, 0);
}

static void spoil_variables(void) {
  initialised = zero = aligned = 77;
  memset(page, 1, sizeof page);
  relocated = NULL;
}

static void check_cancellation(void) {
  int old;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_ENABLE);
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_DEFERRED);
}

static char alternate[1 << 16]; /* never used: no signal comes */

static void check_signals(const struct creator *c) {
  sigset_t now, pending;
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &now), 0);
  for (int s = 1; s < SIGRTMAX; s++)
    CHECK_EQ(sigismember(&now, s), sigismember(&c->mask, s));
  CHECK_EQ(sigpending(&pending), 0);
  CHECK(sigisemptyset(&pending));
  stack_t stack;
  CHECK_EQ(sigaltstack(NULL, &stack), 0);
  CHECK_EQ(stack.ss_flags, SS_DISABLE);
}

/* Another mask, a signal that will never be taken, a stack for signals. */
static void spoil_signals(void) {
  sigset_t mask;
  sigfillset(&mask);
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, &mask, NULL), 0);
  CHECK_EQ(pthread_kill(pthread_self(), SIGUSR2), 0);
  CHECK_EQ(pthread_kill(pthread_self(), SIGRTMIN + 1), 0);
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  CHECK_EQ(sigaltstack(&stack, NULL), 0);
}

static void check_arithmetic(const struct creator *c) {
  CHECK_EQ(fegetround(), c->rounding);
  CHECK_EQ(fetestexcept(FLAGS), c->flags);
  volatile double one = 1, little = 1e-30, more = one + little, less = one - little;
  CHECK_EQ(more > 1, c->rounding == FE_UPWARD);
  CHECK_EQ(less < 1, c->rounding == FE_DOWNWARD || c->rounding == FE_TOWARDZERO);
}

static void spoil_arithmetic(void) {
  CHECK_EQ(fesetround(FE_TOWARDZERO), 0);
  CHECK_EQ(feraiseexcept(FLAGS), 0);
}

static void *thread(void *argument) {
  CHECK_EQ(errno, 0);
  struct creator *c = argument;
  check_arithmetic(c);
  check_variables();
  check_cancellation();
  check_signals(c);
  CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  __atomic_fetch_add(&c->seen, 1, __ATOMIC_RELAXED);
  spoil_variables();
  spoil_signals();
  spoil_arithmetic();
  locale_t other = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(other);
  CHECK(uselocale(other));
  errno = 99;
  return argument;
}

enum { AT_ONCE = 6 };

static void create(struct creator *c) {
  tholder_t t[AT_ONCE];
  c->seen = 0;
  for (int i = 0; i < AT_ONCE; i++)
    t[i] = th_start(thread, c);
  for (int i = 0; i < AT_ONCE; i++)
    CHECK(th_result(t[i]) == c);
  CHECK_EQ(c->seen, AT_ONCE);
}

/* A creator with its own mask, rounding and flags. */
static void *creator(void *argument) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const int raised[] = {0, FE_DIVBYZERO, FE_INVALID | FE_OVERFLOW};
  intptr_t turn = (intptr_t)argument;
  struct creator c = {.rounding = roundings[turn % 4], .flags = raised[turn % 3]};
  sigemptyset(&c.mask);
  if (turn % 2)
    sigaddset(&c.mask, SIGUSR1);
  if (turn % 5 > 2)
    sigaddset(&c.mask, SIGRTMIN + 3);
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, &c.mask, NULL), 0);
  CHECK_EQ(fesetround(c.rounding), 0);
  CHECK_EQ(feclearexcept(FE_ALL_EXCEPT), 0);
  CHECK_EQ(feraiseexcept(c.flags), 0);
  create(&c);
  /* The creator itself is as it was. */
  sigset_t now;
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &now), 0);
  CHECK_EQ(sigismember(&now, SIGUSR1), turn % 2);
  CHECK_EQ(fegetround(), c.rounding);
  CHECK_EQ(fetestexcept(FLAGS), c.flags);
  return NULL;
}

int main(void) {
  for (intptr_t turn = 0; turn < CHECK_TIMES(60); turn++) {
    creator(th_pointer(turn));
    th_call(creator, th_pointer(turn + 1));
    pthread_t other; /* one that held threads have not made */
    CHECK_EQ(pthread_create(&other, NULL, creator, th_pointer(turn + 2)), 0);
    CHECK_EQ(pthread_join(other, NULL), 0);
  }
  return 0;
}
