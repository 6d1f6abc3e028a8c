/* loop_sizes.c - chunks that differ in size: trapezoid.h, the parts of range.h, guided and gss
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/omp/worksharing/loop.h"
#include "runtime/struct/cut.h"
#include "runtime/struct/range.h"
#include "runtime/struct/trapezoid.h"

static uint64_t state = 88172645463325252u;

static uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* --- trapezoid --- */

/* The chunks are the whole loop, in order. They never grow but by rounding, and keep to the last
 * size. */
static void trapezoid_one(uint64_t trips, uint32_t members, uint64_t last) {
  struct nth_trapezoid t;
  nth_trapezoid_set(&t, trips, members, last);
  uint64_t first = trips / (2 * (uint64_t)members), least = last < trips ? last : trips, at = 0;
  uint64_t before = first > least ? first : least;
  unit_check(t.chunks <= 4 * members + 1 || members > NTH_TRAPEZOID_MEMBERS);
  unit_check((trips == 0) == (t.chunks == 0));
  for (uint64_t i = 0; i < t.chunks; i++) {
    uint64_t begin = nth_trapezoid_start(&t, i);
    uint64_t end = i + 1 == t.chunks ? trips : nth_trapezoid_start(&t, i + 1);
    unit_check(begin == at && begin < end && end <= trips);
    uint64_t size = end - begin;
    bool is_last = i + 1 == t.chunks;
    unit_check(is_last || size >= least);
    unit_check(is_last || i > 0 || members > NTH_TRAPEZOID_MEMBERS || size == before);
    unit_check(is_last || i == 0 || size <= before + 1); /* rounding */
    before = size;
    at = end;
  }
  unit_check(at == trips);
}

static void trapezoid(void) {
  static const uint64_t lasts[] = {1, 2, 7, 64, 1000, INT32_MAX, UINT64_MAX / 2, UINT64_MAX};
  static const uint64_t longs[] = {
      UINT32_MAX,     (uint64_t)UINT32_MAX + 1, INT64_MAX, (uint64_t)INT64_MAX + 1,
      UINT64_MAX - 9, UINT64_MAX - 1,           UINT64_MAX};
  for (uint32_t members = 2; members <= 64; members++)
    for (unsigned c = 0; c < sizeof lasts / sizeof *lasts; c++) {
      for (uint64_t trips = 0; trips < 300; trips++)
        trapezoid_one(trips, members, lasts[c]);
      for (unsigned k = 0; k < sizeof longs / sizeof *longs; k++)
        trapezoid_one(longs[k], members, lasts[c]);
      for (int k = 0; k < 50; k++)
        trapezoid_one(any() >> (any() % 64), members, lasts[c]);
    }
  static const uint32_t teams[] = {255, 4096, 16383, 16384, 16385, 1048576};
  for (unsigned n = 0; n < sizeof teams / sizeof *teams; n++)
    for (int k = 0; k < 30; k++)
      trapezoid_one(k < 7 ? longs[k] : any() >> (any() % 60), teams[n], 1 + any() % 3);
}

/* The sizes of a loop of 1000 iterations and 4 members go linearly from 125 to 1. */
static void trapezoid_shape(void) {
  struct nth_trapezoid t;
  nth_trapezoid_set(&t, 1000, 4, 1);
  unit_check(t.chunks == 15 && nth_trapezoid_start(&t, 1) == 125);
  uint64_t middle = nth_trapezoid_start(&t, 8) - nth_trapezoid_start(&t, 7);
  unit_check(middle >= 66 && middle <= 68); /* 1000 / 15 */
  unit_check(1000 - nth_trapezoid_start(&t, 14) < 18);
  nth_trapezoid_set(&t, 1000, 4, 125); /* first and last size are equal */
  unit_check(t.chunks == 8 && nth_trapezoid_start(&t, 7) == 875);
}

/* --- parts of a range --- */

/* Members take 1 / parts of their own range and steal 1 / members of any other one, in any order:
 * each unit once. */
static void range_parts(uint32_t members, uint32_t units, uint32_t parts) {
  static struct nth_range range[64];
  static unsigned char done[4096];
  unit_check(members <= 64 && units <= sizeof done);
  for (uint32_t i = 0; i < units; i++)
    done[i] = 0;
  for (uint32_t i = 0; i < members; i++) {
    uint64_t from, to;
    nth_cut_block(units, i, members, &from, &to);
    nth_range_set(&range[i], (uint32_t)from, (uint32_t)to);
  }
  for (uint32_t left = units; left > 0;) {
    struct nth_range *r = &range[any() % members];
    uint32_t next = 0, end = 0, had = nth_range_left(r), k = any() & 1 ? members : parts;
    bool mine = k == parts;
    bool got =
        mine ? nth_range_take_part(r, k, &next, &end) : nth_range_steal_part(r, k, &next, &end);
    unit_check(got == (had > 0));
    if (!got)
      continue;
    unit_check(end - next == (had - 1) / k + 1 && nth_range_left(r) == had - (end - next));
    for (uint32_t u = next; u < end; u++)
      unit_check(done[u]++ == 0);
    left -= end - next;
  }
}

static void range(void) {
  for (uint32_t members = 1; members <= 64; members++)
    for (int k = 0; k < 20; k++)
      range_parts(members, (uint32_t)(any() % 4096), 1 + (uint32_t)(any() % 70));
  static struct nth_range r;
  uint32_t next, end;
  nth_range_set(&r, 0, NTH_RANGE_MAX); /* the largest range */
  unit_check(nth_range_steal_part(&r, 2, &next, &end) && end == NTH_RANGE_MAX);
  unit_check(nth_range_take_part(&r, NTH_RANGE_MAX, &next, &end) && next == 0 && end == 1);
  unit_check(nth_range_take_part(&r, 1, &next, &end) && !nth_range_left(&r));
}

/* --- guided and gss --- */

static void guided(void) {
  for (uint32_t n = 1; n <= 64; n++) {
    unit_check(nth_cut_guided(6400, nth_cut_parts(true, n), 1) == (6400 + n - 1) / n);
    unit_check(nth_cut_guided(6400, nth_cut_parts(false, n), 1) == (6400 + 2 * n - 1) / (2 * n));
  }
  unit_check(nth_cut_guided(UINT64_MAX, 1, 1) == UINT64_MAX);
  unit_check(nth_cut_guided(100, 50, 30) == 30 && nth_cut_guided(20, 50, 30) == 20);
}

int main(void) {
  trapezoid();
  trapezoid_shape();
  range();
  guided();
  return 0;
}
