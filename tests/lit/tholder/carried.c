/* carried.c - a thread that is joined at once: its joiner may run it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what a created thread finds that runs on its joiner's OS thread, that it may create,
// exit, fork and leave thread-specific data there, and that threads which nobody joins start all
// the same. With sanitizers no joiner runs a created thread.
// A tool: the tool's imports forbid it.
// UNSUPPORTED: tool
// UNSUPPORTED: emulated, sanitizer
// RUN: %th_test
#define _GNU_SOURCE
/* An import of prctl() or gettid() would forbid it: the program could tell. */
#include <sys/prctl.h>
#define prctl(...) ((void)0)
#include "names.h"
#include <fenv.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = CHECK_TIMES(5000) };

static char os_main[64];
static pthread_t posix_main;
static __thread int fresh = 7;
static int on_main; /* the last created thread ran on main's OS thread */

static void os_thread(char name[64]) {
  ssize_t n = readlink("/proc/thread-self", name, 63);
  CHECK(n > 0);
  name[n] = '\0';
}
static void note(void) {
  char here[64];
  os_thread(here);
  on_main = strcmp(here, os_main) == 0;
}

/* Calls f in created threads until one has run on main's OS thread. */
static void until_carried(void *(*f)(void *), void *argument) {
  do
    CHECK(th_call(f, argument) == argument);
  while (HELD && !on_main);
}

/* ---- what it finds ---- */

static pthread_mutex_t recursive, checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *looks(void *argument) {
  char here;
  CHECK(!pthread_equal(pthread_self(), posix_main));
  CHECK_EQ(fresh, 7);
  fresh = 8;
  CHECK_EQ(errno, 0);
  errno = EDOM;
  CHECK(llabs((long long)((uintptr_t)&here - (uintptr_t)argument)) > 65536);
  CHECK_EQ(pthread_mutex_trylock(&recursive), EBUSY);
  CHECK_EQ(pthread_mutex_lock(&checking), 0);
  CHECK_EQ(pthread_mutex_lock(&checking), EDEADLK);
  CHECK_EQ(pthread_mutex_unlock(&checking), 0);
  note();
  return argument;
}

/* Exceptions that floating-point operations raise are those of the thread. */
static volatile double zero = 0, infinite;
static void *divides(void *argument) {
  CHECK_EQ(fetestexcept(FE_ALL_EXCEPT), 0);
  infinite = 1 / zero;
  note();
  return argument;
}

static void finds(void) {
  int here;
  pthread_mutexattr_t a;
  CHECK_EQ(pthread_mutexattr_init(&a), 0);
  CHECK_EQ(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE), 0);
  CHECK_EQ(pthread_mutex_init(&recursive, &a), 0);
  CHECK_EQ(pthread_mutex_lock(&recursive), 0);
  fresh = 9;
  errno = ERANGE;
  until_carried(looks, &here);
  for (int i = 0; i < 100; i++)
    th_call(looks, &here);
  feclearexcept(FE_ALL_EXCEPT);
  until_carried(divides, &here);
  CHECK_EQ(fetestexcept(FE_ALL_EXCEPT), 0);
  infinite = zero / zero;
  int raised = fetestexcept(FE_ALL_EXCEPT);
  until_carried(looks, &here);
  CHECK_EQ(fetestexcept(FE_ALL_EXCEPT), raised);
  CHECK_EQ(errno, ERANGE);
  CHECK_EQ(fresh, 9);
  CHECK(pthread_equal(pthread_self(), posix_main));
}

/* ---- what it does ---- */

static void *nested(void *argument) {
  intptr_t depth = (intptr_t)argument;
  intptr_t below = depth == 0 ? 0 : (intptr_t)th_call(nested, th_pointer(depth - 1)) + 1;
  CHECK_EQ(below, depth);
  CHECK_EQ(fresh, 7);
  note();
  return argument;
}

static int cleaned;
static void cleans(void *argument) { ++*(int *)argument; }
static void *exits(void *argument) {
  note();
  pthread_cleanup_push(cleans, &cleaned);
  pthread_exit(argument);
  pthread_cleanup_pop(0);
  return NULL;
}

static pthread_key_t key;
static int destroyed;
static void destroys(void *data) { ++*(int *)data; }
static void *leaves_data(void *argument) {
  note();
  CHECK_EQ(pthread_setspecific(key, &destroyed), 0);
  return argument;
}

static void exits_and_data(void) {
  int here;
  for (int i = 0; i < 20; i++) {
    int before = cleaned;
    CHECK(th_call(exits, &here) == &here);
    CHECK_EQ(cleaned, before + 1);
    until_carried(looks, &here);
    before = destroyed;
    CHECK(th_call(leaves_data, &here) == &here);
    CHECK_EQ(destroyed, before + 1);
  }
}

enum ending { RETURNS, EXITS, THREAD_EXITS, ENDINGS };

/* In the child it is the only thread. The child ends with its end, at the latest. */
static pid_t child;
static void *forks(void *argument) {
  note();
  child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++)
      CHECK(th_call(nested, th_pointer(2)) == th_pointer(2));
    if (*(enum ending *)argument == EXITS)
      exit(5);
    if (*(enum ending *)argument == THREAD_EXITS)
      pthread_exit(argument);
  }
  return argument;
}

static void forks_here(void) {
  for (enum ending e = 0; e < ENDINGS; e++)
    do {
      int status;
      for (int i = 0; i < 50; i++) /* so that the next join comes at once, too */
        th_call(nested, NULL);
      CHECK(th_call(forks, &e) == &e);
      CHECK_EQ(waitpid(child, &status, 0), child);
      CHECK(WIFEXITED(status));
      CHECK_EQ(WEXITSTATUS(status), e == EXITS ? 5 : 0);
    } while (HELD && !on_main);
}

/* ---- others go on ---- */

static int flag;
static void *sets_flag(void *argument) {
  th_set(&flag, 1);
  return argument;
}
static void *awaits_flag(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(&flag));
  note();
  return argument;
}

static void others(void) {
  int here;
  for (int i = 0; i < 50; i++) {
    for (int k = 0; k < 50; k++)
      th_call(nested, NULL);
    th_set(&flag, 0); /* nobody joins it, and it starts */
    tholder_t t = th_start(sets_flag, &here);
    CHECK_WAIT_UNTIL(th_is_set(&flag));
    th_result(t);
    th_set(&flag, 0); /* the first one, which may be on main's OS thread, waits for the second */
    tholder_t first = th_start(awaits_flag, &here), second = th_start(sets_flag, &here);
    CHECK(th_result(first) == &here);
    CHECK(th_result(second) == &here);
  }
}

/* ---- how many ---- */

static void most(void) {
  int carried = 0;
  for (int i = 0; i < PAIRS; i++) {
    th_call(nested, NULL);
    carried += on_main;
  }
  if (HELD)
    CHECK(carried >= PAIRS / 2);
}

int main(void) {
  os_thread(os_main);
  posix_main = pthread_self();
  CHECK_EQ(pthread_key_create(&key, destroys), 0);
  most();
  finds();
  do
    th_call(nested, th_pointer(5));
  while (HELD && !on_main);
  exits_and_data();
  forks_here();
  others();
  most();
  CHECK_EQ(pthread_mutex_unlock(&recursive), 0);
  return 0;
}
