#!/usr/bin/env python3
# check-orders.py - every acquire and release carries a label whose other side exists
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the labels of atomic operations and writes docs/memory-orders.md. Looked at are runtime/,
abi/, ompd/ and the libraries of tools/ that programs load (FOLDERS).

An operation of runtime/base/atomic.h whose name ends in _acq, _rel or _acqrel carries on its
line (or on the line where its call ends) a comment with its labels:

    nth_store_rel(&slot->epoch, epoch); /* A */
    nth_xchg_acqrel(&head, node);       /* A, B */
    nth_load_acq(&slot->epoch);         /* djs:A */

A label is a capital letter and perhaps a digit. It belongs to the noun of its file (the stem:
djs for djs.h and djs.c); other files write noun:label. In tools/ the folder is the noun (hold for
tools/hold/join.c). The header of the noun says in its first comment, under "Orders", what the label
publishes. Text may follow the labels after ": ".

Rules: each label has a release side and an acquire side and is explained; each explained label
is used; nth_fence_full(), nth_fence_behind(), nth_fence_light() and nth_os_fence_all() have a label
too, and a fence's label stands at two fences or more.
A field declared _Atomic is never assigned or changed by an operator of C: that would be
sequentially consistent, without a name and a label. A name that a plain field has too is not looked
at; builds with clang find these, and reads, by -Watomic-implicit-seq-cst.
Operations of C11 or of the compiler with another order than relaxed have no label: outside
runtime/base/atomic.h there are none. tools/ompt is free to have them.
A side that lies outside (a system call, the creation of a thread) is named in the explanation:
"[no release: why]" or "[no acquire: why]"; for a fence "[one fence: why]".
"""

import argparse
import dataclasses
import pathlib
import re
import sys

OPERATION = re.compile(r"\bnth_(?!fence)\w+?_(acq|rel|acqrel)\s*\(|"
                       r"\bnth_(?:os_)?fence_(full|behind|light|all)\s*\((?!void)")
LABEL = r"(?:[a-z][a-z0-9_]*:)?[A-Z][0-9]?"
COMMENT = re.compile(rf"/\*\s*({LABEL}(?:,\s*{LABEL})*)\s*(?::\s[^\n]*?)?\*/")
SIDES = {"acq": ("acquire",), "rel": ("release",), "acqrel": ("release", "acquire"),
         "full": ("fence",), "behind": ("fence",), "light": ("fence",), "all": ("fence",)}
CHANGE = (r"(?:(?:\+\+|--)[\w.>\[\]-]*)?(?:->|\.)\s*(%s)\b\s*(?:\[[^\]]*\]\s*)*"
          r"(?:=(?!=)|(?:[+*/%%&|^-]|<<|>>)=|\+\+|--)")
BEFORE = r"(?:\+\+|--)[\w.>\[\]()*-]*?(?:->|\.)\s*(%s)\b(?!\s*(?:->|\.|\[|\())"
FOLDERS = ("runtime", "abi", "ompd", "tools/hold", "tools/mpi", "tools/ompt")
NOT_READ = ("runtime/base/atomic.h",)  # defines the operations
RAW = re.compile(r"\b(?:__sync_\w+|memory_order_(?!relaxed)\w+|__ATOMIC_(?!RELAXED)[A-Z_]+|"
                 r"atomic_(?:load|store|exchange|compare_exchange_\w+?|fetch_[a-z]+|"
                 r"flag_\w+?)(?=\s*\())")
COMPILER_ONLY = re.compile(r"\batomic_signal_fence\s*\([^)]*\)")
DOC = "docs/memory-orders.md"


@dataclasses.dataclass
class Label:
    """Where a label is used and what its header says about it."""

    text: str = ""
    header: str = ""
    fences: int = 0
    sites: dict = dataclasses.field(
        default_factory=lambda: {"release": [], "acquire": [], "fence": []}
    )

    def add(self, side, site):
        if site not in self.sites[side]:
            self.sites[side].append(site)


def noun_of(file):
    """The noun whose labels a file, relative to the root, writes without a noun."""
    path = pathlib.PurePosixPath(file)
    return path.parent.name if path.parts[0] == "tools" else path.stem


def blank_strings(text):
    """The same text without the contents of string literals."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def code_only(text):
    """The same text with comments blanked, line ends kept."""
    comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    return comment.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def call_end(code, start):
    """Index of the parenthesis that closes the one at or after start."""
    depth = 0
    for index in range(code.index("(", start), len(code)):
        depth += {"(": 1, ")": -1}.get(code[index], 0)
        if depth == 0:
            return index
    return len(code) - 1


def line_around(text, index):
    """The line that holds an index."""
    return text[text.rfind("\n", 0, index) + 1 : (text.find("\n", index) + 1 or len(text) + 1) - 1]


def function_at(code, index):
    """Name of the function or macro that an index lies in; the file's level has none."""
    before = code[:index]
    define = re.search(r"^#[ \t]*define[ \t]+(\w+)(?:[^\n]*\\\n)*[^\n]*\Z", before, re.MULTILINE)
    if define:
        return define[1]
    start = re.compile(r"^[A-Za-z_][^;{}=]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
    starts = list(start.finditer(before))
    return starts[-1][1] + "()" if starts else ""


def explanations(path):
    """{label: text} of the Orders part of a file's first comment."""
    first = re.match(r"\s*/\*(.*?)\*/", path.read_text(encoding="utf-8"), re.DOTALL)
    found, current, inside, indent = {}, None, False, 0
    for line in first[1].splitlines() if first else []:
        line = re.sub(r"^\s*\*? ?", "", line, count=1)
        section = re.match(r"([A-Z][a-z]+(?: [a-z]+)?)(?:\s{2,}|$)", line)
        if section:
            inside = section[1] == "Orders"
            line = line[len(section[1]):]
        if not inside:
            continue
        entry = re.match(r"\s*([A-Z][0-9]?)\s{2,}(\S.*)", line)
        if entry:
            current = entry[1]
            found[current] = entry[2].strip()
            indent = entry.start(2) + (len(section[1]) if section else 0)
        elif len(line) - len(line.lstrip()) < indent:
            current = None
        elif current and line.strip():
            found[current] += " " + line.strip()
    return found


def read_file(root, path, labels):
    """Notes the operations of one file in labels; returns the errors."""
    file = path.relative_to(root).as_posix()
    text = blank_strings(path.read_text(encoding="utf-8"))
    code = code_only(text)
    errors = []
    for match in OPERATION.finditer(code):
        number = code.count("\n", 0, match.start()) + 1
        end = call_end(code, match.start())
        near = line_around(text, match.start()) + "\n" + line_around(text, end)
        comments = COMMENT.findall(near)
        if not comments:
            errors.append(f"{file}:{number}: no label: {line_around(code, match.start()).strip()}")
            continue
        site = ":".join(filter(None, (file, function_at(code, match.start()))))
        for label in {word.strip() for found in comments for word in found.split(",")}:
            key = tuple(label.split(":")) if ":" in label else (noun_of(file), label)
            for side in SIDES[match[1] or match[2]]:
                labels.setdefault(key, Label()).add(side, site)
                labels[key].fences += side == "fence"
    return errors


def fields(code):
    """Names of the fields of all structs: those that are atomic, and the others."""
    atomic, plain = set(), set()
    for match in re.finditer(r"\b(?:struct|union)\s*(?:_Alignas\([^)]*\)\s*)?\w*\s*\{", code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        for declaration in re.split(r"[;{}]", code[match.end() : end - 1]):
            text = re.sub(r"_Atomic\s*\((?:[^()]|\([^()]*\))*\)|_Alignas\s*\([^)]*\)", " ",
                          declaration)
            names = [re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", part))
                     for part in text.split(",")]
            # a pointer to something atomic is not atomic itself
            into = atomic if re.search(r"_Atomic\s*\((?:[^()]|\([^()]*\))*\)(?!\s*\*)",
                                       declaration) else plain
            into.update(words[-1] for words in names if words)
    return atomic, plain


def plain_changes(file, code, names):
    """Assignments and other operators of C that change an atomic field; initialisers are none."""
    errors = []
    pattern = "|".join(sorted(names))
    for match in re.finditer("%s|%s" % (CHANGE % pattern, BEFORE % pattern), code) if names else ():
        if match[0].startswith(".") and re.search(r"[{,]\s*$", code[:match.start()]):
            continue
        line = line_around(code, match.start()).strip()
        number = code.count("\n", 0, match.start()) + 1
        errors.append(f"{file}:{number}: an operator changes an atomic field: {line}")
    return errors


def raw_operations(file, code):
    """Operations that are none of runtime/base/atomic.h and have an order, not relaxed."""
    if file.startswith("tools/ompt/"):
        return []
    code = COMPILER_ONLY.sub(lambda match: " " * len(match[0]), code)
    return [f"{file}:{code.count(chr(10), 0, match.start()) + 1}: an order without a name of "
            f"runtime/base/atomic.h: {line_around(code, match.start()).strip()}"
            for match in RAW.finditer(code)]


def operator_errors(codes):
    """Errors of one library in operators and operations. codes: {file: code}."""
    found = [fields(code) for code in codes.values()]
    names = (set().union(*(atomic for atomic, _ in found))
             - set().union(*(plain for _, plain in found)))
    return [error for file, code in codes.items()
            for error in plain_changes(file, code, names) + raw_operations(file, code)]


def explain(root, files, labels):
    """Adds what the headers say; errors for labels explained and not used, or twice."""
    errors = []
    for path in files:
        file = path.relative_to(root).as_posix()
        for name, text in explanations(path).items():
            label = labels.get((noun_of(file), name))
            if label is None:
                errors.append(f"{file}: label {name} is explained but never used")
            elif label.header and label.header != file:
                errors.append(f"{file}: label {name} is explained in {label.header} too")
            else:
                label.text, label.header = text, file
    return errors


def label_errors(labels):
    """Labels that lack a side or an explanation."""
    errors = []
    for (noun, name), label in sorted(labels.items()):
        where = next(site for sites in label.sites.values() for site in sites)
        if not label.text:
            errors.append(f"{noun}:{name} ({where}): no explanation under Orders in {noun}.h")
        for side, other in (("release", "acquire"), ("acquire", "release")):
            has_other = label.sites[other] and not label.sites[side]
            if has_other and f"[no {side}: " not in label.text:
                errors.append(f"{noun}:{name} ({where}): no {side} side")
        if label.fences == 1 and "[one fence: " not in label.text:
            errors.append(f"{noun}:{name} ({where}): a full fence without its partner")
    return errors


def document(labels):
    """Text of docs/memory-orders.md."""
    lines = [
        "# Memory orders", "",
        "Made by `tools/check-orders.py` from the labels in the code; do not edit. A label names",
        "one publication: what is written before a release side is seen after its acquire side.",
        "",
    ]
    for noun in sorted({noun for noun, _ in labels}):
        mine = [label for (owner, _), label in sorted(labels.items()) if owner == noun]
        header = next((label.header for label in mine if label.header), "")
        lines += [f"## {noun}" + (f" ({header})" if header else ""), ""]
        lines += ["| label | publishes | release | acquire | full fence |", "|---|---|---|---|---|"]
        for (owner, name), label in sorted(labels.items()):
            if owner == noun:
                cells = [name, label.text.replace("|", "\\|")]
                cells += ["<br>".join(sorted(sites)) for sites in label.sites.values()]
                lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description="Checks the labels of atomic operations.")
    default = pathlib.Path(__file__).resolve().parents[1]
    parser.add_argument("--root", type=pathlib.Path, default=default, help="the source tree")
    parser.add_argument("--check", action="store_true", help="do not write; fail when it is stale")
    args = parser.parse_args()

    files = [path for folder in FOLDERS for path in sorted((args.root / folder).rglob("*.[ch]"))]
    files = [path for path in files if path.relative_to(args.root).as_posix() not in NOT_READ]
    labels, errors = {}, []
    for path in files:
        errors += read_file(args.root, path, labels)
    errors += explain(args.root, files, labels) + label_errors(labels)
    codes = {path: code_only(blank_strings(path.read_text(encoding="utf-8"))) for path in files}
    for library in ("", "hold", "mpi", "ompt"):
        part = {path.relative_to(args.root).as_posix(): code for path, code in codes.items()}
        errors += operator_errors({file: code for file, code in part.items() if library ==
                                   (noun_of(file) if file.startswith("tools/") else "")})

    text, doc = document(labels), args.root / DOC
    if args.check:
        if not doc.exists() or doc.read_text(encoding="utf-8") != text:
            errors.append(f"{DOC} is stale: run tools/check-orders.py")
    else:
        doc.parent.mkdir(exist_ok=True)
        doc.write_text(text, encoding="utf-8")
    for error in errors:
        print(f"error: {error}")
    print(f"{len(errors)} errors" if errors else f"ok: {len(labels)} labels in {len(files)} files")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
