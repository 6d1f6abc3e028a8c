#!/usr/bin/env python3
# test_lines.py - `nanogomp lines` counts what goes between processors, and where
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import shutil
import subprocess
import unittest

import support

from nanogomp_lib import lines, lines_data, lines_source  # noqa: E402  (support has set the path)

# Member 0 writes a cell that member 1 has just read, and the other way round; flags in lines of
# their own say whose turn it is.
PING_PONG = r"""
#include <omp.h>
#include <sched.h>
enum { TURNS = 200 };
static struct { _Alignas(128) volatile long value; } cell, turn;
static struct { _Alignas(128) volatile long value[2]; } beside;
int main(void) {
#pragma omp parallel num_threads(2)
  for (int i = omp_get_thread_num(); i < TURNS; i += 2) {
    while (__atomic_load_n(&turn.value, __ATOMIC_ACQUIRE) != i)
      sched_yield();
    cell.value += 1; /* HERE */
    beside.value[i % 2] += 1;
    __atomic_store_n(&turn.value, i + 1, __ATOMIC_RELEASE);
  }
  return cell.value == TURNS ? 0 : 1;
}
"""


def trace(*parts):
    """A trace as lackey writes it: a number is a thread that gets its turn, a text an access."""
    out = ["==7== header"]
    for part in parts:
        if isinstance(part, int):
            out.append("--7--   SCHED[%d]:  acquired lock (VG_(scheduler):timeslice)" % part)
        elif isinstance(part, tuple):
            out.append("--%d--   SCHED[%d]:  acquired lock (x)" % part)
        else:
            out.append(part if part[0] == "I" else " " + part)
    return "\n".join(out) + "\n"


class Reader(support.ToolTest):
    """The model, by traces whose events can be told."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reader = os.path.join(cls.lib, lines.READER)
        if not os.access(cls.reader, os.X_OK):
            raise unittest.SkipTest("no " + lines.READER)

    def read(self, *parts, line=64, caches=()):
        done = subprocess.run([self.reader, str(line), *caches], input=trace(*parts), text=True,
                              check=True, stdout=subprocess.PIPE)
        return lines.Counts(done.stdout)

    def totals(self, *parts, kinds=("fetch", "claim", "take"), **more):
        counts = self.read(*parts, **more)
        return tuple(counts.total(kind) for kind in kinds)

    def test_one_thread_shares_nothing(self):
        self.assertEqual(self.totals(1, "I  10,4", "S 1000,8", "L 1000,8", "M 1000,8"), (0, 0, 0))

    def test_each_kind(self):
        store, load = "S 1000,8", "L 1000,8"
        self.assertEqual(self.totals(1, store, 2, load), (1, 0, 0))
        self.assertEqual(self.totals(1, load, 2, load, load, store), (1, 1, 0))
        self.assertEqual(self.totals(1, store, 2, store), (0, 0, 1))
        self.assertEqual(self.totals(1, store, 2, "M 1000,8"), (0, 0, 1))
        self.assertEqual(self.totals(1, store, 2, load, 1, store, 2, load), (2, 1, 0))

    def test_no_event_without_another_copy(self):
        self.assertEqual(self.totals(1, "S 1000,8", 2, "S 1000,8", "L 1000,8", "S 1000,8"),
                         (0, 0, 1))

    def test_false_sharing_hangs_on_the_size_of_lines(self):
        parts = (1, "S 1000,8", 2, "S 1020,8", 1, "S 1000,8")
        self.assertEqual(self.totals(*parts), (0, 0, 2))
        self.assertEqual(self.totals(*parts, line=32), (0, 0, 0))

    def test_false_sharing(self):
        kinds = ("fetch", "take", "false")
        own = (1, "S 1000,8", 2, "M 1008,8", 1, "M 1000,8", 2, "M 1008,8")
        self.assertEqual(self.totals(*own, kinds=kinds), (0, 3, 3))
        same = (1, "S 1000,8", 2, "M 1000,8", 1, "M 1000,8", 2, "M 1000,8")
        self.assertEqual(self.totals(*same, kinds=kinds), (0, 3, 0))
        # the reader wants one of the words that the writer has stored
        both = (1, "S 1000,8", "S 1010,8", 2, "L 1004,8", 1, "S 1020,8", 2, "L 1010,8", "L 1020,8")
        self.assertEqual(self.totals(*both, kinds=kinds), (2, 0, 0))
        self.assertEqual(self.totals(1, "S 1000,256", 2, "L 10fc,4", line=256, kinds=kinds),
                         (1, 0, 0))

    def test_migratory_and_read_shared(self):
        turns = []
        for thread in (1, 2, 3) * 4:
            turns += [thread, "L 1000,8", "S 1000,8"]
        # each thread fetches the line and claims it from the one before
        self.assertEqual(self.totals(*turns), (11, 11, 0))
        readers = [1, "S 1000,8"]
        for thread in range(2, 10):
            readers += [thread, "L 1000,8", "L 1000,8"]
        self.assertEqual(self.totals(*readers, 1, "S 1000,8", "S 1000,8", 2, "L 1000,8"), (9, 1, 0))

    def test_misses_of_two_levels(self):
        kinds = ("miss1", "miss2")
        few = ("128:2,512:8",)  # two lines in one set, eight lines in one set
        a, b, c = "L 1000,8", "L 1040,8", "L 1080,8"
        self.assertEqual(self.totals(1, a, a, b, a, b, kinds=kinds, caches=few), (2, 2))
        self.assertEqual(self.totals(1, a, b, c, a, kinds=kinds, caches=few), (4, 3))
        # the least recently used one leaves
        self.assertEqual(self.totals(1, a, b, a, c, a, b, kinds=kinds, caches=few), (4, 3))
        every = ["L %x,8" % (0x2000 + 64 * i) for i in range(9)]
        self.assertEqual(self.totals(1, *every, every[1], kinds=kinds, caches=few), (10, 9))
        self.assertEqual(self.totals(1, *every, every[0], kinds=kinds, caches=few), (10, 10))
        sets = ("128:1,1k:2",)  # lines of even and odd number do not meet in the first level
        self.assertEqual(self.totals(1, a, b, a, b, kinds=kinds, caches=sets), (2, 2))
        self.assertEqual(self.totals(1, a, c, a, c, kinds=kinds, caches=sets), (4, 2))

    def test_misses_between_processors(self):
        kinds = ("fetch", "claim", "take", "miss1", "miss2")
        shape = ("128:2,512:8",)
        self.assertEqual(self.totals(1, "S 1000,8", 2, "S 1000,8", 1, "L 1000,8", kinds=kinds,
                                     caches=shape), (1, 0, 1, 3, 3))
        # what has left the cache goes between no processors
        gone = ["L %x,8" % (0x2000 + 64 * i) for i in range(8)]
        self.assertEqual(self.totals(1, "S 1000,8", *gone, 2, "L 1000,8", kinds=kinds,
                                     caches=shape), (0, 0, 0, 10, 10))

    def test_words_of_memory(self):
        counts = self.read(1, "S 1000,8", 2, "L 1004,4", 1, "S 1000,4", "S 2008,8", 2, "S 2008,8")
        found = {key[0]: value for key, value in counts.data.items()}
        self.assertEqual(sorted(found), [0x1000, 0x2008])
        self.assertEqual([found[0x1000][kind] for kind in lines.SHARING], [1, 1, 0, 0])
        self.assertEqual(found[0x2008]["take"], 1)

    def test_an_access_may_touch_two_lines(self):
        self.assertEqual(self.totals(1, "S 1000,64", "S 1040,64", 2, "L 103c,8"), (2, 0, 0))

    def test_many_threads_and_lines(self):
        parts = []
        for thread in range(1, 301):
            parts.append(thread)
            parts += ["L %x,8" % (0x100000 + 64 * i) for i in range(20)]
        self.assertEqual(self.totals(*parts, 1, "S 100000,8"), (299 * 20, 1, 0))

    def test_another_process_does_not_count(self):
        self.assertEqual(self.totals(1, "S 1000,8", (8, 2), "S 1000,8", 2, "L 1000,8"), (1, 0, 0))

    def test_accesses_and_threads(self):
        counts = self.read(1, "I  10,4", "S 1000,8", 3, "L 2000,4", "M 3000,4")
        self.assertEqual((counts.loads, counts.stores, counts.threads), (1, 2, 2))

    def test_usage(self):
        wrong = [["0"], ["48"], ["x"], ["-64"], ["64abc"], ["64", "32k"], ["64", "32k:8"],
                 ["64", "1k:3,1m:8"],
                 ["64", "32k:8,1m:0"], ["64", "32k:8,1m:8,"],
                 ["64", "17592186044417m:8,2m:8"], ["64", "32k:4294967304,1m:8"]]
        for line in wrong:
            done = subprocess.run([self.reader, *line], stdin=subprocess.DEVNULL, check=False,
                                  stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, line)
            self.assertIn(b"usage", done.stderr)


class Data(support.ToolTest):
    """Names of memory."""

    def test_structures_of_a_full_disk(self):
        """The last line is cut."""
        path = self.write("structures", "0x1000 64 a team\n0x2000 6\n\xff\n0x30")
        names = lines_data.Structures(path)
        self.assertEqual([names.name_of(at) for at in (0x1010, 0x2000)], ["a team", None])

    def test_variables_of_an_object(self):
        path = self.compile("variables", "int one[4] = {1}, none[100]; int main(void) "
                            "{ return one[1] + none[0]; }")
        names = lines_data.Variables(path)
        one, none = (next(start for start, _, name in names.found if name == wanted)
                     for wanted in ("one", "none"))
        self.assertEqual(names.name_of(one + 8), "one (variables)")
        self.assertEqual(names.name_of(none + 392), "none (variables)")
        self.assertEqual(names.name_of(0), "data of variables")
        self.assertEqual(names.name_of(names.end + 0x1000), "heap")

    def test_structures(self):
        path = self.write("structures", "0x1000 256 team\n0x1040 64 its barrier\n")
        names = lines_data.Names(path)
        found = [names.name_of(at, 0, "[heap]") for at in (0x1000, 0x1048, 0x1080, 0x1100)]
        self.assertEqual(found, ["team", "its barrier", "team", "heap"])
        self.assertEqual(names.name_of(0x5000, 0, "[stack]"), "stack of a thread")
        self.assertEqual(lines_data.Names("/no/such").name_of(0x1000, 0, "-"), "unknown memory")


class Source(unittest.TestCase):
    def test_names(self):
        place = lines_source.Place("/x/lib.so", 16, "f", "/src/b.h:3")
        self.assertEqual([place.name(by) for by in ("file", "function", "line")],
                         ["b.h (lib.so)", "b.h f (lib.so)", "b.h:3 f (lib.so)"])
        bare = lines_source.Place("/x/lib.so", 16)
        self.assertEqual([bare.name(by) for by in ("file", "line")], ["lib.so", "0x10 (lib.so)"])


@unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
class Command(support.ToolTest):
    def lines(self, *args, **more):
        return self.tool("lines", "--lib", self.lib, *args, **more)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.environ.get("NTH_TEST_LIB"):
            raise unittest.SkipTest("a sanitizer's library does not run under valgrind")
        cls.program = cls.compile("ping", PING_PONG, "-g", "-fopenmp")

    def test_the_line_that_goes_to_and_fro(self):
        done = self.lines("--by", "line", "--json", "-", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        number = PING_PONG[:PING_PONG.index("HERE")].count("\n") + 1
        row = next(r for r in found["rows"] if (":%d " % number) in r["where"]
                   and "ping" in r["where"])
        self.assertGreaterEqual(found["threads"], 2)
        # the cell goes over at each turn: a load and a store, or one access that is both
        events = row["claim"] + row["take"]
        self.assertTrue(195 <= events <= 200, row)

    def test_a_forked_child_does_not_count(self):
        program = self.compile("forks", """
            #include <sys/wait.h>
            #include <unistd.h>
            volatile long cells[4096];
            int main(int argc, char **argv) {
              if (argc > 1 && fork() == 0) {
                for (int i = 0; i < 20 * 4096; i++)
                  cells[i % 4096]++;
                _exit(0);
              }
              wait(0);
              return 0;
            }""")
        loads = []
        for words in ((), ("forks",)):
            done = self.lines("--json", "-", "--", program, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            loads.append(json.loads(done.stdout)["loads"])
        self.assertLess(loads[1] - loads[0], 4 * 4096)

    def test_by_data(self):
        done = self.lines("--by", "data", "--top", "0", "--json", "-", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["where"]: row for row in json.loads(done.stdout)["rows"]}
        cell = rows["cell (ping)"]
        self.assertTrue(195 <= cell["claim"] + cell["take"] <= 200, cell)
        self.assertEqual(cell["false"], 0)
        beside = rows["beside (ping)"]  # each member has a word of its own in one line
        self.assertTrue(195 <= beside["false"] <= 200, beside)
        self.assertIn("work descriptors (LWD)", rows)
        self.assertIn("distributed join (DJS)", rows)

    def test_caches(self):
        done = self.lines("--caches", "32k:8,1m:16", "--top", "3", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"SIMULATED: threads \d+, caches 32k:8,1m:16")
        self.assertIn("2nd miss", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        for wrong in ("32k", "32k:8", "1k:3,1m:8", "32k:8,1m:0", "32k:8,1m:8,", "x:8,1m:8"):
            done = self.lines("--caches", wrong, "--", "/bin/true")
            self.assertEqual(done.returncode, 2, wrong)

    def test_the_table(self):
        done = self.lines("--top", "3", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("SIMULATED", done.stdout)
        self.assertRegex(done.stdout, r"\d+ more\n")
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_the_status_is_the_programs(self):
        done = self.lines("--", "sh", "-c", "exit 7")
        self.assertEqual(done.returncode, 7)

    def test_what_is_not_simulated_is_said(self):
        done = self.lines("--", self.write("start.sh", "#!/bin/sh\nexit 7\n"))
        self.assertEqual(done.returncode, 7)
        self.assertIn("start.sh is a script: what is simulated is /bin/sh, none of", done.stderr)
        linked = self.compile("whole", "int main(void) {\n#pragma omp parallel\n"
                              "__asm__ volatile(\"\");\n}\n", "-fopenmp", "-static")
        for command in ("lines", "predict"):
            done = self.tool(command, "--lib", self.lib, "--", linked)
            self.assertEqual(done.returncode, 126)
            self.assertIn("statically linked with libgomp", done.stderr)

    def test_what_cannot_be(self):
        self.assertEqual(self.lines("--", "/no/such").returncode, 127)
        done = self.lines("--", self.write("broken", "\x7fELF"))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (126, 1), done.stderr)
        self.assertEqual(self.lines().returncode, 2)
        self.assertEqual(self.lines("--line", "48", "--", "true").returncode, 2)
        done = self.lines("--", "/bin/true",
                          env={"PATH": "/nowhere"})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (125, 1), done.stderr)
        done = self.lines("--json", "/no/such/file", "--", "/bin/true")
        self.assertEqual(done.returncode, 1)  # the simulation took long: its table is there
        self.assertEqual(done.stderr.count("/no/such/file: No such file or directory; it is left "
                                           "out, the report is on standard output\n"), 1,
                         done.stderr)
        self.assertIn("SIMULATED", done.stdout)
        done = self.lines("--json", "/dev/full", "--", "/bin/true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/dev/full: No space left on device; it is not complete, ", done.stderr)
        self.assertIn("SIMULATED", done.stdout)


if __name__ == "__main__":
    unittest.main()
