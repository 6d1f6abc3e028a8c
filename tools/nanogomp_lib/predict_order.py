# predict_order.py - the order of iterations: ordered parts, source and sink of doacross loops
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Members tell each other how far they are, and wait for it:

  ordered    A chunk takes its turn before its first ordered part and passes it after its last one.
             A chunk with fewer parts than iterations passes it at its end.
  doacross   An iteration waits for the iterations of earlier chunks that its sinks name. The end of
             a chunk counts as the source of all its iterations.

Waiting members run no tasks. News of another processor costs a line transfer."""

import bisect
import collections

from nanogomp_lib import predict_trace as trace
from nanogomp_lib.predict_team import Pieces, chunks_of, static_parts

REACH, NEED = 102, 103  # kinds of steps, beside those of predict_tasks.py
THE_END = float("inf")


class Progress:
    """How far the iterations of one loop are: for each key the value reached. Ordered: one key, the
    iteration whose turn it is. Doacross: a key for each iteration of the outermost loop."""

    def __init__(self):
        self.reached, self.waiting = {}, {}

    def reach(self, key, value, processor):
        """The waiting (processor, instance) that need wait no longer."""
        self.reached[key] = (value, processor)
        ready = [entry[1:] for entry in self.waiting.get(key, ()) if entry[0] <= value]
        if ready:
            self.waiting[key] = [entry for entry in self.waiting[key] if entry[0] > value]
        return ready

    def has(self, key, value):
        """The processor that has reached the value, or None."""
        found, processor = self.reached.get(key, (-1, None))
        return processor if found >= value else None

    def wait(self, key, value, processor, instance):
        self.waiting.setdefault(key, []).append((value, processor, instance))


def cut(loop, ends, first, last):
    """The steps of the iterations first to last. ends: of the pieces. Of a piece that is cut each
    part has its share of the work, and the first part what else there is."""
    steps, place = [], bisect.bisect_right(ends, first)
    while place < len(ends) and first < last:
        start = ends[place - 1] if place else 0
        until, own = min(last, ends[place]), loop.pieces[place][1]
        if (first, until) == (start, ends[place]):
            steps += own
        else:
            part = (until - first) / (ends[place] - start)
            steps += [(trace.WORK, step[1] * part, trace.MASTER) if step[0] == trace.WORK else step
                      for step in own if step[0] == trace.WORK or first == start]
        first, place = until, place + 1
    return steps


def in_order(loop, progress, steps, first, last):
    """A chunk's steps with what it waits for and what it tells."""
    if loop.flags & trace.DOACROSS:
        return doacross(progress, steps, first, last)
    if loop.flags & trace.ORDERED:
        return ordered(progress, steps, first, last)
    return steps


def ordered(progress, steps, first, last):
    made, left = [], last - first
    for step in steps:
        if step[0] != trace.ORDER or left == 0:
            made.append(step)
            continue
        if left == last - first and first > 0:
            made.append((NEED, progress, 0, first))
        made += step[1]
        left -= 1
        if left == 0:
            made.append((REACH, progress, 0, last))
    if left == last - first and first > 0:
        made.append((NEED, progress, 0, first))
    if left > 0:
        made.append((REACH, progress, 0, last))
    return made


def doacross(progress, steps, first, last):
    made = []
    for step in steps:
        if step[0] == trace.POST:
            made.append((REACH, progress, step[1], step[2]))
        elif step[0] != trace.SINK:
            made.append(step)
        elif step[1] < first:  # the runtime waits for earlier chunks only
            made.append((NEED, progress, step[1], step[2]))
    return made + [(REACH, progress, i, THE_END) for i in range(first, last)]


class SharedLoop:
    """A loop that the members of a team are in. parts: of each member of a static loop, else the
    chunks that are left; free: when the counter can give out the next one."""
    __slots__ = ("loop", "pieces", "parts", "free", "progress")

    def __init__(self, loop, members, time_of):
        self.loop, self.pieces, self.free = loop, Pieces(loop, time_of), 0.0
        self.progress = Progress()
        if loop.schedule == trace.STATIC:
            self.parts = static_parts(loop, self.pieces.count, members)
        else:
            self.parts = collections.deque(chunks_of(loop, members, self.pieces))

    def steps(self, first, last):
        """Those of a chunk."""
        own = cut(self.loop, self.pieces.ends, first, last)
        return in_order(self.loop, self.progress, own, first, last)


def chain(loop, chain_of):
    """ns of the longest chain through a loop whose iterations wait for each other, on as many
    processors as it has iterations. chain_of(steps): ns of steps."""
    reached, longest, first = {}, 0.0, 0
    for count, steps in loop.pieces:
        now = 0.0
        for step in steps:
            if step[0] == trace.ORDER:
                now = max(now, reached.get(0, 0.0)) + chain_of(step[1])
                reached[0] = now
            elif step[0] == trace.SINK and step[1] < first:
                now = max(now, reached.get(step[1:], 0.0))
            elif step[0] == trace.POST:
                reached[step[1:]] = now
            else:
                now += chain_of((step,))
        longest, first = max(longest, now), first + count
    return longest
