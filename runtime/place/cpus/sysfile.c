/* sysfile.c - small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/sysfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/base/text.h"
#include "runtime/mem/heap.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

const char *nth_sysfile_root = "";
const char *nth_sysfile_cgroup_root = "";

/* Calls `call` with the path of these three pieces; -1: no call takes such a path. The buffer is as
 * long as the path, since the stack's pages that it lies on become memory. */
static int with_path(const char *root, const char *folder, const char *name,
                     int (*call)(const char *path)) {
  size_t length = strlen(root) + strlen(folder) + strlen(name);
  if (length == 0 || length >= PATH_MAX)
    return -1;
  char path[length + 1];
  struct nth_text t = {path, sizeof path, 0};
  nth_text_add(&t, root);
  nth_text_add(&t, folder);
  nth_text_add(&t, name);
  nth_text_end(&t);
  return call(path);
}

/* These system calls are no cancellation points: a thread that the program cancels is to leave the
 * runtime first. */
static int open_it(const char *path) {
  return (int)nth_syscall(SYS_openat, AT_FDCWD, (long)path,
                          O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0);
}

static void close_it(int file) { (void)nth_syscall(SYS_close, file, 0, 0, 0, 0); }

static int find_it(const char *path) {
  struct stat there;
  return stat(path, &there);
}

bool nth_sysfile_exists(const char *root, const char *folder, const char *name) {
  int saved = errno, found = with_path(root, folder, name, find_it);
  errno = saved;
  return found == 0;
}

/* Reads up to size bytes; returns fewer at the file's end. */
static size_t read_all(int file, char *buffer, size_t size) {
  size_t have = 0;
  while (have < size) {
    long n = nth_syscall(SYS_read, file, (long)(buffer + have), (long)(size - have), 0, 0);
    if (n == -EINTR)
      continue;
    if (n <= 0)
      break;
    have += (size_t)n;
  }
  return have;
}

bool nth_sysfile_read_in(const char *root, const char *folder, const char *name, char *buffer,
                         size_t size) {
  int file = with_path(root, folder, name, open_it);
  size_t have = file >= 0 ? read_all(file, buffer, size - 1) : 0;
  if (file >= 0)
    close_it(file);
  buffer[have] = 0;
  return file >= 0 && have > 0;
}

bool nth_sysfile_read(const char *root, const char *path, char *buffer, size_t size) {
  return nth_sysfile_read_in(root, path, "", buffer, size);
}

char *nth_sysfile_text(const char *root, const char *path) {
  enum { FIRST = 4000 };
  int file = with_path(root, path, "", open_it);
  size_t size = FIRST, have = 0;
  char *text = file >= 0 ? nth_heap_take(size) : 0;
  while (text && (have += read_all(file, text + have, size - have)) == size) {
    char *more = nth_heap_take(2 * size);
    if (more)
      memcpy(more, text, size);
    nth_heap_free(text);
    text = more;
    size *= 2;
  }
  if (file >= 0)
    close_it(file);
  if (text)
    text[have] = 0;
  return text;
}

bool nth_sysfile_own_table(unsigned first) {
  /* The descriptors that close_range closes are not copied at all. So this thread never holds a
   * file open after the program's last close. */
  enum { UNSHARE = 2 };
  return nth_syscall(SYS_close_range, (long)first, ~0u, UNSHARE, 0, 0) == 0;
}

/* The same with the standard streams. If the system refuses both calls, the thread keeps the
 * process's table. */
static void own_table(void) {
  enum { FIRST = 3 };
  if (!nth_sysfile_own_table(FIRST))
    nth_syscall(SYS_unshare, CLONE_FILES, 0, 0, 0, 0);
}

struct reading {
  void (*read)(void *);
  void *argument;
  _Atomic(uint32_t) done; /* futex word; w: the thread that reads; D */
};

static void *read_apart(void *argument) {
  struct reading *r = argument;
  own_table();
  r->read(r->argument);
  nth_store_rel(&r->done, 1); /* D */
  nth_futex_wake(&r->done, 1);
  return 0;
}

bool nth_sysfile_try_apart(void (*read)(void *), void *argument) {
  struct reading r = {read, argument, 0};
  if (nth_os_is_alone()) {
    read(argument);
    return true;
  }
  if (nth_os_thread(read_apart, &r) != 0)
    return false;
  while (nth_load_acq(&r.done) == 0) /* D */
    nth_futex_wait(&r.done, 0, 0);
  return true;
}

void nth_sysfile_apart(void (*read)(void *), void *argument) {
  if (!nth_sysfile_try_apart(read, argument))
    read(argument);
}

static void *begin_apart(void *run) {
  void (*look)(void);
  memcpy(&look, &run, sizeof look);
  own_table();
  look();
  return 0;
}

void nth_sysfile_begin(void (*look)(void)) {
  void *run;
  static_assert(sizeof run == sizeof look, "a function's address fits an argument");
  memcpy(&run, &look, sizeof run);
  if (nth_os_is_alone() || nth_os_thread(begin_apart, run) != 0)
    look();
}
