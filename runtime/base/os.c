/* os.c - memory and CPUs from the C library
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/os.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/base/config.h"
#include "runtime/base/msg.h"

void *nth_os_alloc(size_t size) {
  void *p = 0;
  if (size > (size_t)-1 - NTH_APART || posix_memalign(&p, NTH_APART, size) != 0)
    return 0;
  memset(p, 0, size);
  return p;
}

void *nth_os_need(size_t size) {
  void *p = nth_os_alloc(size);
  if (p)
    return p;
  nth_msg("out of memory (%zu bytes wanted); waiting for some", size);
  while (!(p = nth_os_alloc(size)))
    nanosleep(&(struct timespec){0, 10000000}, 0);
  return p;
}

void nth_os_leave_cpu(int cpu) {
  cpu_set_t all, others;
  if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getcpu() != cpu ||
      sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  others = all;
  CPU_CLR((unsigned)cpu, &others);
  if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
    sched_setaffinity(0, sizeof all, &all);
}
