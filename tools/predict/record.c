/* record.c - the recorder's buffers, clock and file
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NTH_RECORD_DIR names the folder of the records, one a process; without it nothing is recorded.
 * NTH_RECORD_EVENTS is how many events a process may have: beyond it they are counted only.
 * NTH_RECORD_SERIAL=1 gives every team one member, NTH_RECORD_CLOCK=wall lets the clock run while
 * the thread does not.
 */
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/ompt/quiet.h"
#include "tools/ompt/ticks.h"

enum { BLOCK_EVENTS = 1 << 15, PROBES = 4000, NUMBERS = 1 << 16, CALIBRATE_NS = 10000000 };
#define LONG_PS ((uint64_t)300000 * 1000) /* a preemption is longer, a look at the CPU time short */

/* w: its thread; also read by the one that writes the record. Release, acquire: what stands in the
 * block, and in the next one's. */
struct rec_block {
  _Atomic(struct rec_block *) next;
  _Atomic(uint64_t) count;
  struct rec_event events[BLOCK_EVENTS];
};

struct rec_thread {
  struct rec_thread *next;
  struct rec_block *first, *now;
  uint64_t number;
  uint64_t clock;             /* ps */
  uint64_t ticks;             /* at the last event */
  uint64_t cpu, ticks_at_cpu; /* when CPU time was last asked for */
};

bool ticks_steady;
static struct {
  char folder[4000];
  uint64_t scale;    /* ps a tick, times 2^20 */
  uint64_t cost;     /* ps that the clock sees of an event */
  uint64_t cpu_cost; /* ps more when CPU time is asked for */
  uint64_t wall_start, cpu_start;
  bool serial, wall;
  pid_t process; /* whose events these are */
} setup;
static atomic_long blocks_left;
static atomic_ulong numbers, lost, thread_count;
static _Atomic(struct rec_thread *) threads;
static atomic_bool is_on, is_written;
static atomic_flag has_said = ATOMIC_FLAG_INIT;
static __thread struct rec_thread *self __attribute__((tls_model("initial-exec")));
static __thread struct rec_own own __attribute__((tls_model("initial-exec")));

static inline uint64_t to_ps(uint64_t ticks) {
  return (uint64_t)(((unsigned __int128)ticks * setup.scale) >> 20);
}

static uint64_t cpu_ps(void) { return ticks_ns(CLOCK_THREAD_CPUTIME_ID) * 1000; }

/* Threads take a row of numbers each: an atomic operation for each task would count as its work. */
uint64_t rec_number(void) {
  if (own.number % NUMBERS == 0)
    own.number = atomic_fetch_add_explicit(&numbers, NUMBERS, memory_order_relaxed) + 1;
  return own.number++;
}

bool rec_is_serial(void) { return setup.serial; }

/* One line for all troubles of a process: the first one is their cause. */
static void say(const char *what, const char *where, int error) {
  if (!atomic_flag_test_and_set(&has_said))
    dprintf(STDERR_FILENO, "nanogomp predict: %s%s: %s; the program goes on unrecorded\n", what,
            where, strerror(error));
}

void rec_say_no_memory(void) { say("no memory for events", "", ENOMEM); }

/* Memory that the program's heap does not see; NULL after a message. */
static void *memory_new(size_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory != MAP_FAILED)
    return memory;
  rec_say_no_memory();
  return NULL;
}

/* Once memory was refused, none is asked for again: the program needs what there is. */
static struct rec_block *block_new(void) {
  if (atomic_fetch_sub_explicit(&blocks_left, 1, memory_order_relaxed) <= 0)
    return NULL;
  struct rec_block *made = memory_new(sizeof *made);
  if (!made)
    atomic_store_explicit(&blocks_left, 0, memory_order_relaxed);
  return made;
}

struct rec_own *rec_self(void) { return &own; }

/* NULL: no memory. */
static struct rec_thread *thread_get(void) {
  if (self)
    return self;
  if (atomic_load_explicit(&blocks_left, memory_order_relaxed) <= 0)
    return NULL;
  struct rec_thread *t = memory_new(sizeof *t);
  if (!t)
    return NULL;
  t->number = atomic_fetch_add_explicit(&thread_count, 1, memory_order_relaxed);
  t->first = t->now = block_new();
  t->cpu = cpu_ps();
  t->ticks = t->ticks_at_cpu = ticks_now();
  t->next = atomic_load_explicit(&threads, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&threads, &t->next, t, memory_order_release,
                                                memory_order_relaxed)) {}
  self = t;
  return t;
}

/* The clock goes on to now. A long time counts as CPU time, for the thread may have waited: what it
 * has used since the last look, without what went by until this time began. */
static void clock_advance(struct rec_thread *t) {
  uint64_t passed = to_ps(ticks_now() - t->ticks), cost = setup.cost;
  if (passed >= LONG_PS && !setup.wall) {
    uint64_t cpu = cpu_ps(), before = to_ps(t->ticks - t->ticks_at_cpu);
    uint64_t used = cpu - t->cpu > before ? cpu - t->cpu - before : 0;
    passed = used < passed ? used : passed;
    cost += setup.cpu_cost;
    t->cpu = cpu;
    t->ticks_at_cpu = ticks_now();
  }
  t->clock += passed > cost ? passed - cost : 0;
}

static inline void note(struct rec_thread *t, enum rec_kind kind, uint32_t small, uint64_t a,
                        uint64_t b) {
  own.clock = t->clock;
  own.noted++;
  struct rec_block *block = t->now;
  uint64_t count = block ? atomic_load_explicit(&block->count, memory_order_relaxed) : 0;
  if (count == BLOCK_EVENTS) {
    struct rec_block *next = block_new();
    atomic_store_explicit(&block->next, next, memory_order_release);
    t->now = next ? next : block;
    block = next;
    count = 0;
  }
  if (!block) {
    atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
    return;
  }
  block->events[count] = (struct rec_event){t->clock, kind, small, a, b};
  atomic_store_explicit(&block->count, count + 1, memory_order_release);
}

/* The time since the last event, which was the runtime's, does not count. */
static void clock_restart(struct rec_thread *t) {
  if (to_ps(ticks_now() - t->ticks) >= LONG_PS) {
    t->cpu = cpu_ps();
    t->ticks_at_cpu = ticks_now();
  }
}

/* NULL: nothing is recorded now, or there is no memory for this thread. */
static inline struct rec_thread *recording(void) {
  return atomic_load_explicit(&is_on, memory_order_relaxed) ? thread_get() : NULL;
}

void rec_note(enum rec_kind kind, uint32_t small, uint64_t a, uint64_t b) {
  struct rec_thread *t = recording();
  if (!t)
    return;
  clock_advance(t);
  note(t, kind, small, a, b);
  t->ticks = ticks_now();
}

void rec_note_after(enum rec_kind kind, uint32_t small, uint64_t a, uint64_t b) {
  struct rec_thread *t = recording();
  if (!t)
    return;
  clock_restart(t);
  note(t, kind, small, a, b);
  t->ticks = ticks_now();
}

void rec_go_on(void) {
  struct rec_thread *t = recording();
  if (!t)
    return;
  clock_restart(t);
  t->ticks = ticks_now();
}

void *rec_next(const char *name, void **kept) {
  void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);
  if (found)
    return found;
  found = dlsym(RTLD_NEXT, name);
  if (!found) { /* the runtime came by dlopen, out of the global scope */
    void *runtime = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
    found = runtime ? dlsym(runtime, name) : NULL;
  }
  if (!found) {
    fprintf(stderr, "nanogomp predict: the runtime has no %s\n", name);
    abort();
  }
  __atomic_store_n(kept, found, __ATOMIC_RELAXED);
  return found;
}

static bool put(int file, const void *from, size_t size) {
  for (const char *at = from; size > 0;) {
    ssize_t done = write(file, at, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

/* Events of a block by now. */
static uint64_t count_of(struct rec_block *b) {
  return atomic_load_explicit(&b->count, memory_order_acquire);
}
static struct rec_block *after(struct rec_block *b) {
  return atomic_load_explicit(&b->next, memory_order_acquire);
}

/* Its thread may add events meanwhile: as many are written as were counted. */
static bool put_thread(int file, const struct rec_thread *t) {
  uint64_t count = 0;
  for (struct rec_block *b = t->first; b; b = after(b))
    count += count_of(b);
  struct rec_event head = {t->clock, REC_THREAD, 0, count, t->number};
  bool ok = put(file, &head, sizeof head);
  for (struct rec_block *b = t->first; ok && count > 0; b = after(b)) {
    uint64_t here = count < BLOCK_EVENTS ? count : BLOCK_EVENTS;
    ok = put(file, b->events, here * sizeof *b->events);
    count -= here;
  }
  return ok;
}

static int file_write(const char *path, bool (*write_into)(int file)) {
  struct quiet quiet;
  quiet_begin(&quiet);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), error = 0;
  if (file < 0 || !write_into(file))
    error = errno;
  if (file >= 0 && close(file) != 0 && !error) /* some file systems say now that they are full */
    error = errno;
  quiet_end(&quiet);
  return error;
}

static bool put_all(int file) {
  struct rec_head head = {.magic = "NTHREC2",
                          .cpu_ns = ticks_ns(CLOCK_PROCESS_CPUTIME_ID) - setup.cpu_start,
                          .wall_ns = ticks_ns(CLOCK_MONOTONIC) - setup.wall_start,
                          .event_ps = setup.cost,
                          .lost = atomic_load(&lost),
                          .serial = setup.serial,
                          .end_ps = own.clock};
  const struct rec_thread *first = atomic_load(&threads); /* others may come */
  for (const struct rec_thread *t = first; t; t = t->next)
    head.threads++;
  bool ok = put(file, &head, sizeof head);
  for (const struct rec_thread *t = first; ok && t; t = t->next)
    ok = put_thread(file, t);
  return ok;
}

/* Writes the record once; threads that still run may add events, which are not in it. A child of
 * vfork() has its parent's memory, and no record. */
static void finish(void) {
  if (!atomic_load(&is_on) || getpid() != setup.process || atomic_exchange(&is_written, true))
    return;
  struct rec_thread *mine = thread_get();
  if (mine) {
    clock_advance(mine);
    own.clock = mine->clock;
  }
  atomic_store(&is_on, false);
  if (!atomic_load(&threads))
    return;
  char path[sizeof setup.folder + 40], whole[sizeof path];
  snprintf(path, sizeof path, "%s/%ld.part", setup.folder, (long)getpid());
  snprintf(whole, sizeof whole, "%s/%ld.record", setup.folder, (long)getpid());
  int error = file_write(path, put_all);
  if (!error && rename(path, whole) != 0)
    error = errno;
  if (!error)
    return;
  unlink(path);
  say("cannot write the record ", whole, error);
}

/* A forked child records itself alone: what its parent did is in the parent's record. */
static void child_begins(void) {
  if (!atomic_load(&is_on))
    return;
  setup.process = getpid();
  setup.cpu_start = ticks_ns(CLOCK_PROCESS_CPUTIME_ID);
  setup.wall_start = ticks_ns(CLOCK_MONOTONIC);
  struct rec_thread *mine = thread_get();
  if (mine) {
    for (struct rec_block *b = mine->first; b; b = after(b))
      atomic_store_explicit(&b->count, 0, memory_order_relaxed);
    mine->now = mine->first;
    mine->next = NULL;
    mine->clock = own.clock = 0;
    mine->cpu = cpu_ps();
    mine->ticks = mine->ticks_at_cpu = ticks_now();
  }
  atomic_store(&threads, mine);
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* How long a tick is, and what an event and a look at the CPU time cost. */
static void calibrate(void) {
  ticks_choose();
  uint64_t start = ticks_ns(CLOCK_MONOTONIC), ticks = ticks_now(), now;
  do {
    now = ticks_ns(CLOCK_MONOTONIC);
  } while (now - start < CALIBRATE_NS);
  setup.scale = (uint64_t)(((unsigned __int128)(now - start) * 1000 << 20) / (ticks_now() - ticks));
  struct rec_thread *t = thread_get();
  if (!t)
    return;
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 8; round++) {
    uint64_t from = t->clock;
    for (int i = 0; i < PROBES / 8; i++)
      rec_note(REC_THREAD, 0, 0, 0);
    uint64_t took = t->clock - from;
    least = took < least ? took : least;
  }
  setup.cost = least / (PROBES / 8);
  least = UINT64_MAX;
  for (int i = 0; i < 100; i++) {
    uint64_t from = ticks_now();
    cpu_ps();
    uint64_t took = ticks_now() - from;
    least = took < least ? took : least;
  }
  setup.cpu_cost = to_ps(least);
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("NTH_RECORD_DIR");
  if (!folder || !*folder || strlen(folder) >= sizeof setup.folder)
    return;
  strcpy(setup.folder, folder);
  if (access(folder, W_OK | X_OK) != 0) {
    say("cannot write the record into ", folder, errno);
    return;
  }
  uint64_t events = number_of("NTH_RECORD_EVENTS", 4000000);
  atomic_store(&blocks_left, (long)((events + BLOCK_EVENTS - 1) / BLOCK_EVENTS));
  setup.serial = number_of("NTH_RECORD_SERIAL", 0) != 0;
  const char *clock = getenv("NTH_RECORD_CLOCK");
  setup.wall = clock && strcmp(clock, "wall") == 0;
  atomic_store(&is_on, true);
  calibrate();
  pthread_atfork(NULL, NULL, child_begins);
  at_quick_exit(finish);
  child_begins(); /* forgets the events of the calibration */
}

__attribute__((destructor)) static void end(void) { finish(); }

/* _exit and _Exit leave no time for destructors. */
REC_ENTRY void _exit(int status) {
  REC_REAL(void(int), _exit);
  finish();
  real(status);
  __builtin_unreachable();
}

REC_ENTRY void _Exit(int status) { _exit(status); }
