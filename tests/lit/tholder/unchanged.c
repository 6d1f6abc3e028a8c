/* unchanged.c - a program of regions alone, with pauses between its roots */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each root's members have OS threads of their own, which end soon after the root, and
// are detached as long as no root has ended; and that no created thread, and no OS thread for one,
// is counted when the program asks.
// REQUIRES: nanogomp, base
// RUN: %th_build %s -o %t && env NTH_MEMBERS=os %omp_run %t
#define _GNU_SOURCE
#include "../nested/threads.h"
#include "os_threads.h"
#include <omp.h>

enum { ROOTS = 40, TEAM = 3 };

static void check_detached(void) {
  pthread_attr_t a;
  int state;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &a), 0);
  CHECK_EQ(pthread_attr_getdetachstate(&a, &state), 0);
  CHECK_EQ(state, PTHREAD_CREATE_DETACHED);
  CHECK_EQ(pthread_attr_destroy(&a), 0);
}

static void *root(void *argument) {
  for (int i = 0; i < 2; i++)
#pragma omp parallel num_threads(TEAM)
    if (omp_get_thread_num() != 0) {
      if (!argument)
        check_detached();
      saw(SEEN_MEMBER);
    }
  return argument;
}

int main(void) {
  omp_set_dynamic(0);
  int besides = threads_besides();
  for (int i = 0; i < ROOTS; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, root, i == 0 ? NULL : &t), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
    CHECK_WAIT_UNTIL(threads_now() == 1 + besides);
  }
  CHECK_EQ(seen_doing(SEEN_MEMBER), ROOTS * (TEAM - 1));
  struct tholder_counts c;
  CHECK_EQ(tholder_count(&c), 0);
  CHECK_EQ(c.created + c.made + c.held, 0);
  return 0;
}
