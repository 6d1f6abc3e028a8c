#!/usr/bin/env python3
# test_lines.py - `nanogomp lines` counts what goes between processors, and where
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import shutil
import subprocess
import unittest

import support

from nanogomp_lib import lines, lines_source  # noqa: E402  (support has set the path)

# Member 0 writes a cell that member 1 has just read, and the other way round; flags in lines of
# their own say whose turn it is.
PING_PONG = r"""
#include <omp.h>
#include <sched.h>
enum { TURNS = 200 };
static struct { _Alignas(128) volatile long value; } cell, turn;
int main(void) {
#pragma omp parallel num_threads(2)
  for (int i = omp_get_thread_num(); i < TURNS; i += 2) {
    while (__atomic_load_n(&turn.value, __ATOMIC_ACQUIRE) != i)
      sched_yield();
    cell.value += 1; /* HERE */
    __atomic_store_n(&turn.value, i + 1, __ATOMIC_RELEASE);
  }
  return cell.value == TURNS ? 0 : 1;
}
"""


def trace(*parts):
    """A trace as lackey writes it: a number is a thread that gets its turn, a text an access."""
    out = ["==7== header"]
    for part in parts:
        if isinstance(part, int):
            out.append("--7--   SCHED[%d]:  acquired lock (VG_(scheduler):timeslice)" % part)
        elif isinstance(part, tuple):
            out.append("--%d--   SCHED[%d]:  acquired lock (x)" % part)
        else:
            out.append(part if part[0] == "I" else " " + part)
    return "\n".join(out) + "\n"


class Reader(support.ToolTest):
    """The model, by traces whose events can be told."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reader = os.path.join(cls.lib, lines.READER)
        if not os.access(cls.reader, os.X_OK):
            raise unittest.SkipTest("no " + lines.READER)

    def read(self, *parts, line=64):
        done = subprocess.run([self.reader, str(line)], input=trace(*parts), text=True, check=True,
                              stdout=subprocess.PIPE)
        return lines.Counts(done.stdout)

    def totals(self, *parts, **more):
        counts = self.read(*parts, **more)
        return tuple(counts.total(kind) for kind in lines.KINDS)

    def test_one_thread_shares_nothing(self):
        self.assertEqual(self.totals(1, "I  10,4", "S 1000,8", "L 1000,8", "M 1000,8"), (0, 0, 0))

    def test_each_kind(self):
        store, load = "S 1000,8", "L 1000,8"
        self.assertEqual(self.totals(1, store, 2, load), (1, 0, 0))
        self.assertEqual(self.totals(1, load, 2, load, load, store), (1, 1, 0))
        self.assertEqual(self.totals(1, store, 2, store), (0, 0, 1))
        self.assertEqual(self.totals(1, store, 2, "M 1000,8"), (0, 0, 1))
        self.assertEqual(self.totals(1, store, 2, load, 1, store, 2, load), (2, 1, 0))

    def test_no_event_without_another_copy(self):
        self.assertEqual(self.totals(1, "S 1000,8", 2, "S 1000,8", "L 1000,8", "S 1000,8"),
                         (0, 0, 1))

    def test_false_sharing_hangs_on_the_size_of_lines(self):
        parts = (1, "S 1000,8", 2, "S 1020,8", 1, "S 1000,8")
        self.assertEqual(self.totals(*parts), (0, 0, 2))
        self.assertEqual(self.totals(*parts, line=32), (0, 0, 0))

    def test_an_access_may_touch_two_lines(self):
        self.assertEqual(self.totals(1, "S 1000,64", "S 1040,64", 2, "L 103c,8"), (2, 0, 0))

    def test_many_threads_and_lines(self):
        parts = []
        for thread in range(1, 301):
            parts.append(thread)
            parts += ["L %x,8" % (0x100000 + 64 * i) for i in range(20)]
        self.assertEqual(self.totals(*parts, 1, "S 100000,8"), (299 * 20, 1, 0))

    def test_another_process_does_not_count(self):
        self.assertEqual(self.totals(1, "S 1000,8", (8, 2), "S 1000,8", 2, "L 1000,8"), (1, 0, 0))

    def test_accesses_and_threads(self):
        counts = self.read(1, "I  10,4", "S 1000,8", 3, "L 2000,4", "M 3000,4")
        self.assertEqual((counts.loads, counts.stores, counts.threads), (1, 2, 2))

    def test_usage(self):
        for line in ("0", "48", "x", "-64"):
            done = subprocess.run([self.reader, line], stdin=subprocess.DEVNULL, check=False,
                                  stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, line)
            self.assertIn(b"usage", done.stderr)


class Source(unittest.TestCase):
    def test_answers(self):
        text = "0x12\nf\n/a/0x9/b.h:3\ng\n/a/c.c:4\n0x20\n??\n??:0\n"
        self.assertEqual(lines_source.answers(text),
                         [["f", "/a/0x9/b.h:3", "g", "/a/c.c:4"], ["??", "??:0"]])

    def test_names(self):
        place = lines_source.Place("/x/lib.so", 16, "f", "/src/b.h:3")
        self.assertEqual([place.name(by) for by in ("file", "function", "line")],
                         ["b.h (lib.so)", "b.h f (lib.so)", "b.h:3 f (lib.so)"])
        bare = lines_source.Place("/x/lib.so", 16)
        self.assertEqual([bare.name(by) for by in ("file", "line")], ["lib.so", "0x10 (lib.so)"])


@unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
class Command(support.ToolTest):
    def lines(self, *args, **more):
        return self.tool("lines", "--lib", self.lib, *args, **more)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.environ.get("NTH_TEST_LIB"):
            raise unittest.SkipTest("a sanitizer's library does not run under valgrind")
        cls.program = cls.compile("ping", PING_PONG, "-g", "-fopenmp")

    def test_the_line_that_goes_to_and_fro(self):
        done = self.lines("--by", "line", "--json", "-", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        number = PING_PONG[:PING_PONG.index("HERE")].count("\n") + 1
        row = next(r for r in found["rows"] if (":%d " % number) in r["where"]
                   and "ping" in r["where"])
        self.assertGreaterEqual(found["threads"], 2)
        # the cell goes over at each turn: a load and a store, or one access that is both
        events = row["claim"] + row["take"]
        self.assertTrue(195 <= events <= 200, row)

    def test_the_table(self):
        done = self.lines("--top", "3", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("SIMULATED", done.stdout)
        self.assertRegex(done.stdout, r"\d+ more\n")
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_the_status_is_the_programs(self):
        done = self.lines("--", "sh", "-c", "exit 7")
        self.assertEqual(done.returncode, 7)

    def test_what_cannot_be(self):
        self.assertEqual(self.lines("--", "/no/such").returncode, 127)
        self.assertEqual(self.lines().returncode, 2)
        self.assertEqual(self.lines("--line", "48", "--", "true").returncode, 2)
        done = self.lines("--", "/bin/true",
                          env={"PATH": "/nowhere"})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (125, 1), done.stderr)
        done = self.lines("--json", "/no/such/file", "--", "/bin/true")
        self.assertEqual(done.returncode, 125)
        self.assertIn("/no/such/file", done.stderr)


if __name__ == "__main__":
    unittest.main()
