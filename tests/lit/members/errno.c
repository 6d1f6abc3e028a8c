/* errno.c - errno over waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the error of a system call is still in errno after every kind of wait, though other
// members have had other errors meanwhile, and that errno stays where it was.
// RUN: %members_test
#include "members.h"
#include <fcntl.h>

static int (*const volatile failing_open)(const char *, int, ...) = open;

static int fail(int me) {
  switch (me % 3) {
  case 0: CHECK_EQ(close(-1), -1); return EBADF;
  case 1: CHECK_EQ(failing_open("/no/such/file", O_RDONLY), -1); return ENOENT;
  default: errno = 2000 + me; return 2000 + me;
  }
}

/* In one function, so that the compiler may keep errno's address. */
static void member(int me, unsigned passes) {
  int *before = &errno;
  for (unsigned pass = 0; pass < passes; pass++) {
    int want = fail(me + (int)pass);
#pragma omp taskyield
    CHECK_EQ(errno, want);
#pragma omp barrier
    CHECK_EQ(*before, want);
#pragma omp critical
    CHECK_EQ(errno, want);
#pragma omp task
    check_busy(10);
#pragma omp taskwait
    CHECK_EQ(errno, want);
    pass_together(pass);
    CHECK_EQ(*before, want);
    pass_alone(pass);
    CHECK_EQ(errno, want);
    CHECK(before == &errno);
  }
}

int main(void) {
  double end = check_seconds() + 1;
  for (int region = 0; region < 30 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    member(omp_get_thread_num(), 10);
  }
  members_end();
  return 0;
}
