# stand_in.py - what the tests of `bench allow` and `bench share` have in common
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script stands in for the program that a command runs. With NTH_TEST_BUILD (a build folder) and
NTH_TEST_LIB a short run of the real one, too."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import nthbench  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_rows as rows_module  # noqa: E402

BUILD, LIB = os.environ.get("NTH_TEST_BUILD"), os.environ.get("NTH_TEST_LIB")


def options_of(command, *arguments):
    """The options of a command, a module, for one round."""
    parser = command.parser_of()
    nthbench.common_options(parser, parser.prog.split()[-1])
    return command.parse(parser, ["--rounds", "1", *arguments])


@contextlib.contextmanager
def session(command, script, cpus=(0, 1)):
    """A session of ours and libgomp, whose program is the script."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, command.PROGRAM)
        with open(path, "w", encoding="ascii") as file:
            file.write(script)
        os.chmod(path, 0o755)
        runtimes = [host.Runtime(host.OURS, "/ours"), host.Runtime("gomp", "/gomp")]
        for runtime in runtimes:
            runtime.folder = folder
        yield rows_module.Session(folder, runtimes, 2, list(cpus), 30)


def plain(command, found):
    """What measure() has found, as --json writes it."""
    return json.dumps([{**dict(zip(command.KEYS, key)), "rounds": r} for key, r in found.items()])


@unittest.skipUnless(BUILD and LIB, "no build folder (NTH_TEST_BUILD, NTH_TEST_LIB)")
@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
class Real(unittest.TestCase):
    def measured(self, name, *arguments):
        """The rows of one round on ours."""
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run(
                [sys.executable, os.path.join(HERE, "nthbench.py"), name, "--rounds", "1",
                 "--runtimes", "nanogomp", *arguments, "--bench-dir", os.path.join(BUILD, "bench"),
                 "--lib", LIB, "--json", out.name],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250,
                universal_newlines=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.load(out)[name]
