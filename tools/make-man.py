#!/usr/bin/env python3
# make-man.py - the manual page of the nanogomp command, with the command's own help texts in it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make-man.py OUTPUT

Fills tools/nanogomp.1.in: @VERSION@, and each @HELP run@ with what `nanogomp run --help` prints.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    text = (HERE / "nanogomp.1.in").read_text(encoding="utf-8")
    text = text.replace("@VERSION@", said("--version").split()[1])
    text = re.sub(r"@HELP (\w+)@", lambda match: escaped(said(match[1], "--help")), text)
    pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
