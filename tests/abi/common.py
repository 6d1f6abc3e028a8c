# common.py - what the ABI checks share: the table, running tools, skipping, reporting
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "abi"))

import table as abi_table  # noqa: E402  (found through the line above)

SKIP = 77


def skip(word):
    """Ends the test: not run, and why."""
    print(f"skipped: {word}")
    sys.exit(SKIP)


def need(tool):
    """Path of a tool, or the test is skipped."""
    path = shutil.which(tool)
    if path is None:
        skip(f"no {tool}")
    return path


def compilers(gcc):
    """The compiler asked for, which must be there, and every gcc-<n> in PATH."""
    found = {os.path.realpath(need(gcc)): need(gcc)}
    for folder in os.get_exec_path():
        for path in sorted(pathlib.Path(folder).glob("gcc-[0-9]*")):
            if re.fullmatch(r"gcc-\d+", path.name) and os.access(path, os.X_OK):
                found.setdefault(os.path.realpath(path), str(path))
    return list(found.values())


def run(*command, ok=(0,), text=None):
    """Standard output of a command; any other exit status than those in ok is an error."""
    env = dict(os.environ, LC_ALL="C")
    done = subprocess.run(
        [str(word) for word in command],
        input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, check=False,
    )
    if done.returncode not in ok:
        print(done.stdout + done.stderr)
        sys.exit(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def finish(errors, summary):
    """Prints what is wrong, or the summary, and ends the test."""
    for error in errors:
        print(f"error: {error}")
    print(f"{len(errors)} errors" if errors else f"ok: {summary}")
    sys.exit(1 if errors else 0)
