/* threads.h - OS threads of the process, for the tests that bound them */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef THREADS_H
#define THREADS_H

#include <dirent.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "check.h"

static inline int threads_now(void) {
  DIR *folder = opendir("/proc/self/task");
  int n = -2; /* . and .. */
  CHECK(folder);
  while (readdir(folder))
    n++;
  closedir(folder);
  return n;
}

static inline int threads_id(void) { return (int)syscall(SYS_gettid); }

static void *threads_none(void *unused) { return unused; }

/* Threads that instruments run beside the program's; ThreadSanitizer makes one with the program's first.
   Call it before any region. */
static inline int threads_besides(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, threads_none, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  check_sleep_ms(100); /* the system takes it off its list a little later */
  return threads_now() - 1;
}

#endif
