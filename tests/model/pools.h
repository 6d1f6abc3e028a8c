/* pools.h - pools that keep nothing: what is given back is freed, and touched by nobody. With late
 * thieves (MODEL_LATE_THIEVES) it stays memory of its kind
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_POOLS_H
#define NTH_MODEL_POOLS_H

#include "runtime/omp/member/member.h"
#include "tests/model/model.h"

struct nth_pool nth_member_no_pool;
void *nth_pool_take_slow(struct nth_pool *p, uint32_t class, size_t size) {
  return (void)p, nth_model_bridge->alloc(class == NTH_POOL_BIG ? size : nth_pool_bytes[class]);
}
bool nth_pool_give_slow(struct nth_pool *p, void *object, uint32_t class) {
  (void)p;
  if (class != NTH_POOL_BIG) /* a race with who has looked at it too late */
    nth_model_bridge->plain(object, nth_pool_bytes[class], true);
#ifndef MODEL_LATE_THIEVES
  free(object);
#endif
  return true;
}
void *nth_member_take_slow(size_t size) { return nth_model_bridge->alloc(size); }

#endif
