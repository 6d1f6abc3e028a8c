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
#include <link.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE = 4096, FIRST_PERCENT = 33, PIECE = 16 /* pages */ };

static uintptr_t base; /* of the library */

/* From this page of the code on none should be mapped: a piece may begin in the first part. */
static uintptr_t limit_of(const ElfW(Phdr) *code) {
  return code->p_memsz / PAGE * FIRST_PERCENT / 100 + PIECE;
}

static int look(struct dl_phdr_info *info, size_t size, void *last) {
  (void)size;
  if (info->dlpi_addr != base)
    return 0;
  int pages = open("/proc/self/pagemap", O_RDONLY);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
      continue;
    uintptr_t from = (base + part->p_vaddr) / PAGE, count = part->p_memsz / PAGE;
    for (uintptr_t k = limit_of(part); pages >= 0 && k < count; k++) {
      uint64_t entry;
      if (pread(pages, &entry, sizeof entry, (off_t)((from + k) * sizeof entry)) != sizeof entry)
        break;
      if (entry >> 63) /* present */
        *(uintptr_t *)last = k * PAGE + part->p_vaddr;
    }
  }
  close(pages);
  return 1;
}

int main(void) {
  uintptr_t last = 0;
  if (sysconf(_SC_PAGESIZE) != PAGE)
    return 0;
  base = library_base();
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  dl_iterate_phdr(look, &last);
  if (last)
    printf("mapped: code at %#lx\n", (unsigned long)last);
  return last != 0;
}
