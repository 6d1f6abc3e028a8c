#!/usr/bin/env python3
# test_profile.py - `nanogomp profile` finds where the time goes, however the program ends
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support
from profile_support import CONSTRUCTS, ENDS, INSIDE, ProfileTest, line_of

from nanogomp_lib import profile_raw  # noqa: E402  (support has set the path)

TWO = ("-n", "2", "--papi", "none")


class Constructs(ProfileTest):
    """Times and numbers of each construct. A busy machine makes times longer, never shorter."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("all", CONSTRUCTS, "-fopenmp", "-g")

    def run_it(self, **more):
        if not hasattr(type(self), "kept") or more:
            doc = self.document(*TWO, "--", self.program, **more)
            if more:
                return doc
            type(self).kept = doc
        return type(self).kept

    def at(self, mark, kind="region", doc=None):
        return self.row_at(doc or self.run_it(), line_of(CONSTRUCTS, mark), kind)

    def test_everything_is_explained(self):
        doc = self.run_it()
        self.assertTrue(doc["complete"])
        self.assert_sums(doc)
        whole = sum(doc[part] for part in ("startup", "serial", "parallel", "shutdown"))
        self.assertLess(abs(whole - doc["wall"]), 0.02 * doc["wall"])
        self.assertGreater(min(doc["startup"], doc["shutdown"]), 0)
        self.assertGreaterEqual(doc["serial"], 0.04)
        self.assertEqual([row["kind"] for row in doc["outside"]], ["single"])
        self.assertGreaterEqual(doc["outside"][0]["work"], 0.01)

    @support.measured
    def test_short_program_adds_up_by_the_clock(self):
        """The start-up is a large part of it, also that of a program which another one executes."""
        program = self.compile("short", "int main(void) {\n#pragma omp parallel num_threads(2)\n"
                               "  __asm__ volatile(\"\");\n}", "-fopenmp")
        for how in ((program,), ("sh", "-c", "sleep 0.1; exec " + program)):
            doc = self.document(*TWO, "--", *how)
            whole = sum(doc[part] for part in ("startup", "serial", "parallel", "shutdown"))
            self.assertLess(abs(whole - doc["wall"]), 0.02 * doc["wall"])
            self.assertEqual(doc["startup"] > 0.1, len(how) > 1)
            done = self.profile(*TWO, "--", *how)
            self.assertRegex(done.stdout, r"\nstart-up before that \S+ .s, end behind it \S+ .s: ")
        doc = self.document(*TWO, "--", "sh", "-c", program + "; exit 0")
        self.assertEqual((doc["wall"], doc["startup"]), (None, None))

    def test_uneven_region_waits_at_its_end(self):
        row = self.at("UNEVEN")
        self.assertEqual((row["units"], row["count"]), (1, 2))
        self.assertGreaterEqual(row["size"], 0.06)
        self.assertGreaterEqual(row["own"]["work"], 0.06)
        self.assertGreaterEqual(row["own"]["wait"] + row["own"]["overhead"], 0.05)
        self.assertGreater(row["imbalance"], 0.2)
        first, second = (row["members"][m] for m in sorted(row["members"]))
        self.assertGreater(first["work"], 4 * second["work"])

    def test_loop_single_barrier(self):
        row = self.at("LOOPS")
        self.assertEqual((row["units"], row["caller"]),
                         (2, "main (all.c:%d)" % line_of(CONSTRUCTS, "CALL")))
        loop = self.at("FOR", "loop")
        self.assertEqual((loop["count"], loop["units"], loop["size"]), (4, 20, 60))
        self.assertEqual((loop["least"], loop["most"]), (3, 3))
        self.assertGreaterEqual(loop["work"], 0.012)
        single = self.at("SINGLE", "single")
        self.assertEqual(single["count"], 2)
        self.assertGreaterEqual(single["work"], 0.004)
        self.assertEqual(self.at("BARRIER", "barrier")["count"], 4)

    def test_locks(self):
        lock, critical = self.at("SET", "lock"), self.at("CRITICAL", "critical")
        self.assertEqual((lock["count"], critical["count"]), (10, 10))
        self.assertGreaterEqual(lock["held"], 0.020)
        self.assertGreaterEqual(critical["held"], 0.010)
        region = self.at("LOCKS")
        self.assertGreaterEqual(region["own"]["work"], 0.030)  # what is done in locks is its work
        self.assertLess(lock["work"] + critical["work"], 0.001)

    def test_tasks(self):
        task, untied = self.at("TASK", "task"), self.at("UNTIED", "task")
        self.assertEqual((task["units"], task["count"]), (20, 20))
        self.assertGreaterEqual(task["work"], 0.010)
        self.assertEqual(untied["units"], 1)
        self.assertEqual(self.at("TASKWAIT", "taskwait")["count"], 1)
        groups = [row for row in self.at("TASKS")["constructs"] if row["kind"] == "taskgroup"]
        self.assertEqual([row["count"] for row in groups], [1])

    def test_tasks_of_a_taskloop(self):
        source = """int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (volatile int i = 0; i < 10; i++)
#pragma omp taskloop num_tasks(4) untied
    for (int k = 0; k < 40; k++)
      __asm__ volatile("");
  return 0;
}
"""
        doc = self.document("--papi", "none", "--",
                            self.compile("taskloop", source, "-fopenmp", "-g"))
        tasks = [row for region in doc["regions"] for row in region["constructs"]
                 if row["kind"] == "task"]
        self.assertEqual([(row["units"], row["count"]) for row in tasks], [(40, 40)], tasks)

    def test_nested_regions(self):
        outer, inner = self.at("OUTER"), self.at("INNER")
        self.assertEqual((outer["units"], outer["count"], inner["units"], inner["count"]),
                         (1, 2, 2, 4))
        self.assertIn(inner["where"], [row["where"] for row in outer["regions"]])
        self.assertGreaterEqual(inner["work"], 0.004)

    def test_members_that_share_os_threads(self):
        doc = self.run_it(env={"NTH_MEMBERS": "nano"})
        self.assert_sums(doc)
        self.assertEqual(self.at("TASK", "task", doc)["count"], 20)
        self.assertEqual(self.at("FOR", "loop", doc)["units"], 20)

    def test_table_in_100_columns(self):
        done = self.profile(*TWO, "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        self.assertRegex(done.stdout, r"(?m)^outside regions\n  single +all.c:%d +1 "
                         % line_of(CONSTRUCTS, "ALONE"))
        for text in ("uneven (all.c:%d)" % line_of(CONSTRUCTS, "UNEVEN"), "explained",
                     "from main (all.c:%d)" % line_of(CONSTRUCTS, "CALL"), "20 chunks of 3",
                     "20 made, 20 run", "held"):
            self.assertIn(text, done.stdout)

    def test_kept_files_are_read_again(self):
        folder = os.path.join(self.folder, "kept")
        first = self.profile(*TWO, "--keep", folder, "--", self.program)
        again = self.profile("--read", folder)
        self.assertEqual(first.stdout, again.stdout)
        self.assertEqual(len(glob.glob(os.path.join(folder, "*.nthprof"))), 1)


class Ends(ProfileTest):
    """The profile is there however the process ends."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("ends", ENDS, "-fopenmp", "-g")

    def check(self, how, status, complete):
        doc = self.document(*TWO, "--", self.program, how, status=status)
        self.assertEqual(doc["complete"], complete)
        row = self.row_at(doc, line_of(ENDS, "REGION"), "region")
        self.assertEqual((row["units"], row["count"]), (1, 2))
        for member in doc["members"]:
            self.assertAlmostEqual(member["explained"], 1, delta=0.01)

    def test_exit(self):
        self.check("return", 0, True)

    def test_underscore_exit(self):
        self.check("_exit", 3, False)

    def test_killed(self):
        self.check("kill", -signal.SIGKILL, False)

    def test_aborted(self):
        self.check("abort", -signal.SIGABRT, False)

    def test_exec(self):
        self.check("exec", 0, False)

    def test_exec_of_a_program_with_regions(self):
        """The first one is over when the other begins."""
        first, second = self.documents(*TWO, "--", self.program, "again", "return")
        if first["complete"]:
            first, second = second, first
        self.assertEqual((first["complete"], second["complete"]), (False, True))
        self.assertEqual(first["pid"], second["pid"])
        self.assertLess(abs(first["wall"] - second["startup"]), 0.02 * second["wall"])

    def test_in_the_background(self):
        """A process that goes on is named; what it does is in the files that are kept."""
        folder = os.path.join(self.folder, "background")
        said = r"still in the background: process (\d+); what is done there from now on is not"
        for words in (("profile", *TWO, "--keep", folder), ("run", "--explain"),
                      ("trace", "-o", os.path.join(self.folder, "background-trace"))):
            done = self.tool(words[0], "--lib", self.lib, *words[1:], "--", self.program, "daemon")
            self.assertEqual(done.returncode, 0, done.stderr)
            pid = int(self.match(said, done.stderr))
            while os.path.exists("/proc/%d" % pid):
                time.sleep(0.01)
        doc = json.loads(self.profile("--read", folder, "--json", "-").stdout)["processes"][0]
        self.assertEqual([row["units"] for row in doc["regions"]], [1])

    def match(self, pattern, text):
        self.assertRegex(text, pattern)
        return re.search(pattern, text).group(1)

    def test_child_of_fork_has_its_own(self):
        docs = self.documents(*TWO, "--", self.program, "fork")
        self.assertEqual(len(docs), 2)
        child = [doc for doc in docs if doc["parent"]]
        parent = [doc for doc in docs if not doc["parent"]]
        self.assertEqual(child[0]["parent"], parent[0]["pid"])
        self.assertEqual([row["units"] for row in child[0]["regions"]], [1, 1])  # of two lines
        self.assertEqual([row["units"] for row in parent[0]["regions"]], [1])


class EndsInside(ProfileTest):
    """The regions that are open when the process ends count up to there."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("inside", INSIDE, "-fopenmp", "-g")

    @support.measured
    def check(self, how, status, member="0", **more):
        doc = self.document(*TWO, "--", self.program, how, member, status=status, **more)
        whole, outer, inner = (self.row_at(doc, line_of(INSIDE, mark), "region")
                               for mark in ("WHOLE", "OPEN", "WITHIN"))
        self.assertEqual([(row["open"], row["units"]) for row in (whole, outer, inner)],
                         [(0, 1), (1, 1), (1, 1)])
        self.assertGreaterEqual(outer["size"], 0.060)
        self.assertGreaterEqual(inner["size"], 0.020)
        self.assertGreaterEqual(outer["most"], 0.060)
        self.assertGreaterEqual(inner["work"], 0.020)
        self.assertGreaterEqual(outer["work"], 0.079)  # of both members
        self.assertGreater(self.row_at(doc, line_of(INSIDE, "MET"), "barrier")["wait"], 0)
        self.assertLessEqual(outer["size"] + whole["size"], doc["seconds"])
        for one in doc["members"]:
            self.assertAlmostEqual(one["explained"], 1, delta=0.01)
            line = sum(sum(shares) for *shares, _ in one["line"]["bins"]) * one["line"]["width"]
            self.assertAlmostEqual(line, one["life"], delta=0.02 * one["life"])

    def test_exit(self):
        for member in ("0", "1"):
            self.check("exit", 3, member)
        self.check("exit", 3, env={"NTH_MEMBERS": "nano"})

    def test_other_ends(self):
        for how, status in (("_exit", 3), ("abort", -signal.SIGABRT), ("segv", -signal.SIGSEGV),
                            ("kill", -signal.SIGKILL)):
            self.check(how, status)
        self.check("segv", -signal.SIGSEGV, "1")

    def test_the_report_says_it(self):
        folder = os.path.join(self.folder, "kept-inside")
        page = os.path.join(self.folder, "inside.html")
        said = ("it ended inside main (inside.c:%d), main (inside.c:%d): times there are up to the "
                "end" % (line_of(INSIDE, "OPEN"), line_of(INSIDE, "WITHIN")))
        shown = []
        for how in ("exit", "kill"):  # the earlier run's file does not change
            done = self.profile(*TWO, "--keep", folder, "--html", page, "--", self.program, how,
                                "0")
            self.assertIn("\n%s\n" % said, done.stdout)
            shown.append(done.stdout)
        with open(page) as file:
            self.assertIn(said, file.read())
        both = self.profile("--read", folder).stdout
        self.assertIn(both, ("".join(shown), "".join(reversed(shown))))

    def test_end_that_nobody_saw(self):
        """Without the command: up to the last event, which is that of the inner region's begin."""
        folder = os.path.join(self.folder, "unseen")
        os.makedirs(folder)
        tool = os.path.join(self.lib, "libnanogomp-profile.so")
        self.nanogomp_run("--", self.program, "kill", "0",
                          env={"OMP_TOOL_LIBRARIES": tool, "NTH_PROFILE_DIR": folder})
        done = self.profile("--read", folder, "--json", "-")
        doc, = json.loads(done.stdout)["processes"]
        self.assertEqual((doc["complete"], doc["end_known"]), (False, False))
        self.assertGreaterEqual(self.row_at(doc, line_of(INSIDE, "OPEN"), "region")["size"], 0.04)
        self.assertIn("figures up to the last event", self.profile("--read", folder).stdout)


class Programs(ProfileTest):
    """Of others: the kernels, GraphicsMagick."""

    def kernel(self, name, *arguments):
        build = os.environ.get("NTH_TEST_BUILD")
        path = build and os.path.join(build, "tests", "kernels", name)
        if not path or not os.path.exists(path):
            self.skipTest("the kernel %s is not built" % name)
        doc = self.document(*TWO, "--", path, *arguments)
        self.assert_sums(doc)
        return doc

    def directives(self, doc):
        """Every region that is named by a line has a parallel directive there."""
        for row in support_rows(doc):
            with open(row["site"]["file"]) as source:
                line = source.read().splitlines()[row["site"]["line"] - 1]
            self.assertRegex(line, "#pragma omp parallel", row["where"])

    def test_kernels(self):
        for name, arguments in (("cg", ["--small", "--iters", "20"]), ("fib", ["--size", "27"]),
                                ("bt", ["--small", "--iters", "20"])):
            with self.subTest(kernel=name):
                self.directives(self.kernel(name, *arguments))

    def test_graphicsmagick(self):
        if not shutil.which("gm"):
            self.skipTest("no gm (GraphicsMagick)")
        picture = os.path.join(self.folder, "a.miff")
        doc = self.document(*TWO, "--", "gm", "convert", "-size", "900x900", "gradient:red-blue",
                            "-blur", "0x2", "-resize", "50%", picture)
        self.assert_sums(doc)
        self.assertTrue(any("BlurImage" in (row["caller"] or row["where"])
                            for row in doc["regions"]))


def support_rows(doc):
    from nanogomp_lib import profile_report
    return [row for row, _ in profile_report.all_regions(doc["regions"])]


class Refusals(ProfileTest):
    """One clear line each; the program runs where there is one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("plain", support.OMP_PROGRAM, "-fopenmp", "-g", "-ldl")

    def check(self, done, pattern, status=0, ran=True):
        self.assertEqual(done.returncode, status, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], pattern)
        self.assertEqual("libgomp.so.1" in done.stdout, ran, done.stdout)

    def test_names_are_bytes_in_any_locale(self):
        """Of a program and its source; the command's own start chooses how Python reads them."""
        for name in ("pr\u00f6g ram", os.fsdecode(b"pr\xf6g ram")):
            source = os.path.join(self.folder, name) + ".c"
            with open(source, "w", encoding="utf-8") as file:
                file.write("int main(void) {\n#pragma omp parallel num_threads(2)\n;}\n")
            program = source[:-2]
            subprocess.run([support.CC, "-g", "-fopenmp", source, "-o", program], check=True)
            for words in (("profile", *TWO), ("trace", "--to", "html,json,paraver")):
                done = subprocess.run(
                    [support.TOOL, words[0], "--lib", self.lib, *words[1:], "--", program],
                    check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                    timeout=support.TIMEOUT_SECONDS, env={
                        **os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
                self.assertEqual(done.returncode, 0, done.stderr)
                if words[0] == "profile":
                    self.assertIn(b"  main (" + os.fsencode(name) + b".c:2)\n", done.stdout)

    def test_nothing_to_read(self):
        empty = os.path.join(self.folder, "nothing")
        os.makedirs(empty)
        for path, why in ((empty, "no profiles there"),
                          (empty + "/none", "No such file or directory")):
            done = self.profile("--read", path)
            self.assertEqual((done.returncode, done.stderr),
                             (125, "nanogomp profile: %s: %s\n" % (path, why)))

    def test_program_that_is_missing(self):
        self.check(self.profile("--", "./nothing-here"), "cannot run ./nothing-here: no such file",
                   127, False)

    def test_program_that_may_not_run(self):
        path = self.write("text", "text\n", 0o644)
        self.check(self.profile("--", path), "cannot run .*: not executable", 126, False)

    def test_unknown_event(self):
        done = self.profile("--papi", "no-such-event", "--", self.program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "(?m)^not counted: no-such-event: ")
        self.assertEqual(len(done.stdout.split("not counted: no-such-event")), 2)

    def test_file_that_cannot_be_written(self):
        for option in ("--json", "--html"):
            for path, said in (("/nowhere/x", "No such file or directory; it is left out"),
                               ("/dev/full", "No space left on device; it is not complete")):
                done = self.profile(*TWO, option, path, "--", self.program)
                self.check(done, "%s: %s, the report is on standard output$" % (path, said), 1)
                self.assertIn("explained", done.stdout)
                done = self.profile(*TWO, option, path, "--", "sh", "-c", self.program + "; exit 7")
                self.assertEqual(done.returncode, 7, done.stderr)  # the program's is not changed
                self.assertIn(said, done.stderr)

    def test_file_that_cannot_be_written_of_kept_files(self):
        folder = os.path.join(self.folder, "kept-here")
        self.profile(*TWO, "--keep", folder, "--", self.program)
        page = os.path.join(self.folder, "kept.html")
        for json_path, html_path, status in (("/dev/full", page, 1), (page, "/dev/full", 1),
                                             ("-", "/dev/full", 1), ("-", page, 0)):
            done = self.profile("--read", folder, "--json", json_path, "--html", html_path)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stderr.count("No space left on device"), status)

    def test_folder_that_cannot_be_written(self):
        self.check(self.profile(*TWO, "--keep", "/proc/nothing", "--", self.program),
                   "/proc/nothing: .*; the program runs without a profile", 1)

    def test_full_disk(self):
        folder = os.path.join(self.folder, "small")
        os.makedirs(folder)
        if os.geteuid() != 0 or os.system(
                "mount -t tmpfs -o size=64k none %s 2>/dev/null" % folder) != 0:
            self.skipTest("no tmpfs may be mounted here")
        self.addCleanup(os.system, "umount " + folder)
        done = self.profile(*TWO, "--keep", folder, "--", self.program)
        self.assertEqual(done.returncode, 1, done.stderr)  # nothing is kept
        self.assertRegex(done.stderr, "No space left on device; the profile ends here, the program")
        self.assertIn("libgomp.so.1", done.stdout)

    def test_limit_of_a_file(self):
        """RLIMIT_FSIZE: no signal ends the program."""
        done = self.profile(*TWO, "--", "sh", "-c", "ulimit -f 0; exec " + self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("File too large; the profile ends here, the program goes on", done.stderr)

    def test_tool_that_is_missing_or_no_library(self):
        copy = os.path.join(self.folder, "copy")
        shutil.copytree(self.lib, copy, symlinks=True, ignore=shutil.ignore_patterns("preload"))
        tool = os.path.join(copy, "libnanogomp-profile.so")
        os.remove(tool)
        self.check(self.tool("profile", "--lib", copy, *TWO, "--", self.program),
                   "libnanogomp-profile.so: not there; the program runs without a profile")
        with open(tool, "w") as file:
            file.write("no library")
        done = self.tool("profile", "--lib", copy, *TWO, "--", self.program)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "cannot be loaded .*the program runs without it")
        self.assertIn("libgomp.so.1", done.stdout)

    def test_program_without_regions(self):
        done = self.profile(*TWO, "--", "/bin/true")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "no parallel region was seen: no process left")

    def test_no_page_without_regions(self):
        """A file that was not there before is not there empty; one that was there stays."""
        path = os.path.join(self.folder, "no-regions.html")
        for content in (None, "mine"):
            if content:
                self.write("no-regions.html", content)
            done = self.profile(*TWO, "--html", path, "--", "/bin/true")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "no-regions.html: there is no page")
            self.assertEqual(os.path.exists(path), content is not None)
        with open(path) as file:
            self.assertEqual(file.read(), "mine")

    def test_damaged_file(self):
        path = self.write("bad.nthprof", "something else\n")
        done = self.profile("--read", path)
        self.assertEqual(done.returncode, 125)
        self.assertRegex(done.stderr, "bad.nthprof: not a profile")

    def test_file_of_another_version(self):
        path = self.write("old.nthprof", "nthprof1 and what came then\n")
        done = self.profile("--read", path)
        self.assertEqual(done.returncode, 125)
        self.assertRegex(done.stderr, "a profile of format 1, this command reads 6: the library "
                                      "is of another version")

    def test_a_file_cut_anywhere_is_refused_or_read(self):
        folder = os.path.join(self.folder, "cut")
        self.profile(*TWO, "--keep", folder, "--", self.program)
        whole = glob.glob(os.path.join(folder, "*.nthprof"))[0]
        with open(whole, "rb") as file:
            content = file.read()
        for size in (0, 7, 1000, 4000, 8192, 8300, 20000, 30000):
            path = os.path.join(self.folder, "short.nthprof")
            with open(path, "wb") as file:
                file.write(content[:size])
            done = self.profile("--read", path)
            self.assertIn(done.returncode, (0, 125), done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_bytes_of_chance(self):
        """In a file that has a profile's beginning."""
        folder = os.path.join(self.folder, "chance")
        self.profile(*TWO, "--keep", folder, "--", self.program)
        with open(glob.glob(os.path.join(folder, "*.nthprof"))[0], "rb") as file:
            content = file.read()
        seed = time.monotonic_ns() % 10**6
        chance, path = random.Random(seed), os.path.join(self.folder, "chance.nthprof")
        for _ in range(60):
            some = bytearray(content)
            for _ in range(30):
                some[chance.randrange(8, 20000)] = chance.choice((0, 1, 7, 128, 255))
            with open(path, "wb") as file:
                file.write(some)
            with self.subTest(seed=seed), contextlib.suppress(profile_raw.BadFile):
                profile_raw.Profile(path)

    def test_usage(self):
        for arguments in ((), ("--read", "x", "--", "y"), ("--top", "-1", "--", "x"),
                          ("-n", "0", "--", "x")):
            done = self.profile(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
