#!/usr/bin/env python3
# check_exports.py - the built library has exactly the symbols, nodes and properties it must have
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `readelf` of the library with abi/symbols.def.

Symbols: the done rows, each at its node with its mark, and nothing else. Nodes: all, with their
parents. Dynamic section: SONAME, NEEDED, NODELETE, BIND_NOW, TLS of one to three words with
initial-exec relocations.
"""

import argparse
import re

from common import abi_table, finish, need, run

TLS_LIMIT = 24  # bytes; more, and fewer copies of the library can be loaded at once
ALLOWED_NEEDED = {"libc.so.6"}
OLD_LIBC_NEEDED = {"libpthread.so.0", "libdl.so.2"}  # glibc before 2.34


def exported(readelf, library, objects=()):
    """{'name@@NODE'} of all functions and objects the library defines, and the other oddities.
    objects: the names that are variables."""
    symbols, odd = set(), []
    for line in run(readelf, "--dyn-syms", "-W", library).splitlines():
        cells = line.split()
        if len(cells) < 8 or not cells[0][:-1].isdigit() or cells[6] == "UND":
            continue
        kind, bind, visibility, section, name = cells[3:8]
        if (section == "ABS" and kind == "OBJECT") or kind == "SECTION":
            continue  # the mark of a version node; what aarch64's linker writes for itself
        wanted = "OBJECT" if name.partition("@")[0] in objects else "FUNC"
        if (kind, bind, visibility) != (wanted, "GLOBAL", "DEFAULT"):
            odd.append(f"{name} is {kind} {bind} {visibility}, not a plain {wanted}")
        symbols.add(name)
    return symbols, odd


def nodes(readelf, library):
    """{node: parent or '-'} of the library's version definitions, its own base name left out."""
    found, current = {}, None
    text = run(readelf, "-V", "-W", library)
    for line in text.partition("Version definition section")[2].splitlines():
        if line.startswith("Version needs section"):
            break
        definition = re.search(r"Flags: (\S+) .*Name: (\S+)", line)
        parent = re.search(r"Parent \d+: (\S+)", line)
        if definition:
            current = None if definition[1] == "BASE" else definition[2]
            if current:
                found[current] = "-"
        elif parent and current:
            found[current] = parent[1]
    return found


def compare(kind, wanted, got):
    """Errors for what is missing and what is too much."""
    return [f"{kind} missing: {item}" for item in sorted(wanted - got)] + [
        f"{kind} not in the table or todo: {item}" for item in sorted(got - wanted)
    ]


def dynamic_errors(readelf, library, old_libc):
    """SONAME, NEEDED and flags."""
    text = run(readelf, "-d", "-W", library)
    errors = []
    if re.findall(r"\(SONAME\).*\[(.*)\]", text) != ["libgomp.so.1"]:
        errors.append("SONAME is not libgomp.so.1")
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
    extra = needed - ALLOWED_NEEDED - (OLD_LIBC_NEEDED if old_libc else set())
    errors += [f"NEEDED {name}" for name in sorted(extra)]
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\)\s+(.*)", text))
    errors += [f"flag {flag} missing" for flag in ("NODELETE", "NOW") if flag not in flags.split()]
    if "(TEXTREL)" in text:
        errors.append("text relocations")
    if "(SYMBOLIC)" in text or "SYMBOLIC" in flags.split():
        errors.append("DF_SYMBOLIC: exported objects could not be interposed")
    segments = run(readelf, "-l", "-W", library)
    tls = re.search(r"^\s*TLS\s+\S+\s+\S+\s+\S+\s+\S+\s+(0x[0-9a-f]+)", segments, re.MULTILINE)
    if tls:
        size = int(tls[1], 16)
        if size > TLS_LIMIT:
            errors.append(f"TLS block of {size} bytes, limit {TLS_LIMIT}")
        # not the flag DF_STATIC_TLS: aarch64's linker does not set it
        if re.search(r"DTPMOD|DTPREL|DTPOFF|TLS_?DESC", run(readelf, "-r", "-W", library)):
            errors.append("TLS is not of the initial-exec model")
    if "GNU_RELRO" not in segments:
        errors.append("no RELRO segment")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--old-libc", action="store_true", help="glibc before 2.34")
    args = parser.parse_args()
    readelf = need("readelf")
    table = abi_table.Table()

    wanted = {f"{row.name}{row.mark}{row.node}" for row in table.done()}
    wanted |= {f"{row.name}@@{abi_table.NTH_NODE}" for row in table.nth if row.is_done}
    objects = {row.name for row in table.nth if row.kind == "object"}
    got, errors = exported(readelf, args.library, objects)
    errors += compare("symbol", wanted, got)

    wanted_nodes = {*table.nodes.items(), (abi_table.NTH_NODE, "-")}
    if re.search(r"Linker:.*\bLLD ", run(readelf, "-p", ".comment", args.library)):
        wanted_nodes = {(node, "-") for node, _ in wanted_nodes}  # it writes no parents
    errors += compare("node", wanted_nodes, set(nodes(readelf, args.library).items()))
    errors += dynamic_errors(readelf, args.library, args.old_libc)
    finish(errors, f"{len(got)} symbols, {len(wanted_nodes)} nodes")


if __name__ == "__main__":
    main()
