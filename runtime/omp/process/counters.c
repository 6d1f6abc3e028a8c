/* counters.c - what the library has done so far, in numbers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/process/counters.h"

#include "runtime/arch/section.h"
#include "runtime/base/count.h"
#include "runtime/base/msg.h"
#include "runtime/base/text.h"
#include "runtime/omp/team/team.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/sched/threads/holder.h"

enum { NAME_WIDTH = 16, VALUE_WIDTH = 14, TEXT_BYTES = 4096 };

const struct nth_counter_name nth_counter_names[NTH_COUNTERS] = {
#define X(name, what) {#name, what, NTH_COUNTER_##name == NTH_COUNTER_longest},
    NTH_COUNTERS_LIST(X)
#undef X
};

/* What the parent of the fork had counted where no number begins again; w: the child's handler,
 * while it has one thread. */
static struct nth_counts inherited;

/* Without what is inherited. A sum that is made while threads work may be off by what they do. */
static uint64_t since_fork(int i, uint64_t value) {
  return value > inherited.value[i] ? value - inherited.value[i] : 0;
}

static void read_all(struct nth_counts *now) {
  uint32_t held, made;
  uint64_t *v = now->value;
  nth_holder_count(&held, &made);
  v[NTH_COUNTER_threads] = made;
  for (const struct nth_team *t = nth_team_known(); t; t = t->known) {
    v[NTH_COUNTER_regions] += (nth_load_rlx(&t->regions) + 1) / 2;
    v[NTH_COUNTER_regions_one] += nth_load_rlx(&t->counts.ones);
    v[NTH_COUNTER_regions_nested] += nth_load_rlx(&t->counts.nested);
    v[NTH_COUNTER_regions_gwd] += nth_load_rlx(&t->counts.gwd);
    v[NTH_COUNTER_regions_led] += nth_load_rlx(&t->counts.led);
    v[NTH_COUNTER_tasks] += nth_load_rlx(&t->counts.tasks); /* a batch counts as one in there */
  }
  v[NTH_COUNTER_switches] = nth_watch_switches();
}

static void read_slow_events(struct nth_counts *now) {
  static const struct {
    int counter;
    enum nth_count count;
  } from[] = {
      {NTH_COUNTER_regions_changed, NTH_COUNT_CHANGES},
      {NTH_COUNTER_batches, NTH_COUNT_BATCHES},
      {NTH_COUNTER_batched, NTH_COUNT_BATCHED},
      {NTH_COUNTER_steals, NTH_COUNT_STEALS},
      {NTH_COUNTER_stolen, NTH_COUNT_STOLEN},
      {NTH_COUNTER_forced, NTH_COUNT_FORCED},
      {NTH_COUNTER_offers, NTH_COUNT_OFFERS},
      {NTH_COUNTER_offered, NTH_COUNT_OFFERED},
      {NTH_COUNTER_longest, NTH_COUNT_LONGEST},
      {NTH_COUNTER_sleeps, NTH_COUNT_SLEEPS},
      {NTH_COUNTER_wakes, NTH_COUNT_WAKES},
      {NTH_COUNTER_yields, NTH_COUNT_YIELDS},
      {NTH_COUNTER_foreseen, NTH_COUNT_FORESEEN},
      {NTH_COUNTER_taken, NTH_COUNT_TAKEN},
      {NTH_COUNTER_watch_looks, NTH_COUNT_LOOKS},
      {NTH_COUNTER_watch_acts, NTH_COUNT_ACTS},
      {NTH_COUNTER_regions_fewer, NTH_COUNT_FEWER},
      {NTH_COUNTER_taskloops_alone, NTH_COUNT_ALONE},
  };
  static_assert(sizeof from / sizeof *from == NTH_COUNT_KINDS, "each is a counter");
  for (uint32_t i = 0; i < NTH_COUNT_KINDS; i++)
    now->value[from[i].counter] = nth_count_read(from[i].count);
}

void nth_counters_read(struct nth_counts *now) {
  uint64_t *v = now->value;
  *now = (struct nth_counts){0};
  read_all(now);
  for (int i = 0; i < NTH_COUNTERS; i++)
    v[i] = since_fork(i, v[i]);
  read_slow_events(now);
  if (v[NTH_COUNTER_tasks] >= v[NTH_COUNTER_batches])
    v[NTH_COUNTER_tasks] += v[NTH_COUNTER_batched] - v[NTH_COUNTER_batches];
}

NTH_IN_CHILD void nth_counters_forked(void) {
  inherited = (struct nth_counts){0};
  if (nth_team_known())
    read_all(&inherited);
  nth_count_forked();
}

static void tell_one(struct nth_text *t, int i, uint64_t value) {
  enum { WIDTH = NAME_WIDTH + VALUE_WIDTH };
  char digits[24];
  struct nth_text number = {digits, sizeof digits, 0};
  const struct nth_counter_name *n = &nth_counter_names[i];
  nth_text_unsigned(&number, value);
  (void)nth_text_end(&number);
  nth_text_add(t, "nanogomp:   ");
  nth_text_add(t, n->name);
  size_t used = strlen(n->name) + number.length;
  nth_text_repeat(t, ' ', used < WIDTH ? WIDTH - used : 1);
  nth_text_add(t, digits);
  nth_text_add(t, "  ");
  nth_text_add(t, n->what);
  nth_text_add(t, "\n");
}

void nth_counters_tell(void) {
  char text[TEXT_BYTES];
  struct nth_text t = {text, sizeof text, 0};
  struct nth_counts now;
  nth_counters_read(&now);
  nth_text_add(&t, "nanogomp: what the library did (what is missing is 0):\n");
  for (int i = 0; i < NTH_COUNTERS; i++) {
    if (now.value[i] != 0)
      tell_one(&t, i, now.value[i]);
    if (i == NTH_COUNTER_longest && now.value[NTH_COUNTER_offers] != 0) {
      nth_text_add(&t, "nanogomp:   mean queue: ");
      nth_text_unsigned(&t, now.value[NTH_COUNTER_offered] / now.value[NTH_COUNTER_offers]);
      nth_text_add(&t, " when offered\n");
    }
  }
  (void)nth_text_end(&t);
  nth_msg_raw(text);
}
