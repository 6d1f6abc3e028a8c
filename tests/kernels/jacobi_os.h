/* jacobi_os.h - a simulated system, which takes a processor from a kernel and gives it back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why      Martorell et al. 1996, section 4.2: the system takes the last processor for --take-ms
 *          milliseconds and gives it back for as long.
 * How      With --react-ms it first asks (nth_request), and waits that long for the answer
 *          (nth_running). Without an answer in time, or with --react-ms 0, it steals the processor:
 *          it suspends the OS thread, whatever that is doing.
 * System   a thread of the kernel's. To steal it sends a signal, whose handler waits until the
 *          processor is given back. So no privilege and no competitor are needed, and the CPU is
 *          idle while it is taken. The paper's system was a process of high priority that suspended
 *          the kernel threads.
 * Periods  With --periods N the program solves until the processor has been taken and given back N
 *          times. So each run has the same share of the processors, however long a period is.
 * Use      os_begin() -> os_ran() by each thread of the program, os_goes_on() after each solve ->
 *          os_end()
 */
#ifndef NTH_JACOBI_OS_H
#define NTH_JACOBI_OS_H

#include "kernel.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of nanogomp/nth.h; other libraries have none. */
int nth_request(int processors);
int nth_running(void);
#pragma weak nth_request
#pragma weak nth_running

enum { PROCESSORS = 4096 };
static _Atomic(int) thread_of[PROCESSORS]; /* the OS thread that has run each processor last */

/* The OS thread `me` runs that processor, or member of a region. */
static inline void os_ran(int which, int me) {
  atomic_store_explicit(&thread_of[which], me, memory_order_relaxed);
}

static struct {
  long take_ms, react_ms, periods;
  int last; /* the processor that is taken */
  pthread_t thread;
  _Atomic(uint32_t) over;   /* futex word */
  _Atomic(uint32_t) stolen; /* futex word; 1: the handler waits */
  _Atomic(long) given;      /* how often the processor was given back; w: the system */
  long taken, reactions, steals;
} os;

#define OS_OPTIONS                                                                                 \
  {"take-ms", "T: a processor is taken every other T milliseconds", &os.take_ms, NULL},            \
      {"react-ms", "R: it is asked for, and stolen R milliseconds later (0: at once)",             \
       &os.react_ms, NULL},                                                                        \
  {                                                                                                \
    "periods", "N: solves until it was taken and given back N times (0: --solves)", &os.periods,   \
        NULL                                                                                       \
  }

static inline void os_require(const struct kernel *k) {
  kern_require(k, os.react_ms == 0 || os.take_ms > 0, "--react-ms goes with --take-ms");
  kern_require(k, os.periods == 0 || os.take_ms > 0, "--periods goes with --take-ms");
  kern_require(k, os.periods == 0 || k->reps == 1, "--periods is one repetition");
  if (os.react_ms > 0 && !nth_request) {
    printf("# skipped: no nth_request in this library\n");
    exit(77);
  }
}

static void sleep_on(_Atomic(uint32_t) *word, uint32_t value, const struct timespec *most) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
}

static void set(_Atomic(uint32_t) *word, uint32_t value) {
  atomic_store(word, value);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* In the OS thread of the processor that is stolen. */
static void suspend(int signal) {
  int saved = errno;
  (void)signal;
  while (atomic_load(&os.stolen)) {
    sleep_on(&os.stolen, 1, NULL);
  }
  errno = saved;
}

/* False: the run is over. */
static bool pause_for(long ms) {
  double until = kern_now() + 1e-3 * (double)ms, left;
  while (!atomic_load(&os.over) && (left = until - kern_now()) > 0) {
    struct timespec most = {(time_t)left, (long)(1e9 * (left - floor(left)))};
    sleep_on(&os.over, 0, &most);
  }
  return !atomic_load(&os.over);
}

/* Whether the program has released a processor within the reaction time. */
static bool reacts(int left) {
  if (os.react_ms == 0) {
    return false;
  }
  double until = kern_now() + 1e-3 * (double)os.react_ms;
  nth_request(left);
  while (nth_running() > left) {
    if (kern_now() > until) {
      return false;
    }
    struct timespec poll = {0, 20000};
    nanosleep(&poll, NULL);
  }
  return true;
}

static void take(int which) {
  os.taken++;
  if (reacts(which)) {
    os.reactions++;
    return;
  }
  atomic_store(&os.stolen, 1);
  syscall(SYS_tgkill, getpid(), atomic_load(&thread_of[which]), SIGUSR1);
  os.steals++;
}

/* The stolen one first: what it had locked may be wanted by the request. */
static void give_back(void) {
  set(&os.stolen, 0);
  if (os.react_ms > 0) {
    nth_request(0);
  }
}

static void *run_system(void *unused) {
  int last = os.last;
  while (pause_for(os.take_ms)) {
    if (atomic_load(&thread_of[last]) == 0) {
      continue; /* it has not run anything yet */
    }
    take(last);
    pause_for(os.take_ms);
    give_back();
    atomic_fetch_add(&os.given, 1);
  }
  return unused;
}

static inline void os_begin(int processors) {
  struct sigaction action = {.sa_handler = suspend, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  os.last = processors - 1;
  os.taken = os.reactions = os.steals = 0;
  atomic_store(&os.given, 0);
  atomic_store(&os.over, 0);
  if (pthread_create(&os.thread, NULL, run_system, NULL) != 0) {
    fprintf(stderr, "no thread for the system\n");
    exit(KERN_USAGE);
  }
}

/* Whether another solve follows `done` ones; takes: the system runs. */
static inline bool os_goes_on(bool takes, long done, long solves) {
  return takes && os.periods > 0 ? atomic_load(&os.given) < os.periods : done < solves;
}

static inline bool os_end(void) {
  set(&os.over, 1);
  pthread_join(os.thread, NULL);
  printf("# taken %ld, reactions %ld, steals %ld\n", os.taken, os.reactions, os.steals);
  return kern_check(os.reactions + os.steals == os.taken, "a processor was taken in no way");
}

#endif
