/* apart.c - OS threads that share a CPU though the program has another one part
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/adapt/apart.h"

#include "runtime/arch/section.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/count.h"
#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"

/* Who passed a safe point last on each CPU: id << 32 | the time in units(); 0:
 * nobody; w, r: all. */
static _Atomic(uint64_t) notes[NTH_TENANTS] NTH_SPARSE;

static uint32_t units(uint64_t ns) { return (uint32_t)(ns >> NTH_APART_SHIFT); }

/* Moves away from that CPU, if the last move was long enough ago. */
static bool move(uint32_t *moved_at, int cpu, uint64_t now, uint64_t every) {
  if (units(now) - *moved_at < units(every))
    return false;
  *moved_at = units(now);
  nth_os_leave_cpu(cpu);
  return true;
}

enum nth_apart_found nth_apart_tick(struct nth_apart *a, uint32_t me, int *was, bool newborn,
                                    uint64_t now) {
  nth_assert(me != 0);
  int cpu = nth_os_on_cpu();
  if (cpu < 0)
    return NTH_APART_ALONE;
  _Atomic(uint32_t) *tenant = nth_count_tenant((uint32_t)cpu);
  uint32_t other = nth_load_rlx(tenant);
  if (other == me)
    return NTH_APART_ALONE;
  nth_store_rlx(tenant, me);
  bool again = *was == cpu || (newborn && other != 0);
  *was = cpu;
  if (again && a->movable && move(&a->moved_at, cpu, now, NTH_MOVE_EVERY_NS))
    return NTH_APART_MOVED;
  return other != 0 ? NTH_APART_SHARES : NTH_APART_ALONE;
}

void nth_apart_kept(struct nth_apart *a) { a->lost = a->lost > 0 ? a->lost - 1 : 0; }

void nth_apart_lost(struct nth_apart *a, uint64_t now) {
  nth_assert(a->lost <= NTH_HOLD_SHARED);
  a->lost += 2;
  if (a->lost < NTH_HOLD_SHARED)
    return;
  a->lost = NTH_HOLD_SHARED;
  if (a->movable && move(&a->moved_at, nth_os_on_cpu(), now, NTH_HOLD_MOVE_NS))
    a->lost = 0;
}

void nth_apart_pass(uint32_t me, bool movable, uint32_t *moved_at) {
  nth_assert(me != 0);
  uint64_t now = nth_clock_ns();
  if (!nth_allowed_grew(now))
    return;
  int cpu = nth_os_on_cpu();
  if (cpu < 0)
    return;
  _Atomic(uint64_t) *note = &notes[(uint32_t)cpu % NTH_TENANTS];
  uint64_t last = nth_load_rlx(note);
  nth_store_rlx(note, (uint64_t)me << 32 | units(now));
  uint32_t age = units(now) - (uint32_t)last,
           grown = units(now) - units(nth_load_rlx(&nth_allowed.grew_at));
  bool shared = last != 0 && last >> 32 != me && age < grown && age <= units(NTH_MOVE_EVERY_NS);
  if (shared && movable)
    (void)move(moved_at, cpu, now, NTH_MOVE_EVERY_NS);
}
