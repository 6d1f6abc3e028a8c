/* matvec.c - a tall matrix times a vector of 9: how small may a unit of work be?
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * matvec.h tells the experiment and its check. Here a unit is a chunk of a loop, or a task.
 */
#include "matvec.h"
#include "schedule.h"

enum policy { BY_DYNAMIC, BY_STATIC, BY_GUIDED, BY_TASKS, POLICIES, BY_RUNTIME = POLICIES };
static const char *const policy_names[POLICIES] = {"dynamic", "static", "guided", "tasks"};

static void product_tasks(const struct problem *p, double scale) {
#pragma omp parallel
#pragma omp single
  for (long first = 0; first < p->rows; first += p->chunk) {
    long last = first + p->chunk < p->rows ? first + p->chunk : p->rows;
#pragma omp task firstprivate(first, last, scale) shared(p)
    rows_product(p, first, last, scale);
  }
}

/* One parallel product: spawn, share out the rows, join. */
static void product(struct problem *p, enum policy policy) {
  double scale = product_scale(p);
  switch (policy) {
  case BY_DYNAMIC:
#pragma omp parallel for schedule(dynamic, p->chunk)
    for (long i = 0; i < p->rows; i++) {
      p->result[i] += scale * row_product(p, i);
    }
    break;
  case BY_STATIC:
#pragma omp parallel for schedule(static, p->chunk)
    for (long i = 0; i < p->rows; i++) {
      p->result[i] += scale * row_product(p, i);
    }
    break;
  case BY_GUIDED:
#pragma omp parallel for schedule(guided, p->chunk)
    for (long i = 0; i < p->rows; i++) {
      p->result[i] += scale * row_product(p, i);
    }
    break;
  case BY_RUNTIME:
#pragma omp parallel for schedule(runtime)
    for (long i = 0; i < p->rows; i++) {
      p->result[i] += scale * row_product(p, i);
    }
    break;
  default: product_tasks(p, scale);
  }
  product_done(p, scale);
}

/* Seconds a product takes, from as many as fit into `budget` seconds (at least one). */
static double measure(struct problem *p, bool serial, enum policy policy, double budget) {
  double start = kern_now(), elapsed;
  long first = p->products;
  do {
    if (serial) {
      product_serial(p);
    } else {
      product(p, policy);
    }
    elapsed = kern_now() - start;
  } while (elapsed < budget);
  return elapsed / (double)(p->products - first);
}

/* One line a chunk size, for a queue shared by all, fixed shares and a task a chunk. Overhead
 * is the processor time beyond the serial time: (threads * time - serial) / serial. */
static void sweep(struct problem *p, int threads, double budget) {
  static const enum policy shown[] = {BY_DYNAMIC, BY_STATIC, BY_TASKS};
  double serial = measure(p, true, BY_DYNAMIC, budget);
  printf("# %ld rows, %d threads, serial %.1f us a product\n", p->rows, threads, 1e6 * serial);
  printf("# %6s %8s", "chunk", "flop");
  for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
    printf(" | %10s us %8s %10s", policy_names[shown[s]], "speed-up", "overhead");
  }
  printf("\n");
  for (int c = 0; c < CHUNKS; c++) {
    p->chunk = matvec_chunks[c];
    printf("# %6ld %8ld", p->chunk, p->chunk * FLOP_PER_ROW);
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
      double seconds = measure(p, false, shown[s], budget);
      printf(" | %13.1f %8.2f %9.0f%%", 1e6 * seconds, serial / seconds,
             100 * (threads * seconds - serial) / serial);
    }
    printf("\n");
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  const char *schedule = schedule_take(&argc, argv);
  struct kernel k = {
      .name = "matvec",
      .what = "matrix by vector product, granularity of the units of work",
      .size_means = "rows of the matrix",
      .iters_means = "products",
      .full = {45000, 24000},
      .brief = {9000, 40},
  };
  long chunk = 43;
  bool by[POLICIES] = {false}, want_sweep = false;
  const struct kern_option extra[] = {
      {"chunk", "N: rows in a unit of work (43, about 800 flop)", &chunk, NULL},
      {"static", "schedule(static, chunk) instead of dynamic", NULL, &by[BY_STATIC]},
      {"guided", "schedule(guided, chunk) instead of dynamic", NULL, &by[BY_GUIDED]},
      {"tasks", "an explicit task a chunk instead of dynamic", NULL, &by[BY_TASKS]},
      SCHEDULE_HELP,
      {"sweep", "a table: chunk size, time, speed-up and overhead", NULL, &want_sweep},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, chunk >= 1 && k.size >= 1 && k.iters >= 1, "a size, chunk or count is 0");
  enum policy policy = schedule ? BY_RUNTIME : BY_DYNAMIC;
  for (int i = 0; i < POLICIES; i++) {
    policy = by[i] ? (enum policy)i : policy;
  }
  struct problem p;
  problem_init(&p, k.size, chunk);
  int threads = kern_threads();
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    double start = kern_now();
    if (want_sweep) {
      sweep(&p, threads, k.small ? 0.002 : 0.1);
    } else {
      for (long i = 0; i < k.iters; i++) {
        product(&p, policy);
      }
    }
    best = fmin(best, kern_now() - start);
  }
  long value;
  bool ok = verify(&p, &value);
  char name[64], size[64];
  snprintf(name, sizeof name, "matvec-%s",
           want_sweep             ? "sweep"
           : policy == BY_RUNTIME ? schedule
                                  : policy_names[policy]);
  snprintf(size, sizeof size, "%ldx%d/%ld", k.size, COLUMNS,
           want_sweep || policy == BY_RUNTIME ? 0 : chunk);
  return kern_report(name, size, best, ok, "%ld", value);
}
