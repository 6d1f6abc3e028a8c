/* memory.h - for tests: what memory a process and a thread have
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_TEST_MEMORY_H
#define NTH_TEST_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_getattr_np() */
#endif
#include <pthread.h>
#include <unistd.h>

#include "check.h"

/* The address space that the process uses, in bytes. */
static inline size_t memory_mapped(void) {
  char line[64] = "";
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fgets(line, sizeof line, f));
  fclose(f);
  return (size_t)atol(line) * (size_t)sysconf(_SC_PAGESIZE);
}

/* The calling thread's stack, as the C library knows it. */
static inline void memory_stack(char **low, char **high) {
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  CHECK_EQ(pthread_attr_getstack(&attributes, &stack, &size), 0);
  pthread_attr_destroy(&attributes);
  *low = stack;
  *high = *low + size;
}

#endif
