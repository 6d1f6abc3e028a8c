# lines.py - `nanogomp lines`: which code makes cache lines go between processors, simulated
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under valgrind's tool lackey, whose trace nanogomp-lines (tools/lines) reads. The
figures are counts of an order of accesses in which one thread runs at a time, for caches without
end: what the program's sharing costs, not what a certain CPU counts. docs/lines.md tells more."""

import argparse
import json
import os
import shutil
import subprocess
import sys

from nanogomp_lib import lines_source as source
from nanogomp_lib import library, program

READER = "nanogomp-lines"
VALGRIND = ("valgrind", "-q", "--tool=lackey", "--trace-mem=yes", "--trace-sched=yes",
            "--fair-sched=yes")
KINDS = ("fetch", "claim", "take")
TITLES = {"fetch": "fetched", "claim": "claimed", "take": "taken"}
LEGEND = """fetched  loads of a line that others have and the processor has not
claimed  stores to a line that the processor shares with others
taken    stores to a line that others have and the processor has not"""
USAGE_ERROR, CANNOT = 2, 125


class CannotSimulate(Exception):
    """valgrind or the reader is not there, or left nothing to read."""


def parser_of():
    p = argparse.ArgumentParser(
        prog="nanogomp lines", usage="nanogomp lines [options] [--] program [argument ...]",
        description="Loads and stores for which a cache line has to go from one processor to "
                    "another, by the code that makes them. Simulated by valgrind: a thread is a "
                    "processor, its cache has no end, and one thread runs at a time. Takes some "
                    "thousand times as long as the program alone: give it a small problem.",
        epilog="nanogomp lines --top 10 -- ./a.out\n"
               "nanogomp lines --by line --as-is -- ./a.out      on the runtime that it has anyway",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = p.add_argument
    add("--by", choices=("function", "line", "file"), default="file", help="default: %(default)s")
    add("--top", type=int, default=20, metavar="N", help="rows; default %(default)s, 0: all")
    add("--line", type=int, default=64, metavar="BYTES", help="of a cache line; default 64")
    add("--json", metavar="FILE", help="everything, for other tools; -: standard output, without "
        "the program's own and without the table")
    add("--lib", metavar="DIR", help="the folder of our libgomp.so.1")
    add("--as-is", action="store_true", help="on the runtime that the environment gives")
    add("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def parse(argv):
    p = parser_of()
    options = p.parse_args(argv)
    if options.command[:1] == ["--"]:
        del options.command[0]
    if not options.command:
        p.error("which program?")
    if options.line < 1 or options.line & (options.line - 1) or options.line > 1 << 20:
        p.error("--line wants a power of two")
    return options


def reader_of(lib):
    path = os.path.join(lib.folder, READER)
    if not os.access(path, os.X_OK):
        raise CannotSimulate("%s: not there; it is built and installed with the library" % path)
    return path


def environment(lib, as_is):
    made = dict(os.environ)
    if not as_is:
        made["LD_LIBRARY_PATH"] = lib.path_list(made.get("LD_LIBRARY_PATH"))
    made.pop("LD_PRELOAD", None)  # valgrind has one of its own
    return made


class Counts:
    """What nanogomp-lines printed. events: {(file or None, offset): {kind: number}}"""

    def __init__(self, text):
        self.loads = self.stores = self.threads = 0
        self.events = {}
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "accesses":
                self.loads, self.stores = map(int, rest.split())
            elif word == "threads":
                self.threads = int(rest)
            elif word == "event":
                kind, number, offset, path = rest.split(" ", 3)
                key = (None if path == "-" else path, int(offset, 16))
                self.events.setdefault(key, dict.fromkeys(KINDS, 0))[kind] += int(number)

    def total(self, kind):
        return sum(counts[kind] for counts in self.events.values())


def simulate(command, made, reader, line_bytes, quiet=False):
    """(exit status of the program, Counts)"""
    if not shutil.which(VALGRIND[0]):
        raise CannotSimulate("valgrind is not installed")
    trace_out, trace_in = os.pipe()
    with subprocess.Popen([reader, str(line_bytes)], stdin=trace_out,
                          stdout=subprocess.PIPE) as read:
        os.close(trace_out)
        try:
            run = subprocess.Popen([*VALGRIND, "--log-fd=%d" % trace_in, *command], env=made,
                                   pass_fds=(trace_in,),
                                   stdout=subprocess.DEVNULL if quiet else None)
        finally:
            os.close(trace_in)
        text = read.stdout.read().decode(errors="surrogateescape")
        status = run.wait()
    counts = Counts(text)
    if read.returncode != 0 or counts.loads + counts.stores == 0:
        raise CannotSimulate("valgrind left no trace of %s (status %d)" % (command[0], status))
    return status, counts


class Row:
    """The events of one place."""

    def __init__(self, place):
        self.place = place
        self.counts = dict.fromkeys(KINDS, 0)

    @property
    def all(self):
        return sum(self.counts.values())


def rows_of(counts, by):
    """[Row], the largest first."""
    rows = {}
    for (path, offset), place in source.places(counts.events).items():
        row = rows.setdefault(place.name(by), Row(place.name(by)))
        for kind in KINDS:
            row.counts[kind] += counts.events[path, offset][kind]
    return sorted(rows.values(), key=lambda row: (-row.all, row.place))


def table(rows, top):
    shown = rows[:top] if top > 0 else rows
    lines = ["%9s %9s %9s  where" % tuple(TITLES[kind] for kind in KINDS)]
    lines += ["%9d %9d %9d  %s" % (*(row.counts[kind] for kind in KINDS), row.place)
              for row in shown]
    rest = rows[len(shown):]
    if rest:
        lines.append("%9d %9d %9d  %d more" % (
            *(sum(row.counts[kind] for row in rest) for kind in KINDS), len(rest)))
    return "\n".join(lines)


def document(counts, rows, options):
    return {"simulated": "valgrind lackey, MESI, caches without end, one thread at a time",
            "command": options.command, "line_bytes": options.line, "threads": counts.threads,
            "loads": counts.loads, "stores": counts.stores,
            "total": {kind: counts.total(kind) for kind in KINDS},
            "rows": [dict(row.counts, where=row.place) for row in rows]}


def write_json(path, what):
    text = json.dumps(what, indent=1) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def report(options, status, counts):
    rows = rows_of(counts, options.by)
    if options.json:
        write_json(options.json, document(counts, rows, options))
    if options.json != "-":
        if status != 0:
            print("nanogomp: %s ended with status %d" % (options.command[0], status),
                  file=sys.stderr)
        print("\nSIMULATED: threads %d, each with a cache without end, lines of %d bytes; %d "
              "loads, %d stores\n" % (counts.threads, options.line, counts.loads, counts.stores))
        print(table(rows, options.top) + "\n\n" + LEGEND)
    return status if status >= 0 else 128 - status


def main(tool, argv):
    options = parse(argv)
    try:
        lib = library.find(tool, options.lib, os.environ)
        options.command[0] = program.find(options.command[0])
        sys.stdout.flush()
        status, counts = simulate(options.command, environment(lib, options.as_is), reader_of(lib),
                                  options.line, options.json == "-")
        return report(options, status, counts)
    except program.CannotRun as error:
        print("nanogomp lines: " + str(error), file=sys.stderr)
        return error.status
    except (library.NoLibrary, CannotSimulate, OSError) as error:
        print("nanogomp lines: " + str(error), file=sys.stderr)
        return CANNOT
