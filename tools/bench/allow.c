/* allow.c - nthbench-allow: how well a program goes on while its CPUs are taken and given back.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-allow SHAPE CUT PERIOD_MS SECONDS
 *
 * SHAPE  loop: dynamic loop, chunks of 100 us. static: static loops of 1 ms a member, barrier
 *        after each. barrier: 100 us, then a barrier. tasks: one member makes tasks of 100 us.
 *        tree: tasks that make tasks and wait for them. regions: regions of 200 us a member
 * CUT    all: a helper process takes all CPUs but one from all threads (taskset -a -p, a cpuset).
 *        main: from the initial thread (taskset -p). quota: it writes a quota of one CPU, then one
 *        of all, into the file that NTHBENCH_QUOTA names: a cpu.max, or a cpu.cfs_quota_us with a
 *        period of 100 ms. none. one: one CPU all the time
 * PERIOD half of it with one CPU, half with all
 *
 * Prints: done PERCENT - work done, of what the CPUs given allow; cpu PERCENT - CPU time used, of
 * the time of the CPUs given. What they allow: threads without OpenMP do the same work, one for
 * each CPU given, before and after.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
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

enum { SPREAD = 64 };

static struct shared { /* with the helper process */
  atomic_bool runs, ends;
  int64_t cut_ns, full_ns; /* with one CPU, and with all; w: helper */
} *shared;

static cpu_set_t full, single;

static struct {
  _Alignas(128) atomic_long done;
} slots[SPREAD];

static void work(int pieces) {
  bench_work(bench_piece * pieces);
  atomic_fetch_add_explicit(&slots[omp_get_thread_num() % SPREAD].done, pieces,
                            memory_order_relaxed);
}

/* --- the helper process --- */

static void mask_all(pid_t pid, const cpu_set_t *set) {
  char folder[64];
  snprintf(folder, sizeof folder, "/proc/%d/task", (int)pid);
  DIR *tasks = opendir(folder);
  for (struct dirent *e; tasks && (e = readdir(tasks));)
    if (e->d_name[0] != '.')
      sched_setaffinity(atoi(e->d_name), sizeof *set, set);
  if (tasks)
    closedir(tasks);
}

/* In place: a reader finds the old text or the new one, never an empty file. */
static void write_quota(int cpus) {
  const char *path = getenv("NTHBENCH_QUOTA"), *end = path ? strrchr(path, '/') : 0;
  char text[64];
  int file = path ? open(path, O_WRONLY) : -1;
  snprintf(text, sizeof text, end && !strcmp(end, "/cpu.cfs_quota_us") ? "%d\n" : "%d 100000\n",
           cpus * 100000);
  if (file < 0 || write(file, text, strlen(text)) < 0)
    perror("nthbench-allow: NTHBENCH_QUOTA");
  if (file >= 0)
    close(file);
}

static void cut(pid_t pid, const char *how, bool less) {
  if (!strcmp(how, "all"))
    mask_all(pid, less ? &single : &full);
  else if (!strcmp(how, "main"))
    sched_setaffinity(pid, sizeof full, less ? &single : &full);
  else if (!strcmp(how, "quota"))
    write_quota(less ? 1 : CPU_COUNT(&full));
}

static void help(pid_t pid, const char *how, long period_ms) {
  bool less = false;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (!atomic_load(&shared->runs))
    usleep(100);
  int64_t at = bench_now();
  while (!atomic_load(&shared->ends)) {
    int64_t next = at + period_ms * 500000;
    less = !less;
    cut(pid, how, less);
    while (bench_now() < next && !atomic_load(&shared->ends)) {
      int64_t left = (next - bench_now()) / 1000;
      if (left > 0)
        usleep((useconds_t)(left < 2000 ? left : 2000));
    }
    int64_t now = bench_now();
    *(less ? &shared->cut_ns : &shared->full_ns) += now - at;
    at = now;
  }
  cut(pid, how, false);
  _exit(0);
}

/* --- shapes: each runs for some 10 ms, or until the end --- */

static int64_t end_at;

static bool over(void) { return bench_now() >= end_at; }

static void loop(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 2000; i++)
    work(1);
}

static void static_loops(void) {
#pragma omp parallel
  for (int i = 0; i < 50; i++) {
#pragma omp for schedule(static)
    for (int k = 0; k < 10 * omp_get_num_threads(); k++)
      work(1);
  }
}

static void barriers(void) {
#pragma omp parallel
  for (int i = 0; i < 500; i++) {
    work(1);
#pragma omp barrier
  }
}

static void fine(void) {
#pragma omp parallel
  for (int i = 0; i < 10000; i++) {
    bench_work(bench_piece / 50);
    if (i % 50 == 49)
      work(0), slots[omp_get_thread_num() % SPREAD].done++;
#pragma omp barrier
  }
}

static void tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2000; i++)
#pragma omp task
    work(1);
}

static void node(int depth) {
  if (depth == 0) {
    work(1);
    return;
  }
#pragma omp task
  node(depth - 1);
#pragma omp task
  node(depth - 1);
#pragma omp taskwait
}

static void tree(void) {
#pragma omp parallel
#pragma omp single
  node(11);
}

static void regions(void) {
  for (int i = 0; i < 200; i++) {
#pragma omp parallel
    work(2);
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} shapes[] = {{"loop", loop},   {"static", static_loops}, {"barrier", barriers}, {"fine", fine},
              {"tasks", tasks}, {"tree", tree},           {"regions", regions}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* --- */

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long pieces_done(void) {
  long sum = 0;
  for (int i = 0; i < SPREAD; i++)
    sum += atomic_load(&slots[i].done);
  return sum;
}

static void first_cpus(void) {
  sched_getaffinity(0, sizeof full, &full);
  CPU_ZERO(&single);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET((size_t)i, &full)) {
      CPU_SET((size_t)i, &single);
      return;
    }
}

int main(int argc, char **argv) {
  int shape = 0;
  if (argc != 5) {
    fprintf(stderr, "usage: nthbench-allow SHAPE all|main|quota|none|one PERIOD_MS SECONDS\n");
    return 2;
  }
  while (shape < SHAPES && strcmp(shapes[shape].name, argv[1]) != 0)
    shape++;
  if (shape == SHAPES) {
    fprintf(stderr, "nthbench-allow: no shape %s\n", argv[1]);
    return 2;
  }
  const char *how = argv[2];
  long period_ms = atol(argv[3]);
  double seconds = atof(argv[4]);
  bool helped = strcmp(how, "none") != 0 && strcmp(how, "one") != 0;
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 1;
  first_cpus();
  if (!strcmp(how, "one"))
    sched_setaffinity(0, sizeof single, &single);
  (void)omp_get_num_procs(); /* finds the quota, which OMP_NUM_THREADS does not need */
  bench_calibrate_piece();
  int cpus = !strcmp(how, "one") ? 1 : CPU_COUNT(&full);
  double rate_full = bench_rate(cpus), rate_one = bench_rate(1);
  pid_t pid = getpid(), child = helped ? fork() : 0;
  if (helped && child == 0)
    help(pid, how, period_ms);
  shapes[shape].run(); /* threads exist */
  long before = pieces_done();
  double cpu_before = cpu_ns();
  int64_t start = bench_now();
  end_at = start + (int64_t)(seconds * 1e9);
  atomic_store(&shared->runs, true);
  while (!over())
    shapes[shape].run();
  int64_t took = bench_now() - start;
  double cpu = cpu_ns() - cpu_before;
  long done = pieces_done() - before;
  atomic_store(&shared->ends, true);
  if (helped)
    waitpid(child, 0, 0);
  else
    shared->full_ns = took;
  if (helped && strcmp(how, "main") == 0) { /* the other threads kept their CPUs */
    shared->full_ns += shared->cut_ns;
    shared->cut_ns = 0;
  }
  double full_2 = bench_rate(cpus), one_2 = bench_rate(1);
  rate_full = rate_full > full_2 ? rate_full : full_2;
  rate_one = rate_one > one_2 ? rate_one : one_2;
  double allow = rate_full * (double)shared->full_ns + rate_one * (double)shared->cut_ns;
  double given = (double)cpus * (double)shared->full_ns + (double)shared->cut_ns;
  printf("done %.1f cpu %.1f\n", 100 * (double)done / allow, 100 * cpu / given);
  return 0;
}
