#!/usr/bin/env python3
# test_claims.py - what README and docs/running.md say of libgomp's hangs and crashes is so
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every row of the two tables names tests that do not pass on libgomp. With NTH_TEST_CLAIMS=1 they
are run on the system's libgomp, that of gcc 12, and must fail in the way that the row tells."""
import os
import re
import subprocess
import sys
import unittest

import support

ROOT = os.path.dirname(support.TOOLS)
PAGES = ("README.md", os.path.join("docs", "running.md"))
HEADING = "## Where libgomp hangs or crashes\n"
LINK = re.compile(r"\]\((?:\.\./)?(tests/lit/[^)]*)\)")
RUN_LIMITED = os.path.join(ROOT, "tests", "lit", "support", "run-limited")
SECONDS = 8  # a test that still runs then hangs
# A word of libgomp's cell, and what run-limited or check.h says of a test that ends so.
WAYS = (("hang", "still runs:"), ("endless", "still runs:"), ("status 1", "ended with 1,"),
        ("SIGSEGV", "ended with SIGSEGV"), ("SIGFPE", "ended with SIGFPE"),
        ("spoils the heap", "ended with SIG"), ("wrong", "check failed"),
        ("freed memory", "check failed"), ("data is lost", "check failed"),
        ("takes itself for", "check failed"))
# Tests that fail only if another member happens to hold a lock: they may be tried so often.
BY_CHANCE, TRIES = {"tests/lit/process/fork_waits.c"}, 3


def rows():
    """[(page, libgomp's cell, [tests])]"""
    for page in PAGES:
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            section = file.read().partition(HEADING)[2].partition("\n## ")[0]
        for line in section.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 4 and "](" in cells[3]:
                yield page, cells[1], LINK.findall(cells[3])


def ways_of(cell):
    """Texts of which one must be seen."""
    return [said for word, said in WAYS if word in cell]


def lit(tests, out):
    """{test: what lit prints of it}, on the system's libgomp."""
    # lit writes what a test printed into one text; -v shows it
    done = subprocess.run([os.path.join(ROOT, "build", "venv", "bin", "lit"), "-v", "-j2",
                           "--param", "nanogomp=1", "--param", "timeout=%d" % SECONDS,
                           "--param", "out=" + out] + tests, cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    parts = re.split(r"^(?=(?:PASS|FAIL|UNSUPPORTED): )", text, flags=re.M)[1:]
    return {"tests/lit/" + part.split()[3]: part for part in parts}


class Claims(unittest.TestCase):
    def test_the_tables_are_found(self):
        pages = [page for page, _, _ in rows()]
        for page in PAGES:
            self.assertGreater(pages.count(page), 10, page)

    def test_the_tests_are_not_for_libgomp(self):
        for page, _, tests in rows():
            self.assertNotEqual(tests, [], page)
            for test in tests:
                with open(os.path.join(ROOT, test), encoding="utf-8") as file:
                    self.assertRegex(file.read(), r"REQUIRES:.*\bnanogomp\b", test)

    def test_each_way_is_known(self):
        for page, cell, _ in rows():
            self.assertNotEqual(ways_of(cell), [], "%s: %s" % (page, cell))

    def test_the_words_are_those_of_run_limited(self):
        for word, script in (("hangs", "exec sleep 9"), ("status 1", "exit 1"),
                             ("SIGSEGV", "kill -SEGV $$"), ("SIGFPE", "kill -FPE $$"),
                             ("spoils the heap", "kill -ABRT $$")):
            done = subprocess.run([sys.executable, "-I", "-S", RUN_LIMITED, "--seconds", "1",
                                   "--stacks", "no", "sh", "-c", script],
                                  stderr=subprocess.PIPE, text=True)
            seen = [said for said in ways_of(word) if said in done.stderr]
            self.assertTrue(seen, "%s: %s" % (word, done.stderr))

    def test_the_words_are_those_of_check_h(self):
        with open(os.path.join(ROOT, "tests/lit/support/check.h"), encoding="utf-8") as file:
            self.assertIn(ways_of("wrong")[0] + ": ", file.read())

    def test_readme_is_short(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 140)


@unittest.skipUnless(os.environ.get("NTH_TEST_CLAIMS"), "runs with NTH_TEST_CLAIMS=1")
class OnLibgomp(support.ToolTest):
    def test_they_fail_as_told(self):
        version = subprocess.run([support.CC, "-dumpversion"], stdout=subprocess.PIPE, check=True)
        if version.stdout.split(b".")[0].strip() != b"12":
            self.skipTest("the tables are about the libgomp of gcc 12")
        tests = sorted({test for _, _, found in rows() for test in found})
        seen = lit(tests, self.folder)
        for _ in range(1, TRIES):
            again = [test for test in BY_CHANCE if not seen.get(test, "").startswith("FAIL")]
            if again:
                seen.update(lit(again, self.folder))
        for page, cell, found in rows():
            outcomes = [seen.get(test, "not run") for test in found]
            for test, outcome in zip(found, outcomes):
                self.assertTrue(outcome.startswith("FAIL"), "%s: %s does not fail: %s"
                                % (page, test, outcome[:300]))
            self.assertTrue(any(way in o for way in ways_of(cell) for o in outcomes),
                            "%s: %s: %s, but\n%s" % (page, cell, found, outcomes[0][-2000:]))
            sys.stderr.write("%s: %s: %s\n" % (page, " ".join(found), cell))


if __name__ == "__main__":
    unittest.main()
