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
                 "processor", "member", "table", "met", "is_last", "holder", "inline", "guarded")

    def __init__(self, steps, parent, group, member=None, task=None):
        self.task, self.parent, self.group, self.member = task, parent, group, member
        self.children = self.behind = 0
        self.after, self.table, self.met = None, None, 0
        self.frames, self.state, self.processor = [[steps, 0, None]], READY, None
        self.holder = None     # the processor whose pool its descriptor came from
        self.inline = False    # runs within its maker
        self.is_last = False   # waits at the region's end
        self.guarded = False   # made under a lock, or by such a task

    def may_begin(self, other):
        """Whether this one, which waits and is guarded, begins a task of a queue."""
        if self.state == GROUP_WAITS:
            return (other.group is self.group or
                    other.parent is self and leads_into(other, self.group))
        return other.parent is self


def leads_into(instance, group):
    """Whether a task of the group is behind this one."""
    left, seen = [instance], set()
    while left:
        for other in left.pop().after or ():
            if other.group is group:
                return True
            if other not in seen:
                seen.add(other)
                left.append(other)
    return False


class Processor:
    __slots__ = ("number", "domain", "now", "stack", "deque", "idle_since", "pool", "steal_free",
                 "stolen", "locks")

    def __init__(self, number, domain, now):
        self.number, self.domain, self.now = number, domain, now
        self.stack, self.deque = [], collections.deque()
        self.idle_since = None
        self.pool, self.steal_free = POOL_SIZE, 0.0
        self.locks = 0  # that the tasks of its stack have

    def is_guarded(self):
        """Whether a task that begins here may want a lock whose holder lies below it on the stack,
        or waits for a task below it. Then the one on top puts its tasks off, and where it waits
        begins only those for which it waits (runtime/omp/queue/sought.h)."""
        return self.locks > 0 or bool(self.stack) and self.stack[-1].guarded

    def may_begin(self, instance):
        return not self.is_guarded() or self.stack[-1].may_begin(instance)

    def place_in(self, deque, newest):
        """The place of the newest, or oldest, task that may begin here; None: there is none."""
        if not deque:
            return None
        if not self.is_guarded():
            return -1 if newest else 0
        places, top = range(len(deque)), self.stack[-1]
        return next((place for place in (reversed(places) if newest else places)
                     if top.may_begin(deque[place][1])), None)


class Lock:
    __slots__ = ("held", "waiting", "last")

    def __init__(self):
        self.held, self.waiting = False, collections.deque()
        self.last = None  # the processor that had it last
