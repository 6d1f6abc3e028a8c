#!/usr/bin/env python3
# test_results.py - where profile and trace put what they find: folders, pipes, ranks; doacross
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands side by side in one folder, beside files of the user's, and as ranks of an MPI job; a
named pipe as a file; and that a wait in a doacross loop is a wait in both."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

import support
import trace_checks
from nanogomp_lib import output

TRACER = "libnanogomp-trace.so"
WAVE = r"""
#include <unistd.h>
int main(void) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
  for (int i = 0; i < 10; i++) {
    if (i % 2 == 0) usleep(20000);
#pragma omp ordered depend(sink : i - 1) /* SINK */
    __asm__ volatile("" ::: "memory");
#pragma omp ordered depend(source)
  }
  return 0;
}
"""
SLOW = r"""
#include <unistd.h>
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < (argc > 1 ? 300 : 20); i++) {
#pragma omp parallel num_threads(2)
    usleep(2000);
  }
  return 0;
}
"""


@unittest.skipUnless(os.path.exists(os.path.join(os.environ.get("NTH_TEST_LIB", ""), TRACER)),
                     "no recorder here")
class Results(support.ToolTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.slow = cls.compile("slow", SLOW, "-fopenmp", "-g")
        cls.wave = cls.compile("wave", WAVE, "-fopenmp", "-g")

    def base(self, name):
        return os.path.join(self.folder, name)

    def records(self, folder):
        """Names of the profiles or traces there, without what stands beside them."""
        return [name for name in os.listdir(folder) if name.endswith((".nthprof", ".trace"))]

    def trace(self, *arguments, **more):
        done = self.tool("trace", "--lib", self.lib, *arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_files_of_the_user_stay(self):
        folder = self.base("mine.trace")
        os.makedirs(os.path.join(folder, "data"))
        self.write("mine.trace/notes.txt", "precious", 0o644)
        self.trace("-o", self.base("mine"), "--", self.slow)
        self.assertEqual(sorted(os.listdir(folder)), ["data", "notes.txt"])
        self.trace("--to", "raw", "-o", self.base("mine"), "--", self.slow)
        self.assertEqual((len(os.listdir(folder)), len(self.records(folder))), (4, 1))
        self.assertFalse(os.path.exists(folder + ".2"))

    def test_no_folder_without_a_trace(self):
        refused = self.write("refused", "MZ\0\0")  # by the kernel, when it is started
        for program, status in (("true", 1), (refused, 126)):
            done = self.tool("trace", "--lib", self.lib, "-o", self.base("none"), "--", program)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertFalse(os.path.exists(self.base("none.trace")))

    def test_commands_side_by_side(self):
        command = [sys.executable, support.TOOL, "trace", "--lib", self.lib, "--to", "raw", "-o",
                   self.base("both"), "--", self.slow]
        with subprocess.Popen([*command, "long"], stderr=subprocess.PIPE, text=True) as first:
            while not os.path.exists(self.base("both.trace")):
                self.assertIsNone(first.poll())
            done = self.trace("--to", "raw", "-o", self.base("both"), "--", self.slow)
            self.assertIn("another command writes", done.stderr)
            said = first.communicate()[1]
        self.assertEqual((first.returncode, said.count("\n")), (0, 1), said)
        sizes = []
        for name in ("both.trace", "both.trace.2"):
            (file,) = self.records(self.base(name))
            self.trace("--to", "json", "-o", self.base(name + "-page"), "--convert",
                       os.path.join(self.base(name), file))
            with open(self.base(name + "-page.json"), encoding="utf-8") as page:
                sizes.append(len(json.load(page)["traceEvents"]))
        self.assertGreater(sizes[0], 5 * sizes[1])

    def profile(self, name, *command):
        """The commands of the processes that are shown."""
        page = self.base(name + ".json")
        done = self.tool("profile", "--lib", self.lib, "--papi", "none", "--keep", self.base(name),
                         "--json", page, "--", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(page, encoding="utf-8") as file:
            return done, [doc["command"] for doc in json.load(file)["processes"]]

    def test_profiles_of_an_earlier_run(self):
        """They stay, and are no part of what is shown of this run."""
        for command in ([self.slow], [self.wave]):
            done, shown = self.profile("again", *command)
            self.assertEqual(shown, [command], done.stdout)
        self.assertEqual(len(self.records(self.base("again"))), 2)
        done = self.tool("profile", "--read", self.base("again"), "--json", "-")
        self.assertEqual(len(json.loads(done.stdout)["processes"]), 2)

    def test_profiles_side_by_side(self):
        """The first program waits until the second command has ended."""
        mark = self.base("started")
        command = [sys.executable, support.TOOL, "profile", "--lib", self.lib, "--papi", "none",
                   "--keep", self.base("two"), "--json", self.base("first.json"), "--", "sh", "-c",
                   'touch "$1"; read line; exec "$0"', self.slow, mark]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as first:
            while not os.path.exists(mark):
                self.assertIsNone(first.poll())
                time.sleep(0.01)
            done, shown = self.profile("two", self.wave)
            self.assertIn("another command writes its profiles there", done.stderr)
            self.assertEqual(shown, [[self.wave]])
            said = first.communicate("\n")[1]
        self.assertEqual((first.returncode, said), (0, ""))
        self.assertEqual([len(self.records(self.base(name))) for name in ("two", "two.2")], [1, 1])

    def test_ranks(self):
        for rank in "01":
            self.trace("-o", self.base("job"), "--", self.slow,
                       env={"OMPI_COMM_WORLD_RANK": rank})
            self.assertTrue(os.path.exists(self.base("job.%s.html" % rank)))
        self.assertFalse(os.path.exists(self.base("job.html")))

    def files_of_ranks(self, suffixes, *words):
        """Each rank has run a command with files job.x, job.y, ...; `words` are without these."""
        folder = self.base("-".join(["ranks", words[0]]))
        os.makedirs(folder)
        files = [word for option, suffix in suffixes.items()
                 for word in ("--" + option, os.path.join(folder, "job" + suffix))]
        for rank in "01":
            done = self.tool(words[0], "--lib", self.lib, *files, *words[1:],
                             env={"PMI_RANK": rank})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(folder)), sorted(
            "job.%s%s" % (rank, suffix) for rank in "01" for suffix in suffixes.values()))

    def test_files_of_ranks(self):
        self.files_of_ranks({"json": ".json", "html": ".html", "keep": ""}, "profile", "--papi",
                            "none", "--", self.slow)
        self.files_of_ranks({"json": ".json", "record": "", "save-costs": ".txt"}, "predict", "--",
                            self.slow)
        if shutil.which("valgrind"):
            self.files_of_ranks({"json": ".json"}, "lines", "--", self.wave)

    def test_files_of_all_ranks(self):
        for path in ("-", "/dev/null", None):
            with unittest.mock.patch.dict(os.environ, {"PMI_RANK": "1"}):
                self.assertEqual(output.file_of_rank(path), path)

    def test_named_pipe(self):
        pipe, found = self.base("pipe"), []
        os.mkfifo(pipe)

        def read():
            with open(pipe, encoding="utf-8") as file:
                found.append(json.load(file))

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        done = self.tool("profile", "--lib", self.lib, "--json", pipe, "--", self.slow)
        reader.join(30)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(found[0]["processes"]), 1)

    def test_doacross_waits(self):
        done = self.tool("profile", "--lib", self.lib, "--json", "-", "--", self.wave)
        (document,) = json.loads(done.stdout)["processes"]
        rows = [row for region in document["regions"] for row in region["constructs"]]
        (row,) = [row for row in rows if row["kind"] == "ordered"]
        self.assertEqual(row["count"], 9)
        self.assertGreater(row["wait"], 0.06)
        self.trace("--to", "paraver", "-o", self.base("wave"), "--", self.wave)
        found = trace_checks.Paraver(self.base("wave"))
        self.assertGreater(found.time_of("wait for ordered"), 60000000)


if __name__ == "__main__":
    unittest.main()
