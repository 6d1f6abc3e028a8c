/* main_exits.c - pthread_exit of main beside created threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a process whose main has called pthread_exit goes on until its last created thread
// has ended, detached or joined by another, and then ends with status 0 within a second: idle OS
// threads do not keep it, nor one that was not the oldest of them when it became idle.
// ThreadSanitizer's own thread stays when the others have ended.
// UNSUPPORTED: emulated, tsan
// RUN: %th_test
#include "names.h"
#include <sys/wait.h>

enum { THREADS = 5, RUN_MS = 30, IDLE_MS = 1000 };

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

#if HELD
/* Two threads at a time, one of which ends later. */
static void *both(void *argument) {
  static int here;
  __atomic_add_fetch(&here, 1, __ATOMIC_RELAXED);
  CHECK_WAIT_UNTIL(__atomic_load_n(&here, __ATOMIC_RELAXED) == 2);
  check_sleep_ms((int)(intptr_t)argument);
  return NULL;
}

/* The oldest idle OS thread has ended when main ends, the other one not. */
static void process_late(void *(*start)(void *)) {
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, IDLE_MS * 1000000L), 0);
  tholder_t first = th_start(start, th_pointer(0)),
            second = th_start(start, th_pointer(IDLE_MS * 9 / 10));
  CHECK_EQ(tholder_join(first, NULL), 0);
  CHECK_EQ(tholder_join(second, NULL), 0);
  check_sleep_ms(IDLE_MS * 2 / 10);
  double now = check_seconds();
  CHECK_EQ(write(report[1], &now, sizeof now), sizeof now);
  pthread_exit(NULL);
}
#endif

/* Seconds from the last thread's end to the process's. */
static double ends_after(void (*process)(void *(*)(void *)), void *(*start)(void *), int reports) {
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
static void ends_soon(void (*process)(void *(*)(void *)), void *(*start)(void *), int reports,
                      double most) {
  double least = 1e9;
  for (int i = 0; i < 5 && least > most; i++) {
    double seconds = ends_after(process, start, reports);
    least = seconds < least ? seconds : least;
  }
  CHECK(least <= most);
}

int main(void) {
  for (int turn = 0; turn < 5; turn++) {
    ends_soon(process, runs, THREADS, 1);
    ends_soon(process, joins, 2 * THREADS, 1);
  }
#if HELD
  ends_soon(process_late, both, 1, 0.4);
#endif
  return 0;
}
