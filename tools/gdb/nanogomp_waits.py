# nanogomp_waits.py - `nanogomp why` in gdb: who waits for whom, from the stacks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A thread waits if its stack enters the library by an entry that waits; the line of the program
is the one that called the entry. Who holds a lock stands in the notes of NTH_STALL or
NTH_STALL_SIGNAL, if the program was started with one of them. Otherwise it is inferred: a lock is
held by a thread that does not wait for it itself, and if there is one such thread, by that one.
"""

import os
import re

import gdb

import nanogomp_gdb as base

REASONS = base.part("reasons")
# What an entry of the library waits for, by its name or that of the function it ends in: a state.
ENTRIES = (
    ("wait_critical", r"critical"),
    ("wait_atomic", r"atomic_start"),
    ("wait_lock", r"omp_set_"),
    ("wait_mutex", r"nth_(nest_)?lock"),
    ("wait_taskgroup", r"task_?group"),
    ("wait_taskwait", r"task_?wait"),
    ("wait_ordered", r"ordered|doacross"),
    ("wait_barrier", r"barrier|GOMP_\w+_end(_cancel)?$|GOMP_single_copy_start"),
    ("wait_barrier_implicit_parallel", r"parallel|teams|_join"))
SYSTEM = ("libc.", "libc-", "ld-", "libpthread", "linux-vdso", "[vdso]")
DEEP = 200


def object_of(frame):
    return os.path.basename(gdb.solib_name(frame.pc()) or "")


def place_of(frame):
    """file:line (function) in the program"""
    sal = frame.find_sal()
    name = frame.name() or "%#x" % frame.pc()
    if sal.symtab and sal.line:
        return "%s:%d (%s)" % (sal.symtab.filename, sal.line, name)
    return "%s (%s)" % (object_of(frame) or "the program", name)


class Thread:
    """One OpenMP thread. state: of reasons.py, kind: its kind; place: where in the program; team:
    its address; lock: the lock's address, 0: not known."""

    def __init__(self, label, frame, member):
        self.label, self.state, self.place, self.lock = label, "idle", "", 0
        self.number = self.size = None
        self.notes = 0
        self.waits, self.may_wait = [], []
        self.team = 0
        self.find_entry(frame)
        if member is not None:
            now, tool = member["now"], member["tool"]
            self.notes = int(tool["notes"]) if int(tool) else 0
            self.take_noted(base.number(tool["state"]) if int(tool) else 0)
            self.team = int(now["team"])
            self.number, self.size = int(now["thread_num"]), int(now["team_size"])

    def find_entry(self, frame):
        inside, depth = [], 0
        while frame is not None and frame.is_valid() and depth < DEEP:
            name = object_of(frame)
            if name.startswith("libgomp"):
                inside.append(frame)
            elif inside or not name.startswith(SYSTEM):
                break
            frame, depth = frame.older(), depth + 1
        else:
            return
        if frame is None or object_of(frame).startswith(SYSTEM):
            return  # a worker of the library: no frame of the program
        self.place, self.state = place_of(frame), "work_parallel"
        for one in reversed(inside):  # the entry first; a tail call leaves no frame of it
            name = one.name() or ""
            found = [state for state, pattern in ENTRIES if re.search(pattern, name)]
            if found:
                self.state = found[0]
                break
        if self.kind == "lock":
            self.lock = lock_of(inside)

    def take_noted(self, number):
        """What the member notes is more exact than a function on its stack."""
        noted = REASONS.BY_NUMBER.get(number, "idle")
        if self.kind not in ("works", "idle") and REASONS.kind(noted) not in ("works", "idle"):
            self.state = noted

    @property
    def kind(self):
        return REASONS.kind(self.state)

    def title(self):
        member = "" if self.number is None else " (member %d of %d)" % (self.number, self.size)
        return "%s%s" % (self.label, member)


def lock_of(frames):
    """The lock's address by the entry's argument, if the debug information has it."""
    for frame in reversed(frames):
        for name in ("lock", "plock", "word"):
            try:
                return int(frame.read_var(name))
            except (gdb.error, ValueError, gdb.MemoryError):
                continue
    return 0


def noted_holders(core):
    """{notes: (locks held, lock waited for)} by the notes of NTH_STALL; None: there are none."""
    try:
        if not int(gdb.parse_and_eval("(int)nth_stall_on")):
            return None
        found = [s.value() for s in gdb.lookup_static_symbols("all")
                 if s.symtab and s.symtab.filename.endswith("told/stall.c")]
    except gdb.error:
        return None
    holders, at = {}, core.number(found[0]) if found else 0
    while at:
        notes = core.struct_at("nth_stall_notes", at)
        if core.number(notes["used"]):
            held = notes["held"]
            count = held.type.range()[1] + 1
            locks = [core.number(held[i]["lock"]) for i in range(count)]
            holders[at] = ([lock for lock in locks if lock], core.number(notes["wait"]))
        at = core.number(notes["next"])
    return holders


def threads_of(core):
    """All OpenMP threads, with those that no OS thread runs."""
    found, carried = [], []
    try:
        carried = core.members()
    except gdb.GdbError:
        pass
    runs = {m.runs.num: m for m in carried if m.runs}
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
        thread.switch()
        member = runs[thread.num].member if thread.num in runs else None
        if member is None:
            try:
                self_word = core.number(gdb.parse_and_eval("nth_member_self"))
                member = core.struct_at("nth_member", self_word) if self_word else None
            except (gdb.error, gdb.MemoryError):
                pass
        one = Thread("thread %d" % thread.num, gdb.newest_frame(), member)
        if member is not None or one.kind not in ("works", "idle"):
            found.append(one)
    for m in carried:
        if m.suspended:
            try:
                skip, frame = core.UNWINDER.show(m), gdb.newest_frame()
                for _ in range(skip):
                    frame = frame.older()
                found.append(Thread("member %d (no OS thread runs it)" % m.number, frame, m.member))
            finally:
                core.UNWINDER.hide()
    return [t for t in found if t.kind != "idle"]


def find_waits(threads, holders):
    """Fills in who waits for whom, as far as that is known."""
    for t in threads:
        others = [o for o in threads if o is not t]
        team = [o for o in others if o.team == t.team]
        if t.kind in ("barrier", "join"):
            t.waits = [o for o in team if o.kind != t.kind or o.place != t.place]
        elif t.kind == "lock":
            noted = holders.get(t.notes) if holders else None
            wanted = noted[1] if noted and noted[1] else t.lock
            if holders is not None and wanted:
                t.waits = [o for o in others if wanted in holders.get(o.notes, ([], 0))[0]]
            else:
                t.may_wait = [o for o in others if o.kind != "lock" or (
                    o.lock != t.lock if t.lock and o.lock else o.place != t.place)]
        elif t.kind in ("taskwait", "taskgroup"):
            t.may_wait = [o for o in team if o.kind in ("works", "lock", "ordered")]
        elif t.kind == "ordered":
            t.may_wait = [o for o in team if o.kind != "ordered"]
        if len(t.may_wait) == 1 and not t.waits:
            t.waits, t.may_wait = t.may_wait, []


def circle_from(start, path):
    for nxt in path[-1].waits:
        if nxt is start:
            return path
        if nxt not in path:
            found = circle_from(start, path + [nxt])
            if found:
                return found
    return None


def show(core):
    with core.Kept():
        holders = noted_holders(core)
        threads = threads_of(core)
    if not threads:
        print("nanogomp: no OpenMP thread works or waits")
        return
    find_waits(threads, holders)
    for t in threads:
        line = "%s %s at %s" % (t.title(), REASONS.text(t.state), t.place)
        if t.waits:
            line += ", for " + ", ".join(o.label for o in t.waits)
        elif t.may_wait:
            line += ", for one of " + ", ".join(o.label for o in t.may_wait)
        print("nanogomp: " + line)
    for t in threads:
        path = circle_from(t, [t])
        if path:
            print("nanogomp: a circle that cannot end: "
                  + " waits for ".join(o.label for o in path + [t]))
            break
    if holders is None and any(t.kind == "lock" for t in threads):
        print("nanogomp: who holds a lock is inferred; a program that is started with "
              "NTH_STALL_SIGNAL=USR1 notes it")
