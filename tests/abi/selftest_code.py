#!/usr/bin/env python3
# selftest_code.py - the checks of the sources find what they are there to find
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small trees with one fault each; every check must name that fault."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from common import ROOT
from tree import HEAD, TreeTest, load

ORDERS = """/* djs.h - join
 *
 * Why         one line
 *             Another line
 * Orders      A   arrive store-release -> wait load-acquire:
 *                 publishes the member's writes
 *             B   sleep against wake
 * Cost        none
 */
"""
ARRIVE = "void nth_arrive(void) {\n  nth_store_rel(&word, 1); /* A */\n}\n"
WAIT = "void nth_wait(void) {\n  while (!nth_load_acq(&word)) /* A */\n    nth_pause();\n}\n"
FENCE = "void nth_f(void) {\n  nth_fence_full(); /* B */\n}\n"
FENCES = FENCE + "void nth_g(void) {\n  nth_fence_full(); /* B: against nth_f */\n}\n"
GOOD = {"runtime/struct/djs.h": ORDERS, "runtime/struct/djs.c": ARRIVE + WAIT + FENCES}


class Layers(TreeTest):
    def fails(self, files, words):
        status, text = self.script("check-layers.py", files)
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)

    def passes(self, files):
        self.assertEqual(self.script("check-layers.py", files)[0], 0)

    def test_include(self):
        up = '#include "runtime/omp/team/team.h"\n'
        self.fails({"runtime/sched/wait/a.c": HEAD + up}, "goes up the rooms")
        self.passes({"abi/a.c": HEAD + up, "runtime/omp/team/a.c": HEAD + up})
        self.fails({"runtime/base/a.c": HEAD + '#include "check.h"\n'}, "not a path from the root")
        self.fails({"runtime/nth/a.c": HEAD + '#include "abi_protos.h"\n'}, "generated headers")
        unknown = HEAD + '#include "runtime/new/b.h"\n'
        self.fails({"runtime/omp/team/a.c": unknown}, "not a path from the root")
        self.fails({"runtime/new/a.c": HEAD}, "belongs to no room")

    def test_include_in_brackets(self):
        up = HEAD + "#include <runtime/omp/team/team.h>\n#include <errno.h>\n"
        self.fails({"runtime/sched/wait/a.c": up}, "goes up the rooms")
        self.passes({"runtime/omp/team/a.c": up})

    def test_rooms(self):
        down = HEAD + '#include "runtime/omp/tasks/task.h"\n'
        self.passes({"runtime/omp/tasks/a.c": down, "runtime/omp/team/a.c": down})
        self.fails({"runtime/omp/queue/a.c": down}, "goes up the rooms")
        self.fails({"runtime/omp/a.c": HEAD}, "belongs to no room")
        self.fails({"runtime/omp/new/a.c": HEAD}, "belongs to no room")
        many = {f"runtime/omp/team/a{i}.c": HEAD for i in range(21)}
        self.fails(many, "21 files, 21 lines, limit 20 files")
        long = {f"runtime/omp/team/a{i}.c": "\n" * 450 for i in range(9)}
        self.fails(long, "9 files, 4050 lines, limit 20 files, 4000 lines")

    def test_circle(self):
        def includes(name):
            return HEAD + f'#include "runtime/base/{name}.h"\n'

        files = {"runtime/base/a.h": includes("b"), "runtime/base/b.h": includes("c")}
        self.passes({**files, "runtime/base/c.h": HEAD})
        self.fails({**files, "runtime/base/c.h": includes("a")},
                   "a.h -> runtime/base/b.h -> runtime/base/c.h -> runtime/base/a.h")

    def test_calls(self):
        layers = load("check-layers")
        sources = {"queue/a": "void nth_b(void);\nvoid nth_a(void) {\n  nth_b();\n}\n",
                   "tasks/b": "void nth_c(void);\nvoid nth_b(void) {\n  nth_c();\n}\n",
                   "types/c": "void nth_c(void) {\n}\n"}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            build = root / "build/release"
            _, remark = layers.call_errors(root, build)
            self.assertIn("calls are not looked at", remark)
            build.mkdir(parents=True)
            self.assertEqual(layers.call_errors(root, build), ([], ""))
            for name, text in sources.items():
                source = root / f"runtime/omp/{name}.c"
                made = build / f"CMakeFiles/nth_runtime.dir/runtime/omp/{name}.c.o"
                for path in (source, made):
                    path.parent.mkdir(parents=True, exist_ok=True)
                source.write_text(text, encoding="utf-8")
                subprocess.run(["gcc", "-c", str(source), "-o", str(made)], check=True)

            (error,), remark = layers.call_errors(root, build)
            self.assertIn("runtime/omp/queue/a.c: calls nth_b of runtime/omp/tasks/b.c", error)
            self.assertEqual(remark, "")
            os.utime(root / "runtime/omp/tasks/b.c", (2**32, 2**32))
            self.assertIn("older than some sources", layers.call_errors(root, build)[1])
            command = [sys.executable, str(ROOT / "tools/check-layers.py"), "--root", folder]
            for options, status, start in (([], 0, "calls: "),
                                           (["--build", str(build)], 1, "error: calls: ")):
                done = subprocess.run(command + options, stdout=subprocess.PIPE, text=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stdout.startswith(start)), (status, True))

    def test_siblings(self):
        one = {"runtime/mem/a.c": '#include "runtime/struct/b.h"\n'}
        self.passes(one)
        back = {"runtime/struct/c.c": '#include "runtime/mem/d.h"\n'}
        self.fails({**one, **back}, "include each other")

    def test_length(self):
        body = "int nth_f(int x) {\n" + "  x++;\n" * 58 + "}\n"
        self.passes({"runtime/omp/team/a.c": body})
        longer = body.replace("(int x) {", "(int x,\n          int y) {")
        self.fails({"runtime/omp/team/a.c": longer}, "61 lines, limit 60")
        self.fails({"runtime/nth/a.c": longer.replace(" {\n", "\n{\n", 1)}, "62 lines, limit 60")
        self.fails({"runtime/omp/team/a.c": "\n" * 501}, "501 lines, limit 500")
        self.passes({"runtime/omp/team/a.c": "struct a {\n" + "  int b;\n" * 70 + "};\n"})
        self.passes({"runtime/omp/team/a.c": "static int a[] = {\n" + "  f(1),\n" * 70 + "};\n"})

    def test_families(self):
        own = "  int a, b;\n  _Atomic(uint64_t) c; /* d; */\n  struct nth_e *f;\n  bool g;\n"
        family = "  struct nth_h h;\n  _Alignas(NTH_APART) struct nth_i i;\n"
        text = "struct nth_slot {\n%s%s};\n" % (own, family)
        self.passes({"runtime/omp/types/a.h": text})
        more = text.replace("a, b", "a, b, j")
        self.fails({"runtime/omp/types/a.h": more}, "struct nth_slot: 6 fields")
        self.passes({"runtime/omp/types/slot.h": text})
        other = text.replace("nth_slot {", "__attribute__((packed)) nth_slot {")
        self.fails({"runtime/omp/types/slot.h": other}, "has no struct nth_slot")

    def test_ending(self):
        for call in ("exit(1)", "abort ()", "_exit(1)", "quick_exit(0)", "__builtin_abort()",
                     "raise(SIGABRT)", "syscall(SYS_exit_group, 1)"):
            text = f"void nth_f(void) {{\n  {call};\n}}\n"
            self.fails({"runtime/omp/team/a.c": text}, "ends the process")
        self.passes({"runtime/base/check.c": "void f(void) {\n  abort();\n}\n"})
        self.passes({"abi/a.c": "void f(void) {\n  exit(1);\n}\n"})
        quiet = '  /* exit(1) */ puts("abort()");\n  pthread_exit(0);\n  nth_exit(0);\n'
        quiet += "  raise(SIGUSR1);\n"
        self.passes({"runtime/omp/team/a.c": "void f(void) {\n" + quiet + "}\n"})

    def test_machine(self):
        pause = 'static void f(void) {\n  __asm__ volatile("pause");\n}\n'
        builtin = "static void f(void) {\n  __builtin_ia32_pause();\n}\n"
        routine = "        .text\nf:      ret\n"
        short = "static void f(void) {\n  _mm_pause();\n}\n"
        header = "#include <immintrin.h>\n"
        for text, ending in ((pause, "c"), (builtin, "h"), (routine, "S"), (short, "c"),
                             (header, "h")):
            for folder in ("runtime/base", "runtime/nth", "abi"):
                self.fails({f"{folder}/a.{ending}": text}, "machine code outside runtime/arch")
            self.passes({f"runtime/arch/x86_64/a.{ending}": text})
        self.passes({"runtime/sched/nano/self.h": 'extern int a __asm__("b");\n'})
        self.passes({"runtime/omp/team/a.c": "/* asm */\nint asmall(int x);\n"})


class Format(TreeTest):
    GOOD = {"runtime/a.c": "int a;\n", "tests/b.py": "b = 1\n"}

    def errors(self, *changes):
        status, text = self.script("check-format.py", dict(self.GOOD, **dict(changes)))
        skipped = 77 if "no clang-format" in text else 0
        self.assertEqual(status, 1 if "error: " in text else skipped)
        return re.findall(r"error: (.*)", text)

    def test_good(self):
        self.assertEqual(self.errors(), [])

    def test_columns(self):
        long = "x" * 101 + "\n"
        for path, text in (("tests/b.py", "# " + long), ("tests/c.md", "a " + long),
                           ("runtime/a.S", "/* " + long)):
            self.assertIn(f"{path}:1: {len(text) - 1} columns", self.errors((path, text))[0])
        for path, text in (("abi/symbols.def", "a " + long), ("tests/c.md", "| " + long),
                           ("tests/c.md", "```\na " + long + "```\n"), ("tests/c.md", "- " + long)):
            self.assertEqual(self.errors((path, text)), [])

    @unittest.skipUnless(load("check-format").tool("clang-format"), "no clang-format as installed")
    def test_format(self):
        for path in ("runtime/a.c", "ompd/a.h", "tests/a.cpp"):
            self.assertIn(path + ": clang-format", self.errors((path, "int  a ;\n"))[0])

    def test_no_clang_format(self):
        check = load("check-format")
        with unittest.mock.patch.object(check, "tool", lambda name: None), \
                unittest.mock.patch.object(sys, "argv", ["check-format.py"]), \
                unittest.mock.patch.object(check, "long_subject", lambda root: []), \
                unittest.mock.patch("builtins.print"):
            self.assertEqual(check.main(), 77)


@unittest.skipUnless(load("check-format").tool("clang-tidy"), "no clang-tidy as installed")
class Tidy(TreeTest):
    def test_both(self):
        for text, status in (("int f(int a) { return a; }\n", 0),
                             ("int f(const char *a) { return a == a; }\n", 1)):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder).resolve()
                (root / "runtime").mkdir()
                (root / "runtime/a.c").write_text(text, encoding="utf-8")
                (root / ".clang-tidy").write_text((ROOT / ".clang-tidy").read_text("utf-8"))
                (root / "compile_commands.json").write_text(json.dumps([{
                    "directory": str(root), "file": str(root / "runtime/a.c"),
                    "command": "cc -c runtime/a.c"}]))
                done = subprocess.run(
                    [sys.executable, str(ROOT / "tools/check-tidy.py"), "--root", folder, folder],
                    stdout=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, status, done.stdout)


class Asserts(TreeTest):
    ROOMS = load("check-asserts").ROOMS
    DENSE = "/* nth_assert(0) */\n// nth_assert(0)\n" * 25 + "nth_assert(c);\n"

    def tree(self):
        return {f"runtime/{room}/a.c": self.DENSE for room in self.ROOMS}

    def test_density(self):
        self.assertEqual(self.script("check-asserts.py", self.tree())[0], 0)
        thin = dict(self.tree(), **{"runtime/nth/b.c": self.DENSE.replace("(c)", "ion(c)")})
        status, text = self.script("check-asserts.py", thin)
        self.assertEqual(status, 1)
        self.assertIn("runtime/nth: 1 asserts in 102 lines", text)

    def test_release(self):
        checks = load("check-asserts")
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            made = build / "CMakeFiles/nth_runtime.dir/a.c.o"
            made.parent.mkdir(parents=True)
            source = build / "a.c"
            source.write_text("void nth_check_failed(void);\n"
                              "void f(void) { nth_check_failed(); }\n")
            subprocess.run(["gcc", "-c", str(source), "-o", str(made)], check=True)
            self.assertIn("a.c.o: has asserts", checks.left_in(build)[0])
            for level, release in ((0, True), (2, False)):
                (build / "CMakeCache.txt").write_text(f"X=1\nNTH_CHECK:STRING={level}\nY=2\n")
                self.assertEqual(checks.without_asserts(build), release)


class Orders(TreeTest):
    def fails(self, change, words):
        files = {**GOOD, **change}
        status, text = self.script("check-orders.py", files)
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)

    def test_good(self):
        status, text = self.script("check-orders.py", GOOD)
        self.assertEqual((status, text), (0, "ok: 2 labels in 2 files\n"))

    def test_document(self):
        checker = load("check-orders")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "djs.h"
            path.write_text(ORDERS, encoding="utf-8")
            found = checker.explanations(path)
        self.assertEqual(set(found), {"A", "B"})
        self.assertTrue(found["A"].endswith("load-acquire: publishes the member's writes"))
        stale = {**GOOD, "docs/memory-orders.md": "old\n"}
        status, text = self.script("check-orders.py", stale, "--check")
        self.assertEqual(status, 1)
        self.assertIn("is stale", text)

    def test_labels(self):
        source = "runtime/struct/djs.c"
        self.fails({source: ARRIVE.replace(" /* A */", "") + WAIT + FENCES}, "djs.c:2: no label")
        self.fails({source: ARRIVE + FENCES}, f"djs:A ({source}:nth_arrive()): no acquire side")
        self.fails({source: WAIT + FENCES}, "no release side")
        self.fails({source: ARRIVE + WAIT}, "label B is explained but never used")
        self.fails({source: ARRIVE + WAIT + FENCE}, "without its partner")
        self.fails({source: ARRIVE + WAIT.replace("A", "C") + FENCES}, "djs:C")

    def test_other_file(self):
        other = {"runtime/sched/wait.c": WAIT.replace("/* A */", "/* djs:A */")}
        files = {**GOOD, "runtime/struct/djs.c": ARRIVE + FENCES, **other}
        self.assertEqual(self.script("check-orders.py", files)[0], 0)
        self.fails({"runtime/sched/wait.c": WAIT}, "wait:A")

    def test_folders(self):
        """abi/ has the runtime's nouns; a library of tools/ is one noun, in all its files."""
        self.fails({"abi/djs.c": WAIT.replace(" /* A */", "")}, "abi/djs.c:2: no label")
        good = {"abi/a.c": WAIT.replace("A */", "djs:A */"), "tools/hold/hold.h": ORDERS,
                "tools/hold/a.c": ARRIVE + FENCES, "tools/hold/b.c": WAIT}
        self.assertEqual(self.script("check-orders.py", {**GOOD, **good})[0], 0)
        self.fails({**good, "tools/hold/b.c": ""}, "hold:A")

    def test_raw(self):
        for line in ("atomic_store_explicit(&a, 1, memory_order_release);", "atomic_load(&a);",
                     "__atomic_load_n(&a, __ATOMIC_ACQUIRE);", "__sync_fetch_and_add(&a, 1);",
                     "atomic_thread_fence(memory_order_seq_cst);"):
            for folder in ("abi", "ompd", "runtime/omp/team", "tools/hold"):
                self.fails({folder + "/a.c": "void f(void) {\n  %s\n}\n" % line},
                           folder + "/a.c:2: an order without a name")
        for line in ("atomic_store_explicit(&a, 1, memory_order_relaxed);",
                     "__atomic_load_n(&a, __ATOMIC_RELAXED);",
                     "atomic_signal_fence(memory_order_seq_cst);"):
            good = {"abi/a.c": "void f(void) {\n  %s\n}\n" % line}
            self.assertEqual(self.script("check-orders.py", {**GOOD, **good})[0], 0, line)

    def test_operators(self):
        fields = ("\nstruct nth_d {\n  _Atomic(uint32_t) epoch, late[2]; /* w: one */\n"
                  "  int sum, size;\n  _Atomic(uint32_t) *word;\n};\n"
                  "struct nth_e {\n  _Atomic(uint32_t) size;\n};\n")
        source = "runtime/struct/djs.c"

        def body(line):
            return {source: ARRIVE + WAIT + FENCES + fields +
                    "void f(struct nth_d *d) {\n  %s\n}\n" % line}

        for line in ("d->epoch = 1;", "d->late[d->sum] = 1;", "++d->epoch;", "d->epoch--;",
                     "d[1].epoch += 2;", "d->late[0] <<= 1;"):
            self.fails(body(line), "an operator changes an atomic field: " + line)
        for line in ("d->sum = 1;", "d->word = 0;", "if (d->epoch == 1)", "d->size = 1;",
                     "d->sum = d->sum--;", "*d = (struct nth_d){.sum = 1, .epoch = 2};",
                     "nth_store_rlx(&d->epoch, d->sum = 1);"):
            self.assertEqual(self.script("check-orders.py", {**GOOD, **body(line)})[0], 0, line)

    def test_one_side_outside(self):
        header = ORDERS.replace("member's writes", "member's writes [no acquire: pthread_join]")
        files = {"runtime/struct/djs.h": header, "runtime/struct/djs.c": ARRIVE + FENCES}
        self.assertEqual(self.script("check-orders.py", files)[0], 0)


if __name__ == "__main__":
    unittest.main()
