/* fence_late.c - a process that has threads already when the library is loaded */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tasks there while the kernel makes the process wait before it gives fences in all threads;
// and that no member waits for that: a thread of the runtime's own does, which has all signals
// blocked, so that a filter which sends SIGSYS ends the process. A member would run the handler.
// nanogomp-only: libgomp has no such fences.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %S/Inputs/first_tasks.c -o %t.so -shared -fPIC
// RUN: %omp_build %s -o %t -fno-openmp -ldl -lpthread
// RUN: %omp_run %t %t.so
// RUN: %omp_run --status SIGSYS %t %t.so forbidden
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"

static void need(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "failed: %s\n", what);
  _exit(1);
}

static void caught(int signal) {
  (void)signal;
  _exit(3);
}

static void forbid_announcement(void) {
  signal(SIGSYS, caught);
  need(filter_call_with(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
                        SECCOMP_RET_TRAP) == 0,
       "filter");
}

static void *rest(void *unused) {
  for (;;)
    pause();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  need(argc > 1 && pthread_create(&thread, NULL, rest, NULL) == 0, "thread");
  if (argc > 2)
    forbid_announcement();
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fprintf(stderr, "%s\n", dlerror());
  need(library != NULL, "library");
  long (*first_tasks)(void) = (long (*)(void))dlsym(library, "first_tasks");
  need(first_tasks != NULL, "symbol");
  // The call comes when a member first looks for another's tasks, and in a thread of its own.
  for (int round = 0; round < (argc > 2 ? 20000 : 3); round++, usleep(argc > 2 ? 1000 : 0))
    need(first_tasks() == 20, "all tasks ran");
  return 0;
}
