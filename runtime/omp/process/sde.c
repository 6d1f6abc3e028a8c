/* sde.c - the counters as software-defined events of PAPI
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libsde, which comes with PAPI, has the events of all libraries of a process. PAPI reads an event
 * by calling the function that is registered with it. The library uses libsde if it is there, and
 * never loads it: a program that wants the events is linked with libpapi, which has it, or
 * preloads it. So weak symbols find it, at no cost where it is not there.
 */
#include "runtime/omp/process/counters.h"

/* libsde's interface, version 1.0. */
enum { SDE_SUM = 0x00, SDE_INSTANT = 0x10, SDE_LONG_LONG = 0 };
#define WEAK __attribute__((weak))
extern void *papi_sde_init(const char *library) WEAK;
extern int papi_sde_register_counter_cb(void *handle, const char *event, int mode, int type,
                                        long long (*read)(void *), void *argument) WEAK;
extern int papi_sde_describe_counter(void *handle, const char *event, const char *description) WEAK;

/* what: a counter's name in nth_counter_names. */
static long long read_one(void *what) {
  struct nth_counts now;
  nth_counters_read(&now);
  return (long long)now.value[(const struct nth_counter_name *)what - nth_counter_names];
}

void nth_sde_begin(void) {
  if (!papi_sde_init || !papi_sde_register_counter_cb)
    return;
  void *handle = papi_sde_init("nanogomp");
  if (!handle)
    return;
  for (int i = 0; i < NTH_COUNTERS; i++) {
    const struct nth_counter_name *n = &nth_counter_names[i];
    int mode = n->most ? SDE_INSTANT : SDE_SUM;
    void *argument = (void *)(uintptr_t)n;
    if (papi_sde_register_counter_cb(handle, n->name, mode, SDE_LONG_LONG, read_one, argument) ==
            0 &&
        papi_sde_describe_counter)
      (void)papi_sde_describe_counter(handle, n->name, n->what);
  }
}
