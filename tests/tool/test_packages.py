#!/usr/bin/env python3
# test_packages.py - several packages with private copies of libgomp in one process: what they share
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what docs/running.md says of them (#several-packages-in-one-process)."""
import shutil
import unittest

import support

# A package: its setting, and the size of the team it gets. Linked with a copy as wheels are.
PACKAGE = r"""
#include <omp.h>
void set(int threads) { omp_set_num_threads(threads); }
int team(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}
int team_of(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}
"""
# Opens two packages. Prints words "what: sizes of a and b".
HOST = r"""
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static struct package { void (*set)(int); int (*team)(void), (*team_of)(int); } a, b;
static void *need(void *p) { if (!p) { puts(dlerror()); exit(99); } return p; }
static struct package load(const char *path) {
  void *h = need(dlopen(path, RTLD_NOW | RTLD_LOCAL));
  return (struct package){need(dlsym(h, "set")), need(dlsym(h, "team")),
                          need(dlsym(h, "team_of"))};
}
static void show(const char *what) { printf("%s: %d %d\n", what, a.team(), b.team()); }
static void *other_thread(void *unused) { show("other thread"); return unused; }
static void limit_by_handle(const char *path, int threads) { /* as threadpoolctl does */
  void *h = need(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
  ((void (*)(int))need(dlsym(h, "omp_set_num_threads")))(threads);
}
int main(int argc, char **argv) {
  a = load(argv[1]);
  b = load(argv[2]);
  show("start");
  int threads = -2; /* . and .. */
  for (DIR *d = opendir("/proc/self/task"); readdir(d);)
    threads++;
  printf("threads: %d\n", threads);
  a.set(1);
  show("a sets 1");
  pthread_t t;
  pthread_create(&t, NULL, other_thread, NULL);
  pthread_join(t, NULL);
  printf("clause: %d %d\n", a.team_of(2), b.team_of(2));
  a.set(2);
  b.set(2);
  for (int i = 3; i < argc; i++)
    limit_by_handle(argv[i], 1);
  show("limit");
  return 0;
}
"""


class Packages(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.host = cls.compile("host", HOST, "-pthread", "-ldl")
        cls.copies = {name: "%s/libgomp-%s.so" % (cls.stand_in(name, "libgomp-%s.so" % name), name)
                      for name in "ab"}
        cls.packages = {name: cls.package(name, copy) for name, copy in cls.copies.items()}

    @classmethod
    def package(cls, name, copy):
        return cls.compile("package-%s.so" % name, PACKAGE, "-shared", "-fPIC", "-fopenmp",
                           "-nodefaultlibs", copy, "-lc", "-Wl,-rpath," + copy.rpartition("/")[0])

    def sizes(self, *arguments, second="b", limits=()):
        """{what: [a, b]} of a run of the host by the command."""
        done = self.nanogomp_run(*arguments, "--set", "OMP_NUM_THREADS=2", "--set",
                                 "NTH_MEMBERS=os", "--", self.host, self.packages["a"],
                                 self.packages[second], *limits)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = (line.partition(": ") for line in done.stdout.splitlines())
        return {what: [int(n) for n in numbers.split()] for what, _, numbers in lines}

    def test_private_copies_have_settings_and_threads_of_their_own(self):
        seen = self.sizes("--way", "path", limits=self.copies.values())
        self.assertEqual(seen["start"], [2, 2])
        self.assertEqual(seen["threads"], [3])
        self.assertEqual(seen["a sets 1"], [1, 2])
        self.assertEqual(seen["limit"], [1, 1])

    def test_copies_of_one_name_are_one(self):
        """As of two wheels made in the same image: the loader takes the first for both."""
        folder = self.folder + "/same"
        shutil.copytree(self.copies["a"].rpartition("/")[0], folder)
        self.packages["twin"] = self.package("twin", folder + "/libgomp-a.so")
        seen = self.sizes("--way", "path", second="twin")
        self.assertEqual(seen["threads"], [2])
        self.assertEqual(seen["a sets 1"], [1, 1])

    def test_preloaded_all_share_settings_and_threads(self):
        seen = self.sizes("--way", "preload", limits=[*self.copies.values(), self.library])
        self.assertEqual(seen["start"], [2, 2])
        self.assertEqual(seen["threads"], [2])
        self.assertEqual(seen["a sets 1"], [1, 1])

    def test_a_thread_of_the_program_has_its_own_setting(self):
        seen = self.sizes("--way", "preload")
        self.assertEqual(seen["other thread"], [2, 2])

    def test_the_clause_is_for_its_region(self):
        self.assertEqual(self.sizes("--way", "preload")["clause"], [2, 2])

    def test_limits_by_file_reach_all(self):
        """threadpoolctl sets each file that it finds: the idle copies in vain, ours for all."""
        seen = self.sizes("--way", "preload", limits=[*self.copies.values(), self.library])
        self.assertEqual(seen["limit"], [1, 1])
        seen = self.sizes("--way", "preload", limits=self.copies.values())
        self.assertEqual(seen["limit"], [2, 2])


if __name__ == "__main__":
    unittest.main()
