/* profile_line.c - a member's time line: what it did in each of at most PROF_BINS parts of the run
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * When the run is longer than the bins, each two of them become one.
 */
#include <string.h>

#include "tools/ompt/profile.h"

static void fold(struct prof_row *row) {
  for (int i = 0; i < PROF_BINS / 2; i++) {
    struct prof_bin *to = &row->bins[i], *a = &row->bins[2 * i], *b = a + 1, sum = *a;
    for (int s = 0; s < PROF_STATES; s++)
      sum.ticks[s] += b->ticks[s];
    if (b->node)
      sum.node = b->node;
    *to = sum;
  }
  memset(&row->bins[PROF_BINS / 2], 0, sizeof row->bins / 2);
  row->bin_ticks *= 2;
}

void prof_line_slow(struct prof_me *m, uint64_t from, uint64_t to) {
  struct prof_row *row = m->row;
  uint64_t begin = prof.head->ticks_begin;
  from = from < begin ? begin : from;
  do {
    uint64_t i;
    while ((i = (from - begin) / row->bin_ticks) >= PROF_BINS)
      fold(row);
    struct prof_bin *bin = &row->bins[i];
    uint64_t end = begin + (i + 1) * row->bin_ticks, until = to < end ? to : end;
    bin->ticks[m->state] += until - from;
    uint32_t node = m->cell->at->region->id;
    if (node)
      bin->node = node;
    m->bin = bin;
    m->bin_end = end;
    from = until;
  } while (from < to);
}
