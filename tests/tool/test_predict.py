#!/usr/bin/env python3
# test_predict.py - `nanogomp predict`: what is recorded of small programs, options, output
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import resource
import subprocess
import unittest
from unittest import mock

import support
from nanogomp_lib import library, predict_profile
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_trace as trace

HEAD = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile double sink;
static void spin(int n) {
  double x = 1;
  for (int i = 0; i < n; i++) x = x * 1.0000001 + 1e-9;
  sink = x;
}
"""
LOOPS = HEAD + r"""
int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sum)
  for (int i = 0; i < 100; i++) { spin(100 * i); sum += i; }
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (unsigned long long i = 1000; i > 0; i -= 4) { spin(10); sum += (long)i; }
#pragma omp parallel for schedule(nonmonotonic : dynamic, 3) reduction(+ : sum)
  for (int i = 50; i > -21; i -= 7) { spin(10); sum += i; }
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 64; i++) { spin(10); sum += i; }
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < 1000; i++) { spin(1000); sum += i; }
#pragma omp sections
    {
#pragma omp section
      sum++;
#pragma omp section
      sum += 2;
    }
  }
  printf("%ld\n", sum);
}
"""
TASKS = HEAD + r"""
int main(void) {
  int a = 0, b = 0, total = 0;
  char big[3000];
  for (int i = 0; i < 3000; i++) big[i] = (char)i;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(out : a) firstprivate(i)
      { spin(1000 * i); a += i; }
#pragma omp task depend(in : a) depend(inout : b)
#pragma omp atomic
      b += a;
    }
#pragma omp task if (0)
#pragma omp atomic
    b++;
#pragma omp taskwait
#pragma omp task firstprivate(big) shared(total)
    {
      int same = 0;
      for (int i = 0; i < 3000; i++) same += big[i] == (char)i;
#pragma omp atomic
      total += same;
    }
#pragma omp taskgroup
    {
#pragma omp task
#pragma omp task
      spin(10);
    }
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
      total += i;
    }
  }
  printf("%d %d %d\n", a, b, total);
}
"""
MORE = HEAD + r"""
int main(void) {
  int count = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  {
#pragma omp critical(name)
    count++;
#pragma omp barrier
  }
  printf("%d\n", count);
}
"""
ORDER = HEAD + r"""
int main(void) {
  long sum = 0;
#pragma omp parallel for ordered schedule(static, 2)
  for (int i = 0; i < 20; i++) {
    spin(100);
#pragma omp ordered
    sum = 3 * sum + i;
  }
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 2; i < 12; i++)
    for (unsigned j = 10; j > 4; j -= 2) {
#pragma omp ordered depend(sink : i - 1, j)
      spin(100);
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1) schedule(runtime)
  for (unsigned long long i = 0; i < 5; i++) {
#pragma omp ordered depend(sink : i - 1)
    sum += (long)i;
#pragma omp ordered depend(source)
  }
  printf("%ld\n", sum);
}
"""
CHILDREN = HEAD + r"""
int main(int argc, char **argv) {
#pragma omp parallel
  spin(1000);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; i++) {
#pragma omp parallel
      spin(10);
    }
    _exit(0);
  }
  waitpid(child, NULL, 0);
  if (argc > 1)
    quick_exit(3);
  return 0;
}
"""
TOLD = HEAD + r"""
int main(int argc, char **argv) {
  int parts = atoi(argv[1]), times = atoi(argv[2]);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < parts; i++) spin(4000000 / parts * times);
}
"""
MEMORY = HEAD + r"""
#include <sys/resource.h>
int main(int argc, char **argv) { /* argv[1]: bytes beyond the space that is in use */
  long pages = 0, count = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (argc < 2) pages = -1;
  else if (!file || fscanf(file, "%ld", &pages) != 1) return 1;
  fclose(file);
  struct rlimit all;
  getrlimit(RLIMIT_AS, &all);
  all.rlim_cur = (rlim_t)pages * 4096 + (rlim_t)atol(argc > 1 ? argv[1] : "0");
  if (argc > 1) setrlimit(RLIMIT_AS, &all);
  for (int i = 0; i < 300000; i++) {
#pragma omp critical
    count++;
  }
  printf("%ld\n", count);
}
"""
UNEVEN = HEAD + r"""
int main(void) {
  for (int round = 0; round < 20; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 400; i++) spin(i * 40);
  }
}
"""


def kinds(steps):
    return [step[0] for step in steps]


def regions(steps):
    return [step[1] for step in steps if step[0] == trace.REGION]


def tasks_of(steps):
    return [step[1] for step in steps if step[0] == trace.TASK]


@unittest.skipUnless(os.path.exists(os.path.join(os.environ.get("NTH_TEST_LIB", ""),
                                                 recording.RECORDER)), "no recorder here")
class Recording(support.ToolTest):
    """Libraries with a recorder beside them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.gomp = cls.stand_in("gomp")  # the system's, with the recorder beside it
        os.symlink(os.path.join(cls.lib, recording.RECORDER),
                   os.path.join(cls.gomp, recording.RECORDER))

    def libraries(self):
        return [library.Library(folder) for folder in (self.lib, self.gomp)]


class Recorder(Recording):
    def said(self, command, lib, **more):
        made = recording.environment(lib, 1, more)
        return subprocess.run(command, env=made, stdout=subprocess.PIPE, check=True,
                              timeout=support.TIMEOUT_SECONDS).stdout

    def recorded(self, name, source, lib, expected=None):
        """(tree, record); the program prints what it does without the recorder, or `expected`."""
        program = self.compile(name, source, "-fopenmp")
        kept = os.path.join(self.folder, name + ".record")
        record = recording.record(lib, [program], keep=kept, quiet=True)
        again = trace.Record(kept)
        self.assertEqual((again.events, again.lost), (record.events, 0))
        expected = expected or self.said([program], lib)
        folder = os.path.join(self.folder, name + ".seen")
        os.makedirs(folder, exist_ok=True)
        seen = self.said([program], lib, LD_PRELOAD=recording.recorder_of(lib),
                         NTH_RECORD_SERIAL="1", NTH_RECORD_DIR=folder)
        self.assertEqual(seen, expected)
        return trace.build(record)[0], record

    def test_loops(self):
        for lib in self.libraries():
            steps, _ = self.recorded("loops", LOOPS, lib)
            found = regions(steps)
            self.assertEqual(len(found), 5)
            loops = [step[1] for region in found for step in region.steps
                     if step[0] == trace.LOOP]
            self.assertEqual([loop.count for loop in loops], [100, 250, 11, 64, 2])
            self.assertEqual([loop.schedule for loop in loops],
                             [trace.DYNAMIC, trace.GUIDED, trace.DYNAMIC, trace.DYNAMIC,
                              trace.SECTIONS])
            for loop in loops:
                self.assertEqual(sum(count for count, _ in loop.pieces), loop.count)
                self.assertEqual(loop.pieces[0][0], 1)  # the first piece is as small as can be
            self.assertEqual(len(loops[4].pieces), 2)
            heavy = loops[0].pieces[-20:]  # 8000 additions each: an iteration has its own time
            self.assertLessEqual(max(count for count, _ in heavy), 2)
            self.assertLess(len(loops[1].pieces), 200)  # light ones have not
            times = [sum(step[1] for step in part) for _, part in heavy]
            static = found[4].steps
            shared = sum(step[1] for step in static if step[0] == trace.WORK
                         and step[2] == trace.SHARED)
            self.assertGreater(shared, 2 * sum(times[:5]))
            self.assertEqual(kinds(static).count(trace.BARRIER), 2)

    def test_order(self):
        """Ordered parts, sources and sinks, as iterations from 0 on."""
        for lib in self.libraries():
            steps, _ = self.recorded("order", ORDER, lib)
            ordered, nest, runtime = [step[1] for region in regions(steps)
                                      for step in region.steps if step[0] == trace.LOOP]
            self.assertEqual((ordered.flags, nest.flags), (trace.ORDERED, trace.DOACROSS))
            self.assertEqual([kinds(part).count(trace.ORDER) for _, part in ordered.pieces],
                             [1] * 20)
            self.assertEqual((nest.count, len(nest.pieces)), (10, 10))
            for i, (_, part) in enumerate(nest.pieces):
                self.assertEqual([step for step in part if step[0] == trace.POST],
                                 [(trace.POST, i, j) for j in range(3)])
                self.assertEqual([step for step in part if step[0] == trace.SINK],
                                 [(trace.SINK, i - 1, j) for j in range(3)] if i else [])
            self.assertEqual(runtime.flags, trace.DOACROSS)
            self.assertEqual(runtime.count, 5)

    def test_own_schedules(self):
        lib = self.libraries()[0]
        for text, schedule, chunk in (("trapezoid,3", trace.GUIDED, 3),
                                      ("affinity,7", trace.GUIDED, 0), ("gss", trace.GSS, 1)):
            with mock.patch.dict(os.environ, {"OMP_SCHEDULE": text}):
                steps, _ = self.recorded("own", LOOPS, lib)
            loop = next(step[1] for step in regions(steps)[3].steps if step[0] == trace.LOOP)
            self.assertEqual((loop.schedule, loop.chunk, loop.count), (schedule, chunk, 64))
            self.assertGreater(len(loop.pieces), 4)

    def test_tasks(self):
        for lib in self.libraries():
            steps, _ = self.recorded("tasks", TASKS, lib)
            region = regions(steps)[0]
            self.assertEqual(region.clause, 4)
            inner = next(step for step in region.steps if step[0] == trace.SINGLE)[1]
            tasks = tasks_of(inner)
            self.assertEqual(len(tasks), 3 * 2 + 1 + 1 + 1 + 10)
            how = [[kind for kind, _ in task.dependences] for task in tasks[:4]]
            self.assertEqual(how, [[trace.INOUT], [trace.INOUT, trace.IN]] * 2)
            self.assertEqual(tasks[0].dependences[0][1], tasks[1].dependences[1][1])
            self.assertEqual([task.undeferred for task in tasks[:8]], [False] * 6 + [True, False])
            self.assertEqual(len(tasks_of(tasks[8].steps)), 1)
            self.assertEqual([kind for kind in kinds(inner) if kind in (
                trace.WAIT, trace.GROUP_BEGIN, trace.GROUP_END)],
                [trace.WAIT, trace.GROUP_BEGIN, trace.GROUP_END, trace.GROUP_BEGIN,
                 trace.GROUP_END])

    def test_nested(self):
        for lib in self.libraries():
            steps, _ = self.recorded("nested", MORE, lib, b"1\n")
            outer = regions(steps)[0]
            inner = regions(outer.steps)[0]
            self.assertEqual((outer.clause, inner.clause), (2, 3))
            wanted = [kind for kind in kinds(inner.steps) if kind != trace.WORK]
            self.assertEqual(wanted, [trace.CRITICAL, trace.BARRIER])

    def test_children_and_exits(self):
        """A forked child that calls _exit has a record of its own; so has its parent."""
        for lib in self.libraries():
            program = self.compile("children", CHILDREN, "-fopenmp")
            for arguments, status in (([], 0), (["quick"], 3)):
                folder = os.path.join(self.folder, "children-%d" % status)
                os.makedirs(folder, exist_ok=True)
                for name in os.listdir(folder):
                    os.unlink(os.path.join(folder, name))
                done = recording.run([program, *arguments], recording.environment(lib, 1, {
                    "LD_PRELOAD": recording.recorder_of(lib), "NTH_RECORD_SERIAL": "1",
                    "NTH_RECORD_DIR": folder}))
                self.assertEqual(done.status, status)
                records = [trace.Record(os.path.join(folder, name))
                           for name in os.listdir(folder)]
                self.assertEqual(sorted(len(regions(trace.build(r)[0])) for r in records), [1, 5])

    def test_bounded(self):
        lib = library.Library(self.lib)
        program = self.compile("many", HEAD + "int main(void) { for (int i = 0; i < 40000; i++)\n"
                               "{\n#pragma omp parallel\nspin(1);\n} }", "-fopenmp")
        record = recording.record(lib, [program], events=1000)
        self.assertLessEqual(record.events, 32768)
        self.assertGreater(record.lost, 100000)
        self.assertGreater(len(regions(trace.build(record)[0])), 5000)

    def test_profile(self):
        """A triangle: the last of four members has seven times the work of the first one."""
        lib = library.Library(self.lib)
        program = self.compile("uneven", UNEVEN, "-fopenmp")
        steps, _ = trace.build(recording.record(lib, [program]))
        self.assertEqual(predict_profile.attach(steps, recording.record(lib, [program], 4)), 20)
        weights, again = regions(steps)[0].profile.share(0, 4)
        self.assertAlmostEqual(sum(weights) + again, 1, 6)
        self.assertLess(weights[0], weights[1])
        self.assertGreater(weights[3], 4 * weights[0])

    def test_own_cost(self):
        """Of a million events next to nothing is left as work of the program."""
        program = self.compile("empty", HEAD + "int main(void) {\n#pragma omp parallel\n"
                               "for (int i = 0; i < 100000; i++) {\n#pragma omp task\nspin(1);\n"
                               "}\n}", "-fopenmp")
        record = recording.record(library.Library(self.lib), [program])
        self.assertGreater(record.events, 400000)
        self.assertLess(record.end / 100000, 150)  # ns a task


class Trouble(Recording):
    """One line, and the program goes on as without the recorder."""

    def goes_on(self, folder, prepare=None, lines=1):
        program = self.compile("trouble", MEMORY, "-fopenmp")
        made = recording.environment(library.Library(self.lib), 1, {
            "LD_PRELOAD": recording.recorder_of(library.Library(self.lib)),
            "NTH_RECORD_SERIAL": "1", "NTH_RECORD_DIR": folder})
        done = subprocess.run([program], env=made, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False, preexec_fn=prepare,
                              timeout=support.TIMEOUT_SECONDS)
        self.assertEqual((done.returncode, done.stdout), (0, "300000\n"), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)
        self.assertIn("the program goes on unrecorded", done.stderr)
        return done.stderr

    def folder_of(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return folder

    def test_no_folder(self):
        self.assertIn("/no/such/folder: No such file", self.goes_on("/no/such/folder"))

    def test_file_cannot_be_written(self):
        """RLIMIT_FSIZE: no signal ends the program."""
        folder = self.folder_of("limited")
        said = self.goes_on(folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)))
        self.assertRegex(said, "cannot write the record .*: File too large")
        self.assertEqual(os.listdir(folder), [])

    def test_disk_is_full(self):
        folder = self.folder_of("tmpfs")
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "none", folder]
        if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("may not mount")
        try:
            self.assertIn("No space left", self.goes_on(folder))
            self.assertEqual(os.listdir(folder), [])
        finally:
            subprocess.run(["umount", folder], check=True)

    def test_no_memory(self):
        """mmap refuses the events' memory: the limit leaves some for the program itself."""
        folder = self.folder_of("memory")
        for room in (400, 1000):
            program = self.compile("room", MEMORY, "-fopenmp")
            made = recording.environment(library.Library(self.lib), 1, {
                "LD_PRELOAD": recording.recorder_of(library.Library(self.lib)),
                "NTH_RECORD_SERIAL": "1", "NTH_RECORD_DIR": folder})
            done = subprocess.run([program, str(room * 1000)], env=made, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, universal_newlines=True, check=False,
                                  timeout=support.TIMEOUT_SECONDS)
            self.assertEqual((done.returncode, done.stdout), (0, "300000\n"), done.stderr)
            self.assertEqual(done.stderr.splitlines(), [
                "nanogomp predict: no memory for events: Cannot allocate memory; the program goes "
                "on unrecorded"])


class Command(Recording):
    """The command on these records."""

    def predict(self, *arguments, status=0):
        done = self.tool("predict", "--lib", self.lib, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_table(self):
        program = self.compile("table", UNEVEN, "-fopenmp")
        done = self.predict("--machine", "numa:4 core:16 pu:1", "--", program)
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertRegex(done.stdout, r"(?m)^machine +64 processors in 4 domains; fork lwd")
        self.assertRegex(done.stdout, r"(?m)^ +1 .* 1\.00 .*work$")
        self.assertRegex(done.stdout, r"(?m)^ +64 ")
        self.assertIn("static loops", done.stdout)

    def test_json_and_replay(self):
        program = self.compile("kept", TASKS, "-fopenmp")
        kept = os.path.join(self.folder, "kept.record")
        self.predict("--cpus", "8", "--record", kept, "--", program)
        rows = []
        for _ in range(2):
            done = self.predict("--replay", kept, "--processors", "1,2,8", "--json", "-", "--fork",
                                "gwd", "--join", "tree")
            rows.append(json.loads(done.stdout))
        self.assertEqual(rows[0], rows[1])
        self.assertEqual([row["processors"] for row in rows[0]["rows"]], [1, 2, 8])
        self.assertEqual(rows[0]["rows"][0]["speed_up"], 1)
        self.assertEqual(rows[0]["policy"]["fork"], "gwd")

    def test_record_is_not_kept(self):
        program = self.compile("unkept", TASKS, "-fopenmp")
        done = self.predict("--record", "/no/such/folder/record", "--cpus", "2", "--", program)
        self.assertIn("the record is not kept: /no/such/folder/record", done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ +2 ")

    def test_told_the_processors(self):
        """{P} and {I}: a record for each number of processors."""
        program = self.compile("told", TOLD, "-fopenmp")
        done = self.predict("--cpus", "8", "--processors", "1,8", "--outer", "2", "--json", "-",
                            "--", program, "{P}", "{I}")
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual([(row["processors"], row["inner"]) for row in rows],
                         [(1, 1), (8, 1), (8, 4)])
        self.assertGreater(rows[1]["speed_up"], 3)  # in one part it would be 1
        self.assertLess(rows[2]["speed_up"], 2)     # {P} is 8, but it repeats {I} times
        done = self.tool("predict", "--record", "x", "--", program, "{P}")
        self.assertEqual(done.returncode, 2)

    def test_two_levels(self):
        program = self.compile("levels", MORE, "-fopenmp")
        done = self.predict("--cpus", "16", "--outer", "4", "--clauses", "ignore", "--", program)
        self.assertRegex(done.stdout, r"(?m)^ +16 +4x4 ")

    def test_costs(self):
        costs = self.write("costs", "# mine\nfork_slave 77 # ns\nspin 5e6\n", 0o644)
        done = self.predict("--costs", costs, "--show-costs")
        self.assertRegex(done.stdout, r"(?m)^fork_slave +77 ")
        saved = os.path.join(self.folder, "saved")
        self.predict("--costs", costs, "--save-costs", saved)
        again = self.predict("--costs", saved, "--show-costs")
        self.assertRegex(again.stdout, r"(?m)^fork_slave +77 ")
        self.predict("--costs", self.write("bad", "no_such 1\n", 0o644), "--show-costs", status=2)

    def test_bad_usage(self):
        for arguments in ([], ["--machine", "x", "--", "true"], ["--cpus", "5000", "true"],
                          ["--processors", "9", "--cpus", "8", "true"]):
            self.assertEqual(self.tool("predict", *arguments).returncode, 2, arguments)
        done = self.predict("--", "/nonexistent", status=125)
        self.assertIn("cannot run", done.stderr)
        done = self.predict("--replay", self.write("text", "no record", 0o644), status=125)
        self.assertIn("no record", done.stderr)

    def test_check(self):
        """One thread: CPU time, whatever else the machine does. A tenth off is not for a test."""
        program = self.compile("checked", UNEVEN, "-fopenmp")
        done = self.tool("predict", "--lib", self.lib, "--check", "--processors", "1",
                         "--repeat", "1", "--", program)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertRegex(done.stdout, r"(?m)^checked +1 +[\d.]+ \w+ +[\d.]+ \w+ +[-+][\d.]+ %")


if __name__ == "__main__":
    unittest.main()
