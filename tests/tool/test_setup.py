#!/usr/bin/env python3
# test_setup.py - tools/setup and tools/demo where packages cannot be installed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the scripts runs in a folder of its own. Its PATH has stand-ins for the package tools,
which say what the environment tells them to, and no sudo unless a test adds one."""
import os
import shutil
import subprocess
import tempfile
import unittest

import support

STAND_INS = {
    "id": "echo 1000",
    "dpkg-query": 'for last; do :; done; case " $MISSING " in *" $last "*) ;; '
                  "*) echo installed ;; esac",
    "apt-cache": "echo '  Candidate: 1'",
    "apt-get": "exit 100",
    "gcc": "echo 12",
    "dpkg": 'case $1 in --print-architecture) echo amd64 ;; *) exec "$DPKG" "$@" ;; esac',
    "cargo": "echo cargo 1.99.0",
    "cmake": 'echo "cmake version $CMAKE"',
}
# of build/venv: its pip has no package and installs none
VENV_PYTHON = 'case "$*" in *" install "*) exit 1 ;; *"pip list"*) echo "$PIP_HAS" ;; esac'
USED = ("sh", "sed", "cut", "dirname", "mkdir", "tr", "grep", "tail", "head", "sort", "env", "cat",
        "rm", "true")
NEEDED = "lit==23.1.5 filecheck==1.0.6 clang-format==23.1.5 clang-tidy==23.1.4"


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nanogomp-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("setup", "demo"):
            os.makedirs(os.path.join(self.folder, "tools"), exist_ok=True)
            shutil.copy(os.path.join(support.TOOLS, name), os.path.join(self.folder, "tools"))
        for name, text in STAND_INS.items():
            self.stand_in("bin/" + name, text)
        self.stand_in("build/venv/bin/python", VENV_PYTHON)
        for name in USED:
            os.symlink(shutil.which(name), os.path.join(self.folder, "bin", name))

    def stand_in(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)

    def run_script(self, *command, missing="", cmake="3.25.1", pip_has=NEEDED):
        env = {"PATH": os.path.join(self.folder, "bin"), "MISSING": missing, "CMAKE": cmake,
               "PIP_HAS": pip_has.replace(" ", "\n"), "DPKG": shutil.which("dpkg") or "true"}
        done = subprocess.run([os.path.join(self.folder, "tools", command[0]), *command[1:]],
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_all_there(self):
        self.assertEqual(self.run_script("setup"), (0, "setup: ready\n"))

    def test_optional(self):
        for why in ("neither root nor sudo here", "sudo does not let this user"):
            status, text = self.run_script("setup", missing="gdb strace")
            self.assertEqual(status, 0, text)
            self.assertIn("setup: missing: gdb strace (%s): the tests that need it are skipped\n"
                          % why, text)
            self.stand_in("bin/sudo", "exit 1")

    def test_optional_archive_fails(self):
        self.stand_in("bin/sudo", 'exec "$@"')
        status, text = self.run_script("setup", missing="gdb")
        self.assertEqual(status, 0, text)
        self.assertIn("setup: missing: gdb (apt-get install failed", text)

    def test_required(self):
        for sudo in (None, "exit 1", 'exec "$@"'):
            if sudo:
                self.stand_in("bin/sudo", sudo)
            status, text = self.run_script("setup", missing="gdb gfortran")
            self.assertEqual(status, 1, text)
            self.assertIn("then run this again: gfortran (", text)

    def test_cmake_too_old(self):
        status, text = self.run_script("setup", cmake="3.18.4")
        self.assertEqual(status, 1, text)
        self.assertIn("cmake 3.18.4 is too old", text)

    def test_python_packages(self):
        status, text = self.run_script("setup", pip_has="")
        self.assertEqual(status, 3, text)
        self.assertIn("pip install failed", text)

    def test_options(self):
        status, text = self.run_script("setup", "--help")
        self.assertEqual((status, text[:6]), (0, "usage:"))
        self.assertEqual(self.run_script("setup", "--halp")[0], 2)

    def test_demo(self):
        """Missing Python packages are no reason to build nothing; a wrong option is."""
        self.stand_in("bin/cmake", "[ $1 = --version ] && echo cmake version 3.25.1")
        status, text = self.run_script("demo", pip_has="")
        self.assertEqual(status, 1, text)
        self.assertIn("demo: building", text)
        self.stand_in("bin/python3", 'case "$*" in *" --wrong") exit 2 ;; esac')
        self.assertEqual(self.run_script("demo", "--wrong"), (2, ""))


if __name__ == "__main__":
    unittest.main()
