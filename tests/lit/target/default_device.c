/* default_device.c - omp_default_device in routines and clauses, other numbers that are no
 * device */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that omp_default_device, -5, means the default device for constructs and routines, that
// setting it changes nothing, and what is said of numbers that are no device.
// nanogomp-only: libgomp has omp_default_device from gcc 16 on.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
// RUN: env OMP_TARGET_OFFLOAD=disabled %omp_run %t
// RUN: %omp_run --status 1 %t invalid 2>&1 | %FileCheck %s
// CHECK: libgomp: omp_invalid_device encountered
#include "check.h"
#include <dlfcn.h>

enum { INITIAL = -1, INVALID = -4, DEFAULT = -5 };

extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);

static const char *(*uid_of)(int);
static void *(*mapped)(const void *, int);
static int (*accessible)(const void *, size_t, int);
static int runs_on;

static void body(void *p) {
  (void)p;
  runs_on = omp_get_device_num();
}

static void target(int device) {
  runs_on = -99;
  GOMP_target_ext(device, body, 0, NULL, NULL, NULL, 0, NULL, NULL);
}

static void means_the_host(int number) {
  char block[4] = "abc";
  omp_set_default_device(number);
  target(DEFAULT);
  CHECK_EQ(runs_on, 0);
  omp_set_default_device(DEFAULT);
  CHECK_EQ(omp_get_default_device(), number);
  CHECK(uid_of(DEFAULT) == uid_of(number));
  CHECK_STREQ(uid_of(DEFAULT), "OMP_INITIAL_DEVICE");
  CHECK_EQ(omp_target_is_present(block, DEFAULT), 1);
  CHECK(mapped(block, DEFAULT) == block);
  void *p = omp_target_alloc(8, DEFAULT);
  CHECK(p != NULL);
  CHECK_EQ(omp_target_memcpy(p, block, 4, 0, 0, DEFAULT, INITIAL), 0);
  CHECK(memcmp(p, block, 4) == 0);
  omp_target_free(p, DEFAULT);
  CHECK_EQ(omp_pause_resource(omp_pause_soft, DEFAULT), 0);
}

int main(int argc, char **argv) {
  (void)argv;
  *(void **)&uid_of = dlsym(RTLD_DEFAULT, "omp_get_uid_from_device");
  *(void **)&mapped = dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr");
  *(void **)&accessible = dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
  CHECK(uid_of && mapped && accessible);
  means_the_host(0);
  means_the_host(INITIAL);
  int x;
  int none[] = {1, 7, DEFAULT, -6, -7};
  omp_set_default_device(7);
  for (int i = 0; i < 5; i++) {
    CHECK_EQ(accessible(&x, sizeof x, none[i]), 0);
    CHECK(mapped(&x, none[i]) == NULL && uid_of(none[i]) == NULL);
    CHECK(omp_target_alloc(8, none[i]) == NULL);
    CHECK(omp_pause_resource(omp_pause_soft, none[i]) != 0);
  }
  target(DEFAULT);
  CHECK_EQ(runs_on, 0); /* no such device: the host */
  omp_set_default_device(INVALID);
  omp_set_default_device(DEFAULT);
  CHECK_EQ(omp_get_default_device(), INVALID);
  CHECK(uid_of(DEFAULT) == NULL);
  if (argc > 1)
    target(DEFAULT);
  return 0;
}
