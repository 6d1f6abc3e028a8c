/* check.c - what happens when an internal check fails
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/check.h"

#if NTH_CHECK
#include <stdlib.h>

#include "runtime/base/msg.h"

_Noreturn void nth_check_failed(const char *text, const char *file, int line) {
  nth_msg("internal check failed: %s at %s:%d", text, file, line);
  abort();
}
#else
typedef int nth_check_is_off; /* a translation unit must not be empty */
#endif
