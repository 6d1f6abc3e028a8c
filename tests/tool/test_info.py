#!/usr/bin/env python3
# test_info.py - `nanogomp info` shows what a library reports
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
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
        table = abi_table.Table()
        self.assertEqual(report["abi_total"], str(len(table.rows)))
        self.assertEqual(report["abi_done"], str(len(table.done())))
        self.assertEqual("abi missing" in report, len(table.done()) < len(table.rows))
        own = [row.name for row in table.nth if row.is_done]
        self.assertEqual(report["abi_own"], str(len(own)))
        self.assertIn("nth_batch_get_desc", own)

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
        for words in ([], ["nonsense"]):
            done = self.tool(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main()
