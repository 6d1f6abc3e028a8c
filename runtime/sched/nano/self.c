/* self.c - the library's TLS words
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/self.h"

_Thread_local struct nth_member *nth_self __attribute__((tls_model("initial-exec")));
_Thread_local int32_t nth_locks __attribute__((tls_model("initial-exec")));
