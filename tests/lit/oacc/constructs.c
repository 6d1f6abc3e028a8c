/* constructs.c - OpenACC: compute and data constructs on the host device */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks results of parallel, serial and kernels with every data clause, loops of every level,
// reductions, queues, if(false), and that a construct in an OpenMP region belongs to its thread.
// RUN: %acc_test
#include <openacc.h>

#include "check.h"

enum { N = 1000 };
static int a[N], b[N];
static int queue = 5;
static int declared[4];
#pragma acc declare create(declared)

static void fill(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 0;
  }
}

static void compute(void) {
  fill();
  int sum = 0, most = -1;
#pragma acc parallel loop gang worker vector copyin(a) copyout(b) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    b[i] = 2 * a[i];
    sum += a[i];
  }
#pragma acc serial loop copy(b) reduction(max : most)
  for (int i = 0; i < N; i++) {
    b[i] += 1;
    most = b[i] > most ? b[i] : most;
  }
#pragma acc kernels loop independent copy(b)
  for (int i = 0; i < N; i++)
    b[i] += 1;
  CHECK_EQ(sum, N * (N - 1) / 2);
  CHECK_EQ(most, 2 * (N - 1) + 1);
  for (int i = 0; i < N; i++)
    CHECK_EQ(b[i], 2 * i + 2);
}

static void privacy(void) {
  int x = 3, y = 4, z = 5;
  long sum = 0;
#pragma acc parallel num_gangs(1) firstprivate(x) private(y) copy(z)
  {
    y = x + 1;
    x = 77;
    z = y + 1;
  }
  CHECK_EQ(x, 3);
  CHECK_EQ(y, 4);
  CHECK_EQ(z, 5);
#pragma acc parallel loop collapse(2) reduction(+ : sum)
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 20; j++)
      sum += i * 20 + j;
  CHECK_EQ(sum, 600 * 599 / 2);
}

static void queues(void) {
  fill();
  volatile int off = 0;
  for (int step = 0; step < 3; step++) {
#pragma acc parallel loop copy(b) async(queue) wait(1, 2) num_gangs(4) num_workers(2)
    for (int i = 0; i < N; i++)
      b[i] += 1;
#pragma acc parallel loop copy(b) async if (off)
    for (int i = 0; i < N; i++)
      b[i] += 1;
  }
#pragma acc wait(5) async(6)
#pragma acc wait(5, 6)
#pragma acc wait async
#pragma acc wait
  for (int i = 0; i < N; i++)
    CHECK_EQ(b[i], 6);
}

static void data(void) {
  fill();
  volatile int off = 0;
  int *device = 0;
#pragma acc enter data copyin(a) create(b) async(1) wait(2)
#pragma acc data copyin(a) copyout(b) if (!off)
  {
#pragma acc data present(a) if (off)
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
      b[i] = a[i] + 1;
#pragma acc host_data use_device(b)
    device = b;
#pragma acc update self(b) async(3)
#pragma acc update device(a) if_present wait(3)
  }
#pragma acc exit data copyout(b) delete(a) finalize
  CHECK(device == b);
  CHECK_EQ(acc_is_present(a, sizeof a), 1);
  for (int i = 0; i < N; i++)
    CHECK_EQ(b[i], i + 1);
}

static int in_declared(int x) {
  int local[4];
#pragma acc declare create(local)
#pragma acc parallel present(local, declared)
  {
    local[0] = x;
    declared[0] = local[0] + 1;
  }
#pragma acc update self(declared)
  return declared[0];
}

static void by_member(int member) {
  int within = -1, level = -1;
#pragma acc parallel copyout(within, level)
  {
    within = omp_get_thread_num();
    level = omp_get_level();
  }
  CHECK_EQ(within, member);
  CHECK_EQ(level, 1);
}

int main(void) {
  compute();
  privacy();
  queues();
  data();
  CHECK_EQ(in_declared(41), 42);
#pragma omp parallel
  by_member(omp_get_thread_num());
  return 0;
}
