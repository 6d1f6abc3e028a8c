#!/usr/bin/env python3
# selftest.py - the checks of the library and of its table find what they are there to find
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small tables and objects with one fault each; every check must name that fault."""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile
import unittest

from common import ROOT, abi_table

import check_abidiff
import gen  # tools/abi, put on the path by common
import twins
import types_text


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


if __name__ == "__main__":
    unittest.main()
