# predict_profile.py - how the members of a record with a team of n share what looks like one work
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Static loops have no entries, so a record with one member does not show how they are cut. In a
record with n members each has a time of its own from barrier to barrier (a segment). Of all runs of
one region's function these times are added up:

  their shares tell how uneven the work is, as if the iterations were cut into n blocks
  their sum beyond that of the record with one member is what all members repeat

The time in constructs (chunks, singles, tasks) is added up, too. Its sum beyond that of the record
with one member is what it costs that data are in the cache of another processor (travel): of n
members each finds an n-th of the data in its own cache.

Either sum may also be smaller than that of the record with one member: the caches of n processors
hold more of the data (gain).
"""

from nanogomp_lib import predict_trace as trace

REPEAT_NOISE = 0.02  # of the work of one member: less is taken for noise, also of a gain
TRAVEL_NOISE = 0.02  # the same of what a lone member does in constructs


def part_saved(alone, together, n, members):
    """The part of a lone member's time that a team of `members` saves, where n members need
    `together`. More than n members are taken to save no more than n do."""
    if n < 2 or alone <= 0 or together <= 0 or 1 - together / alone < REPEAT_NOISE:
        return 0.0
    return (1 - together / alone) * min(1.0, (1 - 1 / members) / (1 - 1 / n))


class Profile:
    """Of a region's function: segments[j][i] is the time of member i; serial[j] that of a member
    that is alone."""

    def __init__(self):
        self.segments, self.serial, self.kept = [], [], {}
        self.got, self.got_alone, self.members = 0.0, 0.0, 1  # ns in constructs

    def add(self, times, segment, member, ns):
        while len(times) <= segment:
            times.append([] if times is self.segments else 0.0)
        if times is self.serial:
            times[segment] += ns
            return
        row = times[segment]
        row.extend([0.0] * (member + 1 - len(row)))
        row[member] += ns

    def sums(self, segment):
        """(members, ns of a member that is alone, ns of all members together); 0 if not known"""
        if segment >= len(self.segments) or segment >= len(self.serial):
            return 0, 0.0, 0.0
        row = self.segments[segment]
        return len(row), self.serial[segment], sum(row)

    def repeated(self, segment):
        """The part of a lone member's work that each member of a team does."""
        n, alone, together = self.sums(segment)
        if n < 2 or alone <= 0:
            return 0.0
        part = (together / alone - 1) / (n - 1)
        return 0.0 if part < REPEAT_NOISE else min(1.0, part)

    def gain(self, segment, members):
        """The part of a lone member's work that a team of so many saves."""
        n, alone, together = self.sums(segment)
        return part_saved(alone, together, n, members)

    def got_gain(self, members):
        """The same of work in constructs."""
        return part_saved(self.got_alone, self.got, self.members, members)

    def travel(self, members):
        """The part by which work in constructs takes longer in a team of so many."""
        n = self.members
        if n < 2 or self.got_alone <= 0:
            return 0.0
        longer = self.got / self.got_alone - 1
        if longer < TRAVEL_NOISE:
            return 0.0
        return longer * n / (n - 1) * (members - 1) / members

    def share(self, segment, members):
        """(weights of the members, which add up to 1 - the part below; that part)"""
        key = segment, members
        if key not in self.kept:
            self.kept[key] = self.shares(segment, members)
        return self.kept[key]

    def shares(self, segment, members):
        if segment >= len(self.segments) or not sum(self.segments[segment]):
            return None, 0.0
        row, again = self.segments[segment], self.repeated(segment)
        total, n = sum(row), len(row)
        before, sums = 0.0, [0.0]
        for ns in row:
            before += ns / total
            sums.append(before)

        def until(place):
            """The share of the blocks before a place from 0 to 1."""
            block = min(int(place * n), n - 1)
            return sums[block] + (place * n - block) * (sums[block + 1] - sums[block])

        weights = [(until((i + 1) / members) - until(i / members)) * (1 - again)
                   for i in range(members)]
        return weights, again


def segments_of(events):
    """(region, segment, member, team size, ns) of the outermost regions of one thread's events."""
    depth, region, segment, member, size, since = 0, 0, 0, 0, 1, None
    for name, small, a, b, ns in events:
        if name == "member_begin":
            depth += 1
            if depth == 1:
                region, segment, member, size, since = a, 0, small, b, ns
            continue
        if depth != 1:
            depth -= name == "member_end"
            continue
        ends = name.endswith("_enter") or name in ("member_end", "split", "group_begin")
        if ends and since is not None:
            yield region, segment, member, size, ns - since
            since = None
        if name in ("barrier_enter", "loop_end_enter") and not (name[0] == "l" and small):
            segment += 1
        if name == "chunk":
            since = None if b else ns  # chunks have times of their own
        elif name == "single_leave":
            since = None if small else ns
        elif name.endswith("_leave") or name in ("split", "group_begin", "loop_enter"):
            since = ns
        if name == "member_end":
            depth -= 1


class Constructs:
    """Follows one thread's events; yields (region, team size, ns) of the program's own time in
    chunks, singles and tasks of the outermost regions. Members that have come to a region's end go
    on with its tasks."""

    def __init__(self):
        self.depth, self.frames, self.since = 0, [], None
        self.region, self.size, self.is_ending = 0, 1, False

    def times(self, events):
        for name, small, a, b, ns in events:
            if name == "member_begin":
                self.depth += 1
                if self.depth == 1:
                    self.region, self.size, self.frames, self.since = a, b, [], ns
                    self.is_ending = False
            elif self.depth == 1 or self.is_ending:
                if (name in STOPS or name.endswith("_enter")) and self.since is not None:
                    if self.frames:
                        yield self.region, self.size, ns - self.since
                    self.since = None
                self.change(name, small, b)
                if name in STARTS or name.endswith("_leave"):
                    self.since = ns
            if name == "member_end":
                self.depth -= 1
                self.is_ending = self.depth == 0
            elif name == "region_leave" and self.depth == 0:
                self.is_ending = False

    def change(self, name, small, b):
        """Which constructs the thread is in."""
        if name in ("next_enter", "chunk", "loop_end_enter"):
            self.pop("chunk")
        elif name in ("barrier_enter", "single_enter", "loop_enter"):
            self.pop("single")
        elif name == "task_end":
            self.pop("task")
        if name == "task_begin":
            self.frames.append("task")
        elif name == "chunk" and b:
            self.frames.append("chunk")
        elif name == "single_leave" and small and not self.frames:
            self.frames.append("single")

    def pop(self, kind):
        if self.frames and self.frames[-1] == kind:
            self.frames.pop()


# Events, beside those called enter and leave, between which the program's own code does not run, or
# after which it goes on.
STOPS = {"member_end", "task_end", "split", "group_begin", "post", "sink"}
STARTS = {"task_begin", "chunk", "split", "group_begin", "post", "sink", "loop_enter"}


def got_in(steps):
    """ns of a lone member in the constructs of a region, without regions inside."""
    constructs = [step for step in steps if step[0] in (trace.LOOP, trace.SINGLE, trace.TASK)]
    return sum(step[1] for step in trace.all_of(constructs, (trace.REGION,))
               if step[0] == trace.WORK)


def order_of(functions):
    """{function: its number, in the order of their first calls}; addresses differ between runs."""
    return {function: i for i, function in enumerate(dict.fromkeys(functions))}


def profiles(record):
    """{number of a region's function: Profile} of a record with teams."""
    regions, rows, got, main = {}, [], [], []
    for i, (_, text) in enumerate(record.threads):
        events = list(trace.iterate(text))
        opened = [(a, b) for name, _, a, b, _ in events if name == "region_enter"]
        regions.update(opened)
        if i == 0:
            main = [function for _, function in opened]
        rows += segments_of(events)
        got += Constructs().times(events)
    found, order = {}, order_of(main)

    def of_team(times, region_at, size_at):
        """(Profile, row) of the rows of teams whose regions the main thread has opened."""
        for row in times:
            function = regions.get(row[region_at])
            if row[size_at] > 1 and function in order:
                yield found.setdefault(order[function], Profile()), row

    for profile, (_, segment, member, _, ns) in of_team(rows, 0, 3):
        profile.add(profile.segments, segment, member, ns)
    for profile, (_, size, ns) in of_team(got, 0, 1):
        profile.got += ns
        profile.members = max(profile.members, size)
    return found


def all_regions(steps):
    """A program's regions in the order in which they were opened."""
    for step in steps:
        if step[0] == trace.REGION:
            yield step[1]
        for part in trace.inside(step):
            yield from all_regions(part)


def regions_in(steps):
    """The outermost regions of a program's steps."""
    for step in steps:
        if step[0] == trace.REGION:
            yield step[1]


def attach(steps, record):
    """Gives the regions of a serial record their profiles; returns how many have one."""
    found, count = profiles(record), 0
    order = order_of(region.function for region in all_regions(steps))
    for region in regions_in(steps):
        profile = found.get(order[region.function])
        if profile is None:
            continue
        region.profile, count, segment = profile, count + 1, 0
        profile.got_alone += got_in(region.steps)
        for step in region.steps:
            if step[0] == trace.WORK:
                profile.add(profile.serial, segment, 0, step[1])
            segment += step[0] == trace.BARRIER
    return count
