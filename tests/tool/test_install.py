#!/usr/bin/env python3
# test_install.py - the installed tree and the Debian package work where they lie
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import shutil
import subprocess
import unittest

import support

BUILD = os.environ.get("NTH_TEST_BUILD")
# Uses both ways to name a header, and the library's own entry.
PROGRAM = r"""
#include <nanogomp/report.h>
#include <report.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  static char text[1 << 20];
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  nth_report(text, sizeof text);
  text[strcspn(text, "\n")] = 0;
  puts(text);
  return sum > 0 && !strncmp(text, "version", 7) ? 0 : 1;
}
"""


def call(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=support.TIMEOUT_SECONDS, **more)
    if done.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Installed(support.ToolTest):
    """A tree under a prefix that was not known when the library was built, and has been moved."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        first = os.path.join(cls.folder, "first")
        call("cmake", "--install", BUILD, "--prefix", first)
        cls.prefix = os.path.join(cls.folder, "moved here")
        os.rename(first, cls.prefix)
        cls.check_tree()

    @classmethod
    def check_tree(cls):
        cls.command = os.path.join(cls.prefix, "bin", "nanogomp")
        cls.lib = os.path.join(cls.prefix, "lib", "nanogomp")
        cls.library = os.path.join(cls.lib, "libgomp.so.1.0.0")

    def test_library_and_links(self):
        self.assertTrue(os.path.isfile(self.library) and not os.path.islink(self.library))
        for link in ("libgomp.so", "libgomp.so.1"):
            self.assertEqual(os.path.realpath(os.path.join(self.lib, link)), self.library)

    def test_headers(self):
        self.assertEqual(os.listdir(os.path.join(self.prefix, "include")), ["nanogomp"])
        headers = os.listdir(os.path.join(self.prefix, "include", "nanogomp"))
        self.assertIn("report.h", headers)
        self.assertIn("nth.h", headers)
        self.assertEqual([name for name in headers if not name.endswith(".h")], [])

    def test_run(self):
        program = self.compile("omp", support.OMP_PROGRAM, "-fopenmp")
        done = self.tool("run", program, tool=self.command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(self.library + " "), done.stdout)

    def test_commands(self):
        done = self.tool("info", tool=self.command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.lib, done.stdout.splitlines()[0])
        done = self.tool("bench", "--list", tool=self.command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("region", done.stdout)

    def pkg_config(self):
        """The flags for programs of the installed library."""
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        environment = dict(os.environ,
                           PKG_CONFIG_PATH=os.path.join(self.prefix, "lib", "pkgconfig"))
        flags = call("pkg-config", "--cflags", "--libs", "nanogomp", env=environment)
        # a folder with a blank comes back with a backslash
        return [word.replace("\0", " ") for word in flags.replace("\\ ", "\0").split()]

    def test_nano_threads(self):
        """The program of docs/nth.md; without -fopenmp."""
        page = os.path.join(os.path.dirname(support.TOOLS), "docs", "nth.md")
        with open(page, encoding="utf-8") as file:
            code = file.read().partition("```c\n")[2].partition("```")[0]
        program = self.compile("nano", code, "-Wall", "-Wextra", *self.pkg_config())
        self.assertEqual(call(program), "499.5\n")

    def test_pkg_config(self):
        program = self.compile("with_flags", PROGRAM, "-fopenmp", *self.pkg_config())
        self.assertIn("version", call(program))
        loaded = call("ldd", program)
        self.assertIn(self.library, {os.path.realpath(word) for word in loaded.split("\n\t")
                                     for word in [word.partition("=> ")[2].partition(" (")[0]]})


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Package(Installed):
    """The .deb, unpacked into a folder."""

    @classmethod
    def setUpClass(cls):
        support.ToolTest.setUpClass.__func__(cls)
        for command in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
            if not shutil.which(command):
                raise unittest.SkipTest("no " + command)
        call("cpack", "-G", "DEB", "-B", cls.folder, cwd=BUILD)
        cls.package = glob.glob(os.path.join(cls.folder, "*.deb"))[0]
        unpacked = os.path.join(cls.folder, "root")
        call("dpkg-deb", "-x", cls.package, unpacked)
        cls.prefix = os.path.join(unpacked, "usr")
        cls.check_tree()

    def test_fields(self):
        fields = dict(line.split(": ", 1) for line in
                      call("dpkg-deb", "-f", self.package).splitlines() if ": " in line)
        self.assertEqual(fields["Package"], "nanogomp")
        self.assertRegex(fields["Depends"], r"\bpython3\b.*\blibc6 \(>= ")
        self.assertNotIn("libgomp", fields["Depends"])

    def test_nothing_of_the_system(self):
        """No path that another package of Debian has, no ldconfig."""
        paths = call("dpkg-deb", "-c", self.package)
        for word in ("/usr/lib/x86_64-linux-gnu", "/usr/include/omp", "ld.so.conf"):
            self.assertNotIn(word, paths)
        control = os.path.join(self.folder, "control")
        call("dpkg-deb", "-e", self.package, control)
        self.assertFalse(os.path.exists(os.path.join(control, "triggers")))


if __name__ == "__main__":
    unittest.main()
