#!/usr/bin/env python3
# test_share_table.py - programs that share the processors by NTH_SHARE=NAME
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import os
import random
import select
import signal
import subprocess
import sys
import time
import unittest

import support
from share_support import CPUS, SECONDS, TableTest, change, key_of, make, remove

from nanogomp_lib import share_table  # noqa: E402  (support has set the path)


class ShareTable(TableTest):
    """What programs on one table do."""

    @unittest.skipUnless(CPUS > 1, "needs two CPUs")
    def test_parts(self):
        one = self.start()
        self.await_that("alone", lambda: self.has(one) == CPUS)
        two = self.start()
        self.await_that("halves", lambda: self.has(one) == (CPUS + 1) // 2
                        and self.has(two) == CPUS // 2)
        self.tell(two, b"i")
        self.await_that("lent", lambda: self.has(one) == CPUS and self.rows()[two.pid][3]
                        and self.rows()[two.pid][2] == CPUS // 2)
        shown = subprocess.run([support.TOOL, "share"], stdout=subprocess.PIPE, check=True,
                               timeout=SECONDS).stdout.decode()
        self.assertRegex(shown, r"(?m)^%s +%d +share-table +%d +\d+ " % (
            self.name[:40], one.pid, CPUS))
        self.tell(two, b"b")
        self.await_that("back", lambda: self.has(one) == (CPUS + 1) // 2)
        for child in (one, two):
            child.communicate()
            self.assertEqual(child.returncode, 0)
        self.assertEqual(self.rows(), {})

    def test_bound(self):
        """`nanogomp share PID N` bounds a member of a table."""
        one = self.start()
        for number in ("1", "all"):
            done = subprocess.run([support.TOOL, "share", "--wait", "60000", str(one.pid), number],
                                  stdout=subprocess.PIPE, timeout=SECONDS, check=True)
            self.assertIn("asked for %s" % number, done.stdout.decode())
            self.await_that("bound", lambda n=number: self.has(one) == (1 if n == "1" else CPUS))

    @unittest.skipUnless(CPUS > 1, "needs two CPUs")
    def test_own_request(self):
        """nth_request() holds when the others are gone, though it asked for no other number."""
        one, two = self.start(), self.start()
        half = (CPUS + 1) // 2
        self.await_that("halves", lambda: self.has(one) == half and
                        self.number(one, b"q") == half)
        self.tell(one, b"r")
        self.assertEqual(self.number(one, b"q"), half)  # it has made the request
        two.communicate()
        self.await_that("alone", lambda: self.has(one) == CPUS)
        self.assertEqual(self.number(one, b"q"), half)
        one.communicate()
        self.assertEqual(one.returncode, 0)

    def test_auto(self):
        """The mask at the start tells the table, whatever it is when that is removed."""
        mask = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(mask)})
        try:
            one = self.start("auto")
        finally:
            os.sched_setaffinity(0, mask)

        def table():
            return next((t for t in share_table.tables() if t.slot_of(one.pid) is not None), None)
        self.await_that("there", table)
        old = table()
        for thread in os.listdir("/proc/%d/task" % one.pid):
            os.sched_setaffinity(int(thread), mask)
        remove(old.segment)
        self.await_that("again", lambda: (table() or old).segment != old.segment)
        new = table()
        self.addCleanup(remove, new.segment)
        self.assertEqual(new.name, old.name)
        one.communicate()
        self.assertEqual(one.returncode, 0)

    def test_not_attached(self):
        """A process that has a dead one's number, or has become another program, is not shown."""
        one = self.start()
        with subprocess.Popen(["sleep", str(SECONDS)]) as other:
            self.addCleanup(other.kill)
            table = self.tables()[0]
            at = table.at + share_table.SLOT_BYTES * share_table.SLOTS + share_table.OWNER_AT
            ctypes.c_uint64.from_address(at).value = 1 << 32 | other.pid
            self.assertEqual(list(self.rows()), [one.pid])
            other.kill()
        one.communicate()

    def test_killed(self):
        """At any moment, also while it claims its slot: the others have its processors soon."""
        one, best = self.start(), []
        for _ in range(12):
            two = self.begin()
            time.sleep(random.uniform(0, 0.08))
            two.kill()
            killed = time.monotonic()
            two.wait()
            self.await_that("killed", lambda: self.has(one) == CPUS and list(self.rows()) ==
                            [one.pid])
            best.append(time.monotonic() - killed)
        self.assertLess(min(best), 0.1)  # 4 to 12 ms on a quiet machine
        one.communicate()
        self.assertEqual(one.returncode, 0)

    def test_stopped(self):
        one, two = self.start(), self.start()
        self.await_that("both", lambda: len(self.rows()) == 2)
        two.send_signal(signal.SIGSTOP)
        self.await_that("stopped", lambda: "stopped" in share_table.text_of(self.tables()))
        self.await_that("lent", lambda: self.has(one) == CPUS)
        two.send_signal(signal.SIGCONT)
        self.await_that("again", lambda: self.has(one) == self.has(two) == max(1, CPUS // 2))
        for program in one, two:
            program.communicate()
            self.assertEqual(program.returncode, 0)

    def test_full(self):
        """Who finds no slot says so, once, and goes on."""
        one = self.start()
        table = self.tables()[0]
        owners = [ctypes.c_uint64.from_address(table.at + share_table.SLOT_BYTES * (1 + slot) +
                                               share_table.OWNER_AT)
                  for slot in range(share_table.SLOTS)]
        for owner in owners:
            owner.value = owner.value or 1 << 32 | os.getpid()
        late = self.start(err=subprocess.PIPE)
        self.assertTrue(select.select([late.stderr], [], [], SECONDS)[0])
        self.assertRegex(late.stderr.readline().decode(),
                         "NTH_SHARE: table '%s' is full, it has room for 63 programs" % self.name)
        self.goes_on(late)
        for owner in owners:
            if owner.value == 1 << 32 | os.getpid():
                owner.value = 0
        self.await_that("room", lambda: len(self.rows()) == 2)
        for program in one, late:
            _, said = program.communicate()
            self.assertEqual((program.returncode, said or b""), (0, b""))

    def test_fork(self):
        one = self.start()
        self.tell(one, b"f")
        self.await_that("forked", lambda: len(self.rows()) == 2)
        one.communicate()
        self.assertEqual(one.returncode, 0)
        self.await_that("ended", lambda: not self.rows())

    def test_exec(self):
        """A process that becomes another program has one slot, and its part again."""
        one, two = self.start(), self.start()
        for _ in range(5):
            self.tell(two, b"e")
            self.assertEqual(two.stdout.readline(), b"ready\n")
            self.await_that("again", lambda: sorted(self.rows()) == sorted((one.pid, two.pid))
                            and self.has(two) == max(1, CPUS // 2))
        two.communicate()
        self.assertEqual(two.returncode, 0)
        self.await_that("alone", lambda: self.has(one) == CPUS and list(self.rows()) == [one.pid])

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_setuid(self):
        """Who changes its user keeps the table that it has attached."""
        one = self.start()
        self.tell(one, b"u")
        self.await_that("as before", lambda: self.has(one) == CPUS)
        one.communicate()
        self.assertEqual(one.returncode, 0)
        self.await_that("left", lambda: not self.rows())

    def refused(self, why):
        child = self.start(err=subprocess.PIPE)
        error = child.communicate()[1].decode()
        self.assertEqual(child.returncode, 0)
        self.assertEqual(error, "nanogomp: NTH_SHARE: no table '%s' is used (%s): processors are "
                         "not shared with other programs\n" % (self.name, why))

    def test_refused(self):
        self.start().communicate()
        table = self.tables()[0]
        key, old = key_of(table.segment), table.segment
        change(old, 0o644)
        self.refused("its mode is not 0600")
        if os.geteuid() == 0:
            change(old, uid=1)
            self.refused("it is another user's")
        change(old)
        ctypes.memset(table.at + share_table.NAME_AT, ord("x"), 1)
        self.refused("it is of another name")
        ctypes.memset(table.at, ord("x"), 1)
        self.refused("it is of another version of nanogomp, or no table")
        remove(old)
        for size in (100, 8192):
            segment = make(key, size)
            self.addCleanup(remove, segment)
            self.refused("it has another size than a table")
            remove(segment)

    def test_off(self):
        """No memory is attached, and no segment is made."""
        for value in ("", "off"):
            before = set(share_table.segments())
            child = self.start(value)
            with open("/proc/%d/maps" % child.pid, encoding="utf-8") as maps:
                self.assertNotIn("SYSV", maps.read())
            child.communicate()
            self.assertEqual(child.returncode, 0)
            new = set(share_table.segments()) - before
            self.assertEqual([t for t in share_table.tables()
                              if t.segment in new and t.name in (self.name, value)], [])


if __name__ == "__main__":
    sys.exit(unittest.main())
