#!/usr/bin/env python3
# check-glossary.py - each struct and each file of the runtime has its noun in docs/glossary.md
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the table of docs/glossary.md with the sources in runtime/ and abi/.

files     each source file's name stands in one row. Files of one name share it
structs   each struct, union and named enum stands in one row; one without nth_, which is its file's
          own, in the row of that file. Types of OMPT (ompt_) are the specification's
rows      name only files and structs that exist. A noun stands once; rows are in alphabetical
          order; each has a sentence. "see NOUN" in place of files: a noun that has some
"""

import argparse
import collections
import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
GLOSSARY = "docs/glossary.md"
FOLDERS = ("runtime", "abi")
SUFFIXES = (".c", ".h", ".S")

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# with attributes, and the name that a typedef gives
TYPE = re.compile(r"\b(?:struct|union|enum)\s+(?:(?:__attribute__\s*\(\([^;{]*?\)\)|"
                  r"_Alignas\s*\([^)]*\))\s*)*(\w+)\s*\{")
TYPEDEF = re.compile(r"\btypedef\s+(?:struct|union|enum)\b[^;{]*\{")
ROW = re.compile(r"\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")
HEAD = "noun"


@dataclasses.dataclass
class Entry:
    """A row: a noun, its sentence, its structs, and its files or the noun that has them."""

    noun: str
    text: str
    structs: list
    files: list
    see: str


def entry_of(row):
    noun, text, structs, files = (cell.strip() for cell in row)
    see = files[4:] if files.startswith("see ") else ""
    names = [] if see else re.findall(r"[\w.-]+\.[chS]\b", files)
    return Entry(noun, text, re.findall(r"`(\w+)`", structs), names, see)


def entries(root):
    rows = (ROW.match(line) for line in (root / GLOSSARY).read_text(encoding="utf-8").splitlines())
    return [entry_of(row.groups()) for row in rows
            if row and row[1] != HEAD and not row[1].startswith("---")]


def typedefs(text):
    """Names that typedefs give to the types that they define. The specification's end in _t."""
    for match in TYPEDEF.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        names = re.findall(r"(\w+)\s*[,;]", text[end:text.find(";", end) + 1])
        yield from (name for name in names if not name.endswith("_t"))


def sources(root):
    """Names of files, with the names of the types that files of that name define."""
    types = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
                types.setdefault(path.name, set()).update(
                    name for name in [*TYPE.findall(text), *typedefs(text)]
                    if not name.startswith("ompt_"))
    return types


def row_errors(rows):
    """What is wrong with the table by itself."""
    nouns = [row.noun.lower() for row in rows]
    for noun, count in collections.Counter(nouns).items():
        if count > 1:
            yield f"the noun {noun} stands {count} times"
    for before, after in zip(nouns, nouns[1:]):
        if before > after:
            yield f"{after} stands behind {before}"
    files = collections.Counter(name for row in rows for name in row.files)
    for name, count in files.items():
        if count > 1:
            yield f"the file {name} stands {count} times"
    for row in rows:
        if not row.text.endswith("."):
            yield f"{row.noun}: no sentence"
        if not row.files and not any(other.noun == row.see and other.files for other in rows):
            yield f"{row.noun}: no file, and no noun to see that has one"


def source_errors(rows, types):
    """Where table and sources differ."""
    listed = collections.Counter()  # (file, struct)
    for row in rows:
        yield from (f"{row.noun}: there is no file {name}"
                    for name in row.files if name not in types)
        for struct in row.structs:
            where = types if struct.startswith("nth_") else row.files
            homes = [name for name in where if struct in types.get(name, ())]
            if not homes:
                yield f"{row.noun}: there is no struct {struct}"
            listed.update((name, struct) for name in homes)
    named = {name for row in rows for name in row.files}
    for name, structs in types.items():
        if name not in named:
            yield f"the file {name} has no entry"
        for struct in sorted(structs):
            if listed[name, struct] == 0:
                yield f"struct {struct} of {name} has no entry"
            elif listed[name, struct] > 1:
                yield f"struct {struct} of {name} has {listed[name, struct]} entries"


def check(root):
    """Errors, and the number of nouns."""
    rows = entries(root)
    return [*row_errors(rows), *source_errors(rows, sources(root))], len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree")
    args = parser.parse_args()
    errors, count = check(args.root)
    for error in errors:
        print(f"error: {GLOSSARY}: {error}")
    print(f"{len(errors)} errors" if errors else f"ok: {count} nouns")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
