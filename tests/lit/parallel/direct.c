/* direct.c - GOMP_parallel called directly: sizes and proc_bind flags */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks GOMP_parallel(fn, data, num_threads, flags) with each size request and each proc_bind
// value in the flags; the data pointer reaches every member unchanged.
// RUN: %omp_test
#include "check.h"

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);

static int want, count[32];
static void *want_data;

static void body(void *data) {
  CHECK(data == want_data);
  CHECK_EQ(omp_get_num_threads(), want);
  count[omp_get_thread_num()]++;
}

int main(void) {
  static const unsigned binds[] = {0, 2, 3, 4};
  int local;
  for (int round = 0; round < 40; round++) {
    for (unsigned b = 0; b < 4; b++) {
      unsigned request = (unsigned)(round % 9);
      want = request == 0 ? omp_get_max_threads() : (int)request;
      want_data = round % 2 ? &local : NULL;
      GOMP_parallel(body, want_data, request, binds[b]);
      for (int i = 0; i < 32; i++)
        CHECK_EQ(count[i], i < want);
      memset(count, 0, sizeof count);
    }
  }
  return 0;
}
