/* entry.h - functions of the C library that tools/hold has under their own names
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_HOLD_ENTRY_H
#define NTH_HOLD_ENTRY_H

#include <dlfcn.h>
#include <stdatomic.h>

#define HOLD_ENTRY __attribute__((visibility("default")))

/* The C library's function of this name. */
static inline void *hold_next(const char *name, _Atomic(void *) *kept) {
  void *found = atomic_load_explicit(kept, memory_order_relaxed);
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(kept, found, memory_order_relaxed);
  }
  return found;
}

/* Looks the C library's function up when the library is loaded: a signal handler cannot. */
#define HOLD_WRAPS(name)                                                                           \
  static _Atomic(void *) kept_##name;                                                              \
  __attribute__((constructor)) static void find_##name(void) {                                     \
    (void)hold_next(#name, &kept_##name);                                                          \
  }
/* Inside the function that wraps it. */
#define HOLD_NEXT(type, name)                                                                      \
  __typeof__(type) *real = (__typeof__(type) *)hold_next(#name, &kept_##name)

#endif
