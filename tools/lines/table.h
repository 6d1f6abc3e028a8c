/* table.h - a table of entries that begin with their key, which grows
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         table_get() finds the entry of a key, or makes a zeroed one; it stays in its place
 *             until the next one is made. table_each() calls a function with each entry
 * Cost        one line in most cases: open addressing, at most three quarters full
 */
#ifndef NTH_LINES_TABLE_H
#define NTH_LINES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
  size_t entry_bytes; /* an entry's first 8 bytes are its key + 1; 0: empty */
  size_t used, room;  /* room: 0 or a power of two */
  char *entry;
};

void *table_get(struct table *t, uint64_t key, bool *is_new);
void table_each(const struct table *t, void (*call)(void *entry));

#endif
