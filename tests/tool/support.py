# support.py - what the tests of the nanogomp command share: programs, libraries, running
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import functools
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools")
TOOL = os.path.join(TOOLS, "nanogomp")
CC = os.environ.get("NTH_TEST_CC", "gcc")
TIMEOUT_SECONDS = 1500  # the limit of the whole file, which a busy machine stretches, comes first
LOADER_32 = "/lib/ld-linux.so.2"

sys.path.insert(0, TOOLS)


def measured(test):
    """Decorates a test of times or counts that other processes, or a stop of the whole machine, may
    spoil: it passes if one of ten runs does. What is wrong by itself fails in all of them."""
    @functools.wraps(test)
    def runs(self, *arguments, **more):
        for _ in range(9):
            try:
                return test(self, *arguments, **more)
            except AssertionError as error:
                print("again: %s: %s" % (test.__name__, error), file=sys.stderr)
        return test(self, *arguments, **more)
    return runs


# Prints the file that serves GOMP_parallel, runs one region.
OMP_PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  Dl_info info;
  void *found = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  if (!found || !dladdr(found, &info))
    return 99;
  char *real = realpath(info.dli_fname, NULL);
  printf("%s %d %d %s\n", real, sum, argc, argv[argc - 1]);
  return sum > 0 ? 0 : 98;
}
"""
# A 32-bit program that needs neither headers nor a 32-bit compiler library; its status is 7.
PROGRAM_32 = 'void _start(void) { __asm__ volatile("movl $1,%eax; movl $7,%ebx; int $0x80"); }'

# For programs that work for a while, and that end by exit, _exit, abort, segv or kill.
END_BY = r"""
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void spin(double ms) {
  for (double end = omp_get_wtime() + ms / 1000; omp_get_wtime() < end;) {}
}
static void end_by(const char *how) {
  if (!strcmp(how, "exit"))
    exit(3);
  if (!strcmp(how, "_exit"))
    _exit(3);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "segv"))
    *(volatile int *)8 = 1;
  raise(SIGKILL);
}
"""


def no_files():
    """For prepare of tool(): no file can have content, so that no temporary folder is usable."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def in_removed_folder():
    """For prepare of tool(): the current folder has no name any more."""
    folder = tempfile.mkdtemp(prefix="nanogomp-test-removed-")
    os.chdir(folder)
    os.rmdir(folder)


def compiler_file(name):
    """Where the compiler's programs get `name` from."""
    found = subprocess.run([CC, "-print-file-name=" + name], stdout=subprocess.PIPE, check=True)
    return os.path.realpath(found.stdout.decode().strip())


class ToolTest(unittest.TestCase):
    """A folder for each test class; `lib` is the folder of the library to put under programs."""

    @classmethod
    def setUpClass(cls):
        cls.folder = os.path.realpath(tempfile.mkdtemp(prefix="nanogomp-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.system_libgomp = compiler_file("libgomp.so.1")
        cls.lib = os.environ.get("NTH_TEST_LIB") or cls.stand_in("stand-in")
        cls.library = os.path.realpath(os.path.join(cls.lib, "libgomp.so.1"))

    @classmethod
    def stand_in(cls, name, soname=None):
        """Folder with a copy of the system's libgomp, under another SONAME of equal length."""
        folder = os.path.join(cls.folder, name)
        os.makedirs(folder)
        with open(cls.system_libgomp, "rb") as file:
            content = file.read()
        if soname:
            assert len(soname) == len("libgomp.so.1")
            content = content.replace(b"libgomp.so.1\0", soname.encode() + b"\0")
        with open(os.path.join(folder, soname or "libgomp.so.1"), "wb") as file:
            file.write(content)
        return folder

    @classmethod
    def leave_audit_out(cls):
        """From now on `lib` is a folder without the LD_AUDIT module: programs get a preload."""
        cls.lib = os.path.join(cls.folder, "no-audit")
        os.makedirs(cls.lib)
        shutil.copy(cls.library, os.path.join(cls.lib, "libgomp.so.1"))
        cls.library = os.path.join(cls.lib, "libgomp.so.1")

    @classmethod
    def compile(cls, name, source, *flags):
        """Path of the program or library made from C text."""
        output = os.path.join(cls.folder, name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        with open(output + ".c", "w") as file:
            file.write(source)
        made = subprocess.run([CC, "-O1", "-w", output + ".c", "-o", output] + list(flags),
                              stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS)
        if made.returncode != 0:
            raise AssertionError("cannot compile %s: %s" % (name, made.stderr.decode()))
        return output

    @classmethod
    def write(cls, name, text, mode=0o755):
        path = os.path.join(cls.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def tool(self, *arguments, env=None, tool=TOOL, prepare=None):
        """The finished process of the nanogomp command, with a clean environment. prepare() runs
        in the process before."""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("OMP_", "GOMP_", "NTH_", "LD_"))}
        clean["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")
        clean.update(env or {})
        return subprocess.run([sys.executable, tool] + list(arguments), env=clean,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, universal_newlines=True,
                              timeout=TIMEOUT_SECONDS, preexec_fn=prepare)

    def nanogomp_run(self, *arguments, **more):
        return self.tool("run", "--lib", self.lib, *arguments, **more)

    def settings(self, *arguments, **more):
        """What --dry-run would set, as a dictionary."""
        done = self.nanogomp_run("--dry-run", *arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return dict(line.split("=", 1) for line in done.stdout.splitlines())

    def assert_served(self, done, library=None):
        """The program ran and its GOMP_parallel came from `library`, ours by default."""
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split()[0], library or self.library, done.stderr)

    def assert_refused(self, done, status, pattern):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, re.compile("^nanogomp: cannot run .*" + pattern))

    def need_32_bit(self):
        if not os.path.exists(LOADER_32) or os.uname().machine != "x86_64":
            self.skipTest("no loader for 32-bit programs (libc6-i386)")
        return self.compile("prog32", PROGRAM_32, "-m32", "-nostdlib", "-fno-pic", "-no-pie",
                            "-Wl,-dynamic-linker," + LOADER_32, "-Wl,--no-as-needed",
                            "-L/lib32", "-L/lib/i386-linux-gnu", "-l:libc.so.6")
