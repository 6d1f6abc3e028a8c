/* with_shadow.c - runs a program for which the kernel says that shadow stacks are in force */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: with_shadow PROGRAM [ARGUMENT...]. A tracer that answers arch_prctl(ARCH_SHSTK_STATUS) of
// the program's first thread; so it needs no processor that has such stacks. x86-64.
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

enum { SHSTK_STATUS = 0x5005, SHSTK = 1 };

int main(int argc, char **argv) {
  CHECK(argc > 1);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    CHECK_EQ(ptrace(PTRACE_TRACEME, 0, 0, 0), 0);
    execv(argv[1], argv + 1);
    check_end();
  }
  int status, asked = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFSTOPPED(status));
  CHECK_EQ(ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL), 0);
  for (long signal = 0, out = 0;; out ^= WSTOPSIG(status) == (SIGTRAP | 0x80)) {
    CHECK_EQ(ptrace(PTRACE_SYSCALL, child, 0, signal), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFSTOPPED(status))
      break;
    struct user_regs_struct r;
    CHECK_EQ(ptrace(PTRACE_GETREGS, child, 0, &r), 0);
    signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
    if (signal || !out || r.orig_rax != SYS_arch_prctl || r.rdi != SHSTK_STATUS)
      continue;
    asked++;
    CHECK_EQ(ptrace(PTRACE_POKEDATA, child, r.rsi, SHSTK), 0);
    r.rax = 0;
    CHECK_EQ(ptrace(PTRACE_SETREGS, child, 0, &r), 0);
  }
  CHECK(asked > 0);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}
