/* async.c - OpenACC: queues of the host device */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that what was put into a queue has ended, by test and wait of every kind of queue, in each
// member of a region that has used the device.
// RUN: %acc_test
#include <openacc.h>

#include "check.h"

static void each_queue(void) {
  static const int queues[] = {0, 1, 7, 99999, acc_async_noval, acc_async_sync};
  for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
    int x = 0;
#pragma acc parallel copy(x) async(queues[i])
    x = 1;
    CHECK_EQ(acc_async_test(queues[i]), 1);
    CHECK_EQ(acc_async_test_all(), 1);
    CHECK_EQ(x, 1);
    acc_wait(queues[i]);
    acc_async_wait(queues[i]);
    acc_wait_async(queues[i], 3);
    acc_wait_all_async(queues[i]);
#pragma acc wait(queues[i])
#pragma acc wait(queues[i]) async(4)
#pragma acc wait async(queues[i])
  }
  acc_wait_all();
  acc_async_wait_all();
}

int main(void) {
  each_queue();
#pragma omp parallel
  each_queue();
  return 0;
}
