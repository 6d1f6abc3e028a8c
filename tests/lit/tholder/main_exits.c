/* main_exits.c - pthread_exit of main beside created threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a process whose main has called pthread_exit goes on until its last created thread
// has ended, detached or joined by another, and then ends with status 0 within a second: idle OS
// threads do not keep it.
// ThreadSanitizer's own thread stays when the others have ended.
// UNSUPPORTED: emulated, tsan
// RUN: %th_test
#include "names.h"
#include <sys/wait.h>

enum { THREADS = 5, RUN_MS = 30 };

/* Of both processes: when the last thread was about to end. */
static int report[2];

static void *runs(void *argument) {
  intptr_t i = (intptr_t)argument;
  check_sleep_ms(RUN_MS + i * 10);
  double now = check_seconds();
  CHECK_EQ(write(report[1], &now, sizeof now), sizeof now);
  return NULL;
}

static void *idle(void *argument) { return argument; }

/* Ends after the thread that it joins. */
static void *joins(void *argument) {
  th_call(runs, argument);
  return runs(argument);
}

static void process(void *(*start)(void *)) {
  for (int i = 0; i < THREADS; i++)
    th_call(idle, NULL); /* OS threads that are idle */
  for (int i = 0; i < THREADS; i++) {
    tholder_t t = th_start(start, th_pointer(i));
    CHECK_EQ(tholder_detach(t), 0);
  }
  pthread_exit(NULL);
}

/* Seconds from the last thread's end to the process's. */
static double ends_after(void *(*start)(void *), int reports) {
  int status, n = 0;
  CHECK_EQ(pipe(report), 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    process(start);
  CHECK_EQ(waitpid(child, &status, 0), child);
  double end = check_seconds(), at, last = 0;
  CHECK_EQ(status, 0);
  close(report[1]);
  for (; read(report[0], &at, sizeof at) == sizeof at; n++)
    last = at > last ? at : last;
  close(report[0]);
  CHECK_EQ(n, reports);
  return end - last;
}

/* A busy machine may take its time: one run of five is enough. */
static void ends_soon(void *(*start)(void *), int reports) {
  double least = 1e9;
  for (int i = 0; i < 5 && least > 1; i++) {
    double seconds = ends_after(start, reports);
    least = seconds < least ? seconds : least;
  }
  CHECK(least <= 1);
}

int main(void) {
  for (int turn = 0; turn < 5; turn++) {
    ends_soon(runs, THREADS);
    ends_soon(joins, 2 * THREADS);
  }
  return 0;
}
