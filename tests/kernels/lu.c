/* lu.c - NAS LU: compressible Navier-Stokes equations by symmetric successive over-relaxation
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007, section on LU. The equations are in
 *             nas_flow.h, a step's numbers in lu_system.h.
 * OpenMP      one region around the steps. The triangular sweeps are waves through the grid, by
 *             --sweep pipe, doacross or tasks (lu_sweep.h); the rest are loops over planes.
 * Classes     S: 12^3 points, 50 steps of 0.5; W: 33^3, 300 of 0.0015; A: 64^3, 250 of 2
 * Check       the five norms of the residual, the five of the error and the surface integral are
 *             the published ones of the class to 1e-8, unless --size or --iters change it. The
 *             first steps (all, with --small) bit by bit against serial ones; the error falls.
 */
#include "lu_sweep.h"

enum { CLASS_S, CLASS_W, CLASS_A, CLASSES };
static const char *const class_names[] = {"S", "W", "A", NULL};

/* NAS Parallel Benchmarks, LU verification. */
static const struct {
  long points, steps;
  double dt;
  struct lu_results results;
} classes[CLASSES] = {
    {12,
     50,
     0.5,
     {{1.6196343210976702e-2, 2.1976745164821318e-3, 1.5179927653399185e-3, 1.5029584435994323e-3,
       3.4264073155896461e-2},
      {6.4223319957960924e-4, 8.4144342047347926e-5, 5.8588269616485186e-5, 5.8474222595157350e-5,
       1.3103347914111294e-3},
      7.8418928865937083}},
    {33,
     300,
     1.5e-3,
     {{12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252, 28.26799444189},
      {0.4867877144216, 0.05064652880982, 0.09281818101960, 0.08570126542733, 1.084277417792},
      11.61399311023}},
    {64,
     250,
     2,
     {{779.02107606689367, 63.402765259692870, 194.99249727292479, 178.45301160418537,
       1838.4760349464247},
      {29.964085685471943, 2.8194576365003349, 7.3473412698774742, 6.7139225687777051,
       70.715315688392578},
      26.030925604886277}},
};

struct run {
  struct lu_system work, serial; /* serial: after `compared` steps */
  double error[NAS_M];           /* at the start */
  long compared;
  const struct lu_results *published; /* NULL: none of this size */
};

static void run_init(struct run *r, const struct kernel *k, int class, long compared) {
  long n[3] = {k->size, k->size, k->size};
  lu_init(&r->work, n, classes[class].dt);
  lu_init(&r->serial, n, classes[class].dt);
  lu_restart(&r->serial);
  flow_error(&r->serial.grid, r->error);
  r->compared = compared;
  for (long step = 0; step < compared; step++) {
    lu_step_serial(&r->serial);
  }
  bool whole = k->size == classes[class].points && k->iters == classes[class].steps;
  r->published = whole ? &classes[class].results : NULL;
}

/* Steps from <= step < to; returns their seconds. */
static double run_steps(const struct run *r, const struct lu_order *order, long from, long to) {
  double start = kern_now();
#pragma omp parallel
  for (long step = from; step < to; step++) {
    lu_team_step(order, &r->work, step);
  }
  return kern_now() - start;
}

static bool run_check(const struct run *r, const struct lu_results *found) {
  bool ok = !r->published || lu_verify(found, r->published);
  for (int m = 0; m < NAS_M; m++) {
    ok &= kern_check(found->error[m] < r->error[m], "error norm %d is %.13e, at the start %.13e",
                     m + 1, found->error[m], r->error[m]);
  }
  return ok;
}

static int run_all(const struct kernel *k, const struct run *r, enum lu_form form,
                   enum lu_wait wait, long rows) {
  struct lu_order order;
  struct lu_results found = {0};
  bool ok = true;
  double best = INFINITY;
  lu_order_init(&order, &r->work, form, wait, rows, kern_threads());
  for (long rep = 0; rep < k->reps; rep++) {
    lu_order_reset(&order);
    lu_restart(&r->work);
    double elapsed = run_steps(r, &order, 0, r->compared);
    long wrong = lu_differences(&r->work, &r->serial);
    ok &= kern_check(wrong == 0, "%ld points differ from the serial ones", wrong);
    best = fmin(best, elapsed + run_steps(r, &order, r->compared, k->iters));
    found = lu_results(&r->work);
    ok &= run_check(r, &found);
  }
  char name[64], size[64];
  snprintf(name, sizeof name, "lu-%s%s%s", lu_forms[form], form == LU_PIPE ? "-" : "",
           form == LU_PIPE ? lu_waits[wait] : "");
  snprintf(size, sizeof size, "%ld^3x%ld", k->size, k->iters);
  lu_order_free(&order);
  return kern_report(name, size, best, ok, "%.9e,%.9e,%.9e", found.residual[0], found.error[0],
                     found.surface);
}

int main(int argc, char **argv) {
  int class = choice_take(&argc, argv, "class", class_names);
  int form = choice_take(&argc, argv, "sweep", lu_forms);
  int wait = choice_take(&argc, argv, "wait", lu_waits);
  int full = class < 0 ? CLASS_W : class, brief = class < 0 ? CLASS_S : class;
  struct kernel k = {
      .name = "lu",
      .what = "NAS LU, the flow equations by over-relaxation, sweeps as waves",
      .size_means = "points along an edge, faces included",
      .iters_means = "steps",
      .full = {classes[full].points, classes[full].steps},
      .brief = {classes[brief].points, classes[brief].steps},
  };
  long rows = 0, compared = LONG_MAX;
  bool all = false;
  const struct kern_option extra[] = {
      CHOICE_HELP("class", "S, W or A: points, steps and their length (W; S with --small)"),
      CHOICE_HELP("sweep", "pipe, doacross or tasks (pipe)"),
      CHOICE_HELP("wait",
                  "atomic, flush, locks, or spin: flush, never yields; in the pipe (atomic)"),
      {"all", "all sweeps and ways to wait but spin, a line each", NULL, &all},
      {"rows", "N: rows in a tile of doacross and tasks (4)", &rows, NULL},
      {"compare", "N: steps repeated serially (10; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 6 && k.size <= 500 && k.iters >= 1, "6 to 500 points, 1 step or more");
  kern_require(&k, !all || (form < 0 && wait < 0), "--all has all sweeps and ways to wait");
  kern_require(&k, wait < 0 || form <= LU_PIPE, "--wait is for the pipe");
  compared = kern_compared(&k, compared, 10);
  rows = rows > 0 ? rows : 4;
  static struct run r; /* static: what is still there at the end is no leak */
  run_init(&r, &k, k.small ? brief : full, compared);
  if (!all) {
    return run_all(&k, &r, form < 0 ? LU_PIPE : (enum lu_form)form,
                   wait < 0 ? LU_ATOMIC : (enum lu_wait)wait, rows);
  }
  int status = KERN_OK;
  for (int way = LU_ATOMIC; way <= LU_LOCKS; way++) {
    status |= run_all(&k, &r, LU_PIPE, (enum lu_wait)way, rows);
  }
  status |= run_all(&k, &r, LU_DOACROSS, LU_ATOMIC, rows);
  return status | run_all(&k, &r, LU_TASKS, LU_ATOMIC, rows);
}
