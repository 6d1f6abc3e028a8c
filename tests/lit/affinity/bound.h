/* bound.h - is this thread where it should be? */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BOUND_H
#define BOUND_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <sched.h>

enum { BOUND_IDS = 4096 };

/* The calling thread's mask is the set of CPUs of the place that it says it is on. */
static inline int bound_check(void) {
  int ids[BOUND_IDS], place = omp_get_place_num();
  cpu_set_t mask;
  CHECK(place >= 0 && place < omp_get_num_places());
  int n = omp_get_place_num_procs(place);
  omp_get_place_proc_ids(place, ids);
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  CHECK_EQ(CPU_COUNT(&mask), n);
  for (int i = 0; i < n; i++)
    CHECK(CPU_ISSET(ids[i], &mask));
  return place;
}

/* The partition of the current task, which has the thread's place in it. */
struct bound_partition {
  int first, count;
};

static inline struct bound_partition bound_partition(void) {
  int nums[BOUND_IDS], place = omp_get_place_num();
  struct bound_partition p = {0, omp_get_partition_num_places()};
  CHECK(p.count > 0 && p.count <= BOUND_IDS);
  omp_get_partition_place_nums(nums);
  p.first = nums[0];
  for (int i = 0; i < p.count; i++)
    CHECK_EQ(nums[i], p.first + i);
  CHECK(p.first <= place && place < p.first + p.count);
  return p;
}

#endif
