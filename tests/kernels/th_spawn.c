/* th_spawn.c - threads that are created and joined, with next to no work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Simple Test: 100,000 threads in rounds. In a round
 * `--threads` threads are created, then joined. Without options there are 1000 rounds of 100
 * threads; --threads 1000 makes 100 rounds of 1000.
 *
 * Check   each thread has a cell of its own: it adds one to the cell, stores a hash of its number
 *         and returns the cell's address. Each cell must have run exactly once in each repetition
 *         and each join must give the right address, so a thread that is lost, runs twice or is
 *         taken for another one shows.
 */
#include "th_threads.h"

struct cell {
  long number;
  long runs;
  uint64_t hash;
};

static void *tiny(void *argument) {
  struct cell *c = argument;
  c->runs++;
  c->hash = kern_hash((uint64_t)c->number);
  return c;
}

/* A round for the cells first .. first + threads - 1; returns how many results were wrong. */
static long spawn_round(struct cell *first, thr_t *thread, long threads) {
  long wrong = 0;
  for (long i = 0; i < threads; i++) {
    th_must(thr_create(&thread[i], NULL, tiny, &first[i]), "create");
  }
  for (long i = 0; i < threads; i++) {
    void *result = NULL;
    th_must(thr_join(thread[i], &result), "join");
    wrong += result != &first[i];
  }
  return wrong;
}

static bool verify(const struct cell *cells, long n, long wrong, uint64_t *value) {
  long lost = 0;
  *value = 0;
  for (long i = 0; i < n; i++) {
    lost += cells[i].runs != 1 || cells[i].hash != kern_hash((uint64_t)i);
    *value += cells[i].hash * (uint64_t)(2 * i + 1);
  }
  bool ok = kern_check(lost == 0, "%ld threads of %ld did not run exactly once", lost, n);
  return kern_check(wrong == 0, "%ld results of %ld are wrong", wrong, n) && ok;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_spawn",
      .what = "threads with next to no work, created and joined in rounds",
      .size_means = "threads in all",
      .iters_means = "unused",
      .full = {100000, 1},
      .brief = {2000, 1},
  };
  long threads = 100;
  const struct kern_option extra[] = {
      {"threads", "N: threads of a round (100)", &threads, NULL},
      {NULL, NULL, NULL, NULL},
  };
  th_options(&k, extra, &threads, argc, argv);
  kern_require(&k, k.size >= 1, "a size is 0");

  struct cell *cells = kern_alloc((size_t)k.size, sizeof *cells);
  thr_t *thread = kern_alloc((size_t)threads, sizeof *thread);
  bool ok = true;
  double best = INFINITY;
  uint64_t value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    for (long i = 0; i < k.size; i++) {
      cells[i] = (struct cell){.number = i};
    }
    long wrong = 0;
    double start = kern_now();
    for (long i = 0; i < k.size; i += threads) {
      wrong += spawn_round(&cells[i], thread, i + threads < k.size ? threads : k.size - i);
    }
    best = fmin(best, kern_now() - start);
    ok &= verify(cells, k.size, wrong, &value);
  }
  free(thread);
  free(cells);
  char size[32];
  snprintf(size, sizeof size, "%ld", k.size);
  return th_report("th_spawn", threads, size, best, ok, "%016llx", (unsigned long long)value);
}
