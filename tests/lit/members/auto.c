/* auto.c - members are OS threads until a team does not fit the CPUs, nano-threads from then on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program of which all teams fit has an OS thread a member and none beside them; that
// with the first team that is larger than the CPUs, or with regions that may be nested, members
// take turns on fewer OS threads, while they stay the same threads with the same data: in the main
// program and in other root threads, again and again.
// REQUIRES: members-nano
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=auto %omp_run %t large
// RUN: env NTH_MEMBERS=auto %omp_run %t nested
// RUN: env NTH_MEMBERS=auto OMP_WAIT_POLICY=passive %omp_run %t large
// RUN: env NTH_MEMBERS=auto OMP_WAIT_POLICY=active %omp_run %t nested
// RUN: env NTH_MEMBERS=auto NTH_TEST_MOVE=1 %omp_run %t large
// RUN: env NTH_MEMBERS=auto OMP_STACKSIZE=64K %omp_run %t large
// RUN: env NTH_MEMBERS=auto NTH_FORK=gwd %omp_run %t nested
#define _GNU_SOURCE
#include "check.h"
#include "count_threads.h"
#include <pthread.h>
#include <sys/syscall.h>

enum { CPUS = 2, LARGE = 9, ROUNDS = 40 };

static int mine;
#pragma omp threadprivate(mine)

struct seen {
  pthread_t thread[LARGE];
  pid_t os_thread[LARGE];
};

/* Member i is the thread with the value that the first region gave it. */
static void region(struct seen *s, int size, bool first) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), size);
    if (first || s->thread[me] == 0) {
      s->thread[me] = pthread_self();
      mine = 100 + me;
    }
    CHECK(pthread_equal(s->thread[me], pthread_self()));
    CHECK_EQ(mine, 100 + me);
    s->os_thread[me] = (pid_t)syscall(SYS_gettid);
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
#pragma omp barrier
#pragma omp task shared(sum)
    sum++;
#pragma omp taskwait
  }
  CHECK_EQ(sum, 2 * size);
}

static int shared_os_threads(const struct seen *s, int size) {
  int shared = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < i; j++)
      shared += s->os_thread[i] == s->os_thread[j];
  return shared;
}

static void nest(void) {
  int sum = 0;
#pragma omp parallel num_threads(CPUS) reduction(+ : sum)
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
#pragma omp barrier
    sum++;
  }
  CHECK_EQ(sum, CPUS * 3);
}

/* A root's life; alone: no other root has threads. */
static void live(bool nested, bool alone) {
  struct seen s = {0};
  long before = count_threads();
  region(&s, CPUS, true);
  for (int i = 0; i < ROUNDS; i++)
    region(&s, CPUS, false);
  CHECK(!alone || count_threads() - before == CPUS - 1);
  CHECK_EQ(shared_os_threads(&s, CPUS), 0);
  if (nested)
    omp_set_max_active_levels(2);
  int shared = 0; /* none while the watchdog of a loaded machine keeps members on OS threads of
                   * their own */
  for (int i = 0; i < ROUNDS || (!nested && shared == 0); i++) {
    if (nested)
      nest();
    region(&s, nested ? CPUS : LARGE, false);
    shared += nested ? 0 : shared_os_threads(&s, LARGE);
    region(&s, CPUS, false);
  }
}

static void *nothing(void *unused) { return unused; }

static void *root(void *nested) {
  live(nested != NULL, false);
  return NULL;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  bool nested = !strcmp(argv[1], "nested");
  cpu_set_t all;
  CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  for (int cpu = 0, left = CPUS; cpu < CPU_SETSIZE; cpu++) /* larger than the machine is more than
                                                            * so many */
    if (CPU_ISSET(cpu, &all) && left-- <= 0)
      CPU_CLR(cpu, &all);
  CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  omp_set_dynamic(0);
  pthread_t other; /* with the first one come threads of instruments */
  CHECK_EQ(pthread_create(&other, NULL, nothing, NULL), 0);
  CHECK_EQ(pthread_join(other, NULL), 0);
  check_sleep_ms(100); /* the system takes it off its list a little later */
  live(nested, true);
  for (int round = 0; round < 3; round++) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
      CHECK_EQ(pthread_create(&thread[i], NULL, root, nested ? &nested : NULL), 0);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(pthread_join(thread[i], NULL), 0);
  }
  return 0;
}
