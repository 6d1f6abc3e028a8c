#!/usr/bin/env python3
# test_start.py - what a start by `nanogomp run` costs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import resource
import shutil
import subprocess
import sys
import unittest

import support
from nanogomp_lib import run, run_options

SECONDS = 0.05
# Of a start of /bin/true these modules took two thirds of the time.
HEAVY = {"argparse", "re", "enum", "shlex", "shutil", "subprocess", "collections", "mmap", "signal",
         "glob", "site"}
STARTS = 12


def cpu_seconds(command, env):
    """The least CPU time of some starts: a busy machine makes single ones longer."""
    least = None
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, env=env, stdin=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = took if least is None else min(least, took)
    return least


class Start(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # a python3 that PATH finds first and that takes its time, as the shims of pyenv do
        cls.write("shims/python3", '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do (sleep 0 | cat); '
                  'done\nexec %s "$@"\n' % os.path.realpath(sys.executable))
        cls.env = {**os.environ, "XDG_CACHE_HOME": os.path.join(cls.folder, "cache"),
                   "PATH": os.path.join(cls.folder, "shims") + ":" + os.environ["PATH"]}

    def start(self, *words):
        return [support.TOOL, "run", "--lib", self.lib, "--"] + list(words)

    def test_cpu_time(self):
        program = self.compile("omp", "int main(void) {return 0;}", "-fopenmp")
        for words in ([program], ["sh", "-c", program], ["env", program]):
            plain = cpu_seconds(words, self.env)
            took = cpu_seconds(self.start(*words), self.env) - plain
            self.assertLess(took, SECONDS, words)

    @unittest.skipUnless(os.access("/usr/bin/python3", os.X_OK), "no /usr/bin/python3")
    def test_python_is_the_systems(self):
        read = subprocess.run(["strace", "-f", "-e", "trace=execve"] + self.start("true"),
                              env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                              ).stdout.decode() if shutil.which("strace") else ""
        if "execve(" not in read:
            self.skipTest("no strace here")
        self.assertNotIn("shims", read)

    def test_few_modules(self):
        program = self.compile("omp", "int main(void) {return 0;}", "-fopenmp")
        done = subprocess.run([sys.executable, "-I", "-S", "-X", "importtime", support.TOOL, "run",
                               "--lib", self.lib, program], env=self.env, check=True,
                              stderr=subprocess.PIPE).stderr.decode()
        loaded = {line.rpartition("|")[2].strip() for line in done.splitlines()}
        self.assertIn("nanogomp_lib.elf", loaded)
        self.assertEqual(loaded & HEAVY, set())

    def test_compiled_once(self):
        """In the user's cache, not beside the sources, and not in a folder of somebody else."""
        tools = os.path.join(self.folder, "tools")
        shutil.copytree(support.TOOLS, tools, ignore=shutil.ignore_patterns("__pycache__"))
        start = [os.path.join(tools, "nanogomp")] + self.start("true")[1:]
        subprocess.run(start, env=self.env, check=True)
        cache = os.path.join(self.folder, "cache", "nanogomp", "python")
        files = [name for _, _, names in os.walk(cache) for name in names]
        self.assertTrue(any(name.startswith("decide.") for name in files), files)
        self.assertFalse(any(name.startswith("struct.") for name in files), files)
        open_to_all = os.path.join(self.folder, "open", "nanogomp", "python")
        os.makedirs(open_to_all)
        os.chmod(open_to_all, 0o777)
        for folder in ("open", "missing"):
            env = {**self.env, "XDG_CACHE_HOME": os.path.join(self.folder, folder)}
            subprocess.run(start, env=env, check=True)
        self.assertEqual(os.listdir(open_to_all), [])
        self.assertFalse(os.path.exists(os.path.join(tools, "nanogomp_lib", "__pycache__")))

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_no_cache_of_roots_in_a_users_home(self):
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        os.chown(home, 1, 1)
        env = {"PATH": os.environ["PATH"], "HOME": home}
        tool = os.path.join(self.folder, "sources", "nanogomp")  # without __pycache__
        shutil.copytree(support.TOOLS, os.path.dirname(tool),
                        ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([tool, *self.start("true")[1:]], env=env, check=True)
        self.assertEqual(os.listdir(home), [])

    def test_no_cache(self):
        for home in ("/proc/nowhere", "/dev/null"):
            env = {**self.env, "XDG_CACHE_HOME": home}
            subprocess.run(self.start("true"), env=env, check=True)
        env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
        subprocess.run(self.start("true"), env=env, check=True)


class Options(unittest.TestCase):
    """The quick reader understands what argparse does, and leaves the rest to it."""

    def test_same(self):
        for line in ("prog", "-- prog -v", "-v prog -n 3", "-n 3 --policy active prog a b",
                     "-n 4,2 --fork gwd --set A=b --set B= -- -prog", "--lib /x --dry-run p",
                     "--way path --verbose p -- -- q", "--threads 2 prog"):
            quick, slow = run.quick_options(line.split()), run_options.parse(line.split())
            self.assertEqual({name: value or None for name, value in vars(quick).items()},
                             {name: value or None for name, value in vars(slow).items()}, line)

    def test_left_over(self):
        for line in ("", "-v", "--", "-n", "-n 0 p", "-n x p", "-n4 p", "--policy=active p", "-h",
                     "--policy lazy p", "--set =x p", "--set 1A=x p", "--lib -v p", "--nonsense p"):
            self.assertIsNone(run.quick_options(line.split()), line)


if __name__ == "__main__":
    unittest.main()
