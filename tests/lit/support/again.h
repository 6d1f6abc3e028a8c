/* again.h - a test that others on the machine can spoil is tried again in a new process */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef AGAIN_H
#define AGAIN_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Begins the program anew. Its argument is the number of tries before. After `most` tries the call
   returns. */
static inline void again(int argc, char **argv, int most) {
  int tries = argc > 1 ? atoi(argv[1]) : 0;
  char next[16];
  (void)snprintf(next, sizeof next, "%d", tries + 1);
  if (tries < most)
    execv("/proc/self/exe", (char *[]){argv[0], next, NULL});
}

#endif
