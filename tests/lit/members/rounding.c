/* rounding.c - each member's floating-point control over waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the rounding mode set by a member holds over every wait, for double and for long
// double (two control words on x86), is no other member's, and that a raised exception mask stays,
// too.
// UNSUPPORTED: emulated
// RUN: %omp_build %s -o %t -frounding-math -lm && %nano %t && %os %t
#include "members.h"
#include <fenv.h>

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

struct quotients {
  double d;
  long double ld;
};

__attribute__((noinline)) static struct quotients divide(volatile double a, volatile double b) {
  volatile long double la = a, lb = b;
  struct quotients q = {a / b, la / lb};
  return q;
}

static bool same(struct quotients a, struct quotients b) { return a.d == b.d && a.ld == b.ld; }

static void still(int mode, const struct quotients *want) {
  CHECK_EQ(fegetround(), modes[mode]);
  CHECK(same(divide(1, 3), want[0]));
  CHECK(same(divide(-2, 3), want[1]));
}

int main(void) {
  struct quotients want[4][2];
  for (int mode = 0; mode < 4; mode++) {
    CHECK_EQ(fesetround(modes[mode]), 0);
    want[mode][0] = divide(1, 3);
    want[mode][1] = divide(-2, 3);
  }
  CHECK_EQ(fesetround(FE_TONEAREST), 0);
  CHECK(!same(want[1][0], want[2][0]) && !same(want[1][1], want[2][1]));
  double end = check_seconds() + 1;
  for (int region = 0; region < 20 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      for (unsigned pass = 0; pass < 12; pass++) {
        int mode = (me + (int)pass) % 4;
        CHECK_EQ(fesetround(modes[mode]), 0);
        if (me % 2)
          feenableexcept(FE_INVALID);
        pass_alone(pass);
        still(mode, want[mode]);
        pass_together(pass);
        still(mode, want[mode]);
        CHECK_EQ(fegetexcept(), me % 2 ? FE_INVALID : 0);
      }
      fedisableexcept(FE_ALL_EXCEPT);
      fesetround(FE_TONEAREST);
    }
    CHECK_EQ(fegetround(), FE_TONEAREST);
  }
  members_end();
  return 0;
}
