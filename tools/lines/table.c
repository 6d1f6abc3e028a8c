/* table.c - a table of entries that begin with their key, which grows
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 1024 };

/* The key's entry, or the empty one that is to have it. */
static void *find(const struct table *t, uint64_t stored) {
  size_t at = (size_t)(stored * UINT64_C(0x9e3779b97f4a7c15) >> 20);
  for (;; at++) {
    char *entry = t->entry + (at & (t->room - 1)) * t->entry_bytes;
    uint64_t key;
    memcpy(&key, entry, sizeof key);
    if (key == stored || key == 0)
      return entry;
  }
}

static void grow(struct table *t) {
  struct table larger = {t->entry_bytes, t->used, t->room ? 2 * t->room : LEAST_ROOM, 0};
  larger.entry = calloc(larger.room, larger.entry_bytes);
  if (!larger.entry) {
    fputs("nanogomp-lines: no memory\n", stderr);
    exit(1);
  }
  for (size_t i = 0; i < t->room; i++) {
    uint64_t key;
    memcpy(&key, t->entry + i * t->entry_bytes, sizeof key);
    if (key != 0)
      memcpy(find(&larger, key), t->entry + i * t->entry_bytes, t->entry_bytes);
  }
  free(t->entry);
  *t = larger;
}

void *table_get(struct table *t, uint64_t key, bool *is_new) {
  uint64_t stored = key + 1, there;
  if (4 * t->used >= 3 * t->room)
    grow(t);
  void *entry = find(t, stored);
  memcpy(&there, entry, sizeof there);
  *is_new = there == 0;
  if (*is_new) {
    memcpy(entry, &stored, sizeof stored);
    t->used++;
  }
  return entry;
}

void table_each(const struct table *t, void (*call)(void *entry)) {
  for (size_t i = 0; i < t->room; i++) {
    uint64_t key;
    memcpy(&key, t->entry + i * t->entry_bytes, sizeof key);
    if (key != 0)
      call(t->entry + i * t->entry_bytes);
  }
}
