/* sysfile.c - small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

const char *nth_sysfile_root = "";
const char *nth_sysfile_cgroup_root = "";

bool nth_sysfile_read(const char *root, const char *path, char *buffer, size_t size) {
  char full[PATH_MAX];
  int saved = errno, length = snprintf(full, sizeof full, "%s%s", root, path);
  int file = -1;
  if (length > 0 && (size_t)length < sizeof full)
    file = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  size_t have = 0;
  while (file >= 0 && have < size - 1) {
    ssize_t n = read(file, buffer + have, size - 1 - have);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    have += (size_t)n;
  }
  if (file >= 0)
    close(file);
  buffer[have] = 0;
  errno = saved;
  return file >= 0 && have > 0;
}

/* Where the system refuses, too, the process's table it is. */
static void own_table(void) {
  enum { FIRST = 3, UNSHARE = 2 }; /* what it leaves out is not even copied: nobody's last close waits for this */
  if (nth_syscall(SYS_close_range, FIRST, ~0u, UNSHARE, 0, 0) != 0)
    nth_syscall(SYS_unshare, CLONE_FILES, 0, 0, 0, 0);
}

struct reading {
  void (*read)(void *);
  void *argument;
  _Atomic(uint32_t) done; /* futex word; w: who reads; D */
};

static void *read_apart(void *argument) {
  struct reading *r = argument;
  own_table();
  r->read(r->argument);
  nth_store_rel(&r->done, 1); /* D */
  nth_futex_wake(&r->done, 1);
  return 0;
}

void nth_sysfile_apart(void (*read)(void *), void *argument) {
  struct reading r = {read, argument, 0};
  if (nth_os_is_alone() || nth_os_thread(read_apart, &r) != 0) {
    read(argument);
    return;
  }
  while (nth_load_acq(&r.done) == 0) /* D */
    nth_futex_wait(&r.done, 0, 0);
}
