#!/usr/bin/env python3
# test_launch.py - `nanogomp run` serves what launchers, shells, make, Python, R start, or says no
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import sys
import unittest
import unittest.mock

import support
from nanogomp_lib import library, watch

# A module's library: prints the file that serves its own GOMP_ calls.
MODULE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
int plug(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  Dl_info info;
  if (!dladdr((void *)GOMP_parallel, &info))
    return 99;
  printf("%s %d\n", realpath(info.dli_fname, NULL), sum);
  fflush(stdout);
  return 0;
}
"""
PYTHON = os.path.realpath(sys.executable)


class Packages(support.ToolTest):
    """A virtual environment with a wheel: a module and its private copy of libgomp."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.leave_audit_out()
        cls.copy = os.path.join(cls.stand_in("wheel", soname="libgomp-a.so"), "libgomp-a.so")
        cls.venv = os.path.join(cls.folder, "venv")
        cls.python = os.path.join(cls.venv, "bin", "python3")
        os.makedirs(os.path.dirname(cls.python))
        os.symlink(PYTHON, cls.python)
        os.symlink("python3", os.path.join(cls.venv, "bin", "python"))
        cls.write("venv/pyvenv.cfg", "home = %s\n" % os.path.dirname(PYTHON))
        cls.write("venv/bin/activate", "PATH=%s/bin:$PATH\n" % cls.venv)
        cls.packages = cls.add_wheel(cls.venv)
        cls.script = cls.write("work/train.py", "import ctypes, learn\nimport os\n"
                               "ctypes.CDLL(os.path.join(os.path.dirname(learn.__file__), 'fit.so'"
                               ")).plug()\n", mode=0o644)

    @classmethod
    def add_wheel(cls, prefix, folder=None):
        """Puts the wheel into the package folder of a prefix, or into `folder`."""
        folder = folder or os.path.join(prefix, "lib", "python%d.%d" % sys.version_info[:2],
                                        "site-packages")
        os.makedirs(os.path.join(folder, "learn.libs"))
        copy = shutil.copy(cls.copy, os.path.join(folder, "learn.libs", "libgomp-a.so"))
        inner = os.path.relpath(os.path.join(folder, "learn"), cls.folder)
        cls.write(os.path.join(inner, "__init__.py"), "")
        cls.compile(os.path.join(inner, "fit.so"), MODULE, "-fopenmp", "-shared", "-fPIC",
                    "-nodefaultlibs", copy, "-lc", "-Wl,-rpath,$ORIGIN/../learn.libs")
        return folder

    def test_copy_serves_without_us(self):
        """What the tests of this file are about."""
        done = self.nanogomp_run("--way", "path", self.python, self.script)
        self.assert_served(done, os.path.join(self.packages, "learn.libs", "libgomp-a.so"))

    def test_python_itself(self):
        self.assert_served(self.nanogomp_run(self.python, self.script))

    def test_shells_and_prefixes(self):
        line = "%s %s" % (self.python, self.script)
        for words in (["sh", "-c", line], ["bash", "-c", line],
                      ["bash", "-lc", "cd / && X=1 exec " + line],
                      ["sh", "-c", "echo >/dev/null; '%s' %s" % (self.python, self.script)],
                      ["sh", "-c", ". %s/bin/activate && python %s" % (self.venv, self.script)],
                      ["env", "A=b", self.python, self.script],
                      ["nice", "-n", "1", "env", "sh", "-c", line],
                      ["timeout", "100", self.python, self.script]):
            self.assert_served(self.nanogomp_run(*words))

    def test_scripts(self):
        for name, body in (("plain", "exec %s %s" % (self.python, self.script)),
                           ("variable", 'exec "$WHERE/bin/python3" "%s"' % self.script),
                           ("own", 'exec "$(dirname "$0")"/../venv/bin/python %s' % self.script),
                           ("here", 'here=$(cd "$(dirname "$0")" && pwd)\nexec "$here"/../venv/bin/'
                                    'python3 ' + self.script),
                           ("arguments", 'exec "$@"')):
            path = self.write("work/" + name, "#!/bin/sh\n%s\n" % body)
            words = [self.python, self.script] if name == "arguments" else []
            for start in ([path], ["sh", path]):
                done = self.nanogomp_run(*start, *words, env={"WHERE": self.venv})
                self.assert_served(done)

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_make(self):
        self.write("work/Makefile", "all:\n\t@%s %s\n" % (self.python, self.script))
        self.assert_served(self.nanogomp_run("make", "-s", "-C", os.path.join(self.folder, "work")))

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_mpirun(self):
        done = self.nanogomp_run("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2",
                                 self.python, self.script)
        if "unrecognized" in done.stderr or "not enough slots" in done.stderr:
            self.skipTest("another mpirun")
        self.assert_served(done)
        self.assertEqual(len(done.stdout.splitlines()), 2)

    def test_pyenv(self):
        """A shim is a shell script; the version's own python has the packages."""
        root = os.path.join(self.folder, "pyenv")
        os.makedirs(os.path.join(root, "versions"))
        os.symlink(self.venv, os.path.join(root, "versions", "3.99.1"))
        self.write("pyenv/version", "3.99.1\n")
        self.write("pyenv/pyenv-exec", '#!/bin/sh\nshift\nshift\nexec %s "$@"\n' % self.python)
        shim = self.write("pyenv/shims/python3", '#!/bin/sh\n# of pyenv\nexec "%s/pyenv-exec" exec '
                          '"${0##*/}" "$@"\n' % root)
        environment = {"PYENV_ROOT": root, "PYENV_VERSION": ""}
        for prepare in (None, support.in_removed_folder):
            self.assert_served(self.nanogomp_run(shim, self.script, env=environment,
                                                 prepare=prepare))

    def test_user_packages(self):
        if "LD_PRELOAD" in self.settings(PYTHON):
            self.skipTest("this interpreter has packages with libgomp")
        base = os.path.join(self.folder, "userbase")
        self.add_wheel(base)
        known = {"PYTHONUSERBASE": base}
        self.assertIn("LD_PRELOAD", self.settings(PYTHON, self.script, env=known))
        self.assertNotIn("LD_PRELOAD", self.settings(PYTHON, "-s", self.script, env=known))
        known["PYTHONNOUSERSITE"] = "1"
        self.assertNotIn("LD_PRELOAD", self.settings(PYTHON, self.script, env=known))
        home = {"HOME": os.path.join(self.folder, "home")}
        os.makedirs(home["HOME"])
        os.symlink(base, os.path.join(home["HOME"], ".local"))
        self.assertIn("LD_PRELOAD", self.settings(PYTHON, self.script, env=home))
        self.assert_served(self.nanogomp_run(PYTHON, self.script, env=home))

    def test_python_path(self):
        folder = self.add_wheel(None, os.path.join(self.folder, "path"))
        if "LD_PRELOAD" in self.settings(PYTHON):
            self.skipTest("this interpreter has packages with libgomp")
        known = {"PYTHONPATH": "/none:" + folder}
        self.assert_served(self.nanogomp_run(PYTHON, self.script, env=known))
        self.assertNotIn("LD_PRELOAD", self.settings(PYTHON, "-E", self.script, env=known))
        script = shutil.copy(self.script, folder)
        self.assert_served(self.nanogomp_run(PYTHON, script))

    def test_path_file(self):
        """An editable installation; a virtual environment that sees the system's packages."""
        folder = self.add_wheel(None, os.path.join(self.folder, "editable"))
        second = os.path.join(self.folder, "second")
        inner = os.path.join("second", "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
        os.makedirs(os.path.join(second, "bin"))
        python = os.path.join(second, "bin", "python3")
        os.symlink(PYTHON, python)
        self.write("second/pyvenv.cfg", "home = %s\n" % os.path.dirname(PYTHON))
        self.write(os.path.join(inner, "other.pth"), "import sys\n")
        self.assertNotIn("LD_PRELOAD", self.settings(python, self.script))
        self.write(os.path.join(inner, "learn.pth"), "import sys\n%s\n" % folder)
        self.assert_served(self.nanogomp_run(python, self.script))

    def test_other_runtime_behind_a_launcher(self):
        second = os.path.join(self.folder, "mixed")
        shutil.copytree(self.venv, second, symlinks=True)
        inner = os.path.relpath(self.packages, self.venv)
        self.write(os.path.join("mixed", inner, "mkl", "libiomp5.so"), "")
        done = self.nanogomp_run("--dry-run", "sh", "-c", second + "/bin/python " + self.script)
        self.assertNotIn("LD_PRELOAD", done.stdout)
        self.assertIn("another OpenMP runtime", done.stderr)

    def test_what_is_not_known(self):
        """No word says that a program is served which is not; the watcher finds it."""
        hidden = "import ctypes, time; l = ctypes.CDLL('%s/learn/fit.so'); l.plug(); time.sleep(5)"
        script = self.write("work/hidden.py", hidden % self.packages)
        words = ["-v", "sh", "-c", 'p=pyth; p=${p}on3; "$p" %s; exit 3' % script]
        known = {"PATH": os.path.dirname(PYTHON) + ":" + os.environ["PATH"], "HOME": self.folder}
        done = self.nanogomp_run(*words, env=known)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertNotIn(self.library, done.stdout)
        self.assertIn("not known", done.stderr)
        self.assertIn("--way audit serves it", done.stderr)
        self.assertRegex(done.stderr, r"seen: python\S* \(process \d+\) is NOT served: it has /\S*/"
                                      r"libgomp-a.so; --way audit serves it")
        self.assertIn("seen: 0 of 1 processes with a libgomp were served", done.stderr)
        done = self.nanogomp_run("--way", "preload", *words, env=known)
        self.assertIn(self.library, done.stdout)
        self.assertNotIn("NOT served", done.stderr)
        self.assertRegex(done.stderr, "seen: ([0-9]+) of \\1 processes with a libgomp were served")

    def test_watcher_and_a_process_that_ends(self):
        """Its environment is gone before it is: nothing is said of it, and the watcher goes on."""
        looks = [{"/none/libgomp-a.so", self.library}, set()]
        seen = watch.Watch(os.getpid(), library.Library(self.lib))
        seen.known[1] = ("begin", "served")
        seen.served, seen.has = 1, lambda pid, name: False
        with unittest.mock.patch.object(watch, "libgomps_of", lambda pid: looks.pop(0)):
            seen.look_at(1)
        self.assertEqual((seen.served, seen.others, seen.said, looks), (1, 0, set(), []))
        self.assertEqual(watch.program_of(2 ** 22 + 1), "?")

    def test_watcher_is_no_relative(self):
        """The program sees no child that it has not made, and nothing holds its output open."""
        done = self.nanogomp_run("-v", PYTHON, "-c", "import os\ntry: os.wait()\nexcept "
                                 "ChildProcessError: print('none')")
        self.assertEqual((done.returncode, done.stdout), (0, "none\n"), done.stderr)
        self.assertIn("seen: no process with a libgomp", done.stderr)


class StartScripts(support.ToolTest):
    """Scripts that put folders of their own before LD_LIBRARY_PATH."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.other = cls.stand_in("other")
        cls.program = cls.compile("app/bin/exec/R", support.OMP_PROGRAM, "-fopenmp")
        cls.body = 'LD_LIBRARY_PATH="%s:${LD_LIBRARY_PATH}"\nexport LD_LIBRARY_PATH\n' % cls.other

    def test_known_program(self):
        path = self.write("start", "#!/bin/sh\n%sexec %s\n" % (self.body, self.program))
        done = self.nanogomp_run("--way", "path", path)
        self.assert_served(done, os.path.join(self.other, "libgomp.so.1"))
        self.assert_served(self.nanogomp_run(path))
        self.assert_served(self.nanogomp_run("sh", path))

    def test_unknown_program(self):
        path = self.write("start2", '#!/bin/sh\n%sx=%s\nexec ${x%%.}\n' % (
            self.body, self.program + "."))
        done = self.nanogomp_run(path)
        self.assertIn("warning: start2 sets LD_LIBRARY_PATH: whether the library serves what it "
                      "starts is not known; --way audit serves it", done.stderr)
        self.assert_served(self.nanogomp_run("--way", "preload", path))

    def test_words(self):
        known = "LD_LIBRARY_PATH=" + self.other
        self.assert_served(self.nanogomp_run("env", known, self.program))
        self.assert_served(self.nanogomp_run("sh", "-c", "%s %s" % (known, self.program)))

    def test_r(self):
        """R's script and Rscript, a program that starts the script."""
        home = os.path.join(self.folder, "app")
        self.write("app/etc/ldpaths", self.body)
        script = self.write("app/bin/R", '#!/bin/sh\nR_HOME_DIR=%s\n. "${R_HOME_DIR}/etc/ldpaths"\n'
                            'exec ${R_HOME_DIR}/bin/exec/R "${@}"\n' % home)
        done = self.nanogomp_run("--way", "path", script)
        self.assert_served(done, os.path.join(self.other, "libgomp.so.1"))
        front = self.compile("app/bin/Rscript", '#include <unistd.h>\nint main(int c, char **v) {\n'
                             'return execl("%s", "R", v[1], (char *)0);}' % script)
        for words in ([script, "x"], [front, "x.R"], ["sh", "-c", front + " x.R"]):
            self.assert_served(self.nanogomp_run(*words))

    @unittest.skipUnless(shutil.which("Rscript"), "no R")
    def test_real_r(self):
        done = self.nanogomp_run("-v", "Rscript", "-e",
                                 "cat(grep('libgomp', readLines('/proc/self/maps'), value=TRUE))")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.library, done.stdout)


if __name__ == "__main__":
    unittest.main()
