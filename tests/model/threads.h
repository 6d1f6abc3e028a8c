/* threads.h - what created threads (runtime/sched/hold) find in a model in place of POSIX threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of config.h where MODEL_HELD is defined. The threads of a model share the TLS of one OS
 * thread, so thread-specific data, identity and cleanup functions are the harness's (holders.h).
 */
#ifndef NTH_MODEL_THREADS_H
#define NTH_MODEL_THREADS_H

#include <sched.h>

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/syscall.h"

/* One segment of a few errands. A joiner and an idle thread sleep at once. The oldest
 * idle thread never looks whether it is alone in the process. */
#undef NTH_ERRAND_SEGMENT
#define NTH_ERRAND_SEGMENT 4u
#undef NTH_ERRAND_SEGMENTS
#define NTH_ERRAND_SEGMENTS 1u
#undef NTH_HOLD_POLLS
#define NTH_HOLD_POLLS 0
#undef NTH_HOLD_SLOW_POLLS
#define NTH_HOLD_SLOW_POLLS 0
#undef NTH_HOLD_ALONE_NS
#define NTH_HOLD_ALONE_NS 0u

/* The most that are taken without a thread of their own. */
extern uint32_t model_sure;
#undef NTH_HOLD_SURE
#define NTH_HOLD_SURE model_sure

/* Creators count as joining at once if model_row is 0. An errand is late at a sentry's first
 * look. */
#undef NTH_CARRIED_ROW
#define NTH_CARRIED_ROW model_row
extern uint32_t model_row;
#undef NTH_CARRIED_LOOK_NS
#define NTH_CARRIED_LOOK_NS 1u
#undef NTH_CARRIED_LEAST
#define NTH_CARRIED_LEAST 0u

/* Time stands still, and is never over for an idle thread. */
#undef nth_clock_ns
#define nth_clock_ns() ((uint64_t)1)
static inline bool model_futex_wait(_Atomic(uint32_t) *word, uint32_t value, uint64_t limit) {
  return nth_futex_wait(word, value, limit > (uint64_t)1 << 60 ? 0 : limit);
}
#define nth_futex_wait model_futex_wait
#define nth_pause() nth_model_bridge->idle()
#define nth_syscall(...) 0L

int model_key_create(pthread_key_t *key, void (*end)(void *));
int model_setspecific(pthread_key_t key, const void *value);
void *model_getspecific(pthread_key_t key);
pthread_t model_pthread_self(void);
_Noreturn void model_pthread_exit(void *result);
int model_pthread_join(pthread_t thread, void **result);
int model_pthread_detach(pthread_t thread);
int model_pthread_cancel(pthread_t thread);
int model_setcanceltype(int type, int *old);
#define pthread_key_create model_key_create
#define pthread_setspecific model_setspecific
#define pthread_getspecific model_getspecific
#define pthread_once(once, f) (f)()
#define sched_yield() (nth_model_bridge->idle(), 0)
#define pthread_self model_pthread_self
#define pthread_exit model_pthread_exit
#define pthread_join model_pthread_join
#define pthread_detach model_pthread_detach
#define pthread_cancel model_pthread_cancel
#define pthread_testcancel() ((void)0)
#define pthread_setcanceltype model_setcanceltype
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(f, a)                                                                 \
  {                                                                                                \
    void (*cleanup_)(void *) = (f);                                                                \
    void *cleanup_arg_ = (a);
#define pthread_cleanup_pop(runs)                                                                  \
  if (runs)                                                                                        \
    cleanup_(cleanup_arg_);                                                                        \
  }

#endif
