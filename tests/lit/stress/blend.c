/* blend.c - random programs of tasks, loops, locks, regions and cancellation, from a seed */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, for the time given, programs drawn from seeds, of what mix.c has not: tasks with
// dependences, events, priorities and reductions, taskloops, doacross loops, locks, cancellation,
// clauses of regions, target regions and leagues, nested in each other; from several root threads,
// in children of fork() and under signals, if the arguments say so. Each job counts once.
//
// `blend SECONDS SEED OWN [roots] [fork] [signals] [outside]` begins with that program again.
// OWN: 0 leaves out what libgomp 12 does not do.
//
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 %omp_run %t %mix_seconds 0 %own
// RUN: env OMP_NUM_THREADS=8 OMP_MAX_TASK_PRIORITY=2 %omp_run %t 1 0 %own roots signals
// RUN: env OMP_CANCELLATION=true %python %S/Inputs/one_cpu.py %omp_run %t 1 0 %own roots fork
#include "blend.h"
#include "blend_depend.h"
#include "blend_post.h"
#include "blend_regions.h"
#include "blend_sync.h"
#include "blend_tasks.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

static bool forks, signals;
static double end;
static uint64_t first_seed;
static _Atomic(int) heard;

/* The thread sanitizer calls handlers late, in calls where errno may change, and knows no threads
 * that a forked child makes. */
#ifdef __SANITIZE_THREAD__
enum { PLAIN = 0 };
#else
enum { PLAIN = 1 };
#endif

static kind_fn *const kinds[] = {serially,       loosely,
                                 grouped,        in_rows,
                                 loops_of_tasks, reductions_of_tasks,
                                 events,         graph,
                                 chain,          graph,
                                 loosely,        counters,
                                 holding,        holding,
                                 region,         region,
                                 region,         grouped,
                                 events,         cancelled_group,
                                 on_target,      cancelled_region,
                                 events};

static void body(struct job j) {
  uint64_t draws = j.seed ^ 0x5bd1e995;
  uint32_t kind = check_random(&draws) % (sizeof kinds / sizeof *kinds);
  add(j.team, 1);
  if (j.depth > 0)
    kinds[kind](j, children(j), check_random(&draws));
}

static void program(uint64_t seed) {
  uint64_t draws = seed;
  struct team t;
  struct job j = {&t, check_random(&draws), 3, 0, 0};
  uint32_t draw = check_random(&draws), what = check_random(&draws) % 8;
  begin_team(&t);
  omp_set_max_active_levels(draw % 4 ? LEVELS : 1 + (int)(draw / 4 % 3));
  omp_set_dynamic(draw / 16 % 8 == 0);
  t.sizes_free = draw / 16 % 8 == 0;
  add(&t, 1);
  if (what == 0)
    in_league(j, children(j), check_random(&draws));
  else if (what == 1)
    loosely(j, children(j), check_random(&draws));
  else
    region(j, children(j), check_random(&draws));
#pragma omp taskwait
  CHECK_SUM(end_team(&t), share(j));
}

static void wait_for(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    CHECK_EQ(errno, EINTR);
  CHECK_SUM(status, 0);
}

/* A child that runs a program of its own, while other roots have regions. */
static void in_fork(uint64_t seed) {
  pid_t pid = fork();
  CHECK_THAT(pid >= 0);
  if (pid == 0) {
    alone = true;
    open_office();
    program(seed);
    _exit(0);
  }
  wait_for(pid);
}

static void *root(void *number) {
  long me = (long)number, programs = 0;
  uint64_t seed = first_seed + 7 * (uint64_t)me;
  do {
    running[me].since = check_seconds();
    running[me].seed = seed;
    if (forks && programs % 16 == 5)
      in_fork(seed);
    program(seed);
    programs++;
    seed += 1000003u;
  } while (check_seconds() < end && (me == 0 || programs % 40 != 0));
  running[me].seed = 0;
  return (void *)programs;
}

static void hear(int number) {
  (void)number;
  heard++;
}

static void start_signals(void) {
  struct sigaction a = {.sa_handler = hear, .sa_flags = SA_RESTART};
  struct itimerval each = {{0, 1700}, {0, 1700}};
  CHECK_EQ(sigaction(SIGALRM, &a, NULL), 0);
  CHECK_EQ(setitimer(ITIMER_REAL, &each, NULL), 0);
}

/* Threads that end after some programs, so that new ones come. */
static void *other_roots(void *number) {
  long programs = 0;
  do {
    pthread_t thread;
    void *more;
    CHECK_EQ(pthread_create(&thread, NULL, root, number), 0);
    CHECK_EQ(pthread_join(thread, &more), 0);
    programs += (long)more;
  } while (check_seconds() < end);
  return (void *)programs;
}

int main(int argc, char **argv) {
  pthread_t others[ROOTS];
  int roots = 1;
  end = check_seconds() + (argc > 1 ? atof(argv[1]) : 3);
  first_seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
  own = argc > 3 && atoi(argv[3]);
  for (int i = 4; i < argc; i++) {
    roots = strcmp(argv[i], "roots") == 0 ? ROOTS : roots;
    forks |= PLAIN && own && strcmp(argv[i], "fork") == 0; /* libgomp 12 hangs in the child */
    outside |= strcmp(argv[i], "outside") == 0;
    signals |= PLAIN && strcmp(argv[i], "signals") == 0;
  }
  if (first_seed == 0)
    first_seed = (uint64_t)time(NULL) << 16 | (uint64_t)getpid();
  printf("seed %" PRIu64 "\n", first_seed);
  fflush(stdout);
  CHECK_EQ(pthread_atfork(before_fork, in_parent, in_child), 0);
  open_office();
  if (signals)
    start_signals();
  for (long r = 1; r < roots; r++)
    CHECK_EQ(pthread_create(&others[r], NULL, other_roots, (void *)r), 0);
  long programs = (long)root((void *)0);
  for (long r = 1; r < roots; r++) {
    void *more;
    CHECK_EQ(pthread_join(others[r], &more), 0);
    programs += (long)more;
  }
  printf("%ld programs\n", programs);
  return 0;
}
