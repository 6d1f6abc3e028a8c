/* blend_post.h - a thread of no team that fulfils events, and tells of programs that take long */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BLEND_POST_H
#define BLEND_POST_H

#include "blend.h"
#include <pthread.h>

enum { LETTERS = 4096, LONG_SECONDS = 25 };

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t filled;
  struct letter {
    omp_event_handle_t event;
    int *flag;
  } letters[LETTERS];
  unsigned in, out;
  bool runs; /* the thread is there */
} office = {.mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static void tell_of_long_programs(void) {
  static double told;
  for (int r = 0; r < ROOTS; r++) {
    if (running[r].seed != 0 && check_seconds() - running[r].since > LONG_SECONDS &&
        check_seconds() - told > LONG_SECONDS) {
      told = check_seconds();
      say_seeds("takes long");
    }
  }
}

static void *postman(void *unused) {
  (void)unused;
  pthread_mutex_lock(&office.mutex);
  for (;;) {
    while (office.in == office.out) {
      struct timespec later;
      clock_gettime(CLOCK_REALTIME, &later);
      later.tv_sec++;
      pthread_cond_timedwait(&office.filled, &office.mutex, &later);
      tell_of_long_programs();
    }
    struct letter l = office.letters[office.out++ % LETTERS];
    pthread_mutex_unlock(&office.mutex);
    __atomic_store_n(l.flag, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(l.event);
    pthread_mutex_lock(&office.mutex);
  }
  return NULL;
}

static void open_office(void) {
  pthread_t thread;
  pthread_mutex_lock(&office.mutex);
  if (!office.runs) {
    CHECK_EQ(pthread_create(&thread, NULL, postman, NULL), 0);
    pthread_detach(thread);
    office.runs = true;
  }
  pthread_mutex_unlock(&office.mutex);
}

static void post(omp_event_handle_t event, int *flag) {
  pthread_mutex_lock(&office.mutex);
  CHECK_THAT(office.in - office.out < LETTERS);
  office.letters[office.in++ % LETTERS] = (struct letter){event, flag};
  pthread_cond_signal(&office.filled);
  pthread_mutex_unlock(&office.mutex);
}

static void before_fork(void) { pthread_mutex_lock(&office.mutex); }
static void in_parent(void) { pthread_mutex_unlock(&office.mutex); }

/* Letters of other roots are not the child's. */
static void in_child(void) {
  office.in = office.out = 0;
  office.runs = false;
  pthread_cond_init(&office.filled, NULL);
  pthread_mutex_unlock(&office.mutex);
}

#endif
