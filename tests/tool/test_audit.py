#!/usr/bin/env python3
# test_audit.py - LD_AUDIT gives the library to all that ask for a libgomp, and to nobody else
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import unittest

import support
from nanogomp_lib import audit, preload

# A package with a function of its own name, linked with a copy as wheels are. Big: static TLS.
PACKAGE = r"""
#include <omp.h>
#ifdef BIG
static __thread char big[BIG] __attribute__((tls_model("initial-exec")));
char *big_of_NAME(void) { return big; }
#endif
int team_of_NAME(void) {
  int size = 0;
#pragma omp parallel reduction(+ : size)
  size++;
  return size;
}
"""
# Says which files of libgomp it has and how many threads, then the same in a forked child. Its
# arguments are packages: dlopen()ed, alone in their scopes. Then what the names of copies open.
HOST = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *need(void *p) { if (!p) { puts(dlerror()); exit(99); } return p; }
static void show(const char *who) {
  char line[4096], last[4096] = "";
  int threads = -2; /* . and .. */
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/');
    if (path && strstr(strrchr(path, '/'), "/libgomp") && strcmp(last, path))
      printf("%s maps %s", who, strcpy(last, path));
  }
  for (DIR *d = opendir("/proc/self/task"); readdir(d);)
    threads++;
  printf("%s threads %d\n", who, threads);
  fflush(stdout);
}
int main(int argc, char **argv) {
  int (*team[9])(void), teams = 0, status;
  for (int i = 1; i < argc; i++) {
    char *name = argv[i], function[99];
    if (*name == '+') { /* a file: is it our library, already there? */
      void *h = need(dlopen(name + 1, RTLD_NOW | RTLD_NOLOAD));
      Dl_info info;
      dladdr(need(dlsym(h, "omp_get_max_threads")), &info);
      printf("opens %s\n", info.dli_fname);
      continue;
    }
    snprintf(function, sizeof function, "team_of_%c", strrchr(name, '.')[-1]);
    void *h = need(dlopen(name, RTLD_NOW | RTLD_LOCAL | (getenv("DEEP") ? RTLD_DEEPBIND : 0)));
    team[teams++] = need(dlsym(h, function));
  }
  for (int i = 0; i < teams; i++)
    printf("team %d\n", team[i]());
  show("parent");
  fflush(stdout);
  if (getenv("NO_FORK")) /* GCC's libgomp hangs in a child */
    return 0;
  if (fork() == 0) {
    alarm(100);
    for (int i = 0; i < teams; i++)
      if (team[i]() != 2)
        _exit(1);
    show("child");
    _exit(0);
  }
  wait(&status);
  return WEXITSTATUS(status);
}
"""
TWO = ["--set", "OMP_NUM_THREADS=2", "--set", "NTH_MEMBERS=os"]


class Audit(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(os.path.join(cls.lib, preload.AUDIT_FILE)):
            raise unittest.SkipTest("a build with the module")
        cls.host = cls.compile("host", HOST, "-ldl")
        cls.copies = {name: "%s/libgomp-%s.so" % (cls.stand_in(name, "libgomp-%s.so" % name), name)
                      for name in "ab"}
        cls.packages = {name: cls.package(name, copy) for name, copy in cls.copies.items()}

    @classmethod
    def package(cls, name, copy, *flags):
        return cls.compile("package-%s.so" % name, PACKAGE.replace("NAME", name), "-shared",
                           "-fPIC", "-fopenmp", "-nodefaultlibs", copy, "-lc",
                           "-Wl,-rpath," + os.path.dirname(copy), *flags)

    def assert_one(self, done, teams=2):
        """One libgomp, ours, and one pool, in the program and its child."""
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual([line for line in lines if line.startswith("team")], ["team 2"] * teams)
        for who in ("parent", "child"):
            self.assertEqual([line for line in lines if line.startswith(who)],
                             ["%s maps %s" % (who, self.library), who + " threads 2"])

    def run_host(self, *more, way="audit", env=None):
        return self.nanogomp_run("--way", way, *TWO, "--", self.host, *self.packages.values(),
                                 *more, env=env)

    def test_two_copies_are_one_library(self):
        self.assert_one(self.run_host())
        self.assert_one(self.run_host(env={"DEEP": "1"}))

    def test_otherwise_they_are_two(self):
        seen = self.run_host(way="path", env={"NO_FORK": "1"}).stdout
        for copy in self.copies.values():
            self.assertIn("parent maps %s\n" % copy, seen)
        self.assertIn("parent threads 3\n", seen)

    def test_bound_at_the_start(self):
        """The second copy's name must be known when the loader compares symbol versions."""
        for binding in ("-Wl,-z,now", "-Wl,-z,lazy"):
            program = self.compile("linked", "int team_of_a(void), team_of_b(void);"
                                   "int main(void) { return team_of_a() + team_of_b(); }",
                                   *self.packages.values(), "-Wl,--allow-shlib-undefined", binding)
            done = self.nanogomp_run("-v", *TWO, program)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual(re.findall(r"audit: (\S+), which (\S+) asks for, is (\S+)",
                                        done.stderr),
                             [("libgomp-%s.so" % n, "package-%s.so" % n,
                               os.path.join(self.lib, "libgomp.so.1")) for n in "ab"])

    def test_opened_by_path(self):
        """As threadpoolctl does: by the path that it sees, and by a wheel's own."""
        done = self.run_host(*["+" + path for path in [self.library, *self.copies.values()]])
        self.assert_one(done)
        self.assertEqual(re.findall("^opens (.*)", done.stdout, re.MULTILINE),
                         [os.path.join(self.lib, "libgomp.so.1")] * 3)

    def test_children_inherit_it(self):
        done = self.nanogomp_run("--way", "audit", *TWO, "sh", "-c", '"$@"; exit $?', "sh",
                                 self.host, *self.packages.values())
        self.assert_one(done)

    def test_no_advice_to_do_what_was_done(self):
        """A program that a script starts without the variable."""
        program = self.compile("sleeps", support.OMP_PROGRAM.replace(
            "return sum", "sleep(3); return sum"), "-fopenmp")
        done = self.nanogomp_run("-v", "--way", "audit", "sh", "-c",
                                 "unset LD_AUDIT LD_LIBRARY_PATH; " + program)
        self.assertRegex(done.stderr, r"seen: sleeps \(process \d+\) is NOT served: it has /\S*/"
                                      r"libgomp\S+; it was started without the LD_AUDIT set here\n")

    def test_a_users_module_comes_first(self):
        made = self.settings("--way", "audit", self.host, env={"LD_AUDIT": "/x.so:/y.so"})
        self.assertRegex(made["LD_AUDIT"].strip("'"), "^/x.so:/y.so:/.*/" + preload.AUDIT_FILE)

    def test_library_gone(self):
        """In another root folder, say: programs get what they asked for."""
        folder = os.path.join(self.folder, "alone")
        os.makedirs(folder)
        shutil.copy(os.path.join(self.lib, preload.AUDIT_FILE), folder)
        done = self.tool("run", "--lib", self.lib, "--way", "path", "env",
                         "LD_AUDIT=%s/%s" % (folder, preload.AUDIT_FILE), "LD_LIBRARY_PATH=",
                         "NO_FORK=1", self.host, self.packages["a"])
        self.assertIn("parent maps %s\n" % self.copies["a"], done.stdout)
        self.assertEqual(done.stderr, "")

    def test_offload_plugins_are_no_libgomp(self):
        plugin = self.compile("libgomp-plugin-nvptx.so.1", PACKAGE.replace("NAME", "o"), "-shared",
                              "-fPIC", "-fopenmp")
        self.assertIn("team 2", self.nanogomp_run("--way", "audit", *TWO, self.host, plugin).stdout)
        for name, known in (("libgomp.so.1", True), ("libgomp-a34b3233.so.1.0.0", True),
                            ("libgomp.a", False), ("libgomp-plugin-gcn.so.1", False),
                            ("libgomps.so", False)):
            self.assertEqual(audit.is_known_name("/x/" + name), known, name)

    def test_static_memory(self):
        """With LD_AUDIT the program would not start; auto takes the preload and says why."""
        package = self.package("b", self.copies["b"], "-DBIG=100000")
        self.addCleanup(self.package, "b", self.copies["b"])
        program = self.compile("linked", "int team_of_b(void); int main(void) { return "
                               "team_of_b(); }", package, "-Wl,--allow-shlib-undefined")
        done = self.nanogomp_run("-v", *TWO, program)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"not LD_AUDIT: package-b.so needs static .*: 100\d\d\d b")
        done = self.nanogomp_run("--way", "audit", "--dry-run", program)
        self.assertIn("warning: LD_PRELOAD in place of LD_AUDIT: package-b.so", done.stderr)
        module = os.path.join(self.lib, preload.AUDIT_FILE)
        done = self.nanogomp_run("--way", "path", "env", "LD_AUDIT=" + module, program)
        self.assertIn("cannot allocate memory in static TLS block", done.stderr)

    def test_packages_have_as_much_static_memory_as_without(self):
        """A library that the program has from the start, and a package that is opened later."""
        at_start = self.compile("libstart.so", "__thread char start[1100] __attribute__((tls_model("
                                '"initial-exec"))); char *start_of(void) { return start; }',
                                "-shared", "-fPIC")
        program = self.compile("opens", HOST, "-ldl", "-Wl,--no-as-needed", at_start)
        package = self.package("b", self.copies["b"], "-DBIG=1200")
        self.addCleanup(self.package, "b", self.copies["b"])
        plain = self.nanogomp_run("--way", "path", program, package, env={"NO_FORK": "1"})
        self.assertEqual(plain.returncode, 0, plain.stdout)
        done = self.nanogomp_run("--way", "audit", *TWO, program, package)
        self.assert_one(done, teams=1)
        module = os.path.join(self.lib, preload.AUDIT_FILE)
        done = self.nanogomp_run("--way", "path", "env", "LD_AUDIT=" + module, program, package)
        self.assertIn("cannot allocate memory in static TLS block", done.stdout)
        old = "glibc.malloc.check=0:glibc.rtld.optional_static_tls=700"
        made = self.settings("--way", "audit", program, env={"GLIBC_TUNABLES": old})
        values = dict(item.split("=") for item in made["GLIBC_TUNABLES"].strip("'").split(":"))
        self.assertEqual(values.pop("glibc.malloc.check"), "0")
        self.assertGreaterEqual(int(values.pop("glibc.rtld.optional_static_tls")), 700 + 1100)
        self.assertEqual(values, {})
        self.assertNotIn("GLIBC_TUNABLES", self.settings("--way", "audit", self.host))

    def test_audit_module_of_its_own(self):
        program = self.compile("own", "int team_of_a(void); int main(void) { return team_of_a(); }",
                               self.packages["a"], "-Wl,--audit,/no/module.so",
                               "-Wl,--allow-shlib-undefined")
        done = self.nanogomp_run("-v", "--dry-run", program)
        self.assertIn("not LD_AUDIT: %s names audit modules of its own" % program, done.stderr)
        self.assertIn("LD_PRELOAD=", done.stdout)

    def test_child_of_another_class(self):
        child = self.need_32_bit()
        done = self.nanogomp_run("--way", "audit", "sh", "-c", '"$CHILD"; exit $?',
                                 env={"CHILD": child})
        self.assertEqual((done.returncode, done.stderr), (7, ""))

    def test_nothing_is_linked_with_it(self):
        """A library that it needs would be loaded a second time, for it alone."""
        image = audit_image(self.lib)
        self.assertEqual((image.needed, image.tls), ([], 0))


def audit_image(folder):
    from nanogomp_lib import elf
    return elf.Elf(os.path.join(folder, preload.AUDIT_FILE))


if __name__ == "__main__":
    unittest.main()
