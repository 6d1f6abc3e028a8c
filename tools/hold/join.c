/* join.c - pthread_join() and its kin, pthread_detach()
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "runtime/base/futex.h"
#include "tools/hold/entry.h"
#include "tools/hold/hold.h"

enum { FOR_EVER, TRIES, UNTIL };

/* A join, and how long it may wait. */
struct join {
  pthread_t thread;
  struct hold_record *target;
  int how;
  clockid_t clock; /* UNTIL: `end` is of this one */
  const struct timespec *end;
};

/* The caller does not join it any more. */
static void unjoin(void *arg) {
  struct hold_record *r = ((struct join *)arg)->target;
  uint64_t state = nth_load_rlx(&r->state);
  nth_store_rlx(&r->joiner, 0);
  while (!nth_cas_rlx(&r->state, &state, state & ~(uint64_t)(HOLD_JOINED | HOLD_AWAITED)))
    ;
}

static void unjoin_cancelled(void *j) {
  if (hold_mine)
    nth_store_rlx(&hold_mine->joins, 0);
  unjoin(j);
}

static void note_joins(pthread_t t) {
  if (hold_mine)
    nth_store_rlx(&hold_mine->joins, t);
}

/* The C library joins an OS thread that is its own. */
static int join_real(const struct join *j, void **result) {
  if (hold_mine && nth_load_rlx(&hold_mine->joiner) == j->thread &&
      hold_kind(nth_load_rlx(&hold_mine->state)) == HOLD_RUNS)
    return EDEADLK;
  if (j->how == TRIES)
    return hold_real()->tryjoin(j->thread, result);
  note_joins(j->thread);
  int error = j->how == FOR_EVER ? hold_real()->join(j->thread, result)
              : j->clock == CLOCK_REALTIME
                  ? hold_real()->timedjoin(j->thread, result, j->end)
                  : hold_real()->clockjoin(j->thread, result, j->clock, j->end);
  note_joins(0);
  return error;
}

/* ns that are left, but at most 11 days; 0: none; -1: bad time. */
static int64_t left(const struct join *j) {
  struct timespec now;
  if (j->end->tv_nsec < 0 || j->end->tv_nsec >= 1000000000 || clock_gettime(j->clock, &now) != 0)
    return -1;
  if (j->end->tv_sec < now.tv_sec)
    return 0;
  int64_t s = (int64_t)j->end->tv_sec - now.tv_sec;
  int64_t ns = (s < 1000000 ? s : 1000000) * 1000000000 + j->end->tv_nsec - now.tv_nsec;
  return ns > 0 ? ns : 0;
}

/* A cancellation point: the system call is left by the signal that cancels. */
static void sleep_for(struct hold_record *r, uint64_t state, int64_t limit) {
  int type;
  pthread_testcancel();
  (void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  nth_futex_wait(hold_word(r), (uint32_t)state, (uint64_t)limit);
  (void)pthread_setcanceltype(type, NULL);
}

static bool is_over(uint64_t state) {
  return hold_kind(state) != HOLD_RUNS && hold_kind(state) != HOLD_CLOSES;
}

/* Waits until the target's function has ended; 0 or an errno value. */
static int await(struct join *j) {
  struct hold_record *r = j->target;
  uint64_t state = nth_load_acq(&r->state); /* D */
  while (!is_over(state)) {
    int64_t limit = 0;
    if (j->how == UNTIL && (limit = left(j)) <= 0)
      return limit < 0 ? EINVAL : ETIMEDOUT;
    if (state & HOLD_AWAITED) {
      sleep_for(r, state, limit);
      state = nth_load_acq(&r->state);                                    /* D */
    } else if (nth_cas_acqrel(&r->state, &state, state | HOLD_AWAITED)) { /* D */
      state |= HOLD_AWAITED;
    }
  }
  return 0;
}

/* The target's function has ended. Its OS thread ends, too, but destructors may keep it for as long
 * as they like. So a join with a time may fail here. Without destructors the end is near, and POSIX
 * counts the thread as ended already. So a join waits for SOON_NS at least, whatever its time. */
static int join_ending(struct join *j, void **result) {
  enum { SOON_NS = 100000000, SECOND_NS = 1000000000 };
  if (j->how == FOR_EVER)
    return join_real(j, result);
  struct timespec end;
  struct join soon = {j->thread, j->target, UNTIL, CLOCK_REALTIME, &end};
  bool has_time = j->how == UNTIL && left(j) > SOON_NS;
  clock_gettime(soon.clock, &end);
  end.tv_nsec += SOON_NS;
  end.tv_sec += end.tv_nsec / SECOND_NS;
  end.tv_nsec %= SECOND_NS;
  int error = join_real(has_time ? j : &soon, result);
  if (error)
    unjoin(j);
  return error == ETIMEDOUT && j->how == TRIES ? EBUSY : error;
}

/* The target's function has ended: takes its result. */
static int take_result(struct join *j, void **result) {
  struct hold_record *r = j->target;
  uint64_t state = nth_load_acq(&r->state); /* D */
  while (hold_kind(state) == HOLD_DONE) {
    void *value = r->result;
    if (!(state & HOLD_SPOILT) && !nth_load_rlx(&hold_pool.never)) {
      if (hold_make_idle(r, state)) {
        if (result)
          *result = value;
        return 0;
      }
    } else if (nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_REAL))) { /* D */
      hold_order_end(r);
      break;
    }
    state = nth_load_acq(&r->state); /* D */
  }
  return join_ending(j, result);
}

/* The caller, and no other thread, joins the target; 0, or an errno value; -1: it is the C
 * library's. */
static int claim(struct join *j) {
  struct hold_record *r = j->target;
  uint64_t state = nth_load_acq(&r->state); /* D */
  do {
    if (hold_kind(state) == HOLD_REAL)
      return -1;
    if (hold_kind(state) == HOLD_IDLE)
      return ESRCH;
    if (state & HOLD_DETACHED)
      return EINVAL;
    if (j->thread == pthread_self())
      return EDEADLK;
    if (state & HOLD_JOINED)
      return EINVAL;
    if (j->how == TRIES && !is_over(state))
      return EBUSY;
  } while (!nth_cas_acqrel(&r->state, &state, state | HOLD_JOINED)); /* D */
  nth_store_rlx(&r->joiner, pthread_self());
  note_joins(j->thread);
  nth_fence_full(); /* J: of two that join each other one sees the other */
  if (nth_load_rlx(&r->joins) != pthread_self())
    return 0;
  state = nth_load_rlx(&r->state);
  if (is_over(state) || (state & HOLD_SPOILT)) /* cancelled, it joins no longer */
    return 0;
  unjoin(j);
  note_joins(0);
  return EDEADLK;
}

static int join(struct join j, void **result) {
  j.target = hold_find(j.thread);
  int error = j.target ? claim(&j) : -1;
  if (error < 0)
    return join_real(&j, result);
  if (error)
    return error;
  int saved = errno;
  pthread_cleanup_push(unjoin_cancelled, &j);
  error = await(&j);
  pthread_cleanup_pop(0);
  note_joins(0);
  if (error)
    unjoin(&j);
  else
    error = take_result(&j, result);
  errno = saved;
  return error;
}

HOLD_ENTRY int pthread_join(pthread_t t, void **result) {
  return join((struct join){.thread = t, .how = FOR_EVER}, result);
}

HOLD_ENTRY int pthread_tryjoin_np(pthread_t t, void **result) {
  return join((struct join){.thread = t, .how = TRIES}, result);
}

HOLD_ENTRY int pthread_clockjoin_np(pthread_t t, void **result, clockid_t clock,
                                    const struct timespec *end) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return join((struct join){.thread = t, .how = end ? UNTIL : FOR_EVER, .clock = clock, .end = end},
              result);
}

HOLD_ENTRY int pthread_timedjoin_np(pthread_t t, void **result, const struct timespec *end) {
  return pthread_clockjoin_np(t, result, CLOCK_REALTIME, end);
}

HOLD_ENTRY int pthread_detach(pthread_t t) {
  struct hold_record *r = hold_find(t);
  uint64_t state = r ? nth_load_acq(&r->state) : HOLD_REAL; /* D */
  while (hold_kind(state) != HOLD_REAL) {
    if (hold_kind(state) == HOLD_IDLE)
      return ESRCH;
    if (state & (HOLD_DETACHED | HOLD_JOINED))
      return EINVAL;
    if (hold_kind(state) != HOLD_DONE) {
      if (nth_cas_acqrel(&r->state, &state, state | HOLD_DETACHED)) /* D */
        return 0;
    } else if (!(state & HOLD_SPOILT) && !nth_load_rlx(&hold_pool.never)) {
      if (hold_make_idle(r, state))
        return 0;
      state = nth_load_acq(&r->state);                                           /* D */
    } else if (nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_REAL))) { /* D */
      hold_order_end(r);
      break;
    }
  }
  return hold_real()->detach(t);
}
