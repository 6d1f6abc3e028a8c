/* file.c - the file of a table of programs that share processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/share/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/place/cpus/cpuset.h"

/* The CPUs of the mask as a number (FNV-1a); 0: unknown. */
static uint64_t number_of_mask(void) {
  struct nth_cpuset mask;
  uint64_t number = UINT64_C(0xcbf29ce484222325);
  if (!nth_cpuset_affinity(&mask, 0))
    return 0;
  for (uint32_t i = 0; i < mask.words; i++)
    number = (number ^ mask.word[i]) * UINT64_C(0x100000001b3);
  nth_cpuset_free(&mask);
  return number;
}

static bool is_folder(const char *path) {
  struct stat status;
  return path && path[0] == '/' && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool name_file(char *path, size_t size, const char *name) {
  char automatic[32];
  struct stat space;
  const char *folder = is_folder("/dev/shm") ? "/dev/shm" : getenv("XDG_RUNTIME_DIR");
  if (!is_folder(folder))
    return false;
  if (strcmp(name, "auto") == 0) {
    (void)snprintf(automatic, sizeof automatic, "auto-%llx", (unsigned long long)number_of_mask());
    name = automatic;
  }
  unsigned long long inside = stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
  int length =
      snprintf(path, size, "%s/nth-table.%u.%llu.%s", folder, (unsigned)geteuid(), inside, name);
  return length > 0 && (size_t)length < size;
}

/* Why this file is not to be trusted; NULL: it may be. */
static const char *fault_of(const struct stat *status) {
  if (!S_ISREG(status->st_mode))
    return "it is no plain file";
  if (status->st_uid != geteuid())
    return "it is another user's";
  if ((status->st_mode & 07777) != 0600)
    return "its mode is not 0600";
  if (status->st_nlink != 1)
    return "it has not one name";
  if (status->st_size != 0 && status->st_size != sizeof(struct nth_table))
    return "it has another size than a table";
  return 0;
}

/* Opens the file, or makes an empty one. The mode does not depend on the umask. */
static int open_file(const char *path) {
  enum { FLAGS = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };
  int file = open(path, FLAGS | O_CREAT | O_EXCL, 0600);
  if (file >= 0)
    (void)fchmod(file, 0600);
  return file < 0 && errno == EEXIST ? open(path, FLAGS) : file;
}

/* Blocks are allocated, since without room a write would be a SIGBUS. Zeros are an empty table. */
static struct nth_table *map_file(int file, const char **why) {
  struct stat status;
  *why = fstat(file, &status) != 0 ? strerror(errno) : fault_of(&status);
  if (*why)
    return 0;
  int error = posix_fallocate(file, 0, sizeof(struct nth_table));
  void *at = error ? MAP_FAILED
                   : mmap(0, sizeof(struct nth_table), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) {
    *why = strerror(error ? error : errno);
    return 0;
  }
  if (nth_table_begin(at))
    return at;
  (void)munmap(at, sizeof(struct nth_table));
  *why = "it is of another version of nanogomp";
  return 0;
}

struct nth_table *nth_table_map(const char *name, const char **why) {
  char path[PATH_MAX];
  int saved = errno;
  struct nth_table *table = 0;
  if (!name_file(path, sizeof path, name)) {
    *why = "neither /dev/shm nor XDG_RUNTIME_DIR is a folder";
  } else {
    int file = open_file(path);
    if (file < 0)
      *why = errno == ELOOP ? "it is a symbolic link" : strerror(errno);
    else
      table = map_file(file, why);
    if (file >= 0)
      (void)close(file);
  }
  errno = saved;
  return table;
}
