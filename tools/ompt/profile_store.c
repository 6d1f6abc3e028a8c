/* profile_store.c - the mapped file, and memory beside it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Room is asked for before it is mapped: on a full disk that fails, where a store into a hole of
 * the file would end the program. No number of the file is kept: own_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "tools/ompt/maps.h"
#include "tools/ompt/own_file.h"
#include "tools/ompt/profile.h"
#include "tools/ompt/ticks.h"

enum { ALIGN = 128, CHUNKS = 4096 }; /* chunks: a file of a gigabyte at most */

static char *chunks[CHUNKS];
static uint32_t chunks_used;
static size_t chunk_at = PROF_CHUNK; /* in the last chunk, what is used */
static struct own_file file;
static char folder[PATH_MAX];
static bool full;

void prof_say(const char *format, ...) {
  char line[1400];
  va_list args;
  va_start(args, format);
  int head = snprintf(line, sizeof line, "nanogomp profile: ");
  int n = vsnprintf(line + head, sizeof line - (size_t)head - 1, format, args);
  va_end(args);
  size_t length = strnlen(line, sizeof line - 2);
  if (n < 0)
    return;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, length) < 0)
    return;
}

/* --- memory beside the file --- */

void *prof_private(size_t bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}

bool prof_grow(void *array, uint32_t *size, size_t item, uint32_t first) {
  void *old;
  memcpy(&old, array, sizeof old);
  size_t have = *size * item, want = *size ? 2 * have : first * item;
  void *p = prof_private(want);
  if (!p)
    return false;
  if (have) {
    memcpy(p, old, have);
    munmap(old, have);
  }
  memcpy(array, &p, sizeof p);
  *size = *size ? 2 * *size : first;
  return true;
}

/* --- the file --- */

/* A new file of this process's, whatever others of its number are there. -1: there is none. */
static int make_file(void) {
  for (int i = 0, fd; i < 1000; i++) {
    snprintf(file.path, sizeof file.path, "%.4000s/%d.%d.nthprof", folder, (int)getpid(), i);
    fd = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      own_file_made(&file, fd);
      return fd;
    }
    if (errno != EEXIST)
      break;
  }
  prof_say("%s cannot be written (%s); the program runs without a profile", file.path,
           strerror(errno));
  return -1;
}

/* Maps the next part of the file. */
static char *make_chunk(void) {
  bool more = !full && chunks_used < CHUNKS;
  errno = ENOSPC;
  void *p = more ? own_file_map(&file, (uint64_t)chunks_used * PROF_CHUNK, PROF_CHUNK, 0) : 0;
  if (p) {
    chunk_at = 0;
    return chunks[chunks_used++] = p;
  }
  if (!full)
    prof_say("%s: %s; the profile ends here, the program goes on", file.path, strerror(errno));
  full = true;
  return 0;
}

void *prof_store_record(size_t bytes) {
  bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (bytes > PROF_CHUNK || (chunk_at + bytes > PROF_CHUNK && !make_chunk())) {
    if (prof.head)
      prof.head->lost++;
    return 0;
  }
  struct prof_record *r = (struct prof_record *)(chunks[chunks_used - 1] + chunk_at);
  chunk_at += bytes;
  r->bytes = (uint32_t)bytes;
  return r;
}

void prof_store_pair(void) {
  ticks_pair(&prof.head->ticks_now, &prof.head->ns_now);
  nth_store_rlx(&prof.pair_at, prof.head->ticks_now);
}

void prof_store_zero(void) {
  struct prof_head *h = prof.head;
  h->pid = (uint32_t)getpid();
  h->ticks_end = 0;
  ticks_pair(&h->ticks_first, &h->ns_first);
  do /* for a rate, should the process end before there is another pair */
    prof_store_pair();
  while (h->ns_now - h->ns_first < 200000);
  prof.second = (h->ticks_now - h->ticks_first) * 5000;
  h->ticks_begin = ticks_now();
}

bool prof_store_begin(void) {
  const char *wanted = getenv("NTH_PROFILE_DIR");
  if (!own_file_folder(wanted && *wanted ? wanted : ".", folder))
    return false;
  int fd = make_file();
  if (fd < 0)
    return false;
  close(fd);
  prof.head = (struct prof_head *)make_chunk();
  if (!prof.head) {
    unlink(file.path);
    return false;
  }
  chunk_at = PROF_HEAD_BYTES;
  ssize_t n = readlink("/proc/self/exe", prof.head->program, sizeof prof.head->program - 1);
  if (n < 0)
    prof.head->program[0] = 0;
  prof.head->head_bytes = PROF_HEAD_BYTES;
  prof.head->chunk_bytes = PROF_CHUNK;
  memcpy(prof.head->magic, PROF_MAGIC, sizeof prof.head->magic);
  return true;
}

/* --- the module map --- */

struct range {
  uint64_t begin, end;
};
static struct range *ranges;
static uint32_t ranges_size, ranges_used;

bool prof_store_mapped(uint64_t address) {
  for (uint32_t i = 0; i < ranges_used; i++)
    if (address - ranges[i].begin < ranges[i].end - ranges[i].begin)
      return true;
  return false;
}

static void note_range(uint64_t begin, uint64_t end) {
  if (ranges_used == ranges_size && !prof_grow(&ranges, &ranges_size, sizeof *ranges, 256))
    return;
  ranges[ranges_used++] = (struct range){begin, end};
}

/* Keeps the lines of code, in place; returns their length. */
static size_t only_code(char *text) {
  char *to = text;
  ranges_used = 0;
  for (char *line = text, *next; *line; line = next) {
    char *end = strchrnul(line, '\n'), kind[5] = "";
    if (!*end)
      break; /* the text is cut here */
    unsigned long begin, stop;
    next = end + 1;
    if (sscanf(line, "%lx-%lx %4s", &begin, &stop, kind) != 3 || kind[2] != 'x')
      continue;
    note_range(begin, stop);
    memmove(to, line, (size_t)(next - line));
    to += next - line;
  }
  *to = 0;
  return (size_t)(to - text);
}

static void store_part(const char *text, size_t length) {
  struct prof_maps *m = prof_store_record(sizeof *m + length);
  if (!m)
    return;
  memcpy(m->text, text, length);
  m->record.type = PROF_MAPS;
}

/* The text may be longer than a record can be. A reader puts the parts together. */
void prof_store_maps(void) {
  enum { SIZE = 1 << 21, PART = PROF_CHUNK / 4 };
  char *text = prof_private(SIZE);
  int maps = maps_open();
  size_t length = 0;
  for (ssize_t n; text && maps >= 0 && length < SIZE - 1; length += (size_t)n)
    if ((n = read(maps, text + length, SIZE - 1 - length)) <= 0)
      break;
  if (maps >= 0)
    close(maps);
  length = text ? only_code(text) : 0;
  for (size_t at = 0; at < length; at += PART)
    store_part(text + at, length - at < PART ? length - at : PART);
  if (text)
    munmap(text, SIZE);
}

/* --- fork --- */

/* A part of the child's own with what is in the parent's. */
static void copy(char *chunk) {
  char *own = prof_private(PROF_CHUNK);
  if (!own)
    return;
  memcpy(own, chunk, PROF_CHUNK);
  mremap(own, PROF_CHUNK, PROF_CHUNK, MREMAP_MAYMOVE | MREMAP_FIXED, chunk);
}

/* The child shall not write into its parent's file: its pages become its own, by the file if it is
 * there, which costs less than a copy. Called between fork() and what the child does first, with
 * prof.lock. */
static void part_from_parent(void) {
  int fd = chunks_used ? own_file_open(&file) : -1;
  for (uint32_t i = 0; i < chunks_used; i++)
    if (fd < 0 || mmap(chunks[i], PROF_CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
                       (off_t)i * PROF_CHUNK) == MAP_FAILED)
      copy(chunks[i]);
  if (fd >= 0)
    close(fd);
  prof.forker = prof_events_caller();
  nth_store_rel(&prof.forked, true); /* F */
  pthread_mutex_unlock(&prof.lock);
}
/* The caller's part of a region is settled, which may take the lock. */
static void take_lock(void) {
  (void)prof_events_caller();
  pthread_mutex_lock(&prof.lock);
}
static void leave_lock(void) { pthread_mutex_unlock(&prof.lock); }

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(take_lock, leave_lock, part_from_parent);
}

/* Figures of the parent's are not the child's. */
static void forget(struct prof_record *r) {
  if (r->type == PROF_CELL) {
    struct prof_cell *c = (struct prof_cell *)r;
    memset(c->ticks, 0, sizeof *c - offsetof(struct prof_cell, ticks));
  } else if (r->type == PROF_ROW) {
    struct prof_row *row = (struct prof_row *)r;
    memset(row->bins, 0, sizeof row->bins);
    row->begin = row->since = prof.head->ticks_begin;
    row->end = row->begin; /* the caller's own is opened again */
    row->threads = 0;
    row->late = PROF_SETTLED;
  }
}

/* The child's chunks become parts of its own file. False: there is no room. */
static bool move_chunks(int fd) {
  for (uint32_t i = 0; i < chunks_used; i++) {
    off_t at = (off_t)i * PROF_CHUNK;
    if (quiet_reserve(fd, (uint64_t)at, PROF_CHUNK) != 0 || !own_file_is(&file, fd) ||
        pwrite(fd, chunks[i], PROF_CHUNK, at) != PROF_CHUNK ||
        mmap(chunks[i], PROF_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, at) ==
            MAP_FAILED)
      return false;
  }
  return true;
}

/* A page into which the child has not written yet shows what the parent has made since. */
static void forget_later(void) {
  if (chunks_used)
    memset(chunks[chunks_used - 1] + chunk_at, 0, PROF_CHUNK - chunk_at);
}

void prof_store_child(void) {
  uint32_t parent = prof.head->pid;
  forget_later();
  int fd = make_file();
  full = fd < 0;
  if (!full && !move_chunks(fd)) {
    full = true;
    prof_say("%s: no room; this process goes on without a profile", file.path);
  }
  if (fd >= 0)
    own_file_close(&file, fd);
  prof_store_zero();
  prof.head->parent = parent;
  for (uint32_t i = 0; i < chunks_used; i++) {
    struct prof_record *r;
    size_t at = i == 0 ? PROF_HEAD_BYTES : 0;
    for (; at < PROF_CHUNK; at += r->bytes) {
      r = (struct prof_record *)(chunks[i] + at);
      if (r->bytes == 0)
        break;
      forget(r);
    }
  }
}
