#!/usr/bin/env python3
# test_nthbench_members.py - tests of rows on demand, settings as runtimes, figures as peers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Needs no benchmark program and no runtime: python3 test_nthbench_members.py"""

import os
import re
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import nthbench  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_report as report  # noqa: E402
import nthbench_rows as rows  # noqa: E402
import test_nthbench as common  # noqa: E402


class Peers(unittest.TestCase):
    def test_twins_of_members(self):
        row = common.make_row("nanogomp-os", "1.05")
        given = [host.Runtime("nanogomp", "/a", {"A": "1"}), host.Runtime("gomp", "/b")]
        session = rows.Session("", given, 2, [0, 1], 60)
        self.assertEqual([(r.name, r.env) for r in session.runtimes_of(row)],
                         [("nanogomp", {"A": "1"}),
                          ("nanogomp-os", {"A": "1", "NTH_MEMBERS": "os"})])
        given.append(host.Runtime("nanogomp-os", "/c"))
        self.assertEqual([(r.name, r.path) for r in session.runtimes_of(row)],
                         [("nanogomp", "/a"), ("nanogomp-os", "/c")])
        common.fill(row, (50, {"nanogomp": 11, "nanogomp-os": 10}))
        self.assertEqual((common.judge(row)["peer"], common.judge(row)["state"]),
                         ("nanogomp-os", "short"))
        self.assertEqual(host.twin_settings("nanogomp-os"), "NTH_MEMBERS=os")
        self.assertFalse(host.is_twin("os"))

    def test_a_figure_as_peer(self):
        row = common.fill(common.make_row("1us", "1.0"), *[(50, {"nanogomp": 400, "gomp": 10})] * 3)
        result = common.judge(row)
        self.assertEqual((result["peer"], result["ratio"], result["state"]), ("1us", 0.4, "ok"))
        common.fill(row, (50, {"nanogomp": 1500, "gomp": 9000}))
        self.assertEqual((common.judge(row)["ratio"], common.judge(row)["state"]), (1.5, "short"))
        common.fill(row, (50, {"nanogomp": "exit 3", "gomp": 9000}))
        self.assertEqual(common.judge(row)["state"], "short")
        self.assertIn(" 1us ", report.table(
            [row], [common.judge(common.fill(row, (50, {"nanogomp": 1})))], "nanogomp"))

    def test_against_one_of_the_list(self):
        given = [host.Runtime(name, "/a") for name in ("nanogomp", "nanogomp-os", "gomp")]
        session = rows.Session("", given, 2, [0, 1], 60)
        for peers in ("best", "gomp", "=s", "1us"):
            row = common.make_row(peers)
            nthbench.compare_with([row], "nanogomp-os", "nanogomp", session)
            self.assertEqual([r.name for r in session.runtimes_of(row)],
                             ["nanogomp", "nanogomp-os"])
            common.fill(row, (50, {"nanogomp": 30, "nanogomp-os": 10, "gomp": 1}))
            self.assertEqual((common.judge(row)["ratio"], common.judge(row)["state"]), (3, "-"))
        for name in ("nanogomp", "omp"):
            self.assertRaises(host.BenchError, nthbench.compare_with, [row], name, "nanogomp",
                              session)


class Table(unittest.TestCase):
    def test_one_library_with_two_settings(self):
        with tempfile.NamedTemporaryFile(suffix=".so.1") as library:
            find = lambda text: host.find_runtimes(text, library.name, None, None)  # noqa: E731
            found = find("nanogomp=:NTH_A=1,nanogomp-b=:NTH_A=2:NTH_B=3")
            self.assertEqual([(r.name, r.path, r.env) for r in found],
                             [("nanogomp", library.name, {"NTH_A": "1"}),
                              ("nanogomp-b", library.name, {"NTH_A": "2", "NTH_B": "3"})])
            for text in ("nanogomp-b", "other=:NTH_A=1", "nanogomp,nanogomp=:NTH_A=1"):
                self.assertRaises(host.BenchError, find, text)
            # what a runtime sets goes before what the row sets
            found[0].folder = "/f"
            self.assertEqual(host.environment(found[0], 2, {"NTH_A": "0"})["NTH_A"], "1")

    def test_rows_of_members(self):
        table = rows.read_table()
        members = rows.select(table, rows.MEMBERS)
        self.assertGreater(len(members), 40)
        named = members + rows.select(table, "pools-*")
        self.assertEqual(rows.select(table, None), [r for r in table if r not in named])
        self.assertEqual(rows.select(table, "*"), table)
        for row in members:
            self.assertIn("NTH_MEMBERS", row.env)
            if re.search(r"-100us|-1ms", row.name):
                self.assertEqual(row.efficiency, 0.9, row.name)
        with mock.patch("nthbench.bench_micro", lambda argv: argv):
            self.assertEqual(nthbench.main(["members", "--rounds", "2"]),
                             ["--rows", "members-*", "--rounds", "2"])

    def test_the_work_is_the_same_for_all(self):
        asked = []

        def fake(command, env, limit):
            asked.append(command)
            outcome = host.Outcome()
            outcome.status, outcome.stdout = 0, "turns %d\nr 7\n" % (900 + len(asked))
            return outcome

        runtime = host.Runtime("nanogomp", "/a")
        runtime.folder = "/f"
        session = rows.Session("/b", [runtime], 2, [0, 1], 60)
        with mock.patch("nthbench_host.run", fake):
            session.calibrate()
            self.assertEqual(session.measure(common.make_row(), runtime), (7, None))
        self.assertEqual(session.turns, 900 + rows.CALIBRATIONS)
        self.assertEqual(asked[0], ["/b/nthbench-micro", "--calibrate"])
        self.assertEqual(asked[-1], ["/b/nthbench-micro", "--turns", "905.000", "r"])
        first = rows.Row(["r", "first", "tasks:3ms", "T", "-", "ns", "best", "1", "1", "-"])
        with mock.patch("nthbench_host.run", fake):
            self.assertEqual(session.measure(first, runtime)[0], "no value")
        self.assertEqual(asked[-1][-4:], ["15", "/b/nthbench-first", "tasks", "2715000"])


if __name__ == "__main__":
    unittest.main()
