/* data.c - map, firstprivate, target data and update: what is shared with the host, what is
 * copied */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that mapped objects are the host's own, firstprivate objects are copies at their alignment
// (scalars, structures, arrays, VLAs, megabytes), and that target data, enter, exit, update,
// use_device_ptr, use_device_addr, is_device_ptr and if(0) leave addresses alone.
// RUN: %omp_test
#include "check.h"

typedef struct {
  char c;
  double d[3];
} plain;
typedef struct {
  _Alignas(64) int x;
  short s[50];
} aligned;

#pragma omp declare target
static int global = 3;
static int twice(int x) { return 2 * x * global; }
#pragma omp end declare target

static void firstprivates(int n) {
  char one = 1;
  short two = 2;
  long long eight = 1LL << 40;
  long double wide = 2.5L;
  plain p = {'p', {1, 2, 3}};
  aligned a = {.x = 9, .s = {[49] = 4}};
  int vla[n];
  for (int i = 0; i < n; i++)
    vla[i] = i;
  void *where[3] = {&p, &a, vla};
#pragma omp target firstprivate(one, two, eight, wide, p, a, vla) map(to : where)
  {
    CHECK_EQ(one, 1);
    CHECK_EQ(two, 2);
    CHECK_EQ(eight, 1LL << 40);
    CHECK(wide == 2.5L);
    CHECK(p.c == 'p' && p.d[2] == 3);
    CHECK(a.x == 9 && a.s[49] == 4);
    CHECK_EQ(vla[n - 1], n - 1);
    CHECK((void *)&p != where[0] && (void *)&a != where[1] && (void *)vla != where[2]);
    CHECK_EQ((uintptr_t)&a % 64, 0);
    CHECK_EQ((uintptr_t)&wide % _Alignof(long double), 0);
    one = 0, two = 0, eight = 0, p.c = 0, a.x = 0;
    memset(vla, 0, (size_t)n * sizeof *vla);
  }
  CHECK(one == 1 && two == 2 && eight == 1LL << 40 && p.c == 'p' && a.x == 9);
  for (int i = 0; i < n; i++)
    CHECK_EQ(vla[i], i);
}

static char big[4 << 20];

static void big_firstprivate(void) {
  big[sizeof big - 1] = 5;
  char copy[1 << 20];
  copy[sizeof copy - 1] = 6;
#pragma omp target firstprivate(big, copy)
  {
    CHECK_EQ(big[sizeof big - 1], 5);
    CHECK_EQ(copy[sizeof copy - 1], 6);
    memset(big, 1, sizeof big);
    memset(copy, 1, sizeof copy);
  }
  CHECK_EQ(big[0], 0);
  CHECK_EQ(copy[sizeof copy - 1], 6);
}

static void maps(void) {
  int x = 1, array[10] = {0}, *heap = calloc(20, sizeof *heap), *nothing = NULL;
  struct {
    int *p;
    int n;
  } s = {heap, 20};
#pragma omp target map(tofrom : x, array[2 : 5]) map(heap[5 : 10])
  {
    x = 2;
    array[3] = 3;
    heap[7] = 7;
  }
  CHECK(x == 2 && array[3] == 3 && heap[7] == 7);
#pragma omp target map(tofrom : s, s.p[ : s.n]) map(nothing[ : 0])
  {
    s.p[19] = 19;
    CHECK(nothing == NULL);
  }
  CHECK_EQ(heap[19], 19);
#pragma omp target map(always, to : x) map(alloc : array) defaultmap(tofrom : scalar)
  x = twice(x);
  CHECK_EQ(x, 12);
#pragma omp target if (0) map(x) device(0)
  x = twice(1);
  CHECK_EQ(x, 6);
  global = 4;
#pragma omp target update to(global)
#pragma omp target map(x)
  x = twice(1);
  CHECK_EQ(x, 8);
  global = 3;
  free(heap);
}

static void data(void) {
  int array[8] = {0}, *p = array, n = 1;
#pragma omp target data map(tofrom : array)
  {
#pragma omp target data use_device_ptr(p) use_device_addr(array)
    CHECK(p == array);
#pragma omp target map(array)
    array[0] = 1;
    CHECK_EQ(array[0], 1);
    array[1] = 5;
#pragma omp target update to(array[1 : 2]) if (n)
#pragma omp target map(array)
    array[2] = array[1];
#pragma omp target update from(array)
    CHECK_EQ(array[2], 5);
  }
#pragma omp target enter data map(to : p[0 : 8])
#pragma omp target is_device_ptr(p)
  p[3] = 8;
#pragma omp target has_device_addr(array)
  array[4] = 9;
#pragma omp target exit data map(from : p[0 : 8])
#pragma omp target exit data map(delete : p[0 : 8])
  CHECK(array[3] == 8 && array[4] == 9);
#pragma omp target data map(array) if (0)
  array[5] = 1;
  CHECK_EQ(array[5], 1);
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    firstprivates(5 + i);
    big_firstprivate();
    maps();
    data();
  }
#pragma omp parallel
  {
    firstprivates(1 + omp_get_thread_num());
    data();
  }
  return 0;
}
