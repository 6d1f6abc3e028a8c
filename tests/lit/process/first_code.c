/* first_code.c - a process with one region maps the first part of the library's code only */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel maps code in pieces of 64 KiB around what is run. So the functions of a start and of a
// first region lie together (cmake/NthOrder.cmake); one that lies elsewhere costs each process a
// piece. Looks which pages of the code are mapped when regions have ended.
// nanogomp-only: its functions lie elsewhere.
// REQUIRES: nanogomp
// A tool and nano-threads run more functions. The sanitizers and asserts add code of their own.
// UNSUPPORTED: tool, sanitizer, emulated, asserts
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=2 %omp_run %t
#define _GNU_SOURCE
#include "library.h"
#include <fcntl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE = 4096, FIRST_PERCENT = 33, PIECE = 16 /* pages */ };

static uintptr_t last; /* address in the file of the last page that should not be mapped; 0: none */

/* From this page of the code on none should be mapped: a piece may begin in the first part. */
static uintptr_t limit_of(uintptr_t pages) { return pages * FIRST_PERCENT / 100 + PIECE; }

static void look(uintptr_t from, uintptr_t bytes, uintptr_t offset) {
  int map = open("/proc/self/pagemap", O_RDONLY);
  uintptr_t pages = bytes / PAGE;
  for (uintptr_t k = limit_of(pages); map >= 0 && k < pages; k++) {
    uint64_t entry;
    off_t at = (off_t)((from / PAGE + k) * sizeof entry);
    if (pread(map, &entry, sizeof entry, at) != sizeof entry)
      break;
    if (entry >> 63) /* present */
      last = k * PAGE + offset;
  }
  close(map);
}

int main(void) {
  if (sysconf(_SC_PAGESIZE) != PAGE)
    return 0;
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  each_segment(PF_X, look);
  if (last)
    printf("mapped: code at %#lx\n", (unsigned long)last);
  return last != 0;
}
