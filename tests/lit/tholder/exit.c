/* exit.c - threads that end by pthread_exit or tholder_exit */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the result, that cleanup handlers run once and in the right order, that those that were
// popped do not run, and that the next threads have neither handlers nor results of earlier ones.
// RUN: %th_test
#include "names.h"

enum { DEEP = 50 };

/* What one thread's handlers have done. */
struct trace {
  int ran[DEEP + 3], n;
  int way; /* 0 pthread_exit, 1 tholder_exit, 2 return */
};

static __thread struct trace *mine;

static void handler(void *number) { mine->ran[mine->n++] = (int)(intptr_t)number; }

__attribute__((noinline)) static void end(void) {
  if (mine->way == 0)
    pthread_exit(mine);
  tholder_exit(mine);
}

static void (*volatile deeper)(int);

static void descend(int depth) {
  char frame[1000];
  memset(frame, depth, sizeof frame);
  pthread_cleanup_push(handler, th_pointer(depth));
  if (depth == DEEP)
    end();
  deeper(depth + 1);
  pthread_cleanup_pop(0);
  CHECK_EQ(frame[depth], -1); /* nobody comes here */
}

static void *thread(void *argument) {
  CHECK(mine == NULL); /* not an earlier thread's */
  mine = argument;
  pthread_cleanup_push(handler, th_pointer(-1));
  pthread_cleanup_pop(0);
  pthread_cleanup_push(handler, th_pointer(-2));
  pthread_cleanup_pop(1);
  if (mine->way == 2)
    return mine;
  descend(0);
  CHECK(false);
  return NULL;
}

static void check_trace(const struct trace *t) {
  CHECK_EQ(t->ran[0], -2);
  if (t->way == 2) {
    CHECK_EQ(t->n, 1);
    return;
  }
  CHECK_EQ(t->n, DEEP + 2);
  for (int i = 0; i <= DEEP; i++)
    CHECK_EQ(t->ran[1 + i], DEEP - i);
}

static void *plain(void *argument) { return argument; }

static void *exits_with(void *argument) {
  tholder_exit(argument);
  return NULL;
}

int main(void) {
  enum { N = 12 };
  deeper = descend;
  for (int round = 0; round < CHECK_TIMES(60); round++) {
    struct trace traces[N] = {0};
    tholder_t t[N];
    for (int i = 0; i < N; i++) {
      traces[i].way = (i + round) % 3;
      t[i] = th_start(thread, &traces[i]);
    }
    for (int i = 0; i < N; i++) {
      CHECK(th_result(t[i]) == &traces[i]);
      check_trace(&traces[i]);
    }
    CHECK(th_call(plain, t) == t);
    CHECK(th_call(exits_with, NULL) == NULL);
    CHECK(th_call(exits_with, PTHREAD_CANCELED) == PTHREAD_CANCELED);
  }
  return 0;
}
