/* lines.c - nanogomp-lines: which code, and which data, makes cache lines go between processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nanogomp-lines [LINE-BYTES [SHAPE]] < trace      SHAPE: of the caches, such as 32k:8,1m:16
 *
 * Why         "Thread Fork/Join Techniques for Multi-level Parallelism Exploitation in NUMA
 *             Multiprocessors", figure 3, counts cache misses and stores that claim a shared line.
 *             Few virtual machines have counters. The order of accesses tells the same.
 * Trace       valgrind --tool=lackey --trace-mem=yes --trace-sched=yes: a line for each instruction
 *             and each access, and one when a thread gets its turn. valgrind runs one thread at a
 *             time, so the trace is an order of all accesses.
 * Model       model.h; a processor is an OS thread
 * Prints      `accesses LOADS STORES`, `threads N`, `event KIND COUNT OFFSET PATH` for each
 *             instruction with events: where it lies in which file, `-` if in none; and
 *             `data KIND COUNT ADDRESS OFFSET WHERE` for each word of memory with events between
 *             processors: OFFSET from the beginning of what maps.h calls WHERE, `-` if in none
 * Process     Only the first process of the trace counts; its /proc/PID/maps is read when an
 *             address in an unknown place has its first event.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps.h"
#include "model.h"
#include "table.h"

enum { LINE_BYTES = 64, WORD_BYTES = 8 };
static const char *const kinds[KINDS] = {"fetch", "claim", "take", "false", "miss1", "miss2"};

/* The events of an instruction, or of a word of memory. */
struct place {
  uint64_t key; /* its address, + 1 */
  uint64_t count[KINDS];
  uint64_t offset;   /* of code: in the file; of data: from the beginning of `where` */
  const char *where; /* NULL: none */
};

static struct table code = {sizeof(struct place), 0, 0, 0};
static struct table data = {sizeof(struct place), 0, 0, 0};

static unsigned shift; /* log2 of the line's size */
static uint64_t loads, stores, pc;
static bool seen[MODEL_THREADS]; /* threads that have had a turn */
static unsigned thread;          /* that has its turn; MODEL_THREADS: none of ours */
static long process;

static struct place *place_of(struct table *t, uint64_t address) {
  bool is_new;
  struct place *p = table_get(t, address, &is_new);
  if (is_new) {
    const struct mapping *m = maps_find(process, address);
    p->where = m && (t == &data || m->where[0] == '/') ? m->where : 0;
    p->offset = !p->where ? address : address - (t == &data ? m->base : m->from - m->offset);
  }
  return p;
}

static void count(struct place *p, unsigned events) {
  for (int k = 0; k < KINDS; k++)
    p->count[k] += events >> k & 1;
}

static void access_line(uint64_t address, uint64_t bytes, bool store) {
  const unsigned misses = 1u << MISS1 | 1u << MISS2;
  uint64_t at = address & ((UINT64_C(1) << shift) - 1);
  unsigned events = model_access(thread, address >> shift, at, bytes, store);
  if (events)
    count(place_of(&code, pc), events);
  if (events & ~misses)
    count(place_of(&data, address / WORD_BYTES * WORD_BYTES), events & ~misses);
}

static void access_memory(uint64_t address, uint64_t bytes, bool store) {
  *(store ? &stores : &loads) += 1;
  while (bytes > 0) {
    uint64_t room = (UINT64_C(1) << shift) - (address & ((UINT64_C(1) << shift) - 1));
    uint64_t here = bytes < room ? bytes : room;
    access_line(address, here, store);
    address += here;
    bytes -= here;
  }
}

/* --- the trace --- */

/* "--PID--   SCHED[N]:  acquired lock (...)": thread N has its turn. */
static void read_turn(const char *text) {
  long pid;
  unsigned number;
  int end = 0;
  if (sscanf(text, "--%ld-- SCHED[%u]: acquired %n", &pid, &number, &end) != 2 || end == 0)
    return;
  if (process == 0)
    process = pid;
  thread = pid == process ? number % MODEL_THREADS : MODEL_THREADS;
  if (thread < MODEL_THREADS)
    seen[thread] = true;
}

static void read_line(const char *text) {
  char *end;
  if (text[0] == 'I' && text[1] == ' ') {
    pc = strtoull(text + 2, 0, 16);
  } else if (text[0] == ' ' && text[1] && strchr("LSM", text[1]) && text[2] == ' ') {
    uint64_t address = strtoull(text + 3, &end, 16);
    if (*end == ',' && thread < MODEL_THREADS)
      access_memory(address, strtoull(end + 1, 0, 10), text[1] != 'L');
  } else if (text[0] == '-') {
    read_turn(text);
  }
}

static void print_code(void *entry) {
  const struct place *p = entry;
  for (int k = 0; k < KINDS; k++)
    if (p->count[k] > 0)
      printf("event %s %lu %#lx %s\n", kinds[k], p->count[k], p->offset, p->where ? p->where : "-");
}

static void print_data(void *entry) {
  const struct place *p = entry;
  for (int k = 0; k < KINDS; k++)
    if (p->count[k] > 0)
      printf("data %s %lu %#lx %#lx %s\n", kinds[k], p->count[k], p->key - 1, p->offset,
             p->where ? p->where : "-");
}

/* False: the arguments are wrong. */
static bool begin(int argc, char **argv) {
  struct cache_shape shape;
  char *end = "";
  long bytes = argc > 1 ? strtol(argv[1], &end, 10) : LINE_BYTES;
  if (argc > 3 || *end || bytes < 1 || bytes > 1 << 20 || (bytes & (bytes - 1)) != 0)
    return false;
  if (argc > 2 && !cache_read_shape(&shape, argv[2], (uint64_t)bytes))
    return false;
  while (1L << shift < bytes)
    shift++;
  thread = MODEL_THREADS;
  model_begin((uint64_t)bytes, argc > 2 ? &shape : 0);
  return true;
}

int main(int argc, char **argv) {
  static char text[1 << 14];
  if (!begin(argc, argv)) {
    fputs("usage: nanogomp-lines [LINE-BYTES [BYTES:WAYS,BYTES:WAYS]] < trace\n", stderr);
    return 2;
  }
  while (fgets(text, sizeof text, stdin))
    read_line(text);
  unsigned threads = 0;
  for (unsigned t = 0; t < MODEL_THREADS; t++)
    threads += seen[t];
  printf("accesses %lu %lu\nthreads %u\n", loads, stores, threads);
  table_each(&code, print_code);
  table_each(&data, print_data);
  return 0;
}
