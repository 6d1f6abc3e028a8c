#!/usr/bin/env python3
# test_sites.py - addresses of a process become functions, files and lines, whatever kind of file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import unittest

import support

from nanogomp_lib import directives, sites  # noqa: E402  (support has set the path)

# Prints the address that the call in marked() returns to, and the process's map.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void *here(void) { return __builtin_return_address(0); }
static inline __attribute__((always_inline)) void *inner(void) {
  void *at = here(); /* INNER */
  __asm__ volatile("");
  return at;
}
__attribute__((noinline, visibility("default"))) void *marked(int more) {
  void *at = here(); /* MARKED */
  __asm__ volatile("" ::"r"(more));
  return at;
}
__attribute__((noinline)) void *outer(void) {
  void *at = inner();
  __asm__ volatile("");
  return at;
}
void show(void) {
  static char text[1 << 16];
  printf("%p %p %p\n", marked(1), outer(), (void *)marked);
  FILE *maps = fopen("/proc/self/maps", "r");
  fwrite(text, 1, fread(text, 1, sizeof text, maps), stdout);
}
"""
MAIN = "void show(void); int main(void) { show(); return 0; }"


def line_of(mark):
    for number, line in enumerate(PROGRAM.splitlines(), 1):
        if mark in line:
            return number
    raise AssertionError(mark)



def answers(text):
    return sites.users_frames(sites.frames_of(text))


class Files(support.ToolTest):
    """Kinds of files, each with each tool that is installed."""

    def run_it(self, path):
        """(addresses, text of the map)"""
        env = dict(os.environ, LD_LIBRARY_PATH=self.folder)
        done = subprocess.run([path], stdout=subprocess.PIPE, check=True, text=True, env=env,
                              timeout=support.TIMEOUT_SECONDS)
        first, _, maps = done.stdout.partition("\n")
        return [int(word, 16) for word in first.split()], maps

    def tools(self):
        found = [tool for tool in sites.TOOLS if shutil.which(tool)]
        if not found:
            self.skipTest("neither of " + ", ".join(sites.TOOLS))
        return found

    def check_lines(self, path, module, source):
        (marked, inlined, function), maps = self.run_it(path)
        for tool in self.tools():
            with self.subTest(tool=tool):
                found = sites.Sites(maps, tool)
                both = found.resolve([marked, inlined])
                self.assertEqual(both[marked].function, "marked")
                self.assertEqual(both[marked].place(), "%s:%d" % (source, line_of("/* MARKED")))
                self.assertEqual(both[marked].module, os.path.join(self.folder, module))
                self.assertEqual(both[inlined].name(),
                                 "inner (%s:%d)" % (source, line_of("/* INNER")))
                at = found.site(function, returns=False)
                self.assertEqual((at.function, at.line), ("marked", line_of("*marked(int")))

    def test_position_independent_program(self):
        path = self.compile("pie", PROGRAM + MAIN, "-g", "-fPIE", "-pie")
        self.check_lines(path, "pie", "pie.c")

    def test_program_at_a_fixed_address(self):
        path = self.compile("fixed", PROGRAM + MAIN, "-g", "-fno-pie", "-no-pie")
        self.check_lines(path, "fixed", "fixed.c")

    def test_shared_library(self):
        self.compile("libshown.so", PROGRAM, "-g", "-fPIC", "-shared")
        path = self.compile("user", MAIN, "-L" + self.folder, "-lshown")
        self.check_lines(path, "libshown.so", "libshown.so.c")

    def test_innermost_function_that_is_the_users(self):
        """Of both tools' output: the second has a column and says where a function is inlined."""
        for text in ("f()\n/usr/include/c++/12/x.h:3\nmine\n/home/a.cc:7\n",
                     "f() inlined at /home/a.cc:7:3 in mine\n/usr/include/c++/12/x.h:3:1\n"
                     "mine\n/home/a.cc:7:3\n"):
            self.assertEqual(answers("0x1\n" + text + "0x2\n??\n??:0\n"),
                             [("mine", "/home/a.cc", 7), (None, None, None)])
        self.assertEqual(answers("0x1\nf\n/usr/include/x.h:3\n"),
                         [("f", "/usr/include/x.h", 3)])

    def test_parts_of_functions_of_cxx(self):
        self.assertEqual(sites.Site(1, symbol="loops(int) [clone ._omp_fn.0]").function,
                         "loops(int)")

    def test_without_debug_information_the_symbol_is_named(self):
        path = self.compile("plain", PROGRAM + MAIN, "-g0")
        (marked, _, _), maps = self.run_it(path)
        for tool in self.tools():
            site = sites.Sites(maps, tool).site(marked)
            self.assertEqual((site.function, site.file), ("marked", None))
            self.assertRegex(site.name(), r"^marked \(plain\+0x[0-9a-f]+\)$")

    def test_stripped(self):
        path = self.compile("stripped", PROGRAM + MAIN, "-s")
        (marked, _, _), maps = self.run_it(path)
        for tool in self.tools():
            site = sites.Sites(maps, tool).site(marked)
            self.assertRegex(site.name(), r"^stripped\+0x[0-9a-f]+$")
            self.assertIsNone(site.function)

    def test_stripped_library_has_its_exported_names(self):
        self.compile("libbare.so", PROGRAM, "-fPIC", "-shared", "-s")
        path = self.compile("bare", MAIN, "-L" + self.folder, "-lbare")
        (marked, _, _), maps = self.run_it(path)
        if not shutil.which("eu-addr2line"):
            self.skipTest("no eu-addr2line (elfutils)")
        self.assertEqual(sites.Sites(maps, "eu-addr2line").site(marked).function, "marked")

    def test_file_that_is_gone(self):
        path = self.compile("gone", PROGRAM + MAIN, "-g")
        (marked, _, _), maps = self.run_it(path)
        os.remove(path)
        self.assertRegex(sites.Sites(maps).site(marked).name(), r"^gone\+0x[0-9a-f]+$")

    def test_one_call_for_all_addresses_of_a_file(self):
        path = self.compile("many", PROGRAM + MAIN, "-g")
        (marked, inlined, _), maps = self.run_it(path)
        counter = self.write("counting", "#!/bin/sh\necho x >>%s/calls\nexec %s \"$@\"\n"
                             % (self.folder, self.tools()[0]))
        found = sites.Sites(maps, counter)
        found.resolve([marked, inlined] + [marked + i for i in range(2000)])
        found.resolve([marked, inlined])
        with open(os.path.join(self.folder, "calls")) as file:
            self.assertEqual(file.read().count("x"), 1)


# Marks are the lines of directives.
REGIONS = r"""
#include <stdio.h>
#include <omp.h>
void *return_address(void) { return __builtin_return_address(0); }
static inline double now(void) { return omp_get_wtime() + 1; }
static void work(void) { __asm__ volatile(""); }
int main(int argc, char **argv) {
  double start = now();
#pragma omp parallel num_threads(1) /* FIRST */
  work();
  start = now() - start;
#pragma omp parallel \
    num_threads(1) /* LONG */
  {
    for (int i = 0; i < argc; i++)
#pragma omp parallel num_threads(1) /* INNER */
      work();
  }
  return start < 0;
}
"""


# gcc loads the addresses of these functions once, before the loop.
HOISTED = r"""
#include <omp.h>
static void work(double *at) { *at = omp_get_wtime(); }
int main(int argc, char **argv) {
  double a[8];
  for (int i = 0; i < argc; i++) {
#pragma omp parallel num_threads(1)
    work(a);
#pragma omp parallel num_threads(1)
    work(a + 1);
#pragma omp task shared(a)
    work(a + 2);
#pragma omp parallel num_threads(1)
    work(a + 3);
#pragma omp task shared(a) untied
    work(a + 4);
#pragma omp parallel num_threads(2)
    work(a + 5);
  }
  return a[0] < 0;
}
"""
CALLS = ("<GOMP_parallel@plt>", "<GOMP_task@plt>")


@unittest.skipUnless(os.uname().machine == "x86_64", "only code of x86-64 is understood")
class Constructs(support.ToolTest):
    """The directive of a call that has no line of its own."""

    def check_lines(self, name, source, *flags, start=0):
        """Each directive of the source is found, by one call each."""
        path = self.compile(name, source, "-fopenmp", "-g", *flags)
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        lines = [line.split("\t") for line in text.splitlines() if line.startswith("  ")]
        returns = [int(lines[i + 1][0].strip(" :"), 16) for i, line in enumerate(lines)
                   if "call" in line[-1] and line[-1].endswith(CALLS)]
        maps = "%x-%x r-xp 0 0:0 1 %s" % (start, start + 0x100000, path)
        found = sites.Sites(maps).resolve_constructs(returns)
        self.assertEqual(sorted(site.line for site in found.values()),
                         [number for number, text in enumerate(source.splitlines(), 1)
                          if "#pragma" in text], flags)

    def test_regions(self):
        self.check_lines("regions", REGIONS, "-O2", "-fPIE", "-pie")
        self.check_lines("regions", REGIONS, "-O2", "-fno-pie", "-no-pie", start=0x400000)

    def test_in_a_loop(self):
        for level in ("-O0", "-O1", "-O2", "-O3", "-Os"):
            self.check_lines("hoisted", HOISTED, level, "-fPIE", "-pie")
            self.check_lines("hoisted", HOISTED, level, "-fno-pie", "-no-pie", start=0x400000)

    def test_nearest_directive(self):
        path = self.write("near.c", "x;\n#pragma omp for\nfor\n x;\n#pragma omp single\n{}\n")
        near = directives.nearest_directive
        self.assertEqual([near(path, line, ["for"]) for line in (1, 3, 4, 5)], [2, 2, 2, 2])
        self.assertEqual([near(path, line, ["single"]) for line in (1, 4, 6)], [5, 5, 5])
        self.assertEqual(near(path, 3, ["sections"]), 3)
        self.assertEqual(near("/nowhere.c", 3, ["for"]), 3)


class Texts(unittest.TestCase):
    """Maps and answers that no program need be run for."""

    MAPS = """module map
1000-3000 r-xp 00001000 00:00 1 /a dir/with blanks
3000-4000 rw-p 00000000 00:00 1 /a dir/with blanks
7000-8000 r-xp 00000000 00:00 0 [vdso]
9000-a000 r-xp 00000000 00:00 0
b000-c000 r-xp 00000000 00:00 1 /old.so (deleted)
"""

    def test_maps(self):
        found = sites.Sites(self.MAPS, "false")
        self.assertEqual([m.start for m in found.modules], [0x1000, 0x7000, 0x9000, 0xb000])
        self.assertEqual(found.site(0x1001).name(), "with blanks+0x1000")
        self.assertEqual(found.site(0xb011).name(), "old.so+0x10")
        for nowhere in (0, 1, 0x3500, 0x7001, 0x9001, 0xffff):
            self.assertEqual(found.site(nowhere).name(), "%#x" % nowhere)

    def test_the_call_counts_not_what_follows_it(self):
        found = sites.Sites("1000-2000 r-xp 0 0:0 1 /one\n2000-3000 r-xp 0 0:0 1 /two", "false")
        self.assertEqual(found.site(0x2000).module, "/one")
        self.assertEqual(found.site(0x2000, returns=False).module, "/two")

    def test_answers_of_both_tools(self):
        text = ("0x0000000000001\nin inlined at /t.c:6:31 in foo\n/t.c:3:9\nfoo\n/t.c:6:31\n"
                "0x2\nf(int)\n/t.cpp:7 (discriminator 3)\n0x3\n??\n??:0\n0x4\ng\n??:?\n")
        self.assertEqual(answers(text), [("in", "/t.c", 3), ("f(int)", "/t.cpp", 7),
                                              (None, None, None), ("g", None, None)])

    def test_names_that_the_compiler_made(self):
        for symbol in ("main._omp_fn.0", "main.constprop.0", "main._omp_fn.1.part.0", "main.cold"):
            self.assertEqual(sites.Site(1, symbol=symbol).function, "main")
        self.assertEqual(sites.Site(1, symbol="a::b<c>(int)").function, "a::b<c>(int)")
        for symbol, name in (("__fields_MOD_set_up._omp_fn.3", "fields::set_up"),
                             ("solve.1._omp_fn.0", "solve"), ("solve.1", "solve"),
                             ("__clone_MOD_x_MOD_y", "clone::x_MOD_y")):
            self.assertEqual(sites.Site(1, symbol=symbol).function, name)

    def test_main_that_gfortran_makes(self):
        for file, made in (("/a.f90", True), ("/b.F", True), ("/c.for", True), ("/d.c", False),
                           ("/e.cpp", False), (None, False)):
            self.assertEqual(sites.Site(1, symbol="main", file=file).is_made_main, made)
        self.assertFalse(sites.Site(1, symbol="MAIN__", file="/a.f90").is_made_main)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
