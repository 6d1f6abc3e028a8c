/* threads.h - threads of the process, for the tests that bound them */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef THREADS_H
#define THREADS_H

#include <dirent.h>
#include <pthread.h>

#include "check.h"
#include "count_threads.h"

/* Whether the thread watches over nano-thread members. */
static inline int threads_watches(const char *number) {
  char path[300], name[32] = "";
  snprintf(path, sizeof path, "/proc/self/task/%s/comm", number);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0; /* it has ended meanwhile */
  CHECK(fgets(name, sizeof name, file) || feof(file) || ferror(file));
  fclose(file);
  return strcmp(name, "nanogomp-watch\n") == 0;
}

/* The threads of members and of the program. A thread that is about to end may count or not. */
static inline int threads_now(void) {
  DIR *folder = opendir("/proc/self/task");
  int n = count_threads();
  CHECK(folder);
  for (struct dirent *e; (e = readdir(folder));)
    n -= e->d_name[0] != '.' && threads_watches(e->d_name);
  closedir(folder);
  return n;
}

/* The calling thread's, and nobody else's ever. */
static inline int threads_id(void) {
  static _Thread_local int id;
  static _Atomic(int) last;
  if (id == 0)
    id = ++last;
  return id;
}

static void *threads_none(void *unused) { return unused; }

/* The number of threads that instruments run beside the program's: ThreadSanitizer makes one with
   the program's first. Call it before any region. */
static inline int threads_besides(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, threads_none, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  check_sleep_ms(100); /* the system takes it off its list a little later */
  return threads_now() - 1;
}

#endif
