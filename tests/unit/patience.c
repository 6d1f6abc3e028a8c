/* patience.c - runtime/nth/patience.h: how long a processor looks at what is its own
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/nth/patience.h"

enum { TURN = 9 };

/* Each theft halves it, down to none; then thefts change nothing. */
static void thefts_halve_it(void) {
  struct nth_patience p = {0};
  uint32_t polls = NTH_PATIENT_POLLS;
  for (uint32_t turn = 100; turn > 50; turn--) {
    unit_check(nth_patience_polls(&p) == polls);
    nth_patience_stole(&p, turn);
    polls /= 2;
  }
  unit_check(nth_patience_polls(&p) == 0);
}

static struct nth_patience tired(void) {
  struct nth_patience p = {0};
  nth_patience_stole(&p, TURN + 1);
  nth_patience_stole(&p, TURN);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS / 4);
  return p;
}

/* It has stolen, run that one, and finds that another processor has resumed its own. */
static void it_was_too_hasty(void) {
  struct nth_patience p = tired();
  nth_patience_resumes(&p, TURN - 1, true);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS);
  for (int i = 0; i < 40; i++) /* from none, too */
    nth_patience_stole(&p, TURN);
  unit_check(nth_patience_polls(&p) == 0);
  nth_patience_resumes(&p, TURN - 1, true);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS);
}

/* It resumed that one itself, or ran others since, or has not stolen since its turn began. */
static void it_was_not(void) {
  struct nth_patience p = tired();
  nth_patience_resumes(&p, TURN - 1, false);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS / 4);
  for (uint32_t turn = 1; turn < 3 * TURN; turn++)
    if (turn != TURN - 1)
      nth_patience_resumes(&p, turn, true);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS / 4);
  nth_patience_forgets(&p);
  for (uint32_t turn = 1; turn < 3 * TURN; turn++)
    nth_patience_resumes(&p, turn, true);
  unit_check(nth_patience_polls(&p) == NTH_PATIENT_POLLS / 4);
}

int main(void) {
  unit_begin();
  unit_run(thefts_halve_it);
  unit_run(it_was_too_hasty);
  unit_run(it_was_not);
  return 0;
}
