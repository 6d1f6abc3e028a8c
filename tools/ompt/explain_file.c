/* explain_file.c - the mapped file of `nanogomp run --explain`, and the maps beside it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No number of the file is kept: own_file.h.
 */
#include "tools/ompt/explain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/ompt/maps.h"
#include "tools/ompt/own_file.h"
#include "tools/ompt/ticks.h"

enum { MAPPED = 4096, RANGES = 1024 }; /* members in the file; parts of the process with code */

bool ticks_steady;
struct exp_head *exp_head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for all below */
static struct own_file file;
static struct exp_me *members[MAPPED];
static uint32_t members_used;
static bool is_full, is_child;
static struct {
  uint64_t begin, end;
} ranges[RANGES];
static uint32_t ranges_used;

static void say(int error) {
  dprintf(STDERR_FILENO, "nanogomp: explain: %s: %s; not all will be counted\n", file.path,
          strerror(error));
}

/* --- maps --- */

static bool has(uint64_t address) {
  for (uint32_t i = 0; i < ranges_used; i++)
    if (address - ranges[i].begin < ranges[i].end - ranges[i].begin)
      return true;
  return false;
}

/* Writes the maps anew; the caller has the lock. The old ones stay until the new ones are whole. */
static void write_maps(void) {
  char name[PATH_MAX + 8], made[PATH_MAX + 8], line[PATH_MAX + 128];
  struct quiet q;
  snprintf(name, sizeof name, "%s.maps", file.path);
  snprintf(made, sizeof made, "%s.new", file.path);
  quiet_begin(&q);
  int fd = maps_open();
  FILE *maps = fd >= 0 ? fdopen(fd, "r") : 0, *to = maps ? fopen(made, "we") : 0;
  ranges_used = 0;
  while (to && fgets(line, sizeof line, maps)) {
    unsigned long begin, end;
    char kind[5] = "";
    fputs(line, to);
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, kind) == 3 && kind[2] == 'x' &&
        ranges_used < RANGES) {
      ranges[ranges_used].begin = begin;
      ranges[ranges_used++].end = end;
    }
  }
  if (maps)
    fclose(maps);
  else if (fd >= 0)
    close(fd);
  if (to && fclose(to) == 0)
    rename(made, name);
  quiet_end(&q);
}

void exp_file_place(uint64_t code) {
  pthread_mutex_lock(&lock);
  if (!is_child && code > 1 && !has(code - 1))
    write_maps();
  pthread_mutex_unlock(&lock);
}

/* --- members --- */

struct exp_me *exp_file_member(void) {
  struct exp_me *m = 0;
  pthread_mutex_lock(&lock);
  if (!is_child && !is_full) {
    uint64_t at = EXP_HEAD_BYTES + (uint64_t)members_used * EXP_ME_BYTES;
    errno = ENOSPC;
    m = members_used < MAPPED ? own_file_map(&file, at, EXP_ME_BYTES, 0) : 0;
    if (m)
      members[members_used++] = m;
    else
      say(errno);
    is_full = !m;
  }
  pthread_mutex_unlock(&lock);
  return m ? m : calloc(1, sizeof *m);
}

/* --- begin, fork, end --- */

static void note_cpus(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof allowed, &allowed) == 0)
    exp_head->cpus = (uint64_t)CPU_COUNT(&allowed);
  exp_head->online = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
}

void exp_file_pair(void) {
  if (pthread_mutex_trylock(&lock) == 0) {
    ticks_pair(&exp_head->ticks_now, &exp_head->ns_now);
    pthread_mutex_unlock(&lock);
  }
}

/* The time begins; how long a tick is must be known before the process may be killed. */
static void begin_clock(void) {
  enum { ENOUGH_NS = 200000 };
  ticks_pair(&exp_head->ticks_first, &exp_head->ns_first);
  do
    exp_file_pair();
  while (exp_head->ns_now - exp_head->ns_first < ENOUGH_NS);
  exp_head->begun = ticks_now();
}

bool exp_file_begin(const char *wanted) {
  char folder[PATH_MAX];
  ticks_choose();
  if (!own_file_folder(wanted, folder))
    return false;
  snprintf(file.path, sizeof file.path, "%.4000s/%d", folder, (int)getpid());
  int fd = open(file.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) {
    own_file_made(&file, fd);
    close(fd);
  }
  exp_head = fd >= 0 ? own_file_map(&file, 0, EXP_HEAD_BYTES, 0) : 0;
  if (!exp_head) {
    say(errno);
    return false;
  }
  note_cpus();
  write_maps();
  begin_clock();
  memcpy(exp_head->magic, EXP_MAGIC, sizeof exp_head->magic);
  return true;
}

static void take_lock(void) { pthread_mutex_lock(&lock); }
static void leave_lock(void) { pthread_mutex_unlock(&lock); }

/* The page becomes the child's own. Without the file, which is gone when the command has ended, it
 * begins with zeros. */
static void part(void *p, uint64_t at, uint64_t bytes, int fd) {
  int flags = MAP_PRIVATE | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0);
  mmap(p, bytes, PROT_READ | PROT_WRITE, flags, fd, fd < 0 ? 0 : (off_t)at);
}

static void part_from_parent(void) {
  int fd = exp_head && !is_child ? own_file_open(&file) : -1;
  if (exp_head && !is_child) {
    part(exp_head, 0, EXP_HEAD_BYTES, fd);
    for (uint32_t i = 0; i < members_used; i++)
      part(members[i], EXP_HEAD_BYTES + (uint64_t)i * EXP_ME_BYTES, EXP_ME_BYTES, fd);
  }
  if (fd >= 0)
    close(fd);
  is_child = true;
  leave_lock();
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(take_lock, leave_lock, part_from_parent);
}

/* The CPU time of one of the process's OS threads, ns; 0: it has ended. */
static uint64_t cpu_of(uint64_t thread) {
  enum { OF_A_THREAD = 4, AS_SCHEDULED = 2 }; /* the kernel's names for such clocks */
  struct timespec t = {0};
  unsigned clock = ~(unsigned)thread << 3 | OF_A_THREAD | AS_SCHEDULED;
  if (clock_gettime((clockid_t)clock, &t) != 0)
    return 0;
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Members that are at work as the process ends are so until then. They go on meanwhile. */
static void note_work(void) {
  for (uint32_t i = 0; i < members_used; i++)
    members[i]->cpu_end = cpu_of(members[i]->look.thread);
}

void exp_file_end(void) {
  uint64_t now = ticks_now();
  pthread_mutex_lock(&lock);
  if (!is_child) {
    ticks_pair(&exp_head->ticks_now, &exp_head->ns_now);
    note_work();
    note_cpus();
    write_maps();
    exp_head->ended = now;
  }
  pthread_mutex_unlock(&lock);
}
