#!/usr/bin/env python3
# test_predict_record.py - what `nanogomp predict` records of small programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import unittest
from unittest import mock

import predict_records
import support
from nanogomp_lib import library, predict_profile
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_trace as trace
from predict_records import HEAD, MORE, TASKS, UNEVEN

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
PIPELINE = HEAD + r"""
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
#pragma omp task
    spin(20000);
    spin(20000);
#pragma omp taskwait
  }
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 0; i < 400; i++) {
#pragma omp ordered depend(sink : i - 1)
    spin(20000);
#pragma omp ordered depend(source)
  }
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
pid_t vfork(void);
int main(int argc, char **argv) {
  if (vfork() == 0)
    _exit(0);
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


def kinds(steps):
    return [step[0] for step in steps]


def regions(steps):
    return [step[1] for step in steps if step[0] == trace.REGION]


def tasks_of(steps):
    return [step[1] for step in steps if step[0] == trace.TASK]


class Recorder(predict_records.Recording):
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
        """A forked child that calls _exit has a record of its own; so has its parent. A child
        of vfork(), which is in its parent's memory, has none."""
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

    @support.measured
    def test_constructs_of_members(self):
        """What members do in tasks and in a pipeline is what a lone one does, though they wait for
        each other: no wait counts."""
        lib = library.Library(self.lib)
        program = self.compile("pipeline", PIPELINE, "-fopenmp")
        steps, _ = trace.build(recording.record(lib, [program]))
        self.assertEqual(predict_profile.attach(steps, recording.record(lib, [program], 2)), 2)
        for region in regions(steps):
            made = region.profile
            self.assertEqual(made.members, 2)
            self.assertGreater(made.got_alone, 1e6)
            self.assertAlmostEqual(made.got / made.got_alone, 1, delta=0.3)

    @support.measured
    def test_own_cost(self):
        """Of a million events next to nothing is left as work of the program."""
        program = self.compile("empty", HEAD + "int main(void) {\n#pragma omp parallel\n"
                               "for (int i = 0; i < 100000; i++) {\n#pragma omp task\nspin(1);\n"
                               "}\n}", "-fopenmp")
        record = recording.record(library.Library(self.lib), [program])
        self.assertGreater(record.events, 400000)
        self.assertLess(record.end / 100000, 150)  # ns a task


if __name__ == "__main__":
    unittest.main()
