/* present.c - what omp_target_is_present and its kin say of NULL, of size 0 and of each device
 * number */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks omp_target_is_present, omp_target_is_accessible and omp_get_mapped_ptr for every pair of
// pointer and size and all kinds of device numbers, with every default device and with mandatory
// offloading; NULL and size 0 are answered before the number is looked at. And omp_target_memset
// and omp_target_memcpy_rect where there is nothing to write.
// nanogomp-only: the answers are libgomp 16's; libgomp 12 has one of the three routines, and in it
// NULL is present.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t 0
// RUN: env OMP_DEFAULT_DEVICE=0 %omp_run %t 0
// RUN: env OMP_DEFAULT_DEVICE=3 %omp_run %t 3
// RUN: env OMP_TARGET_OFFLOAD=disabled OMP_DEFAULT_DEVICE=3 %omp_run %t 3
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run %t mandatory
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=0 %omp_run %t mandatory
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=3 %omp_run %t mandatory
// RUN: %omp_run --status 1 %t present -4 2>&1 | %FileCheck %s -check-prefix=INVALID
// RUN: %omp_run --status 1 %t accessible -4 2>&1 | %FileCheck %s -check-prefix=INVALID
// RUN: %omp_run --status 1 %t mapped -4 2>&1 | %FileCheck %s -check-prefix=INVALID
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t accessible 1 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=1 %omp_run --status 1 \
// RUN:   %t accessible -5 2>&1 | %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t accessible -5 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t mapped -4 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t present -2 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// INVALID: libgomp: omp_invalid_device encountered
// NOT: libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but device not found
// ONLY: libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available
#include "check.h"
#include <dlfcn.h>
#include <limits.h>

static int (*accessible)(const void *, size_t, int);
static void *(*mapped)(const void *, int);
static void *(*set)(void *, int, size_t, int);

static char object[64];

static void all(void *p, size_t size, int device, bool is_there) {
  CHECK_EQ(omp_target_is_present(p, device), p && is_there);
  CHECK_EQ(accessible(p, size, device), p && size && is_there);
  CHECK(mapped(p, device) == (is_there ? p : NULL));
}

static void numbers(int of_default) {
  static const struct {
    int device;
    enum { NONE, HOST, BY_DEFAULT, INVALID } is;
  } rows[] = {{INT_MIN, NONE}, {-100, NONE}, {-6, NONE},     {-5, BY_DEFAULT}, {-4, INVALID},
              {-3, NONE},      {-2, NONE},   {-1, HOST},     {0, HOST},        {1, NONE},
              {2, NONE},       {100, NONE},  {INT_MAX, NONE}};
  static const size_t sizes[] = {0, 1, sizeof object, SIZE_MAX};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int s = 0; s < 4; s++) {
      int device = rows[r].device;
      bool is_there = rows[r].is == HOST || (rows[r].is == BY_DEFAULT && of_default == 0);
      all(NULL, sizes[s], device, false);
      CHECK_EQ(accessible(object, 0, device), 0);
      if (rows[r].is != INVALID)
        all(object, sizes[s], device, is_there);
    }
}

/* Any number but the host's ends the program, unless there is nothing to ask for. */
static void mandatory(void) {
  for (int device = -7; device < 4; device++) {
    all(NULL, 8, device, false);
    CHECK_EQ(accessible(object, 0, device), 0);
  }
  all(object, 8, 0, true);
  all(object, 8, -1, true);
}

static void nothing_to_write(void) {
  size_t none[2] = {3, 0}, zero[2] = {0, 0}, length[2] = {4, 4};
  CHECK(set(NULL, 1, 0, 0) == NULL);
  CHECK(set(object, 1, 0, 0) == object && object[0] == 0);
  CHECK(set(object, 'x', 2, 7) == object && object[1] == 'x' && object[2] == 0);
  CHECK_EQ(omp_target_memcpy_rect(NULL, object, 1, 2, none, zero, zero, length, length, 0, 0), 0);
  CHECK_EQ(omp_target_memcpy_rect(object, NULL, 1, 2, none, zero, zero, length, length, 0, 0), 0);
  CHECK_EQ(omp_target_memcpy_rect(object, NULL, 0, 2, length, zero, zero, length, length, 0, 0), 0);
  CHECK(omp_target_memcpy_rect(object, NULL, 1, 2, length, zero, zero, length, length, 0, 0) != 0);
  CHECK(omp_target_memcpy_rect(object, NULL, 1, 2, none, zero, zero, length, length, 0, 9) != 0);
  CHECK(omp_target_memcpy_rect(object, NULL, 1, 0, none, zero, zero, length, length, 0, 0) != 0);
}

int main(int argc, char **argv) {
  *(void **)&accessible = dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
  *(void **)&mapped = dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr");
  *(void **)&set = dlsym(RTLD_DEFAULT, "omp_target_memset");
  CHECK(accessible && mapped && set);
  if (argc == 3 && !strcmp(argv[1], "present")) {
    omp_target_is_present(object, atoi(argv[2]));
  } else if (argc == 3 && !strcmp(argv[1], "accessible")) {
    accessible(object, 1, atoi(argv[2]));
  } else if (argc == 3) {
    mapped(object, atoi(argv[2]));
  } else if (!strcmp(argv[1], "mandatory")) {
    mandatory();
  } else {
    int of_default = atoi(argv[1]);
    numbers(of_default);
    nothing_to_write();
    for (int device = 0; device < 3; device++) {
      omp_set_default_device(device);
      numbers(device);
    }
#pragma omp parallel
    numbers(2);
  }
  return 0;
}
