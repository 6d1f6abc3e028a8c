/* counter.h - one of the runtime's own counters */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef COUNTER_H
#define COUNTER_H

#include <dlfcn.h>
#include <nanogomp/counters.h>
#include <stdint.h>
#include <string.h>

/* Its value; -1: there is none of that name. */
static inline int64_t counter_read(const char *name) {
  typedef size_t read_fn(struct nth_counter *, size_t, size_t);
  read_fn *read_all = (read_fn *)dlsym(RTLD_DEFAULT, "nth_counters");
  struct nth_counter all[64];
  size_t count = read_all ? read_all(all, 64, sizeof *all) : 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0)
      return (int64_t)all[i].value;
  return -1;
}

#endif
