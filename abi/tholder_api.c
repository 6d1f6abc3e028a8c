/* tholder_api.c - threads that are held
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not part of a specification: after "T-holder: A Custom Thread-Holding Library". The public header
 * says what each function does.
 */
#include <errno.h>

#include "abi/export.h"
#include "abi/include/nanogomp/tholder.h"

#include "runtime/sched/hold/held.h"
#include "runtime/sched/hold/tholder.h"

NTH_EXPORT int tholder_create(tholder_t *thread, const pthread_attr_t *attributes,
                              void *(*start)(void *), void *argument) {
  return nth_tholder_create(thread, attributes, start, argument);
}

NTH_EXPORT int tholder_join(tholder_t thread, void **result) {
  return nth_tholder_join(thread, result);
}

NTH_EXPORT int tholder_detach(tholder_t thread) { return nth_tholder_detach(thread); }

NTH_EXPORT tholder_t tholder_self(void) { return nth_tholder_self(); }

NTH_EXPORT int tholder_equal(tholder_t a, tholder_t b) { return a == b; }

NTH_EXPORT int tholder_cancel(tholder_t thread) { return nth_tholder_cancel(thread); }

NTH_EXPORT _Noreturn void tholder_exit(void *result) { pthread_exit(result); }

NTH_EXPORT int tholder_config(int setting, int64_t value) {
  switch (setting) {
  case THOLDER_IDLE_NS:
    if (value < 0)
      return EINVAL;
    nth_store_rlx(&nth_held_settings.idle_ns, (uint64_t)value);
    return 0;
  case THOLDER_IDLE_MOST:
    if (value < -1 || value > INT32_MAX)
      return EINVAL;
    nth_store_rlx(&nth_held_settings.idle_most, (uint32_t)value);
    return 0;
  default: return EINVAL;
  }
}

NTH_EXPORT int tholder_count(struct tholder_counts *counts) {
  if (!counts)
    return EINVAL;
  struct nth_held_counts held;
  struct nth_tholder_counts all = nth_tholder_count();
  nth_held_count(&held);
  *counts = (struct tholder_counts){all.created, held.made + all.own, all.own,
                                    held.held,   held.idle,           held.idle_ns};
  return 0;
}
