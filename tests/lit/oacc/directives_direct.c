/* directives_direct.c - the directives init, shutdown and set as gcc 17 calls them, by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that they do what the functions do, for the host by name, by default and without a type,
// and that a wrong number or type ends the program. nanogomp-only: libgomp has none of these before
// gcc 17.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t -fopenacc -ldl
// RUN: %omp_run %t
// RUN: %omp_run --status 1 %t GOACC_init 1 2
// RUN: %omp_run --status 1 %t GOACC_init -1 99
// RUN: %omp_run --status 1 %t GOACC_shutdown -1 0
// RUN: %omp_run --status 1 %t GOACC_set_device 3 1
#include <dlfcn.h>
#include <openacc.h>
#include <stdlib.h>

#include "check.h"

static void call(const char *name, int number, int type) {
  void (*f)(int, int) = (void (*)(int, int))dlsym(RTLD_DEFAULT, name);
  CHECK(f);
  f(number, type);
  CHECK_EQ(acc_get_device_type(), acc_device_host);
}

int main(int argc, char **argv) {
  if (argc > 3) {
    call(argv[1], atoi(argv[2]), atoi(argv[3]));
    return 0;
  }
  static const int types[] = {acc_device_none, acc_device_default, acc_device_host};
  for (int i = 0; i < 3; i++)
    for (int number = -1; number < 1; number++) {
      call("GOACC_init", number, types[i]);
      call("GOACC_set_device", number, types[i]);
      call("GOACC_shutdown", number, types[i]);
    }
  return 0;
}
