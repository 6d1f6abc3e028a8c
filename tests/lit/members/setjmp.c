/* setjmp.c - setjmp and longjmp in a member, around waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a jump buffer filled before a wait leads back after it, out of frames that have
// waited, several times, with the member's variables, and with a signal mask by sigsetjmp.
// RUN: %members_test
#include "members.h"
#include <setjmp.h>

/* Not known to the compiler as one that never returns. */
static void (*const volatile jump)(struct __jmp_buf_tag *, int) = longjmp;

static void deep(jmp_buf back, int depth, int value) {
  volatile char frame[100];
  memset((void *)frame, depth, sizeof frame);
  pass_alone((unsigned)depth);
  if (depth == 0)
    jump(back, value);
  else
    deep(back, depth - 1, value);
  CHECK(frame[5] == 100); /* never comes here */
}

__attribute__((noinline)) static void jump_often(int me) {
  jmp_buf back;
  volatile int turns = 0;
  int got = setjmp(back);
  CHECK_EQ(got, turns ? 10 * me + turns : 0);
  pass_together((unsigned)turns);
  turns++;
  if (turns <= 6)
    deep(back, 5 + me, 10 * me + turns);
}

__attribute__((noinline)) static void jump_with_mask(int me) {
  sigjmp_buf back;
  volatile bool again = false;
  int got = sigsetjmp(back, 1);
  CHECK_EQ(got, again ? me + 1 : 0);
  pass_together(0);
  if (!again) {
    again = true;
    pass_together(1);
    siglongjmp(back, me + 1);
  }
}

int main(void) {
  double end = check_seconds() + 0.7;
  for (int region = 0; region < 20 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      struct identity who;
      int me = omp_get_thread_num();
      identity_take(&who, me);
      jump_often(me);
      identity_check(&who);
      jump_with_mask(me);
      identity_check(&who);
    }
  }
  members_end();
  return 0;
}
