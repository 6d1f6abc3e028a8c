/* own_file.h - a file of the tool's that no number of the program's stands for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program may close all numbers that it does not know, count its own, or get for a
 *             file of its own the number that a tool had. So a tool keeps none: it opens its file
 *             by name when it needs it, and looks before each use whether it still is the one
 * Use         own_file_made() when the file is new; own_file_map() for a part of it,
 *             own_file_open() for the rest. The name has to be absolute: own_file_folder()
 * Invariants  I1  what is reserved, mapped and closed is the file that was made, by device and node
 * Cost        a part: six system calls
 * Tested by   tests/tool/test_descriptors.py
 */
#ifndef NTH_OMPT_OWN_FILE_H
#define NTH_OMPT_OWN_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ompt/quiet.h"

struct own_file {
  char path[PATH_MAX];
  dev_t device;
  ino_t node;
};

/* The folder's name as it is from everywhere; false: too long. */
static inline bool own_file_folder(const char *folder, char to[PATH_MAX]) {
  if (realpath(folder, to))
    return true;
  if (strlen(folder) >= PATH_MAX)
    return false;
  strcpy(to, folder); /* what is wrong with it is told when the file is made */
  return true;
}

/* The number is that of the file. Otherwise errno says that the file is lost. */
static inline bool own_file_is(const struct own_file *f, int fd) {
  struct stat now;
  if (fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == f->device && now.st_ino == f->node)
    return true;
  errno = ESTALE;
  return false;
}

/* Another thread may have closed the number meanwhile, and the program have it now. */
static inline void own_file_close(const struct own_file *f, int fd) {
  int before = errno;
  if (own_file_is(f, fd))
    close(fd);
  errno = before;
}

/* The file, which `fd` stands for, is new. */
static inline void own_file_made(struct own_file *f, int fd) {
  struct stat now;
  if (fstat(fd, &now) == 0) {
    f->device = now.st_dev;
    f->node = now.st_ino;
  }
}

/* A number for a short while; -1, and errno: it is not there, or another one of its name is. */
static inline int own_file_open(const struct own_file *f) {
  int fd = open(f->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || own_file_is(f, fd))
    return fd;
  close(fd);
  errno = ESTALE;
  return -1;
}

static inline void *own_file_try_map(const struct own_file *f, uint64_t at, uint64_t bytes,
                                     int flags) {
  int fd = own_file_open(f), error = fd < 0 ? errno : quiet_reserve(fd, at, bytes);
  void *p = MAP_FAILED;
  if (!error && own_file_is(f, fd))
    p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, (off_t)at);
  error = error ? error : errno;
  own_file_close(f, fd);
  errno = error;
  return p;
}

/* A part of the file, reserved and mapped: stores into it cannot fail. NULL: errno says why. flags:
 * of mmap, beside MAP_SHARED. */
static inline void *own_file_map(const struct own_file *f, uint64_t at, uint64_t bytes, int flags) {
  enum { TRIES = 3 }; /* a program that closes all numbers does it at a bad moment once */
  void *p = MAP_FAILED;
  for (int i = 0; i < TRIES && p == MAP_FAILED; i++) {
    p = own_file_try_map(f, at, bytes, flags);
    if (p == MAP_FAILED && errno != ESTALE && errno != EBADF)
      break;
  }
  return p == MAP_FAILED ? 0 : p;
}

#endif
