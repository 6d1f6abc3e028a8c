/* teams.c - created threads that open regions, and regions whose members create threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member of such a region and each created thread begins with initial thread-local
// and threadprivate variables and without thread-specific data, that a created thread is member 0
// of its own regions and a thread of its own in OpenMP, that destructors of thread-specific data
// have run once when the join returns, and that few OS threads serve both kinds in turn.
// An OS thread that has carried nano-thread members serves no more, so members are OS threads where
// OS threads are counted.
// REQUIRES: nanogomp
// RUN: %th_test && env NTH_MEMBERS=os %omp_run %t counts
#include "os_threads.h"
#include <omp.h>

enum { TURNS = 1000, AT_ONCE = 4, TEAM = 2, MADE = 60, OWN_SETTING = 37 };

static __thread int variable = 5;
static __thread char page[3000];
static int private_one = 7;
#pragma omp threadprivate(private_one)

static pthread_key_t key;
static long dropped;

static void drop(void *data) {
  CHECK_EQ(*(int *)data, 1);
  __atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED);
}

static void check_fresh(void) {
  CHECK_EQ(variable, 5);
  CHECK_EQ(private_one, 7);
  for (unsigned i = 0; i < sizeof page; i++)
    CHECK_EQ(page[i], 0);
  CHECK(pthread_getspecific(key) == NULL);
  CHECK_EQ(errno, 0);
}

static void spoil(int kind) {
  variable = private_one = 100 + kind;
  memset(page, kind, sizeof page);
  errno = EPERM;
  saw(kind);
}

/* ---- a region in each created thread ---- */

static void region(int members) {
  int ran = 0;
#pragma omp parallel num_threads(members) reduction(+ : ran)
  {
    CHECK_EQ(omp_get_num_threads(), members);
    if (omp_get_thread_num() != 0) {
      check_fresh();
      spoil(SEEN_MEMBER);
    }
    ran++;
  }
  CHECK_EQ(ran, members);
}

static void *opens(void *argument) {
  check_fresh();
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_thread_num(), 0);
  omp_set_num_threads(OWN_SETTING); /* for this thread only */
  CHECK_EQ(omp_get_max_threads(), OWN_SETTING);
  spoil(SEEN_CREATED);
  region((int)(intptr_t)argument);
  CHECK_EQ(variable, 100 + SEEN_CREATED);
  return argument;
}

static void *plain(void *argument) {
  check_fresh();
  CHECK(omp_get_max_threads() != OWN_SETTING);
  spoil(SEEN_CREATED);
  return argument;
}

static void one_after_the_other(void) {
  for (int i = 0; i < CHECK_TIMES(TURNS); i++)
    CHECK(th_call(opens, th_pointer(TEAM)) == th_pointer(TEAM));
}

/* ---- threads and regions of several sizes in turn ---- */

static void *with_threads(void *argument) {
  check_fresh();
  tholder_t t[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++)
    t[i] = th_start(i % 2 ? plain : opens, th_pointer(TEAM));
  for (int i = 0; i < AT_ONCE; i++)
    CHECK(th_result(t[i]) == th_pointer(TEAM));
  region(AT_ONCE);
  return argument;
}

static void in_turn(void) {
  for (int i = 0; i < CHECK_TIMES(TURNS / 10); i++)
    CHECK(th_call(with_threads, &dropped) == &dropped);
}

/* ---- threads created in a region ---- */

static void inside(void) {
#pragma omp parallel num_threads(TEAM)
  for (int i = 0; i < CHECK_TIMES(TURNS / 10); i++)
    CHECK(th_call(i % 2 ? plain : opens, th_pointer(TEAM)) == th_pointer(TEAM));
}

/* ---- thread-specific data ---- */

static void *keeps(void *argument) {
  static int one = 1;
  long before = __atomic_load_n(&dropped, __ATOMIC_RELAXED);
  check_fresh();
#pragma omp parallel num_threads(TEAM)
  {
    CHECK(pthread_getspecific(key) == NULL);
    CHECK_EQ(pthread_setspecific(key, &one), 0);
  }
  CHECK(pthread_getspecific(key) == &one);
  CHECK(__atomic_load_n(&dropped, __ATOMIC_RELAXED) - before < TEAM);
  return argument;
}

static void with_data(void) {
  for (long i = 1; i <= CHECK_TIMES(TURNS / 10); i++) {
    CHECK(th_call(keeps, &key) == &key);
    CHECK(__atomic_load_n(&dropped, __ATOMIC_RELAXED) >= i); /* the created thread's */
    CHECK_WAIT_UNTIL(__atomic_load_n(&dropped, __ATOMIC_RELAXED) == TEAM * i);
  }
}

int main(int arguments, char **argument) {
  (void)argument;
  omp_set_dynamic(0);
  CHECK_EQ(pthread_key_create(&key, drop), 0);
#if HELD
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, INT64_C(600000000000)), 0);
#endif
  one_after_the_other();
  in_turn();
  inside();
  if (HELD && arguments > 1) {
    CHECK(seen_doing(SEEN_CREATED | SEEN_MEMBER) > 0); /* else freshness has not been tried */
    CHECK(seen_doing(SEEN_CREATED) <= MADE);
    CHECK(seen_doing(SEEN_MEMBER) <= MADE);
  }
  with_data();
  return 0;
}
