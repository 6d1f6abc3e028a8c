/* long_pieces.c - a request is obeyed again after pieces that took long, and after threads' ends */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that of two members, which both ran while the other had a piece of 0.3 s, only one goes on
// with short pieces; and that threads which open a region in a destructor at their end count no
// longer afterwards.
// nanogomp-only: libgomp takes no requests
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "Inputs/inside.h"

int nth_running(void);
#pragma weak nth_running

enum { PIECES = 100000, LONG_MS = 300, TURNS = 20000 };
static int begun; /* long pieces that have ended */

static void work(int i) {
  if (inside_ends())
    return;
  if (i < 2) { /* both members: whoever has the first one computes on */
    double end = omp_get_wtime() + LONG_MS / 1000.0;
    while (omp_get_wtime() < end)
      ;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELEASE);
  } else {
    inside_work(TURNS);
  }
}

static void region(void) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < PIECES; i++)
    work(i);
}

static void *asker(void *unused) {
  CHECK_WAIT_UNTIL(__atomic_load_n(&begun, __ATOMIC_ACQUIRE) == 2);
  inside_await(1);
  CHECK_WAIT_UNTIL(nth_running() == 1);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

static void obeyed(void) {
  pthread_t thread;
  begun = inside_over = 0;
  CHECK_EQ(pthread_create(&thread, NULL, asker, NULL), 0);
  CHECK_EQ(nth_request(1), 0);
  while (!inside_ends())
    region();
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(nth_request(0), 0);
}

/* --- ends --- */

static pthread_key_t key;
static int ends;

/* In the ending thread of a member. */
static void destroy(void *unused) {
  (void)unused;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    check_sleep_ms(20); /* the ending thread sleeps until then, too */
  __atomic_add_fetch(&ends, 1, __ATOMIC_RELAXED);
}

static void *root(void *unused) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      CHECK_EQ(pthread_setspecific(key, &ends), 0);
  }
  return unused;
}

int main(void) {
  CHECK_EQ(pthread_key_create(&key, destroy), 0);
  for (int turn = 0; turn < 3; turn++)
    obeyed();
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, root, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
  CHECK_WAIT_UNTIL(__atomic_load_n(&ends, __ATOMIC_RELAXED) == 4);
  check_sleep_ms(20); /* the threads' last steps */
  for (int turn = 0; turn < 3; turn++)
    obeyed();
  return 0;
}
