# share.py - `nanogomp share`: takes processors from a running program, and gives them back
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program maps the file DIR/nth-share.PID if it was started with NTH_SHARE=DIR; its words are
those of struct nth_request (runtime/sched/adapt/request.h). The file is found among what the
process maps, so neither this command nor its caller needs to know DIR. With NTH_SHARE=auto or a
name it has a slot in a table of all programs that share (share_table.py)."""

import argparse
import ctypes
import fcntl
import mmap
import os
import platform
import sys
import time

from nanogomp_lib import exits, share_table

MAGIC, VERSION, BYTES = b"nthshare", 1, 384
VERSION_AT, PID_AT, ASKED_AT, RUNNING_AT, PROCESSORS_AT = 8, 12, 128, 256, 260
FUTEX = {"x86_64": 202, "aarch64": 98}  # the number of the system call
FUTEX_WAKE, EVERYBODY = 1, 2**31 - 1
POLL_SECONDS = 0.0005


class NoShare(Exception):
    """There is no such process, or it cannot be asked."""


class NoFile(NoShare):
    """The process maps no file."""


def path_of(pid, proc="/proc"):
    """The file that the process maps, and the process's number there. A container has file systems
    of its own."""
    try:
        with open("%s/%d/status" % (proc, pid), encoding="ascii", errors="replace") as status:
            own = [line.split()[-1] for line in status if line.startswith(("Pid:", "NSpid:"))]
        with open("%s/%d/maps" % (proc, pid), encoding="utf-8", errors="surrogateescape") as maps:
            paths = [line.split(None, 5)[5].rstrip("\n") for line in maps if "/nth-share." in line]
    except FileNotFoundError as error:
        raise NoShare("no process %d" % pid) from error
    except OSError as error:
        raise NoShare("process %d: %s" % (pid, error.strerror)) from error
    for path in paths:
        if os.path.basename(path) == "nth-share." + own[-1]:
            return "%s/%d/root%s" % (proc, pid, path), int(own[-1])
    raise NoFile("process %d cannot be asked: start it with NTH_SHARE=FOLDER, on nanogomp's "
                 "libgomp.so.1" % pid)


def wake(word):
    number = FUTEX.get(platform.machine())
    if number:
        ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.byref(word),
                                  ctypes.c_int(FUTEX_WAKE), ctypes.c_int(EVERYBODY), None)


class Share:
    """The words of one process. turn: no other command asks it."""
    turn = True

    def __init__(self, path, process):
        try:
            with open(path, "r+b") as file:
                self.lock = os.dup(file.fileno())
                self.map = mmap.mmap(file.fileno(), BYTES)
        except (OSError, ValueError) as error:
            raise NoShare("%s: %s" % (path, getattr(error, "strerror", None) or error)) from error
        if self.map[:len(MAGIC)] != MAGIC or self.word(VERSION_AT).value != VERSION:
            raise NoShare("%s: is of another version of nanogomp" % path)
        if self.word(PID_AT).value != process:
            raise NoShare("%s: is another process's" % path)
        self.asked, self.running, self.processors = map(
            self.word, (ASKED_AT, RUNNING_AT, PROCESSORS_AT))
        self.look()

    def word(self, at):
        return ctypes.c_uint32.from_buffer(self.map, at)

    def wake(self):
        """Wakes the program's listener. Without the call it notices within 100 ms."""
        wake(self.asked)

    def look(self):
        """Notes what the program says. True: all that are beyond the request are away, and no
        others."""
        self.seen = processors, asked, running = (
            self.processors.value, self.asked.value, self.running.value)
        return running == (min(asked, processors) if asked else processors)

    def is_my_turn(self):
        """One requester after the other."""
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.turn = True
        except BlockingIOError:
            self.turn = False
        return self.turn

    def ask(self, number, seconds):
        """True: the program has answered within that time."""
        until = time.monotonic() + seconds
        while not self.is_my_turn():
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)
        self.asked.value = number
        while True:
            self.wake()
            if self.look():
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)

    def text(self):
        processors, asked, running = self.seen
        return "processors %d, asked for %s, running %d" % (processors, asked or "all", running)


class Member(Share):
    """The same of a process that has a slot in a table."""

    def __init__(self, pid):  # pylint: disable=super-init-not-called
        for self.table in share_table.tables():
            slot = self.table.slot_of(pid)
            if slot is not None:
                break
        else:
            raise NoShare("process %d cannot be asked: start it with NTH_SHARE=auto, a name or a "
                          "folder (NTH_SHARE=FOLDER), on nanogomp's libgomp.so.1" % pid)
        try:
            self.lock = os.open("/proc/%d/stat" % pid, os.O_RDONLY)
        except OSError as error:
            raise NoShare("process %d: %s" % (pid, error.strerror)) from error
        self.asked, self.running, self.processors = (
            self.table.word(slot, at) for at in (share_table.MOST_AT, share_table.RUNNING_AT,
                                                 share_table.PROCESSORS_AT))
        self.has = self.table.word(slot, share_table.HAS_AT)
        self.look()

    def wake(self):
        """Rings the table's bell. Without it the program notices at its next look."""
        bell = self.table.bell()
        bell.value += 1
        wake(bell)

    def look(self):
        """As above; others may want processors too, so fewer may run."""
        self.seen = processors, asked, running = (
            self.processors.value, self.asked.value, self.running.value)
        return not asked or (self.has.value <= asked and running <= max(asked, 1))


def share_of(pid):
    try:
        return Share(*path_of(pid))
    except NoFile:
        return Member(pid)


def number_of(text):
    if text == "all":
        return 0
    if not text.isdecimal() or not 1 <= int(text) < 2**31:
        raise argparse.ArgumentTypeError("takes a number from 1 on, or all")
    return int(text)


def wait_of(text):
    try:
        wait = float(text)
    except ValueError:
        wait = -1
    if not 0 <= wait < 1e9:
        raise argparse.ArgumentTypeError("takes milliseconds, from 0 on")
    return wait


def options_of(argv):
    p = argparse.ArgumentParser(
        prog="nanogomp share", description="Takes processors from a running program that was "
        "started with NTH_SHARE, and gives them back. It releases them at safe points: in "
        "OpenMP regions before a chunk or a task and after a barrier, in programs of "
        "nanogomp/nth.h when their nano-threads end. Prints how many it has, was asked for and "
        "runs. Without PID: the programs that share processors by NTH_SHARE=auto or a name; of "
        "each one how many it may use, how many of these it leaves to others, since when it is "
        "idle, and its bound. Status 1: it has not answered in time; 2: bad usage; 125: it "
        "cannot be asked.")
    p.add_argument("pid", metavar="PID", type=int, nargs="?", help="the program's process")
    p.add_argument("number", metavar="N", type=number_of, nargs="?",
                   help="processors that it may use from now on; all: as many as it has. Without "
                   "N nothing is asked")
    p.add_argument("--wait", metavar="MS", type=wait_of, default=1000,
                   help="how long to wait for the answer (1000)")
    return p.parse_args(argv)


def main(_tool, argv):
    options = options_of(argv)
    try:
        if options.pid is None:
            print(share_table.text_of(share_table.tables()))
            return 0
        share = share_of(options.pid)
    except (NoShare, share_table.BadTable) as error:
        print("nanogomp: " + str(error), file=sys.stderr)
        return exits.CANNOT
    met = options.number is None or share.ask(options.number, options.wait / 1000)
    print(share.text())
    if not met:
        why = ("process %d has not answered" if share.turn else
               "another command asks process %d; it was not free") % options.pid
        print("nanogomp: %s within %g ms" % (why, options.wait), file=sys.stderr)
    return 0 if met else exits.PARTLY
