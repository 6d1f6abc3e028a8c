/* copyprivate.c - single copyprivate in a function, while another member cancels the region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member whose wait for the values ends because the region is cancelled gets no
// address of an earlier construct's, whose memory is the stack of whoever ran its block: it runs
// the block itself. With the compiler's code, and with GOMP_single_copy_start and _end called
// directly. nanogomp-only: libgomp waits in there for the member that has left.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);

enum { WORDS = 500, MEMBERS = 4 };

static _Atomic(int) entered, cancelling, blocks;

/* The first one in the block stays there until the region is cancelled. */
static void inside(bool stay) {
  if (blocks++ == 0 && stay) {
    CHECK_WAIT_UNTIL(cancelling);
    check_sleep_ms(15);
  }
}

static __attribute__((noinline)) void compiled(int value, bool stay) {
  int words[WORDS] = {0};
#pragma omp single copyprivate(words)
  {
    inside(stay);
    for (int i = 0; i < WORDS; i++)
      words[i] = value;
  }
  for (int i = 0; i < WORDS; i++)
    CHECK_EQ(words[i], value);
}

static __attribute__((noinline)) void direct(int value, bool stay) {
  int mine = value, *theirs = GOMP_single_copy_start();
  if (!theirs) {
    inside(stay);
    GOMP_single_copy_end(&mine);
  } else {
    CHECK(!stay);
    CHECK_EQ(*theirs, value);
  }
#pragma omp barrier
}

/* Other values where the earlier construct's were. */
static __attribute__((noinline)) void overwrite(void) {
  unsigned char frame[8192], *bytes = frame;
  CHECK_OPAQUE(bytes);
  memset(bytes, 0xa5, sizeof frame);
  CHECK_OPAQUE(bytes);
}

static void region(void (*construct)(int, bool), int earlier) {
  entered = cancelling = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    for (int i = 0; i < earlier; i++)
      construct(40 + i, false);
    overwrite();
#pragma omp masked
    blocks = 0;
#pragma omp barrier
    if (omp_get_thread_num() == MEMBERS - 1) {
      CHECK_WAIT_UNTIL(entered == MEMBERS - 1 && blocks > 0);
      check_sleep_ms(15); /* by then the others wait for the values */
      cancelling = 1;
#pragma omp cancel parallel
    }
    entered++;
    construct(50, true);
  }
  CHECK_EQ(blocks, MEMBERS - 1);
}

static void intact(void) {
#pragma omp parallel num_threads(MEMBERS)
  for (int i = 0; i < 5; i++) {
    compiled(i, false);
    direct(i, false);
  }
}

int main(void) {
  for (int earlier = 0; earlier < 3; earlier++) {
    region(compiled, earlier);
    intact();
    region(direct, earlier);
    intact();
  }
  return 0;
}
