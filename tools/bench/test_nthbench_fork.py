#!/usr/bin/env python3
# test_nthbench_fork.py - tests of `bench fork`: shapes, probing, columns, simulation, layout.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script stands in for nthbench-fork. With NTH_TEST_BUILD (a build folder) and NTH_TEST_LIB a
short run of the real one, too."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import nthbench  # noqa: E402
import nthbench_fork as fork  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_rows as rows_module  # noqa: E402

BUILD, LIB = os.environ.get("NTH_TEST_BUILD"), os.environ.get("NTH_TEST_LIB")

COUNTING = """\
hardware yes
papi yes 7.0.0
soft yes
event PAPI_L1_DCM yes
event perf::L1-DCACHE-LOAD-MISSES yes
event PAPI_L2_DCM no PAPI cannot add it: Event does not exist
event CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C yes
event REQUESTS_TO_L2_GROUP1:CHANGE_TO_X no PAPI cannot start it: Event does not exist
event OFFCORE_REQUESTS:DEMAND_RFO no PAPI knows no such event on this machine
event PAPI_CA_SHR no PAPI cannot add it: Event does not exist
"""
BARE = """\
hardware no the kernel offers no counters of this CPU, as in most virtual machines
papi yes 7.0.0
soft yes
""" + "".join("event %s no PAPI cannot add it: Event does not exist\n" % e
              for e in fork.wanted_events(None))
WITHOUT_PAPI = """\
hardware yes
papi no nthbench-fork was built without PAPI (libpapi-dev)
soft no the system refuses them: perf_event_paranoid is 4
""" + "".join("event %s no nthbench-fork was built without PAPI (libpapi-dev)\n" % e
              for e in fork.wanted_events(None))

CACHEGRIND = """\
==9== I   refs:      6,353,762
==9== D   refs:      2,174,755  (1,733,199 rd   + 441,556 wr)
==9== D1  misses:       37,355  (   19,936 rd   +  17,419 wr)
==9== LLd misses:       35,217  (   17,922 rd   +  17,295 wr)
==9== LL misses:        37,410  (   20,115 rd   +  17,295 wr)
"""

# 10 spawns of 5 regions, 100 of each event; gwd fails on one level
PROGRAM = """\
#!/bin/sh
if [ "$1" = probe ]; then
  printf '%s' "$NTHBENCH_PROBE"
  exit
fi
if [ "$2$NTH_FORK" = 2gwd ]; then exit 3; fi
while [ $# -gt 0 ]; do
  case $1 in
    --count) echo "count $2 100" ;;
    --soft) echo 'count context-switches 50'; echo 'count task-clock 50000' ;;
  esac
  shift
done
printf 'regions 5\\nspawn 1000.0\\nspawns 10\\n'
"""


def options_of(*arguments):
    parser = fork.parser_of()
    nthbench.common_options(parser, "fork")
    return parser.parse_args(["--rounds", "1", *arguments])


class Said(list):
    __call__ = list.append


class Shapes(unittest.TestCase):
    def test_by_threads(self):
        self.assertEqual(fork.levels_of(None, 1), ["1", "1x1"])
        self.assertEqual(fork.levels_of(None, 2), ["2", "1x2", "2x1", "2x2"])
        self.assertEqual(fork.levels_of(None, 3), ["3", "1x3", "3x1", "3x3"])
        self.assertEqual(fork.levels_of(None, 8), ["8", "2x4", "4x2"])

    def test_given(self):
        self.assertEqual(fork.levels_of("4,2x2,4", 2), ["4", "2x2"])
        for bad in ("x", "2x", "0", "2x0", "2x2x2", "-1", ",", "2,y", "99999"):
            self.assertRaises(host.BenchError, fork.levels_of, bad, 2)


class Columns(unittest.TestCase):
    def columns(self, papi, text):
        said = Said()
        return fork.columns_of(papi, fork.Means(text), said), said

    def test_first_that_works(self):
        columns, said = self.columns(None, COUNTING)
        self.assertEqual(columns, [
            ("L1 misses", "PAPI_L1_DCM"),
            ("L2 misses", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C"),
            ("shared stores", None)])
        self.assertEqual(said, ["shared stores is not counted: PAPI cannot add it: Event does not "
                                "exist"])

    def test_no_counters_is_said_once(self):
        columns, said = self.columns(None, BARE)
        self.assertEqual([event for _, event in columns], [None] * 3)
        self.assertEqual(said, ["no hardware counters: the kernel offers no counters of this CPU, "
                                "as in most virtual machines"])

    def test_no_papi_is_said_once(self):
        columns, said = self.columns(None, WITHOUT_PAPI)
        self.assertEqual([event for _, event in columns], [None] * 3)
        self.assertEqual(said, ["no PAPI: nthbench-fork was built without PAPI (libpapi-dev)"])

    def test_unknown_names_do_not_stop_the_others(self):
        text = COUNTING + "event PAPI_NONE no PAPI knows no such event on this machine\n"
        columns, said = self.columns("PAPI_NONE, PAPI_L1_DCM,PAPI_NONE", text)
        self.assertEqual(columns, [("PAPI_NONE", None), ("PAPI_L1_DCM", "PAPI_L1_DCM")])
        self.assertEqual(said, [
            "PAPI_NONE is not counted: PAPI knows no such event on this machine"])
        self.assertRaises(host.BenchError, self.columns, " ,", COUNTING)

    def test_software_events_instead(self):
        for text, soft in ((COUNTING, False), (BARE, True), (WITHOUT_PAPI, False)):
            columns, events, got = fork.plan_columns(options_of(), fork.Means(text), Said())
            self.assertEqual(got, soft)
            self.assertEqual(len(columns), 3 + 4 * soft)
            self.assertEqual(bool(events), text is COUNTING)
        said = Said()
        fork.plan_columns(options_of(), fork.Means(WITHOUT_PAPI), said)
        self.assertEqual(said[-1], "no software events either: the system refuses them: "
                                   "perf_event_paranoid is 4")


class Simulation(unittest.TestCase):
    def test_figures(self):
        self.assertEqual(fork.read_cachegrind(CACHEGRIND), {
            "Dr": 1733199, "Dw": 441556, "D1mr": 19936, "D1mw": 17419,
            "DLmr": 17922, "DLmw": 17295})
        newer = CACHEGRIND.replace("D   refs", "D refs")
        self.assertEqual(fork.read_cachegrind(newer), fork.read_cachegrind(CACHEGRIND))
        self.assertEqual(fork.read_cachegrind("valgrind: failed"), {})

    def test_shapes(self):
        with tempfile.TemporaryDirectory() as folder:
            for index, facts in enumerate((("1", "Data", "48K", "12", "64"),
                                           ("1", "Instruction", "32K", "8", "64"),
                                           ("2", "Unified", "1280K", "20", "64"),
                                           ("3", "Unified", "32M", "16", "64"))):
                os.makedirs(os.path.join(folder, "index%d" % index))
                for name, text in zip(("level", "type", "size", "ways_of_associativity",
                                       "coherency_line_size"), facts):
                    with open(os.path.join(folder, "index%d" % index, name), "w") as file:
                        file.write(text + "\n")
            shapes = fork.cache_shapes(folder)
        self.assertEqual(shapes, {"D1": (49152, 12, 64), "L2": (1310720, 20, 64)})
        self.assertEqual(fork.cache_options(shapes), (
            ["--D1=49152,12,64", "--LL=1310720,20,64"], "D1 48 KiB 12-way, L2 1280 KiB 20-way"))

    def test_unknown_shapes(self):
        self.assertEqual(fork.cache_shapes("/nonexistent"), {})
        options, text = fork.cache_options({"D1": (3 * 4096, 8, 64)})  # 24 sets
        self.assertEqual(options, [])
        self.assertIn("as valgrind chooses", text)


@contextlib.contextmanager
def stand_in(probe):
    """A session whose nthbench-fork is the script."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ((fork.PROGRAM, PROGRAM), ("linert", "#!/bin/sh\necho linert 50\n")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
            os.chmod(os.path.join(folder, name), 0o755)
        runtime = host.Runtime(host.OURS, "/ours")
        runtime.folder = folder
        with mock.patch.dict(os.environ, NTHBENCH_PROBE=probe):
            with mock.patch("sys.stderr", io.StringIO()):
                yield rows_module.Session(folder, [runtime], 2, [0, 1], 30)


class Measuring(unittest.TestCase):
    def test_counts_are_per_region(self):
        with stand_in(COUNTING) as session:
            rows, columns, notes = fork.measure(session, options_of("--levels", "2,2x2"), Said())
        self.assertEqual([(r.levels, r.fork) for r in rows],
                         [("2", "lwd"), ("2", "gwd"), ("2x2", "lwd"), ("2x2", "gwd")])
        self.assertEqual(rows[0].spawn(), 1000)
        self.assertEqual(rows[0].count("PAPI_L1_DCM"), 2)
        self.assertIn("L1 misses is PAPI_L1_DCM", " ".join(notes))
        lines = fork.table(rows, columns).splitlines()
        self.assertEqual(lines[0].split(), ["levels", "fork", "regions", "a", "spawn", "a",
                                            "region", "L1", "misses", "L2", "misses", "shared",
                                            "stores", "rounds"])
        self.assertEqual(lines[1].split(), ["2", "lwd", "5", "1", "us", "200", "ns", "2.00", "2.00",
                                            "-", "1"])
        self.assertEqual(lines[2].split(), ["2", "gwd", "-", "exit", "3", "-", "-", "-", "-", "1"])
        json.dumps([row.document(fork.all_keys(columns)) for row in rows])

    def test_a_round_that_failed_is_shown(self):
        row = fork.Row("2", host.Runtime(host.OURS, "/ours"), "lwd")
        row.regions = 1
        row.rounds = [{"line": line, "spawn": spawn, "counts": {}}
                      for line, spawn in ((50, 1000.0), (50, 900.0), (50, 950.0), (500, "exit 3"))]
        self.assertEqual(row.spawn(), "exit 3")
        self.assertIn("exit 3", fork.table([row], ()))
        row.rounds.pop()
        self.assertEqual(row.spawn(), 950)

    def test_software_events(self):
        with stand_in(BARE) as session:
            rows, columns, notes = fork.measure(session, options_of("--levels", "2x2"), Said())
        self.assertEqual(fork.table(rows, columns).splitlines()[1].split(),
                         ["2x2", "lwd", "5", "1", "us", "200", "ns", "-", "-", "-", "1.00", "-",
                          "-", "1", "us", "1"])
        self.assertIn("by the kernel's perf", notes[-1])

    def simulated(self, answer):
        """What measure() gives and says, and the commands of valgrind, where answer(which, command)
        is what cachegrind prints for the command of that number. `nanogomp lines` finds two stores
        a region and three loads."""
        runs, said = [], Said()
        with stand_in(BARE) as session, mock.patch("shutil.which", return_value="/v"):
            run = host.run

            def lines(regions):
                total = {"fetch": 7 + 3 * regions, "claim": regions, "take": 1 + regions}
                return json.dumps({"total": total})

            def fake(command, *more, **keywords):
                outcome = host.Outcome()
                if "lines" in command:
                    self.assertIn("--as-is", command)
                    spawns = int(command[command.index("--spawns") + 1])
                    outcome.status, outcome.stdout = 0, lines(5 * spawns)
                    return outcome
                if command[0] != "valgrind":
                    return run(command, *more, **keywords)
                outcome.status, outcome.stderr = 0, answer(len(runs), command)
                runs.append(command)
                return outcome

            with mock.patch("nthbench_host.run", fake):
                measured = fork.measure(session, options_of("--levels", "2x2", "--simulate"), said)
        return measured, said, runs

    def test_simulated_beside_measured_times(self):
        def answer(which, command):
            if which % fork.SIMULATED_RUNS == 0:
                return CACHEGRIND.replace("1,733,199", "9,833,199")  # it polled
            many = str(fork.SIMULATED_SPAWNS[1]) in command
            return CACHEGRIND.replace("1,733,199", "1,833,199") if many else CACHEGRIND

        (rows, columns, notes), said, runs = self.simulated(answer)
        self.assertEqual(said, [])
        self.assertEqual(len(runs), 2 * 2 * fork.SIMULATED_RUNS)
        self.assertIn("--tool=cachegrind", runs[0])
        self.assertEqual(fork.table(rows, columns).splitlines()[1].split()[5:14],
                         ["200", "ns", "0.00", "0.00", "3.00", "2.00", "10.00", "0.00", "1"])
        self.assertTrue(any(n.startswith("SIMULATED") for n in notes))
        self.assertTrue(any("nanogomp lines" in n for n in notes))

    def test_simulated_on_a_busy_machine(self):
        _, said, _ = self.simulated(lambda which, command: CACHEGRIND)
        self.assertIn("2x2 lwd is not simulated: 3000 spawns read no more than 1000", said[0])

    def test_no_valgrind(self):
        with stand_in(BARE) as session, mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(host.BenchError, "needs valgrind"):
                fork.measure(session, options_of("--simulate"), Said())

    def test_no_program(self):
        with stand_in(BARE) as session:
            os.remove(session.program(fork.PROGRAM))
            self.assertRaises(host.BenchError, fork.measure, session, options_of(), Said())

    def test_bad_numbers(self):
        with stand_in(BARE) as session:
            self.assertRaises(SystemExit, options_of, "--ms", "0")
            self.assertRaises(host.BenchError, fork.measure, session, options_of("--size", "-1"),
                              Said())

    def test_broken_off(self):
        round_of, calls = fork.Bench.round, []

        def fake(bench, *more):
            calls.append(more)
            if len(calls) > 3:
                raise KeyboardInterrupt
            round_of(bench, *more)

        with stand_in(BARE) as session, mock.patch("nthbench_fork.Bench.round", fake):
            rows, columns, _ = fork.measure(session, options_of("--levels", "2x2,1"), Said())
            self.assertTrue(session.broken)
        self.assertEqual([(r.levels, r.fork) for r in rows], [("2x2", "lwd"), ("2x2", "gwd"),
                                                              ("1", "lwd")])
        self.assertEqual(len(fork.table(rows, columns).splitlines()), 4)


@unittest.skipUnless(BUILD and LIB, "no build folder (NTH_TEST_BUILD, NTH_TEST_LIB)")
class Real(unittest.TestCase):
    def bench(self, *arguments):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run(
                [sys.executable, os.path.join(HERE, "nthbench.py"), "fork", "--rounds", "1", "--ms",
                 "5", "--bench-dir", os.path.join(BUILD, "bench"), "--lib", LIB, "--json", out.name,
                 *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=350,
                universal_newlines=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done, json.load(out)

    def test_one_and_two_levels(self):
        done, content = self.bench("--levels", "2,2x2", "--size", "400", "--papi", "PAPI_NO_SUCH")
        self.assertIn("PAPI_NO_SUCH is not counted" if "no PAPI" not in done.stderr else "no PAPI",
                      done.stderr)
        self.assertEqual([(r["levels"], r["fork"], r["regions"]) for r in content["fork"]],
                         [("2", "lwd", 1), ("2", "gwd", 1), ("2x2", "lwd", 5), ("2x2", "gwd", 5)])
        for row in content["fork"]:
            self.assertGreater(row["spawn_ns"], 0)

    def valgrind_runs(self):
        """An old valgrind gives up on the debugging information of a new compiler."""
        folder = LIB if os.path.isdir(LIB) else os.path.dirname(LIB)
        return subprocess.run(
            ["valgrind", "--tool=none", os.path.join(BUILD, "bench", "nthbench-fork"),
             "--levels", "1", "--spawns", "1"],
            env=dict(os.environ, LD_LIBRARY_PATH=folder), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=100).returncode == 0

    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
    def test_simulated(self):
        if not self.valgrind_runs():
            self.skipTest("this valgrind does not run the library")
        done, content = self.bench("--levels", "2", "--simulate", "--limit", "150")
        self.assertIn("SIMULATED", done.stdout)
        if "too busy" in done.stderr:
            self.skipTest("the machine is too busy")
        for row in content["fork"]:
            self.assertGreater(row["per_region"]["Dr"], 10)


if __name__ == "__main__":
    unittest.main()
