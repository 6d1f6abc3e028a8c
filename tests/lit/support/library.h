/* library.h - where in memory the library under test is */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LIBRARY_H
#define LIBRARY_H

#ifndef _GNU_SOURCE
#error "the test has to define _GNU_SOURCE"
#endif

#include "check.h"
#include <dlfcn.h>
#include <stdint.h>

/* The address from which those in the file count. */
static inline uintptr_t library_base(void) {
  Dl_info library;
  void *entry = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  CHECK(entry && dladdr(entry, &library));
  return (uintptr_t)library.dli_fbase;
}

#endif
