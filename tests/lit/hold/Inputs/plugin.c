/* plugin.c - a library whose start creates and joins threads */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <pthread.h>
#include <stdlib.h>

static __thread int mine = 4;
int plugin_runs;

static void *thread(void *argument) {
  if (mine++ != 4)
    abort();
  __atomic_fetch_add(&plugin_runs, 1, __ATOMIC_RELAXED);
  return argument;
}

__attribute__((visibility("default"))) void plugin_work(void) {
  for (int i = 0; i < 10; i++) {
    pthread_t t;
    if (pthread_create(&t, NULL, thread, NULL) != 0 || pthread_join(t, NULL) != 0)
      abort();
  }
}

__attribute__((constructor)) static void begin(void) { plugin_work(); }
__attribute__((destructor)) static void end(void) { plugin_work(); }
