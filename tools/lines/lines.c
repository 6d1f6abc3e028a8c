/* lines.c - nanogomp-lines: which code makes cache lines go from one processor to another
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nanogomp-lines [LINE-BYTES] < trace
 *
 * Why         "Thread Fork/Join Techniques for Multi-level Parallelism Exploitation in NUMA
 *             Multiprocessors", figure 3, counts stores that claim a shared line. Few virtual
 *             machines have counters. The order of accesses tells the same for caches without end.
 * Trace       valgrind --tool=lackey --trace-mem=yes --trace-sched=yes: a line for each instruction
 *             and each access, and one when a thread gets its turn. valgrind runs one thread at a
 *             time, so the trace is an order of all accesses.
 * Model       A processor is an OS thread. MESI, no capacity: a processor keeps a line until
 *             another one stores to it. An access that loads and stores counts as a store.
 *               fetch   a load of a line that others have and the processor has not
 *               claim   a store to a line that the processor shares with others
 *               take    a store to a line that others have and the processor has not
 * Prints      `accesses LOADS STORES`, `threads N`, and `event KIND COUNT OFFSET PATH` for each
 *             instruction with such events: where it lies in which file, `-` if in none
 * Process     Only the first process of the trace counts; its /proc/PID/maps is read when code in
 *             an unknown place has its first event. The pipe is short, so the process still lives.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { THREADS = 512, WORDS = THREADS / 64, LINE_BYTES = 64, KINDS = 3 };
static const char *const kinds[KINDS] = {"fetch", "claim", "take"};
enum { FETCH, CLAIM, TAKE };

/* Who has a line. */
struct line {
  uint64_t key; /* its number, + 1; 0: empty */
  uint64_t has[WORDS];
};

/* The events of an instruction. */
struct place {
  uint64_t key; /* its address, + 1 */
  uint64_t count[KINDS];
  uint64_t offset; /* in the file */
  uint32_t file;   /* number of the name, 0: none */
};

static struct table lines = {sizeof(struct line), 0, 0, 0};
static struct table places = {sizeof(struct place), 0, 0, 0};

static unsigned shift; /* log2 of the line's size */
static uint64_t loads, stores, pc;
static uint64_t seen[WORDS]; /* threads that have had a turn */
static unsigned thread;      /* that has its turn; THREADS: none of ours */
static long process;

/* --- where an instruction lies --- */

struct mapping {
  uint64_t from, to, offset;
  uint32_t file;
};
static struct mapping *mapping;
static size_t mappings;
static char **file;
static uint32_t files = 1;

static void *grown(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (!p) {
    fputs("nanogomp-lines: no memory\n", stderr);
    exit(1);
  }
  return p;
}

static uint32_t file_number(const char *name) {
  for (uint32_t i = 1; i < files; i++)
    if (strcmp(file[i], name) == 0)
      return i;
  file = grown(file, (files + 1) * sizeof *file);
  file[files] = strcpy(grown(0, strlen(name) + 1), name);
  return files++;
}

/* Code of the client's. The tool's own lies elsewhere and has no accesses in the trace. */
static void read_mappings(void) {
  char path[64], text[4096 + 128];
  snprintf(path, sizeof path, "/proc/%ld/maps", process);
  FILE *maps = fopen(path, "r");
  mappings = 0;
  while (maps && fgets(text, sizeof text, maps)) {
    struct mapping m;
    char mode[8];
    int name = 0;
    text[strcspn(text, "\n")] = 0;
    int fields = sscanf(text, "%lx-%lx %7s %lx %*s %*s %n", &m.from, &m.to, mode, &m.offset, &name);
    if (fields != 4 || name == 0 || mode[2] != 'x' || text[name] != '/')
      continue;
    m.file = file_number(text + name);
    mapping = grown(mapping, (mappings + 1) * sizeof *mapping);
    mapping[mappings++] = m;
  }
  if (maps)
    fclose(maps);
}

static const struct mapping *find_mapping(uint64_t address) {
  for (size_t i = 0; i < mappings; i++)
    if (mapping[i].from <= address && address < mapping[i].to)
      return &mapping[i];
  return 0;
}

static void locate(struct place *p) {
  const struct mapping *m = find_mapping(pc);
  if (!m) {
    read_mappings();
    m = find_mapping(pc);
  }
  p->file = m ? m->file : 0;
  p->offset = m ? pc - m->from + m->offset : pc;
}

static void count(int kind) {
  bool is_new;
  struct place *p = table_get(&places, pc, &is_new);
  if (is_new)
    locate(p);
  p->count[kind]++;
}

/* --- the model --- */

static bool others_have(const struct line *l, uint64_t mine, unsigned word) {
  for (unsigned w = 0; w < WORDS; w++)
    if (l->has[w] & ~(w == word ? mine : 0))
      return true;
  return false;
}

static void access_line(uint64_t number, bool store) {
  bool is_new;
  struct line *l = table_get(&lines, number, &is_new);
  unsigned word = thread / 64;
  uint64_t mine = UINT64_C(1) << thread % 64;
  bool have = l->has[word] & mine;
  if (have && !store)
    return;
  if (others_have(l, mine, word)) {
    count(!store ? FETCH : have ? CLAIM : TAKE);
    if (store)
      memset(l->has, 0, sizeof l->has);
  }
  l->has[word] |= mine;
}

static void access_memory(uint64_t address, uint64_t bytes, bool store) {
  *(store ? &stores : &loads) += 1;
  uint64_t last = (address + (bytes > 0 ? bytes - 1 : 0)) >> shift;
  for (uint64_t number = address >> shift; number <= last; number++)
    access_line(number, store);
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
  thread = pid == process ? number % THREADS : THREADS;
  if (thread < THREADS)
    seen[thread / 64] |= UINT64_C(1) << thread % 64;
}

static void read_line(const char *text) {
  char *end;
  if (text[0] == 'I' && text[1] == ' ') {
    pc = strtoull(text + 2, 0, 16);
  } else if (text[0] == ' ' && text[1] && strchr("LSM", text[1]) && text[2] == ' ') {
    uint64_t address = strtoull(text + 3, &end, 16);
    if (*end == ',' && thread < THREADS)
      access_memory(address, strtoull(end + 1, 0, 10), text[1] != 'L');
  } else if (text[0] == '-') {
    read_turn(text);
  }
}

static void print_place(void *entry) {
  const struct place *p = entry;
  for (int k = 0; k < KINDS; k++)
    if (p->count[k] > 0)
      printf("event %s %lu %#lx %s\n", kinds[k], p->count[k], p->offset,
             p->file ? file[p->file] : "-");
}

int main(int argc, char **argv) {
  static char text[1 << 14];
  long bytes = argc > 1 ? strtol(argv[1], 0, 10) : LINE_BYTES;
  if (argc > 2 || bytes < 1 || bytes > 1 << 20 || (bytes & (bytes - 1)) != 0) {
    fputs("usage: nanogomp-lines [LINE-BYTES] < trace\n", stderr);
    return 2;
  }
  while (1L << shift < bytes)
    shift++;
  thread = THREADS;
  while (fgets(text, sizeof text, stdin))
    read_line(text);
  unsigned threads = 0;
  for (unsigned t = 0; t < THREADS; t++)
    threads += seen[t / 64] >> t % 64 & 1;
  printf("accesses %lu %lu\nthreads %u\n", loads, stores, threads);
  table_each(&places, print_place);
  return 0;
}
