/* masks.h - takes CPUs from all threads of a process, as taskset -a and a cpuset do */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef MASKS_H
#define MASKS_H

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static cpu_set_t masks_full, masks_one;

/* The calling thread's CPUs, and the first one of these. Returns how many there are. */
static inline int masks_find(void) {
  sched_getaffinity(0, sizeof masks_full, &masks_full);
  CPU_ZERO(&masks_one);
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &masks_full)) {
      CPU_SET(i, &masks_one);
      break;
    }
  return CPU_COUNT(&masks_full);
}

/* A thread may begin meanwhile with its maker's old mask, so twice. */
static inline void masks_set(int pid, const cpu_set_t *set) {
  char folder[64];
  snprintf(folder, sizeof folder, "/proc/%d/task", pid);
  for (int turn = 0; turn < 2; turn++) {
    DIR *tasks = opendir(folder);
    for (struct dirent *e; tasks && (e = readdir(tasks));)
      if (e->d_name[0] != '.')
        sched_setaffinity(atoi(e->d_name), sizeof *set, set);
    if (tasks)
      closedir(tasks);
  }
}

#endif
