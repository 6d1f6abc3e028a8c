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
#include <link.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 1024, LIMIT = 13 };

static uintptr_t base; /* of the library */

static int count(struct dl_phdr_info *info, size_t size, void *pages) {
  (void)size;
  if (info->dlpi_addr != base)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
      continue;
    uintptr_t from = (base + part->p_vaddr) / PAGE * PAGE,
              to = (base + part->p_vaddr + part->p_memsz + PAGE - 1) / PAGE * PAGE;
    unsigned char here[MOST];
    CHECK((to - from) / PAGE <= MOST);
    CHECK(mincore((void *)from, to - from, here) == 0);
    for (uintptr_t k = 0; k < (to - from) / PAGE; k++)
      *(int *)pages += here[k] & 1;
  }
  return 1;
}

int main(void) {
  int pages = 0;
  if (sysconf(_SC_PAGESIZE) != PAGE)
    return 0;
  base = library_base();
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  dl_iterate_phdr(count, &pages);
  printf("%d pages\n", pages);
  return pages == 0 || pages > LIMIT;
}
