#!/usr/bin/env python3
# check-docs.py - every exported function has a comment that says what it is
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at the done rows of abi/symbols.def and abi/nth.def. A function is covered by

  a comment above it, with nothing but other functions and no empty line between, or
  a comment anywhere in its file that names it, `*` standing for any part of the name
  (GOMP_loop_*_next), which suits families.

The comment starts in column 0; a ruler (/* --- word --- */) is none. The file's first comment names
the section of the specification, or says that there is none. Functions of nth.def are looked for in
the public headers. Fortran names made from their C names need nothing.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "abi"))

import table as abi_table  # noqa: E402  (found through the line above)

RULER = re.compile(r"/\* -+ .* -+ \*/\s*$", re.DOTALL)
SECTION = re.compile(r"\b(?:sections?|chapter)\s+\d|part of a specification")
MIN_LENGTH = 20  # characters of a comment that says something


class Source:
    """The comments of one file that start in column 0."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.ends = set()  # numbers of lines that end a comment
        self.names = []
        for match in re.finditer(r"^/\*.*?\*/", self.text, re.MULTILINE | re.DOTALL):
            if RULER.match(match[0]) or len(match[0]) < MIN_LENGTH:
                continue
            if match.start() > 0:
                self.ends.add(self.text.count("\n", 0, match.end()))
            self.names += re.findall(r"[\w*]*_[\w*]+", match[0])

    def place(self, name):
        """Number of the line where a function starts, or None."""
        pattern = re.compile(rf"[A-Za-z_][\w *]*\b{name}\(")
        found = (i for i, line in enumerate(self.lines) if pattern.match(line))
        return next(found, None)

    def covers(self, name):
        """Is there a comment above the function, or one that names it?"""
        if any(fnmatch.fnmatchcase(name, word) for word in self.names):
            return True
        line = self.place(name)
        while line and self.lines[line - 1].strip():
            line -= 1
            if line in self.ends:
                return True
        return False


def functions(table):
    """(file relative to abi/ or None for a public header, exported name, C name)."""
    for row in table.done():
        if row.file != "generated":
            yield row.file, row.name, table.function(row)
    for row in table.nth:
        if row.is_done:
            # the specification's names, and variables, are in no public header of ours
            ours = row.kind == "function" and not row.name.startswith("ompd_")
            yield None if ours else row.file, row.name, row.name


def check(abi):
    """Errors, and the number of functions."""
    headers = [Source(path) for path in sorted((abi / "include").rglob("*.h"))]
    sources, errors, count = {}, [], 0
    for file, name, c_name in functions(abi_table.Table(abi)):
        count += 1
        if file is None:
            if not any(header.place(name) and header.covers(name) for header in headers):
                errors.append(f"abi/include: {name} has no comment")
            continue
        if file not in sources:
            if not (abi / file).exists():
                errors.append(f"abi/{file}: is not there")
                continue
            sources[file] = Source(abi / file)
            first = sources[file].text.partition("*/")[0]
            if not SECTION.search(first):
                errors.append(f"abi/{file}: the first comment names no section")
        if not any(sources[file].covers(word) for word in {name, c_name}):
            errors.append(f"abi/{file}: {c_name} has no comment")
    return errors, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree")
    args = parser.parse_args()
    errors, count = check(args.root / "abi")
    for error in errors:
        print(f"error: {error}")
    print(f"{len(errors)} errors" if errors else f"ok: {count} functions")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
