#!/usr/bin/env python3
# test_constructs.py - regions, tasks, work-sharing and their barriers have their directives' lines
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import unittest

import profile_support
import support

from nanogomp_lib import directives, dwarf, sites  # noqa: E402  (support has set the path)

LEAF = r"""
static volatile int sink;
static inline void leaf(int n) {
  for (sink = 0; sink < n;)
    sink = sink + 1;
}
"""
FAR = "\n" * 14  # directives are looked for in so many lines

# The functions that are made of regions and tasks begin with inlined code.
INLINED = LEAF + FAR + r"""
int main(void) {
#pragma omp parallel num_threads(2) /* REGION */
  leaf(9);
#pragma omp parallel num_threads(2) /* OTHER */
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task /* TASK */
    leaf(20);
  }
  return 0;
}
"""

# Each kind of construct more than once.
WORK = LEAF + r"""
static inline void orphaned(int n) {
  leaf(1);
#pragma omp for schedule(guided) /* ORPHAN */
  for (int i = 0; i < n; i++)
    leaf(i);
}
""" + FAR + r"""
int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) /* FIRST */
    for (int i = 0; i < 4; i++)
      leaf(i);
#pragma omp for schedule(dynamic) nowait /* NOWAIT */
    for (int i = 0; i < 4; i++)
      leaf(i);
#pragma omp for schedule(static)
    for (int i = 0; i < 4; i++)
      leaf(i);
#pragma omp single /* ONE */
    leaf(argc);
#pragma omp single nowait /* TWO */
    leaf(argc + 1);
#pragma omp barrier /* BARRIER */
#pragma omp sections /* SECTIONS */
    {
#pragma omp section
      leaf(2);
#pragma omp section
      leaf(3);
    }
#pragma omp single /* THREE */
    leaf(argc);
#pragma omp for ordered /* TURNS */
    for (int i = 0; i < 4; i++) {
      leaf(i);
#pragma omp ordered /* TURN */
      leaf(1);
    }
    orphaned(argc + 5);
  }
  return 0;
}
"""
# (kind, of what, mark); how often two members are there. Only one runs a single.
PLACES = {("loop", None, "FIRST"): 2, ("implicit barrier", "loop", "FIRST"): 2,
          ("loop", None, "NOWAIT"): 2, ("loop", None, "ORPHAN"): 2,
          ("implicit barrier", "loop", "ORPHAN"): 2, ("single", None, "ONE"): 1,
          ("barrier", "single", "ONE"): 2, ("single", None, "TWO"): 1,
          ("barrier", None, "BARRIER"): 2, ("sections", None, "SECTIONS"): 2,
          ("implicit barrier", "sections", "SECTIONS"): 2, ("single", None, "THREE"): 1,
          ("barrier", "single", "THREE"): 2, ("loop", None, "TURNS"): 2,
          ("implicit barrier", "loop", "TURNS"): 2, ("ordered", None, "TURN"): 4}

CXX = r"""
#include <numeric>
#include <vector>
static volatile long sink;
template <class T> __attribute__((noinline)) void both(T n) {
#pragma omp parallel num_threads(2) /* TEMPLATE */
  {
    std::vector<T> v(n, 2);
    sink = std::accumulate(v.begin(), v.end(), 0);
  }
  auto f = [](int k) {
#pragma omp parallel \
    num_threads(2)
    {
      std::vector<int> v(k, 2);
      sink = std::accumulate(v.begin(), v.end(), 0);
    }
  };
  f(7);
}
int main() {
  both(3);
  both(3L);
}
"""

FORTRAN = """module m
contains
  subroutine leaf(n)
    integer, intent(in) :: n
    integer, volatile :: i
    i = 0
    do while (i < n)
      i = i + 1
    end do
  end subroutine
end module
program p
  use m
!$omp parallel num_threads(2)
  call leaf(5)
!$omp end parallel
!$omp parallel num_threads(2) &
!$omp& default(shared)
!$omp single
!$omp task
  call leaf(7)
!$omp end task
!$omp end single
!$omp end parallel
end program
"""


# Names of some thousand characters.
LONG_NAMES = r"""
#include <utility>
static volatile int sink;
template <int N> __attribute__((noinline)) void one() {
#pragma omp parallel num_threads(2)
  sink = N;
}
template <int... N> __attribute__((noinline)) void all(std::integer_sequence<int, N...>) {
  (one<N>(), ...);
}
int main() { all(std::make_integer_sequence<int, 800>()); }
"""


@unittest.skipUnless(os.uname().machine == "x86_64", "only code of x86-64 is understood")
class Places(profile_support.ProfileTest):
    def rows(self, program):
        doc = self.document("--papi", "none", "--", program)
        return [row for row in profile_support.all_rows(doc["regions"]) if row["site"]]

    def lines(self, program, kind):
        return sorted({row["site"]["line"] for row in self.rows(program) if row["kind"] == kind})

    def test_inlined_code_at_the_begin(self):
        wanted = [profile_support.line_of(INLINED, mark) for mark in ("REGION", "OTHER", "TASK")]
        for flags in (["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-O2", "-g1", "-flto"],
                      ["-O2", "-gdwarf-4", "-gz"]):
            with self.subTest(flags=flags):
                program = self.compile("inlined", INLINED, "-fopenmp", "-g", *flags)
                self.assertEqual(self.lines(program, "region"), wanted[:2])
                self.assertEqual(self.lines(program, "task"), wanted[2:])

    def test_templates_and_lambdas(self):
        if not shutil.which("g++"):
            self.skipTest("no g++")
        source, program = self.write("cxx.cpp", CXX), os.path.join(self.folder, "cxx")
        wanted = profile_support.line_of(CXX, "TEMPLATE")
        for level in ("-O0", "-O2"):
            subprocess.run(["g++", "-g", level, "-fopenmp", source, "-o", program], check=True)
            self.assertEqual(self.lines(program, "region"), [wanted, wanted + 6])

    def test_fortran(self):
        if not shutil.which("gfortran"):
            self.skipTest("no gfortran")
        source, program = self.write("lines.f90", FORTRAN), os.path.join(self.folder, "lines")
        for level in ("-O0", "-O2"):
            subprocess.run(["gfortran", "-g", level, "-fopenmp", source, "-o", program,
                            "-J", self.folder], check=True)
            self.assertEqual([self.lines(program, kind) for kind in ("region", "single", "task")],
                             [[14, 17], [19], [20]])

    def test_work_and_its_barriers(self):
        wanted = sorted((kind, of or "", profile_support.line_of(WORK, mark), count)
                        for (kind, of, mark), count in PLACES.items())
        for level in ("-O0", "-O1", "-O2", "-O3"):
            with self.subTest(level=level):
                program = self.compile("work", WORK, "-fopenmp", "-g", level)
                found = [(row["kind"], row["of"] or "", row["site"]["line"], row["count"])
                         for row in self.rows(program) if row["kind"] != "region"]
                # the static loop's barrier has any line, but a row of its own
                self.assertEqual(len(found), len(wanted) + 1)
                self.assertEqual([row for row in sorted(found) if row in wanted], wanted)
        text = self.profile("--papi", "none", "--top", "0", "--", program).stdout
        self.assertRegex(text, r"(?m)^  barrier of loop  work.c:%d "
                         % profile_support.line_of(WORK, "FIRST"))

    def test_calls_stay_apart_without_the_source(self):
        """Two barriers of one function with the same line, which may be wrong."""
        program = self.compile("gone", WORK, "-fopenmp", "-g", "-O2")
        os.rename(program + ".c", program + ".old")
        rows = self.rows(program)
        self.assertEqual([row["count"] for row in rows if row["kind"] == "barrier"], [2] * 4)
        self.assertEqual([row["count"] for row in rows if row["kind"] == "implicit barrier"],
                         [2] * 4)

    def test_names_of_any_length(self):
        if not shutil.which("g++"):
            self.skipTest("no g++")
        source, program = self.write("long.cpp", LONG_NAMES), os.path.join(self.folder, "long")
        subprocess.run(["g++", "-std=c++17", "-O1", "-g", "-fopenmp", source, "-o", program],
                       check=True)
        rows = self.rows(program)
        self.assertEqual(len(rows), 800)
        self.assertLess(max(len(row["caller"]) for row in rows), 600)


class Parts(support.ToolTest):
    """What lines are found by."""

    def test_line_table_in_a_file_of_its_own(self):
        if not dwarf.library():
            self.skipTest("no libdw")
        program = self.compile("apart", INLINED, "-fopenmp", "-g", "-O2")
        whole = dwarf.Lines(program)
        starts = [start for start, _ in whole.functions()]
        firsts = [whole.first(start) for start in starts]
        self.assertIn(("%s.c" % program, profile_support.line_of(INLINED, "REGION")), firsts)
        objcopy = shutil.which("objcopy")
        if not objcopy:
            self.skipTest("no objcopy")
        debug = program + ".debug"
        subprocess.run([objcopy, "--only-keep-debug", program, debug], check=True)
        subprocess.run([objcopy, "--strip-debug", "--add-gnu-debuglink=" + debug, program],
                       check=True)
        apart = dwarf.Lines(program)
        self.assertEqual([apart.first(start) for start in starts], firsts)

    def test_what_is_no_line_table(self):
        for path in (self.write("text", "no file of code"), "/nothing/here", self.folder):
            lines = dwarf.Lines(path)
            self.assertEqual((lines.span(1), lines.first(1), lines.last(1, 2, "a")),
                             (None, None, 0))

    def test_next_tool_where_the_first_one_has_no_name(self):
        first = self.write("first", "#!/bin/sh\necho 0x1; echo one; echo /a.c:1\n"
                           "echo 0x2; echo '??'; echo '??:0'\n")
        second = self.write("second", "#!/bin/sh\necho 0x2; echo two; echo '??:0'\n")
        os.chmod(first, 0o755)
        os.chmod(second, 0o755)
        self.assertEqual(sites.ask_all([first, second], "/file", [1, 2]),
                         [[("one", "/a.c", 1)], [("two", None, None)]])

    def test_directives_in_several_lines(self):
        path = self.write("long.f90", "x = 1\n!$omp do &\n!$omp& schedule(dynamic) & ! why\n"
                          "!$omp ordered\ndo i = 1, 2\nend do\n!$omp end do nowait\n")
        self.assertEqual(directives.directive_line(path, 5), 2)
        self.assertEqual([line for line, _ in directives.directives_of(path, 1, 9)], [2, 7])
        self.assertEqual(directives.fitting(path, 1, 9, "loop"), [2])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
