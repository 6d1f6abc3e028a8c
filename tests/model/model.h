/* model.h - what a harness is: cases of a few threads over one zeroed object
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         struct world { ... } with everything the threads share, MODEL_CASES(...) at the end.
 *             For each execution the world is zeroed, setup() runs alone and touches every atomic
 *             object once (MODEL_ATOM), the threads run, finish() runs alone.
 *             Thread i runs thread[i], or thread[0] where that is NULL.
 */
#ifndef NTH_MODEL_MODEL_H
#define NTH_MODEL_MODEL_H

#include "runtime/base/atomic.h"
#include "runtime/base/futex.h"

enum { MODEL_ALL = -1 }; /* preemptions: no bound */

/* struct Case in src/main.rs */
struct nth_model_case {
  const char *name;
  uint32_t threads;
  int preemptions; /* at most so many an execution, or MODEL_ALL */
  void *world;
  size_t world_size;
  void (*setup)(void);
  void (*thread[4])(void);
  void (*finish)(void);
  uint64_t most; /* stop after so many executions; 0: look at all */
  bool thorough; /* tries orders that loom overlooks, which takes longer; touch() in bridge.rs */
};

/* Cases of a harness whose world is `static struct world w`. */
#define MODEL_CASES                                                                                \
  __attribute__((visibility("default"))) extern const struct nth_model_case nth_model_cases[];     \
  const struct nth_model_case nth_model_cases[]
#define MODEL_WORLD &w, sizeof w

/* Makes an atomic object known, with its name for traces; _AT: one of several, with its number. */
#define MODEL_ATOM_AT(i, object)                                                                   \
  (nth_model_bridge->name(&(object), sizeof(object), #object, (int)(i)),                           \
   (void)nth_load_rlx(&(object)))
#define MODEL_ATOM(object) MODEL_ATOM_AT(-1, object)
#define MODEL_NAME(object) nth_model_bridge->name(&(object), sizeof(object), #object, -1)

#define model_check(c) ((c) ? (void)0 : nth_model_bridge->fail(#c, __FILE__, __LINE__))

/* Blocks that were allocated in this execution and are not free again. */
static inline uint32_t model_kept(void) { return nth_model_bridge->kept(); }

/* The calling thread's number in its case. */
static inline uint32_t model_thread(void) { return nth_model_bridge->thread(); }

/* One turn of a loop that waits without sleeping. */
static inline void model_idle(void) { nth_model_bridge->idle(); }

#endif
