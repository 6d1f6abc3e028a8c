/* own.c - what belongs to a thread and not to the next one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread's CPU time begins with 0, by its own clock, by the one of its pthread_t and
// by getrusage(), that it has its creator's name, no error of dlopen(), no thread-specific data,
// and that destructors of such data have run when the join returns; and that a region runs in it.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

enum { LONG_MS = 30 };
static pthread_key_t key;
static int destroyed;
static char creator[16];

static double cpu_ms(clockid_t clock) {
  struct timespec t;
  CHECK_EQ(clock_gettime(clock, &t), 0);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double usage_ms(void) {
  struct rusage u;
  CHECK_EQ(getrusage(RUSAGE_THREAD, &u), 0);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
         (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

static void destroy(void *argument) {
  CHECK(argument == &key);
  __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
}

static void *thread(void *argument) {
  intptr_t turn = (intptr_t)argument;
  clockid_t clock;
  char name[16];
  CHECK(cpu_ms(CLOCK_THREAD_CPUTIME_ID) < LONG_MS);
  CHECK(usage_ms() < LONG_MS);
  CHECK_EQ(pthread_getcpuclockid(pthread_self(), &clock), 0);
  CHECK(cpu_ms(clock) < LONG_MS);
  CHECK(dlerror() == NULL);
  CHECK_EQ(h_errno, 0);
  CHECK_EQ(errno, 0);
  CHECK(pthread_getspecific(key) == NULL);
  CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
  CHECK_STREQ(name, creator);
  while (cpu_ms(CLOCK_THREAD_CPUTIME_ID) < LONG_MS)
    ;
  CHECK_EQ(pthread_setname_np(pthread_self(), "other"), 0);
  CHECK(dlopen("/no/such/file", RTLD_NOW) == NULL);
  h_errno = errno = 3;
  if (turn % 3 == 0)
    CHECK_EQ(pthread_setspecific(key, &key), 0);
  if (turn % 5 == 0) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_num_threads();
    CHECK_EQ(sum, 9);
  }
  return argument;
}

int main(void) {
  CHECK_EQ(pthread_key_create(&key, destroy), 0);
  CHECK_EQ(pthread_getname_np(pthread_self(), creator, sizeof creator), 0);
  for (intptr_t turn = 1; turn <= 30; turn++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, thread, (void *)turn), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
    CHECK_EQ(__atomic_load_n(&destroyed, __ATOMIC_RELAXED), turn / 3);
  }
  return 0;
}
