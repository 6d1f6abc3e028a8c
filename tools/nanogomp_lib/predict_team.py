# predict_team.py - what a team costs: fork, join, barrier, chunks; regions without tasks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A team's members are on the processors 0, stride, 2 stride, ... of a machine. Clocks are ns from
the moment at which its master comes to the region; clocks[0] is the master's."""

import bisect
import heapq

from nanogomp_lib import predict_trace as trace

TREE_ARITY = 4


class Policy:
    """fork: lwd or gwd; join: flat or tree; pool: hier, local or central."""

    def __init__(self, fork="lwd", join="flat", pool="hier"):
        self.fork, self.join, self.pool = fork, join, pool


class Team:
    """The costs of a team; each is a method."""

    def __init__(self, machine, policy, members, stride=1):
        self.machine, self.policy, self.members, self.stride = machine, policy, members, stride
        self.costs = machine.costs
        self.lines = [self.line(0, i) if i else 0 for i in range(members)]
        self.kept, self.starts, self.joins = {}, {}, {}

    def place(self, member):
        """A member's processor."""
        return member * self.stride

    def line(self, one, other):
        return self.machine.line(one * self.stride, other * self.stride)

    def fork(self, asleep=False):
        """When each member starts; one list for all regions. LWD: the master writes to one slave
        after the other, and has its own part last. GWD: it writes once; the slaves read that one
        line one after the other. asleep: a call wakes each slave, which takes its time."""
        if asleep not in self.starts:
            self.starts[asleep] = self.starts_of(asleep)
        return self.starts[asleep]

    def starts_of(self, asleep):
        n, each = self.members, self.costs["fork_slave"]
        if n == 1:
            return [self.costs["region_alone"]]
        if self.policy.fork == "gwd":
            step = self.costs["fork_shared"]
            starts = [each] + [each + i * step + self.lines[i] for i in range(1, n)]
        else:
            starts = [(n - 1) * each] + [i * each + self.lines[i] for i in range(1, n)]
        if asleep:
            call, wake = self.costs["wake_call"], self.costs["wake"]
            starts = [start + (i * call + wake if i else (n - 1) * call)
                      for i, start in enumerate(starts)]
        return starts

    def join(self, clocks):
        """When the master goes on. Flat: it looks after each slave's line in turn."""
        if self.members == 1:
            return clocks[0]
        if self.policy.join == "tree":
            return self.gather(clocks)
        now, each = clocks[0], self.costs["join_slave"]
        for i in range(1, self.members):
            arrived = clocks[i] + self.lines[i]
            now = (arrived if arrived > now else now) + each
        return now

    def gather(self, clocks):
        """Arrivals go up a tree in which a node has TREE_ARITY children: i's are 4i+1 to 4i+4."""
        up, each = list(clocks), self.costs["tree_node"]
        for i in range(self.members - 1, 0, -1):
            parent = (i - 1) // TREE_ARITY
            arrived = up[i] + self.line(i, parent)
            up[parent] = (arrived if arrived > up[parent] else up[parent]) + each
        return up[0]

    def release(self):
        """From the master's knowledge that all are there until the last member goes on."""
        if self.members == 1:
            return 0
        if self.policy.join == "flat":
            return max(self.lines) + (self.members - 2) * self.costs["fork_shared"]
        node, total = self.members - 1, 0
        while node > 0:  # the deepest leaf
            parent = (node - 1) // TREE_ARITY
            total += self.line(node, parent) + self.costs["tree_node"]
            node = parent
        return total

    def barrier(self, clocks):
        """When all members go on."""
        return self.join(clocks) + self.release()

    def equal(self, name):
        """join() or barrier() of members that arrive at once, from their arrival on."""
        if name not in self.kept:
            self.kept[name] = getattr(self, name)([0.0] * self.members)
        return self.kept[name]


# --- loops ---

class Pieces:
    """A loop's time over its iterations: within a piece it is even."""

    def __init__(self, loop, time_of):
        """time_of(steps): ns of the steps of a piece."""
        self.count, self.ends, self.sums = 0, [], []
        total = 0.0
        for count, steps in loop.pieces:
            self.count += count
            total += time_of(steps)
            self.ends.append(self.count)
            self.sums.append(total)
        self.total = total

    def before(self, iteration):
        """ns of all iterations before this one; not only whole numbers."""
        if iteration <= 0 or not self.ends:
            return 0.0
        place = bisect.bisect_left(self.ends, iteration)
        if place >= len(self.ends):
            return self.total
        first, base = (self.ends[place - 1], self.sums[place - 1]) if place else (0, 0.0)
        part = (iteration - first) / (self.ends[place] - first)
        return base + part * (self.sums[place] - base)

    def between(self, first, last):
        return self.before(last) - self.before(first)


def chunks_of(loop, members, pieces):
    """[(first, last)] that a dynamic or guided loop gives out. A guided chunk is half of an even
    share of what is left, a gss chunk all of it: nth_cut_parts() of the runtime."""
    count, chunk = pieces.count, max(1, loop.chunk)
    if loop.schedule in (trace.GUIDED, trace.GSS):
        at, parts = 0, members if loop.schedule == trace.GSS else 2 * members
        while at < count:
            size = min(count - at, max(chunk, -(-(count - at) // parts)))
            yield at, at + size
            at += size
        return
    for at in range(0, count, chunk):
        yield at, min(count, at + chunk)


def static_parts(loop, count, members):
    """[[(first, last)]] of each member of a static loop."""
    if loop.chunk == 0:
        part, more = divmod(count, members)
        bounds = [i * part + min(i, more) for i in range(members + 1)]
        return [[(bounds[i], bounds[i + 1])] for i in range(members)]
    parts = [[] for _ in range(members)]
    for number, at in enumerate(range(0, count, loop.chunk)):
        parts[number % members].append((at, min(count, at + loop.chunk)))
    return parts


def loop_clocks(team, loop, pieces, clocks):
    """The members' clocks after their parts of a loop, and the time of the chunks' bookkeeping."""
    n, costs = team.members, team.costs
    if loop.schedule == trace.STATIC:
        parts = static_parts(loop, pieces.count, n)
        return [clock + sum(pieces.between(*part) for part in own)
                for clock, own in zip(clocks, parts)], 0.0
    ready = [(clock, i) for i, clock in enumerate(clocks)]
    heapq.heapify(ready)
    counter, overhead = 0.0, 0.0
    own, shared = costs["chunk_own"], costs["chunk"] if n > 1 else 0.0
    for first, last in chunks_of(loop, n, pieces):
        clock, i = ready[0]
        counter = max(clock, counter) + shared
        overhead += own + counter - clock
        heapq.heapreplace(ready, (counter + own + pieces.between(first, last), i))
    after = [0.0] * n
    for clock, i in ready:
        after[i] = clock
    return after, overhead


# --- regions without tasks ---

class Result:
    """Where the time of a region goes, ns of the master's clock; time is their sum.

    useful: the work divided by the members; repeated: work that each member does; beside: what both
    take longer beside others; sync: fork, join, barriers, locks; tasks: making, finding and
    starting tasks, chunks; rest: members wait for each other.
    """
    __slots__ = ("time", "useful", "repeated", "beside", "sync", "tasks", "rest")

    def __init__(self, time=0.0, useful=0.0, repeated=0.0, sync=0.0, tasks=0.0):
        self.time, self.useful, self.repeated = time, useful, repeated
        self.beside, self.sync, self.tasks = 0.0, sync, tasks
        self.rest = 0.0
        self.closed()

    def count(self, useful, longer, repeated=0.0):
        """Work, and what it takes longer in a team."""
        self.useful += useful
        self.repeated += repeated
        self.beside += (useful + repeated) * (longer - 1)

    def closed(self):
        self.rest = (self.time - self.useful - self.repeated - self.beside - self.sync
                     - self.tasks)
        return self

    def add(self, other):
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Clocks:
    """The members' clocks in a region, cheap as long as all do the same: values[i] + shift; or, if
    even, one value for all."""

    def __init__(self, team, asleep):
        self.team, self.asleep = team, asleep
        self.values, self.shift, self.even, self.fresh = team.fork(asleep), 0.0, False, True

    def add(self, ns):
        self.shift += ns

    def own(self):
        """A list of its own, for changes."""
        values = self.values * self.team.members if self.even else self.values
        self.values = [value + self.shift for value in values]
        self.shift, self.even, self.fresh = 0.0, False, False
        return self.values

    def end(self, name):
        """After a join or barrier; and the time from the last arrival on."""
        team = self.team
        if self.even:
            last, cost = self.values[0] + self.shift, team.equal(name)
            return last + cost, cost
        if self.fresh:
            key = name, self.asleep
            if key not in team.joins:
                team.joins[key] = getattr(team, name)(self.values), max(self.values)
            end, last = team.joins[key]
        else:
            end, last = getattr(team, name)(self.values), max(self.values)
        return end + self.shift, max(0.0, end - last)

    def meet(self):
        """A barrier; returns what it cost."""
        end, cost = self.end("barrier")
        self.values, self.shift, self.even, self.fresh = [end], 0.0, True, False
        return cost


class Stretch:
    """How many times as long work takes in a team: a member's own code, and what it gets (chunks,
    singles, tasks), whose data may be in another processor's cache."""
    __slots__ = ("own", "got")

    def __init__(self, own=1.0, got=1.0):
        self.own, self.got = own, got


def run_plain(team, region, time_of, asleep=False, stretch=Stretch()):
    """A region of work, loops, barriers and singles. time_of: of a piece's or a single's steps."""
    n, clocks = team.members, Clocks(team, asleep)
    result, segment = Result(), 0
    result.sync = max(team.fork(asleep))
    for step in region.steps:
        kind = step[0]
        if kind == trace.WORK:
            plain_work(region, segment, step, stretch.own, clocks, result)
        elif kind == trace.BARRIER:
            segment += 1
            result.sync += clocks.meet()
        elif kind == trace.SINGLE:
            ns, values = time_of(step[1]), clocks.own()
            values[min(range(n), key=values.__getitem__)] += ns * stretch.got
            result.count(ns / n, stretch.got)
        else:
            pieces = Pieces(step[1], lambda steps: time_of(steps) * stretch.got)
            clocks.values, overhead = loop_clocks(team, step[1], pieces, clocks.own())
            result.count(pieces.total / stretch.got / n, stretch.got)
            result.tasks += overhead / n
    result.time, cost = clocks.end("join")
    result.sync += cost
    return result.closed()


def plain_work(region, segment, step, longer, clocks, result):
    """Work of a member's own code: of each, of all together, or of the master."""
    n, alone, ns = clocks.team.members, step[1], step[1] * longer
    if step[2] == trace.EACH:
        result.count(0.0, longer, alone)
        clocks.add(ns)
    elif step[2] == trace.MASTER:
        clocks.own()[0] += ns
        result.count(alone / n, longer)
    else:
        weights, again = share_of(region, segment, n)
        gain = region.profile.gain(segment, n) if region.profile else 0.0
        if gain > 0:  # measured with what `longer` stands for
            longer, ns = 1 - gain, alone * (1 - gain)
        result.count(alone * (1 - again) / n, longer, alone * again)
        if weights is None:
            clocks.add(ns / n)
        else:
            clocks.values = [c + ns * (w + again) for c, w in zip(clocks.own(), weights)]


def share_of(region, segment, members):
    """(weights of the members or None where they are equal, part that each member repeats)."""
    if region.profile is None:
        return None, 0.0
    return region.profile.share(segment, members)
