/* self.h - the library's one thread-local word: it points to the calling thread's member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NULL: the thread is no member yet (member.h). The word is declared here, with the one type that
 * it has, since waits ask it for the thread's identity, which is a member's first field (carry.h).
 * Its linker name differs, for nth_self() is a function that programs call (nanogomp/nth.h).
 */
#ifndef NTH_SCHED_SELF_H
#define NTH_SCHED_SELF_H

struct nth_member;

extern _Thread_local struct nth_member *nth_self __asm__("nth_member_self")
    __attribute__((tls_model("initial-exec")));

#endif
