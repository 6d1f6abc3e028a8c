/* dlopen.c - a library with thread-local data, loaded by one member and used by all */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that data of a library that comes while all members run, in static TLS and in TLS made at
// the first use, begins as the library says in each member, and stays the member's own over waits.
// UNSUPPORTED: asan
// (The leak checker of gcc 12 crashes on TLS made at the first use.)
// RUN: %omp_build %S/Inputs/tls_library.c -o \
// RUN:   %t.static.so -shared -fPIC -fno-openmp -ftls-model=initial-exec
// RUN: %omp_build %S/Inputs/tls_library.c -o %t.dynamic.so -shared -fPIC -fno-openmp
// RUN: %omp_build %s -o %t -ldl
// RUN: %nano %t %t.static.so
// RUN: %nano %t %t.dynamic.so
// RUN: %os %t %t.static.so
#include "members.h"
#include <dlfcn.h>

static long (*next)(void);
static void *(*address)(void);
static void *addresses[MEMBERS];

static void load(const char *name) {
  void *library = dlopen(name, RTLD_NOW);
  if (!library)
    fprintf(stderr, "%s\n", dlerror());
  CHECK(library);
  next = (long (*)(void))dlsym(library, "library_next");
  address = (void *(*)(void))dlsym(library, "library_address");
  CHECK(next && address);
}

static void use(int me, long before) {
  for (long turn = 1; turn <= 60; turn++) {
    CHECK_EQ(next(), before + turn);
    pass_alone((unsigned)(turn + me));
    if (turn % 6 == 0)
      pass_together((unsigned)turn / 6);
    if (turn == 1 && before == 42)
      addresses[me] = address();
    CHECK(address() == addresses[me]);
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
#pragma omp parallel num_threads(MEMBERS)
  {
    int me = omp_get_thread_num();
    pass_together(0);
    if (me == 3)
      load(argv[1]);
    else
      pass_alone((unsigned)me);
    pass_together(0);
    use(me, 42);
  }
  long before = 42;
  do { // on a busy machine a region may end before anybody takes a member over
    before += 60;
#pragma omp parallel num_threads(MEMBERS)
    use(omp_get_thread_num(), before);
  } while (getenv("CHECK_MOVED") && members_moves == 0 && before < 100 * 60);
  for (int i = 0; i < MEMBERS; i++)
    for (int j = 0; j < i; j++)
      CHECK(addresses[i] != addresses[j]);
  members_end();
  return 0;
}
