/* told_lock.c - locks, critical, atomic and ordered regions, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A lock that is set here has the word TOLD, or AWAITED when somebody waits for it: so the plain
 * unset, which is quick for TAKEN only, comes back here.
 */
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/team_type.h"

/* What a thread waits for is named by the lock's address. */
static inline ompt_wait_id_t id_of(const void *l) { return (ompt_wait_id_t)(uintptr_t)l; }

static uint32_t state_of(ompt_mutex_t kind) {
  switch (kind) {
  case ompt_mutex_critical: return ompt_state_wait_critical;
  case ompt_mutex_atomic: return ompt_state_wait_atomic;
  case ompt_mutex_ordered: return ompt_state_wait_ordered;
  default: return ompt_state_wait_lock;
  }
}

/* The caller has the lock: from now on its word says that the tool hears when it is left. */
static void mark(struct nth_mutex *l) {
  uint32_t taken = NTH_MUTEX_TAKEN;
  (void)nth_cas_rlx(&l->word, &taken, NTH_MUTEX_TOLD);
}

/* Around a wait, in which tasks that are suspended may go on. The frame is the caller's, which
 * stays meanwhile. */
#define WITHIN static inline __attribute__((always_inline))
WITHIN struct nth_told_state wait_begin(struct nth_member *m, uint32_t state, ompt_wait_id_t id,
                                        const void *ra) {
  nth_told_enter(m->tool->task, __builtin_frame_address(0));
  return nth_told_state(m, state, id, ra);
}

static void wait_end(struct nth_member *m, struct nth_told_state state) {
  nth_told_leave(m->tool->task);
  nth_told_state_back(m, state);
}

void nth_told_lock_set(struct nth_mutex *l, ompt_mutex_t kind, const void *ra) {
  struct nth_member *m = nth_member_get();
  struct nth_tool_member *tm = nth_told_caller(m);
  NTH_TELL(mutex_acquire, kind, 0, NTH_TOLD_MUTEX, id_of(l), ra);
  if (!nth_mutex_try(l)) {
    struct nth_told_state state = wait_begin(m, state_of(kind), id_of(l), ra);
    nth_lock_wait(l);
    wait_end(m, state);
  }
  mark(l);
  nth_stall_took(tm, id_of(l), ra);
  NTH_TELL(mutex_acquired, kind, id_of(l), ra);
}

void nth_told_lock_left(struct nth_mutex *l, ompt_mutex_t kind, const void *ra) {
  nth_stall_left(nth_told_caller(nth_member_get()), id_of(l));
  NTH_TELL(mutex_released, kind, id_of(l), ra);
}

/* Before a test, which may let tasks that are suspended go on. */
WITHIN void test_begin(struct nth_member *m) {
  nth_told_enter(m->tool->task, __builtin_frame_address(0));
}

/* What the test has said. */
static int test_end(struct nth_member *m, int has) {
  nth_told_leave(m->tool->task);
  return has;
}

int nth_told_lock_test(struct nth_mutex *l, const void *ra) {
  struct nth_member *m = nth_member_get();
  struct nth_tool_member *tm = nth_told_caller(m);
  NTH_TELL(mutex_acquire, ompt_mutex_test_lock, 0, NTH_TOLD_MUTEX, id_of(l), ra);
  test_begin(m);
  if (!test_end(m, nth_lock_test(l)))
    return 0;
  mark(l);
  nth_stall_took(tm, id_of(l), ra);
  NTH_TELL(mutex_acquired, ompt_mutex_test_lock, id_of(l), ra);
  return 1;
}

void nth_told_lock_init(const void *l, ompt_mutex_t kind, unsigned hint, const void *ra) {
  nth_told_caller(nth_member_get());
  NTH_TELL(lock_init, kind, hint, NTH_TOLD_MUTEX, id_of(l), ra);
}

void nth_told_lock_destroy(const void *l, ompt_mutex_t kind, const void *ra) {
  nth_told_caller(nth_member_get());
  NTH_TELL(lock_destroy, kind, id_of(l), ra);
}

/* --- nestable locks --- */

static bool is_mine(const struct nth_nest_lock *l, struct nth_member *m) {
  return nth_load_rlx(&l->owner) == nth_task_identity(m->now.task);
}

WITHIN struct nth_told_state nest_begin(struct nth_member *m, const void *l, const void *ra) {
  nth_told_caller(m);
  NTH_TELL(mutex_acquire, ompt_mutex_nest_lock, 0, NTH_TOLD_MUTEX, id_of(l), ra);
  return wait_begin(m, ompt_state_wait_lock, id_of(l), ra);
}

/* The caller has it; again: it had it before. */
static void nest_has(struct nth_member *m, const void *l, ompt_mutex_t kind, bool again,
                     const void *ra) {
  if (again) {
    NTH_TELL(nest_lock, ompt_scope_begin, id_of(l), ra);
  } else {
    nth_stall_took(m->tool, id_of(l), ra);
    NTH_TELL(mutex_acquired, kind, id_of(l), ra);
  }
}

static void nest_left(const void *l, bool last, const void *ra) {
  if (last) {
    nth_stall_left(nth_told_caller(nth_member_get()), id_of(l));
    NTH_TELL(mutex_released, ompt_mutex_nest_lock, id_of(l), ra);
  } else {
    NTH_TELL(nest_lock, ompt_scope_end, id_of(l), ra);
  }
}

/* count: what the test said. */
static int nest_tested(struct nth_member *m, const void *l, int count, const void *ra) {
  if (count > 0)
    nest_has(m, l, ompt_mutex_test_nest_lock, count > 1, ra);
  return count;
}

void nth_told_nest_lock_set(struct nth_nest_lock *l, const void *ra) {
  struct nth_member *m = nth_member_get();
  bool again = is_mine(l, m);
  struct nth_told_state state = nest_begin(m, l, ra);
  nth_nest_lock_set(l);
  wait_end(m, state);
  nest_has(m, l, ompt_mutex_nest_lock, again, ra);
}

void nth_told_nest_lock_unset(struct nth_nest_lock *l, const void *ra) {
  bool last = l->count <= 1;
  nth_nest_lock_unset(l);
  nest_left(l, last, ra);
}

int nth_told_nest_lock_test(struct nth_nest_lock *l, const void *ra) {
  struct nth_member *m = nth_member_get();
  nth_told_caller(m);
  NTH_TELL(mutex_acquire, ompt_mutex_test_nest_lock, 0, NTH_TOLD_MUTEX, id_of(l), ra);
  test_begin(m);
  return nest_tested(m, l, test_end(m, nth_nest_lock_test(l)), ra);
}

/* --- those of old programs --- */

void nth_told_old_nest_lock_set(struct nth_old_nest_lock *l, const void *ra) {
  struct nth_member *m = nth_member_get();
  bool again = nth_load_rlx(&l->owner) == m->number;
  struct nth_told_state state = nest_begin(m, l, ra);
  nth_old_nest_lock_set(l);
  wait_end(m, state);
  nest_has(m, l, ompt_mutex_nest_lock, again, ra);
}

void nth_told_old_nest_lock_unset(struct nth_old_nest_lock *l, const void *ra) {
  bool last = l->count <= 1;
  nth_old_nest_lock_unset(l);
  nest_left(l, last, ra);
}

int nth_told_old_nest_lock_test(struct nth_old_nest_lock *l, const void *ra) {
  struct nth_member *m = nth_member_get();
  nth_told_caller(m);
  NTH_TELL(mutex_acquire, ompt_mutex_test_nest_lock, 0, NTH_TOLD_MUTEX, id_of(l), ra);
  test_begin(m);
  return nest_tested(m, l, test_end(m, nth_old_nest_lock_test(l)), ra);
}

/* --- ordered --- */

void nth_told_ordered_begin(struct nth_member *m, const void *ra) {
  struct nth_tool_member *tm = nth_told_caller(m);
  const struct nth_loop *l = &m->now.slot->loop;
  ompt_wait_id_t turn = nth_told_turn(l);
  tm->goal = l->turn ? NTH_TOOL_NO_GOAL : nth_told_before(l);
  NTH_TELL(mutex_acquire, ompt_mutex_ordered, 0, NTH_TOLD_MUTEX, turn, ra);
  struct nth_told_state state = wait_begin(m, ompt_state_wait_ordered, turn, ra);
  nth_ordered_begin(m);
  wait_end(m, state);
  if (turn)
    nth_stall_took(tm, turn, ra);
  NTH_TELL(mutex_acquired, ompt_mutex_ordered, turn, ra);
}

void nth_told_ordered_end(struct nth_member *m, const void *ra) {
  ompt_wait_id_t turn = nth_told_turn(&m->now.slot->loop);
  if (turn)
    nth_stall_left(m->tool, turn);
  nth_ordered_end(m);
  NTH_TELL(mutex_released, ompt_mutex_ordered, turn, ra);
}
