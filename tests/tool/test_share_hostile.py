#!/usr/bin/env python3
# test_share_hostile.py - programs that share processors while others spoil their table, or die
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

import support  # noqa: F401  (sets the path)
from share_support import CPUS, TableTest, change, key_of, make, remove

from nanogomp_lib import share_table  # noqa: E402

SEED = int(os.environ.get("NTH_TEST_SEED") or time.monotonic_ns() % 10**6)
SPOIL_SECONDS = 0.4  # some 40 looks of each program
HEAD_BYTES = share_table.SLOT_BYTES
FULL = re.compile(r"nanogomp: NTH_SHARE: table '\S+' is full, .*\n")
ENDED = (r"^nanogomp: NTH_SHARE: table '%s' was removed, and no other one is used \([^\n]+\): "
         r"processors are not shared any longer\n$")


class Hostile(TableTest):
    """Two programs with regions; somebody of the same user does to the table what he can."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)

    def run(self, result=None):
        with self.subTest(seed=SEED):
            return super().run(result)

    def start_two(self):
        two = [self.start(err=subprocess.PIPE) for _ in range(2)]
        self.await_that("both", lambda: len(self.rows()) == 2)
        return two, self.tables()[0]

    def share_again(self, programs):
        """Each has its part."""
        parts = [(CPUS + 1) // 2, max(1, CPUS // 2)]
        self.await_that("parts", lambda: sorted(p.pid for p in programs) == sorted(self.rows())
                        and sorted(map(self.has, programs), reverse=True) == parts)

    def end_well(self, programs):
        """They answer rightly, and say no more than was read; and that the table is full, where
        somebody has made it so."""
        for program in programs:
            error = program.communicate(timeout=100)[1].decode()
            self.assertEqual(program.returncode, 0)
            self.assertEqual(FULL.sub("", error), "")

    def spoil(self, how, table, programs):
        until = time.monotonic() + SPOIL_SECONDS
        while time.monotonic() < until:
            how(table, programs)
        for program in programs:
            self.goes_on(program)

    # --- what is written ---

    def bytes_of_chance(self, table, _programs):
        """Anywhere but in the magic and the name, by which this test finds the table."""
        at = self.random.randrange(HEAD_BYTES, share_table.BYTES)
        data = self.random.randbytes(self.random.randrange(1, share_table.BYTES - at + 1))
        ctypes.memmove(table.at + at, data, len(data))

    def likely_values(self, table, programs):
        """Slots of processes that there are, with other stamps, and of dead ones; they live."""
        for slot in range(share_table.SLOTS):
            pid = self.random.choice([0, 1, 2, os.getpid(), programs[0].pid, programs[1].pid, 77777,
                                      share_table.PIDS, share_table.PIDS + 1, share_table.ALL])
            number = self.random.choice([0, 1, 2, 3, 2**31 - 1, 2**31, 2**32 - 1])
            owner = pid | self.random.randrange(2) * self.random.randrange(2**32) << 32
            ctypes.c_uint64.from_address(
                table.at + HEAD_BYTES + slot * share_table.SLOT_BYTES).value = owner
            for at in (share_table.WANTS_AT, share_table.MOST_AT, share_table.HAS_AT,
                       share_table.IDLE_AT):
                table.word(slot, at).value = number
            table.word(slot, share_table.BEAT_AT).value += 1

    def slots_change_places(self, table, programs):
        held = [s for s in range(share_table.SLOTS) if table.pid(s) in [p.pid for p in programs]]
        if len(held) < 2:
            return
        one, two = (table.at + HEAD_BYTES + s * share_table.SLOT_BYTES for s in held[:2])
        kept = ctypes.string_at(one, share_table.SLOT_BYTES)
        ctypes.memmove(one, two, share_table.SLOT_BYTES)
        ctypes.memmove(two, kept, share_table.SLOT_BYTES)

    @staticmethod
    def nothing(table, _programs):
        ctypes.memset(table.at, 0, share_table.BYTES)
        time.sleep(0.001)

    def test_scribbled(self):
        """They share as before once nobody writes."""
        programs, table = self.start_two()
        for how in (self.bytes_of_chance, self.likely_values, self.slots_change_places,
                    self.bytes_of_chance, self.likely_values):
            self.spoil(how, table, programs)
            ctypes.memset(table.at + HEAD_BYTES, 0, share_table.BYTES - HEAD_BYTES)
            self.share_again(programs)
        head = ctypes.string_at(table.at, HEAD_BYTES)
        self.spoil(self.nothing, table, programs)
        ctypes.memmove(table.at, head, HEAD_BYTES)
        self.share_again(programs)
        self.end_well(programs)

    def test_left_garbage(self):
        """Nobody cleans up: what has no living owner goes by itself."""
        programs, table = self.start_two()
        self.spoil(self.likely_values, table, programs)
        for slot in range(share_table.SLOTS):  # no bound, and nobody of this test's
            table.word(slot, share_table.MOST_AT).value = 0
        self.share_again(programs)
        self.end_well(programs)

    def test_rung(self):
        """Somebody rings all the time: they look once in a ms at most."""
        programs, table = self.start_two()
        for program in programs:
            self.tell(program, b"i")  # the CPUs are for whoever rings and for those who look
        slots = [table.slot_of(p.pid) for p in programs]
        before = [table.word(s, share_table.BEAT_AT).value for s in slots]
        begin = time.monotonic()
        while time.monotonic() < begin + 3 * SPOIL_SECONDS:
            table.bell().value += 1
        looks = [table.word(s, share_table.BEAT_AT).value - b for s, b in zip(slots, before)]
        self.assertLessEqual(max(looks), (time.monotonic() - begin) * 1000 + 2)
        for program in programs:
            self.tell(program, b"b")
        self.share_again(programs)
        self.end_well(programs)

    # --- what is done to the segment ---

    def test_mode(self):
        """Who has it keeps it; others refuse it (test_share_table.py)."""
        programs, table = self.start_two()
        for mode in (0, 0o666, 0o400, 0o600):
            change(table.segment, mode)
            for program in programs:
                self.goes_on(program)
        self.share_again(programs)
        self.end_well(programs)

    def test_removed(self):
        """They meet in the table that takes its place, also with those who begin later."""
        programs, table = self.start_two()
        for _ in range(3):
            old = self.tables()[0].segment
            remove(old)
            self.await_that("another", lambda: self.tables())
            self.assertNotEqual(self.tables()[0].segment, old)
            self.share_again(programs)
        del table
        programs.append(self.start(err=subprocess.PIPE))
        self.await_that("three", lambda: len(self.rows()) == 3)
        self.end_well(programs)

    def test_replaced(self):
        """By one that cannot be used: each says so once, and has all processors."""
        for size, mode, first in ((2048, 0o600, 0), (8192, 0o600, 0), (4096, 0o640, 0),
                                  (4096, 0o600, 1)):
            programs, table = self.start_two()
            other = self.replace(table.segment, size, mode)
            ctypes.memset(self.attached(other), first, 1)
            for program in programs:
                self.assertRegex(program.stderr.readline().decode(), ENDED % self.name)
                self.goes_on(program)
            self.end_well(programs)
            remove(other)

    def replace(self, segment, size, mode):
        key = key_of(segment)
        remove(segment)
        while True:
            try:
                other = make(key, size, mode)
                break
            except FileExistsError:  # a program was faster
                remove(self.tables()[0].segment)
        self.addCleanup(remove, other)
        return other

    def attached(self, segment):
        at = share_table.libc.shmat(segment, None, 0)
        self.addCleanup(share_table.libc.shmdt, at)
        return at


class Deaths(TableTest):
    """Four programs that come and go, some of them killed."""

    def owners(self):
        """The slots that are not free, whoever their owners are."""
        return [table.number(slot, share_table.OWNER_AT) & share_table.ALL
                for table in self.tables() for slot in range(share_table.SLOTS)
                if table.number(slot, share_table.OWNER_AT)]

    def test_come_and_go(self):
        chance, programs, ended = random.Random(SEED), [self.start()], 0
        for _ in range(40):
            last = chance.choice(programs)
            what = chance.choice(["start", "start", "end", "kill", "begins", "stop"])
            if what == "start" and len(programs) < 4:
                programs.append(self.start())
            elif what == "end" and len(programs) > 1:
                last.communicate(timeout=100)
                self.assertEqual(last.returncode, 0, "seed %d" % SEED)
            elif what == "kill" and len(programs) > 1:
                last.kill()
                last.wait()
            elif what == "begins":  # killed while it is loaded, claims its slot, begins its team
                begun = self.begin()
                time.sleep(chance.uniform(0, 0.05))
                begun.kill()
                begun.wait()
            elif what == "stop":
                last.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0, 0.1))
                last.send_signal(signal.SIGCONT)
            ended += len(programs)
            programs = [p for p in programs if p.returncode is None]
            ended -= len(programs)
            for program in programs:
                self.goes_on(program)
        while len(programs) > 1:
            programs.pop().kill()
        self.await_that("alone, seed %d" % SEED, lambda: self.owners() == [programs[0].pid]
                        and self.has(programs[0]) == CPUS)
        programs[0].communicate(timeout=100)
        self.assertEqual(programs[0].returncode, 0)
        self.assertEqual(self.owners(), [])
        self.assertGreater(ended, 0, "seed %d" % SEED)


if __name__ == "__main__":
    sys.exit(unittest.main())
