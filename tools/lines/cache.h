/* cache.h - two levels of a processor's cache: which lines it still has
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The fork/join paper's figure 3 has primary and secondary misses beside the stores
 *             that claim a shared line.
 * Model       Each level has sets of `ways` lines, of which the least recently used one leaves. The
 *             second level has all lines of the first one: a line that leaves it leaves both
 * Use         cache_shape() from a text such as 32k:8,1m:16; then for each access of a processor
 *             cache_touch(), and cache_drop() when another one takes the line away
 */
#ifndef NTH_LINES_CACHE_H
#define NTH_LINES_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LEVELS = 2, CACHE_WAYS_MOST = 64 };

struct cache_level {
  uint64_t sets; /* a power of two */
  uint32_t ways;
};
struct cache_shape {
  struct cache_level level[CACHE_LEVELS];
};

struct cache {
  uint64_t *line[CACHE_LEVELS]; /* [sets * ways]: number + 1, the newest of a set first; 0: none */
};

/* False: the text is no shape of two levels for lines of line_bytes. */
bool cache_read_shape(struct cache_shape *s, const char *text, uint64_t line_bytes);

/* An access: puts the line in front. Returns how many levels missed it. *left: the line that had to
 * leave the cache, + 1; 0: none. */
int cache_touch(const struct cache_shape *s, struct cache *c, uint64_t number, uint64_t *left);

/* The line is no longer there. */
void cache_drop(const struct cache_shape *s, struct cache *c, uint64_t number);

#endif
