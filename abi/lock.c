/* lock.c - simple and nestable locks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.9. An omp_lock_t is 4 bytes, an omp_nest_lock_t 16; each is the lock
 * itself. In Fortran the integer of a simple lock is the lock itself; the integer of a nestable
 * lock holds the address of an object that omp_init_nest_lock allocates.
 *
 * omp_init_*     makes a free lock; must come first, but zero-filled memory is a free lock too
 * omp_destroy_*  ends its use; does not check whether the lock is free
 * omp_set_*      waits until the lock is free and takes it; if the task has the nestable lock
 *                already, it counts
 * omp_unset_*    frees the lock, a nestable one at the last count; does not check who has it
 * omp_test_*     as omp_set_* but does not wait: 0: another has the lock; else 1, or the new count
 *                of a nestable lock
 */
#include <assert.h>
#include <string.h>

#include "abi_protos.h"
#include "abi_symver.h"

#include "abi/tool.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/sync/lock.h"

static_assert(sizeof(struct nth_mutex) == sizeof(omp_lock_t), "in place");
static_assert(sizeof(struct nth_nest_lock) <= sizeof(omp_nest_lock_t), "in place");

static inline struct nth_nest_lock *nest(void *l) { return l; }

/* --- what a tool hears --- */

void nth_abi_lock_set(struct nth_mutex *l, ompt_mutex_t kind, const void *ra) {
  if (nth_tool_on())
    nth_told_lock_set(l, kind, nth_told_site(ra));
  else
    nth_lock_wait(l);
}

void nth_abi_lock_left(struct nth_mutex *l, uint32_t was, ompt_mutex_t kind, const void *ra) {
  nth_lock_left(l, was);
  if (nth_tool_on())
    nth_told_lock_left(l, kind, nth_told_site(ra));
}

void nth_abi_lock_made(const void *l, ompt_mutex_t kind, const void *ra) {
  if (nth_tool_on())
    nth_told_lock_init(l, kind, 0, nth_told_site(ra));
}

void nth_abi_lock_gone(const void *l, ompt_mutex_t kind, const void *ra) {
  if (nth_tool_on())
    nth_told_lock_destroy(l, kind, nth_told_site(ra));
}

#define SET_NEST(l) (nth_tool_on() ? nth_told_nest_lock_set(l, NTH_RA) : nth_nest_lock_set(l))
#define UNSET_NEST(l) (nth_tool_on() ? nth_told_nest_lock_unset(l, NTH_RA) : nth_nest_lock_unset(l))
#define TEST_NEST(l) (nth_tool_on() ? nth_told_nest_lock_test(l, NTH_RA) : nth_nest_lock_test(l))

/* --- C --- */

void nth_abi_omp_init_lock_30(omp_lock_t *l) {
  nth_mutex_init(nth_abi_simple(l));
  NTH_MADE(l, ompt_mutex_lock);
}
void nth_abi_omp_destroy_lock_30(omp_lock_t *l) { NTH_GONE(l, ompt_mutex_lock); }
void nth_abi_omp_set_lock_30(omp_lock_t *l) { NTH_SET(nth_abi_simple(l), ompt_mutex_lock); }
void nth_abi_omp_unset_lock_30(omp_lock_t *l) { NTH_UNSET(nth_abi_simple(l), ompt_mutex_lock); }
int nth_abi_omp_test_lock_30(omp_lock_t *l) { return NTH_TEST(nth_abi_simple(l)); }

void nth_abi_omp_init_nest_lock_30(omp_nest_lock_t *l) {
  memset(l, 0, sizeof *l);
  NTH_MADE(l, ompt_mutex_nest_lock);
}
void nth_abi_omp_destroy_nest_lock_30(omp_nest_lock_t *l) { NTH_GONE(l, ompt_mutex_nest_lock); }
void nth_abi_omp_set_nest_lock_30(omp_nest_lock_t *l) { SET_NEST(nest(l)); }
void nth_abi_omp_unset_nest_lock_30(omp_nest_lock_t *l) { UNSET_NEST(nest(l)); }
int nth_abi_omp_test_nest_lock_30(omp_nest_lock_t *l) { return TEST_NEST(nest(l)); }

/* --- Fortran --- */

void nth_abi_omp_init_lock__30(int32_t *l) {
  nth_mutex_init(nth_abi_simple(l));
  NTH_MADE(l, ompt_mutex_lock);
}
void nth_abi_omp_destroy_lock__30(int32_t *l) { NTH_GONE(l, ompt_mutex_lock); }
void nth_abi_omp_set_lock__30(int32_t *l) { NTH_SET(nth_abi_simple(l), ompt_mutex_lock); }
void nth_abi_omp_unset_lock__30(int32_t *l) { NTH_UNSET(nth_abi_simple(l), ompt_mutex_lock); }
int32_t nth_abi_omp_test_lock__30(int32_t *l) { return NTH_TEST(nth_abi_simple(l)); }

/* The object whose address a Fortran nestable lock holds. */
static struct nth_nest_lock *behind(const int64_t *l) {
  return (struct nth_nest_lock *)(uintptr_t)*l;
}

void nth_abi_omp_init_nest_lock__30(int64_t *l) {
  *l = (int64_t)(uintptr_t)nth_heap_need(sizeof(struct nth_nest_lock));
  NTH_MADE(behind(l), ompt_mutex_nest_lock);
}

void nth_abi_omp_destroy_nest_lock__30(int64_t *l) {
  NTH_GONE(behind(l), ompt_mutex_nest_lock);
  nth_heap_free(behind(l));
  *l = 0;
}

void nth_abi_omp_set_nest_lock__30(int64_t *l) { SET_NEST(behind(l)); }
void nth_abi_omp_unset_nest_lock__30(int64_t *l) { UNSET_NEST(behind(l)); }
int32_t nth_abi_omp_test_nest_lock__30(int64_t *l) { return TEST_NEST(behind(l)); }

NTH_SYMVERS_lock
