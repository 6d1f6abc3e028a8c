/* other_clock.c - a sleep for several words ends in time where the program's clock is another one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As under libfaketime: clock_gettime() is the program's, and the kernel knows nothing of it.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"

static long ahead; /* of the kernel's clock, s */

int clock_gettime(clockid_t clock, struct timespec *t) {
  int error = (int)syscall(SYS_clock_gettime, clock, t);
  t->tv_sec += clock == CLOCK_MONOTONIC ? ahead : 0;
  return error;
}

static void sleep_of_5_ms(void) {
  _Atomic(uint32_t) word = 7;
  struct nth_futex_one one = {7, (uintptr_t)&word, NTH_FUTEX_ANY_FLAGS, 0};
  uint64_t begin = nth_clock_ns();
  long result = nth_futex_wait_any(&one, 1, begin + 5000000);
  unit_check(result == -ETIMEDOUT || result == -EINTR);
  unit_check(result == -EINTR || nth_clock_ns() - begin >= 5000000);
}

static void equal(void) { sleep_of_5_ms(); }

static void later(void) {
  ahead = 15L * 24 * 3600;
  sleep_of_5_ms();
}

static void earlier(void) {
  struct timespec t;
  ahead = 0;
  unit_check(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  ahead = -t.tv_sec / 2;
  sleep_of_5_ms();
}

int main(void) {
  unit_begin();
  if (!nth_futex_has_any())
    return 0;
  (void)alarm(20);
  unit_run(equal);
  unit_run(later);
  unit_run(earlier);
  return 0;
}
