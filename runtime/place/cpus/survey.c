/* survey.c - the table of a machine's CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/survey.h"

#include <string.h>

#include "runtime/mem/heap.h"

const char *const nth_share_names[NTH_SHARES] = {"package", "die", "numa", "L3", "L2", "core"};

bool nth_survey_make(struct nth_survey *s, uint32_t count) {
  memset(s, 0, sizeof *s);
  uint32_t *all = nth_heap_take((size_t)count * (NTH_SHARES + 2) * sizeof *all);
  if (!all || count == 0) {
    nth_heap_free(all);
    return false;
  }
  s->count = count;
  s->cpu = all;
  s->speed = all + count;
  memset(s->speed, 0, count * sizeof *all);
  for (uint32_t k = 0; k < NTH_SHARES; k++) {
    s->shared[k] = all + (k + 2) * (size_t)count;
    memset(s->shared[k], 0xff, count * sizeof *all);
  }
  return true;
}

void nth_survey_free(struct nth_survey *s) {
  nth_heap_free(s->cpu);
  s->cpu = 0;
  s->count = 0;
}
