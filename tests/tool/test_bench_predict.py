#!/usr/bin/env python3
# test_bench_predict.py - `nanogomp bench predict`: a tiny kernel, what is kept, verdicts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys
import unittest
from unittest import mock

import support
from nanogomp_lib import library, predict, predict_check
from nanogomp_lib import predict_machine as machines
from nanogomp_lib import predict_record as recording

sys.path.insert(0, os.path.join(os.path.dirname(support.TOOL), "bench"))

import nthbench_predict as bench  # noqa: E402
import nthbench_predict_cases as cases  # noqa: E402
import nthbench_predict_page as page  # noqa: E402

BUILD = os.environ.get("NTH_TEST_BUILD")
TINY = r"""
int main(void) {
  volatile double x = 1;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 20000; j++) x = x * 1.0000001;
  return 0;
}
"""
TRIANGLE = r"""
int main(void) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < 2000; i++)
    for (volatile int j = 0; j < 50 * i; j++) sum += j;
  return sum < 0;
}
"""
ABOUT = {"cpu": "a CPU", "cpus": 2, "kernel": "6.1", "date": "2000-01-01 00:00", "commit": "abc"}
CASE = cases.case("tiny", "", ("a", ""), ("b", "-b"), ("c", "-c"), why="For a reason.")


def row(**times):
    """times: (predicted, measured) of the labels on two processors; a's on one are equal."""
    entry = {label: {"2": [*pair, 0.0, 0.0]} for label, pair in times.items()}
    entry["a"]["1"] = [1.0, 1.0, 0.9, 0.0]
    return page.Row(CASE, {"about": ABOUT, "rounds": [entry]})


class Verdicts(unittest.TestCase):
    def test_times(self):
        made = row(a=(1.0, 1.2), b=(2.0, 3.0), c=(3.0, 4.0))
        self.assertEqual((made.one.state, made.two.state, made.state), ("ok", "OFF", "ok"))
        self.assertTrue(made.failed())
        self.assertIn("- **tiny**: For a reason.", page.text([made]))
        self.assertNotIn("a reason", page.text([row(a=(1.0, 1.05), b=(2, 2), c=(3, 3))]))

    def test_least_and_quiet_rounds_count(self):
        rounds = [{2: (1.2, 1.0, 0.5, 0.0)}, {2: (1.1, 1.5, 0.01, 0.0)}, {2: (1.0, 1.4, 0.0, 0.0)},
                  {2: (0.9, 1.3, 0.0, 4.0)}]
        self.assertEqual(predict_check.best(rounds, 2), (1.0, 1.4, 0.0, 0.0))
        self.assertEqual(predict_check.best(rounds[:1], 2), (1.2, 1.0, 0.5, 0.0))
        self.assertEqual(predict_check.best(rounds[3:], 2), (0.9, 1.3, 0.0, 4.0))

    def test_lines(self):
        """A run with CPUs at another distance than that of the costs proves nothing."""
        self.assertEqual(predict_check.verdict(2, 1.0, 2.0, 0.0, 0.1), ("OFF", True))
        state, failed = predict_check.verdict(2, 1.0, 2.0, 0.0, 4.0)
        self.assertEqual((state[:7], failed), ("pending", False))
        trips = iter([500.0, 480.0, 110.0, 400.0])
        lines = predict_check.Lines(lambda: next(trips), 100.0)
        with mock.patch.object(predict_check.time, "sleep"):
            lines.wait()
        self.assertAlmostEqual(lines.off(), 3.0)

    def test_order(self):
        self.assertEqual(row(a=(1.0, 1.0), b=(2.0, 1.9), c=(3.0, 2.5)).state, "ok")
        wrong = row(a=(1.0, 1.0), b=(2.0, 2.5), c=(3.0, 1.9))
        self.assertEqual((wrong.state, wrong.wrong), ("OFF", [("c", "b")]))

    def test_ties(self):
        """Measured times that differ by less than 3 % have no order."""
        made = row(a=(1.0, 1.0), b=(0.9, 1.02), c=(3.0, 1.9))
        self.assertEqual(made.state, "ok")
        self.assertEqual(made.order_of("measured"), "a = b < c")
        self.assertEqual(row(a=(1.0, 1.0), b=(0.9, 1.04), c=(3.0, 1.9)).state, "OFF")

    def test_trouble(self):
        made = page.Row(CASE, {"about": ABOUT, "rounds": [{"a": "no record", "b": "x", "c": "x"}]})
        self.assertEqual((made.one.state, made.state), ("no record", "not measured"))
        self.assertTrue(made.failed())

    def test_costs(self):
        made = row(a=(1.0, 1.0), b=(2.0, 2.0), c=(3.0, 3.0))
        self.assertIn("| `line_near` | 116.5 |", page.text([made], {"line_near": 116.5}))
        self.assertNotIn("## Costs", page.text([made]))

    def test_cases(self):
        """At least ten kernels have times, and ten have alternatives."""
        self.assertGreaterEqual(len(cases.CASES), 10)
        self.assertGreaterEqual(sum(len(c.runs) > 1 for c in cases.CASES), 10)
        for c in cases.CASES:
            self.assertEqual(len({run.label for run in c.runs}), len(c.runs), c.name)


class Costs(support.ToolTest):
    """The replays assume costs that are given, kept, or measured before the first case."""

    def test_measured_once_then_kept(self):
        options, session = mock.Mock(costs=None), mock.Mock(bench_dir="bench")
        found = ({"line_near": 77.0}, {"line_near": "measured"})
        with mock.patch.object(predict, "bench_costs", return_value=found) as measured:
            for anew, times in ((False, 1), (False, 1), (True, 2)):
                machine = bench.machine_of(options, session, None, self.folder, anew)
                self.assertEqual(machine.costs["line_near"], 77)
                self.assertEqual(measured.call_count, times)
            options.costs = self.write("costs", "line_near 5\n", 0o644)
            machine = bench.machine_of(options, session, None, self.folder, True)
            self.assertEqual((machine.costs["line_near"], measured.call_count), (5, 2))


@unittest.skipUnless(BUILD and os.path.exists(os.path.join(
    os.environ.get("NTH_TEST_LIB", ""), recording.RECORDER)), "no recorder here")
class Bench(support.ToolTest):
    def test_uneven_static_loop(self):
        """The record of one member does not show that the second has three quarters of the work; a
        second record does, and is made without being asked for."""
        program = self.compile("triangle", TRIANGLE, "-fopenmp")
        options, counts = predict.parser().parse_args(["program"]), [1, 2]
        with mock.patch.object(predict_check, "measure", return_value=(1.0, 0.0)):
            found = []
            while len(found) < 16:  # a disturbed run is too slow: the least counts
                found.append(predict_check.sample(options, machines.Machine(2),
                                                  library.Library(self.lib),
                                                  predict_check.Work([program]), counts))
                one, two = (min(entry[n][0] for entry in found) for n in counts)
                if abs(two / one - 0.75) < 0.1:  # one record alone says half, however often
                    return
        self.fail(f"two processors take {two / one:.3f} of the time of one, not 0.75")

    def test_tiny_kernel(self):
        """One round of a case with three alternatives; the next call takes what is kept."""
        kernels = os.path.join(self.folder, "kernels")
        os.makedirs(kernels)
        for name in ("nth_empty", "fib"):
            os.rename(self.compile(name, TINY, "-fopenmp"), os.path.join(kernels, name))
        out = os.path.join(self.folder, "out")
        command = ["bench", "predict", "--only", "fib", "--rounds", "1", "--lib", self.lib, "--dir",
                   kernels, "--bench-dir", os.path.join(BUILD, "bench"), "--out", out, "--costs",
                   self.write("costs", "line_near 50\n", 0o644)]
        done = self.tool(*command)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        with open(os.path.join(out, "results", "fib.json"), encoding="utf-8") as file:
            kept = json.load(file)
        runs = next(c for c in cases.CASES if c.name == "fib").runs
        self.assertEqual(set(kept["rounds"][0]), {run.label for run in runs})
        predicted, measured, *_ = kept["rounds"][0][runs[0].label]["1"]
        self.assertGreater(predicted, 0)
        self.assertGreater(measured, 0)
        with open(os.path.join(out, "predicted.md"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"(?m)^\| fib \| `--size")
        again = self.tool(*command)
        self.assertNotIn("processes", again.stderr)
        self.tool(*command, "--add")
        with open(os.path.join(out, "results", "fib.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["rounds"]), 2)


if __name__ == "__main__":
    unittest.main()
