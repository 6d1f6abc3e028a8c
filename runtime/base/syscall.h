/* syscall.h - system calls that leave errno alone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         errno lies in TLS. A parked thread (identity.h) must not touch its TLS, which another
 *             OS thread is using. And a thread that sleeps for the program should leave the
 *             program's errno as it was.
 * Use         nth_syscall(number, a, b, c, d, e): the result, or a negated errno value
 */
#ifndef NTH_BASE_SYSCALL_H
#define NTH_BASE_SYSCALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/insn.h"

#endif
