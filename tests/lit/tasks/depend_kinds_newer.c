/* depend_kinds_newer.c - depend: omp_all_memory, inoutset, taskwait nowait, as later compilers pass
 * them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, with depend objects and arrays of the test's own making, that a task on omp_all_memory
// comes after all earlier siblings with dependences and before all later ones, in every form of the
// array; that tasks of an inoutset run side by side, apart from all other kinds; and that taskwait
// nowait passes its dependences on without waiting.
// nanogomp-only: libgomp 12 has no GOMP_taskwait_depend_nowait, no omp_all_memory and no inoutset.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
#include "check.h"
#include <dlfcn.h>

enum { IN = 1, OUT, INOUT, MUTEX, INOUTSET, N = 8 };

/* Objects named in depend clauses only, a use that gcc 12's warning does not see. */
#define IN_CLAUSES __attribute__((unused))

static void (*taskwait_nowait)(void **);
extern void GOMP_taskwait_depend(void **);

/* address NULL: omp_all_memory */
static omp_depend_t object_of(void *address, uintptr_t kind) {
  void *words[2] = {address, (void *)kind};
  omp_depend_t object;
  memcpy(&object, words, sizeof object);
  return object;
}

static void slow(int *p, int value) {
  check_busy(1000);
  *p = value;
}

/* One task for each kind, on an object of its own. */
static void one_of_each(int *a, int round) {
  IN_CLAUSES omp_depend_t set = object_of(&a[4], INOUTSET);
#pragma omp task depend(in : a[0])
  slow(&a[0], round);
#pragma omp task depend(out : a[1])
  slow(&a[1], round);
#pragma omp task depend(inout : a[2])
  slow(&a[2], round);
#pragma omp task depend(mutexinoutset : a[3])
  slow(&a[3], round);
#pragma omp task depend(depobj : set)
  slow(&a[4], round);
}

static void all_are(const int *a, int value) {
  for (int i = 0; i < 5; i++)
    CHECK_EQ(a[i], value);
}

static void set_all(int *a, int value) {
  for (int i = 0; i < 5; i++)
    a[i] = value;
}

static void all_memory(int *a, bool deferred) {
  IN_CLAUSES omp_depend_t out = object_of(NULL, OUT), inout = object_of(NULL, INOUT);
  int without = 0;
  for (int round = 1; round < 30; round += 3) {
#pragma omp task shared(without)
    {
      check_busy(3000);
#pragma omp atomic
      without++;
    }
    one_of_each(a, round);
#pragma omp task depend(depobj : out) if (deferred)
    {
      all_are(a, round);
      set_all(a, round + 1);
    }
#pragma omp task depend(in : a[1])
    CHECK_EQ(a[1], round + 1);
#pragma omp task depend(inout : a[0])
    {
      CHECK_EQ(a[0], round + 1);
      slow(&a[0], round + 2);
    }
#pragma omp task depend(inout : a[5]) depend(depobj : inout) depend(in : a[0]) if (deferred)
    {
      CHECK_EQ(a[0], round + 2);
      a[0] = round + 1;
      all_are(a, round + 1);
      set_all(a, round + 2);
    }
#pragma omp task depend(depobj : inout) depend(depobj : out) if (deferred)
    all_are(a, round + 2);
  }
#pragma omp taskwait
  CHECK_EQ(without, 10);
}

/* taskwait depend(out: omp_all_memory) in both formats of the array, among other addresses. */
static void waits(int *a) {
  void *old[] = {(void *)2, (void *)2, &a[6], NULL};
  void *newer[] = {NULL, (void *)3, (void *)1, (void *)1, (void *)1, NULL, &a[6], &a[7]};
  void **arrays[] = {old, newer};
  for (int round = 1; round < 20; round++) {
    one_of_each(a, round);
    GOMP_taskwait_depend(arrays[round % 2]);
    all_are(a, round);
    one_of_each(a, -round);
    taskwait_nowait(arrays[round % 2]);
#pragma omp taskwait depend(in : a[7])
    all_are(a, -round);
  }
}

/* Between tasks of other kinds; the tasks of one set need each other to go on. */
static void sets(int *a, int threads) {
  int side_by_side = threads < 3 ? threads : 3;
  IN_CLAUSES omp_depend_t set = object_of(a, INOUTSET), other = object_of(&a[1], INOUTSET);
  int count = 0, here = 0;
  for (int round = 0; round < 12; round++) {
#pragma omp task depend(inout : a[0])
    slow(&a[0], round);
    for (int i = 0; i < side_by_side; i++) {
#pragma omp task shared(count, here) depend(depobj : set) depend(depobj : other)
      {
        CHECK_EQ(a[0], round);
#pragma omp atomic
        here++;
        CHECK_WAIT_UNTIL(__atomic_load_n(&here, __ATOMIC_ACQUIRE) >= (round + 1) * side_by_side);
#pragma omp atomic
        count++;
      }
    }
#pragma omp task shared(count) depend(in : a[0]) depend(in : a[1])
    CHECK_EQ(count, (round + 1) * side_by_side);
#pragma omp task shared(count) depend(mutexinoutset : a[0])
    CHECK_EQ(count, (round + 1) * side_by_side);
  }
#pragma omp taskwait
}

/* A chain of taskwaits that nobody waits for. */
static void chain(int *a) {
  void *in[] = {(void *)1, (void *)0, a}, *out[] = {(void *)2, (void *)2, a, &a[1]};
  for (int round = 0; round < 20; round++) {
    taskwait_nowait(in);
    taskwait_nowait(in);
    for (int i = 0; i < N; i++)
#pragma omp task depend(in : a[0])
      slow(&a[i], round);
    taskwait_nowait(out);
    taskwait_nowait(out);
#pragma omp taskwait depend(inout : a[1])
    for (int i = 0; i < N; i++)
      CHECK_EQ(a[i], round);
#pragma omp taskgroup
    taskwait_nowait(in);
  }
}

static void all(void) {
  int a[N];
  memset(a, 0, sizeof a);
  all_memory(a, true);
  all_memory(a, false);
  waits(a);
  chain(a);
}

int main(void) {
  void *address = dlsym(RTLD_DEFAULT, "GOMP_taskwait_depend_nowait");
  CHECK(address != NULL);
  memcpy(&taskwait_nowait, &address, sizeof taskwait_nowait);
  all();
#pragma omp parallel
#pragma omp single
  all();
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    int a[N] = {0};
    sets(a, omp_get_num_threads());
  }
#pragma omp parallel num_threads(3)
#pragma omp masked
  all();
  return 0;
}
