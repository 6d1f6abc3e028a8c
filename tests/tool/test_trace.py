#!/usr/bin/env python3
# test_trace.py - `nanogomp trace`: what is recorded, its formats, ends of processes, bad luck
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import support
import trace_checks
from nanogomp_lib import trace_file, trace_spans

RECORDER = "libnanogomp-trace.so"
HEAD = r"""
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile double sink;
static void spin(int n) {
  double x = 1;
  for (int i = 0; i < n; i++) x = x * 1.0000001 + 1e-9;
  sink = x;
}
"""
# A number behind AT is the line's name.
MIX = HEAD + r"""
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) /* AT task */
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait /* AT taskwait */
  return a + b;
}
int main(void) {
  int sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  spin(10000);
#pragma omp parallel num_threads(3) /* AT parallel region */
  {
#pragma omp for schedule(dynamic, 10) /* AT loop */
    for (int i = 0; i < 100; i++) spin(100);
#pragma omp critical
    { sum++; spin(10000); }
#pragma omp barrier /* AT barrier */
    omp_set_lock(&lock); /* AT lock */
    spin(5000);
    omp_unset_lock(&lock);
#pragma omp single
    sum += fib(8);
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
      spin(1000);
    }
#pragma omp single
    {
#pragma omp taskloop grainsize(5)
      for (int i = 0; i < 20; i++) spin(100);
#pragma omp task untied
      {
        spin(100);
#pragma omp task
        spin(1000);
#pragma omp taskwait
        spin(100);
      }
    }
  }
  printf("%d\n", sum);
  return 7;
}
"""
FIB_TASKS, OTHER_TASKS = 66, 6
REGIONS = HEAD + r"""
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
    sink = 0;
  }
  FILE *status = fopen("/proc/self/status", "r");
  char line[200];
  while (fgets(line, sizeof line, status))
    if (strncmp(line, "VmHWM", 5) == 0) fputs(line, stdout);
  return 0;
}
"""
PLACES = r"""
static volatile double sink;
__attribute__((noinline)) static void spin(int n) {
  for (int i = 0; i < n; i++) sink = sink + 1;
}
int main(void) {
  spin(1000);
#pragma omp parallel
  {
    spin(10);
#pragma omp single
#pragma omp task
    spin(5);
  }
  return 0;
}
"""
# Thread 1 has a large block when thread 0 fills its small one with tasks, which thread 1 runs.
TASKS = HEAD + r"""
enum { COUNT = 1000 };
int main(void) {
  int ran = 0, ready = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    for (int i = 0; i < 300; i++) {
#pragma omp critical
      sink = i;
    }
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) usleep(100);
    for (int i = 0; i < COUNT; i++) {
#pragma omp task
      __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
      while (i - __atomic_load_n(&ran, __ATOMIC_RELAXED) > 20) usleep(100);
    }
  }
  return 0;
}
"""
ENDS = HEAD + r"""
static void on_fault(int number) {
  (void)number;
  static const char text[] = "handled\n";
  _exit(write(1, text, sizeof text - 1) > 0 ? 5 : 6);
}
static void regions(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
    spin(10);
  }
}
int main(int argc, char **argv) {
  int status = 0;
  regions(20);
  if (strcmp(argv[1], "fork") == 0) {
    pid_t child = fork();
    regions(child ? 7 : 5);
    if (!child) _exit(0);
    waitpid(child, &status, 0);
    if (fork() == 0) execl("/bin/true", "true", (char *)0);
    wait(&status);
    return status;
  }
  if (strcmp(argv[1], "fault") == 0) {
    signal(SIGSEGV, on_fault);
    *(volatile int *)8 = 0;
  }
  if (strcmp(argv[1], "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(argv[1], "abort") == 0) abort();
  if (strcmp(argv[1], "quick") == 0) quick_exit(4);
  if (strcmp(argv[1], "close") == 0) /* its files' numbers are the program's */
    for (int i = 3; i < 100; i++) close(i);
  if (strcmp(argv[1], "inside") == 0) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) exit(9);
  }
  regions(2000);
  return 3;
}
"""


def line_of(what):
    return 1 + next(n for n, text in enumerate(MIX.splitlines()) if "/* AT %s */" % what in text)


@unittest.skipUnless(os.path.exists(os.path.join(os.environ.get("NTH_TEST_LIB", ""), RECORDER)),
                     "no recorder here")
class Trace(support.ToolTest):
    """Programs that are traced, each into files of its own name."""

    def trace(self, *arguments, **more):
        return self.tool("trace", "--lib", self.lib, *arguments, **more)

    def base(self, name):
        return os.path.join(self.folder, name)

    def raw_files(self, name):
        """The TraceFile of each process, by their processes' numbers."""
        files = [trace_file.TraceFile(path)
                 for path in glob.glob(self.base(name) + ".trace/*.trace")]
        for file in files:
            self.addCleanup(file.__exit__)
        return sorted(files, key=lambda file: file.pid)

    def count(self, file, kind):
        return sum(event[2] == kind for row in file.rows for chunk in file.chunks(row)
                   for event in chunk)

    def check_states(self, file):
        """Each row's states cover the whole time."""
        for row in file.rows:
            reached = 0
            for record in trace_spans.states(file, row):
                if record[2] == trace_spans.STATE:
                    self.assertEqual(record[0], reached)
                    reached = record[5]
            self.assertEqual(reached, file.end)


class Formats(Trace):
    """One run, read by readers of each format."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mix = cls.compile("mix", MIX, "-fopenmp", "-g")

    def made(self, name, *arguments, **more):
        done = self.trace("-o", self.base(name), *arguments, "--", self.mix, **more)
        self.assertEqual((done.returncode, done.stdout), (7, "24\n"), done.stderr)
        return done

    def test_paraver(self):
        self.made("paraver", "--to", "paraver")
        found = trace_checks.Paraver(self.base("paraver"))
        self.assertEqual(found.threads, 3)
        for thread in range(1, 4):  # a state ends where the next one begins, up to the end
            self.assertEqual(sum(found.states[thread].values()), found.end)
        self.assertEqual(len(found.arrows), FIB_TASKS + OTHER_TASKS)
        for name in ("parallel region", "loop", "task", "critical", "barrier", "ordered", "serial"):
            self.assertGreater(found.time_of(name), 0, name)
        self.assertEqual(found.time_of("not recorded"), 0)
        self.assertFalse(os.path.exists(self.base("paraver") + ".trace"))

    def test_json(self):
        for members in ("os", "nano"):
            self.made(members, "--to", "json", env={"NTH_MEMBERS": members})
            found = trace_checks.Chrome(self.base(members) + ".json")
            self.assertEqual(found.threads, {1, 2, 3})
            self.assertEqual(len(found.made), FIB_TASKS + OTHER_TASKS)
            self.assertEqual(set(found.started), set(found.made))
            self.assertEqual(found.points["chunk"], 10 + 8)
            self.assertEqual(found.constructs["critical"], 3)
            for what in ("parallel region", "loop", "barrier", "lock", "task", "taskwait"):
                where = "%s:%d)" % (os.path.basename(self.mix) + ".c", line_of(what))
                self.assertTrue(any(name.startswith(what + " ") and name.endswith(where)
                                    for name in found.names), (what, where, found.names))

    def test_lines_of_optimized_code(self):
        """gcc -O2 gives calls that begin a construct the lines of other code."""
        program = self.compile("places", PLACES, "-fopenmp", "-g", "-O2")
        done = self.trace("-o", self.base("places"), "--to", "json", "--", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = trace_checks.Chrome(self.base("places") + ".json").names
        for what, mark in (("parallel region", "parallel"), ("single", "single"),
                           ("task", "task")):
            line = 1 + next(n for n, line in enumerate(PLACES.splitlines())
                            if "pragma omp " + mark in line)
            self.assertIn("%s main (places.c:%d)" % (what, line), names)

    def test_html(self):
        done = self.made("html")
        path = self.base("html") + ".html"
        self.assertIn("wrote " + path, done.stderr)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        data = json.loads(re.search(r"^const data = (.*);$", text, re.M).group(1))
        self.assertEqual(len(data["rows"]), 3)
        for row in data["rows"]:
            self.assertEqual(sum(row["totals"]), data["end"])
            self.assertEqual(sum(row["pieces"][1::5]), data["end"])
        self.assertNotRegex(text, r"(src|href)=")  # of one piece
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if not browser:
            self.skipTest("the page's script has not run: no chromium")
        shown = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--user-data-dir=" + self.base("profile"), "--virtual-time-budget=2000",
             "file://" + path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            check=False, timeout=support.TIMEOUT_SECONDS).stdout
        pieces = sum(len(row["pieces"]) for row in data["rows"]) // 5
        self.assertIn('data-ready="%d"' % pieces, shown)
        self.assertIn("<td>critical</td>", re.sub(r"<span.*?</span>", "", shown))

    def test_otf2(self):
        path = os.environ.get("PYTHONPATH", "")
        done = self.made("otf2", "--to", "otf2", env={"PYTHONPATH": path})
        try:
            import otf2
        except ImportError:
            self.assertRegex(done.stderr, r"is not written: no OTF2 here .*pip install otf2")
            self.assertIn("the raw traces are in", done.stderr)
            self.skipTest("no otf2")
        depth, regions = {}, set()
        with otf2.reader.open(self.base("otf2") + ".otf2/traces.otf2") as trace:
            self.assertEqual(len(list(trace.definitions.locations)), 3)
            for place, event in trace.events:
                inside = depth.setdefault(place.name, [])
                if isinstance(event, otf2.events.Enter):
                    inside.append(event.region)
                    regions.add((event.region.region_role, event.region.begin_line_number))
                else:
                    self.assertIs(event.region, inside.pop())
        self.assertFalse(any(depth.values()))
        self.assertIn((otf2.RegionRole.TASK, line_of("task")), regions)

    def test_clock_and_conversion(self):
        """By the system's clock, converted later; a damaged file too, and what is none."""
        self.made("later", "--to", "raw", env={"NTH_TRACE_CLOCK": "system"})
        (file,) = self.raw_files("later")
        self.assertEqual(file.clock, trace_file.NS)
        self.check_states(file)
        done = self.tool("trace", "--to", "json,paraver", "--convert",
                         self.base("later") + ".trace")
        self.assertEqual(done.returncode, 0, done.stderr)
        trace_checks.Chrome(self.base("later") + ".json")
        trace_checks.Paraver(self.base("later"))
        cut, none = self.base("cut.trace"), self.write("none.trace", "nothing")
        for size in (20000, 20001, 20012):
            with open(file.path, "rb") as whole, open(cut, "wb") as part:
                part.write(whole.read(size))
            done = self.tool("trace", "--to", "json", "--convert", cut)
            self.assertEqual(done.returncode, 0, done.stderr)
            trace_checks.Chrome(self.base("cut.json"))
        for path in (none, self.base("nowhere")):
            done = self.tool("trace", "--convert", path)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (125, 1), done.stderr)
            self.assertIn(path, done.stderr)


class Ends(Trace):
    """However a process ends, what it has done is in its trace."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ends = cls.compile("ends", ENDS, "-fopenmp", "-g")

    def ended(self, how, status):
        done = self.trace("--to", "raw,json", "-o", self.base(how), "--", self.ends, how)
        self.assertEqual(done.returncode, status, done.stderr)
        for file in self.raw_files(how):
            self.check_states(file)
            self.assertEqual(file.dropped, 0)
        return done, self.raw_files(how)

    def test_signals_and_quick_ends(self):
        for how, status in (("kill", -signal.SIGKILL), ("abort", -signal.SIGABRT), ("quick", 4),
                            ("fault", 5)):
            done, (file,) = self.ended(how, status)
            self.assertEqual(self.count(file, trace_file.REGION_END), 20, how)
            self.assertEqual(done.stdout, "handled\n" if how == "fault" else "")
            self.assertFalse(file.has_end)
            trace_checks.Chrome(self.base(how) + ".json")

    def test_exit_inside_a_region_and_closed_files(self):
        _, (file,) = self.ended("inside", 9)
        self.assertTrue(file.has_end)
        self.assertEqual(self.count(file, trace_file.REGION_BEGIN), 21)
        _, (file,) = self.ended("close", 3)
        self.assertEqual(self.count(file, trace_file.REGION_END), 2020)

    def test_fork(self):
        """The child's trace is its own, the parent's is whole; a child that executes has none."""
        _, files = self.ended("fork", 0)
        parent, child = sorted(files, key=lambda file: file.forked)
        self.assertEqual((parent.forked, child.forked, child.parent), (0, 1, parent.pid))
        self.assertEqual(self.count(parent, trace_file.REGION_END), 27)
        self.assertEqual(self.count(child, trace_file.REGION_END), 5)
        trace_checks.Chrome(self.base("fork") + ".json")
        trace_checks.Chrome("%s.%d.json" % (self.base("fork"), child.pid))


class Bounds(Trace):
    """Of memory, of the file, of a disk."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.regions = cls.compile("regions", REGIONS, "-fopenmp", "-g")
        cls.tasks = cls.compile("tasks", TASKS, "-fopenmp", "-g")

    def traced(self, name, *options, n=30000, status=0, command=None):
        done = self.trace("-o", self.base(name), *options, "--",
                          *(command or [self.regions, str(n)]))
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_memory(self):
        """Ten times the events take no more memory."""
        peaks = []
        for n in (2000, 20000):
            done = self.traced("memory", "--to", "raw", "--buffer", "64K", n=n)
            peaks.append(int(done.stdout.split()[1]))
            (file,) = self.raw_files("memory")
            self.assertEqual(self.count(file, trace_file.REGION_END), n)
        self.assertLess(peaks[1], peaks[0] + 512, "KB")

    def test_limit(self):
        """What is missing is counted, and shown as such."""
        done = self.traced("limit", "--limit", "200K", "--to", "raw,paraver", n=5000)
        self.assertRegex(done.stderr, r"\d+ events are missing")
        (file,) = self.raw_files("limit")
        blocks = sum(size for row in file.rows for _, _, size in row.blocks)
        self.assertLess(blocks, 200 << 10)
        kept, _ = file.survey()
        regions = self.count(file, trace_file.REGION_BEGIN)
        self.assertLess(regions, 5000)
        self.assertGreater(kept + file.dropped, 5000 * 10)
        self.check_states(file)
        found = trace_checks.Paraver(self.base("limit"))
        self.assertGreater(found.time_of("not recorded", 1), 0)

    def test_tasks_beyond_the_limit(self):
        """A row that is full sooner than others: tasks start whose creation is missing."""
        self.traced("tasks", "--limit", "140K", "--to", "raw,json,paraver", command=[self.tasks])
        (file,) = self.raw_files("tasks")
        self.assertGreater(file.dropped, 0)
        self.assertGreater(self.count(file, trace_file.TASK_SWITCH),
                           2 * self.count(file, trace_file.TASK_CREATE))
        trace_checks.Chrome(self.base("tasks") + ".json")
        trace_checks.Paraver(self.base("tasks"))

    def test_full_disk(self):
        """By a limit of the file's size that the kernel sets, and by a small tmpfs."""
        line = r"^nanogomp trace: .*\.trace: %s; the trace ends here, the program goes on$"
        done = self.traced("large", "--to", "raw", command=[
            "sh", "-c", "ulimit -f 200; exec %s 5000" % self.regions])
        self.assertRegex(done.stderr, re.compile(line % "File too large", re.M))
        self.assertIn("VmHWM", done.stdout)
        small = self.base("small")
        os.mkdir(small)
        script = "mount -t tmpfs -o size=300k none %s && " % small
        inside = ["unshare", "-rm", "sh", "-c"]
        if subprocess.run(inside + [script + "true"], check=False, stdin=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no tmpfs can be mounted")
        done = subprocess.run(inside + [script + "exec " + " ".join(
            [sys.executable, support.TOOL, "trace", "--lib", self.lib, "--to", "json", "-o",
             os.path.join(small, "x"), "--", self.regions, "5000"])], check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=support.TIMEOUT_SECONDS)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, re.compile(line % "No space left on device", re.M))
        self.assertRegex(done.stderr, r"is not written: No space left on device")
        self.assertNotIn("Traceback", done.stderr)


class BadLuck(Trace):
    """One line; the program runs as far as it can, and the status is its own."""

    def refused(self, status, *arguments, **more):
        done = self.trace(*arguments, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_programs_that_cannot_run(self):
        text = self.write("text", "x", 0o644)
        for status, path in ((127, "/no/such"), (126, text), (126, self.folder)):
            said = self.refused(status, "-o", self.base("x"), "--", path)
            self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("no program given", self.refused(2))
        self.assertIn("wants a name", self.refused(2, "-o", "-", "--", "true"))
        self.assertIn("want html", self.refused(2, "--to", "xml", "--", "true"))
        self.assertIn("want a number", self.refused(2, "--limit", "many", "--", "true"))
        self.assertIn("another format", self.refused(2, "--to", "raw", "--convert", text))

    def test_traces_that_cannot_be(self):
        said = self.refused(7, "-o", "/proc/no/x", "--", "sh", "-c", "exit 7")
        self.assertRegex(said, r"\A.*/proc/no/x.trace: .*; the program runs without a trace\n\Z")
        said = self.refused(7, "-o", self.base("x"), "--", "sh", "-c", "exit 7")
        self.assertRegex(said, r"\A.*no trace: sh has not used our library.*\n\Z")

    def test_recorders_that_are_missing_or_broken(self):
        program = self.compile("prog", support.OMP_PROGRAM, "-fopenmp", "-ldl")
        other = self.base("other")
        os.mkdir(other)
        os.symlink(self.library, os.path.join(other, "libgomp.so.1"))
        command = ("trace", "--lib", other, "-o", self.base("x"), "--", program)
        done = self.tool(*command)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn(RECORDER + ": not there", done.stderr)
        self.write(os.path.join("other", RECORDER), "no library")
        done = self.tool(*command)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr,
                         r"cannot be loaded \(.*%s.*the program runs without" % RECORDER)
        self.assertEqual(done.stdout.split()[0], self.library)


if __name__ == "__main__":
    unittest.main()
