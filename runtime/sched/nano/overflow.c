/* overflow.c - a message that tells when a member's stack has overflowed
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/overflow.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/base/text.h"
#include "runtime/sched/nano/carry.h"

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

/* The default for this signal, in the kernel: sigaction() may be that of a library which keeps
 * handlers of its own there. */
static void set_default(int number) {
  static const uint64_t none[4]; /* the kernel's struct: SIG_DFL, no flags, an empty mask */
  nth_syscall(SYS_rt_sigaction, number, (long)none, 0, sizeof none[0], 0);
}

/* When this returns the default is in force, and the access that faulted is made once more. The
 * kernel has set the default (SA_RESETHAND), unless a handler of the program's calls this one,
 * perhaps for another signal. */
static void on_fault(int number, siginfo_t *info, void *context) {
  struct nth_identity *x = nth_identity_mine();
  (void)context;
  set_default(number);
  bool sent = !info || info->si_code <= 0;
  uintptr_t at = sent ? 0 : (uintptr_t)info->si_addr;
  /* the range includes the stack itself, where no access faults */
  if (x && !sent && at < x->stack_high && at >= x->stack_low - NTH_OVERFLOW_REACH)
    say(x);
  if (sent)
    raise(number); /* the default handles it; where it is blocked, after the return */
}

bool nth_overflow_handles(uintptr_t handler) { return handler == (uintptr_t)on_fault; }

void nth_overflow_begin(void) {
  struct sigaction before, mine = {.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
  if (sigaction(SIGSEGV, 0, &before) != 0 || (before.sa_flags & SA_SIGINFO) ||
      before.sa_handler != SIG_DFL)
    return;
  mine.sa_sigaction = on_fault;
  sigemptyset(&mine.sa_mask);
  sigaction(SIGSEGV, &mine, 0);
}

/* --- the alternative stack --- */

/* Whether the runtime's handler is in force: the program may have set another one by now. */
static bool in_force(void) {
  struct sigaction now;
  return sigaction(SIGSEGV, 0, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
         now.sa_sigaction == on_fault;
}

static size_t stack_size(void) {
  long least = sysconf(_SC_SIGSTKSZ);
  size_t page = nth_os_page(), size = NTH_OVERFLOW_BYTES + (size_t)(least > 0 ? least : 0);
  return (size + page - 1) / page * page;
}

/* Stacks are mapped a row at a time: a process may have some 65,000 mappings, and each thread's own
 * stack takes two of them. */
enum { ROW = 16 };
/* The next stack of a row, and, in the bits below a page, how many are left from there on. A row
 * that was put here stays mapped, so no value comes twice. */
static _Atomic(uintptr_t) row; /* w, r: all threads, in a CAS that orders nothing: a mapping has no
                                * content to hand on */

/* A row of stacks, with a page below it that faults; NULL: no memory. */
static char *map_row(size_t size) {
  size_t page = nth_os_page(), all = page + ROW * size;
  char *low = mmap(0, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (low == MAP_FAILED)
    return 0;
  if (mprotect(low + page, all - page, PROT_READ | PROT_WRITE) == 0)
    return low + page;
  munmap(low, all);
  return 0;
}

/* A stack for good; NULL: no memory. */
static void *take_stack(size_t size) {
  uintptr_t page = nth_os_page(), mask = page - 1, before = nth_load_rlx(&row);
  for (;;) {
    while (before & mask) {
      uintptr_t left = (before & mask) - 1;
      if (nth_cas_rlx(&row, &before, left ? (before & ~mask) + size + left : 0))
        return (void *)(before & ~mask); /* NOLINT(performance-no-int-to-ptr) */
    }
    char *mine = map_row(size);
    if (!mine || nth_cas_rlx(&row, &before, (uintptr_t)mine + size + ROW - 1))
      return mine;
    munmap(mine - page, page + ROW * size); /* another thread's row serves this one, too */
  }
}

void nth_overflow_thread(struct nth_carrier *c) {
  stack_t before, mine = {.ss_size = stack_size()};
  nth_assert(!c->masked); /* the OS thread runs its own stack */
  nth_store_rlx(&c->on_signals, false);
  if (nth_carrier_is(NTH_OWN_STACKS) || !in_force() || sigaltstack(0, &before) != 0 ||
      !(before.ss_flags & SS_DISABLE))
    return;
  if (!c->signals)
    c->signals = take_stack(mine.ss_size);
  mine.ss_sp = c->signals;
  nth_store_rlx(&c->on_signals, mine.ss_sp && sigaltstack(&mine, 0) == 0);
}

void nth_overflow_leave(struct nth_carrier *c) {
  stack_t now, none = {.ss_flags = SS_DISABLE};
  if (!nth_load_rlx(&c->on_signals))
    return;
  nth_assert(c->signals);
  nth_store_rlx(&c->on_signals, false);
  if (nth_syscall(SYS_sigaltstack, 0, (long)&now, 0, 0, 0) == 0 && now.ss_sp == c->signals)
    nth_syscall(SYS_sigaltstack, (long)&none, 0, 0, 0, 0);
}
