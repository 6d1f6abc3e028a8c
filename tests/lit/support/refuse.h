/* refuse.h - for tests: from now on the system refuses a call
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_TEST_REFUSE_H
#define NTH_TEST_REFUSE_H

#include <errno.h>

#include "check.h"
#include "filter.h"

/* The system call `number` fails with EPERM, in the calling thread and those it makes; with
 * SECCOMP_FILTER_FLAG_TSYNC in all there are. */
static inline void refuse_call(unsigned number, unsigned flags) {
  CHECK_EQ(filter_call(number, SECCOMP_RET_ERRNO | EPERM, flags), 0);
}

#endif
