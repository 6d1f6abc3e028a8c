#!/usr/bin/env python3
# test_explain.py - `nanogomp run --explain`: each finding is found, and not where it is not
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judged are ratios of counts, of CPU times and of waits that a program makes itself, so that a
busy machine changes little."""
import os
import re
import signal
import tempfile
import unittest

import support
from nanogomp_lib import explain

# Work is measured in the thread's own CPU time.
PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void work(double s) { for (double end = cpu() + s; cpu() < end;) {} }
static void tiny(void) {
  for (int i = 0; i < 5000; i++) {
#pragma omp parallel num_threads(2) /* TINY */
    __asm__ volatile("");
  }
}
static void sizes(void) {
  for (int i = 0; i < 300; i++) {
#pragma omp parallel num_threads(1 + (i & 1))
    work(50e-6);
  }
}
static void held(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100; i++) {
#pragma omp critical /* HELD */
    work(500e-6);
  }
}
static void rarely_held(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 50; i++) {
    work(1e-3);
#pragma omp critical
    work(1e-6);
  }
}
static void uneven(void) {
#pragma omp parallel for schedule(static) num_threads(2) /* UNEVEN */
  for (int i = 0; i < 100; i++)
    work(i < 50 ? 100e-6 : 1e-3);
  __asm__ volatile(""); /* or the call of the region is a jump, which returns to the caller */
}
static void even(void) {
  for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
    work(10e-3);
  }
}
static void one_sleeps(void) {
#pragma omp parallel num_threads(2) /* ONE SLEEPS */
  {
    work(20e-3);
    if (omp_get_thread_num() == 1)
      usleep(100000);
  }
  __asm__ volatile("");
}
static void all_sleep(void) {
#pragma omp parallel num_threads(2) /* ALL SLEEP */
  {
    work(20e-3);
    usleep(100000);
  }
  __asm__ volatile("");
}
static void many(void) {
#pragma omp parallel num_threads(12)
  work(1e-3);
}
int main(int argc, char **argv) {
  static const struct { const char *name; void (*run)(void); } all[] = {
    {"tiny", tiny}, {"sizes", sizes}, {"held", held}, {"rarely_held", rarely_held},
    {"uneven", uneven}, {"even", even}, {"many", many},
    {"one_sleeps", one_sleeps}, {"all_sleep", all_sleep}};
  if (argc > 2)
    dlopen(argv[2], RTLD_NOW);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(argv[1], all[i].name))
      all[i].run();
  return 3;
}
"""
# Six members on fewer OS threads work 1 ms in each of four pieces, between which they wait.
MOVES = r"""
#include <omp.h>
#include <stdio.h>
#include <time.h>
static double clock_of(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void work(void) {
  for (double end = clock_of(CLOCK_THREAD_CPUTIME_ID) + 1e-3;
       clock_of(CLOCK_THREAD_CPUTIME_ID) < end;) {}
}
int main(void) {
#pragma omp parallel num_threads(6)
  for (int i = 0; i < 20; i++) {
    omp_nest_lock_t own;
    omp_init_nest_lock(&own);
    omp_set_nest_lock(&own);
    omp_set_nest_lock(&own);
    work();
    omp_unset_nest_lock(&own);
    omp_unset_nest_lock(&own);
    omp_destroy_nest_lock(&own);
#pragma omp critical
    work();
    work();
#pragma omp barrier
    work();
#pragma omp taskgroup
    {}
  }
  printf("%f\n", clock_of(CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
"""
# A critical construct is held until the program ends in it, by the first word.
INSIDE = support.END_BY + r"""
int main(int argc, char **argv) {
#pragma omp parallel num_threads(2)
  spin(1);
  if (argc > 2)
    end_by(argv[1]);
#pragma omp parallel num_threads(2) /* OPEN */
  {
#pragma omp barrier
#pragma omp critical /* LOCK */
    {
      spin(300);
      end_by(argv[1]);
    }
  }
}
"""
# One member has ten times the work of the other, and the program ends in it.
UNEVEN_END = support.END_BY + r"""
int main(int argc, char **argv) {
#pragma omp parallel num_threads(2) /* OPEN */
  {
    spin(omp_get_thread_num() == 0 ? 400 : 20);
    if (omp_get_thread_num() == 0)
      end_by(argv[1]);
#pragma omp barrier
  }
}
"""
# Both members have the same work, but one sleeps in it before the program ends.
SLEEPS_END = support.END_BY + r"""
#include <time.h>
static void work(double s) {
  struct timespec t;
  double end = 0;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    end = end == 0 ? now + s : end;
    s = end - now;
  } while (s > 0);
}
int main(int argc, char **argv) {
#pragma omp parallel num_threads(2)
  {
    work(0.05);
    if (omp_get_thread_num() == 0) {
      usleep(500000);
      end_by(argv[1]);
    }
#pragma omp barrier
  }
}
"""
# Opens seven regions, its children others.
FORKS = r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void region(int times) {
  for (int i = 0; i < times; i++) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
  }
}
int main(void) {
  int status = 0;
  region(3);
  for (int i = 0; i < 2; i++)
    if (!fork()) {
      region(50);
      i ? exit(0) : _exit(0);
    }
  while (wait(&status) > 0)
    if (status)
      return 1;
  region(4);
  return 0;
}
"""
WHAT = {"tiny": "regions with hardly any work dominate", "sizes": "sizes of teams alternate",
        "held": "one critical construct or lock is the limit", "uneven": "the work is uneven",
        "sleep": "members sleep in their work", "copies": "2 OpenMP runtimes are in the process",
        "many": "12 threads on "}


def line_of(mark):
    return 1 + [mark in line for line in PROGRAM.split("\n")].index(True)


class Explain(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(os.path.join(cls.lib, explain.TOOL)):
            raise unittest.SkipTest("a build with the tool")
        cls.program = cls.compile("slow", PROGRAM, "-fopenmp", "-g", "-O0", "-ldl")
        if len(os.sched_getaffinity(0)) < 2:
            raise unittest.SkipTest("two CPUs are needed")

    def said(self, *words, status=3, options=()):
        done = self.nanogomp_run("--explain", *options, "--", self.program, *words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("OMP_TOOL", done.stderr)
        return done.stderr

    def assert_found(self, text, *wanted):
        found = {name for name, what in WHAT.items() if what in text}
        self.assertEqual(found, set(wanted), text)

    def test_each_is_found(self):
        for name, mark in (("tiny", "TINY"), ("held", "HELD"), ("uneven", "UNEVEN"),
                           ("sizes", None)):
            for _ in range(10):  # without CPUs nobody waits for the lock
                text = self.said(name)
                if WHAT[name] in text:
                    break
            self.assert_found(text, name)
            self.assertRegex(text, r"explain: 1\. .*\n.*seen: .*\n.*change: ")
            if mark:
                line = line_of(mark)  # gcc may give a region the line of the loop around it
                self.assertRegex(text, r"%s.c:(%d|%d)\b" % (self.program, line - 1, line))

    @support.measured
    def assert_sleep(self, name, who, seconds, members):
        said = self.nanogomp_run("--explain", "--", self.program, name,
                                 env={"NTH_MEMBERS": members}).stderr
        self.assert_found(said, "sleep")
        slept = re.search(r"%s ([0-9.]+) s \(for files" % who, said)
        self.assertTrue(slept, said)
        # less where members had no CPU: what is not known counts as that
        self.assertTrue(0.5 * seconds < float(slept[1]) < seconds + 0.05, said)
        self.assertIn("c:%d" % line_of(name.replace("_", " ").upper()), said)
        self.assertEqual("and the others wait for it" in said, name == "one_sleeps")

    def test_sleep_is_not_uneven_work(self):
        """Nor is the time sleep in which a member was ready to work but had no CPU, or waited for
        an OpenMP lock: the other programs here have none."""
        for members in ("os", "nano"):
            self.assert_sleep("one_sleeps", "one member sleeps", 0.1, members)
            self.assert_sleep("all_sleep", "members sleep", 0.2, members)

    def test_lines_of_optimized_code(self):
        """The return address lies in the next line, and gcc gives regions other lines."""
        program = self.compile("quick", PROGRAM, "-fopenmp", "-g", "-O2", "-ldl")
        for name, mark in (("tiny", "TINY"), ("held", "HELD"), ("uneven", "UNEVEN")):
            for _ in range(10):  # work of others may look like the program's
                text = self.nanogomp_run("--explain", "--", program, name).stderr
                if re.search(WHAT[name], text):
                    break
            self.assertRegex(text, r"quick\.c:%d\b" % line_of(mark))

    @support.measured
    def test_nothing_stands_out(self):
        for name in ("even", "rarely_held"):
            text = self.said(name)
            self.assert_found(text)
            self.assertIn("nothing stands out", text)

    def test_more_threads_than_cpus(self):
        cpu = str(min(os.sched_getaffinity(0)))
        done = self.nanogomp_run("--explain", "taskset", "-c", cpu, self.program, "many")
        self.assertIn("12 threads on 1 CPU\n", done.stderr)
        self.assertRegex(done.stderr, r"the affinity mask, .* has 1 of \d+ CPUs")

    def test_copies(self):
        copy = os.path.join(self.stand_in("wheel", "libgomp-a.so"), "libgomp-a.so")
        text = self.said("even", copy, options=["--way", "path"])
        self.assert_found(text, "copies")
        self.assertIn(copy, text)
        self.assert_found(self.said("even", copy, options=["--way", "audit"]))

    def test_quota(self):
        """By files as the kernel has them; a test may make no control group."""
        root = os.path.join(self.folder, "cgroup")
        counts = explain.Counts("wall 1000000000\n")
        for name, text, line in (
                ("v2/app", "nr_throttled 7\nthrottled_usec 400000\n", "0::/app"),
                ("v1/cpu,cpuacct/app", "nr_throttled 7\nthrottled_time 400000000\n",
                 "3:cpu,cpuacct:/app")):
            self.write(os.path.join(root, name, "cpu.stat"), text)
            top = os.path.join(root, name[:2])
            folder = explain.own_cgroup("9:pids:/x\n" + line + "\n", top)
            throttled = explain.throttled_in(folder)
            self.assertEqual(throttled, (7, 400000))
            self.assertEqual([one[1] for one in explain.findings(counts, {}, throttled)],
                             ["the CPU quota throttles the program"])
        self.assertEqual(explain.findings(counts, {}, (1, 1000)), [])
        self.assertEqual(explain.throttled_in(None), (0, 0))

    def test_tiny_by_cpu_time(self):
        """Members that wait for a CPU have no more work. Those that sleep count as busy."""
        text = "wall 100000000\nregion 1000 90000000 %d 0 0 %d 0 2000 5000 0 2 0 /x\n"
        for wall, cpu, wanted in ((100_000_000, 10_000_000, True), (100_000_000, 60_000_000, False),
                                  (900_000_000, 10_000_000, False)):
            found = explain.findings(explain.Counts(text % (wall, cpu)), {})
            self.assertEqual([WHAT["tiny"]] if wanted else [],
                             [one[1] for one in found if one[1] == WHAT["tiny"]], (wall, cpu))

    def test_few_regions(self):
        """A short program's first region takes most of it, for the threads that start."""
        text = "wall 1000000\nregion %d 900000 400000 0 0 20000 0 2000 5000 0 2 0 /x\n"
        self.assertEqual(explain.findings(explain.Counts(text % 1), {}), [])
        self.assertEqual([one[1] for one in explain.findings(explain.Counts(text % 60), {})],
                         [WHAT["tiny"]])

    @support.measured
    def test_cpu_time_of_members_that_move(self):
        """Members that take turns on OS threads, and may change them: their work is no more than
        the process's CPU time, and nearly all of it is found."""
        program = self.compile("moves", MOVES, "-fopenmp")
        for members in ("os", "nano"):
            folder = tempfile.mkdtemp(dir=self.folder)
            done = self.nanogomp_run(program, env={
                "NTH_MEMBERS": members, "NTH_EXPLAIN": folder,
                "OMP_TOOL_LIBRARIES": os.path.join(self.lib, explain.TOOL)})
            self.assertEqual(done.returncode, 0, done.stderr)
            (row,) = explain.counts_of(folder, None, 0).regions
            used, asked = float(done.stdout), 1e-3 * 6 * 20 * 5
            self.assertLessEqual(row.work_ns / 1e9, used)
            self.assertLess(row.busy_most / row.work_ns, 0.25)  # all six have the same
            self.assertGreaterEqual(row.work_ns / 1e9, 0.7 * asked)

    def test_five_at_most(self):
        counts = explain.Counts(
            "wall 100\nmost 12\ncpus 1\nonline 2\nouter 100\nchanges 99\nsizes 1 2\n"
            "region 100 100 10 0 0 0 0 100 0 0 1 0 /x\nmutex 9 90 0 50 0 0 0 0 0 0 0 0 /x\n"
            "runtime a\nruntime b\n")
        found = explain.findings(counts, {"OMP_NUM_THREADS": "12"}, (9, 1))
        self.assertEqual(len(found), 5)
        self.assertEqual(found, sorted(found, key=lambda one: -one[0]))
        self.assertIn("OMP_NUM_THREADS is 12", found[0][2])

    def test_more_places_than_a_member_can_count(self):
        """Those that are too many add up by kind: regions do not count as locks."""
        body = "".join("#pragma omp parallel num_threads(1)\n  x++;\n#pragma omp critical(c%d)\n"
                       "  x++;\n" % i for i in range(600))
        program = self.compile("places", "int x;\nint main(void) {\n" + body + "}\n", "-fopenmp")
        folder = os.path.join(self.folder, "counts")
        os.mkdir(folder)
        done = self.nanogomp_run("--", program, env={
            "OMP_TOOL_LIBRARIES": os.path.join(self.lib, explain.TOOL), "NTH_EXPLAIN": folder})
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = explain.counts_of(folder, 0, 0)
        self.assertEqual([sum(row.times for row in rows)
                          for rows in (counts.regions, counts.mutexes)], [600, 600])

    def test_no_folder(self):
        done = self.nanogomp_run("--explain", "sh", "-c", "exit 3", prepare=support.no_files)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
        self.assertIn("the program runs, nothing is explained", done.stderr)

    def test_end_of_the_program(self):
        for name in ("TERM", "KILL"):
            done = self.nanogomp_run("--explain", "sh", "-c", "kill -%s $$" % name)
            self.assertEqual(done.returncode, -getattr(signal, "SIG" + name))
            self.assertIn("nothing to explain: no process used the library", done.stderr)
        done = self.nanogomp_run("--explain", "/no/such/program")
        self.assertEqual(done.returncode, 127)
        done = self.nanogomp_run("--explain", self.write("plain", "text", 0o644))
        self.assertEqual(done.returncode, 126)

    def test_ends_inside_a_region(self):
        """What was seen until then is judged: a lock that is held as long as the region is open."""
        program = self.compile("inside", INSIDE, "-fopenmp", "-g", "-O0")
        open_line, lock_line = (1 + [mark in line for line in INSIDE.split("\n")].index(True)
                                for mark in ("OPEN", "LOCK"))
        for how, status in (("exit", 3), ("_exit", 3), ("abort", -signal.SIGABRT),
                            ("segv", -signal.SIGSEGV), ("kill", -signal.SIGKILL)):
            for _ in range(10):  # on a busy machine the first region may be the longer one
                done = self.nanogomp_run("--explain", "--", program, how)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn("explain: it ended inside the region at %s.c:%d, which counts up to "
                              "there\n" % (program, open_line), done.stderr)
                if WHAT["held"] in done.stderr:
                    break
            self.assert_found(done.stderr, "held")
            self.assertIn("that at %s.c:%d is held for" % (program, lock_line), done.stderr)

    @support.measured
    def test_ends_inside_an_uneven_region(self):
        """Work that nothing ended counts up to the end, however the program ends."""
        program = self.compile("uneven-end", UNEVEN_END, "-fopenmp", "-g", "-O0")
        for how, status in (("exit", 3), ("_exit", 3), ("abort", -signal.SIGABRT),
                            ("segv", -signal.SIGSEGV), ("kill", -signal.SIGKILL)):
            done = self.nanogomp_run("--explain", "--", program, how)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assert_found(done.stderr, "uneven")
            busier = float(re.search("works ([0-9.]+) times as long", done.stderr).group(1))
            self.assertTrue(1.5 < busier <= 2.0, done.stderr)  # 400 of (400 + 20) / 2

    def test_sleep_in_the_last_work_is_none(self):
        program = self.compile("sleeps-end", SLEEPS_END, "-fopenmp", "-g", "-O0")
        for how, status in (("exit", 3), ("_exit", 3), ("kill", -signal.SIGKILL)):
            done = self.nanogomp_run("--explain", "--", program, how,
                                     env={"OMP_WAIT_POLICY": "passive"})
            self.assertEqual(done.returncode, status, done.stderr)
            self.assert_found(done.stderr)

    def test_ends_outside_regions(self):
        program = self.compile("outside", INSIDE, "-fopenmp", "-g", "-O0")
        done = self.nanogomp_run("--explain", "--", program, "kill", "outside")
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        self.assertIn("it did not end by exit(): what was seen until then counts\n", done.stderr)
        self.assertNotIn("inside", done.stderr.replace(program, ""))

    def test_children_of_fork(self):
        """They count neither for their parent nor for themselves, whatever they do."""
        program = self.compile("forks", FORKS, "-fopenmp")
        done = self.nanogomp_run("--explain", "--", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = os.path.join(self.folder, "forked")
        os.makedirs(folder)
        done = self.nanogomp_run(program, env={
            "NTH_EXPLAIN": folder, "OMP_TOOL_LIBRARIES": os.path.join(self.lib, explain.TOOL)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len([name for name in os.listdir(folder) if name.isdigit()]), 1)
        counts = explain.counts_of(folder, None, 0)
        self.assertEqual([row.times for row in counts.regions], [7])

    def test_no_room_for_the_counts(self):
        """A limit of the file's size is one line, and no signal ends the program."""
        for blocks in (0, 20):
            done = self.nanogomp_run("--explain", "sh", "-c", "ulimit -f %d; exec %s even" % (
                blocks, self.program))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(done.stderr.count("File too large; not all will be counted"), 1,
                             done.stderr)

    def test_a_scripts_program(self):
        done = self.nanogomp_run("--explain", "sh", "-c", "%s uneven; exit 4" % self.program)
        self.assertEqual(done.returncode, 4)
        self.assertTrue(re.search(WHAT["uneven"], done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
