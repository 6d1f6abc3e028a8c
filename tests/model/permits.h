/* permits.h - the words of a model of permits; stands after permit.c, whose lock is static
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_PERMITS_H
#define NTH_MODEL_PERMITS_H

#include "tests/model/model.h"

/* The allowance does not change in these models, and nobody follows it. */
struct nth_allowed nth_allowed;
struct nth_follow nth_follow;
void nth_follow_arm(void) {}
bool nth_allowed_quota(void) { return false; }
void nth_apart_pass(uint32_t id, bool movable, uint32_t *moved_at) {
  (void)id, (void)movable, (void)moved_at;
}

static inline void model_permits_setup(struct nth_request *request) {
  nth_mutex_init(&lock);
  MODEL_ATOM(lock.word);
  MODEL_ATOM(nth_permits.limit);
  MODEL_ATOM(nth_allowed.all);
  MODEL_ATOM(nth_allowed.most);
  MODEL_ATOM(nth_allowed.grew_at);
  MODEL_ATOM(nth_follow.runs);
  MODEL_ATOM(nth_permits.on);
  MODEL_ATOM(nth_permits.held);
  MODEL_ATOM(nth_permits.passed);
  MODEL_ATOM(nth_permits.resting);
  MODEL_ATOM(nth_permits.word);
  MODEL_ATOM(nth_permits.stood_at);
  MODEL_ATOM(nth_crowd.active);
  MODEL_ATOM(request->asked);
  MODEL_ATOM(request->running);
  MODEL_ATOM(request->processors);
}

#endif
