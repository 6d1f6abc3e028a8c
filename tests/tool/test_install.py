#!/usr/bin/env python3
# test_install.py - the installed tree and the packages work where they lie
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import os
import re
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

# The last statement of the task, then what `next` shows: the program's own text only.
TASK = r"""
static volatile int sum;
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    sum += 1; // inside
#pragma omp taskwait
    sum += 4;
  }
  return sum - 5;
}
"""
INSIDE = TASK[:TASK.index("// inside")].count("\n") + 1
GDB = ("set confirm off", "set debuginfod enabled off", "set startup-with-shell off",
       "set breakpoint pending on", "break %d" % INSIDE, "run",
       "next", "next", "next", "next", "next")


def call(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=support.TIMEOUT_SECONDS, **more)
    if done.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def cached(name):
    """A value of the build's CMakeCache.txt."""
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        return re.search("^%s:[A-Z]+=(.*)$" % name, file.read(), re.MULTILINE)[1]


def install(build, *options, **environment):
    call("cmake", "--install", build, *options, env=dict(os.environ, **environment))


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Tree(support.ToolTest):
    """What holds for every installed tree; `prefix`, `libdir` and `debug` are the subclass's."""
    libdir = "lib"

    @classmethod
    def check_tree(cls):
        cls.command = os.path.join(cls.prefix, "bin", "nanogomp")
        cls.share = os.path.join(cls.prefix, "share")
        cls.lib = os.path.join(cls.prefix, cls.libdir, "nanogomp")
        cls.library = os.path.join(cls.lib, "libgomp.so.1.0.0")

    def files(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.prefix)
                for name in names]

    def test_library_and_links(self):
        self.assertTrue(os.path.isfile(self.library) and not os.path.islink(self.library))
        for link in ("libgomp.so", "libgomp.so.1"):
            self.assertEqual(os.path.realpath(os.path.join(self.lib, link)), self.library)
        self.assertTrue(os.path.isfile(os.path.join(self.lib, "libompd.so")))

    def test_headers(self):
        self.assertEqual(os.listdir(os.path.join(self.prefix, "include")), ["nanogomp"])
        headers = os.listdir(os.path.join(self.prefix, "include", "nanogomp"))
        self.assertIn("report.h", headers)
        self.assertIn("nth.h", headers)
        self.assertIn("omp-tools.h", headers)
        self.assertIn("ompd-tools.h", headers)
        self.assertEqual([name for name in headers if not name.endswith(".h")], [])

    def test_no_tests(self):
        names = [os.path.relpath(path, self.prefix) for path in self.files()]
        foreign = re.compile(r"test_|/tests/|demo\.py|__pycache__")
        self.assertEqual([name for name in names if foreign.search(name)], [])

    def test_documents(self):
        folder = os.path.join(self.share, "doc", "nanogomp")
        root = os.path.dirname(support.TOOLS)
        self.assertEqual(sorted(os.listdir(os.path.join(folder, "docs"))),
                         sorted(os.listdir(os.path.join(root, "docs"))))
        for name in ("README.md", "NEWS.md"):
            self.assertTrue(os.path.isfile(os.path.join(folder, name)), name)
        links, dead = 0, []  # Debian has the licence in another form
        for page in glob.glob(os.path.join(folder, "**", "*.md"), recursive=True):
            with open(page, encoding="utf-8") as file:
                text = re.sub(r"(?ms)^```.*?^```$", "", file.read())
            for target in re.findall(r"\]\(([^)\s#:]+)(?:#[^)\s:]*)?\)", text):
                links += 1
                path = os.path.join(os.path.dirname(page), target)
                if target != "LICENSE" and not os.path.exists(path):
                    dead.append("%s: %s" % (page, target))
        self.assertGreater(links, 300)
        self.assertEqual(dead, [])

    def test_manual(self):
        """Every option of the command is in it, and it is laid out without a complaint."""
        page = glob.glob(os.path.join(self.share, "man", "man1", "nanogomp.1*"))[0]
        if not shutil.which("man"):
            self.skipTest("no man")
        environment = dict(os.environ, MANWIDTH="200", LC_ALL="C", MAN_KEEP_FORMATTING="")
        text = call("man", "-l", "--warnings=w", "-P", "cat", page, env=environment)
        self.assertNotIn("warning", text)
        for command in ("run", "info", "bench"):
            said = self.tool(command, "--help", tool=self.command).stdout
            for option in re.findall(r"--[a-z][a-z-]*", said):
                self.assertIn(option, text)

    def test_page_of_variables(self):
        """Each variable that the library names has a paragraph."""
        page = glob.glob(os.path.join(self.share, "man", "man7", "nanogomp-environment.7*"))[0]
        if not shutil.which("man"):
            self.skipTest("no man")
        environment = dict(os.environ, MANWIDTH="200", LC_ALL="C", MAN_KEEP_FORMATTING="")
        text = call("man", "-l", "--warnings=w", "-P", "cat", page, env=environment)
        self.assertNotIn("warning", text)
        table = os.path.join(os.path.dirname(support.TOOLS), "runtime", "omp", "env", "env_vars.c")
        with open(table, encoding="utf-8") as file:
            names = re.findall(r'\[NTH_ENV_\w+\] = \{"(\w+)"', file.read())
        self.assertGreater(len(names), 30)
        for name in names:
            if not name.startswith("NTH_TEST_"):
                self.assertTrue(re.search(r"(?m)^ +%s\b" % name, text), name)

    def test_completion(self):
        folder = os.path.join(self.share, "bash-completion", "completions")
        self.assertEqual(os.listdir(folder), ["nanogomp"])

    def test_version(self):
        """One version in the command, the library, the pkg-config file and the news."""
        version = self.tool("--version", tool=self.command).stdout.split()
        self.assertEqual(version[0], "nanogomp")
        facts = json.loads(self.tool("info", "--json", tool=self.command).stdout)
        self.assertEqual(version[1:], [facts["version"]])
        with open(os.path.join(self.pc_folder(), "nanogomp.pc"), encoding="utf-8") as file:
            self.assertIn("\nVersion: %s\n" % version[1], file.read())
        with open(os.path.join(self.share, "doc", "nanogomp", "NEWS.md"), encoding="utf-8") as file:
            self.assertEqual(re.findall("^## (.*)", file.read(), re.MULTILINE)[0], version[1])

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

    def test_no_search_path(self):
        """Of nothing that is installed."""
        for path in self.files():
            if ".so" in os.path.basename(path):
                self.assertNotRegex(call("readelf", "-d", path), "R(UN)?PATH")

    def pc_folder(self):
        return os.path.join(self.prefix, self.libdir, "pkgconfig")

    def pkg_config(self, *options):
        """The flags for programs of the installed library."""
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        environment = dict(os.environ,
                           PKG_CONFIG_PATH=self.pc_folder())
        flags = call("pkg-config", *options, "--cflags", "--libs", "nanogomp", env=environment)
        self.assertNotIn("..", flags)
        # a folder with a blank comes back with a backslash
        return [word.replace("\0", " ") for word in flags.replace("\\ ", "\0").split()]

    def pkg_config_here(self):
        """The same for the tree where it is now."""
        return self.pkg_config("--define-variable=prefix=" + self.prefix.replace(" ", "\\ "))

    def test_nano_threads(self):
        """The program of docs/nth.md; without -fopenmp."""
        page = os.path.join(os.path.dirname(support.TOOLS), "docs", "nth.md")
        with open(page, encoding="utf-8") as file:
            code = file.read().partition("```c\n")[2].partition("```")[0]
        program = self.compile("nano", code, "-Wall", "-Wextra", *self.pkg_config_here())
        self.assertEqual(call(program), "499.5\n")

    def test_pkg_config(self):
        program = self.compile("with_flags", PROGRAM, "-fopenmp", *self.pkg_config_here())
        self.assertIn("version", call(program))
        loaded = call("ldd", program)
        self.assertIn(self.library, {os.path.realpath(word) for word in loaded.split("\n\t")
                                     for word in [word.partition("=> ")[2].partition(" (")[0]]})
        dynamic = call("readelf", "-d", program)
        self.assertEqual(re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", dynamic), [self.lib])


class Installed(Tree):
    """A tree under a prefix that was not known when the library was built, and has been moved."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        first = os.path.join(cls.folder, "first one")
        install(BUILD, "--prefix", first)
        cls.prefix = os.path.join(cls.folder, "moved here")
        cls.libdir = cached("CMAKE_INSTALL_LIBDIR")
        os.rename(first, cls.prefix)
        cls.check_tree()

    def test_first_prefix(self):
        first = os.path.join(self.folder, "first one", self.libdir, "nanogomp")
        self.assertIn("-Wl,-rpath," + first, self.pkg_config())

    def test_benchmark(self):
        """Its programs are built from what is installed; the command finds the library."""
        if not shutil.which("cmake"):
            self.skipTest("no cmake")
        build = os.path.join(self.folder, "bench build")
        call("cmake", "-S", os.path.join(self.share, "nanogomp", "bench"), "-B", build)
        call("cmake", "--build", build, "-j", "2")
        done = self.tool("bench", "--bench-dir", os.path.join(build, "bench"), "--rows", "region",
                         "--runtimes", "nanogomp,gomp", "--rounds", "3", "--budget", "3",
                         tool=self.command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.lib, done.stdout + done.stderr)


class PackagersTree(Tree):
    """Another LIBDIR, a staging folder, and flags that are the packager's alone. Only configured:
    the library that is there takes the place of the one that would be built."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.build = os.path.join(cls.folder, "packager")
        call("cmake", "-S", os.path.dirname(support.TOOLS), "-B", cls.build, "-DNTH_TESTS=OFF",
             "-DCMAKE_INSTALL_PREFIX=/usr", "-DCMAKE_INSTALL_LIBDIR=lib64",
             "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-Os -gz")
        shutil.copytree(os.path.join(BUILD, "lib"), os.path.join(cls.build, "lib"), symlinks=True,
                        dirs_exist_ok=True)
        for page in ("nanogomp.1", "nanogomp-environment.7"):
            shutil.copy(os.path.join(BUILD, page), cls.build)
        shutil.copytree(os.path.join(BUILD, "completion"), os.path.join(cls.build, "completion"),
                        dirs_exist_ok=True)
        stage = os.path.join(cls.folder, "stage")
        install(cls.build, DESTDIR=stage)
        cls.prefix, cls.libdir = os.path.join(stage, "usr"), "lib64"
        cls.check_tree()

    def test_flags(self):
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            commands = [entry["command"].split() for entry in json.load(file)
                        if entry["file"].endswith(".c")]
        for words in commands:
            flags = [word for word in words if re.match("-(O|g|DNDEBUG|march|flto)", word)]
            self.assertEqual(flags, ["-Os", "-gz"])

    def test_debug_information(self):
        """The packager's tools take it out."""
        self.assertIn(".debug_info", call("readelf", "-SW", self.library))

    def test_prefix(self):
        self.assertIn("-Wl,-rpath,/usr/lib64/nanogomp", self.pkg_config())


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Unusual(support.ToolTest):
    """An absolute LIBDIR with a blank in it, and an objcopy that fails. Only configured."""

    def test_objcopy_fails(self):
        build = os.path.join(self.folder, "build")
        call("cmake", "-S", os.path.dirname(support.TOOLS), "-B", build, "-DNTH_TESTS=OFF",
             "-DNTH_DEBUG_APART=ON", "-DCMAKE_OBJCOPY=" + shutil.which("false"),
             "-DCMAKE_INSTALL_LIBDIR=/opt/a b/lib", "-DCMAKE_INSTALL_PREFIX=/opt/a b")
        with open(os.path.join(build, "nanogomp.pc.in"), encoding="utf-8") as file:
            self.assertIn("libdir=/opt/a\\ b/lib/nanogomp\n", file.read())
        for name in ("lib", "completion", "nanogomp.1", "nanogomp-environment.7"):
            os.symlink(os.path.join(BUILD, name), os.path.join(build, name + ".link"))
            path = os.path.join(build, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            os.rename(path + ".link", path)
        for component in ((), ("--component", "debug")):
            with self.assertRaisesRegex(AssertionError, "the debug information of libgomp"):
                install(build, *component, DESTDIR=os.path.join(self.folder, "stage"))


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Debugged(support.ToolTest):
    """`next` shows no source of the installed library, unless component `debug` is there, too."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("gdb"):
            raise unittest.SkipTest("no gdb")
        if cached("NTH_DEBUG_APART") != "ON":
            raise unittest.SkipTest("NTH_DEBUG_APART is off")
        cls.prefix = os.path.join(cls.folder, "prefix")
        install(BUILD, "--prefix", cls.prefix)
        cls.lib = os.path.join(cls.prefix, cached("CMAKE_INSTALL_LIBDIR"), "nanogomp")

    def debugger(self, *commands):
        program = self.compile("task", TASK, "-g", "-O0", "-fopenmp")
        words = [word for command in commands for word in ("-ex", command)]
        return call("gdb", "-nx", "-q", "-batch", *words, program,
                    env=dict(os.environ, LD_LIBRARY_PATH=self.lib, OMP_NUM_THREADS="2"))

    def test_next(self):
        text = self.debugger(*GDB)
        self.assertIn("inside", text)
        self.assertIn("sum += 4", text)
        self.assertNotIn(os.path.join(os.path.dirname(support.TOOLS), "runtime"), text)
        self.assertNotIn("/runtime/", text)

    def test_no_path_of_the_builder(self):
        """But for debug information the same library is built in any folder."""
        for library in glob.glob(os.path.join(self.lib, "*.so")):
            plain = os.path.join(self.folder, "plain.so")
            call("objcopy", "--strip-debug", library, plain)
            with open(plain, "rb") as file:
                self.assertNotIn(os.path.dirname(support.TOOLS).encode(), file.read(), library)

    def test_component(self):
        install(BUILD, "--prefix", self.prefix, "--component", "debug")
        folder = "set debug-file-directory " + os.path.join(self.prefix, "lib", "debug")
        self.assertIn("/runtime/", self.debugger(folder, *GDB))


def cpack(cls, kind):
    """Makes the packages in the class's folder and gives their paths, the library's first."""
    call("cpack", "-G", kind, "-B", cls.folder, cwd=BUILD)
    made = glob.glob(os.path.join(cls.folder, "*." + kind.lower()))
    return sorted(made, key=lambda path: "-dbg" in path)


class Package(Tree):
    """The .deb, unpacked into a folder."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for command in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
            if not shutil.which(command):
                raise unittest.SkipTest("no " + command)
        cls.packages = cpack(cls, "DEB")
        cls.package = cls.packages[0]
        unpacked = os.path.join(cls.folder, "root")
        call("dpkg-deb", "-x", cls.package, unpacked)
        cls.prefix = os.path.join(unpacked, "usr")
        cls.libdir = cached("CMAKE_INSTALL_LIBDIR")
        cls.check_tree()

    def test_fields(self):
        fields = dict(line.split(": ", 1) for line in
                      call("dpkg-deb", "-f", self.package).splitlines() if ": " in line)
        self.assertEqual(fields["Package"], "nanogomp")
        self.assertRegex(fields["Depends"], r"\bpython3\b.*\blibc6 \(>= ")
        self.assertNotIn("libgomp", fields["Depends"])
        self.assertNotIn("Provides", fields)

    def test_nothing_of_the_system(self):
        """No path that another package of Debian has, no ldconfig, no claim to libgomp.so.1."""
        paths = call("dpkg-deb", "-c", self.package)
        for word in ("/usr/lib/x86_64-linux-gnu/libgomp", "/usr/include/omp", "ld.so.conf"):
            self.assertNotIn(word, paths)
        control = os.path.join(self.folder, "control")
        call("dpkg-deb", "-e", self.package, control)
        self.assertEqual({"shlibs", "symbols", "triggers"} & set(os.listdir(control)), set())

    def test_debug_package(self):
        if cached("NTH_DEBUG_APART") != "ON":
            self.skipTest("NTH_DEBUG_APART is off")
        self.assertNotIn(".debug_info", call("readelf", "-SW", self.library))
        build_id = re.search(r"Build ID: (\w\w)(\w+)", call("readelf", "-n", self.library))
        self.assertIn("/usr/lib/debug/.build-id/%s/%s.debug" % build_id.groups(),
                      call("dpkg-deb", "-c", self.packages[1]))

    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("no lintian")
        done = subprocess.run(["lintian", "-q", "--fail-on", "none", *self.packages],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                              universal_newlines=True, timeout=support.TIMEOUT_SECONDS)
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith("E:")], [])
        self.assertIn("W:", done.stdout)  # it has looked


@unittest.skipUnless(BUILD, "no build folder given (NTH_TEST_BUILD)")
class Rpm(support.ToolTest):
    def test_provides(self):
        """rpmbuild finds by itself what a package provides: not the system's library."""
        for command in ("cpack", "rpmbuild", "rpm"):
            if not shutil.which(command):
                self.skipTest("no " + command)
        package = cpack(self, "RPM")[0]
        provides = call("rpm", "-qp", "--provides", package)
        self.assertIn("nanogomp = ", provides)
        self.assertNotIn("libgomp", provides)
        self.assertNotIn("libgomp", call("rpm", "-qp", "--requires", package))
        self.assertIn("nanogomp/libgomp.so.1.0.0\n", call("rpm", "-qpl", package))


del Tree  # its tests run in the subclasses


if __name__ == "__main__":
    unittest.main()
