/* tool.h - entries of the library at which a tool may hear something
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_TOOL_H
#define NTH_ABI_TOOL_H

#include "runtime/omp/told/told.h"

/* In an exported function: the address to which it returns; and, once it is known that a tool
 * watches, where in the program it was called, OMPT's codeptr_ra. */
#define NTH_RETURNS __builtin_return_address(0)
#define NTH_RA nth_told_site(NTH_RETURNS)

/* The same address; NULL: there is no tool. */
#define NTH_SITE() (nth_tool_on() ? NTH_RA : 0)

/* Where a work-sharing construct begins, or goes on. */
#define NTH_FROM()                                                                                 \
  do {                                                                                             \
    if (nth_tool_on())                                                                             \
      nth_told_from(NTH_RA);                                                                       \
  } while (0)
/* For what entries have in common that says NTH_FROM(): it must see the entry's return address. */
#define NTH_WITHIN static inline __attribute__((always_inline))
/* For a function that has the rare case of an entry and takes the entry's arguments. In code of -O2
 * the entry jumps to the function, which so sees the entry's return address. In builds with
 * asserts, which have -O1, the entry would call it. So there the function is part of the entry. */
#if defined __OPTIMIZE__ && !NTH_CHECK
#define NTH_APART_FROM_ENTRY static __attribute__((noinline))
#else
#define NTH_APART_FROM_ENTRY NTH_WITHIN
#endif

/* A construct combined with a loop, also of sections. */
#define NTH_RUN_LOOP(...)                                                                          \
  do {                                                                                             \
    if (nth_tool_on())                                                                             \
      nth_told_parallel_loop(__VA_ARGS__, NTH_RA);                                                 \
    else                                                                                           \
      nth_parallel_loop(__VA_ARGS__);                                                              \
  } while (0)
#define NTH_OPEN_LOOP(...)                                                                         \
  do {                                                                                             \
    if (nth_tool_on())                                                                             \
      nth_told_parallel_loop_open(__VA_ARGS__, NTH_RA);                                            \
    else                                                                                           \
      nth_parallel_loop_open(__VA_ARGS__);                                                         \
  } while (0)

/* The barrier at which a work-sharing construct ends. */
#define NTH_END_BARRIER(m)                                                                         \
  do {                                                                                             \
    if (nth_tool_on())                                                                             \
      nth_told_barrier(m, ompt_sync_region_barrier_implicit_workshare, NTH_RA);                    \
    else                                                                                           \
      nth_barrier(m);                                                                              \
  } while (0)
#define NTH_END_BARRIER_CANCEL(m)                                                                  \
  (nth_tool_on() ? nth_told_barrier_cancel(m, ompt_sync_region_barrier_implicit_workshare, NTH_RA) \
                 : nth_barrier_cancel(m))

/* Waits for what depend clauses name; makes a task that does nothing behind them. NULL: none. */
#define NTH_DEPEND_WAIT(m, depend)                                                                 \
  (nth_tool_on() && (depend) ? nth_told_task_wait_depend(m, depend, NTH_RA)                        \
                             : nth_depend_wait(m, depend))
#define NTH_DEPEND_NOWAIT(m, depend)                                                               \
  (nth_tool_on() && (depend) ? nth_told_task_create_empty(m, depend, NTH_RA)                       \
                             : nth_task_create_empty(m, depend))

/* Sets and leaves a lock of the program. A tool costs nothing here where there is none: where there
 * is one, the quick way finds no lock free or merely taken (lock.h). */
void nth_abi_lock_set(struct nth_mutex *l, ompt_mutex_t kind, const void *ra);
void nth_abi_lock_left(struct nth_mutex *l, uint32_t was, ompt_mutex_t kind, const void *ra);
/* It is made, destroyed. ra: where the entry returns to. */
void nth_abi_lock_made(const void *l, ompt_mutex_t kind, const void *ra);
void nth_abi_lock_gone(const void *l, ompt_mutex_t kind, const void *ra);
#define NTH_SET(l, kind)                                                                           \
  do {                                                                                             \
    if (nth_unlikely(!nth_lock_set_quick(l)))                                                      \
      nth_abi_lock_set(l, kind, NTH_RETURNS);                                                      \
  } while (0)
#define NTH_UNSET(l, kind)                                                                         \
  do {                                                                                             \
    uint32_t was_;                                                                                 \
    if (nth_unlikely(!nth_lock_unset_quick(l, &was_)))                                             \
      nth_abi_lock_left(l, was_, kind, NTH_RETURNS);                                               \
  } while (0)
/* A lock has been made; is about to end. Of both kinds. */
#define NTH_MADE(l, kind) nth_abi_lock_made(l, kind, NTH_RETURNS)
#define NTH_GONE(l, kind) nth_abi_lock_gone(l, kind, NTH_RETURNS)
/* Tries to take a simple lock. */
#define NTH_TEST(l) (nth_tool_on() ? nth_told_lock_test(l, NTH_RA) : nth_lock_test(l))
/* The program's words are the lock itself. */
static inline struct nth_mutex *nth_abi_simple(void *l) { return l; }

#endif
