/* brief.c - omp/queue/brief.h: what makes a function's tasks brief, and what ends that
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/brief_fn.h"
#include "tests/unit/unit.h"

#include "runtime/base/clock.h"

static void first(void *data) { (void)data; }
static void second(void *data) { (void)(data ? 0 : data); }

/* So many tasks of `ns` each, until the function is brief; at most `most`. */
static uint32_t until_brief(void (*fn)(void *), uint64_t ns, uint32_t most) {
  uint32_t n = 0;
  for (; n < most && !nth_is_brief(fn); n++)
    nth_brief_judge(fn, 1, ns);
  return n;
}

static void needs_many(void) {
  uint32_t n = until_brief(first, NTH_BRIEF_NS - 1, 1000000);
  unit_check(nth_is_brief(first) && n >= 100);
  make_brief(first, false);
  unit_check(until_brief(first, NTH_BRIEF_NS / 2, 1000000) > n); /* it is time that counts */
}

static void a_long_one_now_and_then(void) {
  make_brief(first, false);
  nth_brief_judge(first, 1 << 20, (uint64_t)NTH_BRIEF_NS << 19);
  for (int i = 0; i < 20; i++) {
    unit_check(nth_is_brief(first));
    nth_brief_judge(first, 1, 10 * NTH_BRIEF_NS); /* as when the kernel interrupts it */
    unit_check(nth_is_brief(first));
    nth_brief_judge(first, 1 << 12, (uint64_t)NTH_BRIEF_NS << 11);
  }
  for (int i = 0; i < 3; i++)
    nth_brief_judge(first, 1, 10 * NTH_BRIEF_NS);
  unit_check(!nth_is_brief(first));
}

/* Of several tasks at once the mean counts. */
static void means(void) {
  make_brief(first, false);
  nth_brief_judge(first, 1 << 20, (uint64_t)NTH_BRIEF_NS << 20);
  unit_check(!nth_is_brief(first));
  nth_brief_judge(first, 1 << 20, ((uint64_t)NTH_BRIEF_NS << 20) - 1);
  unit_check(nth_is_brief(first));
}

static void others(void) {
  nth_brief_judge(first, 1 << 20, (uint64_t)NTH_BRIEF_NS << 19);
  unit_check(nth_is_brief(first) && !nth_is_brief(second));
  void (*same)(void *) = (void (*)(void *))((uintptr_t)first + ((uintptr_t)1 << 40));
  unit_check(!nth_is_brief(same)); /* in the same place of the table, or not */
}

static void paces(void) {
  struct nth_pace p = {0};
  make_brief(second, false);
  nth_pace_one(&p);
  unit_check(!nth_is_brief(second));
  for (uint32_t n = 0; n < 100000000 && !nth_is_brief(second); n++) {
    nth_pace_begin(&p, second, 3);
    for (uint32_t i = 0; i < n % 5; i++) /* at times not to the end, at times others, too */
      nth_pace_one(&p);
  }
  unit_check(nth_is_brief(second));
  for (int i = 0; i < 3; i++) {
    nth_pace_begin(&p, second, 1);
    usleep(NTH_BRIEF_NS / 1000 + 1);
    nth_pace_one(&p);
  }
  unit_check(!nth_is_brief(second));
}

int main(void) {
  unit_begin();
  unit_run(needs_many);
  unit_run(a_long_one_now_and_then);
  unit_run(means);
  unit_run(others);
  unit_run(paces);
  return 0;
}
