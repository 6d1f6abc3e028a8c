/* depend_direct.c - GOMP_task and GOMP_taskwait_depend with arrays of every form */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the old array, one address in several items of one task with kinds in every order,
// omp_all_memory, inoutset, taskwait depend nowait.
// nanogomp-only: libgomp 12 has neither all memory, inoutset nor nowait.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
               void **, int, void *);
void GOMP_taskwait_depend(void **);
__attribute__((weak)) void GOMP_taskwait_depend_nowait(void **); /* not in gcc 12's library */
enum { DEPEND = 8, KINDS = 4 };
enum { OUT = 2, MUTEX = 4, IN = 1, SET = 5 };
static const int kinds[KINDS] = {OUT, MUTEX, IN, SET};

/* Each task notes when it began and ended. */
static _Atomic(int) now;
struct note {
  int begin, end;
};
static struct note note[64];
static char x, y;
#define P(n) ((void *)(uintptr_t)(n))

static void body(void *data) {
  struct note *n = *(struct note **)data;
  n->begin = ++now;
  check_busy(300);
  n->end = ++now;
}
static void task(int i, void **depend) {
  struct note *n = &note[i];
  *n = (struct note){0, 0};
  GOMP_task(body, &n, 0, sizeof n, sizeof n, true, depend ? DEPEND : 0, depend, 0, 0);
}
static void after(int later, int earlier) {
  CHECK(note[earlier].end > 0 && note[later].begin > note[earlier].end);
}

/* The array of up to 4 items, each an address with a kind; inoutset, or with `objects` all kinds,
 * as depend objects. */
struct item {
  void *address;
  int kind;
};
static void *array[16];
static uintptr_t object[8][2];
static void **make(int count, const struct item *item, bool objects) {
  int at = 5;
  array[0] = 0;
  array[1] = P(count);
  for (int k = 0; k < KINDS; k++) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (!objects && kinds[k] != SET && item[i].kind == kinds[k]) {
        array[at++] = item[i].address;
        found++;
      }
    }
    if (k < 3)
      array[2 + k] = P(found);
  }
  for (int i = 0; i < count; i++) {
    if (objects || item[i].kind == SET) {
      object[i][0] = (uintptr_t)item[i].address;
      object[i][1] = (uintptr_t)(item[i].kind == OUT && i % 2 ? 3 : item[i].kind);
      array[at++] = object[i];
    }
  }
  return array;
}

static void old_array(void) {
  void *out[] = {P(1), P(1), &x}, *in[] = {P(1), P(0), &x}, *both[] = {P(2), P(1), &y, &x};
  task(0, out);
  task(1, in);
  task(2, both);
  task(3, out);
  void *last[] = {P(2), P(2), &x, &y};
  GOMP_taskwait_depend(last);
  after(1, 0);
  after(2, 0);
  after(3, 1);
  after(3, 2);
#pragma omp taskwait
}

/* before: writes x. middle: x two or three times. behind: x in each way. */
static void duplicates(void) {
  for (int a = 0; a < KINDS; a++) {
    for (int b = 0; b < KINDS; b++) {
      for (int c = 0; c < KINDS; c++) {
        for (int behind = 0; behind < KINDS; behind++) {
          struct item before[] = {{&x, OUT}};
          struct item middle[] = {{&x, kinds[a]}, {&x, kinds[b]}, {&y, OUT}, {&x, kinds[c]}};
          struct item last[] = {{&x, kinds[behind]}};
          bool objects = (a + b + c) % 2;
          task(0, make(1, before, objects));
          task(1, make(4, middle, objects));
          task(2, make(1, last, objects));
          task(3, make(1, before, false));
#pragma omp taskwait
          after(1, 0);
          after(2, 0);
          after(3, 1);
          after(3, 2);
          /* alike only: they may run together, and exclude each other */
          if (a != b || b != c || a != behind || kinds[a] == OUT)
            after(2, 1);
          if (kinds[behind] == MUTEX)
            CHECK(note[2].begin > note[1].end || note[1].begin > note[2].end);
        }
      }
    }
  }
}

static void all_memory(void) {
  struct item all[] = {{0, OUT}}, ix[] = {{&x, IN}}, oy[] = {{&y, OUT}};
  struct item mixed[] = {{0, OUT}, {&x, IN}, {&y, MUTEX}, {&x, OUT}};
  for (int round = 0; round < 4; round++) {
    task(0, make(1, ix, false));
    task(1, make(1, oy, false));
    task(2, make(round % 2 ? 4 : 1, round % 2 ? mixed : all, round / 2));
    task(3, make(1, ix, false));
    task(4, make(1, oy, false));
    task(5, make(1, all, true));
    task(6, make(1, all, false));
    for (int i = 7; i < 60; i++)
      task(i, make(1, (struct item[]){{(char *)note + i, kinds[i % KINDS]}}, false));
    task(60, make(1, all, false));
    GOMP_taskwait_depend(make(1, all, false));
    after(2, 0);
    after(2, 1);
    after(3, 2);
    after(4, 2);
    after(5, 3);
    after(5, 4);
    after(6, 5);
    for (int i = 7; i < 60; i++) {
      after(i, 6);
      after(60, i);
    }
    if (round % 2) {
#pragma omp taskwait
    }
  }
#pragma omp taskwait
}

static void inoutset(void) {
  struct item set[] = {{&x, SET}}, in[] = {{&x, IN}}, out[] = {{&x, OUT}};
  task(0, make(1, out, false));
  task(1, make(1, set, false));
  task(2, make(1, set, false));
  task(3, make(1, in, false));
  task(4, make(1, in, false));
  task(5, make(1, set, false));
  task(6, make(1, out, false));
#pragma omp taskwait
  for (int a = 1; a <= 2; a++) {
    after(a, 0);
    after(3, a);
    after(4, a);
  }
  after(5, 3);
  after(5, 4);
  after(6, 5);
}

static void nowait(void) {
  struct item ox[] = {{&x, OUT}}, through[] = {{&x, IN}, {&y, OUT}}, iy[] = {{&y, IN}};
  task(0, make(1, ox, false));
  GOMP_taskwait_depend_nowait(make(2, through, false));
  task(1, make(1, iy, false));
#pragma omp taskwait
  after(1, 0);
  GOMP_taskwait_depend_nowait(make(2, through, false));
  task(0, make(1, ox, false));
  GOMP_taskwait_depend_nowait(make(2, through, true));
  GOMP_taskwait_depend(make(1, iy, false));
  CHECK(note[0].end > 0);
#pragma omp task final(1)
  {
    task(2, make(1, ox, false));
    GOMP_taskwait_depend_nowait(make(2, through, false));
    task(3, make(1, iy, false));
  }
#pragma omp taskwait
  after(3, 2);
}

static void nothing(void) {
  void *none[] = {P(0), P(0), P(0), P(0), P(0)};
  task(0, none);
  GOMP_taskwait_depend(none);
  GOMP_taskwait_depend_nowait(none);
#pragma omp taskwait
  CHECK(note[0].end > 0);
}

static void all(void) {
  old_array();
  duplicates();
  all_memory();
  inoutset();
  nowait();
  nothing();
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(20) + 1; round++) {
#pragma omp parallel
#pragma omp single
    all();
    all();
  }
  return 0;
}
