#!/usr/bin/env python3
# check_omp_h.py - prototypes, type sizes and constants against the installed omp.h and openacc.h
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs are compiled with the compiler's headers, so ours must say the same.

Prototypes: omp.h and the table's declarations in one file; the compiler finds a difference.
Sizes and constants: one program with omp.h, one with abi/omp_types.h; both print, texts compared.
The same with acc_prof.h, which includes openacc.h, and abi/oacc_types.h; offsets of members too.
What the installed (older) header does not declare is left out.
"""

import argparse
import pathlib
import re
import tempfile

from common import ROOT, abi_table, compilers, finish, run

import gen  # tools/abi, put on the path by common

HEADERS = ("omp.h", "openacc.h", "acc_prof.h")


def available(gcc):
    """The installed ones of HEADERS, as include lines, and their text after preprocessing."""
    lines = "".join(
        f"#include <{name}>\n"
        for name in HEADERS
        if "yes" in run(gcc, "-E", "-P", "-xc", "-", text=has_include(name))
    )
    return lines, run(gcc, "-E", "-P", "-xc", "-", text=lines)


def has_include(name):
    return f"#if __has_include(<{name}>)\nyes\n#endif\n"


def check_prototypes(gcc, table, includes, declared):
    """Number of functions that both sides declare; the compiler ends the test at a conflict."""
    rows = [row for row in table.rows if row.twin == "-" and row.name[:4] in ("omp_", "acc_")]
    rows = [row for row in rows if row.name not in table.two_version or row.mark == "@@"]
    rows = [row for row in rows if re.search(rf"\b{row.name} *\(", declared)]
    lines = [gen.declaration(row.prototype, row.name) + ";" for row in rows]
    text = includes + "#include <stdint.h>\n" + "\n".join(lines)
    # the table says int where a header says the name of an enumeration as wide
    run(gcc, "-std=gnu17", "-Wall", "-Werror", "-Wno-enum-int-mismatch", "-fsyntax-only", "-xc",
        "-", text=text)
    return len(rows)


def printer(include, types, constants, members):
    """A program that prints the layout of types and the value of constants."""
    lines = [include, "#include <stddef.h>", "#include <stdio.h>", "int main(void)", "{"]
    lines += [f'  printf("{t} %zu %zu\\n", sizeof({t}), _Alignof({t}));' for t in types]
    lines += [f'  printf("{c} %lld\\n", (long long){c});' for c in constants]
    lines += [f'  printf("{t}.{m} %zu\\n", offsetof({t}, {m}));' for t, m in members]
    return "\n".join(lines + ["  return 0;", "}", ""])


def names_of(headers):
    """Types and constants that headers define, but for the library's own (nth_...)."""
    text = "".join((ROOT / header).read_text(encoding="utf-8") for header in headers)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    types = re.findall(r"^(?:typedef .*|\}) (omp_\w+_t);", text, re.MULTILINE)
    types += re.findall(r"^typedef int (acc_\w+_t);", text, re.MULTILINE)
    constants = re.findall(r"\b((?:ompx?|acc)_\w+) = ", text)
    constants += re.findall(r"#define (omp_\w+)", text)
    members = []
    for kind, tag, body in re.findall(r"^(struct|union) (acc_\w+) \{\n(.*?)^\};", text,
                                      re.MULTILINE | re.DOTALL):
        types.append(f"{kind} {tag}")
        members += [(f"{kind} {tag}", m) for m in re.findall(r"(\w+)[,;]", body)]
    return types, constants, members


def check_layout(gcc, declared, theirs, *ours):
    """The lines in which the two programs differ, and the number of lines."""
    def known(name):
        return re.search(rf"\b{name}\b", declared)

    types, constants, members = names_of(ours)
    types = [name for name in types if known(name)]
    constants = [name for name in constants if known(name)]
    members = [(name, member) for name, member in members if known(name)]
    outputs = []
    with tempfile.TemporaryDirectory() as folder:
        for include in (f"#include <{theirs}>", f'#include "{ours[0]}"'):
            program = pathlib.Path(folder) / f"p{len(outputs)}"
            text = printer(include, types, constants, members)
            run(gcc, "-std=gnu17", f"-I{ROOT}", "-xc", "-", "-o", program, text=text)
            outputs.append(run(program).splitlines())
    differences = [f"{theirs}: {a}; ours: {b}" for a, b in zip(*outputs) if a != b]
    return differences, len(outputs[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gcc", default="gcc")
    args = parser.parse_args()
    errors, words = [], []
    for gcc in compilers(args.gcc):
        includes, declared = available(gcc)
        if "omp.h" not in includes:
            finish([f"{gcc} has no omp.h"], "")
        functions = check_prototypes(gcc, abi_table.Table(), includes, declared)
        wrong, facts = check_layout(gcc, declared, "omp.h", "abi/omp_types.h")
        if "acc_prof.h" in includes:
            more, acc_facts = check_layout(gcc, declared, "acc_prof.h", "abi/oacc_types.h",
                                           "runtime/acc/prof_types.h")
            wrong += more
            if acc_facts < 80:
                wrong.append(f"only {acc_facts} facts of OpenACC found")
            facts += acc_facts
        errors += [f"{gcc}: {error}" for error in wrong]
        if functions < 50 or facts < 50:
            errors.append(f"{gcc}: only {functions} prototypes and {facts} facts found")
        words.append(f"{gcc}: {functions} prototypes, {facts} sizes and constants agree")
    finish(errors, "; ".join(words))


if __name__ == "__main__":
    main()
