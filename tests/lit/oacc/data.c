/* data.c - OpenACC: data functions on a device that shares the host's memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that every function keeps addresses and values, that copies copy, and what is present.
// REQUIRES: base
// RUN: %acc_test
#include <openacc.h>

#include "check.h"

static int a[10] = {1, 2, 3}, b[10] = {7, 8, 9};

static void lifetimes(void) {
  CHECK(acc_copyin(a, sizeof a) == a);
  CHECK(acc_present_or_copyin(a, sizeof a) == a);
  CHECK(acc_pcopyin(a, 4) == a);
  CHECK(acc_create(a + 1, 4) == a + 1);
  CHECK(acc_present_or_create(a, 4) == a);
  CHECK(acc_pcreate(a, 4) == a);
  acc_copyin_async(a, 4, 1);
  acc_create_async(a, 4, acc_async_noval);
  acc_copyout(a, sizeof a);
  acc_copyout_async(a, 4, acc_async_sync);
  acc_copyout_finalize(b, 4); /* never entered */
  acc_copyout_finalize_async(a, 4, 2);
  acc_delete(a, 4);
  acc_delete_async(a, 4, 2);
  acc_delete_finalize(0, 0);
  acc_delete_finalize_async(a, 4, 2);
  acc_update_device(a, 4);
  acc_update_device_async(a, 4, 3);
  acc_update_self(a, 4);
  acc_update_self_async(0, 0, 3);
  CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3);
}

static void presence(void) {
  CHECK_EQ(acc_is_present(b, 4), 1);
  CHECK_EQ(acc_is_present(b, 0), 0);
  CHECK_EQ(acc_is_present(0, 4), 0);
  CHECK(acc_deviceptr(a) == a);
  CHECK(acc_hostptr(a) == a);
  CHECK(!acc_deviceptr(0));
  acc_map_data(a, a, sizeof a);
  acc_unmap_data(a);
  acc_unmap_data(b);
}

static void memory(void) {
  int *m = acc_malloc(sizeof a);
  CHECK(m);
  acc_memcpy_to_device(m, a, sizeof a);
  CHECK(!memcmp(m, a, sizeof a));
  m[0] = 55;
  acc_memcpy_from_device(a, m, 4);
  CHECK_EQ(a[0], 55);
  acc_memcpy_to_device_async(m + 1, b, 8, 4);
  acc_wait(4);
  CHECK(m[1] == 7 && m[2] == 8);
  acc_memcpy_from_device_async(a + 1, m + 1, 8, acc_async_noval);
  acc_wait_all();
  CHECK(a[1] == 7 && a[2] == 8);
  acc_memcpy_to_device(m, m, 4);
  acc_free(m);
  acc_free(0);
  CHECK(!acc_malloc(0));
}

static void pointers(void) {
  struct {
    int *x;
  } s = {a};
  acc_attach((void **)&s.x);
  acc_attach_async((void **)&s.x, 1);
#pragma acc parallel present(s) copy(a)
  s.x[9] = 99;
  acc_detach((void **)&s.x);
  acc_detach_async((void **)&s.x, 1);
  acc_detach_finalize((void **)&s.x);
  acc_detach_finalize_async((void **)&s.x, acc_async_sync);
  CHECK(s.x == a);
  CHECK_EQ(a[9], 99);
}

int main(void) {
  lifetimes();
  presence();
  memory();
  pointers();
  return 0;
}
