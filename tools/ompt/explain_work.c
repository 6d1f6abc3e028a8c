/* explain_work.c - CPU time of work, and sleep in it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/explain_work.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/ompt/ticks.h"

enum { FRESH_US = 200, SHORT_US = 50, ASLEEP_US = 500 };
static uint64_t fresh, is_short, asleep, second; /* ticks */
static double ticks_of_ns;

void exp_work_choose(void) {
  ticks_of_ns = (double)(exp_head->ticks_now - exp_head->ticks_first) /
                (double)(exp_head->ns_now - exp_head->ns_first);
  second = (uint64_t)(1e9 * ticks_of_ns);
  fresh = second / 1000000 * FRESH_US;
  is_short = second / 1000000 * SHORT_US;
  asleep = second / 1000000 * ASLEEP_US;
}

uint64_t exp_os_thread(void) { return (uint64_t)syscall(SYS_gettid); }

static _Atomic(bool) carried; /* relaxed: a hint */
bool exp_is_carried(void) { return atomic_load_explicit(&carried, memory_order_relaxed); }
void exp_set_carried(void) { atomic_store_explicit(&carried, true, memory_order_relaxed); }

/* --- CPU time --- */

static void look(struct exp_me *m, uint64_t at) {
  m->look = (struct exp_look){
      .at = at, .cpu = ticks_ns(CLOCK_THREAD_CPUTIME_ID), .thread = exp_os_thread()};
  if (at - exp_head->ticks_now > second)
    exp_file_pair();
}

/* CPU time, in ticks, of work that lasted so long until now. A member may change its OS thread
 * where it waits. If the look was on another one, nothing is known. False: so it is. */
static bool long_work(struct exp_me *m, uint64_t lasted, uint64_t at, uint64_t *work) {
  struct exp_look before = m->look;
  look(m, at);
  *work = 0;
  if (m->look.thread != before.thread)
    return false;
  uint64_t used = (uint64_t)((double)(m->look.cpu - before.cpu) * ticks_of_ns);
  used -= used < before.work ? used : before.work;
  *work = used < lasted ? used : lasted;
  return true;
}

/* --- sleep --- */

/* How long the calling OS thread was ready to run but had no CPU, in ticks since it began. False:
 * the kernel does not tell. By system calls: those of libc may end a thread that is cancelled. */
static bool ready_ticks(uint64_t *ticks) {
  char text[80];
  unsigned long long on_cpu, ready;
  long fd = syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  long got = fd < 0 ? -1 : syscall(SYS_read, fd, text, sizeof text - 1);
  if (fd >= 0)
    syscall(SYS_close, fd);
  text[got > 0 ? got : 0] = 0;
  if (sscanf(text, "%llu %llu", &on_cpu, &ready) != 2)
    return false;
  *ticks = (uint64_t)((double)ready * ticks_of_ns);
  return true;
}

/* Of the ticks in which the member's work used no CPU, those that it slept. The time without a CPU
 * is known since the last such look only: rather too little sleep than too much. */
static uint64_t slept(struct exp_me *m, uint64_t unused) {
  uint64_t now, before = m->ready_thread == m->look.thread ? m->ready : 0;
  if (!ready_ticks(&now))
    return 0;
  m->ready = now;
  m->ready_thread = m->look.thread;
  uint64_t other = now - before + m->locked;
  return unused > other ? unused - other : 0;
}

/* --- work --- */

/* Its OS thread runs others while a carried member waits: then a look before the wait says nothing.
 */
void exp_work_begins(struct exp_me *m, struct exp_task *t, uint64_t at) {
  if (at - m->look.at > fresh || exp_is_carried()) {
    look(m, at);
    at = ticks_now();
  }
  m->locked = 0;
  t->works_since = at;
}

void exp_work_ends(struct exp_me *m, struct exp_task *t, uint64_t at) {
  uint64_t lasted = at > t->works_since ? at - t->works_since : 0, work = lasted;
  if (t->works_since == 0)
    return;
  if (lasted <= is_short)
    m->look.work += lasted;
  else if (long_work(m, lasted, at, &work) && lasted - work > asleep)
    t->slept += slept(m, lasted - work);
  t->worked += work;
  t->works_since = 0;
}

void exp_pause_begins(struct exp_me *m, struct exp_task *t, uint64_t at) {
  if (t && t->pauses++ == 0)
    exp_work_ends(m, t, at);
}

void exp_pause_ends(struct exp_me *m, struct exp_task *t, uint64_t at) {
  if (t && t->pauses > 0 && --t->pauses == 0)
    exp_work_begins(m, t, at);
}
