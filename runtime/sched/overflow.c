/* overflow.c - a member's stack overflow is said to be one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/overflow.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/sched/carry.h"

static void say(const struct nth_identity *x) {
  char line[256];
  struct nth_text t = {line, sizeof line, 0};
  nth_text_add(&t, "nanogomp: the stack of an OpenMP thread, ");
  nth_text_unsigned(&t, (x->stack_high - x->stack_low) / 1024);
  nth_text_add(&t, "K, has overflowed; OMP_STACKSIZE sets a larger one\n");
  size_t length = nth_text_end(&t);
  ssize_t written = write(STDERR_FILENO, line, length);
  (void)written;
}

/* The default is in force again when this returns: the access that faulted is made once more. */
static void on_fault(int number, siginfo_t *info, void *context) {
  struct nth_identity *x = nth_identity_mine();
  uintptr_t at = (uintptr_t)info->si_addr;
  (void)context;
  if (x && info->si_code > 0 && at < x->stack_low && at >= x->stack_low - NTH_OVERFLOW_REACH)
    say(x);
  if (info->si_code <= 0)
    raise(number); /* somebody sent it; SA_RESETHAND has restored the default, and it is blocked until we return */
}

void nth_overflow_begin(void) {
  struct sigaction before, mine = {.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
  if (sigaction(SIGSEGV, 0, &before) != 0 || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
    return;
  mine.sa_sigaction = on_fault;
  sigemptyset(&mine.sa_mask);
  sigaction(SIGSEGV, &mine, 0);
}

static void note_bounds(struct nth_identity *x) {
  pthread_attr_t attr;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attr) != 0)
    return;
  if (pthread_attr_getstack(&attr, &low, &size) == 0) {
    x->stack_low = (uintptr_t)low;
    x->stack_high = x->stack_low + size;
  }
  pthread_attr_destroy(&attr);
}

void nth_overflow_leave(void *stack) {
  stack_t now, none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(0, &now) == 0 && now.ss_sp == stack)
    sigaltstack(&none, 0);
}

void nth_overflow_thread(struct nth_identity *x, void *stack, bool held) {
  stack_t before, mine = {.ss_sp = stack, .ss_size = NTH_OVERFLOW_BYTES};
  if (sigaltstack(0, &before) == 0 && (before.ss_flags & SS_DISABLE))
    sigaltstack(&mine, 0);
  if (held)
    note_bounds(x);
}
