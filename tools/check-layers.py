#!/usr/bin/env python3
# check-layers.py - who includes whom, how long files and functions are, who ends the process
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules (docs/design.md), checked over abi/ and runtime/:

layers     abi -> runtime/{acc,nth} -> runtime/omp -> runtime/sched -> runtime/{mem,struct,place} ->
           runtime/base -> runtime/arch; a folder includes itself and what is below. mem, struct and
           place may include each other one way only (mem takes its lock from struct).
machine    assembler, in files of its own or between C, and builtins of one architecture are in
           runtime/arch only
names      a project header is included by its path from the root ("runtime/base/atomic.h");
           abi/ and the generated abi_*.h, nth_commit.h are for abi/
length     files <= 500 lines, functions <= 60 lines from signature to closing brace
ending     exit, abort and their kin are called in abi/ and by runtime/base/check only
"""

import argparse
import pathlib
import re
import sys

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# higher includes lower; equal ranks are the siblings
RANKS = {"arch": 0, "base": 1, "mem": 2, "struct": 2, "place": 2, "sched": 3, "omp": 4, "acc": 5, "nth": 5}
ABI_RANK = 6
GENERATED = {"abi_protos.h", "abi_symver.h", "abi_table.h", "nth_commit.h"}
MAY_END = ("runtime/base/check.h", "runtime/base/check.c")
# runtime/base/atomic.h hands its operations to the model checker under NTH_MODEL
EXTRA_INCLUDES = {("runtime/base/atomic.h", "tests/model/bridge.h")}
MACHINE = re.compile(r"\b(?:asm|__asm|__asm__)\b|\b__builtin_(?:ia32|aarch64|arm)_")
MAY_NAME = ("runtime/sched/nano/self.h",)  # __asm__ there gives a variable its linker name
ENDING = re.compile(r"(?<![\w.>])(?:_?exit|_Exit|abort|quick_exit|__builtin_trap)\s*\(")


def rank(path):
    """Layer of a file or header, None when it belongs to no layer."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == "abi":
        return ABI_RANK
    if parts[0] == "runtime" and len(parts) > 2:
        return RANKS.get(parts[1])
    return None


def without_comments(text):
    """The same lines with comments and the contents of strings blanked."""
    def blank(match):
        found = match[0]
        if found[0] == '"':
            return '""'
        if found[0] == "'":
            return "0"
        return re.sub(r"[^\n]", " ", found)

    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, blank, text, flags=re.DOTALL)


def include_error(file, header):
    """Why a file must not include a header, or None."""
    if (file, header) in EXTRA_INCLUDES:
        return None
    mine = rank(file)
    if header in GENERATED:
        return None if mine == ABI_RANK else "generated headers are for abi/"
    theirs = rank(header)
    if theirs is None:
        return "not a path from the root into abi/ or runtime/"
    return None if theirs <= mine else "goes up the layers"


def sibling_errors(edges):
    """Pairs of folders of one rank that include each other."""
    pairs = {(a, b) for a, b in edges if a != b and RANKS.get(a) == RANKS.get(b)}
    return [
        f"runtime/{a} and runtime/{b} include each other ({edges[a, b]}, {edges[b, a]})"
        for a, b in sorted(pairs)
        if a < b and (b, a) in pairs
    ]


def functions(lines):
    """(first line, last line, signature) of each function that ends with a brace in column 0."""
    start, open_line = None, None
    for number, line in enumerate(lines, 1):
        if open_line is None:
            if re.match(r"[A-Za-z_]", line) and not line.rstrip().endswith((";", ":")):
                if start is None:
                    start = number
            signature = " ".join(lines[start - 1 : number]) if start else ""
            if line.rstrip().endswith("{") and start:
                is_function = "(" in signature and "=" not in signature.split("(")[0]
                if is_function and not re.match(r"(typedef|struct|enum|union)\b[^(]*\{", signature):
                    open_line = number
                else:
                    start = None
            elif line.rstrip().endswith((";", "}")):
                start = None
        elif line.startswith("}"):
            yield start, number, " ".join(lines[start - 1].split())
            start, open_line = None, None


def check_file(root, path, edges):
    """Errors of one file; notes the folders that include one another in edges."""
    file = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    errors = []
    if rank(file) is None:
        return [f"{file}: belongs to no layer"]
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.MULTILINE):
        line, header = text.count("\n", 0, match.start()) + 1, match[1]
        why = include_error(file, header)
        if why:
            errors.append(f'{file}:{line}: "{header}": {why}')
        if file.startswith("runtime/") and header.startswith("runtime/"):
            pair = (file.split("/")[1], header.split("/")[1])
            edges.setdefault(pair, f"{file}:{line}")
    lines = without_comments(text).splitlines()
    if len(lines) > MAX_FILE_LINES:
        errors.append(f"{file}: {len(lines)} lines, limit {MAX_FILE_LINES}")
    for first, last, signature in functions(lines):
        length = last - first + 1
        if length > MAX_FUNCTION_LINES:
            what = f"{length} lines, limit {MAX_FUNCTION_LINES}"
            errors.append(f"{file}:{first}: {what}: {signature}")
    if not file.startswith("runtime/arch/") and file not in MAY_NAME:
        for number, line in enumerate(lines, 1):
            if path.suffix == ".S" or MACHINE.search(line):
                errors.append(f"{file}:{number}: machine code outside runtime/arch: {line.strip()}")
                break
    if file.startswith("runtime/") and file not in MAY_END:
        for number, line in enumerate(lines, 1):
            if ENDING.search(line):
                errors.append(f"{file}:{number}: ends the process: {line.strip()}")
    return errors


def check_tree(root):
    """Errors of all C and assembler files under abi/ and runtime/."""
    errors, edges, count = [], {}, 0
    for folder in ("abi", "runtime"):
        for path in sorted((root / folder).rglob("*.[chS]")):
            errors += check_file(root, path, edges)
            count += 1
    return errors + sibling_errors(edges), count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parents[1]
    parser.add_argument("--root", type=pathlib.Path, default=default, help="the source tree")
    args = parser.parse_args()
    errors, count = check_tree(args.root)
    for error in errors:
        print(f"error: {error}")
    print(f"{len(errors)} errors in {count} files" if errors else f"ok: {count} files")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
