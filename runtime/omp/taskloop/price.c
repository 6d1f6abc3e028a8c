/* price.c - what an iteration of a taskloop costs, construct by construct
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/price.h"

#include <stdbool.h>

#include "runtime/arch/section.h"
#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

/* w, r: makers of taskloops, all fields. The times are by the clock, picoseconds for an iteration,
 * 0: not known. */
struct nth_price {
  _Atomic(uintptr_t) construct;
  _Atomic(uint64_t) alone, shared; /* as one task; as several */
  _Atomic(uint64_t) tried_at;      /* when the form that is not used was tried last, ns */
};
static _Alignas(NTH_APART) struct nth_price prices[NTH_PRICE_ROWS] NTH_SPARSE;

/* Of so many iterations, ps; UINT64_MAX: more than fits. */
static uint64_t of(uint64_t iterations, uint64_t ps) {
  uint64_t product;
  return __builtin_mul_overflow(iterations, ps, &product) ? UINT64_MAX : product;
}

/* Whether a short loop runs as one task: this form is faster, or its turn to be tried. */
static bool goes_alone(struct nth_price *p, uint64_t alone, uint64_t shared, uint64_t now) {
  bool best = alone != 0 && alone <= shared;
  if (alone != 0 && now - nth_load_rlx(&p->tried_at) < NTH_PRICE_AGAIN_NS)
    return best;
  nth_store_rlx(&p->tried_at, now);
  return !best;
}

uint64_t nth_price_parts(void (*fn)(void *), uint64_t iterations, uint32_t members, uint64_t now) {
  struct nth_price *p = &prices[nth_price_row((uintptr_t)fn)];
  nth_assert(iterations > 0 && members > 0);
  bool known = nth_load_rlx(&p->construct) == (uintptr_t)fn;
  uint64_t shared = known ? of(iterations, nth_load_rlx(&p->shared)) : 0, parts = members;
  if (shared != 0) {
    uint64_t alone = of(iterations, nth_load_rlx(&p->alone));
    uint64_t least = alone != 0 && alone < shared ? alone : shared;
    if (least < 1000 * NTH_PRICE_SHORT_NS && goes_alone(p, alone, shared, now))
      return 1;
    uint64_t most = (uint64_t)members * NTH_PRICE_PARTS, work = of(members, shared);
    parts = work / (1000 * NTH_PRICE_PART_NS);
    parts = parts > most ? most : parts > members ? parts : members;
  }
  return parts < iterations ? parts : iterations;
}

void nth_price_learn(void (*fn)(void *), uint64_t iterations, uint64_t parts, uint64_t ns) {
  struct nth_price *p = &prices[nth_price_row((uintptr_t)fn)];
  nth_assert(iterations > 0 && parts > 0 && parts <= iterations);
  ns = ns < NTH_PRICE_MOST_NS ? ns : NTH_PRICE_MOST_NS;
  uint64_t ps = 1000 * ns / iterations;
  ps = ps > 0 ? ps : 1;
  if (nth_load_rlx(&p->construct) != (uintptr_t)fn) {
    nth_store_rlx(&p->alone, 0);
    nth_store_rlx(&p->shared, 0);
    nth_store_rlx(&p->construct, (uintptr_t)fn);
  }
  _Atomic(uint64_t) *word = parts == 1 ? &p->alone : &p->shared;
  uint64_t before = nth_load_rlx(word), now = before ? (before + ps) / 2 : ps;
  if ((now > before ? now - before : before - now) > before / 8)
    nth_store_rlx(word, now);
}
