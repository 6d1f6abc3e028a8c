/* self.h - the library's one TLS word
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * It points to the calling thread's member (member.h), NULL: the thread is none yet. It is declared
 * here, with its one type, since waits ask it for the thread's identity (carry.h): the first field
 * of a member.
 * Its linker name is another one, for nth_self() is a function that programs call (nanogomp/nth.h).
 */
#ifndef NTH_SCHED_SELF_H
#define NTH_SCHED_SELF_H

struct nth_member;

extern _Thread_local struct nth_member *nth_self __asm__("nth_member_self")
    __attribute__((tls_model("initial-exec")));

#endif
