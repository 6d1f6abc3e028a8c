/* refuse.c - a pthread_create that refuses calls REFUSE_AFTER .. + REFUSE_COUNT */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static long from_environment(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? atol(text) : otherwise;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  static long calls;
  typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  long call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  long first = from_environment("REFUSE_AFTER", 0);
  if (call >= first && call - first < from_environment("REFUSE_COUNT", 1L << 40))
    return EAGAIN;
  return ((create_fn *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}
