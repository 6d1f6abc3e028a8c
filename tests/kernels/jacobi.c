/* jacobi.c - Jacobi iteration on 480 rows: fixed chunks against guided, with a CPU coming and going
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1996, section 4.2: 250 iterations, chunks of 2 and of 24 rows and
 *             guided self-scheduling (gss); a competitor works on one CPU for MS milliseconds and
 *             leaves it for as long (their t-ncpuchange, 40 ms to 4 s). Theirs had a high priority;
 *             ours has the application's, so that no privilege is needed: it gets its fair share.
 *             With --take-ms and --react-ms a simulated system takes the last processor instead,
 *             and the program may answer inside its regions (jacobi_os.h).
 * Check       jacobi_system.h
 */
#include "jacobi_os.h"
#include "jacobi_system.h"
#include "schedule.h"

#include <omp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { BY_GUIDED = 0, BY_RUNTIME = -1 }; /* in place of a chunk size */

static void solve(struct linear_system *s, long iters, long chunk) {
  memset(s->x, 0, (size_t)s->rows * sizeof *s->x);
  for (long k = 0; k < iters; k++) {
    double change = 0;
    if (chunk == BY_RUNTIME) {
#pragma omp parallel for schedule(runtime) reduction(max : change)
      for (long i = 0; i < s->rows; i++) {
        s->next[i] = row_solve(s, i);
        change = fmax(change, fabs(s->next[i] - s->x[i]));
      }
    } else if (chunk == BY_GUIDED) {
#pragma omp parallel for schedule(guided) reduction(max : change)
      for (long i = 0; i < s->rows; i++) {
        s->next[i] = row_solve(s, i);
        change = fmax(change, fabs(s->next[i] - s->x[i]));
      }
    } else {
#pragma omp parallel for schedule(dynamic, chunk) reduction(max : change)
      for (long i = 0; i < s->rows; i++) {
        s->next[i] = row_solve(s, i);
        change = fmax(change, fabs(s->next[i] - s->x[i]));
      }
    }
    system_step(s, change);
  }
}

/* ---- the competitor ---- */

/* The CPU the competitor works on: the last one we are allowed. */
static void pin_to_last_cpu(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return;
  }
  for (size_t cpu = CPU_SETSIZE; cpu-- > 0;) {
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_ZERO(&allowed);
      CPU_SET(cpu, &allowed);
      sched_setaffinity(0, sizeof allowed, &allowed);
      return;
    }
  }
}

/* Starts a process that computes on one CPU. It ends with its parent, come what may. */
static pid_t competitor_start(void) {
  pid_t parent = getpid(), child = fork();
  if (child != 0) {
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(0);
  }
  pin_to_last_cpu();
  for (volatile unsigned long count = 0;;) {
    count = count + 1;
  }
}

/* Runs in a process of its own: stops and continues the competitor every `period_ms`. The
 * application's own threads stay free of timers and signals. */
static pid_t scheduler_start(long period_ms) {
  pid_t parent = getpid(), child = fork();
  if (child != 0) {
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pid_t competitor = competitor_start();
  if (getppid() != parent || competitor < 0) {
    _exit(0); /* the competitor, if any, ends with us */
  }
  struct timespec period = {period_ms / 1000, period_ms % 1000 * 1000000};
  for (int signal = SIGSTOP;; signal = signal == SIGSTOP ? SIGCONT : SIGSTOP) {
    nanosleep(&period, NULL);
    kill(competitor, signal);
  }
}

static void scheduler_stop(pid_t scheduler) {
  if (scheduler > 0) {
    kill(scheduler, SIGKILL);
    waitpid(scheduler, NULL, 0);
  }
}

/* ---- runs ---- */

/* Tells the simulated system which OS thread runs each member. */
static int tell_threads(void) {
  int members = 1;
#pragma omp parallel
  {
    os_ran(omp_get_thread_num(), (int)syscall(SYS_gettid));
#pragma omp single
    members = omp_get_num_threads();
  }
  return members;
}

/* Times and checks `solves` solves with one chunk size; schedule: the text of BY_RUNTIME. */
static int run_variant(struct linear_system *s, const struct kernel *k, long chunk,
                       const char *schedule, long solves, long steal_ms,
                       const struct outcome *expected) {
  double best = INFINITY; /* a solve */
  long best_solves = 0;
  int members = os.take_ms > 0 ? tell_threads() : 1;
  bool ok = true, takes = members > 1;
  if (takes) {
    os_begin(members);
  }
  for (long rep = 0; rep < k->reps; rep++) {
    double start = kern_now();
    long done = 0;
    do {
      solve(s, k->iters, chunk);
    } while (os_goes_on(takes, ++done, solves));
    double a_solve = (kern_now() - start) / (double)done;
    if (a_solve < best) {
      best = a_solve;
      best_solves = done;
    }
    ok &= verify(s, k->iters, expected);
  }
  ok &= !takes || os_end();
  char name[64] = "jacobi-gss", size[128], steal[64] = "";
  if (chunk > 0) {
    snprintf(name, sizeof name, "jacobi-chunk%ld", chunk);
  } else if (chunk == BY_RUNTIME) {
    snprintf(name, sizeof name, "jacobi-%s", schedule);
  }
  if (steal_ms > 0) {
    snprintf(steal, sizeof steal, "/steal%ldms", steal_ms);
  } else if (takes) {
    snprintf(steal, sizeof steal, "/take%ldms/react%ldms", os.take_ms, os.react_ms);
  }
  snprintf(size, sizeof size, "%ldx%ld%s", k->size, k->iters * best_solves, steal);
  return kern_report(name, size, best * (double)best_solves, ok, "%.12e", expected->change);
}

int main(int argc, char **argv) {
  const char *schedule = schedule_take(&argc, argv);
  struct kernel k = {
      .name = "jacobi",
      .what = "Jacobi iteration, fixed chunks and guided, optionally beside a competitor",
      .size_means = "rows of the system",
      .iters_means = "iterations of a solve",
      .full = {480, 250},
      .brief = {480, 50},
  };
  long only_chunk = LONG_MAX, solves = 0, steal_ms = 0;
  bool only_guided = false;
  const struct kern_option extra[] = {
      {"chunk", "N: only the fixed chunk of N rows (default: 2, 24 and gss)", &only_chunk, NULL},
      {"gss", "only guided self-scheduling", NULL, &only_guided},
      SCHEDULE_HELP,
      {"solves", "N: solves that are timed together (40; 2 with --small)", &solves, NULL},
      {"steal-cpu", "MS: a competitor takes a CPU every other MS milliseconds", &steal_ms, NULL},
      OS_OPTIONS,
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 2 && k.iters >= 1 && only_chunk >= 1, "a size or count is too small");
  kern_require(&k, steal_ms == 0 || os.take_ms == 0, "--steal-cpu or --take-ms");
  os_require(&k);
  solves = solves > 0 ? solves : (k.small ? 2 : 40);
  pid_t scheduler = steal_ms > 0 ? scheduler_start(steal_ms) : 0; /* before any thread exists */

  struct linear_system s;
  system_init(&s, k.size);
  struct outcome expected = expect(&s, k.iters);
  kern_threads();

  long chunks[] = {2, 24, BY_GUIDED};
  size_t variants = sizeof chunks / sizeof *chunks;
  if (schedule || only_guided || only_chunk != LONG_MAX) {
    chunks[0] = schedule ? BY_RUNTIME : only_guided ? BY_GUIDED : only_chunk;
    variants = 1;
  }
  int status = KERN_OK;
  for (size_t v = 0; v < variants; v++) {
    status |= run_variant(&s, &k, chunks[v], schedule, solves, steal_ms, &expected);
  }
  scheduler_stop(scheduler);
  return status;
}
