# share_table.py - the tables by which programs share processors: who holds what
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table is the file nth-table.UID.SPACE.NAME (struct nth_table, runtime/sched/share/table.h).
Each
process has a slot. What a process may use at most, a word of its slot, is the only one that
somebody else writes."""

import ctypes
import mmap
import os
import stat
import time

FOLDERS = ("/dev/shm", os.environ.get("XDG_RUNTIME_DIR") or "/dev/shm")
PREFIX, MAGIC, BYTES = "nth-table.", 0x31307468656c6261, 4096
BELL_AT, SLOTS, SLOT_BYTES = 8, 63, 64
OWNER_AT, BEAT_AT, WANTS_AT, MOST_AT, HAS_AT, RUNNING_AT, PROCESSORS_AT, IDLE_AT = (
    0, 8, 12, 16, 20, 24, 28, 32)
PIDS, ALL = 1 << 22, 2**32 - 1


class BadTable(Exception):
    """The file is no table of this user."""


def files(folders=FOLDERS):
    """The paths of this user's tables."""
    mine = "%s%d." % (PREFIX, os.geteuid())
    return sorted({os.path.join(folder, name) for folder in folders if os.path.isdir(folder)
                   for name in os.listdir(folder) if name.startswith(mine)})


def command_of(pid):
    try:
        with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as file:
            return "".join(c if c.isprintable() else "?" for c in file.read().strip()) or "?"
    except OSError:
        return None


class Table:
    """One table, mapped."""

    def __init__(self, path):
        try:
            file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise BadTable("%s: %s" % (path, error.strerror)) from error
        try:
            status = os.fstat(file)
            if (not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid()
                    or stat.S_IMODE(status.st_mode) != 0o600 or status.st_size != BYTES):
                raise BadTable("%s: is no table of this user" % path)
            self.map = mmap.mmap(file, BYTES)
        finally:
            os.close(file)
        if ctypes.c_uint64.from_buffer(self.map, 0).value != MAGIC:
            raise BadTable("%s: is of another version of nanogomp" % path)
        self.name = os.path.basename(path).split(".", 3)[-1]

    def word(self, slot, at):
        return ctypes.c_uint32.from_buffer(self.map, SLOT_BYTES * (1 + slot) + at)

    def number(self, slot, at):
        return ctypes.c_uint64.from_buffer(self.map, SLOT_BYTES * (1 + slot) + at).value

    def bell(self):
        return ctypes.c_uint32.from_buffer(self.map, BELL_AT)

    def pid(self, slot):
        """The slot's process, 0 if it has none or it is dead."""
        pid = self.number(slot, OWNER_AT) & ALL
        return pid if 0 < pid <= PIDS and command_of(pid) is not None else 0

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


def text_of(paths):
    """The table that is shown: a line a process."""
    lines = []
    for path in paths:
        try:
            table = Table(path)
        except BadTable as error:
            lines.append(str(error))
            continue
        for pid, command, has, lent, since, most in table.rows():
            lines.append("%-16s %8d  %-15s %5d %5d  %-8s %s" % (
                table.name[:40], pid, command, has, lent,
                "-" if since is None else "%.1f s" % since, most or "all"))
    if not lines:
        return "no program shares processors"
    return "\n".join(["%-16s %8s  %-15s %5s %5s  %-8s %s" % (
        "table", "pid", "command", "share", "lent", "idle", "at most"), *lines])
