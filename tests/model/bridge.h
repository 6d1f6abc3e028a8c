/* bridge.h - the runtime's atomic operations and futexes as calls into the model checker
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         With NTH_MODEL defined runtime/base/atomic.h and futex.h take their operations from
 *             here: the text of the runtime is checked as it is, with the orders it names.
 * How         Each operation passes address, size, order and value to a table of functions, which
 *             the driver (src/bridge.rs) puts into nth_model_bridge before a case runs.
 */
#ifndef NTH_MODEL_BRIDGE_H
#define NTH_MODEL_BRIDGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nth_futex_one;

/* struct Bridge in src/bridge.rs */
struct nth_model_bridge {
  uint64_t (*load)(const void *at, uint32_t size, uint32_t order);
  void (*store)(void *at, uint32_t size, uint32_t order, uint64_t value);
  uint64_t (*rmw)(void *at, uint32_t size, uint32_t operation, uint32_t order, uint64_t value);
  bool (*cas)(void *at, uint32_t size, uint32_t order, void *expected, uint64_t desired);
  void (*fence_full)(void);
  void (*futex_wait)(void *at, uint32_t value, uint64_t timeout_ns);
  void (*futex_wake)(void *at, int count);
  void (*futex_wait_any)(const struct nth_futex_one *all, uint32_t n, uint64_t until);
  void (*park)(uint32_t thread);
  void (*await)(void);
  void (*go_on)(uint32_t thread);
  void (*idle)(void);
  void (*turn)(void);
  void (*plain)(const void *at, uint32_t size, bool write);
  void *(*alloc)(size_t size);
  void (*free)(void *memory);
  uint32_t (*kept)(void);
  uint32_t (*thread)(void);
  void (*name)(const volatile void *at, size_t size, const char *name, int number);
  void (*fail)(const char *text, const char *file, int line);
};
extern const struct nth_model_bridge *nth_model_bridge;

enum { NTH_MODEL_RLX, NTH_MODEL_ACQ, NTH_MODEL_REL, NTH_MODEL_ACQREL };
enum { NTH_MODEL_XCHG, NTH_MODEL_ADD, NTH_MODEL_SUB, NTH_MODEL_OR };

/* The type of *p without _Atomic and const; integers and pointers of up to 8 bytes. */
#define NTH_MODEL_TYPE(p) __typeof__((void)0, *(p))
#define NTH_MODEL_LOAD(p, order)                                                                   \
  ((NTH_MODEL_TYPE(p))nth_model_bridge->load((const void *)(p), sizeof *(p), order))
#define NTH_MODEL_STORE(p, order, v)                                                               \
  nth_model_bridge->store((void *)(p), sizeof *(p), order, (uint64_t)(NTH_MODEL_TYPE(p))(v))
#define NTH_MODEL_RMW(p, operation, order, v)                                                      \
  __extension__({                                                                                  \
    uint64_t new_ = (uint64_t)(NTH_MODEL_TYPE(p))(v);                                              \
    (NTH_MODEL_TYPE(p)) nth_model_bridge->rmw((void *)(p), sizeof *(p), operation, order, new_);   \
  })
#define NTH_MODEL_CAS(p, order, e, v)                                                              \
  nth_model_bridge->cas((void *)(p), sizeof *(p), order, (e), (uint64_t)(NTH_MODEL_TYPE(p))(v))

#define nth_load_rlx(p) NTH_MODEL_LOAD(p, NTH_MODEL_RLX)
#define nth_load_acq(p) NTH_MODEL_LOAD(p, NTH_MODEL_ACQ)
#define nth_store_rlx(p, v) NTH_MODEL_STORE(p, NTH_MODEL_RLX, v)
#define nth_store_rel(p, v) NTH_MODEL_STORE(p, NTH_MODEL_REL, v)
#define nth_xchg_rlx(p, v) NTH_MODEL_RMW(p, NTH_MODEL_XCHG, NTH_MODEL_RLX, v)
#define nth_xchg_acq(p, v) NTH_MODEL_RMW(p, NTH_MODEL_XCHG, NTH_MODEL_ACQ, v)
#define nth_xchg_rel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_XCHG, NTH_MODEL_REL, v)
#define nth_xchg_acqrel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_XCHG, NTH_MODEL_ACQREL, v)
#define nth_add_rlx(p, v) NTH_MODEL_RMW(p, NTH_MODEL_ADD, NTH_MODEL_RLX, v)
#define nth_add_rel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_ADD, NTH_MODEL_REL, v)
#define nth_add_acqrel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_ADD, NTH_MODEL_ACQREL, v)
#define nth_sub_rlx(p, v) NTH_MODEL_RMW(p, NTH_MODEL_SUB, NTH_MODEL_RLX, v)
#define nth_sub_rel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_SUB, NTH_MODEL_REL, v)
#define nth_sub_acqrel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_SUB, NTH_MODEL_ACQREL, v)
#define nth_or_acqrel(p, v) NTH_MODEL_RMW(p, NTH_MODEL_OR, NTH_MODEL_ACQREL, v)
#define nth_or_rlx(p, v) NTH_MODEL_RMW(p, NTH_MODEL_OR, NTH_MODEL_RLX, v)
#define nth_and_rlx(p, v)                                                                          \
  __extension__({                                                                                  \
    NTH_MODEL_TYPE(p) old_ = nth_load_rlx(p);                                                      \
    while (!nth_cas_rlx(p, &old_, old_ & (v)))                                                     \
      ;                                                                                            \
    old_;                                                                                          \
  })
#define nth_cas_rlx(p, e, v) NTH_MODEL_CAS(p, NTH_MODEL_RLX, e, v)
#define nth_cas_acq(p, e, v) NTH_MODEL_CAS(p, NTH_MODEL_ACQ, e, v)
#define nth_cas_rel(p, e, v) NTH_MODEL_CAS(p, NTH_MODEL_REL, e, v)
#define nth_cas_acqrel(p, e, v) NTH_MODEL_CAS(p, NTH_MODEL_ACQREL, e, v)

static inline void nth_fence_full(void) { nth_model_bridge->fence_full(); }
static inline void nth_fence_behind(void) { nth_model_bridge->fence_full(); }
/* Against a fence in all threads (nth_os_fence_all), a compiler fence is as good as a full one. */
static inline void nth_fence_light(void) { nth_model_bridge->fence_full(); }

static inline bool nth_futex_wait(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  nth_model_bridge->futex_wait((void *)word, value, timeout_ns);
  return timeout_ns != 0; /* as far as the caller knows */
}

static inline void nth_futex_wake(_Atomic(uint32_t) *word, int count) {
  nth_model_bridge->futex_wake((void *)word, count);
}

static inline long nth_futex_wait_any(const struct nth_futex_one *all, uint32_t n, uint64_t until) {
  nth_model_bridge->futex_wait_any(all, n, until);
  return 0;
}

static inline bool nth_futex_has_any(void) { return true; }

#endif
