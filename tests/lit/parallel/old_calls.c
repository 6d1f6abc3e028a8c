/* old_calls.c - GOMP_parallel_start and GOMP_parallel_end, as gcc 4.4 to 4.8 called them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the calling convention of old binaries: the caller runs the body itself between the two
// calls. Team sizes, a struct in the caller's frame, nesting and worksharing inside.
// RUN: %omp_test
#include "check.h"

void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_end(void);

struct frame {
  long sum, loop;
  int size, seen[32];
};

static void body(void *data) {
  struct frame *frame = data;
  int me = omp_get_thread_num();
  CHECK_EQ(omp_get_num_threads(), frame->size);
  frame->seen[me]++;
#pragma omp atomic
  frame->sum += me;
#pragma omp barrier
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 30; i++)
#pragma omp atomic
    frame->loop += i;
}

static void call(unsigned request, int size) {
  struct frame frame = {0};
  frame.size = size;
  GOMP_parallel_start(body, &frame, request);
  body(&frame);
  GOMP_parallel_end();
  CHECK_EQ(frame.sum, (long)size * (size - 1) / 2);
  CHECK_EQ(frame.loop, 435);
  for (int i = 0; i < 32; i++)
    CHECK_EQ(frame.seen[i], i < size);
}

static void nested_body(void *data) {
  (void)data;
  CHECK_EQ(omp_get_level(), 1);
  for (int i = 0; i < 5; i++) {
    call(2, 2);
    call(3, 3);
  }
}

int main(void) {
  double end = check_seconds() + 1.5;
  for (int i = 0; i < 100 && check_seconds() < end; i++) {
    call(0, omp_get_max_threads());
    call(1, 1);
    call(1 + (unsigned)i % 5, 1 + i % 5);
    CHECK_EQ(omp_get_level(), 0);
  }
  omp_set_max_active_levels(2);
  GOMP_parallel_start(nested_body, NULL, 2);
  nested_body(NULL);
  GOMP_parallel_end();
  CHECK_EQ(omp_get_level(), 0);
  return 0;
}
