/* filter.h - for tests: filters of system calls
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_TEST_FILTER_H
#define NTH_TEST_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Installs a filter for the calling thread and those it makes; with SECCOMP_FILTER_FLAG_TSYNC for
 * all threads. 0, or -1 with errno. */
static inline int filter_set(struct sock_filter *code, size_t length, unsigned flags) {
  struct sock_fprog filter = {(unsigned short)length, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) == 0 ? 0 : -1;
}

/* The call `number` with `value` in its first argument meets `action`, SECCOMP_RET_...; no other
 * does. */
static inline int filter_call_with(unsigned number, unsigned value, unsigned action) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filter_set(code, sizeof code / sizeof code[0], 0);
}

/* The call `number` meets `action`, whatever its arguments. */
static inline int filter_call(unsigned number, unsigned action, unsigned flags) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filter_set(code, sizeof code / sizeof code[0], flags);
}

#endif
