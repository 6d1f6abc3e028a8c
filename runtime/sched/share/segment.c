/* segment.c - the memory of a table of programs that share processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/share/segment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/place/cpus/cpuset.h"

static uint64_t mixed(uint64_t number, uint64_t more) { /* FNV-1a */
  return (number ^ more) * UINT64_C(0x100000001b3);
}

/* The CPUs of the mask as a number; 0: unknown. */
static uint64_t number_of_mask(void) {
  struct nth_cpuset mask;
  uint64_t number = UINT64_C(0xcbf29ce484222325);
  if (!nth_cpuset_affinity(&mask, 0))
    return 0;
  for (uint32_t i = 0; i < mask.words; i++)
    number = mixed(number, mask.word[i]);
  nth_cpuset_free(&mask);
  return number;
}

/* The pid namespace; 0: unknown. */
static uint64_t pid_space(void) {
  struct stat space;
  return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

/* tools/nanogomp_lib/share_table.py finds tables by their contents, not by their keys. */
static key_t key_of(const char *name, uint64_t space) {
  uint64_t number = mixed(UINT64_C(0xcbf29ce484222325), geteuid());
  number = mixed(number, space);
  for (; *name; name++)
    number = mixed(number, (unsigned char)*name);
  uint32_t key = (uint32_t)(number ^ number >> 32);
  return (key_t)(key == IPC_PRIVATE ? 1 : key);
}

/* Why this segment is not to be trusted; NULL: it may be. */
static const char *fault_of(int id) {
  struct shmid_ds status;
  if (shmctl(id, IPC_STAT, &status) != 0)
    return strerror(errno);
  if (status.shm_perm.uid != geteuid() || status.shm_perm.cuid != geteuid())
    return "it is another user's";
  if ((status.shm_perm.mode & 0777) != 0600)
    return "its mode is not 0600";
  if (status.shm_segsz != sizeof(struct nth_table))
    return "it has another size than a table";
  return 0;
}

static const char *text_of(const struct nth_segment *s, int error) {
  if (error == EINVAL && s->id < 0)
    return "it has another size than a table";
  return error == EACCES ? "it is another user's, or of another mode than 0600" : strerror(error);
}

/* Again if somebody removes the segment between the two calls. */
static void *attach_any(struct nth_segment *s, const char *name) {
  void *at = (void *)-1;
  s->space = pid_space();
  for (int tries = 0; tries < 3 && at == (void *)-1; tries++) {
    s->id = shmget(key_of(name, s->space), sizeof(struct nth_table), IPC_CREAT | 0600);
    at = s->id < 0 ? (void *)-1 : shmat(s->id, 0, 0);
    if (at == (void *)-1 && (s->id < 0 || (errno != EINVAL && errno != EIDRM)))
      break;
  }
  return at;
}

static bool attach(struct nth_segment *s, const char *name, const char **why) {
  void *at = attach_any(s, name);
  if (at == (void *)-1) {
    *why = text_of(s, errno);
    return false;
  }
  s->table = at;
  *why = fault_of(s->id);
  if (!*why && !nth_table_begin(at))
    *why = "it is of another version of nanogomp, or no table";
  else if (!*why && !nth_table_name(at, name))
    *why = "it is of another name";
  if (*why)
    nth_segment_close(s);
  return !*why;
}

void nth_segment_name(char name[NTH_TABLE_NAME_MOST + 1], const char *said) {
  int saved = errno;
  if (strcmp(said, "auto") == 0)
    (void)snprintf(name, NTH_TABLE_NAME_MOST + 1, "auto-%llx",
                   (unsigned long long)number_of_mask());
  else
    memcpy(name, said, strlen(said) + 1);
  errno = saved;
}

bool nth_segment_open(struct nth_segment *s, const char *name, const char **why) {
  int saved = errno;
  s->table = 0;
  bool good = attach(s, name, why);
  errno = saved;
  return good;
}

bool nth_segment_removed(const struct nth_segment *s) {
  struct shmid_ds status;
  int saved = errno;
  bool known = shmctl(s->id, IPC_STAT, &status) == 0; /* not after a setuid() */
  errno = saved;
  return known && (status.shm_perm.mode & SHM_DEST) != 0;
}

bool nth_segment_ours(const struct nth_segment *s) {
  int saved = errno;
  uint64_t space = pid_space();
  errno = saved;
  return space == s->space;
}

void nth_segment_close(struct nth_segment *s) {
  int saved = errno;
  (void)shmdt(s->table);
  s->table = 0;
  errno = saved;
}
