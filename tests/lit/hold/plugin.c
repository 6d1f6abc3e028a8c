/* plugin.c - libraries that are loaded and unloaded beside threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a library can create and join threads while it is being loaded and unloaded, and that
// threads after it find its variables, and the program's, as they begin.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build -fPIC -shared %S/Inputs/plugin.c -o %t.so
// RUN: %hold_build %s -o %t && %omp_run %t %t.so
// RUN: %hold_run_if %t %t.so
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>

static __thread int mine = 8;

static void *thread(void *argument) {
  CHECK_EQ(mine, 8);
  mine = 0;
  return argument;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  for (int i = 0; i < 20; i++) {
    pthread_t t[8];
    void *plugin = dlopen(argv[1], RTLD_NOW);
    CHECK(plugin != NULL);
    void (*work)(void) = (void (*)(void))dlsym(plugin, "plugin_work");
    CHECK(work != NULL);
    for (int k = 0; k < 8; k++)
      CHECK_EQ(pthread_create(&t[k], NULL, thread, NULL), 0);
    work();
    for (int k = 0; k < 8; k++)
      CHECK_EQ(pthread_join(t[k], NULL), 0);
    CHECK_EQ(dlclose(plugin), 0);
  }
  return 0;
}
