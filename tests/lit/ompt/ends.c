/* ends.c - OMPT: each thread tells its end before the tool is finalized */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool compares: as many thread_end as thread_begin, each by the thread that has begun. The
// ways to end: with workers that rest, of nested regions too; with more of them than the dynamic
// adjustment or the limit of threads allow; after a pause; by exit() of another thread, or of one
// that has never met OpenMP; after a region behind the end of main; with other threads of the
// program that have workers, all at rest; with one of these in a region, whose worker stays
// untold; in a child of fork().
// nanogomp-only: libgomp knows no tools
// REQUIRES: base
// REQUIRES: nanogomp
// UNSUPPORTED: emulated
// RUN: %omp_build %s -o %t
// RUN: %omp_build %S/Inputs/ends_tool.c -o %t.so -shared -fPIC -I%ompt
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t flat 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t nested 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t limited 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t pause 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t thread 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t stranger 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t late 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t others 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so NTH_MEMBERS=nano %omp_run %t others 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so OMP_WAIT_POLICY=active %omp_run %t others 2>&1 | %FileCheck %s
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t busy 2>&1 | %FileCheck %s -check-prefix=BUSY
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t fork 2>&1 | %FileCheck %s -check-prefix=FORK
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t inside 2>&1 | %FileCheck %s -check-prefix=INSIDE
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void region(int n) {
#pragma omp parallel num_threads(n)
  __asm__ volatile("");
}

static void nested(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
}

static void limited(void) {
  region(5);
  omp_set_dynamic(1);
  omp_set_max_active_levels(0);
}

static void *ends_all(void *unused) {
  region(3);
  exit(0);
  return unused;
}

static void *ends_none(void *unused) {
  exit(0);
  return unused;
}

static sem_t rests;

/* A thread that has workers and stays. */
static void *other(void *size) {
  region((int)(size_t)size);
  sem_post(&rests);
  pause();
  return 0;
}

static void *stays_inside(void *unused) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    sem_post(&rests);
    pause();
  }
  return unused;
}

static void others(bool busy) {
  pthread_t t;
  sem_init(&rests, 0, 0);
  region(2);
  for (size_t size = 2; size < 5; size++)
    CHECK_EQ(pthread_create(&t, 0, other, (void *)size), 0);
  if (busy)
    CHECK_EQ(pthread_create(&t, 0, stays_inside, 0), 0);
  for (int i = 0; i < (busy ? 5 : 3); i++)
    sem_wait(&rests);
}

static void late(void) { region(4); }

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  puts("the program runs");
  fflush(stdout);
  if (!strcmp(how, "flat"))
    region(4);
  if (!strcmp(how, "nested"))
    nested();
  if (!strcmp(how, "limited"))
    limited();
  if (!strcmp(how, "pause")) {
    region(3);
    omp_pause_resource_all(omp_pause_soft);
    region(2);
  }
  if (!strcmp(how, "thread")) {
    pthread_t t;
    pthread_create(&t, 0, ends_all, 0); /* the initial thread lives and has no workers */
    pthread_join(t, 0);
  }
  if (!strcmp(how, "stranger")) {
    pthread_t t;
    region(3);
    pthread_create(&t, 0, ends_none, 0);
    pthread_join(t, 0);
  }
  if (!strcmp(how, "late")) {
    region(2);
    atexit(late);
  }
  if (!strcmp(how, "others") || !strcmp(how, "busy"))
    others(!strcmp(how, "busy"));
  if (!strcmp(how, "fork")) {
    region(3);
    pid_t child = fork();
    if (child == 0) {
      region(2);
      return 0;
    }
    waitpid(child, 0, 0);
  }
  if (!strcmp(how, "inside")) {
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
      if (omp_get_thread_num() == 0)
        exit(0);
    }
  }
  return 0;
}

// CHECK: the program runs
// CHECK-NOT: other thread
// CHECK: finalize: {{[1-9][0-9]*}} workers began, 0 did not end
// BUSY: the program runs
// BUSY-NOT: other thread
// BUSY: finalize: 8 workers began, 1 did not end
// The child has lost the two workers that it does not have.
// FORK: the program runs
// FORK-NOT: other thread
// FORK: finalize: 3 workers began, 2 did not end
// FORK: finalize: 2 workers began, 0 did not end
// INSIDE: the program runs
// INSIDE: finalize: 1 workers began, 1 did not end
