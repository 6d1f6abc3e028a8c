# profile_raw.py - reads the files of the tool of `nanogomp profile`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layout is that of tools/ompt/profile_file.h; both have the same numbers. A process that ended
by exec, _exit() or a signal has left its file as it was then. What its members were in, and the
regions that were open, count to the end, as do those of a process that calls exit() in a region."""

import os
import struct

from nanogomp_lib import identity, sites

MAGIC = b"nthprof6"
EVENTS, NAME, BINS = 8, 64, 256
PROCESS = 2**32 - 1  # the member of cells with events of the process
NODE, ROW, CELL, MAPS = 1, 2, 3, 4
WORK, WAIT, OVERHEAD, IDLE = range(4)
STATES = ("work", "wait", "overhead", "idle")
JOINED = 2  # of a row's `late`
KINDS = {1: "serial", 2: "region", 3: "task", 4: "loop", 5: "sections", 6: "single", 7: "scope",
         8: "taskloop", 9: "distribute", 10: "barrier", 11: "implicit barrier", 12: "taskwait",
         13: "taskgroup", 14: "lock", 15: "nest lock", 16: "critical", 17: "atomic", 18: "ordered"}
MUTEXES = ("lock", "nest lock", "critical", "atomic", "ordered")

HEAD = struct.Struct("=8sIIQQQQQQQQIIIIIIIIQIIII%ds1024s1024s" % (EVENTS * NAME))
TIMES, GONE, PID, GONE_AT = slice(3, 8), 9, 11, 64  # places of values in it; of a byte
RECORD = struct.Struct("=II")
NODE_BODY = struct.Struct("=IIQQI")
ROW_BODY = struct.Struct("=IIQQQIIQIIQQQ")
BIN = struct.Struct("=QQQQII")
CELL_BODY = struct.Struct("=IIQ4Q10Q%dQ4IQ" % EVENTS)


class BadFile(Exception):
    """Not such a file, or one that is damaged."""


class Node:
    """A construct: kind, site and caller (addresses), parent (a Node; None: the root). process: its
    cells with the events of the process."""

    def __init__(self, kind, number, site, caller):
        self.kind, self.number, self.site, self.caller = kind, number, site, caller
        self.parent, self.children, self.cells, self.process = None, [], [], []

    @property
    def region(self):
        node = self
        while node.parent is not None and node.kind != "region":
            node = node.parent
        return node


class Cell:
    """What one member did at one node; times in seconds. open: it is a region that the member had
    opened when the process ended."""

    def __init__(self, values, seconds):
        self.member, self.node = values[0], values[1]
        self.times = [ticks * seconds for ticks in values[3:7]]
        self.count, self.units, self.size, self.least, self.most = values[7:12]
        self.opened, self.open = values[12], values[12] > 0
        self.held = values[13] * seconds
        self.samples, self.sampled = values[14], values[15] * seconds
        self.events = values[17:17 + EVENTS]
        self.team_least, self.team_most, self.team_asked, _, self.instance = values[17 + EVENTS:]

    def close(self, end):
        """A region that was open when its member or the process ended, in ticks, was so until then.
        The least of all is that of a whole one, if there is one."""
        if self.open:
            ticks = max(0, end - self.opened)
            self.least = self.least if self.units else ticks
            self.most = max(self.most, ticks)
            self.size += ticks
            self.units += 1


class Member:
    """begin, end: seconds from the profile's begin; life: of its threads. bins: of the time line,
    each (times by state, number of a region's node), of `width` seconds."""

    def __init__(self, number, is_initial):
        self.number, self.is_initial = number, is_initial
        self.cells = []

    def total(self, state):
        return sum(cell.times[state] for cell in self.cells)

    def lengthen(self, state, region, begin, end):
        """The member's line goes on in one state. Where there are too few bins, each two of them
        become one, as in the tool."""
        while end > BINS * self.width:
            pairs = zip(self.bins[::2], self.bins[1::2])
            self.bins = [([x + y for x, y in zip(a, b)], d or c) for (a, c), (b, d) in pairs]
            self.bins += [([0.0] * len(STATES), 0)] * (BINS // 2)
            self.width *= 2
        for i in range(int(begin / self.width), min(BINS, int(end / self.width) + 1)):
            ticks, node = self.bins[i]
            ticks = list(ticks)
            ticks[state] += min(end, (i + 1) * self.width) - max(begin, i * self.width)
            self.bins[i] = ticks, region or node


class Profile:
    """One process. nodes: by number; members; sites: resolves addresses; seconds: from the tool's
    start to the end; parallel: those of them in which a region was open; complete: it ended by
    exit(); end_known: somebody saw its end."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                self._data = file.read()
        except OSError as error:
            raise BadFile("%s: %s" % (path, error.strerror)) from error
        if self._data[:7] == MAGIC[:7] and self._data[7:8] != MAGIC[7:]:
            raise BadFile("%s: a profile of format %s, this command reads %s: the library is of "
                          "another version" % (path, self._data[7:8].decode("latin-1"),
                                               MAGIC[7:].decode()))
        if len(self._data) < HEAD.size or self._data[:8] != MAGIC:
            raise BadFile("%s: not a profile" % path)
        try:
            self._read()
        except (struct.error, IndexError, KeyError):
            raise BadFile("%s: a damaged profile" % path) from None
        del self._data

    def _read(self):
        self.nodes, self.members, rows, cells, maps = {}, {}, [], [], []
        self._read_head()
        for kind, body in self._records():
            if kind == NODE:
                self._add_node(body)
            elif kind == ROW:
                rows.append(body)
            elif kind == CELL:
                cells.append(CELL_BODY.unpack_from(body))
            elif kind == MAPS:
                maps.append(body.rstrip(b"\0").decode(errors="surrogateescape"))
        self._set_end(rows)
        if 0 not in self.nodes:
            raise BadFile("%s: a profile without content" % self.path)
        for node in self.nodes.values():
            if node.parent is not None:
                node.parent = self.nodes.get(node.parent, self.nodes[0])
                node.parent.children.append(node)
        for body in rows:
            self._add_row(body)
        for values in cells:
            self._add_cell(values)
        for body in rows:
            self._close_row(body)
        self.members = {n: m for n, m in self.members.items() if m.life > 0}
        self.sites = sites.Sites("".join(maps), noted=identity.noted(self.path))

    def _read_head(self):
        (_, self._head, self._chunk, self._begin, first, ns_first, ticks_now, ns_now, end, gone,
         started, self.pid, parent, self.lost, events, counted, multiplexed, moved, closed, inside,
         roots, shared, floating, _, names, program, why) = HEAD.unpack_from(self._data)
        if ticks_now <= first or ns_now <= ns_first or self._chunk < 4096 \
                or events > EVENTS:
            raise BadFile("%s: a damaged profile" % self.path)
        self.tick = (ns_now - ns_first) / (ticks_now - first) / 1e9
        self._around(started, gone,
                     begin_of(self._begin, first, ns_first, ticks_now, ns_now))
        self.complete, self.parent = bool(end), parent or None
        self.moved, self.closed = bool(moved), bool(closed)
        self.end_known = bool(end or gone)
        self._end = end or (first + int((gone - ns_first) / 1e9 / self.tick) if gone else ticks_now)
        self._inside, self._roots = inside, roots
        self.program = text_of(program)
        self.events = [text_of(names[i * NAME:(i + 1) * NAME]) for i in range(events)]
        self.counted = [bool((counted & ~floating) >> i & 1) for i in range(events)]
        self.shared = [bool(shared >> i & 1) for i in range(events)]
        self.floating = [bool(floating >> i & 1) for i in range(events)]
        self.multiplexed = [bool(multiplexed >> i & 1) for i in range(events)]
        self.why = text_of(why).splitlines()

    def _around(self, started, gone, begin_ns):
        """wall: seconds from the process's start by the command until it was gone; startup: those
        before the tool's begin. None: the command did not start it."""
        self.wall = (gone - started) / 1e9 if started else None
        self.startup = (begin_ns - started) / 1e9 if started else None

    def _set_end(self, rows):
        """If nobody saw the process's end, it is the last event of a member."""
        if not self.end_known:
            self._end = max([self._end] + [seen(*ROW_BODY.unpack_from(body)) for body in rows])
        self._end = max(self._end, self._begin + 1)
        self.seconds = (self._end - self._begin) * self.tick
        inside = (self._inside + (self._end if self._roots else 0)) % (1 << 64)
        inside -= 1 << 64 if inside >> 63 else 0
        self.parallel = min(max(0, inside), self._end - self._begin) * self.tick

    def _records(self):
        """(type, bytes behind the type and size) of each complete record."""
        at = self._head
        while at + RECORD.size <= len(self._data):
            kind, size = RECORD.unpack_from(self._data, at)
            if size == 0:  # the rest of the chunk is empty
                at = (at // self._chunk + 1) * self._chunk
                continue
            if size < RECORD.size or at + size > len(self._data):
                raise BadFile("%s: damaged at byte %d" % (self.path, at))
            if kind:
                yield kind, self._data[at + RECORD.size:at + size]
            at += size

    def _add_node(self, body):
        kind, number, site, caller, parent = NODE_BODY.unpack_from(body)
        node = self.nodes[number] = Node(KINDS.get(kind, "construct"), number, site, caller)
        node.parent = parent if number else None

    def _add_row(self, body):
        number, is_initial, begin, end, since, _, _, width, threads, *_ = ROW_BODY.unpack_from(body)
        member = self.members[number] = Member(number, bool(is_initial))
        end = end or max(self._end, since)
        member.begin, member.end = ((t - self._begin) * self.tick for t in (begin, end))
        member.life, member.threads = (end - begin) * self.tick, threads
        member.width, member.bins = width * self.tick, []
        for i in range(BINS):
            *ticks, node, _ = BIN.unpack_from(body, ROW_BODY.size + i * BIN.size)
            member.bins.append(([t * self.tick for t in ticks], node))

    def _add_cell(self, values):
        cell = Cell(values, self.tick)
        node, member = self.nodes.get(cell.node), self.members.get(cell.member)
        if node and cell.member == PROCESS:
            node.process.append(cell)
        if node and member:
            cell.node = node
            node.cells.append(cell)
            member.cells.append(cell)

    def _close_row(self, body):
        """Adds what a member was in when the process ended."""
        number, _, _, end, since, *_ = ROW_BODY.unpack_from(body)
        member = self.members[number]
        for cell in member.cells:
            cell.close(end or max(self._end, since))
        if end or since >= self._end:
            return
        for node, state, begin, stop in self._spans(member, body):
            if begin < stop:
                cell = self._cell_of(member, node)
                cell.times[state] += (stop - begin) * self.tick
                member.lengthen(state, cell.node.region.number,
                                max(0, begin - self._begin) * self.tick,
                                (stop - self._begin) * self.tick)

    def _spans(self, member, body):
        """(node, state, begin, end) of what is not in a member's cells, in ticks."""
        _, _, _, _, since, state, node, _, _, late, came, joined, instance = \
            ROW_BODY.unpack_from(body)
        if not late:
            return [(node, state, since, self._end)]
        opened = [(cell.opened, cell.node.number) for around in self.nodes.values()
                  for cell in around.cells if cell.open and cell.instance == instance]
        if not opened:
            return [(node, state, since, self._end)]
        begin, region = max(opened)
        begin, ends = max(begin, since), joined if late == JOINED else self._end
        self._cell_of(member, region).count += 1
        return [(node, state, since, begin), (region, OVERHEAD, begin, came),
                (region, WORK, came, ends), (region, WAIT, ends, self._end)]

    def _cell_of(self, member, number):
        for cell in member.cells:
            if cell.node.number == number:
                return cell
        self._add_cell([member.number, number] + [0] * (EVENTS + 20))
        return member.cells[-1]

    @property
    def has_regions(self):
        return any(node.kind == "region" for node in self.nodes.values())

    def site_of(self, node):
        return self.sites.site(node.site) if node.site else None


def seen(*row):
    """The last moment that a row tells of, in ticks."""
    late, came, joined = row[9:12]
    return max(row[4], came if late else 0, joined if late == JOINED else 0)


def begin_of(begin, first, ns_first, ticks_now, ns_now):
    """When a profile begins, ns of CLOCK_MONOTONIC; from the times in its head."""
    return ns_first + int((begin - first) * (ns_now - ns_first) / max(1, ticks_now - first))


def text_of(field):
    return field.partition(b"\0")[0].decode(errors="surrogateescape")


def files_of(folder, but=()):
    """Paths of the profiles in a folder, without some of them."""
    paths = (os.path.join(folder, name) for name in sorted(os.listdir(folder))
             if name.endswith(".nthprof"))
    return [path for path in paths if path not in but]


def note_gone(folder, earlier, pid, begin_ns, end_ns):
    """Writes into the files of processes that are gone when they were seen to be so, and of process
    `pid`, which the command has started, when that was. Both by CLOCK_MONOTONIC. Where a process
    has executed another program, the first one is gone when the other begins. earlier: files of
    runs before, which stay as they are."""
    gone = {}  # by process, when its last program began
    for first, process, path in sorted(heads_of(files_of(folder, earlier)), reverse=True):
        if begin_ns < first < end_ns:
            try:
                with open(path, "r+b") as file:
                    file.seek(GONE_AT)
                    file.write(struct.pack("=QQ", gone.get(process, end_ns),
                                           begin_ns if process == pid else 0))
            except OSError:
                pass  # it is read as it is
            gone[process] = first


def heads_of(paths):
    """(ns of its begin, process, path) of those files whose processes are not known to be gone."""
    for path in paths:
        try:
            with open(path, "rb") as file:
                values = HEAD.unpack_from(file.read(HEAD.size))
        except (OSError, struct.error):
            continue
        if values[0] == MAGIC and not values[GONE]:
            yield begin_of(*values[TIMES]), values[PID], path


def read_folder(folder, but=()):
    """(the Profiles in a folder without some files, those with regions first, the longest first;
    what is none)"""
    found, bad = [], []
    for path in files_of(folder, but):
        try:
            found.append(Profile(path))
        except BadFile as error:
            bad.append(error)
    found.sort(key=lambda p: (not p.has_regions, -p.seconds))
    return found, bad
