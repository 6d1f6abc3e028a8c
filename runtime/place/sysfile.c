/* sysfile.c - small files of /proc and /sys
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

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
