#!/usr/bin/env python3
# test_completion.py - completion of the nanogomp command by bash itself; the manual pages' checks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess
import sys
import unittest

import support

ROOT = os.path.dirname(support.TOOLS)

ASK = r"""
compopt() { :; }
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_nanogomp
printf '%s\n' "${COMPREPLY[@]}"
"""


def commands():
    """As the usage of the command names them."""
    said = subprocess.run([sys.executable, support.TOOL, "--help"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return re.findall(r"(?m)^(?:usage:|      ) nanogomp (\w+)", said)


@unittest.skipUnless(shutil.which("bash"), "no bash")
class Completion(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.script = os.path.join(cls.folder, "nanogomp")
        subprocess.run([sys.executable, "-B", os.path.join(support.TOOLS, "make-completion.py"),
                        cls.script], check=True)

    def ask(self, *words, folder=None):
        done = subprocess.run(["bash", "--norc", "-c", ASK, "bash", self.script, *words],
                              cwd=folder or self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands(self):
        words = self.ask("nanogomp", "")
        self.assertEqual(words[-2:], ["--help", "--version"])
        self.assertEqual(words[:-2], commands())
        self.assertTrue({"run", "info", "lines"} <= set(words))
        self.assertEqual(self.ask("nanogomp", "li"), ["lines"])

    def test_options(self):
        self.assertEqual(self.ask("nanogomp", "lines", "--c"), ["--caches"])
        for command in commands():
            said = self.tool(command, "--help").stdout
            for option in self.ask("nanogomp", command, "--"):
                self.assertIn(option, said)
            self.assertIn("--help", self.ask("nanogomp", command, "--"))

    def test_values(self):
        self.assertEqual(self.ask("nanogomp", "lines", "--by", ""),
                         ["function", "line", "file", "data"])
        self.assertEqual(self.ask("nanogomp", "run", "--fork", "g"), ["gwd"])
        self.assertEqual(self.ask("nanogomp", "lines", "--top", ""), [])
        self.assertEqual(self.ask("nanogomp", "trace", "--to", "p"), ["paraver"])
        self.assertEqual(self.ask("nanogomp", "trace", "--to", "html,raw,o"), ["html,raw,otf2"])

    def test_files(self):
        folder = os.path.join(self.folder, "files")
        os.makedirs(os.path.join(folder, "some-folder"))
        self.write("files/some-file", "")
        self.assertEqual(self.ask("nanogomp", "lines", "--lib", "some", folder=folder),
                         ["some-folder"])
        self.assertEqual(self.ask("nanogomp", "lines", "--json", "some-fi", folder=folder),
                         ["some-file"])
        # the program and its arguments
        self.assertIn("sleep", self.ask("nanogomp", "run", "-n", "2", "--", "slee", folder=folder))
        self.assertIn("sleep", self.ask("nanogomp", "run", "--fork", "lwd", "slee", folder=folder))
        self.assertEqual(self.ask("nanogomp", "run", "cat", "some-fi", folder=folder),
                         ["some-file"])
        self.assertEqual(self.ask("nanogomp", "run", "cat", "--by", folder=folder), [])


class Pages(support.ToolTest):
    """make-man.py ends with a message when something is missing."""

    def make(self, page, change):
        """Its result with a tree in which change() has changed a file."""
        tree = os.path.join(self.folder, "tree-%s-%s" % (page, id(change)))
        for part in ("tools/nanogomp", "tools/make-man.py", "docs/running.md",
                     "tools/nanogomp.1.in", "tools/nanogomp-environment.7.in"):
            os.makedirs(os.path.dirname(os.path.join(tree, part)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, part), os.path.join(tree, part))
        for part in ("tools/nanogomp_lib", "tools/bench", "runtime"):
            os.symlink(os.path.join(ROOT, part), os.path.join(tree, part))
        name, old, new = change
        with open(os.path.join(tree, name), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
        return subprocess.run([sys.executable, "-B", os.path.join(tree, "tools/make-man.py"),
                               os.path.join(tree, page)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def test_a_variable_without_a_row(self):
        done = self.make("nanogomp-environment.7",
                         ("docs/running.md", "| `NTH_STALL`", "| `STALL`"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no row for NTH_STALL", done.stdout)

    def test_a_command_without_a_section(self):
        done = self.make("nanogomp.1", ("tools/nanogomp.1.in", "@HELP share@", ""))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no @HELP of share", done.stdout)

    def test_help(self):
        """These scripts' only argument is a file, or a mode: --help is neither."""
        for name in ("make-man.py", "make-completion.py", "check"):
            for option, status in (("--help", 0), ("--no-such-option", (1, 2))):
                done = subprocess.run([os.path.join(support.TOOLS, name), option], text=True,
                                      cwd=self.folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, check=False)
                self.assertIn(done.returncode, (status,) if status == 0 else status, name)
                self.assertIn("usage: ", done.stderr if status else done.stdout, name)
                self.assertFalse(os.path.exists(os.path.join(self.folder, option)), name)


if __name__ == "__main__":
    unittest.main()
