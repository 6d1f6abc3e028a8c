/* stack_deep.c - waits near the end of a member's stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members may recurse until little of their stack is left (by pthread_getattr_np), wait
// there, alone and together, and find all frames as they were; with two sizes of stacks.
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_STACKSIZE=256K %nano %t
// RUN: env OMP_STACKSIZE=1M %nano %t
// RUN: env OMP_STACKSIZE=256K %os %t
#include "members.h"

enum { LEFT = 48 << 10, FRAME = 1000, MOST = 4 << 20 };

/* The lowest address to go to. */
static uintptr_t lowest(void) {
  pthread_attr_t attributes;
  void *stack;
  size_t size, guard;
  char here;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  CHECK_EQ(pthread_attr_getstack(&attributes, &stack, &size), 0);
  CHECK_EQ(pthread_attr_getguardsize(&attributes, &guard), 0);
  pthread_attr_destroy(&attributes);
  uintptr_t low = (uintptr_t)stack + guard + LEFT, now = (uintptr_t)&here;
  CHECK(now > low);
  return now - low > MOST ? now - MOST : low; /* the initial thread's is large */
}

static long descend(uintptr_t low, int me, int depth) {
  volatile char frame[FRAME];
  memset((void *)frame, me * 16 + depth % 16, sizeof frame);
  long below = 0;
  if ((uintptr_t)frame > low + 2 * FRAME)
    below = descend(low, me, depth + 1);
  else
    for (unsigned way = 0; way < 12; way++) {
      pass_together(way);
      pass_alone(way);
    }
  if (depth % 100 == 0)
    pass_alone((unsigned)depth / 100);
  for (int i = 0; i < FRAME; i++)
    CHECK_EQ(frame[i], (char)(me * 16 + depth % 16));
  return below + 1;
}

int main(void) {
  double end = check_seconds() + 1;
  for (int region = 0; region < 5 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      long frames = descend(lowest(), omp_get_thread_num(), 0);
      CHECK(frames > (256 - 150) * 1024 / (FRAME + 200));
    }
  }
  members_end();
  return 0;
}
