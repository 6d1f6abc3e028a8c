/* stubs_carry.h - nano-thread members, for models of members that are OS threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_CARRY_H
#define NTH_MODEL_STUBS_CARRY_H

#include "runtime/omp/nano/members.h"
#include "runtime/sched/nano/overflow.h"
#include "tests/model/model.h"

#define MODEL_NOT_CARRIED model_check(!"it is an OS thread")

struct nth_wait_config nth_wait_config;
_Atomic(uint32_t) nth_carrier_special;
void nth_overflow_leave(struct nth_carrier *c) { (void)c, MODEL_NOT_CARRIED; }

bool nth_carry_wait(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                    uint64_t timeout_ns, void (*after)(struct nth_identity *)) {
  (void)me, (void)word, (void)value, (void)timeout_ns, (void)after;
  MODEL_NOT_CARRIED;
  return false;
}
bool nth_carry_await(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                     _Atomic(bool) *also) {
  (void)me, (void)word, (void)value, (void)also;
  MODEL_NOT_CARRIED;
  return false;
}
bool nth_carry_yield(struct nth_identity *me) {
  (void)me;
  MODEL_NOT_CARRIED;
  return false;
}
void nth_carry_thread(struct nth_pthread *t, size_t stack_bytes, void (*f)(void *), void *arg,
                      void (*after)(struct nth_identity *), bool (*look)(struct nth_identity *)) {
  (void)t, (void)stack_bytes, (void)f, (void)arg, (void)after, (void)look;
  MODEL_NOT_CARRIED;
}
void nth_carry_ready(struct nth_identity *x) { (void)x, MODEL_NOT_CARRIED; }
void nth_carry_roused(struct nth_identity *x) { (void)x, MODEL_NOT_CARRIED; }
void nth_carry_try_home(struct nth_identity *me) { (void)me, MODEL_NOT_CARRIED; }
void nth_worker_stay_docked(struct nth_identity *x) { (void)x, MODEL_NOT_CARRIED; }
bool nth_worker_look(struct nth_identity *x) { return (void)x, MODEL_NOT_CARRIED, false; }
void nth_members_fork(struct nth_member *m, struct nth_team *t, struct nth_wd *wd) {
  (void)m, (void)t, (void)wd;
  MODEL_NOT_CARRIED;
}
void nth_members_lead(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd) {
  (void)m, (void)t, (void)wd;
  MODEL_NOT_CARRIED;
}
void nth_members_join(struct nth_team *t) { (void)t, MODEL_NOT_CARRIED; }
void nth_members_joined(struct nth_team *t) { (void)t, MODEL_NOT_CARRIED; }

#endif
