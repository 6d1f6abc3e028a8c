#!/usr/bin/env python3
# check-layers.py - who includes and calls whom, how long files and functions are, who may exit
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules (docs/design.md), checked over abi/ and runtime/:

rooms      abi -> runtime/{acc,nth} -> the rooms of runtime/omp -> those of runtime/sched ->
           those of runtime/place -> runtime/{mem,struct} -> runtime/base -> runtime/watch ->
           runtime/arch, in the order of ROOMS: a room includes and calls itself and what is below.
           Rooms of one rank may include each other one way only (mem takes its lock from struct).
           What a room needs from above it asks for by a hook that the upper room fills in
circles    no file includes itself by way of others
calls      from the symbols of the objects (nm) in a build folder: of functions and of variables;
           without such a folder they are not looked at. Nor are objects older than their source.
           With --build a missing or older object is an error
families   a struct that many rooms use (OWN_FIELDS) has few fields of its own: each family of
           operations has a struct for its fields
size       a room has at most 20 files and 4000 lines
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
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_ROOM_FILES, MAX_ROOM_LINES = 20, 4000
# Fields of these structs that are of no family's struct: these numbers may only become smaller.
OWN_FIELDS = {"nth_team": 15, "nth_slot": 5, "nth_task": 17}
HOMES = {"nth_team": "runtime/omp/types/team_type.h", "nth_slot": "runtime/omp/types/slot.h",
         "nth_task": "runtime/omp/types/task_type.h"}
# From the lowest room to the highest; rooms of one line are siblings.
ROOMS = (
    ("arch",), ("watch",), ("base",), ("mem", "struct"),
    ("place/cpus",), ("place/places",), ("place/domains",),
    ("sched/adapt",), ("sched/wait",), ("sched/share",), ("sched/nano",), ("sched/hold",),
    ("sched/threads",),
    ("omp/tool",), ("omp/race",), ("omp/types",), ("omp/member",), ("omp/nano",),
    ("omp/memory",), ("omp/env",),
    ("omp/queue",), ("omp/tasks",), ("omp/worksharing",), ("omp/sync",), ("omp/taskloop",),
    ("omp/team",), ("omp/told",), ("omp/process",), ("omp/target",),
    ("acc", "nth"),
)
RANKS = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms}
ABI_RANK = len(ROOMS)
GENERATED = {"abi_protos.h", "abi_symver.h", "abi_table.h", "nth_commit.h"}
MAY_END = ("runtime/base/check.h", "runtime/base/check.c")
# runtime/base/atomic.h hands its operations to the model checker under NTH_MODEL; omp-tools.h is
# installed, where its second part lies beside it
EXTRA_INCLUDES = {("runtime/base/atomic.h", "tests/model/bridge.h"),
                  ("runtime/omp/tool/omp-tools.h", "omp-tools-device.h"),
                  ("runtime/omp/tool/omp-tools.h", "ompd-tools.h")}
BUILD = "build/release"
MACHINE = re.compile(r"\b(?:asm|__asm|__asm__)\b|\b__builtin_(?:ia32|aarch64|arm)_|"
                     r"\b_(?:mm\d*|tzcnt|lzcnt|rd\w+)_\w+\s*\(|"
                     r"#\s*include\s*<(?:\w+intrin|arm_\w+|cpuid)\.h>")
MAY_NAME = ("runtime/sched/nano/self.h",)  # __asm__ there gives a variable its linker name
ENDING = re.compile(r"(?<![\w.>])(?:_?exit|_Exit|abort|quick_exit|"
                    r"__builtin_(?:trap|abort|_?exit|_Exit))\s*\(|\braise\s*\(\s*SIGABRT|"
                    r"\b(?:SYS|__NR)_exit_group\b")


def room(path):
    """Room of a file or header: abi, or a folder's path below runtime/; None when it is in none."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == "abi":
        return "abi"
    if parts[0] != "runtime":
        return None
    names = ("/".join(parts[1:end]) for end in (2, 3) if end < len(parts))
    return next((name for name in names if name in RANKS), None)


def rank(path):
    """Rank of a file's room, None when it belongs to none."""
    name = room(path)
    return ABI_RANK if name == "abi" else RANKS.get(name)


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


def own_fields(text, name):
    """How many fields of a struct, given without comments, are no structs; None: not there."""
    body = re.search(rf"^struct {name} {{\n(.*?)^}};", text, re.MULTILINE | re.DOTALL)
    if not body:
        return None
    body = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", body[1])  # _Atomic(T) and the like
    own = [field for field in re.sub(r"union|[{}]", "", body).split(";") if field.strip()
           and not re.match(r"\s*(?:NTH_HEAD|(?:_Alignas\s*)?struct \w+ \w+\s*$)", field)]
    return sum(1 + field.count(",") for field in own)


def include_error(file, header):
    """Why a file must not include a header, or None."""
    if (file, header) in EXTRA_INCLUDES:
        return None
    mine = rank(file)
    if header in GENERATED:
        return None if mine == ABI_RANK else "generated headers are for abi/"
    theirs = rank(header)
    if theirs is None:
        return "not a path from the root into abi/ or a room of runtime/"
    return None if theirs <= mine else "goes up the rooms"


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


def circle_errors(includes):
    """Files that include themselves by way of others. includes: {file: headers}."""
    errors, state = [], {}

    def visit(file, above):
        if state.get(file) == "open":
            circle = above[above.index(file):]
            errors.append("a circle of includes: " + " -> ".join([*circle, file]))
        if file in state:
            return
        state[file] = "open"
        for header in includes.get(file, ()):
            visit(header, [*above, file])
        state[file] = "closed"

    for file in sorted(includes):
        visit(file, [])
    return errors


def room_errors(sizes):
    """Rooms that are too large. sizes: {room: lines of each file}."""
    for name, lines in sorted(sizes.items()):
        if name != "abi" and (len(lines) > MAX_ROOM_FILES or sum(lines) > MAX_ROOM_LINES):
            limit = f"{MAX_ROOM_FILES} files, {MAX_ROOM_LINES} lines"
            yield f"runtime/{name}: {len(lines)} files, {sum(lines)} lines, limit {limit}"


def objects(root, build):
    """{source: object} of those that are not older than their source, and whether these are all."""
    found, complete = {}, True
    for folder in ("abi", "runtime"):
        for source in sorted((root / folder).rglob("*.[cS]")):
            name = source.relative_to(root).as_posix()
            ours = [build / f"CMakeFiles/nth_{folder}.dir/{name}.o"]
            if ours[0].exists() and ours[0].stat().st_mtime >= source.stat().st_mtime:
                found[name] = ours[0]
            elif not name.startswith("runtime/arch/"):
                complete = False
    return found, complete


def symbols(found):
    """({symbol: file that defines it}, [(file, symbol it uses)]) of objects."""
    defined, used = {}, []
    if not found:
        return defined, used  # without a file nm would look for a.out
    source_of = {str(path): source for source, path in found.items()}
    text = subprocess.run(["nm", "--print-file-name", *source_of], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, row = line.partition(".o:")
        *_, kind, symbol = row.split()
        source = source_of[path + ".o"]
        if kind == "U":
            used.append((source, symbol))
        elif kind.isupper():
            defined[symbol] = source
    return defined, used


def call_errors(root, build):
    """Errors in what the objects call, and a remark when not all are looked at."""
    if not shutil.which("nm") or not build.is_dir():
        return [], f"calls are not looked at: no {build if shutil.which('nm') else 'nm'}"
    found, complete = objects(root, build)
    defined, used = symbols(found)
    errors = [f"{file}: calls {symbol} of {defined[symbol]}: goes up the rooms"
              for file, symbol in used if symbol in defined and rank(defined[symbol]) > rank(file)]
    older = f"calls: {build} is older than some sources, these are not looked at"
    return errors, "" if complete else older


def check_file(root, path, notes):
    """Errors of one file; notes which folders and files it includes, and its length."""
    edges, includes, sizes = notes
    file = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    errors = []
    if rank(file) is None:
        return [f"{file}: belongs to no room"]
    sizes.setdefault(room(file), []).append(text.count("\n"))
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*(?:"|<(?=(?:runtime|abi)/))([^">]+)',
                             text, re.MULTILINE):
        line, header = text.count("\n", 0, match.start()) + 1, match[1]
        why = include_error(file, header)
        includes.setdefault(file, []).append(header)
        if why:
            errors.append(f'{file}:{line}: "{header}": {why}')
        if file.startswith("runtime/") and header.startswith("runtime/"):
            pair = (room(file), room(header))
            edges.setdefault(pair, f"{file}:{line}")
    code = without_comments(text)
    lines = code.splitlines()
    for name, most in OWN_FIELDS.items():
        own = own_fields(code, name)
        if own is None and file == HOMES[name]:
            errors.append(f"{file}: has no struct {name} that this check understands")
        elif own is not None and own > most:
            what = f"{own} fields of no family's struct, limit {most}"
            errors.append(f"{file}: struct {name}: {what}")
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


def check_tree(root, build):
    """Errors of all C and assembler files under abi/ and runtime/, how many, and a remark."""
    errors, notes, count = [], ({}, {}, {}), 0
    for folder in ("abi", "runtime"):
        for path in sorted((root / folder).rglob("*.[chS]")):
            errors += check_file(root, path, notes)
            count += 1
    edges, files, sizes = notes
    errors += sibling_errors(edges) + circle_errors(files) + [*room_errors(sizes)]
    wrong, remark = call_errors(root, build)
    return errors + wrong, count, remark


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree")
    parser.add_argument("--build", type=pathlib.Path,
                        help=f"of which objects are read: none may be older; {BUILD}")
    args = parser.parse_args()
    errors, count, remark = check_tree(args.root, args.build or args.root / BUILD)
    if args.build and remark:
        errors, remark = [*errors, remark], ""
    for error in errors:
        print(f"error: {error}")
    if remark:
        print(remark)
    print(f"{len(errors)} errors in {count} files" if errors else f"ok: {count} files")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
