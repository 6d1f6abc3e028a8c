/* oacc_async.c - OpenACC's queues on the host, where each operation ends before its call returns
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.9 to 3.2.14 and A.2. A queue is a number from 0 on, acc_async_noval or
 * acc_async_sync. Another number ends the program; so does a test or wait for a queue in a thread
 * that has not used the device.
 *
 * acc_async_test      whether all operations of a queue have ended: 1. 3.2.9
 * acc_async_test_all  whether all operations of all queues have ended: 1. 3.2.10
 * acc_wait            returns when all operations of a queue have ended. 3.2.11
 * acc_wait_async      queue `async` goes on after what queue `wait` holds now. 3.2.12
 * acc_wait_all        returns when all operations of all queues have ended. 3.2.13
 * acc_wait_all_async  queue `async` goes on after what all queues hold now. 3.2.14
 * acc_async_wait,     names of OpenACC 1.0 for acc_wait and acc_wait_all
 * acc_async_wait_all
 *
 * acc_get_current_cuda_device,   CUDA's objects for the current device and for a queue; NULL: the
 * acc_get_current_cuda_context,  host has none, whatever the queue's number. A.2.1
 * acc_get_cuda_stream
 * acc_set_cuda_stream            gives a queue a stream of CUDA's: -1: it was not taken; 0: stream
 *                                is NULL, or there is no such queue. A.2.1
 */
#include "abi_protos.h"

#include "abi/oacc_check.h"

int acc_async_test(int async) {
  nth_oacc_check_queue(async);
  return 1;
}

int acc_async_test_all(void) {
  nth_oacc_check_queue(acc_async_sync);
  return 1;
}

void acc_wait(int async) { nth_oacc_check_queue(async); }

void acc_async_wait(int async) { nth_oacc_check_queue(async); }

/* `async` may be any number here. */
void acc_wait_async(int wait, int async) {
  (void)async;
  nth_oacc_check_queue(wait);
}

/* A thread that has not used the device has nothing to wait for, so nothing is checked here. */
void acc_wait_all(void) {}

void acc_async_wait_all(void) {}

void acc_wait_all_async(int async) { nth_oacc_check_queue(async); }

void *acc_get_current_cuda_device(void) { return 0; }

void *acc_get_current_cuda_context(void) { return 0; }

void *acc_get_cuda_stream(int async) {
  (void)async;
  return 0;
}

int acc_set_cuda_stream(int async, void *stream) {
  return stream && async >= acc_async_sync ? -1 : 0;
}
