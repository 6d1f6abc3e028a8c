/* gaps.c - runtime/sched/wait/gaps.h: which gaps are predicted, and what is done in them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/sched/wait/wait.h"

enum { US = 1000, MS = 1000000 };

/* Only their addresses count; the sites of these two differ. */
#define one ((void (*)(void *))(uintptr_t)0x1010)
#define other ((void (*)(void *))(uintptr_t)0x1020)

static void learn(struct nth_gaps *g, void (*after)(void *), uint32_t gap, int times) {
  for (int i = 0; i < times; i++)
    nth_gaps_learn(g, nth_gaps_site(g, after), gap, NTH_GAPS_SLEPT);
}

static enum nth_gaps_answer ask(struct nth_gaps *g, void (*after)(void *), uint32_t *from,
                                uint32_t *until) {
  return nth_gaps_expect(g, nth_gaps_site(g, after), from, until);
}

static enum nth_gaps_answer answer(struct nth_gaps *g, void (*after)(void *)) {
  uint32_t from, until;
  return ask(g, after, &from, &until);
}

/* After LEAST equal gaps it is awake shortly before the next one is over. */
static void equal_gaps_are_predicted(void) {
  static const uint32_t gaps[] = {2 * MS, 5 * MS, 20 * MS, 100 * MS, 200 * MS};
  for (unsigned i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
    struct nth_gaps g = {.master = NTH_GAPS_WORKS};
    uint32_t gap = gaps[i], from, until;
    learn(&g, one, gap, NTH_GAPS_LEAST - 1);
    unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
    learn(&g, one, gap, 1);
    unit_check(ask(&g, one, &from, &until) == NTH_GAPS_NAP);
    unit_check(from < gap - NTH_GAPS_LATE_NS && from > gap - NTH_GAPS_LATE_NS - gap / 50);
    unit_check(until > gap && until < gap + gap / 50);
    unit_check(nth_gaps_woke(nth_gaps_site(&g, one), 60 * US));
    unit_check(ask(&g, one, &from, &until) == NTH_GAPS_NAP && from > gap - 60 * US - gap / 50);
  }
}

/* What is too short or too long for it, or differs too much, is left to others. */
static void others_are_not(void) {
  struct nth_gaps g = {.master = NTH_GAPS_WORKS};
  learn(&g, one, 1 * MS, 7);
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
  learn(&g, one, 300 * MS, 7);
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
  for (uint32_t i = 0; i < 7; i++)
    learn(&g, one, 20 * MS + i * MS, 1);
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
}

/* Two gaps of seven may be disturbed, and each function has gaps of its own. */
static void disturbances_do_not_count(void) {
  struct nth_gaps g = {.master = NTH_GAPS_WORKS};
  uint32_t from, until;
  learn(&g, one, 20 * MS, 3);
  learn(&g, one, 35 * MS, 1);
  learn(&g, one, 20 * MS, 2);
  learn(&g, one, 3 * MS, 1);
  learn(&g, other, 50 * MS, 3);
  unit_check(nth_gaps_site(&g, one) != nth_gaps_site(&g, other));
  unit_check(ask(&g, one, &from, &until) == NTH_GAPS_NAP && until < 21 * MS && from > 19 * MS);
  unit_check(ask(&g, other, &from, &until) == NTH_GAPS_NAP && until < 52 * MS && from > 49 * MS);
}

/* After windows in vain the next 1, 3, 7 gaps are slept through; a region in a window ends that. */
static void vain_windows_cost_less_and_less(void) {
  struct nth_gaps g = {.master = NTH_GAPS_WORKS};
  struct nth_gaps_site *s = nth_gaps_site(&g, one);
  learn(&g, one, 20 * MS, 7);
  for (unsigned vain = 1; vain <= 3; vain++) {
    nth_gaps_learn(&g, s, 20 * MS, NTH_GAPS_VAIN);
    for (unsigned i = 0; i < (1u << vain) - 1; i++)
      unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
    unit_check(answer(&g, one) == NTH_GAPS_NAP);
  }
  nth_gaps_learn(&g, s, 20 * MS, NTH_GAPS_HIT);
  nth_gaps_learn(&g, s, 20 * MS, NTH_GAPS_VAIN);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH && answer(&g, one) == NTH_GAPS_NAP);
  unit_check(!nth_gaps_woke(s, 2 * NTH_GAP_NS)); /* somebody else had the CPU */
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
}

/* Of a short gap and a long one the long one counts, if the master sleeps; later most have to be
 * long. */
static void one_long_gap_suffices(void) {
  struct nth_gaps g = {.master = NTH_GAPS_SLEEPS};
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
  learn(&g, one, 10 * US, 1);
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
  learn(&g, one, 5 * MS, 1);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
  learn(&g, one, 10 * US, 3);
  unit_check(answer(&g, one) == NTH_GAPS_IRREGULAR);
}

static void stamp(struct nth_gaps *g, uint64_t at, uint64_t cpu) {
  struct nth_gaps_stamp s;
  nth_store_rlx(&s.at, at);
  nth_store_rlx(&s.cpu, cpu);
  nth_gaps_look_at_master(g, &s);
}

/* Gaps of a master that sleeps are slept through. Whether it does so is known from two stamps, and
 * asked again after many regions. */
static void sleeping_masters_are_not_spun_for(void) {
  struct nth_gaps g = {0};
  learn(&g, one, 20 * MS, 3);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
  stamp(&g, 1000 * MS, 900 * MS);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH && g.master == NTH_GAPS_UNKNOWN);
  stamp(&g, 1020 * MS, 919 * MS);
  unit_check(answer(&g, one) == NTH_GAPS_NAP);
  stamp(&g, 1040 * MS, 920 * MS);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH && g.master == NTH_GAPS_SLEEPS);
  learn(&g, one, 5 * MS, 3); /* irregular, but it sleeps */
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
  stamp(&g, 1060 * MS, 940 * MS);
  learn(&g, one, 20 * MS, 7);
  for (unsigned i = 0; i < NTH_GAPS_HITS; i++) {
    unit_check(answer(&g, one) == NTH_GAPS_NAP);
    nth_gaps_learn(&g, nth_gaps_site(&g, one), 20 * MS, NTH_GAPS_HIT);
  }
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH);
  stamp(&g, 3000 * (uint64_t)MS, 2800 * (uint64_t)MS);
  unit_check(answer(&g, one) == NTH_GAPS_NAP);
  stamp(&g, 3020 * (uint64_t)MS, 100 * MS); /* another master */
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH && g.master == NTH_GAPS_UNKNOWN);
}

/* Whether a look finds that the master with this thread's number sleeps. */
static bool looks_asleep(struct nth_gaps *g, int thread, uint64_t since, uint64_t now) {
  nth_store_rlx(&g->thread, thread);
  return nth_gaps_look(g, since, now);
}

/* The second look in a gap tells whether the master has had a CPU since the first one. */
static void looks_tell_who_sleeps(void) {
  struct nth_gaps g = {0};
  int me = nth_os_tid();
  unit_check(!looks_asleep(&g, 0, 1 * MS, 2 * MS) && !g.checked);
  unit_check(!looks_asleep(&g, me, 1 * MS, 2 * MS) && g.master == NTH_GAPS_UNKNOWN);
  for (uint64_t had = nth_os_cpu_mine(); nth_os_cpu_mine() < had + MS;) {}
  unit_check(!looks_asleep(&g, me, 1 * MS, 3 * MS) && g.master == NTH_GAPS_UNKNOWN);
  nth_store_rlx(&g.thread, me);
  for (uint64_t had = nth_os_cpu_mine(); nth_os_cpu_mine() < had + 2 * MS;) {}
  unit_check(!looks_asleep(&g, me, 1 * MS, 5 * MS) && g.master == NTH_GAPS_WORKS);
  /* as if so much time had passed */
  unit_check(looks_asleep(&g, me, 1 * MS, 1000 * MS) && g.master == NTH_GAPS_SLEEPS);
  unit_check(!looks_asleep(&g, me, 1001 * MS, 2000 * MS)); /* the first look in its gap */
  learn(&g, one, 5 * MS, 1);
  unit_check(answer(&g, one) == NTH_GAPS_THROUGH); /* one such gap suffices */
  stamp(&g, 2100 * (uint64_t)MS, g.cpu + 90 * (uint64_t)MS);
  unit_check(g.master == NTH_GAPS_WORKS && answer(&g, one) == NTH_GAPS_IRREGULAR);
}

/* A worker whose master sleeps polls no longer in its dock, if all gaps were long. */
static void long_gaps_are_not_polled(void) {
  struct nth_gaps g = {.master = NTH_GAPS_SLEEPS};
  learn(&g, one, 1 * MS, 1);
  for (unsigned i = 0; i < NTH_GAPS_KEPT; i++) {
    unit_check(!nth_gaps_sleep_at_once(&g, one));
    learn(&g, one, 5 * MS, 1);
  }
  unit_check(nth_gaps_sleep_at_once(&g, one) && !nth_gaps_sleep_at_once(&g, other));
  g.master = NTH_GAPS_WORKS;
  unit_check(!nth_gaps_sleep_at_once(&g, one));
}

/* Irregular gaps are spun through for as long as the longest one, unless most are too long for any
 * spin. Too few say nothing. */
static void irregular_gaps_are_spun_through(void) {
  struct nth_gaps g = {.master = NTH_GAPS_WORKS};
  const struct nth_gaps_site *s = nth_gaps_site(&g, one);
  learn(&g, one, 2 * MS, NTH_GAPS_SPUN - 1);
  unit_check(nth_gaps_spin(s, 1) == 1);
  learn(&g, one, 100 * US, 1);
  unit_check(nth_gaps_spin(s, 1) == 2500 * US);
  learn(&g, one, 20 * MS, 3);
  unit_check(nth_gaps_spin(s, 1) == 25 * MS); /* half of them */
  learn(&g, one, 20 * MS, 1);
  unit_check(nth_gaps_spin(s, 1) == 0);
}

/* While it is known that the master sleeps most stamps are without its CPU time. */
static void most_stamps_are_cheap(void) {
  struct nth_gaps g = {0};
  struct nth_gaps_stamp s = {0};
  struct nth_waiter master = {0};
  unsigned read = 0;
  for (unsigned i = 0; i < 2 * (NTH_GAPS_SPARE + 1) + 2; i++) {
    bool sleeps = nth_gaps_stamp(&s, &master);
    unit_check(sleeps == (nth_load_rlx(&s.cpu) == 0));
    unit_check(nth_load_rlx(&s.at) != 0);
    read += nth_load_rlx(&s.cpu) != 0;
    if (nth_load_rlx(&s.cpu) != 0) /* as if so much time had passed without CPU time */
      g.at -= 100 * MS;
    nth_gaps_look_at_master(&g, &s);
    master.stamped_at = 0;
  }
  unit_check(g.master == NTH_GAPS_SLEEPS && read == 4);
}

int main(void) {
  unit_begin();
  unit_run(equal_gaps_are_predicted);
  unit_run(others_are_not);
  unit_run(disturbances_do_not_count);
  unit_run(vain_windows_cost_less_and_less);
  unit_run(one_long_gap_suffices);
  unit_run(sleeping_masters_are_not_spun_for);
  unit_run(looks_tell_who_sleeps);
  unit_run(long_gaps_are_not_polled);
  unit_run(irregular_gaps_are_spun_through);
  unit_run(most_stamps_are_cheap);
  return 0;
}
