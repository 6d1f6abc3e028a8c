/* reduction_task.c - a region is cancelled while members use the copies of a reduction with task
 * modifier */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the memory of the private copies stays theirs as long as a member's task may write to
// it, though other members have left the construct: with an undeferred task, with a deferred one,
// and with a member that comes to the loop when another one is behind it.
// nanogomp-only: libgomp frees the copies when thread 0 leaves the construct.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

enum { BLOCKS = 60, PATTERN = 0x5a };

static _Atomic(int) begun, behind, late;
static long sum;
static unsigned char *block[BLOCKS];

static size_t bytes_of(int b) { return 24 + 16 * (size_t)b; }

/* Each member as it leaves the region, also from the cancelled loop, by a jump. In member 0: what
 * has been given back becomes the program's. */
#define AT_LEAVING(f) __attribute__((cleanup(f), unused)) int leaving = omp_get_thread_num()

static void take_memory(int *member) {
  if (*member != 0)
    return;
  for (int b = 0; b < BLOCKS; b++)
    block[b] = memset(malloc(bytes_of(b)), PATTERN, bytes_of(b));
  behind = 1;
}

static void check_memory(void) {
  for (int b = 0; b < BLOCKS; b++) {
    for (size_t i = 0; block[b] && i < bytes_of(b); i++)
      CHECK_EQ(block[b][i], PATTERN);
    free(block[b]);
    block[b] = NULL;
  }
}

/* Until member 0 is behind the loop; but it may have to wait for us there. */
static void wait_for_0(void) {
  for (int polls = 0; polls < 50 && !behind; polls++)
    check_sleep_ms(1);
}

static void cancel_in_task(bool deferred) {
  begun = behind = 0;
#pragma omp parallel num_threads(3)
  {
    AT_LEAVING(take_memory);
    if (omp_get_thread_num() == 1) {
      CHECK_WAIT_UNTIL(begun);
#pragma omp cancel parallel
    }
#pragma omp for reduction(task, + : sum) schedule(static, 1)
    for (int i = 0; i < 3; i++) {
      if (i == 0)
        CHECK_WAIT_UNTIL(begun);
      if (i == 2) {
#pragma omp task in_reduction(+ : sum) if (deferred)
        {
          begun = 1;
          wait_for_0();
          sum -= 77;
        }
#pragma omp taskwait
      }
    }
  }
  check_memory();
}

/* Member 0 stays until the last one has been in the loop. */
static void take_and_wait(int *member) {
  take_memory(member);
  for (int polls = 0; *member == 0 && polls < 50 && !late; polls++)
    check_sleep_ms(1);
}

static void come_late(void) {
  begun = behind = late = 0;
#pragma omp parallel num_threads(3)
  {
    AT_LEAVING(take_and_wait);
    if (omp_get_thread_num() == 1) {
      CHECK_WAIT_UNTIL(begun);
#pragma omp cancel parallel
    }
    if (omp_get_thread_num() == 2) {
      CHECK_WAIT_UNTIL(begun);
      wait_for_0();
    }
#pragma omp for reduction(task, + : sum) schedule(static, 1)
    for (int i = 0; i < 3; i++) {
      sum -= 77;
      if (i == 0) {
        begun = 1;
        check_sleep_ms(10); /* by then the region is cancelled */
      }
      if (i == 2) {
#pragma omp task in_reduction(+ : sum) if (0)
        sum -= 78;
        late = 1;
      }
    }
  }
  check_memory();
}

/* The next region has all it needs. */
static void intact(void) {
  sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp for reduction(task, + : sum)
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  CHECK_EQ(sum, 4950);
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    cancel_in_task(false);
    intact();
    cancel_in_task(true);
    intact();
    come_late();
    intact();
  }
  return 0;
}
