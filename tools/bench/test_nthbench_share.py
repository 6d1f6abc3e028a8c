#!/usr/bin/env python3
# test_nthbench_share.py - tests of `bench share`: runs, gates, layout.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script stands in for nthbench-share. With NTH_TEST_BUILD (a build folder) and NTH_TEST_LIB a
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
import nthbench_host as host  # noqa: E402
import nthbench_rows as rows_module  # noqa: E402
import nthbench_share as share  # noqa: E402

BUILD, LIB = os.environ.get("NTH_TEST_BUILD"), os.environ.get("NTH_TEST_LIB")

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
    parser = share.parser_of()
    nthbench.common_options(parser, "share")
    return share.parse(parser, ["--rounds", "1", *arguments])


@contextlib.contextmanager
def stand_in(cpus=(0, 1)):
    """A session whose nthbench-share is the script."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, share.PROGRAM)
        with open(path, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        os.chmod(path, 0o755)
        runtimes = [host.Runtime(host.OURS, "/ours"), host.Runtime("gomp", "/gomp")]
        for runtime in runtimes:
            runtime.folder = folder
        yield rows_module.Session(folder, runtimes, 2, list(cpus), 30)


def measured(*arguments):
    said = []
    with stand_in() as session:
        return share.measure(session, options_of(*arguments), said.append), said


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
        json.dumps([{**dict(zip(share.KEYS, key)), "rounds": r} for key, r in found.items()])

    def test_a_run_that_fails_is_shown(self):
        for shape, why in (("tasks", "exit 3"), ("regions", "no result")):
            found, said = measured("--shapes", shape, "--experiments", "equal", "--members", "os")
            self.assertEqual(said[1], "round 1, equal %s nanogomp-os-share: %s" % (shape, why))
            self.assertEqual(share.table(found).splitlines()[1].split()[3:],
                             [*"-----", "SHORT", "0/1"])

    def test_one_cpu(self):
        with stand_in((0,)) as session:
            self.assertRaisesRegex(host.BenchError, "two CPUs", share.measure, session,
                                   options_of(), self.fail)

    def test_bad_options(self):
        for bad in (("--experiments", "x"), ("--shapes", "loop,"), ("--programs", "1"),
                    ("--programs", "17"), ("--seconds", "0"), ("--members", "all")):
            with mock.patch("sys.stderr", io.StringIO()):
                self.assertRaises(SystemExit, options_of, *bad)


@unittest.skipUnless(BUILD and LIB, "no build folder (NTH_TEST_BUILD, NTH_TEST_LIB)")
@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
class Real(unittest.TestCase):
    def test_all(self):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run(
                [sys.executable, os.path.join(HERE, "nthbench.py"), "share", "--rounds", "1",
                 "--seconds", "0.2", "--shapes", "barrier,tasks", "--runtimes", "nanogomp",
                 "--members", "os", "--bench-dir", os.path.join(BUILD, "bench"), "--lib", LIB,
                 "--json", out.name],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250,
                universal_newlines=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            content = json.load(out)
        self.assertEqual([(r["experiment"], r["shape"], r["runtime"]) for r in content["share"]],
                         [(what, shape, "nanogomp-os" + end) for what in share.EXPERIMENTS
                          for shape in ("barrier", "tasks") for end in (share.SHARED, "")])
        for row in content["share"]:
            values = row["rounds"][0]
            if row["experiment"] != "kill":
                self.assertGreater(values["total"], 1)
                self.assertGreaterEqual(values["most"], values["least"])


if __name__ == "__main__":
    unittest.main()
