#!/usr/bin/env python3
# test_info.py - `nanogomp info` shows what a library reports
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import shutil
import subprocess
import sys
import unittest

import support

sys.path.insert(0, os.path.join(support.TOOLS, "abi"))

import table as abi_table  # noqa: E402  (found through the line above)

# Longer than the first buffer that the tool offers when `rows` is large.
FAKE = r"""
#include <stdio.h>
#include <stdlib.h>
int nth_report(char *buf, size_t size) {
  const char *threads = getenv("OMP_NUM_THREADS");
  int n = snprintf(buf, size, "version: 9.9\nabi done: 511\nabi total: 513\n"
                   "abi missing: GOMP_a@GOMP_1.0\nabi missing: GOMP_b@GOMP_2.0\n"
                   "cpus allowed: 2\nOMP_NUM_THREADS: %s\npadding: %*d\n",
                   threads ? threads : "-", ROWS, 7);
  return n;
}
"""


# A machine as the library writes it down: two packages of four cores of two threads, one core lame.
MACHINE = r"""
#include <stdio.h>
int nth_report(char *buf, size_t size) {
  size_t n = (size_t)snprintf(buf, size, "version: 9.9\ncpus_why: all of them\n"
      "domains: 2x4x2\ndomains_from: a test\ndomain: 0 0 machine+L3:0 0-15 0-15\n");
  for (int p = 0; p < 2; p++) {
    n += (size_t)snprintf(buf + n, n < size ? size - n : 0,
                          "domain: %d 0 package+numa:%d %d-%d %d-%d\n",
                          1 + 5 * p, p, 8 * p, 8 * p + 7, 8 * p, 8 * p + 7);
    for (int c = 0; c < 4; c++)
      n += (size_t)snprintf(buf + n, n < size ? size - n : 0, "domain: %d %d core:%d %d-%d %d-%d\n",
                            2 + 5 * p + c, 1 + 5 * p, 4 * p + c, 8 * p + 2 * c, 8 * p + 2 * c + 1,
                            8 * p + 2 * c, 8 * p + 2 * c + 1);
  }
  n += (size_t)snprintf(buf + n, n < size ? size - n : 0,
                        "cores: 0 14-15\ncores: 1 0-13\ngroups: 1 4 0-15\n"
                        "groups: 2 4 0-3 4-7 8-11 12-15\ngroups: 3 1 0 1 ...\nseats: 0 1 2 3\n");
  return (int)n;
}
"""
DRAWING = """
machine, from a test
  machine (L3)                   16 processors: CPUs 0-15
    2 x package + numa 0-1       8 processors each: CPUs 0-7 | 8-15
      4 x core 0-3, and so on    2 processors each: CPUs 0-1 | 2-3 | 4-5 | 6-7
  cores of speed 0: processors 14-15
  cores of speed 1: processors 0-13

allowed: all of them
places: none
seats of a team's members: 0, 1, 2, 3

groups
  level 1  a team of 4 members on processors 0-15
  level 2  4 teams of 4 members on processors 0-3, 4-7, 8-11, 12-15
  level 3  2 and more teams of 1 member on processors 0, 1, ...
"""


class Info(support.ToolTest):
    def fake(self, rows):
        self.compile("fake%d/libgomp.so.1" % rows, FAKE, "-shared", "-fPIC", "-DROWS=%d" % rows)
        return os.path.join(self.folder, "fake%d" % rows)

    def test_text(self):
        done = self.tool("info", "--lib", self.fake(1), env={"OMP_NUM_THREADS": "5"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^version +9\.9$")
        self.assertRegex(done.stdout, r"(?m)^abi done +511$")
        self.assertRegex(done.stdout, r"(?m)^OMP_NUM_THREADS +5$")
        self.assertNotIn("GOMP_a", done.stdout)

    def test_missing_rows(self):
        done = self.tool("info", "--abi", "--lib", self.fake(1))
        self.assertIn("missing  GOMP_a@GOMP_1.0\nmissing  GOMP_b@GOMP_2.0\n", done.stdout)

    def test_json(self):
        done = self.tool("info", "--json", "--abi", "--lib", self.fake(1))
        report = json.loads(done.stdout)
        self.assertEqual(report["abi missing"], ["GOMP_a@GOMP_1.0", "GOMP_b@GOMP_2.0"])
        self.assertEqual(report["version"], "9.9")

    def machine(self):
        self.compile("machine/libgomp.so.1", MACHINE, "-shared", "-fPIC")
        return os.path.join(self.folder, "machine")

    def test_drawing(self):
        done = self.tool("info", "--lib", self.machine())
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [line.split() for line in done.stdout.splitlines()]
        for line in DRAWING.splitlines():
            self.assertIn(line.split(), words)
        self.assertNotIn("domain:", done.stdout)
        self.assertLess(max(map(len, done.stdout.splitlines())), 100)

    def test_machine_json(self):
        report = json.loads(self.tool("info", "--json", "--lib", self.machine()).stdout)
        machine = report["machine"]
        self.assertNotIn("domain", report)
        self.assertEqual(len(machine["tree"]["children"]), 2)
        core = machine["tree"]["children"][1]["children"][3]
        self.assertEqual(core, {"name": "core", "number": 7, "first": 14, "processors": 2,
                                "cpus": "14-15", "children": []})
        self.assertEqual(machine["groups"][1]["teams"][3], {"first": 12, "processors": 4})
        self.assertEqual(machine["cores"][0], {"speed": 0, "processors": ["14-15"]})
        self.assertEqual(machine["seats"], [0, 1, 2, 3])

    def test_large_machine(self):
        """256 CPUs fit on a screen; without hwloc the library says so and goes on."""
        with open(self.library, "rb") as file:
            if b"nth_report\0" not in file.read():
                self.skipTest("no nanogomp library here")
        done = self.tool("info", "--lib", self.lib, env={
            "HWLOC_SYNTHETIC": "pack:2 numa:4 l3:2 core:8 pu:2", "OMP_NUM_THREADS": "16,16"})
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = done.stdout[done.stdout.index("\nmachine, from"):].splitlines()
        self.assertLess(len(drawn), 20)
        self.assertLess(max(map(len, drawn)), 100)
        if "one domain" not in drawn[1]:
            self.assertRegex(done.stdout, r"(?m)^ +2 x package 0-1 +128 processors each: "
                                          r"CPUs 0-127 \| 128-255$")
            self.assertIn("16 teams of 16 members", done.stdout)

    def test_long_report(self):
        done = self.tool("info", "--json", "--lib", self.fake(200000))
        self.assertEqual(json.loads(done.stdout)["padding"], "7")

    def test_other_libgomp(self):
        done = self.tool("info", "--lib", self.stand_in("system"))
        self.assertEqual(done.returncode, 125)
        self.assertIn("is another libgomp", done.stderr)

    def test_the_library(self):
        with open(self.library, "rb") as file:
            if b"nth_report\0" not in file.read():
                self.skipTest("no nanogomp library here")
        done = self.nanogomp_info("--json", "--abi")
        report = json.loads(done.stdout)
        self.assertIn("version", report)
        self.assertRegex(report["commit"], r"^(none|[0-9a-f]{12}(-dirty)?)$")
        table = abi_table.Table()
        self.assertEqual(report["abi_total"], len(table.rows))
        self.assertEqual(report["abi_done"], len(table.done()))
        self.assertEqual("abi missing" in report, len(table.done()) < len(table.rows))
        own = [row.name for row in table.nth if row.is_done]
        self.assertEqual(report["abi_own"], len(own))
        self.assertIn("nth_batch_get_desc", own)

    def test_types(self):
        """Numbers are numbers; a key's type does not change with its value."""
        with open(self.library, "rb") as file:
            if b"nth_report\0" not in file.read():
                self.skipTest("no nanogomp library here")
        for threads in ("3", "3,2"):
            done = self.tool("info", "--json", "--lib", self.lib, env={
                "OMP_NUM_THREADS": threads, "OMP_DYNAMIC": "true", "NTH_MEMBERS": "os"})
            report = json.loads(done.stdout)
            self.assertEqual(report["nthreads-var"], [int(n) for n in threads.split(",")])
            self.assertIs(report["dyn-var"], True)
            self.assertEqual(report["members"], "os")
            texts = [key for key, value in report.items()
                     if isinstance(value, str) and value.isdigit()
                     and key not in ("domains", "commit")]
            self.assertEqual(texts, [])

    def nanogomp_info(self, *arguments):
        done = self.tool("info", "--lib", self.lib, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_reader_gone(self):
        """`| head -1`: no word of Python's, and a status as if the signal had ended it."""
        for words in (["info", "--lib", self.fake(1)], ["info", "--json", "--lib", self.fake(1)],
                      ["run", "--lib", self.lib, "--dry-run", "true"],
                      ["bench", "--list"], ["--help"]):
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([sys.executable, support.TOOL] + words, stdout=write,
                                  stderr=subprocess.PIPE, timeout=support.TIMEOUT_SECONDS)
            os.close(write)
            self.assertEqual((done.returncode, done.stderr), (141, b""), words)

    def test_commands(self):
        self.assertEqual(self.tool("--help").returncode, 0)
        for words, hint in (([], "usage: "),
                            (["nonsense"], "no command 'nonsense'; commands: run, "),
                            (["rnu", "x"], "did you mean: nanogomp run"),
                            (["--versoin"], "--help tells more"),
                            (["/bin/ls", "-l", "a b"], "nanogomp run -- /bin/ls -l 'a b'")):
            done = self.tool(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(hint, done.stderr)


@unittest.skipUnless(shutil.which("cmake") and shutil.which("git"), "no cmake or no git")
class Commit(support.ToolTest):
    """What a build writes down as its commit, in a tree that holds nothing else."""

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              cwd=self.tree, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode().strip()

    def written(self, source):
        header = os.path.join(self.folder, "nth_commit.h")
        subprocess.run(["cmake", "-DNTH_SOURCE=" + source, "-DNTH_HEADER=" + header, "-P",
                        os.path.join(support.TOOLS, os.pardir, "cmake", "NthCommit.cmake")],
                       check=True)
        with open(header) as file:
            return file.read().split('"')[1]

    def test_clean_changed_foreign(self):
        self.tree = os.path.join(self.folder, "tree")
        source = self.write("tree/runtime/a.c", "int a;\n")
        self.git("init", "-q")
        self.assertEqual(self.written(self.tree), "")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        commit = self.git("rev-parse", "--short=12", "HEAD")
        self.write("tree/docs/page.md", "a page is no part of the library\n")
        self.assertEqual(self.written(self.tree), commit)
        self.write("tree/runtime/a.c", "int b;\n")
        self.assertEqual(self.written(self.tree), commit + "-dirty")
        self.assertEqual(self.written(os.path.dirname(source)), "")


if __name__ == "__main__":
    unittest.main()
