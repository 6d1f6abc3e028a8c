# share_table.py - the tables by which programs share processors: who holds what
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table is a segment of shared memory (System V; struct nth_table, runtime/sched/share/table.h).
Each process has a slot. What a process may use at most, a word of its slot, is the only one that
somebody else writes."""

import contextlib
import ctypes
import os
import time

SEGMENTS = "/proc/sysvipc/shm"
MAGIC, BYTES, REMOVED = 0x32307468656c6261, 4096, 0o1000
BELL_AT, NAME_AT, NAME_BYTES, SLOTS, SLOT_BYTES = 8, 16, 48, 63, 64
OWNER_AT, BEAT_AT, WANTS_AT, MOST_AT, HAS_AT, RUNNING_AT, PROCESSORS_AT, IDLE_AT = (
    0, 8, 12, 16, 20, 24, 28, 32)
PIDS, ALL = 1 << 22, 2**32 - 1
IPC_RMID = 0

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
libc.shmdt.argtypes = (ctypes.c_void_p,)


def has_attached(pid, segment):
    """Whether a process has it, as far as one may know."""
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="replace") as maps:
            rows = [line.split(None, 5) for line in maps]
    except OSError:
        return True
    return any(len(row) == 6 and row[5].startswith("/SYSV") and int(row[4]) == segment
               for row in rows)


class BadTable(Exception):
    """The segment is no table of this user, or no segment can be seen."""


def segments():
    """The numbers of this user's segments that may be tables, oldest first."""
    try:
        with open(SEGMENTS, encoding="ascii") as file:
            rows = [line.split() for line in file]
    except OSError as error:
        raise BadTable("%s: %s" % (SEGMENTS, error.strerror)) from None
    if not rows:
        return []
    column = {name: i for i, name in enumerate(rows[0])}
    me = str(os.geteuid())
    return [int(row[column["shmid"]]) for row in rows[1:]
            if row[column["uid"]] == row[column["cuid"]] == me
            and int(row[column["size"]]) == BYTES
            and int(row[column["perms"]], 8) & (REMOVED | 0o777) == 0o600]


def command_of(pid):
    try:
        with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as file:
            return "".join(c if c.isprintable() else "?" for c in file.read().strip()) or "?"
    except OSError:
        return None


def is_stopped(pid):
    """By a signal or a debugger."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[:1] in (["T"], ["t"])
    except OSError:
        return False


def remove(segment):
    """Who has it attached keeps it."""
    return libc.shmctl(segment, IPC_RMID, None) == 0


class Table:
    """One table, attached. Words that it has given out are its own: they end with it."""

    def __init__(self, segment):
        self.at = libc.shmat(segment, None, 0)
        if self.at in (None, ctypes.c_void_p(-1).value):
            self.at = None
            raise BadTable("segment %d: %s" % (segment, os.strerror(ctypes.get_errno())))
        self.segment = segment
        if ctypes.c_uint64.from_address(self.at).value != MAGIC:
            raise BadTable("segment %d: is no table, or of another version of nanogomp" % segment)
        name = ctypes.string_at(self.at + NAME_AT, NAME_BYTES).split(b"\0")[0]
        self.name = "".join(c if c.isprintable() else "?" for c in name.decode("ascii", "replace"))

    def __del__(self):
        if self.at is not None:
            libc.shmdt(self.at)

    def word(self, slot, at):
        return ctypes.c_uint32.from_address(self.at + SLOT_BYTES * (1 + slot) + at)

    def number(self, slot, at):
        return ctypes.c_uint64.from_address(self.at + SLOT_BYTES * (1 + slot) + at).value

    def bell(self):
        return ctypes.c_uint32.from_address(self.at + BELL_AT)

    def pid(self, slot):
        """The slot's process, 0 if it has none, or it is dead or another one by now."""
        pid = self.number(slot, OWNER_AT) & ALL
        lives = 0 < pid <= PIDS and command_of(pid) is not None
        return pid if lives and has_attached(pid, self.segment) else 0

    def slot_of(self, pid):
        return next((slot for slot in range(SLOTS) if self.pid(slot) == pid), None)

    def rows(self):
        """Of each process: pid, command, what it may use now, what of that it leaves to others,
        seconds since it is idle or None, bound or 0."""
        held = [(slot, self.pid(slot)) for slot in range(SLOTS)]
        held = [(slot, pid) for slot, pid in held if pid]
        for slot, pid in held:
            has, wants, most = (self.word(slot, at).value for at in (HAS_AT, WANTS_AT, MOST_AT))
            idle = self.number(slot, IDLE_AT)
            since = max(0, time.monotonic() - idle / 1e9) if idle else None
            yield pid, command_of(pid) or "?", has, max(0, has - wants), since, most


def tables():
    """Of this user. A segment of that size may be another program's."""
    for segment in segments():
        with contextlib.suppress(BadTable):
            yield Table(segment)


def text_of(found):
    """The table that is shown: a line a process."""
    lines = []
    for table in found:
        for pid, command, has, lent, since, most in table.rows():
            lines.append("%-16s %8d  %-15s %5d %5d  %-8s %s" % (
                table.name[:40], pid, command, has, lent,
                "stopped" if is_stopped(pid) else "-" if since is None else "%.1f s" % since,
                most or "all"))
    if not lines:
        return "no program shares processors"
    return "\n".join(["%-16s %8s  %-15s %5s %5s  %-8s %s" % (
        "table", "pid", "command", "share", "lent", "idle", "at most"), *lines])
