/* interop.c - interop objects and routines without a foreign runtime, called by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that GOMP_interop makes and destroys omp_interop_none, after its dependences, and what the
// routines say of it: return codes, names, descriptions, for every number and those out of range.
// The construct's device is numbered as in routines: -1 is the host, also where offloading must be.
// nanogomp-only: libgomp 12 has none of these.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run %t
#include "check.h"
#include <dlfcn.h>
#include <limits.h>

typedef uintptr_t object;
static void (*interop)(int, int, object **, const int *, const char **, int, object *, int,
                       object **, unsigned, void **);
static int (*properties)(object);
static intptr_t (*get_int)(object, int, int *);
static void *(*get_ptr)(object, int, int *);
static const char *(*get_str)(object, int, int *), *(*name)(object, int), *(*type)(object, int),
    *(*reason)(object, int);

static void *find(const char *symbol) {
  void *f = dlsym(RTLD_DEFAULT, symbol);
  if (!f)
    check_fail(__FILE__, __LINE__, symbol);
  return f;
}
#define FIND(pointer, symbol) (*(void **)&(pointer) = find(symbol))

static void construct(void) {
  object a = 5, b = 6, c = 7, *init[2] = {&a, &b}, use[1] = {c}, *destroy[1] = {&c};
  int kinds[2] = {1, 3}, x = 0;
  const char *prefer[2] = {NULL, NULL};
  void *depend[] = {(void *)1, (void *)1, &x};
#pragma omp task shared(x) depend(out : x)
  {
    check_busy(100000);
    x = 1;
  }
  interop(-1, 2, init, kinds, prefer, 1, use, 1, destroy, 1, depend);
  CHECK_EQ(x, 1);
  CHECK(a == 0 && b == 0 && c == 0);
}

static void routines(void) {
  static const char *const names[] = {"fr_id",       "fr_name",        "vendor",
                                      "vendor_name", "device_num",     "platform",
                                      "device",      "device_context", "targetsync"};
  CHECK_EQ(properties(0), 0);
  static const int far[] = {INT_MIN, -100, 100, INT_MAX};
  for (int i = -12; i < 9; i++) {
    int p = i < 5 ? i : far[i - 5];
    bool known = p >= -9 && p < 0;
    int wanted = known ? -1 : -2, rc[3] = {9, 9, 9};
    CHECK_EQ(get_int(0, p, &rc[0]), 0);
    CHECK(get_ptr(0, p, &rc[1]) == NULL && get_str(0, p, &rc[2]) == NULL);
    for (int i = 0; i < 3; i++)
      CHECK_EQ(rc[i], wanted);
    if (known)
      CHECK_STREQ(name(0, p), names[-1 - p]);
    else
      CHECK(name(0, p) == NULL);
    CHECK(type(0, p) == NULL);
    get_int(0, p, NULL);
  }
}

/* What libgomp 16 says, to the letter: programs compare these texts. */
static void reasons(void) {
  static const char *const texts[] = {
      "property type is string; use omp_get_interop_str",
      "property type is pointer; use omp_get_interop_ptr",
      "property type is integer; use omp_get_interop_int",
      "property ID is out of range",
      "provided interoperability object is equal to omp_interop_none",
      "successful",
      "no meaningful value available"};
  static const int none[] = {INT_MIN, -100, -8, -7, -6, 2, 3, 100, INT_MAX};
  for (int rc = -5; rc <= 1; rc++)
    CHECK_STREQ(reason(0, rc), texts[rc + 5]);
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    CHECK(reason(0, none[i]) == NULL);
}

int main(void) {
  FIND(interop, "GOMP_interop");
  FIND(properties, "omp_get_num_interop_properties");
  FIND(get_int, "omp_get_interop_int");
  FIND(get_ptr, "omp_get_interop_ptr");
  FIND(get_str, "omp_get_interop_str");
  FIND(name, "omp_get_interop_name");
  FIND(type, "omp_get_interop_type_desc");
  FIND(reason, "omp_get_interop_rc_desc");
  routines();
  reasons();
  construct();
#pragma omp parallel
  construct();
  return 0;
}
