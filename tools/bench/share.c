/* share.c - nthbench-share: programs beside each other on the same CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-share equal|idle|kill SHAPE PROGRAMS PERIOD_MS SECONDS
 *
 * equal  so many programs work all the time
 * idle   the last one sleeps for the second half of each period
 * kill   the last one is killed (SIGKILL) some ms after its start, again and again, at least once,
 *        for about so many seconds: when do the others have its CPUs?
 * SHAPE  loop: regions of a dynamic loop. barrier: 100 us a member, then a barrier. tasks: one
 *        member makes tasks of 100 us. regions: regions of 200 us a member
 *
 * Prints of equal and idle: least PERCENT most PERCENT total PERCENT - work of the program that did
 * the least and the most, of an equal part of the machine; of all, of the whole machine. What the
 * machine does: threads without OpenMP do the same work, one for each CPU, before and after. Of
 * kill: middle MS worst MS - until the others have come three quarters of the way from what they
 * did before to what they do alone, over 10 ms; 400: they have not. The programs are forked before
 * OpenMP is used. Status 3: one of them has ended by itself.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pieces.h"

enum { MOST = 16, SPREAD = 64, SETTLE_US = 300000 };
enum { BIN_US = 1000, BINS = 1 << 16, WINDOW = 10, AFTER = 400 };

static struct shared {
  struct {
    _Alignas(128) atomic_long done; /* pieces; w: members of the program with this number */
  } part[MOST][SPREAD];
  atomic_int begun;     /* programs with a team so far */
  atomic_int bin[BINS]; /* pieces of all programs but the last, by ms; kill only */
  int64_t zero;         /* when bin[0] begins */
} *shared;

static int me;    /* number of this program */
static int cpus;  /* that all may use */
static bool bins; /* it notes when its pieces are done */

static void work(int pieces) {
  bench_work(bench_piece * pieces);
  atomic_fetch_add_explicit(&shared->part[me][omp_get_thread_num() % SPREAD].done, pieces,
                            memory_order_relaxed);
  int64_t at = bins ? (bench_now() - shared->zero) / (BIN_US * 1000) : BINS;
  if (at < BINS)
    atomic_fetch_add_explicit(&shared->bin[at], pieces, memory_order_relaxed);
}

/* --- shapes: each runs for some ms --- */

static void loop(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 64; i++)
    work(1);
}

static void barriers(void) {
#pragma omp parallel
  for (int i = 0; i < 30; i++) {
    work(1);
#pragma omp barrier
  }
}

static void tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 64; i++)
#pragma omp task
    work(1);
}

static void regions(void) {
  for (int i = 0; i < 10; i++) {
#pragma omp parallel
    work(2);
  }
}

static const struct shape {
  const char *name;
  void (*run)(void);
} shapes[] = {{"loop", loop}, {"barrier", barriers}, {"tasks", tasks}, {"regions", regions}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* --- a program --- */

static void program(int number, void (*run)(void), long period_ms) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  me = number;
  run();
  atomic_fetch_add(&shared->begun, 1);
  for (;;) {
    int64_t in = period_ms ? bench_now() / 1000 % (period_ms * 1000) : 0;
    if (in < period_ms * 500 || period_ms == 0)
      run();
    else
      usleep((useconds_t)(period_ms * 1000 - in));
  }
}

static pid_t start(int number, void (*run)(void), long period_ms) {
  pid_t child = fork();
  if (child == 0)
    program(number, run, period_ms);
  if (child < 0) {
    perror("nthbench-share");
    exit(1);
  }
  return child;
}

static void fail(void) {
  fprintf(stderr, "nthbench-share: a program has ended by itself\n");
  exit(3);
}

static void end(pid_t child) {
  int status;
  kill(child, SIGKILL);
  if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
    fail();
}

static void await(int programs) {
  while (atomic_load(&shared->begun) < programs) {
    if (waitpid(-1, 0, WNOHANG) > 0)
      fail();
    usleep(1000);
  }
}

/* --- equal, idle --- */

static void count(int programs, long *done) {
  for (int p = 0; p < programs; p++) {
    done[p] = 0;
    for (int i = 0; i < SPREAD; i++)
      done[p] += atomic_load(&shared->part[p][i].done);
  }
}

static void side_by_side(void (*run)(void), int programs, long period_ms, double seconds) {
  long before[MOST], after[MOST];
  pid_t child[MOST];
  double machine = bench_rate(cpus), least = 1e9, most = 0, total = 0;
  for (int p = 0; p < programs; p++)
    child[p] = start(p, run, p == programs - 1 ? period_ms : 0);
  await(programs);
  usleep(SETTLE_US);
  int64_t begin = bench_now();
  count(programs, before);
  usleep((useconds_t)(seconds * 1e6));
  count(programs, after);
  int64_t took = bench_now() - begin;
  for (int p = 0; p < programs; p++)
    end(child[p]);
  double later = bench_rate(cpus);
  double whole = (machine > later ? machine : later) * (double)took;
  for (int p = 0; p < programs; p++) {
    double part = 100 * (double)(after[p] - before[p]) / whole;
    total += part;
    least = part * programs < least ? part * programs : least;
    most = part * programs > most ? part * programs : most;
  }
  printf("least %.1f most %.1f total %.1f\n", least, most, total);
}

/* --- kill --- */

static long sum_of_bins(int64_t from, int64_t n) {
  long sum = 0;
  for (int64_t i = from < 0 ? 0 : from; i < from + n && i < BINS; i++)
    sum += atomic_load(&shared->bin[i]);
  return sum;
}

static int64_t bin_now(void) { return (bench_now() - shared->zero) / (BIN_US * 1000); }

/* ms from the kill on until the pieces of a window are three quarters of the way from what they
 * were before it to `full`. */
static double until_back(int64_t killed, double full) {
  double before = (double)sum_of_bins(killed - 5 * WINDOW, 5 * WINDOW) / 5;
  for (int64_t b = killed; b < killed + AFTER - WINDOW; b++)
    if ((double)sum_of_bins(b, WINDOW) >= before + (full - before) * 3 / 4)
      return (double)(b - killed) * BIN_US / 1000;
  return AFTER;
}

static void killed_ones(void (*run)(void), int programs, double seconds) {
  pid_t child[MOST];
  double ms[BINS / AFTER], worst = 0;
  int turns = 0;
  bins = true;
  shared->zero = bench_now();
  for (int p = 0; p < programs - 1; p++)
    child[p] = start(p, run, 0);
  bins = false;
  await(programs - 1);
  usleep(SETTLE_US);
  double alone = (double)sum_of_bins(bin_now() - 20 * WINDOW, 20 * WINDOW) / 20;
  srand((unsigned)getpid());
  do {
    pid_t last = start(programs - 1, run, 0);
    usleep((useconds_t)(rand() % 400) * 1000);
    int64_t killed = bin_now();
    end(last);
    usleep(AFTER * BIN_US);
    ms[turns] = until_back(killed, alone);
    worst = ms[turns] > worst ? ms[turns] : worst;
    turns++;
  } while ((double)(bench_now() - shared->zero) < seconds * 1e9);
  for (int p = 0; p < programs - 1; p++)
    end(child[p]);
  printf("middle %.0f worst %.0f\n", bench_median(ms, turns), worst);
}

int main(int argc, char **argv) {
  static const char *const experiments[] = {"equal", "idle", "kill"};
  int shape = 0, what = 0;
  while (argc == 6 && what < 3 && strcmp(experiments[what], argv[1]) != 0)
    what++;
  while (argc == 6 && shape < SHAPES && strcmp(shapes[shape].name, argv[2]) != 0)
    shape++;
  int programs = argc == 6 ? atoi(argv[3]) : 0;
  double seconds = argc == 6 ? atof(argv[5]) : 0;
  if (what == 3 || shape == SHAPES || programs < 2 || programs > MOST || seconds <= 0 ||
      seconds > 40) {
    fprintf(stderr, "usage: nthbench-share equal|idle|kill SHAPE PROGRAMS PERIOD_MS SECONDS\n");
    return 2;
  }
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  cpus = CPU_COUNT(&mask);
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 1;
  bench_calibrate_piece();
  if (what == 2)
    killed_ones(shapes[shape].run, programs, seconds);
  else
    side_by_side(shapes[shape].run, programs, what == 1 ? atol(argv[4]) : 0, seconds);
  return 0;
}
