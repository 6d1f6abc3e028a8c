#!/usr/bin/env python3
# selftest_pages.py - the checks of the documents find what they are there to find
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small trees with one fault each; every check must name that fault."""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from common import ROOT
from tree import HEAD, TreeTest, load


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
        for text in ("struct nth_x {\n};\n", "struct __attribute__((packed)) nth_x {\n};\n",
                     "typedef struct {\n  struct {\n    int a;\n  } b;\n} nth_x;\n",
                     "struct _Alignas(64) nth_x {\n};\n"):
            self.fails({"abi/team.c": text}, "struct nth_x of team.c has no entry")

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
        self.fails({"runtime/place/cpus/c.h": HEAD}, "runtime/place/cpus/c.h is left out")
        self.fails({"docs/b.md": '<img src="c.png">\n'}, "docs/b.md: dead link c.png")
        self.fails({"docs/b.md": "`nice tools/b.sh -x`\n"}, "no such file tools/b.sh")

    def test_named(self):
        """A word of the text is no name; nor is a word of a command the name of a folder."""
        words = self.GOOD["docs/b.md"] + "a.sh, `--what tasks`\n"
        self.fails({"docs/b.md": words}, "tools/a.sh is left out")
        self.fails({"docs/b.md": words, "tests/lit/tasks/a.c": ""}, "tests/lit/tasks is left out")
        named = {"docs/b.md": words + "`a.sh` `tasks`\n", "tests/lit/tasks/a.c": "",
                 "tools/a.sh": ""}
        self.assertEqual(self.script("check-links.py", {**self.GOOD, **named})[0], 0)

    def test_comments(self):
        self.fails({"runtime/base/a.c": "/* as in\n * b.h says */\n"},
                   "runtime/base/a.c: no such file b.h")
        self.fails({"abi/a.c": "int a; // omp/a.h\n"}, "abi/a.c: no such file omp/a.h")
        known = "/* a.h, base/a.h: docs/b.md; %S/x.c, omp.h, x->c */\n#include <x.h>\n"
        text = 'char s[] = "/* x.h */";\n'
        self.assertEqual(
            self.script("check-links.py", {**self.GOOD, "abi/a.c": known + text})[0], 0)


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
