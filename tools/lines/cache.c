/* cache.c - two levels of a processor's cache
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "maps.h"

/* BYTES[k|m]:WAYS. Returns where the text goes on; NULL: it is none. */
static const char *read_level(struct cache_level *l, const char *text, uint64_t line_bytes) {
  char *end;
  uint64_t bytes = strtoull(text, &end, 10);
  int shift = *end == 'k' ? 10 : *end == 'm' ? 20 : 0;
  if (shift > 0)
    end++;
  if (end == text || *end != ':' || bytes > UINT64_C(1) << 32 >> shift)
    return 0;
  bytes <<= shift;
  text = end + 1;
  unsigned long ways = strtoul(text, &end, 10);
  if (end == text || ways < 1 || ways > CACHE_WAYS_MOST || bytes % (line_bytes * ways) != 0)
    return 0;
  l->ways = (uint32_t)ways;
  l->sets = bytes / (line_bytes * l->ways);
  return l->sets != 0 && (l->sets & (l->sets - 1)) == 0 ? end : 0;
}

bool cache_read_shape(struct cache_shape *s, const char *text, uint64_t line_bytes) {
  text = read_level(&s->level[0], text, line_bytes);
  if (!text || *text != ',')
    return false;
  text = read_level(&s->level[1], text + 1, line_bytes);
  return text && *text == 0;
}

static uint64_t *set_of(const struct cache_level *l, uint64_t *line, uint64_t number) {
  return line + (number & (l->sets - 1)) * l->ways;
}

/* Takes the line out of its set. False: it was not there. */
static bool take(const struct cache_level *l, uint64_t *line, uint64_t number) {
  uint64_t *set = set_of(l, line, number);
  for (uint32_t i = 0; i < l->ways; i++)
    if (set[i] == number + 1) {
      memmove(set + i, set + i + 1, (l->ways - i - 1) * sizeof *set);
      set[l->ways - 1] = 0;
      return true;
    }
  return false;
}

/* Puts the line, which is not there, in front of its set. Returns what leaves, + 1. */
static uint64_t put(const struct cache_level *l, uint64_t *line, uint64_t number) {
  uint64_t *set = set_of(l, line, number), last = set[l->ways - 1];
  memmove(set + 1, set, (l->ways - 1) * sizeof *set);
  set[0] = number + 1;
  return last;
}

static void make(const struct cache_shape *s, struct cache *c) {
  for (int i = 0; i < CACHE_LEVELS; i++) {
    uint64_t bytes = s->level[i].sets * s->level[i].ways * sizeof *c->line[i];
    c->line[i] = memset(maps_grown(0, bytes), 0, bytes);
  }
}

int cache_touch(const struct cache_shape *s, struct cache *c, uint64_t number, uint64_t *left) {
  const struct cache_level *first = &s->level[0], *second = &s->level[1];
  int missed = 0;
  *left = 0;
  if (!c->line[0])
    make(s, c);
  missed += !take(first, c->line[0], number);
  (void)put(first, c->line[0], number); /* what leaves it stays in the second level */
  if (missed == 0 && set_of(second, c->line[1], number)[0] == number + 1)
    return 0;
  missed += !take(second, c->line[1], number);
  *left = put(second, c->line[1], number);
  if (*left)
    (void)take(first, c->line[0], *left - 1);
  return missed;
}

void cache_drop(const struct cache_shape *s, struct cache *c, uint64_t number) {
  for (int i = 0; c->line[0] && i < CACHE_LEVELS; i++)
    (void)take(&s->level[i], c->line[i], number);
}
