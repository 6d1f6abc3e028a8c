#!/usr/bin/env python3
# test_refuse.py - what `nanogomp run` refuses, with which word and status
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import unittest
import unittest.mock

import support
from nanogomp_lib import preload
from nanogomp_lib import program

REFUSED, NOT_FOUND = 126, 127
KMPC_LIBRARY = "void __kmpc_fork_call(void) {} int omp_get_max_threads(void) {return 1;}"
KMPC_PROGRAM = "void __kmpc_fork_call(void); int main(void) {__kmpc_fork_call(); return 0;}"


class Files(support.ToolTest):
    def test_not_found(self):
        self.assert_refused(self.nanogomp_run("no-such-command"), NOT_FOUND, "no such command")
        self.assert_refused(self.nanogomp_run("./no-such-file"), NOT_FOUND, "no such file")

    def test_file_here(self):
        path = self.write("here", "#!/bin/sh\n")
        done = subprocess.run([support.TOOL, "run", "--lib", self.lib, "here"],
                              cwd=os.path.dirname(path), stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, NOT_FOUND)
        self.assertIn(b"here: no such command in PATH; the file here is ./here", done.stderr)

    def test_not_executable(self):
        path = self.write("text", "hello\n", mode=0o644)
        self.assert_refused(self.nanogomp_run(path), REFUSED, "not executable")
        done = self.nanogomp_run("text", env={"PATH": self.folder})
        self.assert_refused(done, REFUSED, "not executable")
        self.assert_refused(self.nanogomp_run(self.folder), REFUSED, "is a directory")

    def test_no_regular_file(self):
        path = os.path.join(self.folder, "pipe")
        os.mkfifo(path)
        os.chmod(path, 0o755)
        done = self.nanogomp_run(path, prepare=lambda: signal.alarm(60))  # a look in would wait
        self.assert_refused(done, REFUSED, "pipe: is no regular file")

    def test_carriage_return(self):
        """The kernel looks for an interpreter with that character in its name."""
        for line in ("#!/bin/sh\r\n", "#! /bin/sh\r\n"):
            done = self.nanogomp_run(self.write("lines", line + "exit 0\r\n"))
            self.assert_refused(done, NOT_FOUND, "interpreter /bin/sh: .* carriage return")
        for line in ("#!/bin/sh \t\n", "#!\t/bin/sh\t-e \n", "#! \n"):
            done = self.nanogomp_run(self.write("lines", line + "exit 3\n"))
            self.assertEqual((done.returncode, done.stderr), (3, ""), line)

    def test_damaged(self):
        path = self.write("damaged", "\x7fELF" + 100 * "\x02")
        self.assert_refused(self.nanogomp_run(path), REFUSED, "ELF")

    def test_cut_off(self):
        """A download that broke off, a disk that was full: said in words, whatever is missing."""
        whole = self.compile("whole", support.OMP_PROGRAM, "-fopenmp")
        with open(whole, "rb") as file:
            content = file.read()
        for size in (20, 60, 100, 700, len(content) // 2):
            path = self.write("cut", "")
            with open(path, "wb") as file:
                file.write(content[:size])
            done = self.nanogomp_run(path)
            self.assert_refused(done, REFUSED, "cut: damaged ELF file: .*byte")
            self.assertNotRegex(done.stderr, "unpack|buffer|struct|mmap")

    def test_other_class(self):
        self.assert_refused(self.nanogomp_run(self.need_32_bit()), REFUSED,
                            "32-bit i386 program, the library is 64-bit")

    def test_other_machine(self):
        path = self.compile("foreign", "int main(void) {return 0;}")
        with open(path, "r+b") as file:
            file.seek(18)
            file.write(b"\xf3\0")  # e_machine: RISC-V
        self.assert_refused(self.nanogomp_run(path), REFUSED, "riscv")

    def test_set_user_id(self):
        path = self.compile("owned", "int main(void) {return 0;}")
        os.chmod(path, 0o4755)
        self.assertFalse(program.ignores_loader_variables(path))
        with unittest.mock.patch("os.getuid", return_value=os.getuid() + 1):
            self.assertTrue(program.ignores_loader_variables(path))


class OtherRuntimes(support.ToolTest):
    def test_static_libgomp(self):
        archive = support.compiler_file("libgomp.a")
        if not os.path.exists(archive):
            self.skipTest("no libgomp.a")
        code = self.compile("main.o", support.OMP_PROGRAM, "-fopenmp", "-c")
        path = os.path.join(self.folder, "linked")
        for flags in ([], ["-static"]):
            subprocess.run([support.CC, code, archive, "-o", path, "-pthread", "-ldl"] + flags,
                           check=True, stderr=subprocess.DEVNULL)
            for strip in (False, True):
                if strip:
                    subprocess.run(["strip", path], check=True)
                self.assert_refused(self.nanogomp_run(path), REFUSED, "link")

    def test_static_without_openmp(self):
        path = self.compile("plain", "int main(void) {return 5;}", "-static")
        self.assertEqual(self.nanogomp_run(path).returncode, 5)

    def test_libomp_only(self):
        library = self.compile("libomp.so", KMPC_LIBRARY, "-shared", "-fPIC",
                               "-Wl,-soname,libomp.so")
        path = self.compile("clang", KMPC_PROGRAM, library, "-Wl,-rpath,$ORIGIN")
        self.assert_refused(self.nanogomp_run(path), REFUSED, "compiled for libomp.so")

    def test_both_runtimes(self):
        """Served where LD_LIBRARY_PATH reaches; never a preload over code for another runtime."""
        library = self.compile("libiomp5.so", KMPC_LIBRARY, "-shared", "-fPIC",
                               "-Wl,-soname,libiomp5.so")
        source = support.OMP_PROGRAM.replace("int main(", "void __kmpc_fork_call(void);\nint main(")
        source = source.replace("int sum = 0;", "int sum = 0; __kmpc_fork_call();")
        path = self.compile("both", source, "-fopenmp", "-Wl,--push-state,--no-as-needed", library,
                            "-Wl,--pop-state,-rpath,$ORIGIN")
        self.assert_served(self.nanogomp_run(path))
        other = self.stand_in("other")
        path = self.compile("both-rpath", source, "-fopenmp", library,
                            "-Wl,--disable-new-dtags,-rpath,$ORIGIN:" + other)
        if os.path.exists(os.path.join(self.lib, preload.AUDIT_FILE)):
            self.assert_served(self.nanogomp_run(path))  # LD_AUDIT leaves the other runtime alone
            self.leave_audit_out()
        done = self.nanogomp_run(path)
        self.assert_served(done, os.path.join(other, "libgomp.so.1"))
        self.assertIn("warning: both-rpath makes calls for another OpenMP runtime", done.stderr)

    def test_interposer_is_served(self):
        """A program with a GOMP_parallel of its own in front of the library's."""
        source = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static int seen;
void GOMP_parallel(void (*fn)(void *), void *data, unsigned n, unsigned flags) {
  void (*next)(void (*)(void *), void *, unsigned, unsigned) = dlsym(RTLD_NEXT, "GOMP_parallel");
  Dl_info info;
  dladdr((void *)next, &info);
  puts(info.dli_fname);
  seen = 1;
  next(fn, data, n, flags);
}
int main(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  return !(seen && sum);
}
"""
        path = self.compile("interposer", source, "-fopenmp", "-rdynamic", "-Wl,--no-as-needed",
                            "-lgomp")
        done = self.nanogomp_run(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.path.realpath(done.stdout.strip()), self.library)


if __name__ == "__main__":
    unittest.main()
