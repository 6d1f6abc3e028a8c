/* library.h - the segments of the library under test, in memory */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LIBRARY_H
#define LIBRARY_H

#ifndef _GNU_SOURCE
#error "the test has to define _GNU_SOURCE"
#endif

#include "check.h"
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

/* Hears of a segment of `bytes` at `from`, whose address in the file is `offset`. */
typedef void segment_fn(uintptr_t from, uintptr_t bytes, uintptr_t offset);

struct segments {
  uintptr_t base; /* of the library */
  uint32_t flag;
  segment_fn *each;
};

static inline int look_at_object(struct dl_phdr_info *info, size_t size, void *wanted) {
  const struct segments *s = wanted;
  (void)size;
  if (info->dlpi_addr != s->base)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && part->p_flags & s->flag)
      s->each(s->base + part->p_vaddr, part->p_memsz, part->p_vaddr);
  }
  return 1;
}

/* flag: PF_W or PF_X, which the segments have. */
static inline void each_segment(uint32_t flag, segment_fn *each) {
  Dl_info library;
  void *entry = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  CHECK(entry && dladdr(entry, &library));
  struct segments wanted = {(uintptr_t)library.dli_fbase, flag, each};
  CHECK(dl_iterate_phdr(look_at_object, &wanted) == 1);
}

#endif
