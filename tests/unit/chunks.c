/* chunks.c - each iteration of a loop is in one chunk, by any schedule and any order of owners
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/struct/chunks.h"

enum { KINDS = NTH_CHUNKS_AFFINITY + 1, TRIPS = 3000, OWNERS = 16 };

static unsigned char count[TRIPS];
static struct nth_chunks *loop;

static struct nth_chunks *make(enum nth_chunks_kind kind, uint64_t trips, uint32_t owners,
                               uint64_t chunk) {
  size_t size = nth_chunks_size(owners);
  struct nth_chunks *c = aligned_alloc(NTH_APART, size);
  unit_check(c);
  memset(c, 0xa5, size);
  c->kind = kind;
  c->trips = trips;
  c->owners = owners;
  c->chunk = chunk;
  c->parts = owners;
  nth_chunks_set(c);
  return c;
}

static void take_all(struct nth_chunks *c, uint32_t owner, uint32_t most) {
  uint64_t begin, end;
  while (most-- > 0 && nth_chunks_take(c, owner, &begin, &end)) {
    unit_check(begin < end && end <= c->trips);
    for (; begin < end; begin++)
      __atomic_fetch_add(&count[begin], 1, __ATOMIC_RELAXED);
  }
}

static void whole(const struct nth_chunks *c) {
  for (uint64_t i = 0; i < TRIPS; i++)
    unit_check(count[i] == (i < c->trips));
  memset(count, 0, sizeof count);
}

/* Owners stop and go on. */
static void one(enum nth_chunks_kind kind, uint64_t trips, uint32_t owners, uint64_t chunk) {
  struct nth_chunks *c = make(kind, trips, owners, chunk);
  for (uint32_t i = 0; i < owners; i++)
    take_all(c, i, i % 3);
  for (uint32_t i = owners; i-- > 0;)
    take_all(c, i, UINT32_MAX);
  whole(c);
  free(c);
}

static void numbered(unsigned number) { take_all(loop, number, UINT32_MAX); }

/* A loop with more iterations than a range counts: chunks get longer. */
static void huge(enum nth_chunks_kind kind) {
  struct nth_chunks *c = make(kind, UINT64_MAX, 3, 1);
  uint64_t begin, end, sum = 0;
  for (int i = 0; i < 100; i++)
    for (uint32_t owner = 0; owner < 3; owner++)
      if (nth_chunks_take(c, owner, &begin, &end)) {
        unit_check(begin < end);
        sum += end - begin;
      }
  unit_check(sum >= 100);
  free(c);
}

int main(void) {
  static const uint64_t chunks[] = {0, 1, 7, 100, UINT64_MAX};
  alarm(UNIT_SECONDS);
  for (int kind = 0; kind < KINDS; kind++) {
    for (uint32_t owners = 1; owners <= OWNERS; owners++)
      for (uint64_t trips = 0; trips <= TRIPS; trips = trips * 3 / 2 + 1)
        for (unsigned i = 0; i < sizeof chunks / sizeof *chunks; i++)
          one((enum nth_chunks_kind)kind, trips, owners, chunks[i]);
    for (int turn = 0; turn < 50; turn++) {
      loop = make((enum nth_chunks_kind)kind, TRIPS, 8, 1);
      unit_threads(8, numbered);
      whole(loop);
      free(loop);
    }
    if (kind != NTH_CHUNKS_BLOCK)
      huge((enum nth_chunks_kind)kind);
  }
  return 0;
}
