/* lock_old.c - locks of old binaries (version node OMP_1.0)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The simple lock is the same word as in lock.c. The nestable lock is 8 bytes, in C and in Fortran,
 * and belongs to a thread, not to a task.
 *
 * omp_init_*, omp_destroy_*, omp_set_*, omp_unset_*, omp_test_*: as in lock.c except for the owner
 * (OpenMP 2.5, section 3.3).
 */
#include <assert.h>
#include <string.h>

#include "abi_protos.h"
#include "abi_symver.h"

#include "abi/tool.h"

static_assert(sizeof(struct nth_old_nest_lock) == 8, "in place");

static inline struct nth_old_nest_lock *nest(void *l) { return l; }

/* What both languages have in common. */
#define SET_NEST(l)                                                                                \
  (nth_tool_on() ? nth_told_old_nest_lock_set(l, NTH_RA) : nth_old_nest_lock_set(l))
#define UNSET_NEST(l)                                                                              \
  (nth_tool_on() ? nth_told_old_nest_lock_unset(l, NTH_RA) : nth_old_nest_lock_unset(l))
#define TEST_NEST(l)                                                                               \
  (nth_tool_on() ? nth_told_old_nest_lock_test(l, NTH_RA) : nth_old_nest_lock_test(l))

void nth_abi_omp_init_lock_10(omp_lock_t *l) {
  nth_mutex_init(nth_abi_simple(l));
  NTH_MADE(l, ompt_mutex_lock);
}
void nth_abi_omp_destroy_lock_10(omp_lock_t *l) { NTH_GONE(l, ompt_mutex_lock); }
void nth_abi_omp_set_lock_10(omp_lock_t *l) { NTH_SET(nth_abi_simple(l), ompt_mutex_lock); }
void nth_abi_omp_unset_lock_10(omp_lock_t *l) { NTH_UNSET(nth_abi_simple(l), ompt_mutex_lock); }
int nth_abi_omp_test_lock_10(omp_lock_t *l) { return NTH_TEST(nth_abi_simple(l)); }

void nth_abi_omp_init_nest_lock_10(nth_omp_nest_lock_10_t *l) {
  memset(l, 0, sizeof *l);
  NTH_MADE(l, ompt_mutex_nest_lock);
}
void nth_abi_omp_destroy_nest_lock_10(nth_omp_nest_lock_10_t *l) {
  NTH_GONE(l, ompt_mutex_nest_lock);
}
void nth_abi_omp_set_nest_lock_10(nth_omp_nest_lock_10_t *l) { SET_NEST(nest(l)); }
void nth_abi_omp_unset_nest_lock_10(nth_omp_nest_lock_10_t *l) { UNSET_NEST(nest(l)); }
int nth_abi_omp_test_nest_lock_10(nth_omp_nest_lock_10_t *l) { return TEST_NEST(nest(l)); }

void nth_abi_omp_init_lock__10(int32_t *l) {
  nth_mutex_init(nth_abi_simple(l));
  NTH_MADE(l, ompt_mutex_lock);
}
void nth_abi_omp_destroy_lock__10(int32_t *l) { NTH_GONE(l, ompt_mutex_lock); }
void nth_abi_omp_set_lock__10(int32_t *l) { NTH_SET(nth_abi_simple(l), ompt_mutex_lock); }
void nth_abi_omp_unset_lock__10(int32_t *l) { NTH_UNSET(nth_abi_simple(l), ompt_mutex_lock); }
int32_t nth_abi_omp_test_lock__10(int32_t *l) { return NTH_TEST(nth_abi_simple(l)); }

void nth_abi_omp_init_nest_lock__10(int64_t *l) {
  *l = 0;
  NTH_MADE(l, ompt_mutex_nest_lock);
}
void nth_abi_omp_destroy_nest_lock__10(int64_t *l) { NTH_GONE(l, ompt_mutex_nest_lock); }
void nth_abi_omp_set_nest_lock__10(int64_t *l) { SET_NEST(nest(l)); }
void nth_abi_omp_unset_nest_lock__10(int64_t *l) { UNSET_NEST(nest(l)); }
int32_t nth_abi_omp_test_nest_lock__10(int64_t *l) { return TEST_NEST(nest(l)); }

NTH_SYMVERS_lock_old
