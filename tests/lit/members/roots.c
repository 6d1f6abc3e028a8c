/* roots.c - four threads of the program, each with a team of eight */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the members of four teams at once, 32 in all, have identities of their own that last
// from region to region, that member 0 is the root itself on its own OS thread, and that loops,
// tasks and locks of all teams are right; then nested teams under each root.
// RUN: %members_test
// RUN: env NTH_MEMBERS=auto %omp_run %t
#include "members.h"

enum { ROOTS = 4 };

static struct identity all[ROOTS * MEMBERS];
static pthread_barrier_t at_once;
static long counted;

static void member(int root, int region, pthread_t self, pid_t os_thread) {
  int me = omp_get_thread_num(), id = root * MEMBERS + me;
  struct identity *who = &all[id];
  long tasks = 0;
  if (me == 0) {
    CHECK(pthread_equal(self, pthread_self()));
    CHECK_EQ(syscall(SYS_gettid), os_thread);
  }
  if (region == 0)
    identity_take(who, id);
  errno = 1000 + id;
  identity_check(who);
  for (unsigned way = 0; way < WAYS_ALONE; way++) {
    pass_alone(way + (unsigned)id);
    identity_check(who);
    pass_together(way);
    identity_check(who);
  }
#pragma omp critical(roots_count)
  counted++;
#pragma omp task shared(tasks)
  tasks++;
#pragma omp taskwait
  CHECK_EQ(tasks, 1);
}

static void *root(void *argument) {
  int number = (int)(intptr_t)argument, regions = 0;
  pthread_t self = pthread_self();
  pid_t os_thread = (pid_t)syscall(SYS_gettid);
  omp_set_max_active_levels(2);
  double end = check_seconds() + 1;
  for (; regions < 20 && (regions == 0 || check_seconds() < end); regions++) {
    long sum = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
    {
      member(number, regions, self, os_thread);
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < 100; i++)
        sum += i * (number + 1);
    }
    CHECK_EQ(sum, 4950 * (number + 1));
    CHECK_EQ(syscall(SYS_gettid), os_thread);
  }
  pthread_barrier_wait(&at_once); /* all teams are still there */
  long inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
#pragma omp parallel num_threads(4) reduction(+ : inner)
  {
    pass_together(0);
    inner++;
  }
  CHECK_EQ(inner, 8);
  return (void *)(intptr_t)regions;
}

int main(void) {
  pthread_t threads[ROOTS];
  long regions = 0;
  pthread_barrier_init(&at_once, NULL, ROOTS + 1);
  for (intptr_t i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)i), 0);
  pthread_barrier_wait(&at_once);
  identities_differ(all, ROOTS * MEMBERS);
  for (int i = 0; i < ROOTS; i++) {
    void *count;
    CHECK_EQ(pthread_join(threads[i], &count), 0);
    regions += (intptr_t)count;
  }
  CHECK_EQ(counted, MEMBERS * regions);
  members_end();
  return 0;
}
