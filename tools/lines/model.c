/* model.c - which accesses make a cache line go from one processor to another
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "model.h"

#include <string.h>

#include "table.h"

enum { WORDS = MODEL_THREADS / 64 };

/* A line that some processor has had. */
struct line {
  uint64_t key; /* its number, + 1; 0: empty */
  uint64_t has[WORDS];
  uint64_t stored; /* by `writer` since it got the line: a bit for each 64th part */
  uint32_t writer; /* the last thread that stored, + 1; 0: none */
  uint32_t unused;
};

static struct table lines = {sizeof(struct line), 0, 0, 0};
static uint64_t part_bytes; /* of a line's 64th part, at least 1 */
static struct cache_shape shape;
static bool shaped;
static struct cache cache[MODEL_THREADS];

void model_begin(uint64_t line_bytes, const struct cache_shape *s) {
  part_bytes = line_bytes > 64 ? line_bytes / 64 : 1;
  shaped = s != 0;
  if (s)
    shape = *s;
}

static struct line *line_of(uint64_t number) {
  bool is_new;
  return table_get(&lines, number, &is_new);
}

static bool others_have(const struct line *l, uint64_t mine, unsigned word) {
  for (unsigned w = 0; w < WORDS; w++)
    if (l->has[w] & ~(w == word ? mine : 0))
      return true;
  return false;
}

/* A bit for each 64th part of the line that the access touches. */
static uint64_t parts(uint64_t at, uint64_t bytes) {
  uint64_t first = at / part_bytes, last = (at + bytes - 1) / part_bytes;
  uint64_t upto = last >= 63 ? ~UINT64_C(0) : (UINT64_C(1) << (last + 1)) - 1;
  return upto & ~((UINT64_C(1) << first) - 1);
}

/* The line goes out of all caches but the thread's. */
static void invalidate(struct line *l, uint64_t number, unsigned thread) {
  for (unsigned t = 0; shaped && t < MODEL_THREADS; t++)
    if (t != thread && l->has[t / 64] >> t % 64 & 1)
      cache_drop(&shape, &cache[t], number);
  memset(l->has, 0, sizeof l->has);
}

static void note_store(struct line *l, unsigned thread, uint64_t touched) {
  l->stored = l->writer == thread + 1 ? l->stored | touched : touched;
  l->writer = thread + 1;
}

/* Touches the caches. Returns the misses. */
static unsigned touch(unsigned thread, uint64_t number) {
  uint64_t left;
  int missed = cache_touch(&shape, &cache[thread], number, &left);
  if (left)
    line_of(left - 1)->has[thread / 64] &= ~(UINT64_C(1) << thread % 64);
  return (missed > 0 ? 1u << MISS1 : 0) | (missed > 1 ? 1u << MISS2 : 0);
}

unsigned model_access(unsigned thread, uint64_t number, uint64_t at, uint64_t bytes, bool store) {
  unsigned word = thread / 64, events = shaped ? touch(thread, number) : 0;
  uint64_t mine = UINT64_C(1) << thread % 64, touched = parts(at, bytes);
  struct line *l = line_of(number);
  bool have = l->has[word] & mine;
  if ((!have || store) && others_have(l, mine, word)) {
    events |= 1u << (!store ? FETCH : have ? CLAIM : TAKE);
    bool by_another = l->writer != 0 && l->writer != thread + 1;
    if (!have && (!by_another || !(l->stored & touched)))
      events |= 1u << FALSE_SHARED;
    if (store)
      invalidate(l, number, thread);
  }
  l->has[word] |= mine;
  if (store)
    note_store(l, thread, touched);
  return events;
}
