/* stack_protector.c - guarded frames, deep, over waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that recursion in which every frame has a guard word and a buffer, with waits on the way
// down and up, by each member alone and by all at once, finds guards and buffers as they were.
// RUN: %omp_build %s -o %t -fstack-protector-all -fno-omit-frame-pointer && %nano %t && %os %t
#include "members.h"

static int descend(int me, int depth, bool together) {
  volatile char buffer[200];
  memset((void *)buffer, me + depth, sizeof buffer);
  if (depth % 16 == 0) {
    if (together)
      pass_together((unsigned)depth / 16);
    else
      pass_alone((unsigned)(me + depth / 16));
  }
  int below = depth ? descend(me, depth - 1, together) : 0;
  if (depth % 24 == 0) {
    if (together)
      pass_together((unsigned)depth / 24);
    else
      pass_alone((unsigned)(me + depth / 24));
  }
  for (unsigned i = 0; i < sizeof buffer; i++)
    CHECK_EQ(buffer[i], (char)(me + depth));
  return below + 1;
}

int main(void) {
  double end = check_seconds() + 1;
  for (int region = 0; region < 20 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      CHECK_EQ(descend(me, 100 + 40 * me, false), 101 + 40 * me);
      CHECK_EQ(descend(me, 96, true), 97);
    }
  }
  members_end();
  return 0;
}
