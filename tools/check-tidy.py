#!/usr/bin/env python3
# check-tidy.py - clang-tidy finds nothing in the library's sources
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy with the checks of .clang-tidy over runtime/, abi/ and ompd/, as BUILD compiles
them (its compile_commands.json). Takes 15 s of CPU.

Exit status 77 where there is no clang-tidy of the version that tools/setup installs.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SKIPPED = 77
AT_ONCE = 8  # files a call


def tool():
    """clang-tidy, looked for as check-format.py looks for clang-format."""
    return runpy.run_path(str(ROOT / "tools/check-format.py"))["tool"]("clang-tidy")


def compiled(root, build):
    """The library's C sources in compile_commands.json, relative to the tree's root."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    names = {os.path.relpath(command["file"], root) for command in commands}
    folders = ("runtime/", "abi/", "ompd/")
    return sorted(name for name in names if name.endswith(".c") and name.startswith(folders))


def look(program, root, build, files):
    """What clang-tidy prints on some files, and whether it was content."""
    done = subprocess.run([program, "--quiet", "-p", str(build), *files], cwd=root, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout, done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD", help="as build/release")
    arguments = parser.parse_args()
    program = tool()
    if not program:
        print("no clang-tidy of the version in .clang-tidy here: tools/setup installs it")
        return SKIPPED
    root, build = arguments.root.resolve(), arguments.build.resolve()
    files = compiled(root, build)
    parts = [files[i:i + AT_ONCE] for i in range(0, len(files), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda part: look(program, root, build, part), parts))
    if all(good for _, good in results):
        print(f"ok: {len(files)} files")
        return 0
    text = "\n".join(text for text, good in results if not good)
    errors = sorted(set(re.findall(r"^.*\berror: .*$", text, re.MULTILINE)))
    print("\n".join(line.replace(f"{root}/", "") for line in errors) or text)
    print(f"{len(errors)} errors in {len(files)} files")
    return 1


if __name__ == "__main__":
    sys.exit(main())
