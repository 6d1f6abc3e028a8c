#!/usr/bin/env python3
# test_predict.py - `nanogomp predict`: options, output, kept records
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.util
import json
import os
import struct
import unittest

import predict_records
import support
from nanogomp_lib import predict_trace as trace
from predict_records import HEAD, MORE, TASKS, UNEVEN

TOLD = HEAD + r"""
int main(int argc, char **argv) {
  int parts = atoi(argv[1]), times = atoi(argv[2]);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < parts; i++) spin(4000000 / parts * times);
}
"""


SMALL_FIRST = HEAD + r"""
int main(void) {
#pragma omp parallel
  spin(1);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
#pragma omp task
    spin(20000);
  }
}
"""


def record_of(events):
    """A record's bytes. events: (kind's name or None, small, a, b), a microsecond each."""
    numbers = {name: number for number, name in enumerate(trace.KINDS, 1)}
    return b"".join([
        trace.HEAD.pack(trace.MAGIC, 1000, 1000, 0, 0, 1, 1, 10**9),
        struct.pack("4Q", 0, 0, len(events), 1),
        *[struct.pack("QIIQQ", 10**6 * (i + 1), numbers.get(event[0], 0), *event[1:])
          for i, event in enumerate(events)]])


class Command(predict_records.Recording):
    """The command on records of small programs."""

    def predict(self, *arguments, status=0):
        done = self.tool("predict", "--lib", self.lib, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_table(self):
        program = self.compile("table", UNEVEN, "-fopenmp")
        done = self.predict("--machine", "numa:4 core:16 pu:1", "--", program)
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertRegex(done.stdout, r"(?m)^machine +64 processors in 4 domains; fork lwd")
        self.assertRegex(done.stdout, r"(?m)^ +1 .* 1\.00 .*work$")
        self.assertRegex(done.stdout, r"(?m)^ +64 ")
        self.assertIn("static loops", done.stdout)

    def test_json_and_replay(self):
        program = self.compile("kept", TASKS, "-fopenmp")
        kept = os.path.join(self.folder, "kept.record")
        self.predict("--cpus", "8", "--record", kept, "--", program)
        rows = []
        for _ in range(2):
            done = self.predict("--replay", kept, "--processors", "1,2,8", "--json", "-", "--fork",
                                "gwd", "--join", "tree")
            rows.append(json.loads(done.stdout))
        self.assertEqual(rows[0], rows[1])
        self.assertEqual([row["processors"] for row in rows[0]["rows"]], [1, 2, 8])
        self.assertEqual(rows[0]["rows"][0]["speed_up"], 1)
        self.assertEqual(rows[0]["policy"]["fork"], "gwd")

    def test_record_is_not_kept(self):
        program = self.compile("unkept", TASKS, "-fopenmp")
        for path, said in (("/no/such/folder/record", "No such file or directory; it is left out"),
                           ("/dev/full", "No space left on device")):
            done = self.predict("--record", path, "--cpus", "2", "--", program, status=1)
            self.assertIn(path + ": " + said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertRegex(done.stdout, r"(?m)^ +2 ")

    @support.measured
    def test_told_the_processors(self):
        """{P} and {I}: a record for each number of processors."""
        program = self.compile("told", TOLD, "-fopenmp")
        done = self.predict("--cpus", "8", "--processors", "1,8", "--outer", "2", "--json", "-",
                            "--", program, "{P}", "{I}")
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual([(row["processors"], row["inner"]) for row in rows],
                         [(1, 1), (8, 1), (8, 4)])
        # Each row is a run of its own, so another program's noise moves it: 8 and 2 when quiet.
        self.assertGreater(rows[1]["speed_up"], 3)  # in one part it would be 1
        self.assertLess(rows[2]["speed_up"], 3)     # {P} is 8, but it repeats {I} times
        done = self.tool("predict", "--record", "x", "--", program, "{P}")
        self.assertEqual(done.returncode, 2)

    def test_two_levels(self):
        program = self.compile("levels", MORE, "-fopenmp")
        done = self.predict("--cpus", "16", "--outer", "4", "--clauses", "ignore", "--", program)
        self.assertRegex(done.stdout, r"(?m)^ +16 +4x4 ")

    def test_costs_that_are_no_table(self):
        for content in ('{"costs": 5}', '{"costs": [1]}', '{"costs": null}'):
            path = self.write("costs.json", content, 0o644)
            done = self.predict("--costs", path, "--show-costs", status=2)
            self.assertRegex(done.stderr, "costs.json: costs: want an object of names and numbers")

    def test_costs(self):
        costs = self.write("costs", "# mine\nfork_slave 77 # ns\nspin 5e6\n", 0o644)
        done = self.predict("--costs", costs, "--show-costs")
        self.assertRegex(done.stdout, r"(?m)^fork_slave +77 ")
        saved = os.path.join(self.folder, "saved")
        self.predict("--costs", costs, "--save-costs", saved)
        again = self.predict("--costs", saved, "--show-costs")
        self.assertRegex(again.stdout, r"(?m)^fork_slave +77 ")
        for text in ("no_such 1\n", "line_near nan\n", '{"line_near": Infinity}', "spin -1\n",
                     '{"spin": 1%s}' % ("0" * 400), '{"spin": NaN}', '{"spin":' * 100000):
            done = self.predict("--costs", self.write("bad", text, 0o644), "--show-costs", status=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        with open(costs, "wb") as file:
            file.write(b"\xff\xfe")
        done = self.predict("--costs", costs, "--show-costs", status=2)
        self.assertEqual(done.stderr, "nanogomp predict: %s: no text\n" % costs)
        self.predict("--traffic", "nan", "--", "true", status=2)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib here")
    def test_plots_that_cannot_be(self):
        program = self.compile("plotted", TASKS, "-fopenmp")
        for path, said in (("/dev/full", "No space left on device; there is no plot"),
                           (os.path.join(self.folder, "x.xyz"), "want one of .eps, ")):
            done = self.predict("--plot", path, "--cpus", "2", "--", program, status=1)
            self.assertIn("%s: %s" % (path, said), done.stderr)
            self.assertEqual(os.path.exists(path), path == "/dev/full")

    @support.measured
    def test_trim_with_members(self):
        """The regions' profiles are those of the regions, though the first one is left out."""
        program = self.compile("small_first", SMALL_FIRST, "-fopenmp")
        done = self.predict("--members", "2", "--trim", "--cpus", "2", "--json", "-", "--", program)
        for row in json.loads(done.stdout)["rows"]:
            self.assertLess(row["speed_up"], 1.3 * row["processors"])

    def test_damaged_records(self):
        program, kept = self.compile("whole", TASKS, "-fopenmp"), self.folder + "/whole.record"
        self.predict("--cpus", "2", "--record", kept, "--", program)
        with open(kept, "rb") as file:
            content = file.read()
        for change in (content[:len(content) // 2], content[:90],
                       content[:200] + bytes([255]) * 40 + content[240:]):
            with open(kept, "wb") as file:
                file.write(change)
            done = self.predict("--replay", kept, "--cpus", "2", status=125)
            self.assertRegex(done.stderr, r"\Ananogomp predict: .*: (cut short|damaged)\n\Z")

    def test_records_of_no_program(self):
        """Events in an order that no program has, or of no kind."""
        begin = [("region_enter", 0, 0, 0), ("member_begin", 0, 0, 1)]
        end = [("member_end", 0, 0, 0), ("region_leave", 0, 0, 0)]
        lock = [("critical_enter", 0, 1, 0), ("critical_leave", 0, 1, 0)]
        for events, said in (([("task_enter", 0, 7, 0), ("task_begin", 1, 7, 0)], ""),
                             ([("group_end_enter", 0, 0, 0), ("group_end_leave", 0, 0, 0)], ""),
                             (2 * lock, ": the replay of a region does not end"),
                             ([(None, 0, 5, 9)], "")):
            path = self.folder + "/made.record"
            with open(path, "wb") as file:
                file.write(record_of(begin + events + end))
            done = self.predict("--replay", path, "--cpus", "2", status=125)
            self.assertEqual(done.stderr, "nanogomp predict: %s: damaged%s\n" % (path, said))

    def test_bad_usage(self):
        for arguments in ([], ["--machine", "x", "--", "true"], ["--cpus", "5000", "true"],
                          ["--processors", "9", "--cpus", "8", "true"],
                          ["--check", "--json", "x", "true"], ["--check", "--plot", "x", "true"]):
            self.assertEqual(self.tool("predict", *arguments).returncode, 2, arguments)
        for name, status in ((self.folder + "/none", 127), (self.folder, 126),
                             (self.write("broken", "\x7fELF"), 126)):
            done = self.predict("--", name, status=status)
            self.assertRegex(done.stderr, r"\Ananogomp predict: cannot run .*\n\Z")
        left = self.compile("left", MORE, "-fopenmp")
        for path, said in (("/no/such/file", "No such file or directory; it is left out, "),
                           ("/dev/full", "No space left on device; it is not complete, ")):
            done = self.predict("--json", path, "--", left, status=1)
            self.assertIn("%s: %s" % (path, said), done.stderr)
            self.assertRegex(done.stdout, "(?m)^processors ")
        for first in ("#!/bin/sh\n", ""):  # the shell takes a text without
            done = self.predict("--", self.write("start", first + left + "; exit 3\n"), status=3)
            self.assertRegex(done.stdout, "(?m)^processors ")
            self.assertIn(" ended with status 3\n", done.stderr)
        done = self.predict("--replay", self.write("text", "no record", 0o644), status=125)
        self.assertIn("no record", done.stderr)

    def test_check(self):
        """One thread: CPU time, whatever else the machine does. A tenth off is not for a test."""
        program = self.compile("checked", UNEVEN, "-fopenmp")
        done = self.tool("predict", "--lib", self.lib, "--check", "--processors", "1",
                         "--repeat", "1", "--", program)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertRegex(done.stdout, r"(?m)^checked +1 +[\d.]+ \w+ +[\d.]+ \w+ +[-+][\d.]+ %")

    def test_check_of_several(self):
        """One that fails has its line; the others are checked."""
        for name in ("one", "two"):
            self.write("kernels/" + name, "#!/bin/sh\nexit 3\n")
        done = self.predict("--check", "--kernels", self.folder + "/kernels", "--match", "one,two",
                            "--processors", "1", "--repeat", "1", status=1)
        for name in ("one", "two"):
            self.assertRegex(done.stdout, r"(?m)^%s +1 +- +- +-  .*/%s" % (name, name))


if __name__ == "__main__":
    unittest.main()
