/* which_library.c - the library that is tested is the one that was asked for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the program's omp_get_num_threads comes from the file the suite was given; a suite
// that silently tests another library is worth nothing.
// RUN: %omp_build %s -o %t && %omp_run %t %library
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <limits.h>

int main(int argc, char **argv) {
  char want[PATH_MAX], has[PATH_MAX];
  Dl_info info;
  CHECK_EQ(argc, 2);
  CHECK(dladdr(dlsym(RTLD_DEFAULT, "omp_get_num_threads"), &info) != 0);
  CHECK(realpath(argv[1], want) && realpath(info.dli_fname, has));
  CHECK_STREQ(has, want);
  return omp_get_num_threads() != 1;
}
