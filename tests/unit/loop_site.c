/* loop_site.c - when a member trusts that the loops of a place are short
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/arch/insn.h"
#include "runtime/struct/loop_site.h"

enum { MEMBERS = 2, COUNT = 32 };

static struct nth_loop_sites all;

static struct nth_loop_site *at(uintptr_t from) { return nth_loop_site_find(&all, from); }

/* A loop whose chunks take so much; returns whether it was a sample. */
static bool loop(struct nth_loop_site *s, uint64_t chunk) {
  bool samples = nth_loop_site_samples(s);
  if (samples)
    nth_loop_site_note(s, 3 * chunk, 3, COUNT, MEMBERS);
  unit_check(nth_loop_site_valid(s));
  return samples;
}

static bool is_short(const struct nth_loop_site *s) {
  return nth_loop_site_is_short(s, COUNT, MEMBERS);
}

/* Trust comes after so many short samples in a row, one a loop; then samples become rare. */
static void trusts(void) {
  struct nth_loop_site *s = at(0x1000);
  for (uint32_t i = 0; i < NTH_LOOP_SHORT_TRUST; i++) {
    unit_check(!is_short(s));
    unit_check(loop(s, 20));
  }
  unit_check(is_short(s));
  for (uint32_t i = 1; i <= 5 * NTH_LOOP_SHORT_LOOKS; i++)
    unit_check(loop(s, 20) == (i % NTH_LOOP_SHORT_LOOKS == 1) && is_short(s));
}

/* It holds for loops whose share is short, however many chunks they have. */
static void counts(void) {
  struct nth_loop_site *s = at(0x1000);
  uint64_t limit = (uint64_t)NTH_LOOP_SHORT_US * nth_cycles_per_us() * MEMBERS;
  unit_check(is_short(s) && s->chunk >= 20);
  unit_check(nth_loop_site_is_short(s, limit / s->chunk, MEMBERS));
  unit_check(!nth_loop_site_is_short(s, limit / s->chunk + 1, MEMBERS));
  unit_check(!nth_loop_site_is_short(s, UINT64_MAX, MEMBERS));
}

/* A long sample ends the trust, and the next one comes later each time, up to a bound. */
static void gives_up(void) {
  struct nth_loop_site *s = at(0x1000);
  uint32_t loops = 0, before = 0;
  for (int i = 0; i < 12; i++) {
    for (loops = 1; !loop(s, UINT64_C(1) << (20 + i)); loops++) {}
    unit_check(!is_short(s) && loops <= NTH_LOOP_SHORT_CALM_MOST);
    unit_check(i < 2 || loops == NTH_LOOP_SHORT_CALM_MOST || loops > before);
    before = loops;
  }
  unit_check(before == NTH_LOOP_SHORT_CALM_MOST);
}

/* A place that was often long is trusted again, some time after that. */
static void forgives(void) {
  struct nth_loop_site *s = at(0x1000);
  for (uint32_t i = 0; i < NTH_LOOP_SHORT_CALM_MOST + NTH_LOOP_SHORT_TRUST; i++)
    (void)loop(s, 20);
  unit_check(s->calm == NTH_LOOP_SHORT_CALM_MOST && s->trust == NTH_LOOP_SHORT_TRUST);
  for (int i = 0; i < 1000; i++)
    (void)loop(s, 20);
  unit_check(is_short(s));
}

/* Places that share a row forget each other; others do not. */
static void shares_rows(void) {
  struct nth_loop_site *s = at(0x1000), *other = at(0x1004);
  unit_check(s != other && is_short(at(0x1000)));
  for (uintptr_t from = 0x1004;; from += 4) {
    struct nth_loop_site *t = at(from);
    unit_check(t->from == from && t->trust == 0);
    if (t == s)
      break;
  }
  unit_check(!is_short(at(0x1000)));
}

int main(void) {
  unit_begin();
  if (nth_cycles_per_us() == 0)
    return 0; /* no counter of time: no loop is short */
  unit_run(trusts);
  unit_run(counts);
  unit_run(gives_up);
  unit_run(forgives);
  unit_run(shares_rows);
  return 0;
}
