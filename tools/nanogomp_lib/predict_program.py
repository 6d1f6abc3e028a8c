# predict_program.py - a whole program on some processors of a machine: serial parts and regions
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The outermost regions get all processors, or, if they have regions inside and two levels are
wanted, as many members as the outer level has; the inner ones then get an equal part each. Deeper
regions have one member."""

import sys

from nanogomp_lib import predict_order as order
from nanogomp_lib import predict_trace as trace
from nanogomp_lib.predict_tasks import Simulation
from nanogomp_lib.predict_team import Policy, Result, Stretch, Team, run_plain
from nanogomp_lib.predict_trace import inside

PLAIN = {trace.WORK, trace.BARRIER, trace.SINGLE, trace.LOOP}
SMALL = 0.001  # of the work of all regions
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20000))


def has_kind(steps, kinds):
    """Is there a step of these kinds, regions' own ones apart?"""
    return any(step[0] in kinds for step in trace.all_of(steps, (trace.REGION,)))


def is_plain(region):
    """Can run_plain() do it? Single blocks and pieces may hold work and regions."""
    if region.is_plain is None:
        parts = [part for step in region.steps for part in inside(step)]
        region.is_plain = (all(step[0] in PLAIN for step in region.steps)
                           and all(step[0] in (trace.WORK, trace.REGION)
                                   for part in parts for step in part))
    return region.is_plain


def is_nest(region):
    """Are there regions inside?"""
    if region.key is None:
        region.key = has_kind(region.steps, {trace.REGION})
    return region.key


class Settings:
    """What a replay assumes. clauses: whether num_threads clauses count, see Replay.size();
    traffic: GB/s of one processor at work; unsplit: what work outside of any construct is
    (trace.EACH or SHARED)."""

    def __init__(self, policy=None, clauses="auto", traffic=0.0, unsplit=trace.EACH):
        self.policy, self.clauses = policy or Policy(), clauses
        self.traffic, self.unsplit = traffic, unsplit


class Replay:
    """processors: how many of the machine's; outer: members of the outer level, None: one level."""

    def __init__(self, machine, processors, settings, outer=None):
        self.machine, self.processors, self.settings = machine, processors, settings
        self.outer = min(outer, processors) if outer else processors
        self.inner = processors // self.outer
        self.teams, self.times = {}, {}
        self.serial = 0.0
        self.total = Result()

    def team(self, members, stride):
        key = members, stride
        if key not in self.teams:
            self.teams[key] = Team(self.machine, self.settings.policy, members, stride)
        return self.teams[key]

    def size(self, region, limit):
        """A clause of 1 most often comes from the one thread that the program had when it was
        recorded: `auto` takes it for no clause."""
        how, clause = self.settings.clauses, region.clause
        if how == "ignore" or clause == 0 or how == "auto" and clause == 1:
            return limit
        return min(limit, clause)

    def away(self, members, stride):
        """The mean line transfer from another member, in near ones."""
        near = min(members, max(1, self.machine.per_domain // stride)) - 1
        line, far = self.machine.costs["line_near"], self.machine.costs["line_far"]
        if members == 1 or not line:
            return 1.0
        return (near + (members - 1 - near) * far / line) / (members - 1)

    def stretch(self, region, members, stride):
        """A Stretch. What a member gets takes longer by what is measured, which includes the factor
        `beside`, or by that factor where it is more. A gain that is measured counts alone."""
        own = self.beside(members, stride)
        if region.profile is None or members == 1:
            return Stretch(own, own)
        gain = region.profile.got_gain(members)
        if gain > 0:
            return Stretch(own, 1 - gain)
        travel = self.machine.costs["travel"] * self.away(members, stride)
        return Stretch(own, max(own, 1 + region.profile.travel(members) * travel))

    def beside(self, members, stride):
        """How much longer work takes when so many are at work, and use a domain's memory."""
        bandwidth = self.machine.costs["bandwidth"]
        slower = max(1.0, self.machine.costs["beside"]) if members * stride > 1 else 1.0
        if not self.settings.traffic or not bandwidth:
            return slower
        active = min(members, max(1, self.machine.per_domain // stride))
        return slower * max(1.0, active * self.settings.traffic / bandwidth)

    def region(self, region, level, asleep=False):
        """A Result."""
        nest = level == 0 and is_nest(region) and self.inner > 1
        limit = (self.outer if nest else self.processors) if level == 0 else (
            self.inner if level == 1 else 1)
        members = self.size(region, limit)
        stride = self.inner if nest else 1
        team = self.team(members, stride)
        run = run_plain if is_plain(region) else run_tasks
        stretch = self.stretch(region, members, stride)
        return run(team, region, lambda steps: self.time_of(steps, level + 1), asleep, stretch)

    def time_of(self, steps, level):
        """ns of steps that one member does, one after the other."""
        total, costs = 0.0, self.machine.costs
        for step in steps:
            kind = step[0]
            if kind == trace.WORK:
                total += step[1]
            elif kind == trace.REGION:
                key = step[1], level
                if key not in self.times:
                    self.times[key] = self.region(step[1], level).time
                total += self.times[key]
            else:
                total += sum(self.time_of(part, level) for part in inside(step))
                if kind == trace.TASK:
                    total += costs["task_at_once"]
                elif kind == trace.CRITICAL:
                    total += costs["lock_alone"]
        return total

    def run(self, steps):
        """Replays a program; its time is in self.time."""
        spin, since = self.machine.costs["spin"], 0.0
        for step in steps:
            if step[0] == trace.REGION:
                self.total.add(self.region(step[1], 0, since > spin))
                since = 0.0
            else:
                ns = self.time_of((step,), 0)
                self.serial += ns
                since += ns
        self.time = self.serial + self.total.time
        return self


def run_tasks(team, region, time_of, asleep, stretch):
    return Simulation(team, region, time_of, asleep, stretch).run()


def prepare(steps, unsplit):
    """Work of regions outside of any construct is shared, if that is the assumption."""
    for step in steps:
        if step[0] == trace.REGION and unsplit == trace.SHARED:
            step[1].steps[:] = [(trace.WORK, part[1], trace.SHARED)
                                if part[0] == trace.WORK and part[2] == trace.EACH else part
                                for part in step[1].steps]
        for part in inside(step):
            prepare(part, unsplit)


def work_in(steps):
    """ns of work in some steps and all that is inside them."""
    return sum(step[1] for step in trace.all_of(steps) if step[0] == trace.WORK)


def trimmed(steps):
    """The steps from the first region to the last one. Small regions at either end, as those that
    ask for the number of threads before the set-up, are left out with what is around them."""
    places = [i for i, step in enumerate(steps) if step[0] == trace.REGION]
    works = {i: work_in((steps[i],)) for i in places}
    least = SMALL * sum(works.values())

    def edge(order):
        seen = 0.0
        for i in order:
            seen += works[i]
            if seen > least:
                return i
        return order[0]
    return steps[edge(places):edge(places[::-1]) + 1] if places else steps


# --- the longest chain ---

def span(steps):
    """ns of the program on as many processors as it can use, all constructs free: what members
    share takes no time at all."""
    return sum(region_span(step[1]) if step[0] == trace.REGION else chain((step,))
               for step in steps)


def region_span(region):
    total, segment, end = 0.0, 0.0, 0.0
    for step in region.steps:
        if step[0] == trace.BARRIER:
            total, segment, end = total + max(segment, end), 0.0, 0.0
        elif step[0] == trace.WORK:
            segment += 0.0 if step[2] == trace.SHARED else step[1]
        elif step[0] == trace.LOOP:
            if step[1].flags:
                end = max(end, segment + order.chain(step[1], chain))
            segment += max((chain(part) / max(1, count) for count, part in step[1].pieces),
                           default=0.0)
        elif step[0] == trace.REGION:
            segment += region_span(step[1])
        elif step[0] == trace.TASK:
            end = max(end, segment + chain(step[1].steps))
        else:
            segment += chain(inside(step)[0]) if inside(step) else 0.0
    return total + max(segment, end)


def chain(steps):
    """ns of the longest chain through some steps and the tasks that they make."""
    return walk(steps)[1]


def walk(steps):
    """(ns until the steps are done, ns until all their tasks are)."""
    now, table, children, group, groups = 0.0, {}, 0.0, 0.0, []
    end = 0.0
    for step in steps:
        kind = step[0]
        if kind == trace.WORK:
            now += step[1]
        elif kind == trace.REGION:
            now += region_span(step[1])
        elif kind == trace.TASK:
            task, start = step[1], now
            for how, address in task.dependences:
                writers, readers = table.get(address, (0.0, 0.0))
                start = max(start, writers if how == trace.IN else max(writers, readers))
            own, whole = walk(task.steps)
            for how, address in task.dependences:
                writers, readers = table.get(address, (0.0, 0.0))
                table[address] = ((writers, max(readers, start + own)) if how == trace.IN
                                  else (start + own, 0.0))
            children = max(children, start + own)
            end, group = max(end, start + whole), max(group, start + whole)
            if task.undeferred:
                now = max(now, start + own)
        elif kind == trace.WAIT:
            now = max(now, children)
        elif kind == trace.GROUP_BEGIN:
            groups.append(group)
            group = 0.0
        elif kind == trace.GROUP_END:
            now = max(now, group)
            group = max(group, groups.pop() if groups else 0.0)
        else:
            for part in inside(step):
                own, whole = walk(part)
                end = max(end, now + whole)
                now += own
    return now, max(now, end)
