# profile_raw.py - reads the files of the tool of `nanogomp profile`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layout is that of tools/ompt/profile_file.h; both have the same numbers. A process that ended
by exec, _exit() or a signal has left its file as it was then: what its members were in counts to
the end."""

import os
import struct

from nanogomp_lib import sites

MAGIC = b"nthprof1"
EVENTS, NAME, BINS = 8, 64, 256
NODE, ROW, CELL, MAPS = 1, 2, 3, 4
WORK, WAIT, OVERHEAD, IDLE = range(4)
STATES = ("work", "wait", "overhead", "idle")
KINDS = {1: "serial", 2: "region", 3: "task", 4: "loop", 5: "sections", 6: "single", 7: "scope",
         8: "taskloop", 9: "distribute", 10: "barrier", 11: "implicit barrier", 12: "taskwait",
         13: "taskgroup", 14: "lock", 15: "nest lock", 16: "critical", 17: "atomic", 18: "ordered"}
MUTEXES = ("lock", "nest lock", "critical", "atomic", "ordered")

HEAD = struct.Struct("=8sIIQQQQQQIIIIIIII%ds1024s1024s" % (EVENTS * NAME))
RECORD = struct.Struct("=II")
NODE_BODY = struct.Struct("=IIQQI")
ROW_BODY = struct.Struct("=IIQQQIIQII")
BIN = struct.Struct("=QQQQII")
CELL_BODY = struct.Struct("=IIQ4Q9Q%dQ" % EVENTS)


class BadFile(Exception):
    """Not such a file, or one that is damaged."""


class Node:
    """A construct: kind, site and caller (addresses), parent (a Node; None: the root)."""

    def __init__(self, kind, number, site, caller):
        self.kind, self.number, self.site, self.caller = kind, number, site, caller
        self.parent, self.children, self.cells = None, [], []

    @property
    def region(self):
        node = self
        while node.parent is not None and node.kind != "region":
            node = node.parent
        return node


class Cell:
    """What one member did at one node; times in seconds."""

    def __init__(self, values, seconds):
        self.member, self.node = values[0], values[1]
        self.times = [ticks * seconds for ticks in values[3:7]]
        self.count, self.units, self.size, self.least, self.most = values[7:12]
        self.held = values[12] * seconds
        self.samples, self.sampled = values[13], values[14] * seconds
        self.events = values[16:16 + EVENTS]


class Member:
    """begin, end: seconds from the profile's begin; life: of its threads. bins: of the time line,
    each (times by state, number of a region's node), of `width` seconds."""

    def __init__(self, number, is_initial):
        self.number, self.is_initial = number, is_initial
        self.cells = []

    def total(self, state):
        return sum(cell.times[state] for cell in self.cells)


class Profile:
    """One process. nodes: by number; members; sites: resolves addresses; seconds: from the tool's
    start to the end; complete: it ended by exit()."""

    def __init__(self, path, end_ns=None):
        """end_ns: CLOCK_MONOTONIC when the process was gone, for one that did not end by exit()."""
        self.path = path
        try:
            with open(path, "rb") as file:
                self._data = file.read()
        except OSError as error:
            raise BadFile("%s: %s" % (path, error.strerror)) from error
        if len(self._data) < HEAD.size or self._data[:8] != MAGIC:
            raise BadFile("%s: not a profile" % path)
        self.nodes, self.members, rows, cells, maps = {}, {}, [], [], []
        self._read_head(end_ns)
        for kind, body in self._records():
            if kind == NODE:
                self._add_node(body)
            elif kind == ROW:
                rows.append(body)
            elif kind == CELL:
                cells.append(CELL_BODY.unpack_from(body))
            elif kind == MAPS:
                maps.append(body.rstrip(b"\0").decode(errors="surrogateescape"))
        if 0 not in self.nodes:
            raise BadFile("%s: a profile without content" % path)
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
        self.sites = sites.Sites("".join(maps))
        del self._data

    def _read_head(self, end_ns):
        (_, self._head, self._chunk, self._begin, first, ns_first, ticks_now, ns_now, end, self.pid,
         parent, self.lost, events, counted, multiplexed, moved, _, names, program,
         why) = HEAD.unpack_from(self._data)
        if ticks_now <= first or ns_now <= ns_first or self._chunk < 4096 \
                or events > EVENTS:
            raise BadFile("%s: a damaged profile" % self.path)
        self.tick = (ns_now - ns_first) / (ticks_now - first) / 1e9
        self.complete, self.moved, self.parent = bool(end), bool(moved), parent or None
        if not end:
            end = first + int((end_ns - ns_first) / 1e9 / self.tick) if end_ns else ticks_now
        self._end = max(end, self._begin + 1)
        self.seconds = (self._end - self._begin) * self.tick
        self.program = text_of(program)
        self.events = [text_of(names[i * NAME:(i + 1) * NAME]) for i in range(events)]
        self.counted = [bool(counted >> i & 1) for i in range(events)]
        self.multiplexed = [bool(multiplexed >> i & 1) for i in range(events)]
        self.why = text_of(why).splitlines()

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
        number, is_initial, begin, end, since, _, _, width, threads, _ = ROW_BODY.unpack_from(body)
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
        if node and member:
            cell.node = node
            node.cells.append(cell)
            member.cells.append(cell)

    def _close_row(self, body):
        """Adds what a member was in when the process ended."""
        number, _, _, end, since, state, node, _, _, _ = ROW_BODY.unpack_from(body)
        if end or since >= self._end:
            return
        for cell in self.members[number].cells:
            if cell.node.number == node:
                cell.times[state] += (self._end - since) * self.tick

    @property
    def has_regions(self):
        return any(node.kind == "region" for node in self.nodes.values())

    def site_of(self, node):
        return self.sites.site(node.site) if node.site else None


def text_of(field):
    return field.partition(b"\0")[0].decode(errors="replace")


def read_folder(folder, end_ns=None):
    """The Profiles in a folder: those with regions first, the longest first."""
    found, bad = [], []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".nthprof"):
            try:
                found.append(Profile(os.path.join(folder, name), end_ns))
            except BadFile as error:
                bad.append(error)
    found.sort(key=lambda p: (not p.has_regions, -p.seconds))
    return found, bad
