/* quota.h - changes the CPU quota of a made-up control group; the program's own members */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef QUOTA_H
#define QUOTA_H

#include "../../request/Inputs/inside.h"

static const char *quota_path; /* the group's cpu.max */

/* So many CPUs from now on. In place: a reader finds the old text or the new one. */
static inline void quota_set(int cpus) {
  FILE *file = fopen(quota_path, "r+");
  CHECK(file && fprintf(file, "%d 100000\n", cpus * 100000) > 0);
  CHECK_EQ(fclose(file), 0);
}

/* Lets the runtime find the quota, which num_threads does not need. */
static inline void quota_find(void) { (void)omp_get_num_procs(); }

/* The program learns of a quota of two CPUs before its first region (first), or between regions. */
static inline void quota_learn(int members, int first) {
  quota_set(2);
  if (first)
    quota_find();
#pragma omp parallel num_threads(members)
  inside_work(1);
  quota_find();
}

#endif
