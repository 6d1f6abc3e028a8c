/* refuse_odd.c - a pthread_create that refuses every other call: the first, the third, ... */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  static long calls;
  typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 2 == 0)
    return EAGAIN;
  return ((create_fn *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}
