#!/usr/bin/env python3
# selftest.py - the checks find what they are there to find
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small trees and tables with one fault each; every check must name that fault."""

import dataclasses
import importlib.util
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

from common import ROOT, abi_table

import check_abidiff
import gen  # tools/abi, put on the path by common
import twins
import types_text

HEAD = "/* x */\n"
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


def load(name):
    """A script with a hyphen in its name, as a module."""
    path = ROOT / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class TreeTest(unittest.TestCase):
    """A folder with the files given, and a script run over it."""

    def script(self, name, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            command = [sys.executable, str(ROOT / "tools" / name), "--root", folder, *options]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout


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

    def test_ending(self):
        for call in ("exit(1)", "abort ()", "_exit(1)", "quick_exit(0)"):
            text = f"void nth_f(void) {{\n  {call};\n}}\n"
            self.fails({"runtime/omp/team/a.c": text}, "ends the process")
        self.passes({"runtime/base/check.c": "void f(void) {\n  abort();\n}\n"})
        self.passes({"abi/a.c": "void f(void) {\n  exit(1);\n}\n"})
        quiet = '  /* exit(1) */ puts("abort()");\n  pthread_exit(0);\n  nth_exit(0);\n'
        self.passes({"runtime/omp/team/a.c": "void f(void) {\n" + quiet + "}\n"})

    def test_machine(self):
        pause = 'static void f(void) {\n  __asm__ volatile("pause");\n}\n'
        builtin = "static void f(void) {\n  __builtin_ia32_pause();\n}\n"
        routine = "        .text\nf:      ret\n"
        for text, ending in ((pause, "c"), (builtin, "h"), (routine, "S")):
            for folder in ("runtime/base", "runtime/nth", "abi"):
                self.fails({f"{folder}/a.{ending}": text}, "machine code outside runtime/arch")
            self.passes({f"runtime/arch/x86_64/a.{ending}": text})
        self.passes({"runtime/sched/nano/self.h": 'extern int a __asm__("b");\n'})
        self.passes({"runtime/omp/team/a.c": "/* asm */\nint asmall(int x);\n"})


class Docs(TreeTest):
    """A table of two functions, and the file they stand in."""

    TABLE = "".join(
        f"{name} | GOMP_1.0 | @@ | done | a.c | - | void (void)\n" for name in ("GOMP_f", "GOMP_g")
    )
    START = "/* a.c - things\n * OpenMP 5.2, section 11.1.\n */\n#include <x.h>\n\n"
    COMMENT = "/* What it does, and when. */\n"
    F, G = "void GOMP_f(void) {\n}\n", "void GOMP_g(void) {\n}\n"

    def result(self, text):
        files = {"abi/symbols.def": self.TABLE, "abi/nodes.def": "GOMP_1.0 | -\n",
                 "abi/nth.def": "", "abi/a.c": text}
        return self.script("check-docs.py", files)

    def test_covered(self):
        for text in (
            self.START + self.COMMENT + self.F + "\n" + self.COMMENT + self.G,
            self.START + self.COMMENT + self.F + self.G,
            self.START.replace(" */", " * GOMP_*  this and that\n */") + self.F + "\n" + self.G,
        ):
            self.assertEqual(self.result(text), (0, "ok: 2 functions\n"))

    def test_not_covered(self):
        for text in (
            self.START + self.COMMENT + self.F + "\n" + self.G,
            self.START + "/* --- a ruler of this length --- */\n" + self.G + "\n" + self.COMMENT
            + self.F,
            self.START + self.COMMENT + self.F + "\n/* short */\n" + self.G,
            self.START + self.COMMENT + self.F.replace("}", "  int a; /* a comment inside */\n}")
            + "\n" + self.G,
            self.START.replace(" */", " * GOMP_*_start  others\n */") + self.COMMENT + self.F
            + "\n" + self.G,
        ):
            self.assertEqual(self.result(text), (1, "error: abi/a.c: GOMP_g has no comment\n"
                                                    "1 errors\n"))
        status, text = self.result(self.COMMENT + self.F + self.G)
        self.assertEqual(status, 1)
        self.assertIn("names no section", text)


class Glossary(TreeTest):
    """A table of three nouns, and the sources that it names."""

    TOP = "# Glossary\n\n| noun | what it is | struct | file |\n|---|---|---|---|\n"
    BELL = "| bell | Wakes sleepers. | `nth_bell` | bell.h |\n"
    MASTER = "| master | Opens a region. | – | see team |\n"
    TEAM = "| team | Members. | `nth_team`, `seat`, `kind` | team.h, team.c |\n"
    GOOD = {"docs/glossary.md": TOP + BELL + MASTER + TEAM,
            "runtime/struct/bell.h": HEAD + "struct nth_bell {\n};\n/* struct nth_no { */\n",
            "runtime/omp/team.h": "struct nth_team {\n};\n",
            "runtime/omp/team.c": "static struct seat {\n} a;\nenum kind { B };\n",
            "abi/team.c": HEAD}

    def fails(self, change, words):
        status, text = self.script("check-glossary.py", {**self.GOOD, **change})
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)

    def table_fails(self, old, new, words):
        text = self.GOOD["docs/glossary.md"]
        self.assertIn(old, text)
        self.fails({"docs/glossary.md": text.replace(old, new)}, words)

    def test_good(self):
        self.assertEqual(self.script("check-glossary.py", self.GOOD), (0, "ok: 3 nouns\n"))

    def test_left_out(self):
        self.fails({"runtime/omp/slot.h": HEAD}, "the file slot.h has no entry")
        self.fails({"runtime/arch/x/slot.S": ""}, "the file slot.S has no entry")
        self.fails({"abi/task.c": HEAD}, "the file task.c has no entry")
        self.fails({"runtime/omp/team.h": "struct nth_team {\n  union a {\n  } a;\n};\n"},
                   "struct a of team.h has no entry")
        self.fails({"abi/team.c": "struct nth_x {\n};\n"}, "struct nth_x of team.c has no entry")

    def test_not_there(self):
        self.table_fails("bell.h", "bell.h, bell.c", "bell: there is no file bell.c")
        self.table_fails("`nth_bell`", "`nth_bell`, `nth_x`", "bell: there is no struct nth_x")
        self.table_fails("`nth_bell`", "`nth_bell`, `seat`", "bell: there is no struct seat")
        self.table_fails("see team", "see crew", "master: no file")

    def test_twice(self):
        self.table_fails(self.MASTER, self.MASTER * 2, "the noun master stands 2 times")
        self.table_fails("bell.h", "bell.h, team.c", "the file team.c stands 2 times")
        self.table_fails("`nth_bell`", "`nth_bell`, `nth_team`",
                         "struct nth_team of team.h has 2 entries")

    def test_rows(self):
        self.table_fails(self.BELL + self.MASTER, self.MASTER + self.BELL,
                         "bell stands behind master")
        self.table_fails("Members.", "members", "team: no sentence")


class Links(TreeTest):
    """An index, a page beside it, and one header."""

    INDEX = "# Where\n[a](../runtime/base/a.h) [b](b.md#some-words) `tests/lit` `.keep`\n"
    GOOD = {"docs/index.md": INDEX, "docs/b.md": "# Some words\n`runtime/base/*.h`\n",
            "runtime/base/a.h": HEAD, "runtime/base/a.c": HEAD, "tools/.keep": "",
            "tests/lit/README.md": ""}

    def fails(self, change, words):
        status, text = self.script("check-links.py", {**self.GOOD, "tools/a.sh": "", **change})
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)

    def test_pages(self):
        """The index leaves to the pages that it links, but not to pages that those link."""
        header = {"runtime/sched/a.h": HEAD}
        page = self.GOOD["docs/b.md"] + "[a](../runtime/sched/a.h)\n"
        status, text = self.script("check-links.py", {**self.GOOD, **header, "docs/b.md": page})
        self.assertEqual(status, 0, text)
        far = {"docs/b.md": self.GOOD["docs/b.md"] + "[c](design/c.md)\n",
               "docs/design/c.md": "[a](../../runtime/sched/a.h)\n"}
        self.fails({**header, **far}, "docs/design/c.md is left out")
        self.fails({**header, **far}, "runtime/sched/a.h is left out")

    def test_links(self):
        done = self.script("check-links.py", self.GOOD)
        self.assertEqual(done, (0, "ok: 4 links and names\n"))
        self.fails({}, "tools/a.sh is left out")
        self.fails({"docs/b.md": "# Other words\n"}, "no such heading b.md#some-words")
        self.fails({"docs/b.md": "[c](c.md)\n"}, "docs/b.md: dead link c.md")
        self.fails({"docs/b.md": "`lit/a.c`\n"}, "no such file tests/lit/a.c")
        self.fails({"runtime/base/b.c": HEAD}, "runtime/base/b.c is left out")
        self.fails({"runtime/sched/a.h": HEAD}, "runtime/sched/a.h is left out")
        self.fails({"docs/c.md": ""}, "docs/c.md is left out")
        self.fails({"tests/lit/tasks/a.c": ""}, "tests/lit/tasks is left out")

    def test_comments(self):
        self.fails({"runtime/base/a.c": "/* as in\n * b.h says */\n"},
                   "runtime/base/a.c: no such file b.h")
        self.fails({"abi/a.c": "int a; // omp/a.h\n"}, "abi/a.c: no such file omp/a.h")
        known = "/* a.h, base/a.h: docs/b.md; %S/x.c, omp.h, x->c */\n#include <x.h>\n"
        text = 'char s[] = "/* x.h */";\n'
        self.assertEqual(
            self.script("check-links.py", {**self.GOOD, "abi/a.c": known + text})[0], 0)


class Format(TreeTest):
    GOOD = {"runtime/a.c": "int a;\n", "tests/b.py": "b = 1\n"}

    def errors(self, *changes):
        status, text = self.script("check-format.py", dict(self.GOOD, **dict(changes)))
        self.assertEqual(status, "error: " in text)
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
        self.assertIn("runtime/a.c: clang-format", self.errors(("runtime/a.c", "int  a ;\n"))[0])


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
    DENSE = "/* nth_assert(0) */\n" * 49 + "nth_assert(c);\n"

    def tree(self):
        return {f"runtime/{room}/a.c": self.DENSE for room in self.ROOMS}

    def test_density(self):
        self.assertEqual(self.script("check-asserts.py", self.tree())[0], 0)
        thin = dict(self.tree(), **{"runtime/nth/b.c": self.DENSE.replace("(c)", "ion(c)")})
        status, text = self.script("check-asserts.py", thin)
        self.assertEqual(status, 1)
        self.assertIn("runtime/nth: 1 asserts in 100 lines", text)

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


class Between(unittest.TestCase):
    """check_between.py, over object files of one or two functions."""

    def check(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "runtime" / "a.c.o"
            place.parent.mkdir()
            subprocess.run(["gcc", "-x", "c", "-std=gnu17", "-c", "-O1", "-fPIC", "-o", place, "-"],
                           input=text, text=True, check=True)
            command = [sys.executable, str(ROOT / "tests/abi/check_between.py"), str(place),
                       "--files", "runtime/a.c", *options]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, check=False)
        return done.returncode, done.stdout

    def test_calls(self):
        own = "int nth_a(void) { return 1; }\n"
        plain = "extern int clock_gettime();\nint nth_b(void) { return clock_gettime(1); }\n"
        other = "extern int open(void);\nint nth_c(void) { return open(); }\n"
        self.assertEqual(self.check(own)[0], 0)
        self.assertEqual(self.check(own + plain)[0], 0)
        for text, options, name in ((plain, ["--sanitized"], "clock_gettime"), (other, [], "open")):
            status, said = self.check(own + text, *options)
            self.assertEqual(status, 1, said)
            self.assertIn(f"calls {name},", said)

    def test_missing(self):
        status, said = self.check("int nth_a(void) { return 1; }\n", "--files", "runtime/b.c")
        self.assertEqual(status, 1, said)
        self.assertIn("runtime/b.c: no such object file", said)


class Table(unittest.TestCase):
    """The generator refuses tables that contradict themselves."""

    def changed(self, *pairs):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("symbols.def", "nodes.def", "nth.def"):
                text = (ROOT / "abi" / name).read_text(encoding="utf-8")
                for old, new in pairs:
                    text = text.replace(old, new)
                (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
            table = abi_table.Table(folder)
            return [make(table) for make in gen.OUTPUTS.values()]

    def test_faults(self):
        self.changed()
        faults = [("OMP_3.1 ", "OMP_3.9 "), ("| @@ |", "| @x |"), ("| done |", "| soon |")]
        for old, new in faults + [("| auto ", "| car ")]:
            with self.assertRaises(abi_table.TableError):
                self.changed((old, new))

    def test_twin_without_rule(self):
        table = abi_table.Table()
        row = table.by_name("omp_get_level_")
        for prototype in ("int32_t (const float *)", "int32_t (const int32_t *)"):
            with self.assertRaises(abi_table.TableError):
                twins.body(table, dataclasses.replace(row, prototype=prototype))

    def test_types(self):
        kind = types_text.prototype("bool (void (*)(void *), const long *, size_t, ...)")
        shown = "bool (void (void *) *, long *, unsigned long, ...)"
        self.assertEqual(types_text.show(kind), shown)
        others = (
            "bool (void (*)(void *), int *, size_t, ...)",
            "bool (void (*)(void *), long *, size_t)",
            "bool (void (*)(void), long *, size_t, ...)",
            "int (void (*)(void *), long *, size_t, ...)",
        )
        for other in others:
            self.assertFalse(types_text.matches(kind, types_text.prototype(other)))
        any_pointer = types_text.prototype("bool (void *, void *, size_t, ...)")
        self.assertTrue(types_text.matches(any_pointer, kind))

    def test_types_of_gcc_16(self):
        """An integer as wide as a pointer, and the names that omp.h has for such."""
        kind = ("fn", ("ptr", "void"), (("word",), "int"), False)
        self.assertEqual(types_text.show(kind), "void * (word, int)")
        ours = types_text.prototype("void *(omp_allocator_handle_t, omp_interop_property_t)")
        self.assertTrue(types_text.matches(kind, ours))


class Abidiff(unittest.TestCase):
    """What abidiff 2 writes of symbols and abidiff 3 of functions."""

    NEWER = """Functions changes summary: 1 Removed, 0 Changed, 1 Added functions
Variables changes summary: 0 Removed, 0 Changed, 0 Added variable

1 Removed function:

  [D] 'function int omp_in_parallel(void)'    {omp_in_parallel@@OMP_1.0}

1 Added function:

  [A] 'function int nth_block(void)'    {nth_block@@NTH_1.0, aliases nth_wait@@NTH_1.0}
"""
    OLDER = """Functions changes summary: 0 Removed, 0 Changed, 0 Added function
Function symbols changes summary: 1 Removed, 1 Added function symbols not referenced by debug info

  [D] omp_in_parallel@@OMP_1.0

  [A] nth_block@@NTH_1.0, aliases nth_wait@@NTH_1.0
"""

    def test_texts(self):
        for text in (self.NEWER, self.OLDER):
            self.assertTrue(check_abidiff.SUMMARY.search(text))
            self.assertEqual(check_abidiff.changes(text, "D"), {"omp_in_parallel@@OMP_1.0"})
            self.assertEqual(check_abidiff.changes(text, "A"), {"nth_block@@NTH_1.0"})
        self.assertFalse(check_abidiff.SUMMARY.search("abidiff: wrong argument\n"))


class Pictures(unittest.TestCase):
    """make-pictures.py --check: a page with one picture, and what it may not be."""

    PAGE = "```\nnanogomp trace -- ./a\n```\n\nWords.\n\n![Two threads](pictures/trace.png)\n"
    TEXTS = {"command": "trace -- ./a", "description": "Two threads", "height": "7"}

    def setUp(self):
        self.make = load("make-pictures")

    def check(self, page=PAGE, height=7, **texts):
        """height: of the picture itself."""
        header = struct.pack(">II", 5, height) + bytes(5)
        png = self.make.SIGNATURE
        for kind, data in ((b"IHDR", header), (b"IEND", b"")):
            png += struct.pack(">I", len(data)) + kind + data + bytes(4)
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "docs", "pictures"))
            pathlib.Path(folder, "docs", "tools.md").write_text(page, encoding="utf-8")
            png = self.make.with_texts(png, **{**self.TEXTS, **texts})
            pathlib.Path(folder, "docs", "pictures", "trace.png").write_bytes(png)
            done = subprocess.run([sys.executable, str(ROOT / "tools" / "make-pictures.py"),
                                   "--check", "--root", folder], stdout=subprocess.PIPE,
                                  universal_newlines=True)
        return done.returncode, done.stdout

    def test_good(self):
        self.assertEqual(self.check(), (0, "ok: 1 pictures\n"))

    def test_faults(self):
        for change, words in (({"command": "trace -- ./b"}, "its command is 'trace -- ./b'"),
                              ({"description": "Two threads over 90 ms"}, "its description is"),
                              ({"height": 6}, "its height is '7', not '6'"),
                              ({"page": "![x](pictures/trace.png)\n"}, "no command before trace")):
            status, text = self.check(**change)
            self.assertEqual(status, 1, text)
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
