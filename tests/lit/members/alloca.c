/* alloca.c - memory on a member's stack over waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that alloca, arrays of variable length and arrays that grow from frame to frame hold their
// values over waits, and that other members may read and write them meanwhile.
// RUN: %members_test
#include "members.h"
#include <alloca.h>

static int *shown[MEMBERS];

static void grow(int me, int size) {
  int array[size], *more = alloca((size_t)size * sizeof *more);
  for (int i = 0; i < size; i++) {
    array[i] = me * 10000 + i;
    more[i] = -array[i];
  }
  pass_alone((unsigned)(me + size));
  if (size < 2000)
    grow(me, 2 * size);
  char *last = alloca(64 + (size_t)me * 16);
  memset(last, me, 64 + (size_t)me * 16);
  pass_alone((unsigned)size);
  for (int i = 0; i < size; i++) {
    CHECK_EQ(array[i], me * 10000 + i);
    CHECK_EQ(more[i], -array[i]);
  }
  for (int i = 0; i < 64 + me * 16; i++)
    CHECK_EQ(last[i], me);
}

static void show(int me, int size) {
  int array[size];
  for (int i = 0; i < size; i++)
    array[i] = me + i;
  shown[me] = array;
#pragma omp barrier
  int from = (me + 5) % MEMBERS;
  for (int i = 0; i < size; i++)
    CHECK_EQ(shown[from][i], from + i);
#pragma omp barrier
  for (int i = 0; i < size; i++)
    shown[from][i] = 1000 * from;
#pragma omp barrier
  for (int i = 0; i < size; i++)
    CHECK_EQ(array[i], 1000 * me);
}

int main(void) {
  double end = check_seconds() + 0.7;
  for (int region = 0; region < 20 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      for (int size = 3; size < 40; size += 12)
        grow(me, size + me);
      show(me, 100 + 13 * region);
    }
  }
  members_end();
  return 0;
}
