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
SECONDS = 8  # a test that still runs then hangs
# what run-limited says of a test that ends so
WAYS = (("hang", "still runs after"), ("endless", "still runs after"),
        ("SIGSEGV", "ended with SIGSEGV"), ("status 1", "ended with 1,"))


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
    """Texts of which one must be seen; any failure where the cell names another or several."""
    return [said for word, said in WAYS if word in cell] if " or " not in cell else []


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
        # lit writes what a test printed into one text; -v shows it
        done = subprocess.run([os.path.join(ROOT, "build", "venv", "bin", "lit"), "-v", "-j2",
                               "--param", "nanogomp=1", "--param", "timeout=%d" % SECONDS,
                               "--param", "out=" + self.folder] + tests, cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        seen, text = {}, done.stdout.decode(errors="replace")
        for part in re.split(r"^(?=(?:PASS|FAIL|UNSUPPORTED): )", text, flags=re.M)[1:]:
            seen["tests/lit/" + part.split()[3]] = part
        for page, cell, found in rows():
            outcomes = [seen.get(test, "not run") for test in found]
            for test, outcome in zip(found, outcomes):
                self.assertTrue(outcome.startswith("FAIL"), "%s: %s does not fail: %s"
                                % (page, test, outcome[:300]))
            wanted = ways_of(cell)
            self.assertTrue(not wanted or any(way in o for way in wanted for o in outcomes),
                            "%s: %s: %s, but\n%s" % (page, cell, found, outcomes[0][-2000:]))
            sys.stderr.write("%s: %s: %s\n" % (page, " ".join(found), cell))


if __name__ == "__main__":
    unittest.main()
