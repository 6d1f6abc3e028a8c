/* robust.c - robust mutexes of members that change their OS thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel keeps a list of robust mutexes for each OS thread, the C library one for each pthread.
// Checks that a mutex that a member holds is said to be without owner when the process is killed or
// ends, and when the member's thread ends; and that until then it has one.
// The sanitizers' exit waits for threads in ways of its own.
// UNSUPPORTED: sanitizer, emulated
// RUN: %members_test
#include "members.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED, EXITS, WAYS };

static struct {
  pthread_mutex_t mutex[MEMBERS];
  volatile int ready;
} *shared;

static pthread_mutex_t own[MEMBERS];

static void make(pthread_mutex_t *mutex, int pshared) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setpshared(&attributes, pshared);
  for (int i = 0; i < MEMBERS; i++)
    CHECK_EQ(pthread_mutex_init(&mutex[i], &attributes), 0);
}

/* All members hold one each, and have waited since. */
static void hold(pthread_mutex_t *mutex, int first) {
  int me = omp_get_thread_num();
  for (unsigned way = 0; way < WAYS_TOGETHER; way++)
    pass_together(way);
  if (me >= first)
    CHECK_EQ(pthread_mutex_lock(&mutex[me]), 0);
  for (unsigned pass = 0; pass < 20; pass++) {
    pass_alone(pass);
    pass_together(pass);
  }
}

static void in_child(int way) {
  int me;
#pragma omp parallel num_threads(MEMBERS) private(me)
  {
    hold(shared->mutex, 0);
    me = omp_get_thread_num();
    if (me == 5) {
      shared->ready = 1;
      if (way == EXITS)
        _exit(0);
      pause();
    }
#pragma omp barrier
  }
}

static void processes_end(int way) {
  shared->ready = 0;
  make(shared->mutex, PTHREAD_PROCESS_SHARED);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    in_child(way);
  CHECK_WAIT_UNTIL(shared->ready);
  if (way == KILLED) {
    for (int i = 0; i < MEMBERS; i++)
      CHECK_EQ(pthread_mutex_trylock(&shared->mutex[i]), EBUSY);
    CHECK_EQ(kill(child, SIGKILL), 0);
  }
  CHECK_EQ(waitpid(child, NULL, 0), child);
  for (int i = 0; i < MEMBERS; i++)
    CHECK_EQ(pthread_mutex_trylock(&shared->mutex[i]), EOWNERDEAD);
}

/* Members 1 and up end with their root. */
static void *root(void *unused) {
#pragma omp parallel num_threads(MEMBERS)
  hold(own, 1);
  return unused;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  for (int way = 0; way < WAYS; way++)
    processes_end(way);
  make(own, PTHREAD_PROCESS_PRIVATE);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, root, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  for (int i = 1; i < MEMBERS; i++) {
    CHECK_WAIT_UNTIL(pthread_mutex_trylock(&own[i]) == EOWNERDEAD);
  }
  members_end();
  return 0;
}
