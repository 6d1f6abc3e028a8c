/* noted.c - GOMP_add_alloc, GOMP_is_alloc: what gfortran -fopenmp-allocators calls */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a noted pointer is found once, others never, with many pointers and many threads; and
// in children of fork() beside threads that note pointers.
// nanogomp-only: libgomp 12 has no such entries.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated
// RUN: %omp_test
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*GOMP_add_alloc)(void *);
static bool (*GOMP_is_alloc)(void *);

/* Pointers that are noted stay so in the child. */
static void note_and_take(uintptr_t first) {
  enum { COUNT = 200 };
  for (uintptr_t i = 0; i < COUNT; i++)
    GOMP_add_alloc((void *)(first + 16 * i));
  for (uintptr_t i = 0; i < COUNT; i++)
    CHECK(GOMP_is_alloc((void *)(first + 16 * i)) && !GOMP_is_alloc((void *)(first + 16 * i)));
}

static atomic_int over;

static void *beside(void *p) {
  while (!atomic_load(&over))
    note_and_take((uintptr_t)p);
  return p;
}

static void forks(void) {
  pthread_t thread[2];
  for (uintptr_t i = 0; i < 2; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, beside, (void *)(0x1000000 * (i + 1))), 0);
  for (int turn = 0; turn < CHECK_TIMES(300); turn++) {
    GOMP_add_alloc(&over);
    pid_t pid = fork();
    if (pid == 0) {
      bool known = GOMP_is_alloc(&over);
      note_and_take(0x5000000);
      _exit(known ? 0 : 9);
    }
    int status = 0;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    CHECK(GOMP_is_alloc(&over));
  }
  atomic_store(&over, 1);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
}

int main(void) {
  *(void **)&GOMP_add_alloc = dlsym(RTLD_DEFAULT, "GOMP_add_alloc");
  *(void **)&GOMP_is_alloc = dlsym(RTLD_DEFAULT, "GOMP_is_alloc");
  CHECK(GOMP_add_alloc && GOMP_is_alloc);
  CHECK(!GOMP_is_alloc(NULL) && !GOMP_is_alloc(&(int){0}));
  GOMP_add_alloc(NULL);
  CHECK(!GOMP_is_alloc(NULL));
#pragma omp parallel num_threads(16)
  {
    enum { COUNT = 300 };
    void *p[COUNT];
    for (int turn = 0; turn < CHECK_TIMES(30); turn++) {
      for (int i = 0; i < COUNT; i++) {
        p[i] = i % 2 ? omp_alloc(8, omp_default_mem_alloc) : malloc(8);
        CHECK(p[i]);
        if (i % 2)
          GOMP_add_alloc(p[i]);
      }
      for (int k = 0; k < COUNT; k++) {
        int i = k * 7 % COUNT;
        CHECK_EQ(GOMP_is_alloc(p[i]), i % 2);
        CHECK(!GOMP_is_alloc(p[i]));
        if (i % 2)
          omp_free(p[i], omp_null_allocator);
        else
          free(p[i]);
      }
    }
  }
  forks();
  return 0;
}
