#!/usr/bin/env python3
# test_nthbench_allow.py - tests of `bench allow`: runs, quotas, layout.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script stands in for nthbench-allow. With NTH_TEST_BUILD (a build folder) and NTH_TEST_LIB a
short run of the real one, too."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import nthbench  # noqa: E402
import nthbench_allow as allow  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_rows as rows_module  # noqa: E402

BUILD, LIB = os.environ.get("NTH_TEST_BUILD"), os.environ.get("NTH_TEST_LIB")

# Says its arguments and settings in its figures.
PROGRAM = """\
#!/bin/sh
[ "$1" = tree ] && exit 3
[ "$2" = quota ] && ! grep -q '^[1-9]00000' "$NTHBENCH_QUOTA" && exit 4
[ "${NTH_MEMBERS:-none}" = nano ] && done=90.5 || done=80
echo "done $done cpu $3"
"""


def options_of(*arguments):
    parser = allow.parser_of()
    nthbench.common_options(parser, "allow")
    return allow.parse(parser, ["--rounds", "1", *arguments])


@contextlib.contextmanager
def stand_in(cpus=(0, 1)):
    """A session whose nthbench-allow is the script."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, allow.PROGRAM)
        with open(path, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        os.chmod(path, 0o755)
        runtimes = [host.Runtime(host.OURS, "/ours"), host.Runtime("gomp", "/gomp")]
        for runtime in runtimes:
            runtime.folder = folder
        yield rows_module.Session(folder, runtimes, 2, list(cpus), 30)


class Measuring(unittest.TestCase):
    def test_rows(self):
        with stand_in() as session:
            found = allow.measure(session, options_of("--periods", "40,400", "--shapes", "loop"),
                                  self.fail)
        self.assertEqual(len(found), 2 * 2 * 3)
        self.assertEqual(found["mask", "loop", 400, "nanogomp-nano"],
                         [{"done": 90.5, "cpu": 400.0}])
        self.assertEqual(found["quota", "loop", 40, "gomp"], [{"done": 80.0, "cpu": 40.0}])
        lines = allow.table(found).splitlines()
        self.assertEqual(lines[0].split(), "cut shape period runtime done least cpu rounds".split())
        self.assertEqual(lines[1].split(), "mask loop 40 ms nanogomp-os 80 % 80 % 40 % 1/1".split())
        json.dumps([{**dict(zip(allow.KEYS, key)), "rounds": r} for key, r in found.items()])

    def test_a_run_that_fails_is_shown(self):
        said = []
        with stand_in() as session:
            found = allow.measure(session, options_of("--shapes", "tree", "--periods", "40",
                                                      "--cuts", "mask", "--members", "os"),
                                  said.append)
        self.assertEqual(said[0], "round 1, mask tree 40 nanogomp-os: exit 3")
        self.assertEqual(allow.table(found).splitlines()[1].split()[-4:], ["-", "-", "-", "0/1"])

    def test_no_group(self):
        said = []
        with stand_in() as session, mock.patch.object(allow, "GROUPS", ("/nonexistent",)):
            with self.assertRaisesRegex(host.BenchError, "nothing left"):
                allow.measure(session, options_of("--cuts", "group"), said.append)
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
        with stand_in((0,)) as session:
            self.assertRaisesRegex(host.BenchError, "two CPUs", allow.measure, session,
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


@unittest.skipUnless(BUILD and LIB, "no build folder (NTH_TEST_BUILD, NTH_TEST_LIB)")
@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
class Real(unittest.TestCase):
    def test_mask_and_quota(self):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run(
                [sys.executable, os.path.join(HERE, "nthbench.py"), "allow", "--rounds", "1",
                 "--periods", "400", "--shapes", "barrier", "--runtimes", "nanogomp",
                 "--bench-dir", os.path.join(BUILD, "bench"), "--lib", LIB, "--json", out.name],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250,
                universal_newlines=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            content = json.load(out)
        self.assertEqual([(r["cut"], r["runtime"]) for r in content["allow"]],
                         [(cut, "nanogomp-" + kind) for cut in ("mask", "quota")
                          for kind in ("os", "nano")])
        for row in content["allow"]:
            self.assertGreater(row["rounds"][0]["done"], 1)


if __name__ == "__main__":
    unittest.main()
