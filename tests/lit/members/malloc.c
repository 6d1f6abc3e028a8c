/* malloc.c - memory of members over waits, freed by others too */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that blocks of all sizes keep what a member wrote over waits, and that members may free
// and grow each other's blocks: the allocator's caches are a thread's own.
// RUN: %members_test
#include "members.h"

enum { KEPT = 60, GIVEN = 20 };

struct block {
  unsigned char *bytes;
  size_t size;
};

static struct block given[MEMBERS][GIVEN];

static struct block make(uint64_t *random, int me) {
  struct block b;
  uint32_t draw = check_random(random);
  b.size = 1 + (draw % 50 == 0 ? draw % 200000 : draw % 1500);
  b.bytes = draw % 7 == 0 ? aligned_alloc(64, (b.size + 63) / 64 * 64) : malloc(b.size);
  CHECK(b.bytes);
  memset(b.bytes, me, b.size);
  return b;
}

static void expect(struct block b, int me) {
  for (size_t i = 0; i < b.size; i++)
    CHECK_EQ(b.bytes[i], me);
}

static void member(int me, int passes) {
  struct block kept[KEPT] = {0};
  uint64_t random = (uint64_t)me + 1;
  for (int pass = 0; pass < passes; pass++) {
    for (int k = 0; k < KEPT; k++) {
      int at = (int)(check_random(&random) % KEPT);
      if (kept[at].bytes)
        expect(kept[at], me);
      free(kept[at].bytes);
      kept[at] = make(&random, me);
      if (k % 4 == 0)
        pass_alone(check_random(&random));
    }
    for (int k = 0; k < GIVEN; k++)
      given[me][k] = make(&random, me);
#pragma omp barrier
    int from = (me + 1 + pass % (MEMBERS - 1)) % MEMBERS;
    for (int k = 0; k < GIVEN; k++) {
      struct block b = given[from][k];
      if (k % 3 == 0) {
        b.bytes = realloc(b.bytes, 2 * b.size);
        pass_alone((unsigned)k);
      }
      expect(b, from);
      free(b.bytes);
    }
#pragma omp barrier
  }
  for (int k = 0; k < KEPT; k++)
    free(kept[k].bytes);
}

int main(void) {
  double end = check_seconds() + 1;
  for (int region = 0; region < 10 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    member(omp_get_thread_num(), 4);
  }
  members_end();
  return 0;
}
