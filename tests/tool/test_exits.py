#!/usr/bin/env python3
# test_exits.py - all commands have the same exit statuses, those of nanogomp_lib/exits.py
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import unittest

import support

from nanogomp_lib import exits  # noqa: E402  (support has set the path)

# Each of these starts a program. Arguments that lead to its start.
STARTERS = {"run": (), "profile": ("--papi", "none"), "trace": ("-o", "x"), "lines": (),
            "predict": ()}
NO_PROCESS = "999999999"


class Exits(support.ToolTest):
    def status(self, *words, **more):
        done = self.tool(*words, **more)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode

    def test_bad_usage(self):
        for command in (*STARTERS, "info", "share", "stacks"):
            self.assertEqual(self.status(command, "--no-such-option"), exits.USAGE, command)
        for words in (("share", "x"), ("stacks", "x"), ("stacks",), ("no-such-command",), (),
                      ("run", "--race", "--explain", "true")):
            self.assertEqual(self.status(*words), exits.USAGE, words)

    def test_no_such_process(self):
        for command in ("share", "stacks"):
            self.assertEqual(self.status(command, NO_PROCESS), exits.CANNOT, command)
            self.assertEqual(self.status(command, str(os.getpid())), exits.CANNOT, command)

    def test_no_library(self):
        none = {"NTH_LIB_DIR": "/no/such/folder"}
        for command, words in STARTERS.items():
            self.assertEqual(self.status(command, *words, "--", "/bin/true", env=none),
                             exits.CANNOT, command)
        self.assertEqual(self.status("info", env=none), exits.CANNOT)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_program(self):
        text = self.write("text", "text", 0o644)
        for command, words in STARTERS.items():
            more = ("--lib", self.lib, *words, "--")
            self.assertEqual(self.status(command, *more, "/no/such"), exits.NOT_FOUND, command)
            self.assertEqual(self.status(command, *more, text), exits.REFUSED, command)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_signal_of_the_program(self):
        """A command ends by it, and the core file that it finds is the program's."""
        program = self.compile("falls", "#include <signal.h>\nint main(void) {\n"
                               "#pragma omp parallel num_threads(2)\n  __asm__ volatile(\"\");\n"
                               "  raise(SIGSEGV);\n  return 0;\n}\n", "-fopenmp")
        with open("/proc/sys/kernel/core_pattern") as file:
            has_core = file.read().strip() == "core"
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        for command, words in (*STARTERS.items(), ("run", ("--explain",))):
            if command == "lines" and not shutil.which("valgrind"):
                continue
            folder = os.path.join(self.folder, "falls-" + "".join((command, *words)))
            os.mkdir(folder)
            done = subprocess.run(
                [sys.executable, support.TOOL, command, *words, "--lib", self.lib, "--", program],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)))
            self.assertEqual(done.returncode, -signal.SIGSEGV, (command, done.stderr))
            for path in glob.glob(os.path.join(folder, "core*")) if has_core and hard else ():
                with open(path, "rb") as file:
                    self.assertNotIn(b"nanogomp ", file.read(8192), command)  # its command line

    def test_files_to_read(self):
        text = self.write("plain", "text", 0o644)
        for command, option in (("profile", "--read"), ("trace", "--convert"),
                                ("predict", "--replay")):
            for path in (text, "/no/such/file"):
                self.assertEqual(self.status(command, option, path,
                                             env={"NTH_LIB_DIR": self.lib}),
                                 exits.CANNOT, (command, path))

    def lost(self, streams, *words):
        """The command, by a shell that directs its output."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
        env["NTH_LIB_DIR"] = self.lib
        done = subprocess.run(["/bin/sh", "-c", 'exec "$@" ' + streams, "sh", sys.executable,
                               support.TOOL, *words], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, cwd=self.folder,
                              timeout=support.TIMEOUT_SECONDS)
        self.assertNotIn("Traceback", done.stderr)
        return done

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_output_lost(self):
        """Closed or full output changes no program's status; what is asked for may be lost."""
        program = self.compile("small", "int main(void) {\n#pragma omp parallel num_threads(2)\n"
                               "  __asm__ volatile(\"\");\n  return 5;\n}\n", "-fopenmp")
        for words in (("run", "--explain"), ("profile", "--papi", "none"), ("trace", "-o", "x"),
                      ("profile", "--papi", "none", "--json", "-")):
            for streams in (">&-", ">/dev/full", "2>&-", "2>/dev/full", ">&- 2>&-"):
                done = self.lost(streams, *words, "--", program)
                self.assertEqual(done.returncode, 5, (words, streams, done.stderr))
        self.assertNotIn("explain:", self.lost("2>&-", "run", "--explain", "--", program).stdout)
        for words in (("info",), ("--help",)):
            done = self.lost(">/dev/full", *words)
            self.assertEqual(done.returncode, exits.PARTLY, words)
            self.assertIn("the output is not complete", done.stderr)
            self.assertEqual(self.lost(">&-", *words).returncode, exits.DONE, words)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_reports_lost(self):
        """A report, or a file that was asked for, is lost: 1 where the program ended with 0."""
        program = self.compile("fine", "int main(void) {\n#pragma omp parallel num_threads(2)\n"
                               "  __asm__ volatile(\"\");\n  return 0;\n}\n", "-fopenmp")
        profile = ("profile", "--papi", "none")
        for words, streams, pattern in (
                (profile, ">/dev/full", "the output is not complete"),
                ((*profile, "--html", "/dev/full"), ">/dev/full", "/dev/full: No space"),
                ((*profile, "--html", "/dev/full"), "2>/dev/full", "^"),
                ((*profile, "--json", self.folder), "", "Is a directory"),
                ((*profile, "--keep", "/proc/no"), "", "runs without a profile"),
                (("predict", "--json", "/no/such"), "", "/no/such: No such file"),
                (("predict", "--record", "/dev/full"), "", "the record is not kept: /dev/full"),
                (("predict", "--record", self.folder), "", "Is a directory; it is left out"),
                (("predict", "--save-costs", "/dev/full"), "", "/dev/full: No space"),
                (("predict", "--save-costs", "/no/such"), "", "/no/such: No such file"),
                (("predict",), ">/dev/full", "the output is not complete"),
                (("trace", "-o", "/proc/no/x"), "", "runs without a trace")):
            done = self.lost(streams, *words, "--", program)
            self.assertEqual(done.returncode, exits.PARTLY, (words, streams, done.stderr))
            self.assertRegex(done.stderr, pattern, words)
        done = self.lost("", *profile, "--html", "page", "--", "/bin/true")
        self.assertEqual(done.returncode, exits.PARTLY, done.stderr)
        self.assertIn("page: there is no page", done.stderr)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_output_without_buffer(self):
        """The first line that is lost is noticed at once, and nothing else changes."""
        program = self.compile("plain", "int main(void) {\n#pragma omp parallel num_threads(2)\n"
                               "  __asm__ volatile(\"\");\n  return 0;\n}\n", "-fopenmp")
        os.environ["PYTHONUNBUFFERED"] = "1"
        self.addCleanup(os.environ.pop, "PYTHONUNBUFFERED")
        for words in (("profile", "--papi", "none"), ("predict",)):
            done = self.lost(">/dev/full", *words, "--", program)
            self.assertEqual(done.returncode, exits.PARTLY, (words, done.stderr))
            self.assertEqual(done.stderr.count("the output is not complete"), 1, done.stderr)
            done = self.lost("| true", *words, "--", program)
            self.assertEqual(done.stderr, "", words)

    def test_one_table(self):
        """No module has a number of its own, and the manual page has each row."""
        number = re.compile(r"\breturn (?:2|12[5-7])\b|= (?:\d+, )*12[5-7]\b")
        for path in glob.glob(os.path.join(support.TOOLS, "nanogomp_lib", "*.py")):
            if os.path.basename(path) != "exits.py":
                with open(path) as file:
                    self.assertIsNone(number.search(file.read()), path)
        page = os.path.join(self.folder, "nanogomp.1")
        subprocess.run([sys.executable, os.path.join(support.TOOLS, "make-man.py"), page],
                       check=True, timeout=support.TIMEOUT_SECONDS)
        with open(page) as file:
            rows = re.findall(r"^\.TP\n\.B (\d+)\n(.+)$", file.read(), re.M)
        self.assertEqual([int(number) for number, _ in rows], [row[0] for row in exits.ROWS])


if __name__ == "__main__":
    unittest.main()
