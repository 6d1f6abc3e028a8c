#!/usr/bin/env python3
# make-man.py - the manual pages, with help texts and tables of variables from their sources
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make-man.py OUTPUT

Fills the page's template, tools/NAME.in for an OUTPUT of that name:
  @VERSION@
  @SYNOPSIS@   the command's usage
  @HELP run@   what `nanogomp run --help` prints; the page must have each command
  @EXITS@      the commands' exit statuses (nanogomp_lib/exits.py)
  @OPENMP@     the variables that the library reads (runtime/omp/env/env_vars.c), with their rules
  @OWN@        nanogomp's own, from the table in docs/running.md; it must have each one that the
               library reads
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TABLE = "runtime/omp/env/env_vars.c"
DOCUMENT = "docs/running.md"
ROW = re.compile(r'\[NTH_ENV_\w+\] = \{"(\w+)"(.*?)\},\n', re.S)
OWN_ROW = re.compile(r"^\| `(NTH_\w+)` \| (.+?) \| (.+) \|$", re.M)
BY_GETENV = re.compile(r'getenv\("((?:NTH|OMP|GOMP)_\w+)"\)')


def said(*arguments):
    """What the command prints."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "COLUMNS": "74", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-B", str(HERE / "nanogomp"), *arguments]
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True, timeout=60).stdout


def escaped(text):
    """As groff takes it word by word."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").rstrip().splitlines()
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def commands():
    source = (HERE / "nanogomp").read_text(encoding="utf-8")
    return re.findall(r'"(\w+)"', re.search(r"^COMMANDS = \(([^)]*)\)", source, re.M)[1])


def is_for_users(name):
    return not name.startswith("NTH_TEST_")


def variables():
    """{name: (rule or None, what happens otherwise)} of all that the library reads."""
    text = (ROOT / TABLE).read_text(encoding="utf-8")
    defines = dict(re.findall(r'^#define (\w+) \\?\s*"(.*)"$', text, re.M))
    found = {}
    for name, rest in ROW.findall(text):
        rest = re.sub(r"\b([A-Z][A-Z_]+)\b(?![^\"]*\"(?:[^\"]*\"[^\"]*\")*[^\"]*$)",
                      lambda match: '"%s"' % defines.get(match[1], match[1]), rest)
        texts = re.findall(r'"([^"]*)"', re.sub(r'"\s+"', "", rest))
        found[name] = tuple(texts[:2]) if len(texts) >= 2 else (None, None)
    for path in sorted((ROOT / "runtime").rglob("*.c")):
        for name in BY_GETENV.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, (None, None))
    return {name: found[name] for name in sorted(found) if is_for_users(name)}


def own_table():
    """{name: (values, meaning)} in the document, without its marks."""
    text = (ROOT / DOCUMENT).read_text(encoding="utf-8")
    found = {}
    for name, values, meaning in OWN_ROW.findall(text):
        plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "")
                 for cell in (values, meaning)]
        found.setdefault(name, tuple(plain))
    return found


def own_text():
    known = own_table()
    missing = [name for name in variables() if name.startswith("NTH_") and name not in known]
    if missing:
        sys.exit("%s: no row for %s" % (DOCUMENT, ", ".join(missing)))
    return "\n".join(".TP\n.B %s\n%s\n.br\n%s" % (
        name, escaped("Values: %s." % known[name][0]), escaped(known[name][1]))
        for name in sorted(known))


def openmp_text():
    lines = []
    for name, (rule, otherwise) in variables().items():
        if name.startswith("NTH_"):
            continue
        text = "Wants %s; else %s." % (rule, otherwise) if rule else \
            "As OpenMP, OpenACC or libgomp have it."
        lines.append(".TP\n.B %s\n%s" % (name, escaped(text)))
    return "\n".join(lines)


def synopsis():
    usage = said("--help").partition("\n\n")[0].replace("usage:", "", 1)
    lines = []
    for line in usage.splitlines():
        words = line.split()
        lines.append(".B %s\n%s" % (escaped(" ".join(words[:2])), escaped(" ".join(words[2:]))))
    return "\n.br\n".join(map(str.rstrip, lines))


def exits_text():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(HERE))
    from nanogomp_lib import exits
    return "\n".join(".TP\n.B %d\n%s" % (number, escaped(text[0].upper() + text[1:] + "."))
                     for number, text in exits.ROWS)


def page(template):
    text = template.read_text(encoding="utf-8")
    has = re.findall(r"@HELP (\w+)@", text)
    missing = sorted(set(commands()) - set(has)) if has else []
    if missing:
        sys.exit("%s: no @HELP of %s" % (template, ", ".join(missing)))
    text = text.replace("@VERSION@", said("--version").split()[1])
    text = re.sub(r"@HELP (\w+)@", lambda match: escaped(said(match[1], "--help")), text)
    for mark, make in (("@SYNOPSIS@", synopsis), ("@EXITS@", exits_text),
                       ("@OPENMP@", openmp_text), ("@OWN@", own_text)):
        if mark in text:
            text = text.replace(mark, make())
    return text


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    output = pathlib.Path(sys.argv[1])
    output.write_text(page(HERE / (output.name + ".in")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
