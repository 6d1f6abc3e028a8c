/* counters_api.c - nth_counters: what the library has done so far, in numbers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not part of a specification. The public header says what the function does.
 */
#include <string.h>

#include "abi/export.h"
#include "abi/include/nanogomp/counters.h"

#include "runtime/omp/process/counters.h"

NTH_EXPORT size_t nth_counters(struct nth_counter *counter, size_t room, size_t bytes) {
  if (bytes < sizeof(struct nth_counter))
    return 0;
  struct nth_counts now;
  nth_counters_read(&now);
  for (size_t i = 0; i < room && i < NTH_COUNTERS; i++) {
    const struct nth_counter_name *n = &nth_counter_names[i];
    struct nth_counter one = {n->name, n->what, now.value[i],
                              n->most ? NTH_COUNTER_MOST : NTH_COUNTER_SUM, 0};
    char *to = (char *)counter + i * bytes; /* a later header's struct is longer */
    memset(to, 0, bytes);
    memcpy(to, &one, sizeof one);
  }
  return NTH_COUNTERS;
}
