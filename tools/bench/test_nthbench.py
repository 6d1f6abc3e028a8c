#!/usr/bin/env python3
# test_nthbench.py - tests of the driver's reckoning: ratios, dropped rounds, verdicts, tables.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Needs no benchmark program and no runtime: python3 test_nthbench.py"""

import contextlib
import glob
import importlib.machinery
import importlib.util
import io
import math
import os
import re
import signal
import sys
import tempfile
import types
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import nthbench  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_identity as identity  # noqa: E402
import nthbench_levels as levels  # noqa: E402
import nthbench_programs as programs  # noqa: E402
import nthbench_report as report  # noqa: E402
import nthbench_rows as rows  # noqa: E402


def make_row(peers="best", goal="0.8", aim="-", efficiency="-"):
    return rows.Row(["r", "micro", "r", "T", "-", "ns", peers, goal, aim, efficiency])


def fill(row, *rounds):
    """rounds: (line, {name: value}); few of them stand for as many as a verdict needs"""
    enough = len(rounds) >= report.LEAST_KEPT
    return fill_exactly(row, *rounds * (1 if enough else report.LEAST_KEPT))


def fill_exactly(row, *rounds):
    row.rounds = [{"line": line, "values": values, "speedups": {}} for line, values in rounds]
    return row


def judge(row):
    return report.judge(row, "nanogomp", 2, 2)


class Statistics(unittest.TestCase):
    def test_quantiles(self):
        self.assertEqual(report.median([3, 1, 2]), 2)
        self.assertEqual(report.median([1, 2, 3, 4]), 2.5)
        self.assertEqual(report.quantile([1, 2, 3, 4, 5], 0.25), 2)
        self.assertEqual(report.median([1.0, math.inf]), math.inf)

    def test_rounds_off_the_line_are_dropped(self):
        rounds = [{"line": line} for line in (100, 100, 124, 126, 100, 74, 76)]
        kept, dropped = report.keep_rounds(rounds)
        self.assertEqual([r["line"] for r in kept], [100, 100, 124, 100, 76])
        self.assertEqual(dropped, 2)

    def test_two_modes_keep_one(self):
        self.assertEqual(report.keep_rounds([{"line": 100}, {"line": 400}])[1], 1)

    def test_values_are_shown_in_their_unit(self):
        for value, unit, shown in ((0, "ns", "0 ns"), (999.4, "ns", "999 ns"),
                                   (999.7, "ns", "1 us"), (999999, "ns", "1 ms"),
                                   (12345e9, "ns", "12345 s"), (1000, "bytes", "1000 B"),
                                   (1023.9, "bytes", "1 KiB"), (2048, "bytes", "2 KiB"),
                                   (-1500, "ns", "-1.5 us")):
            self.assertEqual(report.show(value, unit), shown)

    def test_a_time_out_is_endless_in_the_median(self):
        for values, middle in (([1, 2, 3, "timeout", "timeout"], 3), ([1, "timeout"], "timeout"),
                               ([1, 2, "exit 3"], 1.5), ([1, "timeout", "exit 3"], "timeout"),
                               ([1, "exit 3"], "exit 3"), (["timeout"], "timeout"), ([], None)):
            rounds = [{"values": {"x": value}} for value in values]
            self.assertEqual(report.middle_of(rounds, "x"), middle, values)

    def test_without_a_line_nothing_is_dropped(self):
        self.assertEqual(report.keep_rounds([{"line": None}] * 3)[1], 0)


class Judgement(unittest.TestCase):
    def test_ratio_is_paired_by_round(self):
        # the ratio of the medians would be 1.0
        row = fill(make_row(), (50, {"nanogomp": 10, "gomp": 20}),
                   (50, {"nanogomp": 30, "gomp": 60}), (50, {"nanogomp": 20, "gomp": 20}))
        self.assertEqual(judge(row)["ratio"], 0.5)
        self.assertEqual(judge(row)["state"], "ok")

    def test_two_rounds_are_no_verdict(self):
        good, bad = (50, {"nanogomp": 10, "gomp": 100}), (50, {"nanogomp": 200, "gomp": 100})
        for one in (good, bad):
            row = fill_exactly(make_row(), one, one, (500, one[1]))
            result = judge(row)
            self.assertEqual((result["kept"], result["state"], result["few"]), (2, "-", True))
            text = report.table([row], [result], "nanogomp")
            self.assertIn("- (no verdict on 2 kept)", text)
            self.assertNotIn("short", text)
            self.assertNotIn(" ok", text)
            self.assertFalse(judge(fill_exactly(make_row(), one, one, one))["few"])
        wrong = fill_exactly(make_row(), good, (50, {"nanogomp": "exit 3", "gomp": 1}))
        self.assertEqual(judge(wrong)["state"], "short")  # a wrong answer needs no second one

    def test_the_best_peer_counts(self):
        row = fill(make_row(), *[(50, {"nanogomp": 10, "gomp": 100, "iomp": 11})] * 3)
        result = judge(row)
        self.assertEqual(result["peer"], "iomp")
        self.assertEqual(result["state"], "short")

    def test_named_peers_only(self):
        row = fill(make_row("gomp,omp"), *[(50, {"nanogomp": 10, "gomp": 100, "iomp": 11})] * 3)
        self.assertEqual(judge(row)["peer"], "gomp")

    def test_alternatives(self):
        values = {"nanogomp": 10, "gomp": 100, "bolt": 5}
        row = fill(make_row("bolt|best"), (50, values))
        self.assertEqual(judge(row)["peer"], "bolt")
        del values["bolt"]
        self.assertEqual(judge(row)["peer"], "gomp")

    def test_another_row_of_ours(self):
        row = make_row("=s", "0.25")
        session = rows.Session("", [host.Runtime("gomp", "/a"), host.Runtime("nanogomp", "/b")], 2,
                               [0, 1], 60)
        self.assertEqual([r.name for r in session.runtimes_of(row)], ["nanogomp", host.OTHER_ROW])
        asked = []
        rows.PROGRAMS["micro"], before = (lambda *a: asked.append(a[1].sub)), rows.PROGRAMS["micro"]
        for runtime in session.runtimes_of(row):
            runtime.folder = "/f"
            session.measure(row, runtime)
        rows.PROGRAMS["micro"] = before
        self.assertEqual(asked, ["r", "s"])
        result = judge(fill(row, (50, {"nanogomp": 2, host.OTHER_ROW: 10})))
        self.assertEqual((result["ratio"], result["state"]), (0.2, "ok"))

    def test_passive_twin_is_no_best_peer(self):
        row = fill(make_row(), (50, {"nanogomp": 10, "gomp": 100, "gomp-passive": 1}))
        self.assertEqual(judge(row)["peer"], "gomp")

    def test_twins_of_policies(self):
        row = make_row("gomp,gomp-passive,gomp-active", "1.2")
        session = rows.Session("", [host.Runtime("nanogomp", "/a"), host.Runtime("gomp", "/b")], 2,
                               [0, 1], 60)
        chosen = session.runtimes_of(row)
        self.assertEqual([(r.name, r.env.get("OMP_WAIT_POLICY")) for r in chosen],
                         [("nanogomp", None), ("gomp", None), ("gomp-passive", "passive"),
                          ("gomp-active", "active")])
        fill(row, (50, {"nanogomp": 10, "gomp": 100, "gomp-passive": 8, "gomp-active": 9}))
        self.assertEqual((judge(row)["peer"], judge(row)["state"]), ("gomp-passive", "short"))

    def test_rows_of_mpi_need_mpi(self):
        row = rows.Row(["m", "mpi", "even-1ms:none", "T", "-", "ns", "gomp", "1.2", "-", "-"])
        other, said = make_row(), []
        session = rows.Session("/nonexistent", [], 2, [0, 1], 60)
        self.assertEqual(rows.leave_out([row, other], session, said.append), [other])
        self.assertEqual(len(said), 1)
        self.assertIn("left out", said[0])
        self.assertEqual(rows.leave_out([other], session, said.append), [other])
        self.assertEqual(len(said), 1)

    def test_timeouts(self):
        row = fill(make_row(), *[(50, {"nanogomp": 10, "gomp": "timeout"})] * 3)
        self.assertEqual(judge(row)["ratio"], 0)
        row = fill(make_row(), *[(50, {"nanogomp": "timeout", "gomp": 5})] * 3)
        self.assertEqual(judge(row)["state"], "short")

    def test_a_failure_of_ours_is_short_however_seldom(self):
        good = (50, {"nanogomp": 10, "gomp": 100})
        row = fill(make_row(), *[good] * 3, (50, {"nanogomp": "exit 3", "gomp": 100}),
                   (500, {"nanogomp": "exit 3", "gomp": 100}))  # this one is dropped
        result = judge(row)
        self.assertEqual((result["state"], result["ratio"], result["dropped"]), ("short", 0.1, 1))
        self.assertIn("short (2 x exit 3)", report.table([row], [result], "nanogomp"))
        self.assertIn("0 ok, 1 short", report.closing([row], [result]))
        row = fill(make_row("-", "-"), *[good] * 3, (50, {"nanogomp": "signal 11", "gomp": 100}))
        self.assertEqual(judge(row)["state"], "short")
        row = fill(make_row(), *[good] * 3, (50, {"nanogomp": 10, "gomp": "exit 3"}))
        self.assertEqual((judge(row)["state"], judge(row)["failures"]), ("ok", None))
        row = fill(make_row(), *[good] * 3, (50, {"nanogomp": "timeout", "gomp": 100}))
        self.assertEqual(judge(row)["state"], "ok")
        row = fill(make_row("=s"), *[(50, {"nanogomp": 10, host.OTHER_ROW: "exit 3"})] * 2)
        self.assertEqual((judge(row)["state"], judge(row)["failures"]), ("short", "6 x exit 3"))

    def test_a_failed_peer_is_no_peer(self):
        row = fill(make_row(), *[(50, {"nanogomp": 10, "gomp": "exit 3", "omp": 20})] * 3)
        self.assertEqual(judge(row)["peer"], "omp")

    def test_nothing_burnt(self):
        row = fill(make_row(goal="1.0"), (50, {"nanogomp": 0, "gomp": 0}))
        self.assertEqual(judge(row)["ratio"], 1)
        row = fill(make_row(goal="1.0"), (50, {"nanogomp": 5, "gomp": 0}))
        self.assertEqual(judge(row)["state"], "short")

    def test_speedup_is_wanted_too(self):
        row = fill(make_row(goal="1.0", efficiency="0.9"), (50, {"nanogomp": 10, "gomp": 20}))
        row.rounds[0]["speedups"]["nanogomp"] = 1.7
        self.assertEqual(judge(row)["state"], "short")
        row.rounds[0]["speedups"]["nanogomp"] = 1.8
        self.assertEqual(judge(row)["state"], "ok")

    def test_aim(self):
        row = fill(make_row(goal="1.0", aim="0.5"), (50, {"nanogomp": 10, "gomp": 20}))
        self.assertEqual(judge(row)["state"], "ok, aim met")

    def test_table_has_all_of_it(self):
        row = fill(make_row(), (62, {"nanogomp": 1234.0, "gomp": 2468.0}))
        text = report.table([row], [judge(row)], "nanogomp")
        for word in ("1.23 us", "2.47 us", "0.50", "gomp", "0.80", "62", "ok"):
            self.assertIn(word, text)


class Programs(unittest.TestCase):
    def verdicts(self, answers, **more):
        measured = programs.Measured("p")
        for i in range(2):
            measured.rounds.append({"line": None, "values": {n: 1.0 for n in answers},
                                    "answers": {n: [a[i]] for n, a in answers.items()}})
        measured.compare(list(answers), programs.comparer(more.get("ignore", []),
                                                          more.get("tolerance", 0)))
        return measured.verdicts

    def test_verdicts(self):
        self.assertEqual(self.verdicts({"gomp": "aa", "nanogomp": "aa", "omp": "ab"}),
                         {"gomp": "reference", "nanogomp": "same", "omp": "DIFFERS"})

    def test_unsteady_reference(self):
        self.assertEqual(self.verdicts({"gomp": "ab", "nanogomp": "cd"})["nanogomp"], "unsteady")

    def test_ignore_and_tolerance(self):
        texts = {"gomp": ["t=1 x 1.0e0"] * 2, "nanogomp": ["t=2 x 1.0000001"] * 2}
        self.assertEqual(self.verdicts(texts)["nanogomp"], "DIFFERS")
        found = self.verdicts(texts, ignore=[r"t=\d+"], tolerance=1e-6)
        self.assertEqual(found["nanogomp"], "same")
        found = self.verdicts(texts, ignore=[r"t=\d+"], tolerance=1e-8)
        self.assertEqual(found["nanogomp"], "DIFFERS")

    def test_kernel_lines(self):
        text = "noise\nKERNEL ep threads=2 size=2^20 seconds=0.5 check=ok value=1.25\nKERNEL x\n"
        self.assertEqual(programs.kernel_lines(text), [("ep size=2^20", 0.5, "1.25")])


class Levels(unittest.TestCase):
    def line(self, name, *values):
        measured = programs.Measured(name)
        measured.rounds = [{"line": None, "values": {"nanogomp": v, "gomp": 2 * v}, "answers": {}}
                           for v in values]
        measured.verdicts = {"gomp": "reference", "nanogomp": "same"}
        return measured

    def test_splits(self):
        self.assertEqual(levels.split_of("2x14"), (2, 14))
        for text in ("2", "x2", "0x2", "2x", "2x1x1", "axb"):
            self.assertRaises(host.BenchError, levels.split_of, text)
        self.assertEqual(levels.split_options("one"), ["--one-level"])
        self.assertEqual(levels.split_options("2x1"), ["--outer", "2", "--inner", "1"])

    def test_tasks_of_the_tables(self):
        found, levels.find_program = levels.find_program, lambda options, name: "/k/" + name
        try:
            options = levels.parse(levels.parser_of(), ["--match", "bt*,burst*", "--splits", "4x2",
                                                        "--", "--small"])
            options.threads = 8
            tasks = levels.tasks_of(options, "levels")
            self.assertEqual([t.name for t in tasks][:2], ["bt-loops one", "bt-loops 4x2"])
            self.assertEqual(tasks[1].command[0], "/k/bt")
            self.assertEqual(tasks[1].command[-5:], ["--outer", "4", "--inner", "2", "--small"])
            self.assertIn("burst-500 2x4", [t.name for t in levels.tasks_of(options, "pools")])
            self.assertEqual(levels.tasks_of(options, "nano"), [])
        finally:
            levels.find_program = found

    def test_policies_are_twins(self):
        runtime = host.Runtime("nanogomp", "/x/lib.so", {"A": "1"})
        twins = levels.policies_of(runtime, "2x2")
        self.assertEqual([t.env.get("NTH_POOL") for t in twins], ["central", "local", "hier"])
        self.assertEqual([t.env.get("NTH_DOMAINS") for t in twins], [None, None, "2x2"])
        self.assertEqual(runtime.env, {"A": "1"})

    def test_gain_is_paired_by_round(self):
        one, two = self.line("k one", 10.0, 40.0, 90.0), self.line("k 2x1", 5.0, 10.0, 30.0)
        self.assertEqual(levels.against(two, one, "nanogomp"), 3.0)
        text = levels.text("levels", [one, two], "nanogomp").splitlines()
        self.assertRegex(text[-1], r"^k +2x1 +10 ns +20 ns +0\.50 +3\.00 +3\.00 +3 +same$")
        self.assertIn("nothing measured", levels.text("nano", [], "nanogomp"))

    def test_gain_of_rounds_that_both_keep(self):
        one, two = self.line("k one", 10.0, 40.0, 90.0), self.line("k 2x1", 5.0, 10.0, 30.0)
        for line, times in ((one, (50, 50, 200)), (two, (50, 50, 50))):
            for entry, time in zip(line.rounds, times):
                entry["line"] = time
        self.assertEqual(levels.against(two, one, "nanogomp"), 3.0)  # of 2 and 4
        two.rounds[0]["line"] = 10
        self.assertEqual(levels.against(two, one, "nanogomp"), 4.0)
        one.rounds[1]["line"] = one.rounds[2]["line"] = 50
        one.rounds[0]["line"] = 50
        self.assertEqual(levels.against(two, one, "nanogomp"), 3.5)  # of 4 and 3

    def test_a_failed_runtime_is_shown(self):
        line = self.line("k one", 1.0)
        line.rounds[0]["values"]["gomp"] = "timeout"
        line.verdicts["gomp"] = "timeout"
        self.assertIn("gomp: timeout", levels.text("levels", [line], "nanogomp"))


class Lists(unittest.TestCase):
    LISTS = [os.path.join(HERE, name) for name in (programs.LIST, "programs-more.tsv")]

    def test_the_lists_are_whole(self):
        loader = importlib.machinery.SourceFileLoader("setup", os.path.join(HERE, programs.SETUP))
        setup = importlib.util.module_from_spec(importlib.util.spec_from_loader("setup", loader))
        loader.exec_module(setup)
        names = []
        for path in self.LISTS:
            for row in programs.read_table(path):
                names.append(row.name)
                self.assertTrue(row.packages and row.command and row.inputs, row.name)
                self.assertTrue(row.outputs or "sh" not in row.command, row.name)
        self.assertEqual(sorted(names), sorted(setup.MAKERS))

    def test_bad_list(self):
        for read, *lines in (
                (programs.read_table, b"a\tb\tc", b"a\tb\tc\td\tNO_VALUE\tf\tg", b"# nothing"),
                (programs.read_list, b"caf\xe9 | true", b"x | echo 'a", b"x | true | 'a"),
                (rows.read_table, b"caf\xe9")):
            for line in lines:
                with tempfile.NamedTemporaryFile() as file:
                    file.write(line + b"\n")
                    file.flush()
                    self.assertRaises(host.BenchError, read, file.name)

    def test_match(self):
        rows = programs.read_table(self.LISTS[0])
        self.assertEqual([r.name for r in programs.select(rows, "x*,gm")], ["gm", "xtb", "xgboost"])
        self.assertRaises(host.BenchError, programs.select, rows, "none-such")

    def test_our_folder_stays_before_that_of_the_list(self):
        runtime = host.Runtime("a", "/x/liba.so")
        runtime.folder = "/f/a"
        session = types.SimpleNamespace(threads=2)
        task = programs.Task("p", ["p"], "/", env={"LD_LIBRARY_PATH": "blas", "X": "1"})
        env = programs.environment(session, task, runtime)
        self.assertEqual((env["LD_LIBRARY_PATH"], env["X"]), ("/f/a:blas", "1"))

    def test_regions_are_counted(self):
        text = ("nanogomp: serving GOMP_ calls from x\nvalue: 1nanogomp: 12 parallel regions of "
                "more than one member; 1 threads made\nnanogomp: 3 parallel regions of more than "
                "one member; 0 threads made\n")
        self.assertEqual(programs.REGIONS.findall(text), ["12", "3"])


class Inputs(unittest.TestCase):
    def test_runtime_text(self):
        self.assertEqual(host.parse_runtime("a=/x/l.so:NTH_A=1:NTH_B=b=c"),
                         ("a", "/x/l.so", {"NTH_A": "1", "NTH_B": "b=c"}))
        self.assertRaises(host.BenchError, host.parse_runtime, "a=/x:bad")

    def test_the_table_names_rows_that_exist(self):
        names = set()
        for path in glob.glob(os.path.join(HERE, "*.c")):
            with open(path) as source:
                names.update(re.findall(r'\{"([a-z0-9.-]+)", run_', source.read()))
        with open(os.path.join(HERE, "hybrid.c")) as source:
            ranks = re.findall(r'^    \{"([a-z0-9-]+)", \d', source.read(), re.MULTILINE)
        with open(os.path.join(HERE, "first.c")) as source:
            shapes = re.findall(r'\{"([a-z]+)", [a-z]+\}', source.read())
        self.assertEqual(len(shapes), 3)
        table = rows.read_table()
        self.assertGreater(len(table), 60)
        self.assertEqual(len({r.name for r in table}), len(table))
        for row in table:
            self.assertIn(row.program, rows.PROGRAMS)
            if row.program == "rss":
                self.assertRegex(row.sub, r"^(-|[1-9][0-9]*)$")  # tasks
            elif row.program == "mpi":
                self.assertRegex(row.sub, r"^(%s):(none|core)$" % "|".join(ranks))
            elif row.program == "first":
                self.assertRegex(row.sub, r"^(((%s):[0-9]+ms)|forked|forked-after)$"
                                 % "|".join(shapes))
                continue
            elif row.sub != "-":
                self.assertIn(row.sub, names)
            if row.other:
                self.assertIn(row.other, names)

    def test_globs(self):
        table = rows.read_table()
        self.assertEqual([r.name for r in rows.select(table, "fib*@?,pair")],
                         ["fib-27@1", "fib-27@4", "fib-27@8", "pair"])
        self.assertRaises(host.BenchError, rows.select, table, "none-such")

    def test_cpus(self):
        allowed = sorted(os.sched_getaffinity(0))
        self.assertEqual(host.choose_cpus(None, 1), allowed[:1])
        self.assertRaises(host.BenchError, host.choose_cpus, "100000", 1)
        self.assertRaises(host.BenchError, host.choose_cpus, "x", 1)

    def test_bad_table(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as table:
            table.write("a\tb\n")
            table.flush()
            self.assertRaises(host.BenchError, rows.read_table, table.name)


class Identity(unittest.TestCase):
    def test_a_package_of_python(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "lib", "libx.so")
            record = os.path.join(folder, "lib/python3.9/site-packages/x-2.1.dist-info/RECORD")
            os.makedirs(os.path.dirname(record))
            with open(record, "w") as file:
                file.write("x/__init__.py,,\n../../libx.so,sha256=a,7\n")
            self.assertEqual(identity.python_package(library), "x 2.1")
            self.assertIsNone(identity.python_package(os.path.join(folder, "lib", "libx.so.1")))

    def test_the_json_has_commit_and_versions(self):
        said = {"/ours": {"version": "0.1", "commit": "abc"}, "/theirs": {}}
        with mock.patch("nthbench_identity.report_of", said.get), \
                mock.patch("nthbench_identity.debian_package", lambda path: "libx 7"):
            session = rows.Session("/", [host.Runtime("nanogomp", "/ours"),
                                         host.Runtime("gomp", "/theirs")], 2, [0, 1], 60)
            session.machine = {}
            session.identities = {r.name: identity.identity(r) for r in session.runtimes}
            written = nthbench.document(session, nthbench.micro_parser().parse_args([]), "nanogomp")
        self.assertEqual(written["commit"], "abc")
        self.assertEqual(written["runtimes"]["gomp"]["version"], "libx 7")


class Processes(unittest.TestCase):
    def test_outcomes(self):
        self.assertIsNone(host.run(["/bin/sh", "-c", "echo hi"], {}, 100).trouble())
        self.assertEqual(host.run(["/bin/sh", "-c", "exit 4"], {}, 100).trouble(), "exit 4")
        self.assertEqual(host.run(["/bin/sh", "-c", "kill -9 $$"], {}, 100).trouble(), "signal 9")
        self.assertEqual(host.run(["/bin/sleep", "20"], {}, 0.1).trouble(), "timeout")

    def test_a_pair_that_is_broken_off_leaves_nothing(self):
        runtime = host.Runtime("nanogomp", "/ours")
        with tempfile.TemporaryDirectory() as folder:
            runtime.folder = folder
            program = os.path.join(folder, "nthbench-micro")
            with open(program, "w") as file:
                file.write("#!/bin/sh\nmkdir %s/first 2>/dev/null || kill -INT $PPID\n"
                           "exec sleep 1000\n" % folder)
            os.chmod(program, 0o755)
            session = rows.Session(folder, [runtime], 2, [0, 1], 1000)
            row = rows.Row(["pair", "pair", "pair", "T", "-", "ns", "gomp", "1", "-", "-"])
            before = signal.signal(signal.SIGINT, host.end_now)
            try:
                self.assertRaises(KeyboardInterrupt, session.measure, row, runtime)
            finally:
                signal.signal(signal.SIGINT, before)
        self.assertEqual(host.running, set())

    def test_levels_end_with_the_table_that_is_broken_off(self):
        asked = []

        def fake(session, options, ours, name, say):
            asked.append(name)
            session.broken = name == "pools"
            return []

        session = rows.Session("", [], 2, [0, 1], 60)
        session.machine = dict(cpu="", cores=2, kernel="", date="", cpus=[0, 1], others_at_start=0,
                               load_average=[0, 0, 0])
        with mock.patch("nthbench.session_of", lambda options: contextlib.nullcontext(session)), \
                mock.patch("nthbench_levels.measure", fake), \
                mock.patch("sys.stdout", io.StringIO()) as out:
            self.assertEqual(nthbench.main(["levels"]), 130)
        self.assertEqual(asked, ["levels", "pools"])
        self.assertNotIn(levels.TITLES["nano"], out.getvalue())

    def test_errors_have_a_status(self):
        session = rows.Session("/nonexistent", [], 2, [0, 1], 60)
        with mock.patch("sys.stderr", io.StringIO()) as said, \
                mock.patch("nthbench.session_of", lambda options: contextlib.nullcontext(session)):
            self.assertEqual(nthbench.main(["--rows", "none-such"]), 2)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "none.json")
                self.assertEqual(nthbench.main(["--json", path, "--rows", "none-such"]), 2)
                self.assertEqual(os.listdir(folder), [])
            self.assertEqual(nthbench.main(["none-such"]), 2)
            for wrong in (["--rounds", "x"], ["--json", "/no/such/file"],
                          ["papers", "--json", "x"], ["predict", "--json", "x"]):
                with self.assertRaises(SystemExit):
                    nthbench.main(wrong)
            self.assertEqual(nthbench.main(["mpi"]), 2)  # no nthbench-mpi there
            self.assertEqual(nthbench.main(["levels", "--match", "none-such"]), 2)
            for mode in ("kernels", "levels"):
                with self.assertRaises(SystemExit) as ended:
                    nthbench.main([mode, "--repeat", "0"])
                self.assertEqual(ended.exception.code, 2)
        self.assertIn("nothing left to measure", said.getvalue())


if __name__ == "__main__":
    unittest.main()
