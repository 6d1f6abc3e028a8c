/* fork.c - fork by a member of a team larger than the machine */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child of a member other than 0 has the member's thread-local data, errno, keys
// and mutexes, that malloc and small regions of all constructs work there, and that parent and
// other members go on; also of all members at once, and of a member of a nested team.
// nanogomp-only: libgomp's child hangs at a barrier.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t -I %S/../process && %nano %t && %os %t
#include "children.h"
#include "members.h"

static pthread_mutex_t mutex;

static void fork_here(struct identity *who, int level) {
  int saved = errno;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    child_limit(30);
    errno = saved;
    identity_check(who);
    CHECK(getpid() != parent);
    CHECK_EQ(syscall(SYS_gettid), getpid());
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_num_threads(), 1);
    char *block = malloc(5000);
    memset(block, 1, 5000);
    free(block);
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
    CHECK_EQ(pthread_mutex_lock(&mutex), EDEADLK);
    CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
    errno = saved;
#pragma omp barrier
    use_runtime(3);
    use_runtime(MEMBERS);
    errno = saved;
    identity_check(who);
    _exit(30 + level);
  }
  errno = saved;
  identity_check(who);
  expect_child(child, 30 + level);
  errno = saved;
}

static void member(int round) {
  int me = omp_get_thread_num();
  struct identity who;
  identity_take(&who, me);
  pass_together((unsigned)round);
  if (me == (5 + round) % MEMBERS)
    fork_here(&who, 1);
  else
    for (unsigned way = 0; way < 3 * WAYS_ALONE; way++)
      pass_alone(way);
  pass_together((unsigned)round);
  identity_check(&who);
  if (round == 0)
    fork_here(&who, 1);
  pass_together(0);
  identity_check(&who);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(MEMBERS)
    member(round);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
    {
      struct identity who;
      identity_take(&who, 10 + omp_get_thread_num());
      pass_together(0);
      if (omp_get_thread_num() == 3)
        fork_here(&who, 2);
      pass_together(0);
      identity_check(&who);
    }
  }
  members_end();
  return 0;
}
