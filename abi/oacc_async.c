/* oacc_async.c - OpenACC's queues on the host: what was put into one has ended
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.9 to 3.2.14 and A.2. A queue is a number from 0 on, acc_async_noval or
 * acc_async_sync; another one ends the program, as does a test or wait for a queue in a thread that
 * has not used the device.
 */
#include "abi_protos.h"

#include "abi/oacc_check.h"

/* Whether all operations of the queue have ended: 1. */
int acc_async_test(int async) {
  nth_oacc_check_queue(async);
  return 1;
}

int acc_async_test_all(void) {
  nth_oacc_check_queue(acc_async_sync);
  return 1;
}

/* Waits for a queue. */
void acc_wait(int async) {
  nth_oacc_check_queue(async);
}

/* The name of OpenACC 1.0. */
void acc_async_wait(int async) {
  nth_oacc_check_queue(async);
}

/* Queue `async` goes on after what queue `wait` holds now; `async` may be any number here. */
void acc_wait_async(int wait, int async) {
  (void)async;
  nth_oacc_check_queue(wait);
}

/* Waits for all queues. A thread that has not used the device has none to wait for. */
void acc_wait_all(void) {}

/* The name of OpenACC 1.0. */
void acc_async_wait_all(void) {}

void acc_wait_all_async(int async) {
  nth_oacc_check_queue(async);
}

/* CUDA's objects behind a device: the host has none. */
void *acc_get_current_cuda_device(void) {
  return 0;
}

void *acc_get_current_cuda_context(void) {
  return 0;
}

void *acc_get_cuda_stream(int async) {
  (void)async;
  return 0;
}

/* -1: the stream was not taken; 0: there was none, or no such queue. */
int acc_set_cuda_stream(int async, void *stream) {
  return stream && async >= acc_async_sync ? -1 : 0;
}
