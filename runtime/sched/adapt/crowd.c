/* crowd.c - how many threads of the process may run: more than the CPUs, or none but the library's
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/adapt/crowd.h"

#include <errno.h>
#include <unistd.h>

#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"

struct nth_crowd nth_crowd;

bool nth_crowded(void) {
  return nth_load_rlx(&nth_crowd.roots) > 1 && nth_load_rlx(&nth_crowd.active) > nth_allowed_soon();
}

static void *serve(void *run) {
  nth_assert(run && nth_load_rlx(&nth_crowd.servers) > 0);
  ((void (*)(void))(uintptr_t)run)();
  nth_sub_rlx(&nth_crowd.servers, 1);
  return 0;
}

int nth_crowd_server(void (*run)(void)) {
  nth_add_rlx(&nth_crowd.servers, 1);
  int error = nth_os_thread(serve, (void *)(uintptr_t)run);
  if (error)
    nth_sub_rlx(&nth_crowd.servers, 1);
  return error;
}

/* Whether the first thread of the process has ended before others. Then it has no memory any
 * longer, and so no program. Takes no descriptor. */
static bool main_has_ended(void) {
  char one;
  int saved = errno;
  bool ended = readlink("/proc/self/exe", &one, 1) < 0 && errno == ENOENT;
  errno = saved;
  return ended;
}

bool nth_crowd_is_left(uint32_t others) {
  if (!main_has_ended())
    return false;
  uint32_t tasks = nth_os_tasks(); /* main's is one of them */
  return tasks > 0 && tasks <= 1 + nth_load_rlx(&nth_crowd.servers) + others;
}

bool nth_crowd_is_gone(void) {
  nth_assert(nth_load_rlx(&nth_crowd.servers) > 0);
  return nth_crowd_may_go() && nth_crowd_is_left(0);
}
