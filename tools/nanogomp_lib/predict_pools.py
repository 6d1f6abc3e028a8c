# predict_pools.py - where the descriptors of tasks come from, and what that costs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three policies, as NTH_POOL has them. central (Base of the pools paper): one pool. local
(Stack_aff): each processor keeps some, the central pool is behind. hier (Hier): a domain's pool is
behind. A domain's and the central pool serve one processor at a time. Descriptors go between a
processor and the pool behind it in handfuls; of `central` one by one."""

# As NTH_POOL_KEPT and NTH_POOL_HANDFUL of runtime/base/config.h
POOL_SIZE = 32  # descriptors that a processor keeps
HANDFUL = 16


class Pools:
    """Those of one region; each processor's own is its field `pool`."""

    def __init__(self, team):
        self.costs, self.policy, self.free = team.costs, team.policy.pool, {}

    def get(self, processor):
        """ns of taking a descriptor."""
        if self.policy != "central" and processor.pool > 0:
            processor.pool -= 1
            return self.costs["pool_local"]
        processor.pool = HANDFUL - 1
        return self.go_up(processor)

    def put(self, processor):
        """ns of giving one back."""
        if self.policy != "central" and processor.pool < POOL_SIZE:
            processor.pool += 1
            return self.costs["pool_local"]
        processor.pool = POOL_SIZE - HANDFUL + 1
        return self.go_up(processor)

    def go_up(self, processor):
        """To the pool behind the processor's own, once that pool is free."""
        whose, cost = ((processor.domain, "pool_domain") if self.policy == "hier"
                       else ("central", "pool_central"))
        begins = max(processor.now, self.free.get(whose, 0.0))
        self.free[whose] = begins + self.costs[cost]
        return self.free[whose] - processor.now
