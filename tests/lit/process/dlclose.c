/* dlclose.c - dlclose of an OpenMP plug-in, then more regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program without OpenMP of its own may load a plug-in, run its regions, close it
// (the runtime's threads then still live) and load it again, many times and from several threads.
// nanogomp-only: libgomp's code is unmapped under its own threads.
// REQUIRES: nanogomp
// RUN: %omp_build %S/Inputs/plugin.c -o %t.so -shared -fPIC
// RUN: %omp_build %s -o %t -fno-openmp -ldl && %omp_run %t %t.so
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *name;

static void use_plugin(int size) {
  void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    _exit(1);
  }
  long (*sum)(int) = (long (*)(int))dlsym(plugin, "plugin_sum");
  for (int i = 0; i < 5; i++)
    if (sum(size) != 4950L * size) {
      fprintf(stderr, "wrong sum\n");
      _exit(1);
    }
  dlclose(plugin);
}

static void *other(void *unused) {
  for (int size = 1; size < 6; size++)
    use_plugin(size);
  return unused;
}

int main(int argc, char **argv) {
  name = argv[argc - 1];
  for (int round = 0; round < 20; round++) {
    use_plugin(1 + round % 6);
    usleep(round % 4 ? 0 : 20000);
  }
  pthread_t threads[3];
  for (int t = 0; t < 3; t++)
    pthread_create(&threads[t], NULL, other, NULL);
  for (int t = 0; t < 3; t++)
    pthread_join(threads[t], NULL);
  use_plugin(4);
  return 0;
}
