# explain_file.py - what the tool of `nanogomp run --explain` has counted in a process
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layout is that of tools/ompt/explain_file.h; both have the same numbers. A process that is
gone has left its file as it was then, however it ended. The members' tables are added up here.
Regions, waits, locks and work that were open then count up to the end. Times in the file are ticks;
here they are nanoseconds."""

import collections
import struct

from nanogomp_lib import sites

MAGIC = b"nthexpl4"
DEEP, LOCKS, ROWS = 16, 8, 512
HEAD_BYTES, ME_BYTES = 4096, 12 * 4096
REGION, MUTEX = 1, 2
KINDS = {REGION: "region", MUTEX: "mutex"}
CODE = (1 << 56) - 1

HEAD = struct.Struct("=8s12Q")
NOTES = struct.Struct("=7Q%dQ%dQ%dQ%dQ5Q" % (7 * DEEP, DEEP, DEEP, 3 * LOCKS))
ROW = struct.Struct("=9Q")
COUNTS = ("times", "ns", "member_ns", "wait_ns", "tasks", "work_ns", "slept_ns",
          "joins")  # of a row
TIMES = ("ns", "member_ns", "wait_ns", "work_ns", "slept_ns", "busy_most", "slept_most")
SHOWN = COUNTS + ("busy_most", "slept_most", "members")  # of a sum, in explain.Row's order

Task = collections.namedtuple("Task", "code since waited works_since worked pauses slept")
Look = collections.namedtuple("Look", "at cpu work thread")


class Member:
    """A member's notes."""

    def __init__(self, data, at):
        words = iter(NOTES.unpack_from(data, at))

        def some(count):
            return [next(words) for _ in range(count)]

        (self.is_made, depth, opens, self.wait_since, self.lock_since, self.lock_code,
         _) = some(7)
        self.tasks = [Task(*some(7)) for _ in range(DEEP)][:depth]
        opened, rows = some(DEEP)[:opens], some(DEEP)[:opens]
        self.held = [some(3) for _ in range(LOCKS)]
        self.look, (self.cpu_end,) = Look(*some(4)), some(1)
        self.factor = 1.0  # of the time that open work lasted: what was CPU time
        self.rows = list(ROW.iter_unpack(data[at + NOTES.size:at + NOTES.size + ROWS * ROW.size]))
        self.opened = [(self.rows[row][0], since) for row, since in zip(rows, opened)
                       if row < ROWS and self.rows[row][0]]

    @property
    def works_since(self):
        """When the work began that is open; 0: none."""
        return max((task.works_since for task in self.tasks), default=0)

    def note_cpu(self, end, tick):
        """Where the CPU time of its thread at the end is known: open work is no more than that."""
        lasted = until(self.works_since, end)
        if self.cpu_end and lasted:
            used = (self.cpu_end - self.look.cpu) / tick - self.look.work
            self.factor = min(1.0, max(0.0, used / lasted))

    def add_to(self, sums, end):
        """Adds all to {code with kind: Counter of SHOWN}."""
        own = collections.defaultdict(collections.Counter)
        for code, *counts in self.rows:
            if code:
                own[code].update(dict(zip(COUNTS, counts)))
        for code, since in self.opened:
            own[code].update(times=1, ns=until(since, end))
        inner, slept = 0, 0  # of the member in regions that it has opened in its task
        for task in reversed(self.tasks):
            waits = self.wait_since if task is self.tasks[-1] else 0
            inner += task.worked + int(self.factor * until(task.works_since, end))
            slept += task.slept
            own[task.code & CODE | REGION << 56].update(
                member_ns=until(task.since, end), work_ns=inner, slept_ns=slept, joins=1,
                wait_ns=task.waited + until(waits, end))
        for lock, code, since in self.held:
            if lock:
                own[code & CODE | MUTEX << 56].update(ns=until(since, end))
        if self.lock_since:
            own[self.lock_code & CODE | MUTEX << 56].update(wait_ns=until(self.lock_since, end))
        for code, one in own.items():
            total = sums[code]
            total.update(one, members=int(one["member_ns"] > 0))
            total["busy_most"] = max(total["busy_most"], one["work_ns"] + one["slept_ns"])
            total["slept_most"] = max(total["slept_most"], one["slept_ns"])


def until(since, end):
    """Time up to the end; since 0: nothing is open."""
    return max(0, end - since) if since else 0


def is_runtime(path):
    return path.rpartition("/")[2].startswith(("libgomp", "libomp", "libiomp"))


def place_of(code, places):
    """OFFSET FILE: where in the file the address is that is returned to, less one."""
    address = (code & CODE) - 1
    module = places.module_at(address)
    if module is None:
        return "0 ?"
    return "%d %s" % (address - module.start + module.offset, module.path)


def note_cpu(members, end, tick, process_ns):
    """Open work of members is CPU time as far as that is known. At exit() it is that of each
    thread. Otherwise the threads are gone: all work together is no more than the CPU time that the
    process had (process_ns, None: unknown), less that of its threads when it was last asked for."""
    for member in members:
        member.note_cpu(end, tick)
    unknown = [member for member in members if member.works_since and not member.cpu_end]
    lasted = sum(until(member.works_since, end) for member in unknown) * tick
    if process_ns is None or not lasted:
        return
    known = {}
    for member in members:
        known[member.look.thread] = max(member.look.cpu, known.get(member.look.thread, 0))
    for member in unknown:
        member.factor = min(1.0, max(0.0, (process_ns - sum(known.values())) / lasted))


def text_of(path, gone_ns, process_ns=None):
    """Lines of a name and numbers; None: the process left none. gone_ns: CLOCK_MONOTONIC when the
    process was gone, for one that did not end by exit(); process_ns: its CPU time, if known."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < HEAD_BYTES or data[:8] != MAGIC:
        return None
    try:
        with open(path + ".maps", errors="surrogateescape") as file:
            maps = file.read()
    except OSError:
        maps = ""
    (_, begun, ended, first, ns_first, ticks_now, ns_now, cpus, online, most, outer, changes,
     sizes) = HEAD.unpack_from(data)
    tick = (ns_now - ns_first) / max(1, ticks_now - first)
    end = ended or first + int((gone_ns - ns_first) / tick)
    sums, opened = collections.defaultdict(collections.Counter), {}
    members = [Member(data, at) for at in range(HEAD_BYTES, len(data) - ME_BYTES + 1, ME_BYTES)]
    members = [member for member in members if member.is_made]
    note_cpu(members, end, tick, process_ns)
    for member in members:
        member.add_to(sums, end)
        opened.update(dict.fromkeys(code for code, _ in member.opened))
    for one in sums.values():
        one.update({name: int(one[name] * tick) - one[name] for name in TIMES})
    places = sites.Sites(maps)
    lines = ["ended %d" % (ended > 0), "wall %d" % ((end - begun) * tick), "most %d" % most,
             "outer %d" % outer, "changes %d" % changes,
             "sizes %d %d" % (sizes >> 32, sizes & 0xffffffff), "cpus %d" % cpus,
             "online %d" % online]
    lines += ["%s %s %s" % (KINDS[code >> 56], " ".join(str(one[name]) for name in SHOWN),
                            place_of(code, places))
              for code, one in sums.items() if code >> 56 in KINDS]
    lines += ["open " + place_of(code, places) for code in opened]
    files = (line[line.find("/"):] for line in maps.splitlines() if "/" in line)
    lines += ["runtime " + one for one in dict.fromkeys(files) if is_runtime(one)]
    return "\n".join(lines) + "\n"
