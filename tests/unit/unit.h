/* unit.h - what a unit test needs: a check that says where it failed, threads by number
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A test program ends at its first failed check, or after its time is over: a lost wake-up must not
 * hang the caller.
 */
#ifndef NTH_UNIT_H
#define NTH_UNIT_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* UNIT_SECONDS: for runs by hand; the check has a limit of its own that knows the machine's
 * load. */
enum { UNIT_SECONDS = 900, UNIT_MAX_THREADS = 16 };

#define unit_check(c)                                                                              \
  ((c) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #c), exit(1)))

struct unit_thread {
  pthread_t thread;
  pthread_barrier_t *start; /* so that they run side by side */
  unsigned number;
  void (*f)(unsigned);
};

static inline void *unit_thread_main(void *arg) {
  struct unit_thread *t = arg;
  pthread_barrier_wait(t->start);
  t->f(t->number);
  return 0;
}

/* Calls f(0) ... f(n - 1), each in a thread of its own, and waits for them. */
static inline void unit_threads(unsigned n, void (*f)(unsigned number)) {
  struct unit_thread t[UNIT_MAX_THREADS];
  pthread_barrier_t start;
  unit_check(n <= UNIT_MAX_THREADS);
  pthread_barrier_init(&start, 0, n);
  for (unsigned i = 0; i < n; i++) {
    t[i].start = &start;
    t[i].number = i;
    t[i].f = f;
    unit_check(pthread_create(&t[i].thread, 0, unit_thread_main, &t[i]) == 0);
  }
  for (unsigned i = 0; i < n; i++)
    pthread_join(t[i].thread, 0);
  pthread_barrier_destroy(&start);
}

/* Runs one test of the program, its name on stdout. */
#define unit_run(test) (printf("%s\n", #test), fflush(stdout), test())

static inline void unit_begin(void) { alarm(UNIT_SECONDS); }

#endif
