#!/usr/bin/env python3
# test_nthbench_allow.py - tests of `bench allow`: runs, quotas, layout.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import io
import os
import tempfile
import unittest
from unittest import mock

import stand_in

import nthbench_allow as allow
import nthbench_host as host

# Says its arguments and settings in its figures.
PROGRAM = """\
#!/bin/sh
[ "$1" = tree ] && exit 3
[ "$2" = quota ] && ! grep -q '^[1-9]00000' "$NTHBENCH_QUOTA" && exit 4
[ "${NTH_MEMBERS:-none}" = nano ] && done=90.5 || done=80
echo "done $done cpu $3"
"""


def options_of(*arguments):
    return stand_in.options_of(allow, *arguments)


def session(*cpus):
    return stand_in.session(allow, PROGRAM, *cpus)


class Measuring(unittest.TestCase):
    def test_rows(self):
        with session() as two:
            found = allow.measure(two, options_of("--periods", "40,400", "--shapes", "loop"),
                                  self.fail)
        self.assertEqual(len(found), 2 * 2 * 3)
        self.assertEqual(found["mask", "loop", 400, "nanogomp-nano"],
                         [{"done": 90.5, "cpu": 400.0}])
        self.assertEqual(found["quota", "loop", 40, "gomp"], [{"done": 80.0, "cpu": 40.0}])
        lines = allow.table(found).splitlines()
        self.assertEqual(lines[0].split(), "cut shape period runtime done least cpu rounds".split())
        self.assertEqual(lines[1].split(), "mask loop 40 ms nanogomp-os 80 % 80 % 40 % 1/1".split())
        stand_in.plain(allow, found)

    def test_a_run_that_fails_is_shown(self):
        said = []
        with session() as two:
            found = allow.measure(two, options_of("--shapes", "tree", "--periods", "40",
                                                      "--cuts", "mask", "--members", "os"),
                                  said.append)
        self.assertEqual(said[0], "round 1, mask tree 40 nanogomp-os: exit 3")
        self.assertEqual(allow.table(found).splitlines()[1].split()[-4:], ["-", "-", "-", "0/1"])

    def test_no_group(self):
        said = []
        with session() as two, mock.patch.object(allow, "GROUPS", ("/nonexistent",)):
            with self.assertRaisesRegex(host.BenchError, "nothing left"):
                allow.measure(two, options_of("--cuts", "group"), said.append)
        self.assertEqual(said, ["no control group can be made here: group is left out"])

    def test_a_group_is_made_and_goes(self):
        """The files of a real group exist at once; here the folder stands for one."""
        with tempfile.TemporaryDirectory() as root:
            made, mkdir = [], os.mkdir

            def fake(path):
                mkdir(path)
                made.append(path)
                allow.write(os.path.join(path, "cpu.max"), "max 100000\n")

            with mock.patch.object(allow, "GROUPS", (root,)), mock.patch.object(
                    allow, "own_group", return_value=root), mock.patch("os.mkdir", fake):
                with allow.real_group(2) as group:
                    with open(group[1], encoding="ascii") as file:
                        self.assertEqual(file.read(), "200000 100000\n")
                    os.unlink(group[1])  # as rmdir does in a real one
            self.assertEqual((group[0], os.listdir(root)), (made[0], []))

    def test_one_cpu(self):
        with session((0,)) as alone:
            self.assertRaisesRegex(host.BenchError, "two CPUs", allow.measure, alone,
                                   options_of(), self.fail)

    def test_whole_periods(self):
        self.assertEqual([allow.seconds_of(p) for p in (40, 400, 4000, 300)], [1.6, 1.6, 4, 1.8])

    def test_help(self):
        """argparse fills in % of options' help, and leaves a description as it is."""
        self.assertNotIn("%%", allow.parser_of().format_help())

    def test_bad_options(self):
        for bad in (("--cuts", "x"), ("--shapes", "loop,"), ("--periods", "0"),
                    ("--periods", "4,x"), ("--members", "all")):
            with mock.patch("sys.stderr", io.StringIO()):
                self.assertRaises(SystemExit, options_of, *bad)


class Real(stand_in.Real):
    def test_mask_and_quota(self):
        rows = self.measured("allow", "--periods", "400", "--shapes", "barrier")
        self.assertEqual([(r["cut"], r["runtime"]) for r in rows],
                         [(cut, "nanogomp-" + kind) for cut in ("mask", "quota")
                          for kind in ("os", "nano")])
        for row in rows:
            self.assertGreater(row["rounds"][0]["done"], 1)


if __name__ == "__main__":
    unittest.main()
