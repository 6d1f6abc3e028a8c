/* handlers.c - finds out whether the program handles asynchronous signals
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/handlers.h"

#include <signal.h>
#include <unistd.h>

#include "runtime/arch/section.h"
#include "runtime/base/syscall.h"
#include "runtime/sched/nano/carry.h"

enum { REALTIME = 34, SIGNALS = 64, IGNORED_MOST = 2 }; /* the C library has 32 and 33 */

static const uint8_t usual[] = {SIGINT,   SIGALRM,      SIGPROF, SIGUSR1, SIGUSR2,
                                SIGTERM,  SIGVTALRM,    SIGHUP,  SIGIO,   SIGCHLD,
                                REALTIME, REALTIME + 1, SIGSEGV};
static const uint8_t others[] = {SIGQUIT, SIGSTKFLT, SIGCONT,  SIGTSTP, SIGTTIN, SIGTTOU,
                                 SIGURG,  SIGXCPU,   SIGWINCH, SIGPWR,  SIGFPE,  SIGBUS,
                                 SIGILL,  SIGABRT,   SIGTRAP,  SIGSYS,  SIGPIPE, SIGXFSZ};

/* Addresses of handlers that do not count. w: any, before the first look that these concern; r:
 * all. A hint: an address that is not seen yet counts. */
static struct {
  _Atomic(uintptr_t) low, high;
} ignored[IGNORED_MOST];

/* How many looks before regions roots may still make; w: watchdog, roots. Lost updates do no
 * harm. */
static _Atomic(uint32_t) looks = NTH_HANDLERS_LOOKS;

void nth_handlers_ignore(uintptr_t low, uintptr_t high) {
  nth_assert(low != 0 && low <= high);
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

/* Whether a thread gets this signal for what it does itself. */
static bool is_own(int number) {
  static const uint64_t own = NTH_SIGNALS_OF_FAULTS | NTH_SIGNAL_BIT(SIGABRT) |
                              NTH_SIGNAL_BIT(SIGPIPE) | NTH_SIGNAL_BIT(SIGXFSZ);
  return (own & NTH_SIGNAL_BIT(number)) != 0;
}

static void look_at(int number) {
  nth_assert(number > 0 && number <= SIGNALS);
  struct {
    uintptr_t handler;
    uint64_t flags, rest[2];
  } action = {0, 0, {0}}; /* the kernel's struct begins so on all machines with nano-threads */
  if (nth_syscall(SYS_rt_sigaction, number, 0, (long)&action, sizeof action.flags, 0) != 0 ||
      action.handler == (uintptr_t)SIG_DFL || action.handler == (uintptr_t)SIG_IGN ||
      nth_overflow_handles(action.handler))
    return;
  if (action.flags & SA_ONSTACK)
    nth_or_rlx(&nth_carrier_special, NTH_OWN_STACKS);
  if (!is_own(number) && !is_ignored(action.handler))
    nth_or_rlx(&nth_carrier_special, NTH_ROOTS_ALONE);
}

static bool known(void) {
  return nth_carrier_is(NTH_ROOTS_ALONE) && nth_carrier_is(NTH_OWN_STACKS);
}

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

/* --- the watchdog's look --- */

static void look_around(void) {
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

/* --- the hold --- */

/* How often a handler of the runtime's takes the place of one of the program's, for each signal.
 * The program may replace it meanwhile, and its new handler may call it. */
enum { HOLDS = 2 };

/* After so many looks in a row that found no guest, some 0.4 s, none comes any more. One may
 * have been on its way when guests were forbidden, on an OS thread that has lost its CPU since. */
enum { GONE = 60 };

static struct {
  uint32_t seen, gone; /* looks that found a guest on a root's OS thread; looks in a row that found
                        * none */
  uint8_t times[SIGNALS + 1];
  /* The program's, in whose place each of `holders` was put. Written once, before that: what a
   * handler of the program's calls then never changes. */
  struct sigaction before[HOLDS][SIGNALS + 1];
} hold NTH_SPARSE; /* w: watchdog */

/* Signals that are noted with what came with them, in a process's life, of 140 bytes each. More:
 * further real-time signals stay apart from each other. */
enum { DETAILS = 64 };

/* What came with noted signals, in the order in which they came. An entry is used once. */
static struct {
  _Atomic(uint32_t) used; /* entries that somebody fills, or would have filled; w: roots' OS
                           * threads */
  struct {
    _Atomic(struct nth_carrier *) root; /* to whom it came; NULL: not filled, or sent; w: that
                                         * root's OS thread, then the watchdog; r: watchdog; K */
    siginfo_t info;
  } of[DETAILS];
} details NTH_SPARSE;

/* Notes a signal for c's root. Of the signals below the real-time ones the kernel, too, keeps one
 * of each number. */
static void note(struct nth_carrier *c, int number, const siginfo_t *info) {
  uint64_t bit = NTH_SIGNAL_BIT(number), held = nth_load_rlx(&c->held);
  while (!nth_cas_rlx(&c->held, &held, held | bit))
    ;
  if (!info || ((held & bit) && number < REALTIME))
    return;
  uint32_t i = nth_add_rlx(&details.used, 1);
  if (i >= DETAILS)
    return;
  details.of[i].info = *info;
  nth_store_rel(&details.of[i].root, c); /* K */
}

static void on_held(int number, siginfo_t *info, void *context);
static void on_held_again(int number, siginfo_t *info, void *context);
static void (*const holders[HOLDS])(int, siginfo_t *, void *) = {on_held, on_held_again};

/* Which of the holders the action calls; HOLDS: none. */
static uint32_t holder_of(const struct sigaction *a) {
  uint32_t i = 0;
  while (i < HOLDS && !((a->sa_flags & SA_SIGINFO) && a->sa_sigaction == holders[i]))
    i++;
  return i;
}

/* Whether the kernel calls this holder. If not, a handler of the program's does. */
static bool is_in_force(int number, uint32_t holder) {
  struct sigaction now;
  return sigaction(number, 0, &now) == 0 && holder_of(&now) == holder;
}

static void keep_or_pass(uint32_t holder, int number, siginfo_t *info, void *context) {
  struct nth_identity *x = nth_identity_mine();
  struct nth_carrier *c = x ? nth_load_rlx(&x->carrier) : 0;
  const struct sigaction *before = &hold.before[holder][number];
  if (c && c->root && c->rest != x && is_in_force(number, holder)) {
    note(c, number, info);
  } else if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(number, info, context);
  } else {
    before->sa_handler(number);
  }
}

static void on_held(int number, siginfo_t *info, void *context) {
  keep_or_pass(0, number, info, context);
}

static void on_held_again(int number, siginfo_t *info, void *context) {
  keep_or_pass(1, number, info, context);
}

/* Whether the action calls a function of the program's, and not once only. */
static bool is_to_be_held(const struct sigaction *a) {
  bool function =
      (a->sa_flags & SA_SIGINFO) || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
  return function && !(a->sa_flags & (int)SA_RESETHAND) && holder_of(a) == HOLDS;
}

/* Replaces one action by another. If the program has set a third one in between, that one stays. */
static void replace(int number, struct sigaction from, struct sigaction to) {
  struct sigaction was;
  while (sigaction(number, &to, &was) == 0 && was.sa_handler != from.sa_handler) {
    from = to;
    to = was;
  }
}

static void hold_one(int number) {
  struct sigaction now, ours;
  nth_assert(number > 0 && number <= SIGNALS);
  uint32_t holder = hold.times[number];
  if (holder == HOLDS || is_own(number) || sigaction(number, 0, &now) != 0 || !is_to_be_held(&now))
    return;
  hold.times[number]++;
  hold.before[holder][number] = ours = now;
  ours.sa_sigaction = holders[holder];
  ours.sa_flags |= SA_SIGINFO;
  replace(number, now, ours);
}

static void release_one(int number) {
  struct sigaction now;
  uint32_t holder = sigaction(number, 0, &now) == 0 ? holder_of(&now) : HOLDS;
  if (holder < HOLDS)
    replace(number, now, hold.before[holder][number]);
}

static void for_all(void (*f)(int)) {
  for (size_t i = 0; i < sizeof usual; i++)
    f(usual[i]);
  for (uint32_t i = 0; i < OTHERS; i++)
    f(i < sizeof others ? others[i] : REALTIME + (int)(i - sizeof others));
}

static bool have_guest(const struct nth_carrier *c) {
  for (; c; c = c->known) {
    const struct nth_identity *x = nth_load_rlx(&c->current);
    if (c->root && c->family && x && x != c->rest)
      return true;
  }
  return false;
}

/* Whether the signal, when it comes, finds no handler, and may end the process. */
static bool has_no_handler(int number) {
  struct sigaction now;
  return sigaction(number, 0, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
         now.sa_handler == SIG_DFL;
}

/* Sends a noted signal to the root's OS thread, unless the program has given up the handler that
 * the signal had when it came. What came with it is left out if the kernel refuses that: only the
 * process's first thread may say that a signal is another sender's, or the kernel's. */
static void send_one(const struct nth_carrier *c, int number, const siginfo_t *info) {
  pid_t process = getpid();
  if (has_no_handler(number))
    return;
  if (!info || nth_syscall(SYS_rt_tgsigqueueinfo, process, c->tid, number, (long)info, 0) != 0)
    nth_syscall(SYS_tgkill, process, c->tid, number, 0, 0);
}

/* Sends the signals that were noted for c's root: those with an entry first, then one for each
 * number without. */
static void send_held(struct nth_carrier *c) {
  uint64_t rest = nth_load_rlx(&c->held) != 0 ? nth_xchg_rlx(&c->held, 0) : 0;
  if (rest == 0)
    return;
  for (uint32_t i = 0; i < DETAILS; i++) {
    const siginfo_t *info = &details.of[i].info;
    if (nth_load_acq(&details.of[i].root) != c) /* K */
      continue;
    send_one(c, info->si_signo, info);
    nth_store_rlx(&details.of[i].root, NULL);
    rest &= ~NTH_SIGNAL_BIT(info->si_signo);
  }
  for (int number = 1; number <= SIGNALS; number++)
    if (rest & NTH_SIGNAL_BIT(number))
      send_one(c, number, NULL);
}

/* hold.seen stays: the child's watchdog gives the program's handlers back. The parent's may have
 * been about to. A process whose roots have seen no handlers touches no page of these tables. */
NTH_IN_CHILD void nth_handlers_forked(struct nth_carrier *carriers) {
  if (!carriers || !nth_carrier_is(NTH_ROOTS_ALONE))
    return;
  for (struct nth_carrier *c = carriers; c; c = c->known)
    nth_store_rlx(&c->held, 0);
  for (uint32_t i = 0, used = nth_load_rlx(&details.used); i < used && i < DETAILS; i++)
    nth_store_rlx(&details.of[i].root, NULL);
  nth_store_rlx(&details.used, 0);
  if (hold.gone != GONE)
    hold.gone = 0;
}

bool nth_handlers_watch(struct nth_carrier *carriers, bool ask) {
  if (ask)
    look_around();
  if (hold.gone == GONE)
    return false;
  bool guest = have_guest(carriers);
  if (!nth_carrier_is(NTH_ROOTS_ALONE))
    return guest; /* it may set a handler */
  if (guest) {
    hold.gone = 0;
    if (++hold.seen > 1)
      for_all(hold_one);
  } else if (++hold.gone >= 2 && hold.seen > 1) {
    if (hold.gone == 2)
      for_all(release_one);
    for (struct nth_carrier *c = carriers; c; c = c->known)
      send_held(c); /* a handler that lost its CPU for two looks may note its signal so late */
  }
  return true;
}
