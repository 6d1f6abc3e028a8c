#!/usr/bin/env python3
# check-format.py - sources look as .clang-format says, and no line is over 100 columns
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three rules:

format   clang-format changes nothing in the C and C++ sources
columns  no line of the sources and pages is longer than 100 characters. Long tables are free: see
         TABLES, and in Markdown rows of tables, code between ``` and lines that are one link
subject  the last commit's subject has fewer than 72 characters

clang-format is the one that tools/setup installs, else one of the same version: others differ.
Without it the first rule is left out, and the exit status is 77. --fix formats the files in place.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = "23."
COLUMNS = 100
SUBJECT = 71
SKIPPED = 77
FOLDERS = ("runtime", "abi", "ompd", "tests", "tools", "cmake", ".ci", "docs", "*.md")
# Assembler under a C name.
NOT_C = {"runtime/arch/notes.h"}
# One row a line, whatever its length; or written by a program.
TABLES = re.compile(r"symbols\.def$|\.(json|xml|tsv|png|svg)$|(^|/)Cargo\.lock$")


def sources(root):
    """Paths of the tracked files, relative; of a tree without git, of all."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", *FOLDERS, "CMakeLists.txt"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            check=False)
    if listed.returncode == 0 and listed.stdout:
        return [path for path in listed.stdout.split("\0") if path and (root / path).is_file()]
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def tool(name):
    """The installed program, if its version is the one that the files are written by."""
    for path in (ROOT / "build" / "venv" / "bin" / name, shutil.which(name)):
        if path and pathlib.Path(path).exists():
            said = subprocess.run([str(path), "--version"], stdout=subprocess.PIPE, text=True,
                                  check=False).stdout
            if f"version {VERSION}" in said:
                return str(path)
    return None


def badly_formatted(root, paths, fix):
    """Errors, one a file that clang-format would change; None: there is no clang-format."""
    program = tool("clang-format")
    if not program:
        return None
    style = (ROOT / ".clang-format").read_text(encoding="utf-8")
    errors = []
    for language, endings in (("C", (".c", ".h")), ("Cpp", (".cpp",))):
        mine = [path for path in paths if path.endswith(endings) and path not in NOT_C]
        with tempfile.NamedTemporaryFile("w", suffix=".clang-format") as file:
            file.write(style.replace("Language: C\n", f"Language: {language}\n"))
            file.flush()
            errors += formatted_otherwise(program, file.name, root, mine, fix) if mine else []
    return errors


def formatted_otherwise(program, style, root, paths, fix):
    """Errors, one a file that clang-format would change by the style of a file."""
    mode = ["-i"] if fix else ["--dry-run", "-Werror"]
    done = subprocess.run([program, *mode, "--style=file:" + style, *paths],
                          cwd=root, stderr=subprocess.PIPE, text=True, check=False)
    found = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: ", done.stderr, re.MULTILINE)))
    if done.returncode != 0 and not found:
        return [f"clang-format: {done.stderr.strip()[:500]}"]
    return [f"{path}: clang-format would change it; tools/check-format.py --fix does" for path in
            found]


def free(line, markdown, fenced):
    """Whether the line may be long: a table's, code's, or one link."""
    text = line.strip()
    return markdown and (fenced or text.startswith("|") or " " not in text.lstrip("-* "))


def long_lines(root, paths):
    """Errors, one a line that is too long."""
    errors = []
    for path in paths:
        if TABLES.search(path):
            continue
        try:
            lines = (root / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        fenced = False
        for number, line in enumerate(lines, 1):
            fenced ^= line.lstrip().startswith("```")
            if len(line) > COLUMNS and not free(line, path.endswith(".md"), fenced):
                errors.append(f"{path}:{number}: {len(line)} columns, limit {COLUMNS}")
    return errors


def long_subject(root):
    """An error if the last commit's subject is too long; none without git."""
    done = subprocess.run(["git", "-C", root, "log", "-1", "--format=%s"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    subject = done.stdout.strip()
    return ([] if len(subject) <= SUBJECT else
            [f"the last commit's subject has {len(subject)} characters, limit {SUBJECT}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at")
    parser.add_argument("--fix", action="store_true", help="let clang-format change the files")
    arguments = parser.parse_args()
    paths = sources(arguments.root)
    unformatted = badly_formatted(arguments.root, paths, arguments.fix)
    errors = [*(unformatted or []), *long_lines(arguments.root, paths),
              *long_subject(arguments.root)]
    for error in errors:
        print("error:", error)
    if unformatted is None:
        print(f"no clang-format {VERSION}x here (tools/setup installs it): formats not compared")
    print(f"{len(errors)} errors" if errors else f"ok: {len(paths)} files")
    return 1 if errors else SKIPPED if unformatted is None else 0


if __name__ == "__main__":
    sys.exit(main())
