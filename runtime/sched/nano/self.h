/* self.h - the library's thread-local words: the calling thread's member; its locks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first word is NULL while the thread is no member yet (member.h). It is declared here, with
 * the one type that it has, since waits ask it for the thread's identity, which is a member's
 * first field (carry.h). Its linker name differs, for nth_self() is a function that programs call
 * (nanogomp/nth.h). Locks are counted in a word, not in the member: omp_set_lock and
 * omp_unset_lock then take 28 instructions in place of 44.
 */
#ifndef NTH_SCHED_SELF_H
#define NTH_SCHED_SELF_H

#include <stdint.h>

struct nth_member;

extern _Thread_local struct nth_member *nth_self __asm__("nth_member_self")
    __attribute__((tls_model("initial-exec")));

/* Locks of the program that the tasks on the calling thread's stack and below have, or wait for; w,
 * r: that thread (omp/sync/lock.h); and its steps from stack to stack (omp/tasks/task_berth.c). */
extern _Thread_local int32_t nth_locks __attribute__((tls_model("initial-exec")));

#endif
