/* without_membarrier.c - runs a program under a filter that refuses membarrier */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// without_membarrier all|fences PROGRAM ...: every call, or fences only, as for a program that goes
// into a sandbox after its start.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  int set = strcmp(argv[1], "all") == 0
                ? filter_call(SYS_membarrier, SECCOMP_RET_ERRNO | ENOSYS, 0)
                : filter_call_with(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED,
                                   SECCOMP_RET_ERRNO | ENOSYS);
  if (set != 0) {
    perror("seccomp");
    return 2;
  }
  execv(argv[2], argv + 2);
  perror(argv[2]);
  return 2;
}
