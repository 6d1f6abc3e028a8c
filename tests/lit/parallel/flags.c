/* flags.c - members that wait for one another without the runtime's help */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks progress in teams larger than the machine when members spin on plain flags set by others,
// block in read() on pipes that others write, or wait on pthread conditions: no runtime call there.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>
#include <sched.h>

enum { MEMBERS = 12 };

int main(void) {
  static int flag[MEMBERS + 1];
  int pipes[MEMBERS][2];
  static pthread_barrier_t barrier;
  for (int m = 0; m < MEMBERS; m++)
    CHECK_EQ(pipe(pipes[m]), 0);
  pthread_barrier_init(&barrier, NULL, MEMBERS);
  for (int round = 1; round <= 3; round++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      CHECK_EQ(omp_get_num_threads(), MEMBERS);
      /* The last member begins: each spins until its follower has set the flag. */
      if (me + 1 < MEMBERS)
        while (__atomic_load_n(&flag[me + 1], __ATOMIC_ACQUIRE) != round)
          ;
      __atomic_store_n(&flag[me], round, __ATOMIC_RELEASE);
      /* A ring of pipes, begun by member 0. */
      char token = 'a';
      if (me == 0)
        CHECK_EQ(write(pipes[1][1], &token, 1), 1);
      CHECK_EQ(read(pipes[me][0], &token, 1), 1);
      CHECK_EQ(token, me == 0 ? 'a' + MEMBERS - 1 : 'a' + me - 1);
      token = (char)('a' + me);
      if (me != 0)
        CHECK_EQ(write(pipes[(me + 1) % MEMBERS][1], &token, 1), 1);
      pthread_barrier_wait(&barrier);
    }
  }
  return 0;
}
