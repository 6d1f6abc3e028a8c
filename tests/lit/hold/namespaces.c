/* namespaces.c - held threads: a program whose threads have ended is one of one thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that unshare(CLONE_NEWUSER), which a process of several threads may not call, is not
// refused for that when all threads have been joined. The system may have other reasons. It takes a
// thread off its process some time after pthread_join() has returned.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

static void *plain(void *arg) { return arg; }

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    CHECK_EQ(pthread_create(&t[i], 0, plain, 0), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(pthread_join(t[i], 0), 0);
  CHECK_WAIT_UNTIL(unshare(CLONE_NEWUSER) == 0 || errno != EINVAL);
  return 0;
}
