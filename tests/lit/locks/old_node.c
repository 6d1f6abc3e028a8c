/* old_node.c - the lock functions of version node OMP_1.0 */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the twenty old lock functions' C half, found by dlvsym: they exist beside OMP_3.0's,
// exclude and count, and the old nestable lock (8 bytes) belongs to the thread, not to the task.
// RUN: %omp_test
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>

struct old_nest {
  int word[2];
  int guard; /* not part of the lock: must stay untouched */
};

static void (*init)(int *), (*set)(int *), (*unset)(int *), (*destroy)(int *);
static int (*test)(int *);
static void (*nest_init)(struct old_nest *), (*nest_set)(struct old_nest *),
    (*nest_unset)(struct old_nest *), (*nest_destroy)(struct old_nest *);
static int (*nest_test)(struct old_nest *);

static void *find(const char *name, const char *version) {
  void *address = dlvsym(RTLD_DEFAULT, name, version);
  if (!address)
    fprintf(stderr, "no %s@%s\n", name, version);
  CHECK(address != NULL);
  return address;
}

#define FIND(pointer, name)                                                                        \
  do {                                                                                             \
    void *old_one = find(name, "OMP_1.0"), *new_one = find(name, "OMP_3.0");                       \
    CHECK(dlvsym(RTLD_DEFAULT, name "_", "OMP_1.0") && dlvsym(RTLD_DEFAULT, name "_", "OMP_3.0")); \
    CHECK(new_one == dlsym(RTLD_DEFAULT, name));                                                   \
    memcpy(&pointer, &old_one, sizeof pointer);                                                    \
  } while (0)

int main(void) {
  FIND(init, "omp_init_lock");
  FIND(set, "omp_set_lock");
  FIND(unset, "omp_unset_lock");
  FIND(test, "omp_test_lock");
  FIND(destroy, "omp_destroy_lock");
  FIND(nest_init, "omp_init_nest_lock");
  FIND(nest_set, "omp_set_nest_lock");
  FIND(nest_unset, "omp_unset_nest_lock");
  FIND(nest_test, "omp_test_nest_lock");
  FIND(nest_destroy, "omp_destroy_nest_lock");
  long rounds = CHECK_TIMES(5000), a = 0, b = 0, n = omp_get_max_threads();
  int lock[2] = {-1, 4711};
  struct old_nest nest = {{-1, -1}, 4712};
  init(lock);
  nest_init(&nest);
#pragma omp parallel
  for (long i = 0; i < rounds; i++) {
    set(lock);
    check_count_alone(&a, i);
    unset(lock);
    nest_set(&nest);
    CHECK_EQ(nest_test(&nest), 2);
    check_count_alone(&b, i + 30);
    nest_unset(&nest);
    nest_unset(&nest);
  }
  CHECK_EQ(a, rounds * n);
  CHECK_EQ(b, rounds * n);
  CHECK_EQ(test(lock), 1);
  CHECK_EQ(test(lock), 0);
  unset(lock);
  nest_set(&nest);
#pragma omp task if (0) shared(nest)
  CHECK_EQ(nest_test(&nest), 2); /* the same thread owns it, though another task runs */
  nest_unset(&nest);
  nest_unset(&nest);
  CHECK_EQ(lock[1], 4711);
  CHECK_EQ(nest.guard, 4712);
  nest_destroy(&nest);
  destroy(lock);
  return 0;
}
