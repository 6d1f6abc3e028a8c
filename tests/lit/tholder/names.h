/* names.h - held threads or, with PTHREADS, POSIX threads under their names */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A test of nanogomp/tholder.h is thereby also a program of POSIX threads: what it expects is tried
   on these. HELD is 0 then. What POSIX leaves undefined stands in `if (HELD)` or #if HELD. */
#ifndef NAMES_H
#define NAMES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#ifdef PTHREADS
#define HELD 0
#define tholder_t pthread_t
#define tholder_create pthread_create
#define tholder_join pthread_join
#define tholder_detach pthread_detach
#define tholder_self pthread_self
#define tholder_equal pthread_equal
#define tholder_cancel pthread_cancel
#define tholder_exit pthread_exit
#define tholder_attr_t pthread_attr_t
#define tholder_attr_init pthread_attr_init
#define tholder_attr_destroy pthread_attr_destroy
#define tholder_attr_setdetachstate pthread_attr_setdetachstate
#define tholder_attr_getdetachstate pthread_attr_getdetachstate
#define tholder_attr_setstacksize pthread_attr_setstacksize
#define tholder_attr_getstacksize pthread_attr_getstacksize
#define tholder_attr_setguardsize pthread_attr_setguardsize
#define tholder_attr_getguardsize pthread_attr_getguardsize
#define THOLDER_CREATE_JOINABLE PTHREAD_CREATE_JOINABLE
#define THOLDER_CREATE_DETACHED PTHREAD_CREATE_DETACHED
#else
#define HELD 1
#include <nanogomp/tholder.h>
#endif

/* A thread with default attributes. */
static inline tholder_t th_start(void *(*start)(void *), void *argument) {
  tholder_t t;
  CHECK_EQ(tholder_create(&t, NULL, start, argument), 0);
  return t;
}

/* Joins the thread and returns its result. */
static inline void *th_result(tholder_t t) {
  void *result = (void *)-2L;
  CHECK_EQ(tholder_join(t, &result), 0);
  return result;
}

/* Creates a thread and joins it. */
static inline void *th_call(void *(*start)(void *), void *argument) {
  return th_result(th_start(start, argument));
}

static inline void *th_pointer(long n) { return (void *)(intptr_t)n; }

/* ---- flags, numbers of OS threads ---- */

static inline bool th_is_set(const int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static inline void th_set(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }
static inline int th_tid(void) { return (int)syscall(SYS_gettid); }

/* Does this OS thread of ours sleep in the kernel? */
static inline bool th_sleeps(int tid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  FILE *f = fopen(path, "r");
  if (!f)
    return false;
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'S';
}

/* Waits until the OS thread has stored its number and sleeps, seen five times in a row. */
static inline void th_wait_asleep(const int *tid) {
  CHECK_WAIT_UNTIL(th_is_set(tid));
  for (int seen = 0; seen < 5; check_sleep_ms(1))
    seen = th_sleeps(*tid) ? seen + 1 : 0;
}

#endif
