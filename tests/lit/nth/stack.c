/* stack.c - the stacks of nano-threads: size, alignment, floating-point control */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread has 200 KB of stack, aligned as the ABI wants it; that the rounding
// mode that it sets is its own across a wait and not the others'.
// RUN: %nth_build %s -o %t -lm && %omp_run %t
#include "check.h"
#include <fenv.h>
#include <nanogomp/nth.h>

static void leaf(void) { CHECK_EQ(fegetround(), FE_TONEAREST); }

static void rounds(long mode) {
  struct nth_desc *self = nth_self();
  _Alignas(64) char big[180 * 1024];
  memset(big, (int)mode, sizeof big);
  CHECK_EQ((uintptr_t)big % 64, 0);
  /* children start with the control of their processor's loop, whatever this one sets */
  CHECK_EQ(nth_depadd(self, 2), 0);
  CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(leaf, 0, self, 0)), 0);
  CHECK_EQ(fesetround((int)mode), 0);
  volatile double third = 1.0, three = 3.0;
  double before = third / three;
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(fegetround(), mode);
  CHECK(third / three == before);
  CHECK_EQ(fesetround(FE_TONEAREST), 0);
  for (unsigned i = 0; i < sizeof big; i++)
    CHECK_EQ(big[i], (char)mode);
}

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  for (int turn = 0; turn < 20; turn++) {
    CHECK_EQ(nth_depadd(me, 41), 0);
    for (int i = 0; i < 40; i++)
      CHECK_EQ(
          nth_to_lrq(i % nth_processors(), nth_create_ls(rounds, 0, me, 1, (long)modes[i % 4])), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(fegetround(), FE_TONEAREST);
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
