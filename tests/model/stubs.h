/* stubs.h - what team.c and task.c call and the models do not need: choosing a size, work sharing,
 * dependences, cancellation
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_H
#define NTH_MODEL_STUBS_H

#include "runtime/omp/cancel.h"
#include "runtime/omp/depend.h"
#include "tests/model/members.h"

uint32_t nth_team_choose(struct nth_member *m, uint32_t clause) { return (void)m, clause; }
void nth_team_give_threads(struct nth_team *t) { (void)t; }
void nth_workshare_enter_region(struct nth_slot *s) { (void)s; }
void nth_workshare_leave_region(struct nth_team *t) { (void)t; }
void nth_cancel_leave(struct nth_team *t) { (void)t; }
bool nth_cancelled_slow(struct nth_team *t, const struct nth_taskgroup *g) {
  return (void)t, (void)g, false;
}
void nth_depend_forget(struct nth_task *t) { (void)t; }
void nth_depend_clear(struct nth_task *t) { (void)t; }
void nth_depend_end(struct nth_depend *d) { (void)d; }
void nth_depend_release(struct nth_depend *d) { (void)d; }
void nth_depend_wait(struct nth_member *m, void **depend) { (void)m, (void)depend; }
/* Pools keep nothing: what is given back is freed, and touched by nobody. With late thieves it stays
 * memory of its kind. */
void *nth_pool_take_slow(struct nth_pool *p, uint32_t class, size_t size) {
  return (void)p, (void)class, nth_model_bridge->alloc(size);
}
void nth_pool_give_slow(struct nth_pool *p, void *object, uint32_t class) {
  (void)p, (void)class, (void)object;
#ifndef MODEL_LATE_THIEVES
  free(object);
#endif
}
bool nth_depend_register(struct nth_task *t, void **depend) { return (void)t, (void)depend, true; }

#endif
