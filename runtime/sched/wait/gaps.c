/* gaps.c - predicts when the next region comes, for a docked worker
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/gaps.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/os.h"
#include "runtime/sched/wait/wait.h"

static uint32_t position(void (*after)(void *)) {
  uintptr_t bits = (uintptr_t)after;
  return (uint32_t)((bits >> 4 ^ bits >> 9) % NTH_GAPS_SITES);
}

struct nth_gaps_site *nth_gaps_site(struct nth_gaps *g, void (*after)(void *)) {
  struct nth_gaps_site *s = &g->site[position(after)];
  if (s->after != after) {
    memset(s, 0, sizeof *s);
    s->after = after;
  }
  return s;
}

/* Copies n values in ascending order. */
static void sort(uint32_t *to, const uint32_t *from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = i;
    for (; j > 0 && to[j - 1] > from[i]; j--)
      to[j] = to[j - 1];
    to[j] = from[i];
  }
}

/* How many of the known gaps make them regular: up to four all, or all but one; of 7 all but 2. */
static uint32_t most_of(uint32_t known) { return known - (known - 1) / 3; }

/* The shortest and the longest one of the regular gaps; false: there are none. They are the most
 * of them that lie closest together. */
static bool is_regular(const struct nth_gaps_site *s, uint32_t *shortest, uint32_t *longest) {
  uint32_t sorted[NTH_GAPS_KEPT], n = s->known;
  nth_assert(n <= NTH_GAPS_KEPT);
  if (n < NTH_GAPS_LEAST)
    return false;
  sort(sorted, s->gap, n);
  uint32_t most = most_of(n), best = 0, i;
  for (i = 1; i + most <= n; i++)
    if (sorted[i + most - 1] - sorted[i] < sorted[best + most - 1] - sorted[best])
      best = i;
  *shortest = sorted[best];
  *longest = sorted[best + most - 1];
  return *longest - *shortest <= *shortest / NTH_GAPS_SPREAD;
}

/* By how much the site's next timer may be late: as the latest one of the last ones. */
static uint32_t lateness(const struct nth_gaps_site *s) {
  uint32_t late = s->late_known ? 0 : NTH_GAPS_LATE_NS;
  for (uint32_t i = 0; i < s->late_known; i++)
    late = s->late[i] > late ? s->late[i] : late;
  return late;
}

/* How many of the known gaps would be worth a nap. */
static uint32_t long_ones(const struct nth_gaps_site *s) {
  uint32_t longer = 0;
  for (uint32_t i = 0; i < s->known; i++)
    longer += s->gap[i] >= NTH_DOCK_NAP_FROM_NS;
  return longer;
}

/* Whether half of the known gaps or more are long. Two regions that follow each other directly make
 * the first gap of many programs a short one. */
static bool is_long(const struct nth_gaps_site *s) {
  return s->known > 0 && 2 * long_ones(s) >= s->known;
}

bool nth_gaps_are_short(const struct nth_gaps_site *s) {
  return s->known == NTH_GAPS_KEPT && long_ones(s) == 0;
}

bool nth_gaps_are_long(const struct nth_gaps *g, void (*after)(void *)) {
  const struct nth_gaps_site *s = &g->site[position(after)];
  return s->after == after && s->known == NTH_GAPS_KEPT && long_ones(s) == NTH_GAPS_KEPT;
}

uint64_t nth_gaps_spin(const struct nth_gaps_site *s, uint64_t otherwise) {
  uint32_t longest = 0, beyond = 0;
  if (s->known < NTH_GAPS_SPUN)
    return otherwise;
  for (uint32_t i = 0; i < s->known; i++) {
    longest = s->gap[i] > longest ? s->gap[i] : longest;
    beyond += s->gap[i] > NTH_DOCK_CAP_NS;
  }
  return 2 * beyond > s->known ? 0 : (uint64_t)longest + longest / 4;
}

enum nth_gaps_answer nth_gaps_expect(const struct nth_gaps *g, struct nth_gaps_site *s,
                                     uint32_t *from, uint32_t *until) {
  uint32_t shortest, longest;
  if (g->master == NTH_GAPS_SLEEPS && is_long(s))
    return NTH_GAPS_THROUGH;
  if (!is_regular(s, &shortest, &longest) || shortest < NTH_DOCK_NAP_FROM_NS ||
      longest > NTH_GAPS_MOST_NS)
    return NTH_GAPS_IRREGULAR;
  if (g->master != NTH_GAPS_WORKS)
    return NTH_GAPS_THROUGH;
  if (s->skip > 0) {
    s->skip--;
    return NTH_GAPS_THROUGH;
  }
  uint32_t margin = shortest / NTH_GAPS_MARGIN, early = lateness(s) + margin;
  *from = shortest > early ? shortest - early : 0;
  *until = longest + (longest - shortest) + margin;
  return *from > 0 ? NTH_GAPS_NAP : NTH_GAPS_IRREGULAR;
}

static void in_vain(struct nth_gaps_site *s) {
  s->vain = (uint8_t)(s->vain < NTH_GAPS_VAIN_MOST ? s->vain + 1 : s->vain);
  s->skip = (uint8_t)((1u << s->vain) - 1);
}

bool nth_gaps_woke(struct nth_gaps_site *s, uint64_t late) {
  nth_assert(s->late_next < NTH_GAPS_LATE && s->late_known <= NTH_GAPS_LATE);
  if (late > NTH_GAP_NS) {
    in_vain(s);
    return false;
  }
  s->late[s->late_next] = (uint32_t)late;
  s->late_next = (uint8_t)((s->late_next + 1u) % NTH_GAPS_LATE);
  s->late_known = (uint8_t)(s->late_known < NTH_GAPS_LATE ? s->late_known + 1 : s->late_known);
  return true;
}

void nth_gaps_learn(struct nth_gaps *g, struct nth_gaps_site *s, uint64_t gap,
                    enum nth_gaps_end end) {
  nth_assert(s->next < NTH_GAPS_KEPT && s->known <= NTH_GAPS_KEPT);
  s->gap[s->next] = gap < UINT32_MAX ? (uint32_t)gap : UINT32_MAX;
  s->next = (uint8_t)((s->next + 1u) % NTH_GAPS_KEPT);
  s->known = (uint8_t)(s->known < NTH_GAPS_KEPT ? s->known + 1 : s->known);
  if (end == NTH_GAPS_VAIN) {
    in_vain(s);
  } else if (end == NTH_GAPS_HIT) {
    s->vain = 0;
    if (++g->hits % NTH_GAPS_HITS == 0)
      g->master = NTH_GAPS_UNKNOWN;
  }
}

void nth_gaps_look_at_master(struct nth_gaps *g, struct nth_gaps_stamp *stamp) {
  uint64_t at = nth_load_rlx(&stamp->at), cpu = nth_load_rlx(&stamp->cpu);
  if (cpu == 0 || (g->checked && at <= g->at))
    return; /* not read; it was woken for something else */
  uint64_t wall = at - g->at, had = cpu - g->cpu;
  bool slept = g->master == NTH_GAPS_SLEEPS;
  bool fits = cpu >= g->cpu && had <= wall + NTH_GAP_NS;
  if (g->checked && !fits)
    g->master = NTH_GAPS_UNKNOWN; /* another master, perhaps */
  else if (g->checked && wall > NTH_DOCK_NAP_FROM_NS)
    g->master = had >= wall / 2 ? NTH_GAPS_WORKS : NTH_GAPS_SLEEPS;
  g->at = at;
  g->cpu = cpu;
  g->checked = true;
  if (slept && g->master == NTH_GAPS_SLEEPS)
    nth_store_rlx(&stamp->spare, NTH_GAPS_SPARE);
}

bool nth_gaps_look(struct nth_gaps *g, uint64_t since, uint64_t now) {
  nth_assert(now > since);
  int thread = nth_load_rlx(&g->thread);
  if (thread == 0)
    return false;
  uint64_t cpu = nth_os_cpu_of(thread), had = cpu - g->cpu, wall = now - g->at;
  bool known = g->checked && g->at > since && cpu >= g->cpu;
  bool sleeps = known && had < wall / NTH_GAPS_WORK_PART;
  g->at = now;
  g->cpu = cpu;
  g->checked = true;
  if (sleeps)
    g->master = NTH_GAPS_SLEEPS;
  else if (known && wall > NTH_GAPS_WORKS_NS && had >= wall / 2)
    g->master = NTH_GAPS_WORKS;
  return sleeps;
}

bool nth_gaps_stamp(struct nth_gaps_stamp *stamp, struct nth_waiter *master) {
  uint64_t now = nth_clock_ns(), cpu = 0;
  uint32_t spare = nth_load_rlx(&stamp->spare);
  if (spare > 0) {
    nth_store_rlx(&stamp->spare, spare - 1);
  } else {
    if (now - master->stamped_at > NTH_GAPS_STAMP_NS) {
      master->stamped_at = now;
      master->stamped_cpu = nth_os_cpu_mine();
    }
    cpu = master->stamped_cpu;
  }
  nth_store_rlx(&stamp->cpu, cpu);
  nth_store_rlx(&stamp->at, now);
  return spare > 0;
}
