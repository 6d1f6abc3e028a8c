/* sde.c - the counters as software-defined events of PAPI
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libsde, which comes with PAPI, has the events of all libraries of a process. PAPI reads an event
 * by calling the function that is registered with it. The library uses libsde if it is there, and
 * never loads it: a program that wants the events is linked with libpapi, which has it, or
 * preloads it.
 */
#include <dlfcn.h>

#include "runtime/omp/process/counters.h"

/* libsde's interface, version 1.0. */
enum { SDE_SUM = 0x00, SDE_INSTANT = 0x10, SDE_LONG_LONG = 0 };
typedef void *sde_init_fn(const char *library);
typedef int sde_register_fn(void *handle, const char *event, int mode, int type,
                            long long (*read)(void *), void *argument);
typedef int sde_describe_fn(void *handle, const char *event, const char *description);

/* what: a counter's name in nth_counter_names. */
static long long read_one(void *what) {
  struct nth_counts now;
  nth_counters_read(&now);
  return (long long)now.value[(const struct nth_counter_name *)what - nth_counter_names];
}

void nth_sde_begin(void) {
  sde_init_fn *init = (sde_init_fn *)dlsym(RTLD_DEFAULT, "papi_sde_init");
  if (!init)
    return; /* mostly; a look through all objects of the process is enough */
  sde_register_fn *add = (sde_register_fn *)dlsym(RTLD_DEFAULT, "papi_sde_register_counter_cb");
  sde_describe_fn *describe = (sde_describe_fn *)dlsym(RTLD_DEFAULT, "papi_sde_describe_counter");
  void *handle = add ? init("nanogomp") : 0;
  if (!handle)
    return;
  for (int i = 0; i < NTH_COUNTERS; i++) {
    const struct nth_counter_name *n = &nth_counter_names[i];
    int mode = n->most ? SDE_INSTANT : SDE_SUM;
    if (add(handle, n->name, mode, SDE_LONG_LONG, read_one, (void *)(uintptr_t)n) == 0 && describe)
      (void)describe(handle, n->name, n->what);
  }
}
