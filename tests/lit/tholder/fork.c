/* fork.c - processes forked beside and inside created threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child can create and join threads, whether the initial thread forked it or a
// created one, while others run and OS threads are held, that the parent goes on as before, and
// that a child whose only thread ends is over.
// The sanitizers of gcc 12 do not unlock their allocators in a forked child.
// UNSUPPORTED: sanitizer, emulated
// RUN: %th_test
#include "names.h"
#include <sys/wait.h>

enum { AT_ONCE = 8 };
static int release;
static tholder_t runs[AT_ONCE]; /* created before the fork */

static void *value(void *argument) { return argument; }

static void *waits(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(&release));
  return argument;
}

static void work(void) {
  tholder_t t[AT_ONCE];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < AT_ONCE; i++)
      t[i] = th_start(value, &t[i]);
    for (int i = 0; i < AT_ONCE; i++)
      CHECK(th_result(t[i]) == &t[i]);
  }
}

static void in_child(void) {
#if HELD
  for (int i = 0; i < AT_ONCE; i++) { /* its parent's threads are not here */
    CHECK_EQ(tholder_join(runs[i], NULL), ESRCH);
    CHECK_EQ(tholder_cancel(runs[i]), ESRCH);
  }
  struct tholder_counts c;
  CHECK_EQ(tholder_count(&c), 0);
  CHECK(c.held <= 1); /* the one that forked, if it is held */
#endif
  work();
}

static void parent_of(pid_t child, int status) {
  int got;
  CHECK(child > 0);
  CHECK_EQ(waitpid(child, &got, 0), child);
  CHECK_EQ(got, status << 8);
}

static pid_t fork_child(int depth, int status) {
  pid_t child = fork();
  if (child == 0) {
    in_child();
    if (depth > 0)
      parent_of(fork_child(depth - 1, status), status);
    exit(status);
  }
  return child;
}

/* How the only thread of a child ends. */
enum { EXIT, RETURN, THREAD_EXIT };

static void *forks(void *argument) {
  intptr_t way = (intptr_t)argument;
  tholder_t self = tholder_self();
  pid_t child = fork();
  if (child == 0) {
    CHECK(tholder_equal(self, tholder_self()));
    CHECK_EQ(tholder_join(self, NULL), EDEADLK);
    in_child();
    if (way == EXIT)
      exit(4);
    if (way == THREAD_EXIT)
      tholder_exit(NULL);
    return argument;
  }
  parent_of(child, way == EXIT ? 4 : 0);
  work();
  return argument;
}

int main(void) {
  parent_of(fork_child(0, 3), 3); /* no thread was ever created */
  for (int turn = 0; turn < 10; turn++) {
    work(); /* some are held now */
    th_set(&release, 0);
    for (int i = 0; i < AT_ONCE; i++)
      runs[i] = th_start(waits, &runs[i]);
    parent_of(fork_child(turn % 2, 3), 3);
    for (intptr_t way = EXIT; way <= THREAD_EXIT; way++)
      CHECK(th_call(forks, th_pointer(way)) == th_pointer(way));
    th_set(&release, 1);
    for (int i = 0; i < AT_ONCE; i++)
      CHECK(th_result(runs[i]) == &runs[i]);
  }
  return 0;
}
