# predict_state.py - what a region with tasks consists of: processors, instances of tasks, locks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections

from nanogomp_lib.predict_pools import POOL_SIZE

(READY, WAITS, GROUP_WAITS, TASK_WAITS, BARRIER_WAITS, LOCK_WAITS, ENDED) = range(7)


class Group:
    __slots__ = ("open", "outer")

    def __init__(self, outer):
        self.open, self.outer = 0, outer


class Instance:
    """A task that was made. frames: [steps, next, lock to release at the end or None]."""
    __slots__ = ("task", "parent", "group", "children", "behind", "after", "frames", "state",
                 "processor", "member", "table", "met", "is_last", "holder", "inline", "older")

    def __init__(self, steps, parent, group, member=None, task=None):
        self.task, self.parent, self.group, self.member = task, parent, group, member
        self.children = self.behind = 0
        self.after, self.table, self.met = None, None, 0
        self.frames, self.state, self.processor = [[steps, 0, None]], READY, None
        self.holder = None     # the processor whose pool its descriptor came from
        self.inline = False    # runs within its maker
        self.is_last = False   # waits at the region's end
        self.older = 0         # steals after which no task of the deque is older than this one


class Processor:
    __slots__ = ("number", "domain", "now", "stack", "deque", "idle_since", "pool", "steal_free",
                 "stolen")

    def __init__(self, number, domain, now):
        self.number, self.domain, self.now = number, domain, now
        self.stack, self.deque = [], collections.deque()
        self.idle_since = None
        self.pool, self.steal_free = POOL_SIZE, 0.0
        self.stolen = 0  # from its deque, so far


class Lock:
    __slots__ = ("held", "waiting", "last")

    def __init__(self):
        self.held, self.waiting = False, collections.deque()
        self.last = None  # the processor that had it last
