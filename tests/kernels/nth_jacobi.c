/* nth_jacobi.c - Jacobi iteration in nano-threads, while a simulated system takes a processor
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1996, section 4.2 and figure 2: 480 rows, 250 iterations;
 *             nano-threads of 2 rows, of 24 rows, and of sizes as guided self-scheduling has them
 *             (gss); with --schedule the rows are a loop (nth_loop_run). The system takes the last
 *             processor for --take-ms milliseconds and gives it back for as long (their
 *             t-ncpuchange, 40 ms to 4 s).
 * Reaction    With --react-ms the system first asks (nth_request), and waits that long for the
 *             answer (nth_running). Without an answer in time, or with --react-ms 0, it steals the
 *             processor: it suspends the OS thread, whatever that is doing.
 * System      jacobi_os.h
 * Check       jacobi_system.h; reactions and steals are together as many as processors were taken.
 */
#include "nth_kernel.h"

#include "jacobi_os.h"
#include "jacobi_system.h"
#include "schedule.h"

/* ---- the application ---- */

static struct linear_system the;
static double *row_change; /* of each chunk, at its first row */

static void rows(long from, long to) {
  static _Thread_local int me;
  if (me == 0) {
    me = (int)syscall(SYS_gettid);
  }
  os_ran(nth_processor(), me);
  double change = 0;
  for (long i = from; i < to; i++) {
    the.next[i] = row_solve(&the, i);
    change = fmax(change, fabs(the.next[i] - the.x[i]));
  }
  row_change[from] = change;
}

/* Rows of the next nano-thread if `left` are left; chunk 0: guided. */
static long piece(long left, long chunk, long processors) {
  long n = chunk > 0 ? chunk : (left + processors - 1) / processors;
  return n < left ? n : left;
}

/* One iteration. The nano-threads go around the processors; the largest pieces come first. */
static void sweep(long chunk, long processors) {
  struct nth_desc *me = nth_self();
  long pieces = 0, to;
  for (long from = 0; from < the.rows; from += piece(the.rows - from, chunk, processors)) {
    pieces++;
  }
  nth_depadd(me, pieces + 1);
  for (long from = 0, i = 0; from < the.rows; from = to, i++) {
    to = from + piece(the.rows - from, chunk, processors);
    nth_to_lrq_end((int)(i % processors), nth_create_ls(rows, 0, me, 2, from, to));
  }
  nth_block();
}

static void loop_rows(long from, long to, void *unused) {
  (void)unused;
  rows(from, to);
}

/* One iteration as a loop, by the schedule of --schedule. */
static void sweep_loop(void) {
  int error = nth_loop_run(0, the.rows, NTH_RUNTIME, 0, loop_rows, NULL);
  if (error) {
    fprintf(stderr, "nth_loop_run: %s\n", strerror(error));
    exit(KERN_USAGE);
  }
}

/* chunk 0: guided; below 0: loops. */
static void solve_by_nano_threads(long iters, long chunk) {
  long processors = nth_processors();
  memset(the.x, 0, (size_t)the.rows * sizeof *the.x);
  for (long k = 0; k < iters; k++) {
    double change = 0;
    memset(row_change, 0, (size_t)the.rows * sizeof *row_change);
    if (chunk < 0) {
      sweep_loop();
    } else {
      sweep(chunk, processors);
    }
    for (long i = 0; i < the.rows; i++) {
      change = fmax(change, row_change[i]);
    }
    system_step(&the, change);
  }
}

/* ---- runs ---- */

static const char *schedule; /* --schedule; NULL: no loops */

static int run_variant(const struct kernel *k, long chunk, long solves,
                       const struct outcome *expected) {
  double best = INFINITY; /* a solve */
  long best_solves = 0;
  bool ok = true, takes = os.take_ms > 0;
  if (takes && nk_begin() == 1) {
    printf("# one processor: it is not taken\n");
    takes = false;
  } else if (!takes) {
    nk_begin();
  }
  if (takes) {
    os_begin(nth_processors());
  }
  for (long rep = 0; rep < k->reps; rep++) {
    double start = kern_now();
    long done = 0;
    do {
      solve_by_nano_threads(k->iters, chunk);
    } while (os_goes_on(takes, ++done, solves));
    double a_solve = (kern_now() - start) / (double)done;
    if (a_solve < best) {
      best = a_solve;
      best_solves = done;
    }
    ok &= verify(&the, k->iters, expected);
  }
  ok &= !takes || os_end();
  ok &= nk_end();
  char name[64] = "nth_jacobi-gss", size[128], how[64] = "";
  if (chunk > 0) {
    snprintf(name, sizeof name, "nth_jacobi-chunk%ld", chunk);
  } else if (chunk < 0) {
    snprintf(name, sizeof name, "nth_jacobi-loop-%s", schedule);
  }
  if (takes) {
    snprintf(how, sizeof how, "/take%ldms/react%ldms", os.take_ms, os.react_ms);
  }
  snprintf(size, sizeof size, "%ldx%ld%s", k->size, k->iters * best_solves, how);
  return kern_report(name, size, best * (double)best_solves, ok, "%.12e", expected->change);
}

int main(int argc, char **argv) {
  schedule = schedule_take(&argc, argv);
  struct kernel k = {
      .name = "nth_jacobi",
      .what = "Jacobi iteration in nano-threads, beside a system that takes a processor",
      .size_means = "rows of the system",
      .iters_means = "iterations of a solve",
      .full = {480, 250},
      .brief = {480, 50},
  };
  long chunk = LONG_MAX, solves = 0;
  bool guided = false;
  const struct kern_option extra[] = {
      {"chunk", "N: only nano-threads of N rows (default: 2, 24 and gss)", &chunk, NULL},
      {"gss", "only nano-threads of guided sizes", NULL, &guided},
      SCHEDULE_HELP,
      {"solves", "N: solves that are timed together (40; 2 with --small)", &solves, NULL},
      OS_OPTIONS,
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 2 && k.iters >= 1 && chunk >= 1, "a size or count is too small");
  kern_require(&k, !schedule || (!guided && chunk == LONG_MAX), "--schedule goes alone");
  kern_require(&k, !schedule || !nth_init || nth_loop_run, "no nth_loop_run in this library");
  os_require(&k);
  solves = solves > 0 ? solves : (k.small ? 2 : 40);
  system_init(&the, k.size);
  row_change = kern_doubles(k.size);
  struct outcome expected = expect(&the, k.iters);
  int status = KERN_OK;
  if (schedule) {
    return run_variant(&k, -1, solves, &expected);
  }
  if (guided || chunk != LONG_MAX) {
    return run_variant(&k, guided ? 0 : chunk, solves, &expected);
  }
  for (const long *c = (const long[]){2, 24, 0, -1}; *c >= 0; c++) {
    status |= run_variant(&k, *c, solves, &expected);
  }
  return status;
}
