/* limits.c - a limit on threads and one on memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that OS threads that are idle do not count where the system limits threads: as many as
// the limit allows can be created with each size of stack. And that threads work under a limit on
// memory. Only the first user can become another one, who has no other processes.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { AT_ONCE = 30, MOST = 40 };

static void *waits(void *go) {
  CHECK_WAIT_UNTIL(__atomic_load_n((int *)go, __ATOMIC_ACQUIRE));
  return go;
}

static void round_of(size_t stack) {
  pthread_t t[AT_ONCE];
  pthread_attr_t a;
  int go = 0;
  CHECK_EQ(pthread_attr_init(&a), 0);
  CHECK_EQ(pthread_attr_setstacksize(&a, stack), 0);
  for (int i = 0; i < AT_ONCE; i++)
    CHECK_EQ(pthread_create(&t[i], &a, waits, &go), 0);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < AT_ONCE; i++) {
    void *result;
    CHECK_EQ(pthread_join(t[i], &result), 0);
    CHECK(result == &go);
  }
  CHECK_EQ(pthread_attr_destroy(&a), 0);
}

int main(void) {
  struct rlimit limit = {MOST, MOST};
  enum { NOBODY_ELSE = 54321 };
  if (getuid() == 0 && setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE) == 0)
    CHECK_EQ(setrlimit(RLIMIT_NPROC, &limit), 0);
  for (size_t i = 1; i <= 10; i++)
    round_of(i << 20);
  limit = (struct rlimit){(rlim_t)2 << 30, (rlim_t)2 << 30};
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  for (size_t i = 1; i <= 10; i++)
    round_of(i << 18);
  return 0;
}
