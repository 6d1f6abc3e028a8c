/* task_batch.c - runtime/omp/taskloop/task_batch.h: how a loop is divided into parts
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/omp/taskloop/task_batch.h"

/* Parts follow each other without gaps, the longer ones first; the last one ends where the loop
 * does. */
static void follows(const struct nth_division *d) {
  uint64_t iterations = 0;
  for (uint64_t i = 0; i < d->parts; i++) {
    uint64_t size = d->size + (i < d->longer);
    unit_check(nth_division_at(d, i) == d->base + iterations * d->step);
    unit_check(nth_division_end(d, i) ==
               (i + 1 == d->parts ? d->last : nth_division_at(d, i) + size * d->step));
    iterations += size;
  }
}

static void all_divisions(void) {
  for (uint64_t parts = 1; parts < 40; parts++)
    for (uint64_t trips = parts; trips < 3 * parts + 2; trips++)
      for (int64_t step = -3; step < 4; step += 2) {
        uint64_t base = step < 0 ? UINT64_MAX / 2 : UINT64_MAX - 5; /* wraps */
        uint64_t last = base + (trips - 1) * (uint64_t)step + (step < 0 ? UINT64_MAX : 1);
        follows(&(struct nth_division){base, (uint64_t)step, last, parts, trips / parts,
                                       trips % parts});
      }
}

/* The last part is the rest. */
static void strict(void) { follows(&(struct nth_division){10, 1, 10 + 101, 6, 20, 0}); }

/* A part's length wraps. */
static void wide(void) {
  follows(&(struct nth_division){0, UINT64_C(1) << 40, 5, 7, UINT64_C(1) << 30, 3});
}

int main(void) {
  unit_begin();
  unit_run(all_divisions);
  unit_run(strict);
  unit_run(wide);
  return 0;
}
