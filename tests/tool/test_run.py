#!/usr/bin/env python3
# test_run.py - `nanogomp run` puts the library under programs of all kinds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import glob
import os
import shutil
import signal
import struct
import subprocess
import sys
import unittest

import support
from nanogomp_lib import elf, preload


def holders(path):
    """The processes that have the file open."""
    found = set()
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(link) == path:
                found.add(int(link.split("/")[2]))
    return found


class Plain(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("omp", support.OMP_PROGRAM, "-fopenmp")

    def test_served(self):
        self.assert_served(self.nanogomp_run(self.program))

    def test_no_preload_and_old_path_kept(self):
        made = self.settings(self.program, env={"LD_LIBRARY_PATH": "/x:/y"})
        self.assertEqual(made, {"LD_LIBRARY_PATH": self.lib + ":/x:/y"})
        made = self.settings(self.program, env={"LD_LIBRARY_PATH": "/x:" + self.lib})
        self.assertEqual(made, {"LD_LIBRARY_PATH": self.lib + ":/x"})
        # an empty LD_LIBRARY_PATH must not become the current folder
        made = self.settings(self.program, env={"LD_LIBRARY_PATH": ""})
        self.assertEqual(made, {"LD_LIBRARY_PATH": self.lib})

    def test_options(self):
        for value, made in (("0", "1"), ("1", "1"), ("2", "2")):  # 2: counters, too
            done = self.nanogomp_run("-v", "sh", "-c", "echo $NTH_VERBOSE",
                                     env={"NTH_VERBOSE": value})
            self.assertEqual(done.stdout.strip(), made, value)
        made = self.settings("-n", "4,2", "--policy", "passive", "--fork", "gwd", "--set",
                             "A=b c=d", "--set", "B=", self.program)
        self.assertEqual(made, {
            "LD_LIBRARY_PATH": self.lib, "OMP_NUM_THREADS": "4,2", "OMP_WAIT_POLICY": "passive",
            "NTH_FORK": "gwd", "A": "'b c=d'", "B": "''"})
        done = self.nanogomp_run("-n", "3", self.program)
        self.assertEqual(done.stdout.split()[1], "3", done)

    def test_loaders_variables_of_set(self):
        """They stand beside ours, which serves the program still."""
        made = self.settings("--set", "LD_LIBRARY_PATH=/mine", "--set", "LD_PRELOAD=/x.so", "--way",
                             "preload", self.program)
        self.assertEqual(made["LD_LIBRARY_PATH"], self.lib + ":/mine")
        self.assertRegex(made["LD_PRELOAD"], "^'?/x.so:.*libgomp.so.1'?$")
        self.assertEqual(self.settings("--set", "LD_PRELOAD=/x.so", self.program)["LD_PRELOAD"],
                         "/x.so")
        other = os.path.dirname(self.system_libgomp)
        self.assert_served(self.nanogomp_run("--set", "LD_LIBRARY_PATH=" + other, self.program))

    def test_wrong_options(self):
        for words in (["-n", "0"], ["-n", "two"], ["--policy", "lazy"], ["--set", "=x"],
                      ["--set", "1A=x"], ["--nonsense"], []):
            program = [self.program] if words else []
            self.assertEqual(self.nanogomp_run(*words, *program).returncode, 2, words)

    def test_arguments_reach_the_program(self):
        for words in (["a", "-n", "--"], ["--", "x"], ["-v", "--lib=q"]):
            for dashes in ([], ["--"]):
                done = self.nanogomp_run(*dashes, self.program, *words)
                self.assert_served(done)
                self.assertEqual(done.stdout.split()[2:], [str(1 + len(words)), words[-1]])

    def test_exit_status(self):
        self.assertEqual(self.nanogomp_run("sh", "-c", "exit 42").returncode, 42)
        done = self.nanogomp_run("sh", "-c", "kill -TERM $$")
        self.assertEqual(done.returncode, -signal.SIGTERM)

    def test_signals_as_a_shell_gives_them(self):
        done = self.nanogomp_run("sh", "-c", "kill -PIPE $$")
        self.assertEqual(done.returncode, -signal.SIGPIPE)

    def test_same_process(self):
        done = self.nanogomp_run("sh", "-c", "echo $PPID")
        self.assertEqual(int(done.stdout), os.getpid())

    def test_verbose_says_what_serves(self):
        done = self.nanogomp_run("-v", self.program)
        self.assert_served(done)
        self.assertIn("calls GOMP_ or omp_: omp\n", done.stderr)
        self.assertIn("LD_LIBRARY_PATH is enough", done.stderr)
        with open(self.library, "rb") as file:
            if b"nth_report\0" in file.read():
                self.assertRegex(done.stderr, "nanogomp: serving GOMP_ calls from /.*/libgomp.so")

    def test_watcher_has_none_of_the_programs_files(self):
        """A lock on one would outlast the program."""
        with open(os.path.join(self.folder, "held"), "w") as file:
            with subprocess.Popen(
                    [sys.executable, support.TOOL, "run", "--lib", self.lib, "-v", "--", "sh", "-c",
                     "echo runs; read line"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, pass_fds=[file.fileno()]) as process:
                process.stdout.readline()
                found = holders(file.name)
                process.communicate(b"\n")
        self.assertEqual(found, {os.getpid(), process.pid})

    def test_quiet_without_verbose(self):
        self.assertEqual(self.nanogomp_run(self.program).stderr, "")

    def test_installed_layout(self):
        root = os.path.join(self.folder, "prefix")
        os.makedirs(os.path.join(root, "bin"))
        tool = shutil.copy(support.TOOL, os.path.join(root, "bin"))
        shutil.copytree(os.path.join(support.TOOLS, "nanogomp_lib"),
                        os.path.join(root, "share", "nanogomp", "nanogomp_lib"))
        done = self.tool("run", self.program, tool=tool)
        self.assertEqual(done.returncode, 125)
        self.assertIn("no libgomp.so.1 in", done.stderr)
        os.makedirs(os.path.join(root, "lib", "nanogomp"))
        copy = shutil.copy(self.library, os.path.join(root, "lib", "nanogomp", "libgomp.so.1"))
        self.assert_served(self.tool("run", self.program, tool=tool), copy)
        self.assert_served(self.tool("run", self.program, tool=tool,
                                     env={"NTH_LIB_DIR": self.lib}))


class Inherited(support.ToolTest):
    """The program finds what the command was started with, without what a shell and Python add."""

    COMMANDS = {("run",): "libgomp.so.1", ("run", "--explain"): "libnanogomp-explain.so",
                ("profile", "--papi", "none"): "libnanogomp-profile.so",
                ("trace",): "libnanogomp-trace.so"}

    def commands(self):
        """Those whose library there is: a build with sanitizers has only the first one."""
        return [command for command, name in self.COMMANDS.items()
                if os.path.exists(os.path.join(self.lib, name))]

    def started(self, command, *words, before="", **variables):
        """What the program prints. before: the shell does it, which then becomes the command."""
        env = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": os.path.join(self.folder, "cache"),
               "NTH_LIB_DIR": self.lib, **variables}
        start = ["env", "-i", *map("=".join, env.items()), support.TOOL, *command, "--", *words]
        return subprocess.run(["sh", "-c", before + ' exec "$@"', "sh", *start], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                              text=True).stdout

    def test_environment(self):
        shell = os.path.basename(os.path.realpath("/bin/sh"))
        for command in self.commands():
            names = {line.partition("=")[0] for line in self.started(command, "env").splitlines()}
            self.assertFalse(any(name.startswith("LC_") for name in names), (command, names))
            if shell == "dash":
                self.assertNotIn("PWD", names, command)
            kept = self.started(command, "env", LC_CTYPE="C", PWD=self.folder).splitlines()
            self.assertIn("LC_CTYPE=C", kept, command)
            self.assertIn("PWD=" + self.folder, kept, command)

    def test_ignored_signals(self):
        for command in self.commands():
            for number in (signal.SIGPIPE, signal.SIGXFSZ, 0):
                before = "trap '' %d;" % number if number else ""
                seen = self.started(command, "grep", "SigIgn", "/proc/self/status", before=before)
                mask = int(seen.split()[1], 16)
                for one in (signal.SIGPIPE, signal.SIGXFSZ):
                    self.assertEqual(mask >> one - 1 & 1, one == number, (command, number))


class Scripts(support.ToolTest):
    def test_interpreters(self):
        program = self.compile("omp", support.OMP_PROGRAM, "-fopenmp")
        body = "exec %s" % program
        for name, first in (("plain", "#!/bin/sh"), ("spaced", "#! /bin/sh -e"),
                            ("env", "#!/usr/bin/env sh"), ("env-S", "#!/usr/bin/env -S A=1 sh -e"),
                            ("none", ": a script without an interpreter line")):
            script = self.write(name, "%s\n%s\n" % (first, body))
            done = self.nanogomp_run("-v", script)
            self.assert_served(done)
            self.assertIn("script: runs /", done.stderr)

    def test_script_of_a_script(self):
        inner = self.write("inner", "#!/bin/sh\necho inner $1\n")
        outer = self.write("outer", "#!%s\n" % inner)
        self.assertEqual(self.nanogomp_run(outer).stdout, "inner %s\n" % outer)

    def test_missing_interpreter(self):
        script = self.write("lost", "#!/no/such/interpreter\n")
        self.assert_refused(self.nanogomp_run(script), 127, "no such file")

    def test_interpreter_that_is_a_folder(self):
        script = self.write("folder", "#!/usr/bin\n")
        done = self.nanogomp_run(script)
        self.assertEqual(done.returncode, 126)
        self.assertNotIn("Traceback", done.stderr)

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_script_from_a_pipe(self):
        """Only the program may read it."""
        line = '%s %s run --lib %s bash <(echo echo hi)' % (sys.executable, support.TOOL, self.lib)
        done = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, text=True, check=True,
                              timeout=support.TIMEOUT_SECONDS)
        self.assertEqual(done.stdout, "hi\n")

    def test_sections_beyond_the_file(self):
        """The loader needs none."""
        program = self.compile("sections", support.OMP_PROGRAM, "-fopenmp")
        with open(program, "r+b") as file:
            file.seek(0x28)  # e_shoff of 64 bits
            file.write(b"\xff" * 8)
        self.assert_served(self.nanogomp_run(program))

    def test_names_beyond_the_file(self):
        """Those of .symtab, which the loader does not need either."""
        program = self.compile("names", "int main(void) { return 7; }")
        with open(program, "r+b") as file:
            content = file.read()
            begin, = struct.unpack_from("<Q", content, 0x28)
            for at in range(begin, len(content), 64):
                if struct.unpack_from("<I", content, at + 4) == (elf.SHT_SYMTAB,):
                    linked, = struct.unpack_from("<I", content, at + 40)
                    file.seek(begin + 64 * linked + 24)  # sh_offset
                    file.write(struct.pack("<Q", 1 << 40))
        self.assertEqual(self.nanogomp_run(program).returncode, 7)


class Preload(support.ToolTest):
    """Programs that LD_LIBRARY_PATH alone does not reach."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.other = cls.stand_in("other")
        cls.leave_audit_out()
        cls.rpath = cls.compile("rpath", support.OMP_PROGRAM, "-fopenmp",
                                "-Wl,--disable-new-dtags,-rpath,$ORIGIN/other")

    def test_rpath(self):
        self.assertIn("LD_PRELOAD", self.settings(self.rpath))
        self.assert_served(self.nanogomp_run(self.rpath))

    def test_rpath_really_defeats(self):
        other = os.path.join(self.other, "libgomp.so.1")
        self.assert_served(self.nanogomp_run("--way", "path", self.rpath), other)

    def test_plug_in_host_with_rpath(self):
        """Calls come from a plug-in only; the host's DT_RPATH counts for its dlopen too."""
        plug_in = self.compile("plug-in.so", support.OMP_PROGRAM.replace("int main(", "int plug("),
                               "-fopenmp", "-shared", "-fPIC")
        source = """#include <dlfcn.h>
int main(int argc, char **argv) {
  void *plug_in = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  return ((int (*)(int, char **))dlsym(plug_in, "plug"))(argc, argv);
}"""
        host = self.compile("host", source)
        self.assertNotIn("LD_PRELOAD", self.settings(host))
        self.assert_served(self.nanogomp_run(host, plug_in))
        host = self.compile("host-rpath", source, "-Wl,--disable-new-dtags,-rpath," + self.other)
        self.assert_served(self.nanogomp_run("--way", "path", host, plug_in),
                           os.path.join(self.other, "libgomp.so.1"))
        self.assert_served(self.nanogomp_run(host, plug_in))

    def test_runpath_needs_none(self):
        program = self.compile("runpath", support.OMP_PROGRAM, "-fopenmp",
                               "-Wl,--enable-new-dtags,-rpath,$ORIGIN/other")
        self.assertNotIn("LD_PRELOAD", self.settings(program))
        self.assert_served(self.nanogomp_run(program))

    def private_copy(self):
        folder = self.stand_in("wheel", soname="libgomp-a.so")
        self.addCleanup(shutil.rmtree, folder)
        return os.path.join(folder, "libgomp-a.so")

    def test_private_copy(self):
        copy = self.private_copy()
        # made as a wheel is: the copy takes the place of libgomp
        program = self.compile("private", support.OMP_PROGRAM, "-fopenmp", "-nodefaultlibs", copy,
                               "-lc", "-Wl,-rpath," + os.path.dirname(copy))
        self.assert_served(self.nanogomp_run("--way", "path", program), copy)
        self.assertIn("LD_PRELOAD", self.settings(program))
        self.assert_served(self.nanogomp_run(program))

    def test_path_in_needed(self):
        provider = self.compile("provider.so", "void GOMP_parallel(void (*f)(void *), void *d, "
                                "unsigned n, unsigned b) { f(d); }", "-shared", "-fPIC")
        program = self.compile("by-path", support.OMP_PROGRAM, "-fopenmp", "-nodefaultlibs",
                               provider, "-lc")
        self.assert_served(self.nanogomp_run("--way", "path", program), provider)
        self.assert_served(self.nanogomp_run(program))

    def test_in_a_removed_folder(self):
        gone = support.in_removed_folder
        self.assert_served(self.nanogomp_run(self.rpath, prepare=gone))
        for words in (("-c", "exit(3)"), ("no-such-script",)):
            done = self.nanogomp_run(os.path.realpath(sys.executable), *words, prepare=gone)
            self.assertNotIn("Traceback", done.stderr)
            self.assertEqual(done.returncode, 3 if words[0] == "-c" else 2, done.stderr)
        done = self.tool("run", "--lib", "lib", self.rpath, prepare=gone)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (125, 1), done.stderr)

    def test_python_packages(self):
        """A script language loads extension modules later: the tool looks into its packages."""
        root = os.path.join(self.folder, "venv")
        packages = os.path.join(root, "lib", "python%d.%d" % sys.version_info[:2],
                                "site-packages")
        os.makedirs(os.path.join(root, "bin"))
        os.makedirs(packages)
        python = os.path.join(root, "bin", "python3")
        os.symlink(os.path.realpath(sys.executable), python)
        script = self.write("train", "#!%s\n" % python)
        if "LD_PRELOAD" in self.settings(os.path.realpath(sys.executable)):
            self.skipTest("this interpreter has packages with libgomp")
        self.assertNotIn("LD_PRELOAD", self.settings(script))
        copy = self.private_copy()
        os.makedirs(os.path.join(packages, "learn.libs"))
        shutil.copy(copy, os.path.join(packages, "learn.libs"))
        self.assertIn("LD_PRELOAD", self.settings(python))
        self.assertIn("LD_PRELOAD", self.settings(script))
        self.write(os.path.join(packages, "other", "libiomp5.so"), "")
        done = self.nanogomp_run("--dry-run", script)
        self.assertNotIn("LD_PRELOAD", done.stdout)
        self.assertIn("another OpenMP runtime", done.stderr)

    def test_old_preload_stays_first(self):
        made = self.settings(self.rpath, env={"LD_PRELOAD": "/x.so /y.so"})
        self.assertTrue(made["LD_PRELOAD"].strip("'").startswith("/x.so:/y.so:"), made)

    def test_child_of_another_class(self):
        child, folder = self.need_32_bit(), os.path.join(self.folder, "with-preload")
        os.makedirs(folder)
        for name in ("libgomp.so.1.0.0", "libgomp.so.1"):
            shutil.copy(self.library, os.path.join(folder, name))
        start = ["run", "--lib", folder, "--way", "preload", "sh", "-c", child + "; exit $?"]
        done = self.tool(*start)
        self.assertEqual(done.returncode, 7, done)
        self.assertIn("wrong ELF class", done.stderr)  # what it is like without the folder
        preload.make(folder, 62)
        done = self.tool(*start)
        self.assertEqual((done.returncode, done.stderr), (7, ""))
        self.assert_served(self.tool("run", "--lib", folder, self.rpath),
                           os.path.join(folder, "libgomp.so.1"))


if __name__ == "__main__":
    unittest.main()
