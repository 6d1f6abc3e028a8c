/* roots_fresh.c - roots that come and go: their members' data, and OS threads that serve again */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks root pthreads one after the other, 300 at once, and some in a forked child: each member of
// a new root begins with initial thread-local and threadprivate variables, errno 0 and no
// thread-specific data, whose destructors run for each thread that had some. Checks that few OS
// threads serve the members of roots one after the other, and that all of them are gone when no
// more roots come. The last two hold for nanogomp with members that are OS threads, at least in the
// few regions of each root, and may sleep: libgomp makes a thread for each member, and keeps those
// of ended roots.
// RUN: %omp_build %s -o %t && %omp_run %t
// RUN: %if nanogomp %{ env -u OMP_WAIT_POLICY NTH_MEMBERS=os OMP_PROC_BIND=false \
// RUN:   %omp_run %t counts %}
// RUN: %if nanogomp %{ env -u OMP_WAIT_POLICY NTH_MEMBERS=auto OMP_PROC_BIND=false \
// RUN:   %omp_run %t counts %}
#define _GNU_SOURCE
#include "check.h"
#include "count_threads.h"
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 400, AT_ONCE = 300, TEAM = 3, FEW = 60 };

static __thread int variable = 5;
static __thread char page[3000];
static int private_one = 7;
#pragma omp threadprivate(private_one)

static pthread_key_t key;
static bool keeps; /* members leave thread-specific data behind */
static _Atomic(long) dropped, kept;
static _Atomic(int) seen[TURNS * TEAM], seen_number;

static void drop(void *data) {
  CHECK(data == &key);
  dropped++;
}

/* Notes the OS thread that runs a slave. */
static void saw(int number) {
  for (int i = 0; i < seen_number; i++)
    if (seen[i] == number)
      return;
  int i = seen_number++;
  if (i < TURNS * TEAM)
    seen[i] = number;
}

static void member(bool notes) {
  CHECK_EQ(variable, 5);
  CHECK_EQ(private_one, 7);
  for (unsigned i = 0; i < sizeof page; i++)
    CHECK_EQ(page[i], 0);
  CHECK(pthread_getspecific(key) == NULL);
  if (omp_get_thread_num() > 0) {
    CHECK_EQ(errno, 0);
    if (notes)
      saw(gettid());
  }
  variable = private_one = 100;
  memset(page, 1, sizeof page);
  errno = EPERM;
  if (keeps) {
    CHECK_EQ(pthread_setspecific(key, &key), 0);
    kept++;
  }
}

static void *root(void *argument) {
  int members = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : members)
  {
    member(argument != NULL);
    members++;
  }
  CHECK_EQ(members, TEAM);
#pragma omp parallel num_threads(TEAM)
  CHECK_EQ(private_one, 100);
  return NULL;
}

static void *nothing(void *argument) { return argument; }

static void call(void *(*function)(void *), void *argument) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, function, argument), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void in_turn(int turns, void *argument) {
  for (int i = 0; i < turns; i++)
    call(root, argument);
}

static void at_once(int roots) {
  static pthread_t thread[AT_ONCE];
  for (int i = 0; i < roots; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, root, NULL), 0);
  for (int i = 0; i < roots; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
}

/* ThreadSanitizer ends a child that makes threads while it still knows those of its parent. */
static void in_child(void) {
#ifdef __SANITIZE_THREAD__
  return;
#endif
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    in_turn(20, NULL);
    _exit(0);
  }
  int status = 1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

/* CPU time in s that others have had since the last call, and all had. */
static void others_time(double *others, double *all) {
  static double before_all, before_mine;
  double t[8] = {0}, now = 0, mine = (double)clock() / CLOCKS_PER_SEC;
  FILE *f = fopen("/proc/stat", "r");
  CHECK(f);
  CHECK(fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", t, t + 1, t + 2, t + 3, t + 4, t + 5,
               t + 6, t + 7) == 8);
  fclose(f);
  for (int i = 0; i < 8; i++)
    now += i == 3 || i == 4 ? 0 : t[i] / (double)sysconf(_SC_CLK_TCK); /* idle, and waits for it */
  *all = now - before_all;
  *others = *all - (mine - before_mine);
  before_all = now;
  before_mine = mine;
}

int main(int arguments, char **argument) {
  (void)argument;
  double others, all;
  bool counts = arguments > 1;
  omp_set_dynamic(0);
  CHECK_EQ(pthread_key_create(&key, drop), 0);
  call(nothing, NULL); /* a sanitizer's own thread begins with the first one */
  int before = count_threads();
  others_time(&others, &all);
  in_turn(CHECK_TIMES(TURNS), &key);
  others_time(&others, &all);
  printf("%d numbers seen; others had %.2f of %.2f s of CPU time\n", seen_number, others, all);
  if (counts && CHECK_SLOWER == 1 && others < all / 2) /* else others serve the members */
    CHECK(seen_number <= FEW);
  in_child();
  in_turn(20, NULL);
  at_once(CHECK_TIMES(AT_ONCE));
  keeps = true;
  in_turn(CHECK_TIMES(TURNS / 10), NULL);
  keeps = false;
  in_turn(20, NULL);
  if (counts) {
    CHECK_WAIT_UNTIL(dropped == kept);
    CHECK_WAIT_UNTIL(count_threads() <= before);
  }
  return 0;
}
