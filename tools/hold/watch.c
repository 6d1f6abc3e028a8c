/* watch.c - calls that act on a thread by its pthread_t or number, or change what a thread has
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call on a held thread does what it does on any other. If the created thread ended meanwhile,
 * its OS thread is not used again: what the call has left there must not reach the next one.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "tools/hold/entry.h"
#include "tools/hold/hold.h"

/* The function of the created thread r has ended. It may be joined, and r be free. */
static bool is_over(const struct hold_record *r) {
  return r && hold_kind(nth_load_acq(&r->state)) > HOLD_RUNS; /* D */
}

/* --- signals and cancellation --- */

/* What the C library says of a thread that has ended: 0 from 2.34 on. */
static int over(const struct hold_record *r) {
  const char *version = gnu_get_libc_version();
  bool is_new = atoi(version) > 2 || (version[0] == '2' && atoi(version + 2) >= 34);
  return hold_kind(nth_load_acq(&r->state)) == HOLD_IDLE || !is_new ? ESRCH : 0; /* D */
}

HOLD_WRAPS(pthread_kill)
HOLD_ENTRY int pthread_kill(pthread_t t, int signal) {
  HOLD_NEXT(int(pthread_t, int), pthread_kill);
  struct hold_record *r = hold_find(t);
  if (is_over(r))
    return over(r);
  int error = real(t, signal);
  if (r && signal != 0)
    hold_touched(r);
  return error;
}

HOLD_WRAPS(pthread_sigqueue)
HOLD_ENTRY int pthread_sigqueue(pthread_t t, int signal, const union sigval value) {
  HOLD_NEXT(int(pthread_t, int, const union sigval), pthread_sigqueue);
  struct hold_record *r = hold_find(t);
  if (is_over(r))
    return over(r);
  int error = real(t, signal, value);
  if (r && signal != 0)
    hold_touched(r);
  return error;
}

HOLD_WRAPS(pthread_cancel)
HOLD_ENTRY int pthread_cancel(pthread_t t) {
  HOLD_NEXT(int(pthread_t), pthread_cancel);
  struct hold_record *r = hold_find(t);
  uint64_t state = r ? nth_load_acq(&r->state) : HOLD_REAL; /* D */
  while (hold_kind(state) == HOLD_RUNS && !(state & HOLD_SPOILT))
    if (nth_cas_acqrel(&r->state, &state, state | HOLD_SPOILT)) /* D */
      state |= HOLD_SPOILT;
  return hold_kind(state) > HOLD_RUNS ? over(r) : real(t);
}

/* --- what a thread has, by pthread_t or by number --- */

static int touched(pthread_t t, int result) {
  struct hold_record *r = hold_find(t);
  if (r)
    hold_touched(r);
  return result;
}

static int touched_tid(pid_t tid, int result) {
  int saved = errno;
  struct hold_record *r = tid != 0 ? hold_find_tid(tid) : NULL;
  if (r)
    hold_touched(r);
  errno = saved;
  return result;
}

HOLD_WRAPS(pthread_setname_np)
HOLD_ENTRY int pthread_setname_np(pthread_t t, const char *name) {
  HOLD_NEXT(int(pthread_t, const char *), pthread_setname_np);
  return touched(t, real(t, name));
}

HOLD_WRAPS(pthread_setaffinity_np)
HOLD_ENTRY int pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *cpus) {
  HOLD_NEXT(int(pthread_t, size_t, const cpu_set_t *), pthread_setaffinity_np);
  return touched(t, real(t, size, cpus));
}

HOLD_WRAPS(pthread_setschedparam)
HOLD_ENTRY int pthread_setschedparam(pthread_t t, int policy, const struct sched_param *p) {
  HOLD_NEXT(int(pthread_t, int, const struct sched_param *), pthread_setschedparam);
  return touched(t, real(t, policy, p));
}

HOLD_WRAPS(pthread_setschedprio)
HOLD_ENTRY int pthread_setschedprio(pthread_t t, int priority) {
  HOLD_NEXT(int(pthread_t, int), pthread_setschedprio);
  return touched(t, real(t, priority));
}

HOLD_WRAPS(sched_setaffinity)
HOLD_ENTRY int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *cpus) {
  HOLD_NEXT(int(pid_t, size_t, const cpu_set_t *), sched_setaffinity);
  return touched_tid(tid, real(tid, size, cpus));
}

HOLD_WRAPS(sched_setparam)
HOLD_ENTRY int sched_setparam(pid_t tid, const struct sched_param *p) {
  HOLD_NEXT(int(pid_t, const struct sched_param *), sched_setparam);
  return touched_tid(tid, real(tid, p));
}

HOLD_WRAPS(sched_setscheduler)
HOLD_ENTRY int sched_setscheduler(pid_t tid, int policy, const struct sched_param *p) {
  HOLD_NEXT(int(pid_t, int, const struct sched_param *), sched_setscheduler);
  return touched_tid(tid, real(tid, policy, p));
}

HOLD_WRAPS(setpriority)
HOLD_ENTRY int setpriority(__priority_which_t which, id_t who, int priority) {
  HOLD_NEXT(int(__priority_which_t, id_t, int), setpriority);
  return touched_tid(which == PRIO_PROCESS ? (pid_t)who : 0, real(which, who, priority));
}

/* A held OS thread is always joinable in the C library. */
HOLD_WRAPS(pthread_getattr_np)
HOLD_ENTRY int pthread_getattr_np(pthread_t t, pthread_attr_t *a) {
  HOLD_NEXT(int(pthread_t, pthread_attr_t *), pthread_getattr_np);
  struct hold_record *r = hold_find(t);
  uint64_t state = r ? nth_load_acq(&r->state) : HOLD_REAL; /* D */
  int error = real(t, a);
  if (!error && hold_kind(state) != HOLD_REAL && (state & HOLD_DETACHED))
    (void)pthread_attr_setdetachstate(a, PTHREAD_CREATE_DETACHED);
  return error;
}

/* --- what cannot be taken back --- */

HOLD_WRAPS(__cxa_thread_atexit_impl)
HOLD_ENTRY int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *dso) {
  HOLD_NEXT(int(void (*)(void *), void *, void *), __cxa_thread_atexit_impl);
  hold_mine_ends = true;
  return real(destructor, object, dso);
}

/* Some namespaces admit only a process of one thread. So the threads that rest end before. */
HOLD_WRAPS(unshare)
HOLD_ENTRY int unshare(int flags) {
  HOLD_NEXT(int(int), unshare);
  hold_never(HOLD_CALLED);
  (void)hold_shed();
  return real(flags);
}

HOLD_WRAPS(setns)
HOLD_ENTRY int setns(int file, int type) {
  HOLD_NEXT(int(int, int), setns);
  hold_never(HOLD_CALLED);
  (void)hold_shed();
  return real(file, type);
}

/* Options that only ask, that set the name, or that count for the process. */
static bool prctl_is_harmless(int option) {
  switch (option) {
  case PR_SET_NAME:
  case PR_GET_NAME:
  case PR_GET_PDEATHSIG:
  case PR_GET_DUMPABLE:
  case PR_SET_DUMPABLE:
  case PR_CAPBSET_READ:
  case PR_GET_SECCOMP:
  case PR_GET_NO_NEW_PRIVS:
  case PR_GET_KEEPCAPS:
  case PR_GET_SECUREBITS:
  case PR_GET_TIMERSLACK:
  case PR_SET_PTRACER:
  case PR_SET_CHILD_SUBREAPER:
  case PR_GET_CHILD_SUBREAPER:
#ifdef PR_SET_VMA
  case PR_SET_VMA:
#endif
    return true;
  default: return false;
  }
}

HOLD_WRAPS(prctl)
HOLD_ENTRY int prctl(int option, ...) {
  HOLD_NEXT(int(int, ...), prctl);
  unsigned long a[4];
  va_list list;
  va_start(list, option);
  for (int i = 0; i < 4; i++)
    a[i] = va_arg(list, unsigned long);
  va_end(list);
  if (!prctl_is_harmless(option))
    hold_never(HOLD_CALLED);
  return real(option, a[0], a[1], a[2], a[3]);
}

/* Calls that change nothing of a thread that outlives it. */
static bool syscall_is_harmless(long number) {
  switch (number) {
  case SYS_gettid:
  case SYS_getpid:
  case SYS_getrandom:
  case SYS_futex:
  case SYS_membarrier:
  case SYS_memfd_create:
  case SYS_getcpu:
  case SYS_sched_yield:
  case SYS_sched_getaffinity:
  case SYS_mmap:
  case SYS_munmap:
  case SYS_mincore:
  case SYS_read:
  case SYS_write:
  case SYS_statx:
  case SYS_getdents64:
  case SYS_copy_file_range:
  case SYS_eventfd2:
  case SYS_epoll_pwait:
#ifdef SYS_pidfd_open
  case SYS_pidfd_open:
#endif
#ifdef SYS_close_range
  case SYS_close_range:
#endif
#ifdef SYS_openat2
  case SYS_openat2:
#endif
#ifdef SYS_futex_waitv
  case SYS_futex_waitv:
#endif
    return true;
  default: return false;
  }
}

HOLD_WRAPS(syscall)
HOLD_ENTRY long syscall(long number, ...) {
  HOLD_NEXT(long(long, ...), syscall);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (!syscall_is_harmless(number))
    hold_never(HOLD_CALLED);
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- CPU time --- */

/* The record whose CPU time the clock is; NULL: another clock, or an OS thread that is not held.
 * Clocks of pthread_getcpuclockid() hold the thread's number, inverted, above three bits. */
static struct hold_record *clock_owner(clockid_t clock) {
  if (clock == CLOCK_THREAD_CPUTIME_ID)
    return hold_mine;
  return clock < 0 && (clock & 7) == 6 ? hold_find_tid(~(clock >> 3)) : NULL;
}

HOLD_WRAPS(clock_gettime)
HOLD_ENTRY int clock_gettime(clockid_t clock, struct timespec *t) {
  HOLD_NEXT(int(clockid_t, struct timespec *), clock_gettime);
  int result = real(clock, t);
  struct hold_record *r =
      result == 0 && (clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) ? clock_owner(clock) : NULL;
  uint64_t before = r ? nth_load_rlx(&r->cpu) : 0;
  if (before > 0) {
    uint64_t ns = (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
    ns = ns > before ? ns - before : 0;
    *t = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  }
  return result;
}

static void take_off(struct timeval *t, const struct timeval *before) {
  int64_t us = ((int64_t)t->tv_sec - before->tv_sec) * 1000000 + t->tv_usec - before->tv_usec;
  us = us > 0 ? us : 0;
  *t = (struct timeval){us / 1000000, us % 1000000};
}

HOLD_WRAPS(getrusage)
HOLD_ENTRY int getrusage(__rusage_who_t who, struct rusage *u) {
  HOLD_NEXT(int(__rusage_who_t, struct rusage *), getrusage);
  int result = real(who, u);
  if (result == 0 && (int)who == RUSAGE_THREAD && hold_mine) {
    take_off(&u->ru_utime, &hold_usage[0]);
    take_off(&u->ru_stime, &hold_usage[1]);
  }
  return result;
}
