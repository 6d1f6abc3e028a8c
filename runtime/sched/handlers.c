/* handlers.c - whether the program handles asynchronous signals
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/handlers.h"

#include <signal.h>

#include "runtime/base/syscall.h"

enum { REALTIME = 34, SIGNALS = 64, IGNORED_MOST = 2 }; /* the C library has 32 and 33 */

static const uint8_t usual[] = {SIGINT, SIGALRM, SIGPROF, SIGUSR1,  SIGUSR2,      SIGTERM, SIGVTALRM,
                                SIGHUP, SIGIO,   SIGCHLD, REALTIME, REALTIME + 1, SIGSEGV};
static const uint8_t others[] = {SIGQUIT, SIGSTKFLT, SIGCONT,  SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,
                                 SIGXCPU, SIGWINCH,  SIGPWR,   SIGFPE,  SIGBUS,  SIGILL,  SIGABRT,
                                 SIGTRAP, SIGSYS,    SIGPIPE,  SIGXFSZ};

/* w: any, before the first look that they concern; r: all. A hint: without it the handler counts. */
static struct {
  _Atomic(uintptr_t) low, high;
} ignored[IGNORED_MOST];

/* Looks that roots have left before regions; w: watchdog, roots. Lost updates do no harm. */
static _Atomic(uint32_t) looks = NTH_HANDLERS_LOOKS;

void nth_handlers_ignore(uintptr_t low, uintptr_t high) {
  for (int i = 0; i < IGNORED_MOST; i++) {
    if (nth_load_rlx(&ignored[i].low) == 0) {
      nth_store_rlx(&ignored[i].high, high);
      nth_store_rlx(&ignored[i].low, low);
    }
    if (nth_load_rlx(&ignored[i].low) == low)
      return;
  }
}

static bool is_ignored(uintptr_t handler) {
  for (int i = 0; i < IGNORED_MOST; i++)
    if (handler >= nth_load_rlx(&ignored[i].low) && handler < nth_load_rlx(&ignored[i].high))
      return true;
  return false;
}

/* Whether a thread gets it for what it does itself. */
static bool is_own(int number) {
  static const uint64_t own = 1ull << SIGSEGV | 1ull << SIGFPE | 1ull << SIGBUS | 1ull << SIGILL | 1ull << SIGABRT |
                              1ull << SIGTRAP | 1ull << SIGSYS | 1ull << SIGPIPE | 1ull << SIGXFSZ;
  return number < REALTIME && (own >> number & 1) != 0;
}

static void look_at(int number) {
  struct {
    uintptr_t handler;
    uint64_t flags, rest[2];
  } action = {0, 0, {0}}; /* the kernel's, which begins so on the machines that have nano-threads */
  if (nth_syscall(SYS_rt_sigaction, number, 0, (long)&action, sizeof action.flags, 0) != 0 ||
      action.handler == (uintptr_t)SIG_DFL || action.handler == (uintptr_t)SIG_IGN ||
      nth_overflow_handles(action.handler))
    return;
  if (action.flags & SA_ONSTACK)
    nth_store_rlx(&nth_overflow_off, true);
  if (!is_own(number) && !is_ignored(action.handler))
    nth_store_rlx(&nth_carrier_roots_alone, true);
}

static bool known(void) { return nth_load_rlx(&nth_carrier_roots_alone) && nth_load_rlx(&nth_overflow_off); }

static void look_at_usual(void) {
  for (size_t i = 0; i < sizeof usual && !known(); i++)
    look_at(usual[i]);
}

static void look_at_other(uint32_t i) {
  look_at(i < sizeof others ? others[i] : REALTIME + (int)(i - sizeof others));
}
enum { OTHERS = sizeof others + SIGNALS + 1 - REALTIME };

void nth_handlers_look_all(void) {
  look_at_usual();
  for (uint32_t i = 0; i < OTHERS && !known(); i++)
    look_at_other(i);
}

void nth_handlers_look_soon(void) {
  uint32_t left = nth_load_rlx(&looks);
  if (left == 0 || known())
    return;
  nth_store_rlx(&looks, left - 1);
  look_at_usual();
}

void nth_handlers_watch(void) {
  static uint32_t next; /* the watchdog's */
  uint32_t left = nth_load_rlx(&looks);
  if (known())
    return;
  if (left < NTH_HANDLERS_LOOKS)
    nth_store_rlx(&looks, left + NTH_HANDLERS_REFILL);
  look_at_usual();
  for (int i = 0; i < NTH_HANDLERS_OTHERS; i++)
    look_at_other(next++ % OTHERS);
}
