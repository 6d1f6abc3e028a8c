#!/usr/bin/env python3
# test_nthbench_share.py - tests of `bench share`: runs, gates, layout.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import io
import unittest
from unittest import mock

import stand_in

import nthbench_share as share
import nthbench_host as host

# Says its settings in its figures.
PROGRAM = """\
#!/bin/sh
[ "$2" = tasks ] && exit 3
[ "$2" = regions ] && { echo least 1; exit 0; }
case "${NTH_SHARE:-none}" in bench-*) least=95;; off) least=80;; *) least=70;; esac
[ "${NTH_MEMBERS:-none}" = nano ] && least=$((least - 5))
[ $1 = kill ] && echo "middle $3 worst $4" || echo "least $least most 105.0 total $least"
"""


def options_of(*arguments):
    return stand_in.options_of(share, *arguments)


def session(*cpus):
    return stand_in.session(share, PROGRAM, *cpus)


def measured(*arguments):
    said = []
    with session() as two:
        return share.measure(two, options_of(*arguments), said.append), said


class Measuring(unittest.TestCase):
    def test_rows(self):
        found, said = measured("--shapes", "loop", "--programs", "3", "--period", "200")
        self.assertEqual(len(found), 3 * (2 * 2 + 1))
        self.assertRegex(said[0], r"^round 1 of 1: about \d+ s$")
        lines = [line.split() for line in share.table(found).splitlines()]
        self.assertIn("equal loop nanogomp-os-share 95 % 105 % 95 % - - met 1/1".split(), lines)
        self.assertIn("equal loop nanogomp-nano-share 90 % 105 % 90 % - - SHORT 1/1".split(), lines)
        self.assertIn("idle loop nanogomp-nano-share 90 % 105 % 90 % - - SHORT 1/1".split(), lines)
        self.assertIn("equal loop nanogomp-os 80 % 105 % 80 % - - - 1/1".split(), lines)
        self.assertIn("idle loop gomp 70 % 105 % 70 % - - - 1/1".split(), lines)
        self.assertIn("kill loop nanogomp-os-share - - - 3 ms 200 ms SHORT 1/1".split(), lines)
        stand_in.plain(share, found)

    def test_a_run_that_fails_is_shown(self):
        for shape, why in (("tasks", "exit 3"), ("regions", "no result")):
            found, said = measured("--shapes", shape, "--experiments", "equal", "--members", "os")
            self.assertEqual(said[1], "round 1, equal %s nanogomp-os-share: %s" % (shape, why))
            self.assertEqual(share.table(found).splitlines()[1].split()[3:],
                             [*"-----", "SHORT", "0/1"])

    def test_one_cpu(self):
        with session((0,)) as alone:
            self.assertRaisesRegex(host.BenchError, "two CPUs", share.measure, alone,
                                   options_of(), self.fail)

    def test_bad_options(self):
        for bad in (("--experiments", "x"), ("--shapes", "loop,"), ("--programs", "1"),
                    ("--programs", "17"), ("--seconds", "0"), ("--members", "all")):
            with mock.patch("sys.stderr", io.StringIO()):
                self.assertRaises(SystemExit, options_of, *bad)


class Real(stand_in.Real):
    def test_all(self):
        rows = self.measured("share", "--seconds", "0.2", "--shapes", "barrier,tasks",
                             "--members", "os")
        self.assertEqual([(r["experiment"], r["shape"], r["runtime"]) for r in rows],
                         [(what, shape, "nanogomp-os" + end) for what in share.EXPERIMENTS
                          for shape in ("barrier", "tasks") for end in (share.SHARED, "")])
        for row in rows:
            values = row["rounds"][0]
            if row["experiment"] != "kill":
                self.assertGreater(values["total"], 1)
                self.assertGreaterEqual(values["most"], values["least"])


if __name__ == "__main__":
    unittest.main()
