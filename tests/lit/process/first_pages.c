/* first_pages.c - a process with one region touches few pages of the library's data */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the pages of the library's variables that have memory after a region of two members. The
// runtime's objects lie there, too: a page is a page fault in each process. Each part adds one to
// three pages when it is lost: tables that few use lie apart (runtime/arch/section.h); a member's
// pool, queue and slot are not touched before they are used.
// nanogomp-only: its objects lie elsewhere.
// REQUIRES: nanogomp
// A tool and nano-threads have more objects. The sanitizers keep variables apart. Asserts look at
// whole structures.
// UNSUPPORTED: tool, sanitizer, emulated, asserts
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=2 %omp_run %t
#define _GNU_SOURCE
#include "library.h"
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 1024, LIMIT = 13 };

static int pages; /* that have memory */

static void count(uintptr_t begin, uintptr_t bytes, uintptr_t offset) {
  (void)offset;
  uintptr_t from = begin / PAGE * PAGE, to = (begin + bytes + PAGE - 1) / PAGE * PAGE;
  unsigned char here[MOST];
  CHECK((to - from) / PAGE <= MOST);
  CHECK(mincore((void *)from, to - from, here) == 0);
  for (uintptr_t k = 0; k < (to - from) / PAGE; k++)
    pages += here[k] & 1;
}

int main(void) {
  if (sysconf(_SC_PAGESIZE) != PAGE)
    return 0;
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  each_segment(PF_W, count);
  printf("%d pages\n", pages);
  return pages == 0 || pages > LIMIT;
}
