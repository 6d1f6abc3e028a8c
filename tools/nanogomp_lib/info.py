# info.py - `nanogomp info`: what the library says of itself
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library is loaded in a child process, so that it sees the environment and the CPUs that a
program would see, and nothing of it stays in this one. A report line "abi missing: NAME@NODE ..."
names symbols that are not there yet; it may come several times and shows with --abi."""

import argparse
import json
import os
import subprocess
import sys

from nanogomp_lib import exits, library, machine

TIMEOUT_SECONDS = 100
# Types in the JSON; all other values are texts. A key has one type, whatever its value.
NUMBERS = {"abi_done", "abi_total", "abi_own", "cpus_allowed", "thread-limit-var", "stacksize-var",
           "max-active-levels-var", "max-task-priority-var", "nteams-var", "teams-thread-limit-var",
           "default-device-var"}
BOOLEANS = {"dyn-var", "cancel-var", "display-affinity-var"}
NUMBER_LISTS = {"nthreads-var"}
# int nth_report(char *buf, size_t size): "key: value" lines; returns their length like snprintf
CHILD = """
import ctypes, sys
report = ctypes.CDLL(sys.argv[1]).nth_report
report.restype, report.argtypes = ctypes.c_int, (ctypes.c_char_p, ctypes.c_size_t)
size = 65536
while True:
    buffer = ctypes.create_string_buffer(size)
    length = report(buffer, size)
    if length < size:
        break
    size = length + 1
sys.stdout.buffer.write(buffer.value)
sys.exit(0 if length >= 0 else 1)
"""


def read_report(lib, environment):
    """[(key, value)] as the library gives them."""
    if not lib.is_nanogomp:
        raise library.NoLibrary("%s: is another libgomp, it has no nth_report" % lib.path)
    made = {**environment, "LD_LIBRARY_PATH": lib.path_list(environment.get("LD_LIBRARY_PATH"))}
    try:
        child = subprocess.run([sys.executable, "-I", "-c", CHILD, lib.path], env=made,
                               stdout=subprocess.PIPE, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise library.NoLibrary("%s: no report in %d s" % (lib.path, TIMEOUT_SECONDS)) from error
    if child.returncode != 0:
        raise library.NoLibrary("%s: no report (status %d)" % (lib.path, child.returncode))
    pairs = []
    for line in child.stdout.decode(errors="replace").splitlines():
        key, colon, value = line.partition(":")
        if colon:
            pairs.append((key.strip(), value.strip()))
    return pairs


def is_missing_row(key):
    return key.startswith("abi missing")


def typed(key, value):
    """A value as JSON has it."""
    if key in NUMBERS and value.isdigit():
        return int(value)
    if key in BOOLEANS and value in ("true", "false"):
        return value == "true"
    if key in NUMBER_LISTS and value.replace(",", "").isdigit():
        return [int(number) for number in value.split(",") if number]
    return value


def as_object(pairs):
    """For JSON: a key that comes several times gets a list."""
    result = {}
    for key, text in pairs:
        value = typed(key, text)
        if is_missing_row(key):
            result.setdefault(key, []).extend(text.split())
        elif key in result:
            old = result[key]
            result[key] = (old if isinstance(old, list) else [old]) + [value]
        else:
            result[key] = value
    return result


def main(tool, argv):
    p = argparse.ArgumentParser(prog="nanogomp info", description="What the library says of "
                                "itself: version, ABI, CPUs allowed and why, settings (ICVs).")
    p.add_argument("--abi", action="store_true", help="list the symbols that are missing too")
    p.add_argument("--json", action="store_true", help="one JSON object")
    p.add_argument("--lib", metavar="DIR", help="folder of libgomp.so.1")
    options = p.parse_args(argv)
    try:
        lib = library.find(tool, options.lib, os.environ)
        pairs = [("library", lib.path)] + read_report(lib, os.environ)
    except library.NoLibrary as error:
        print("nanogomp: " + str(error), file=sys.stderr)
        return exits.CANNOT
    if not options.abi:
        pairs = [pair for pair in pairs if not is_missing_row(pair[0])]
    seen = machine.read(pairs)
    rows = [pair for pair in pairs if not seen or pair[0] not in machine.KEYS]
    if options.json:
        print(json.dumps({**as_object(rows), **({"machine": seen} if seen else {})}, indent=2))
        return 0
    width = max(len(key) for key, _ in rows if not is_missing_row(key))
    for key, value in rows:
        if is_missing_row(key):
            print("\n".join("missing  " + name for name in value.split()))
        else:
            print("%-*s  %s" % (width, key, value))
    if seen:
        print("\n".join(machine.draw(seen, pairs)))
    return 0
