/* bound.c - calls that do not go by the program's names */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread can be joined and detached by functions that were taken from the C library
// itself, while it runs and after it has ended, and that a thread of the C library's own can be
// joined by the program's name.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#include "check.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static void *thread(void *argument) {
  check_sleep_ms((long)(intptr_t)argument);
  return argument;
}

static int c11(void *argument) { return (int)(intptr_t)argument; }

int main(void) {
  void *library = dlopen("libc.so.6", RTLD_NOW);
  CHECK(library != NULL);
  int (*join)(pthread_t, void **) = (int (*)(pthread_t, void **))dlsym(library, "pthread_join");
  int (*detach)(pthread_t) = (int (*)(pthread_t))dlsym(library, "pthread_detach");
  if (!join || !detach)
    return 0; /* an old C library has them elsewhere */
  for (intptr_t ms = 0; ms < 3; ms++) {
    pthread_t t;
    void *result = NULL;
    CHECK_EQ(pthread_create(&t, NULL, thread, (void *)ms), 0);
    CHECK_EQ(join(t, &result), 0);
    CHECK_EQ((intptr_t)result, ms);
    CHECK_EQ(pthread_create(&t, NULL, thread, (void *)ms), 0);
    check_sleep_ms(5);
    CHECK_EQ(detach(t), 0);
    CHECK_EQ(pthread_create(&t, NULL, thread, (void *)ms), 0);
    CHECK_EQ(pthread_join(t, &result), 0);
    CHECK_EQ((intptr_t)result, ms);
  }
  thrd_t t;
  int result;
  CHECK_EQ(thrd_create(&t, c11, (void *)7), thrd_success);
  CHECK_EQ(thrd_join(t, &result), thrd_success);
  CHECK_EQ(result, 7);
  return 0;
}
