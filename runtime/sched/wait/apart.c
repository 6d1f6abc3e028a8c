/* apart.c - OS threads that share a CPU part when the allowance has grown
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/apart.h"

#include <sched.h>

#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"

/* Who was last on each CPU: id << 32 | the time in units of 2^NOTE_SHIFT ns; 0: nobody. w, r: all,
 * relaxed: a hint. */
static _Atomic(uint64_t) notes[NTH_TENANTS];

enum { NOTE_SHIFT = 16 };

static uint32_t units(uint64_t ns) { return (uint32_t)(ns >> NOTE_SHIFT); }

void nth_apart_pass(uint32_t id, bool movable, uint64_t *moved_at) {
  uint64_t now = nth_clock_ns();
  nth_assert(id != 0 && *moved_at <= now);
  if (!nth_allowed_grew(now))
    return;
  int cpu = sched_getcpu();
  if (cpu < 0)
    return;
  _Atomic(uint64_t) *note = &notes[(uint32_t)cpu % NTH_TENANTS];
  uint64_t last = nth_load_rlx(note);
  nth_store_rlx(note, (uint64_t)id << 32 | units(now));
  uint32_t age = units(now) - (uint32_t)last,
           grown = units(now) - units(nth_load_rlx(&nth_allowed.grew_at));
  if (!movable || last == 0 || last >> 32 == id || age >= grown || age > units(NTH_MOVE_EVERY_NS) ||
      now - *moved_at < NTH_MOVE_EVERY_NS)
    return;
  *moved_at = now;
  nth_os_leave_cpu(cpu);
}
