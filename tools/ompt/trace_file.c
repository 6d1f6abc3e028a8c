/* trace_file.c - the file of a process's trace, and the parts of it that threads write
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NTH_TRACE_DIR is the folder, NTH_TRACE_LIMIT the largest size of a file in bytes (0: none),
 * NTH_TRACE_CLOCK=system takes CLOCK_MONOTONIC in place of the CPU's counter.
 */
#include "tools/ompt/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/ompt/maps.h"
#include "tools/ompt/own_file.h"
#include "tools/ompt/ticks.h"

enum {
  CALIBRATE_NS = 1000000, /* a tick is known to 1 in 10000 then; a longer run tells it better */
  MOST_NAMES = 1000,      /* programs that one process may execute in turn */
  TEXT_BYTES = 1 << 22    /* of a map of modules; a longer one is cut */
};

bool ticks_steady;
static struct {
  char folder[PATH_MAX];
  struct own_file own;
  uint64_t limit;
  struct trace_head head;
} file;
static _Atomic(uint64_t) used; /* bytes of the file; 0: there is none yet; w, r: all; I1 */
static atomic_bool has_failed; /* no block is asked for any more */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* --- clocks --- */

static struct trace_moment moment(void) {
  struct trace_moment now = {0};
  ticks_pair(&now.ticks, &now.ns);
  return now;
}

static void clock_begin(void) {
  const char *wanted = getenv("NTH_TRACE_CLOCK");
  ticks_choose();
  ticks_steady &= !wanted || strcmp(wanted, "system") != 0;
  file.head.clock = ticks_steady ? TRACE_TICKS : TRACE_NS;
  file.head.other = moment();
  do
    file.head.start = moment();
  while (file.head.start.ns - file.head.other.ns < CALIBRATE_NS);
}

/* --- troubles --- */

/* One line a process: the first trouble is the cause of the others. */
static void fail(int error, const char *what) {
  if (!atomic_exchange(&has_failed, true))
    dprintf(STDERR_FILENO, "nanogomp trace: %s: %s; %s\n", file.own.path, strerror(error), what);
}

/* --- the file --- */

/* A new file: PID.trace, or PID.N.trace where the process has executed another program before. 0,
 * or what is wrong. */
static int create(void) {
  int fd = -1;
  for (int n = 0; fd < 0 && n < MOST_NAMES; n++) {
    char more[16] = "";
    if (n > 0)
      snprintf(more, sizeof more, ".%d", n);
    snprintf(file.own.path, sizeof file.own.path, "%.4000s/%ld%s.trace", file.folder,
             (long)getpid(), more);
    fd = open(file.own.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
      return errno;
  }
  if (fd < 0)
    return EEXIST;
  own_file_made(&file.own, fd);
  int error = quiet_reserve(fd, 0, TRACE_PAGE);
  if (!error && pwrite(fd, &file.head, sizeof file.head, 0) != (ssize_t)sizeof file.head)
    error = errno;
  close(fd);
  if (error)
    unlink(file.own.path);
  return error;
}

static void add_maps(void);

/* The file is there. The child of fork() makes its own here. */
static bool is_open(void) {
  if (atomic_load_explicit(&used, memory_order_acquire))
    return true;
  pthread_mutex_lock(&opening);
  bool first = !atomic_load_explicit(&used, memory_order_relaxed);
  int error = first ? create() : 0;
  if (error)
    fail(error, "the process is not traced");
  else if (first)
    atomic_store_explicit(&used, TRACE_PAGE, memory_order_release);
  pthread_mutex_unlock(&opening);
  if (first && !error)
    add_maps();
  return !error;
}

/* A block of any content. limited: only if the file stays within its limit. */
static struct trace_block *take(struct trace_block like, bool limited) {
  int before = errno;
  struct trace_block *b = NULL;
  if (!atomic_load_explicit(&has_failed, memory_order_relaxed) && is_open()) {
    uint64_t at = atomic_load_explicit(&used, memory_order_relaxed);
    do
      if (limited && file.limit && at + like.bytes > file.limit)
        return NULL;
    while (!atomic_compare_exchange_weak(&used, &at, at + like.bytes));
    b = own_file_map(&file.own, at, like.bytes, MAP_POPULATE);
    if (!b) {
      fail(errno, "the trace ends here, the program goes on");
    } else {
      like.opened = moment();
      *b = like;
      atomic_signal_fence(memory_order_release);
      b->magic = TRACE_BLOCK;
    }
  }
  errno = before;
  return b;
}

struct trace_block *trace_file_block(uint32_t row, uint32_t turn, uint32_t bytes) {
  return take(
      (struct trace_block){.content = TRACE_EVENTS, .bytes = bytes, .row = row, .turn = turn},
      true);
}

/* Copies a file of /proc, whose length is known only when it has been read, and closes it. fd: -1:
 * there is none. */
static void add_text(enum trace_content content, int fd) {
  char *text = mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t length = 0;
  if (text != MAP_FAILED && fd >= 0)
    for (ssize_t n; (n = read(fd, text + length, TEXT_BYTES - length)) > 0;)
      length += (size_t)n;
  if (length > 0) {
    size_t bytes = (sizeof(struct trace_block) + length + TRACE_PAGE - 1) & ~(TRACE_PAGE - 1ul);
    struct trace_block *b = take((struct trace_block){.content = content,
                                                      .bytes = (uint32_t)bytes,
                                                      .turn = (uint32_t)length},
                                 false);
    if (b) {
      memcpy(b + 1, text, length);
      munmap(b, bytes);
    }
  }
  if (fd >= 0)
    close(fd);
  if (text != MAP_FAILED)
    munmap(text, TEXT_BYTES);
}

/* Where the process's modules are now, and its command line. */
static void add_maps(void) {
  add_text(TRACE_MAPS, maps_open());
  add_text(TRACE_COMMAND, open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
}

bool trace_file_begin(void) {
  const char *folder = getenv("NTH_TRACE_DIR"), *limit = getenv("NTH_TRACE_LIMIT");
  if (!folder || !*folder || !own_file_folder(folder, file.folder))
    return false;
  file.limit = limit ? strtoull(limit, NULL, 10) : 0;
  memcpy(file.head.magic, TRACE_MAGIC, sizeof file.head.magic);
  file.head.version = TRACE_VERSION;
  file.head.event_bytes = sizeof(struct trace_event);
  file.head.pid = (uint32_t)getpid();
  file.head.parent = (uint32_t)getppid();
  clock_begin();
  file.head.real_ns = ticks_ns(CLOCK_REALTIME);
  return is_open();
}

void trace_file_end(uint64_t dropped) {
  if (!atomic_load(&used))
    return;
  file.head.end = moment();
  file.head.dropped = dropped;
  add_maps();
  int fd = own_file_open(&file.own);
  if (fd < 0 || pwrite(fd, &file.head, sizeof file.head, 0) != (ssize_t)sizeof file.head)
    fail(errno, "the trace has no end");
  own_file_close(&file.own, fd);
}

void trace_file_forked(void) {
  opening = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  file.head.start = moment(); /* `other`, long ago, tells all the better how long a tick is */
  file.head.real_ns = ticks_ns(CLOCK_REALTIME);
  file.head.pid = (uint32_t)getpid();
  file.head.parent = (uint32_t)getppid();
  file.head.forked = 1;
  atomic_store(&has_failed, false);
  atomic_store(&used, 0);
}
