/* members.h - teams of eight, or as many as the build says: places where a member may change its OS
 * thread, and what it keeps */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef MEMBERS_H
#define MEMBERS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#ifndef CHECK_MEMBERS
#define CHECK_MEMBERS 8
#endif
enum { MEMBERS = CHECK_MEMBERS, WAYS_ALONE = 6, WAYS_TOGETHER = 5 };

static long members_moves, members_passes, members_counted;
static omp_lock_t members_lock;
static pthread_key_t members_key;

__attribute__((constructor)) static void members_begin(void) {
  omp_init_lock(&members_lock);
  CHECK_EQ(pthread_key_create(&members_key, NULL), 0);
}

/* Counts when the member is run by another OS thread than when it came here last. */
__attribute__((noinline, unused)) static void members_look(void) {
  static __thread pid_t last;
  pid_t now = (pid_t)syscall(SYS_gettid);
  if (last != 0 && last != now)
    __atomic_add_fetch(&members_moves, 1, __ATOMIC_RELAXED);
  last = now;
}

/* The end of a program. Under CHECK_MOVED members must have moved. */
__attribute__((unused)) static void members_end(void) {
  printf("moved: %ld\n", members_moves);
  CHECK_EQ(members_counted, members_passes);
  if (getenv("CHECK_MOVED"))
    CHECK(members_moves > 0);
}

/* A point at which the runtime may let another member run; any member may come by itself. errno is
   the caller's afterwards. */
__attribute__((noinline, unused)) static void pass_alone(unsigned way) {
  int done = 0, saved = errno;
  switch (way % WAYS_ALONE) {
  case 0: {
#pragma omp taskyield
    break;
  }
  case 1: __atomic_add_fetch(&members_passes, 1, __ATOMIC_RELAXED);
#pragma omp critical(members)
    members_counted++;
    break;
  case 2:
#pragma omp task shared(done)
    done = 1;
#pragma omp taskwait
    CHECK_EQ(done, 1);
    break;
  case 3:
    omp_set_lock(&members_lock);
    check_busy(50);
    omp_unset_lock(&members_lock);
    break;
  case 4:
#pragma omp taskgroup
    for (int i = 0; i < 2; i++) {
#pragma omp task shared(done)
      __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(done, 2);
    break;
  default: __atomic_add_fetch(&members_passes, 1, __ATOMIC_RELAXED);
#pragma omp critical(members)
    {
#pragma omp taskyield
      members_counted++;
    }
  }
  members_look();
  errno = saved;
}

/* The same; all members of the team come, with the same way. */
__attribute__((noinline, unused)) static void pass_together(unsigned way) {
  int saved = errno;
  long got = 0;
  switch (way % WAYS_TOGETHER) {
  case 0: {
#pragma omp barrier
    break;
  }
  case 1:
#pragma omp single
    check_busy(100);
    break;
  case 2:
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2 * MEMBERS; i++)
      check_busy(20);
    break;
  case 3:
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < MEMBERS; i++) {
#pragma omp ordered
      check_busy(20);
    }
    break;
  default:
#pragma omp single copyprivate(got)
    got = 7 + way;
    CHECK_EQ(got, 7 + way);
  }
  members_look();
  errno = saved;
}

/* Every such point, in a region. For the begin of a program whose members spin or block elsewhere:
   these may end up on OS threads of their own, where nobody moves them. */
__attribute__((unused)) static void pass_everywhere(void) {
#pragma omp parallel num_threads(MEMBERS)
  for (unsigned way = 0; way < WAYS_ALONE + WAYS_TOGETHER; way++) {
    pass_alone(way);
    pass_together(way);
  }
}

/* What belongs to a member for good. */
struct identity {
  long id;
  pthread_t self;
  long *local;
  int *errno_at;
};

static __thread long members_local[40];

__attribute__((noinline, unused)) static void identity_take(struct identity *who, long id) {
  who->id = id;
  who->self = pthread_self();
  who->local = members_local;
  who->errno_at = &errno;
  for (int i = 0; i < 40; i++)
    members_local[i] = id * 100 + i;
  CHECK_EQ(pthread_setspecific(members_key, who), 0);
  errno = (int)(1000 + id);
}

__attribute__((noinline, unused)) static void identity_check(const struct identity *who) {
  CHECK_EQ(errno, 1000 + who->id);
  CHECK(who->errno_at == &errno);
  CHECK(pthread_equal(who->self, pthread_self()));
  CHECK(who->local == members_local);
  CHECK(pthread_getspecific(members_key) == who);
  for (int i = 0; i < 40; i++)
    CHECK_EQ(members_local[i], who->id * 100 + i);
}

/* No two members share anything. */
__attribute__((unused)) static void identities_differ(const struct identity *all, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      CHECK(!pthread_equal(all[i].self, all[j].self));
      CHECK(all[i].local != all[j].local);
      CHECK(all[i].errno_at != all[j].errno_at);
    }
}

#endif
