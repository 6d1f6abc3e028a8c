# lines.py - `nanogomp lines`: which code makes cache lines go between processors, simulated
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under valgrind's tool lackey, whose trace nanogomp-lines (tools/lines) reads. The
figures are counts of an order of accesses in which one thread runs at a time, for caches without
end: what the program's sharing costs, not what a certain CPU counts. docs/lines.md tells more."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from nanogomp_lib import lines_data as data
from nanogomp_lib import lines_source as source
from nanogomp_lib import child, decide, exits, library, output, program, signals

READER = "nanogomp-lines"
VALGRIND = ("valgrind", "-q", "--tool=lackey", "--trace-mem=yes", "--trace-sched=yes",
            "--fair-sched=yes", "--child-silent-after-fork=yes")
SHARING = ("fetch", "claim", "take", "false")
MISSES = ("miss1", "miss2")
KINDS = SHARING + MISSES
TITLES = {"fetch": "fetched", "claim": "claimed", "take": "taken", "false": "false",
          "miss1": "1st miss", "miss2": "2nd miss"}
LEGEND = """fetched  loads of a line that others have and the processor has not
claimed  stores to a line that the processor shares with others
taken    stores to a line that others have and the processor has not
false    of fetched and taken: others had not stored there, but beside it in the same line"""
MISS_LEGEND = """
1st, 2nd miss  accesses that the processor's first level of caches, and both levels, did not have"""
DESCRIPTION = """Loads and stores for which a cache line has to go from one processor to another, by
the code that makes them or by the data. Simulated by valgrind: a thread is a
processor, its cache has no end unless --caches says so, and one thread runs at a
time. Takes some hundred to some thousand times as long as the program alone: give
it a small problem."""
EPILOG = """examples:
  nanogomp lines --top 10 -- ./a.out
  nanogomp lines --by line --as-is -- ./a.out      on the runtime that it has
  nanogomp lines --by data -- ./a.out              by variable and structure
  nanogomp lines --caches 32k:8,1m:16 -- ./a.out   misses of two levels as well

The exit status is the program's; 1: the program's is 0, but the file of --json, or standard
output, could not be written; 126: found but refused, 127: not found, 125: the library or
valgrind is missing."""


def say(text):
    print("nanogomp lines: " + text, file=sys.stderr)


class CannotSimulate(Exception):
    """valgrind or the reader is not there, or left nothing to read."""


def parser_of():
    p = argparse.ArgumentParser(
        prog="nanogomp lines", usage="nanogomp lines [options] [--] program [argument ...]",
        description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = p.add_argument
    add("--by", choices=("function", "line", "file", "data"), default="file",
        help="default: %(default)s; data: variables of the program, parts of nanogomp's structures")
    add("--top", type=int, default=20, metavar="N", help="rows; default %(default)s, 0: all")
    add("--line", type=int, default=64, metavar="BYTES", help="of a cache line; default 64")
    add("--caches", metavar="SIZE:WAYS,SIZE:WAYS", help="two levels of cache that each processor "
        "has, such as 32k:8,1m:16; default: one without end")
    add("--json", metavar="FILE", help="everything, for other tools; -: standard output, without "
        "the program's own and without the table")
    add("--lib", metavar="DIR", help="the folder of our libgomp.so.1")
    add("--as-is", action="store_true", help="on the runtime that the environment gives")
    add("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def are_caches(text, line_bytes):
    """Whether nanogomp-lines takes it as two levels."""
    levels = [re.fullmatch(r"(\d{1,9})([km]?):(\d{1,2})", level) for level in text.split(",")]
    if len(levels) != 2 or None in levels:
        return False
    for level in levels:
        ways = int(level[3])
        size = int(level[1]) << {"": 0, "k": 10, "m": 20}[level[2]]
        sets, rest = divmod(size, line_bytes * ways or 1)
        if not 1 <= ways <= 64 or rest or sets < 1 or sets & (sets - 1) or size > 1 << 32:
            return False
    return True


def parse(argv):
    p = parser_of()
    options = p.parse_args(argv)
    if options.command[:1] == ["--"]:
        del options.command[0]
    if not options.command:
        p.error("no program given")
    if options.line < 1 or options.line & (options.line - 1) or options.line > 1 << 20:
        p.error("--line wants a power of two")
    if options.caches and not are_caches(options.caches, options.line):
        p.error("--caches wants two levels such as 32k:8,1m:16, in each a power of two of lines "
                "for each way")
    options.json = output.file_of_rank(options.json)
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
    for name in ("LD_PRELOAD", "LD_AUDIT"):  # valgrind has one of its own
        made.pop(name, None)
    return made


def check(found, lib, options):
    """Says what will not be simulated; refuses a program that cannot run on our library."""
    if not options.as_is:
        plan = decide.plan_for(found, lib, os.environ, "path")
        if plan.wants_first:
            say("warning: LD_LIBRARY_PATH is not enough for %s: it may run on another library"
                % plan.wants_first)
    if found.is_script:
        say("%s is a script: what is simulated is %s, none of the programs that it starts; name "
            "the program itself" % (options.command[0], found.chain[-1]))


class Counts:
    """What nanogomp-lines printed. events: {(file or None, offset): {kind: number}}; data:
    {(address, offset, where): {kind: number}}"""

    def __init__(self, text):
        self.loads = self.stores = self.threads = 0
        self.events, self.data = {}, {}
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
            elif word == "data":
                kind, number, address, offset, where = rest.split(" ", 4)
                key = (int(address, 16), int(offset, 16), where)
                self.data.setdefault(key, dict.fromkeys(KINDS, 0))[kind] += int(number)

    def total(self, kind):
        return sum(counts[kind] for counts in self.events.values())


def simulate(command, made, reader, shape, quiet=False):
    """(status of the program as wait(2) has it, Counts). reader: nanogomp-lines; shape: its
    arguments"""
    if not shutil.which(VALGRIND[0]):
        raise CannotSimulate("valgrind is not installed")
    trace_out, trace_in = os.pipe()
    with signals.Watch() as watch, subprocess.Popen(
            [reader, *shape], stdin=trace_out, stdout=subprocess.PIPE) as read:
        os.close(trace_out)
        try:
            run = watch.start([*VALGRIND, "--log-fd=%d" % trace_in, *command], made,
                              pass_fds=(trace_in,), stdout=subprocess.DEVNULL if quiet else None)
        finally:
            os.close(trace_in)
        ended = watch.end(run)  # the reader does not end by a signal: it blocks what we do
        text = read.stdout.read().decode(errors="surrogateescape")
    counts = Counts(text)
    if read.returncode != 0 or counts.loads + counts.stores == 0:
        watch.end_if_asked(ended)
        raise CannotSimulate("valgrind left no trace of %s (status %d)" % (
            command[0], signals.shell_status(ended)))
    return ended, counts


class Row:
    """The events of one place."""

    def __init__(self, place):
        self.place = place
        self.counts = dict.fromkeys(KINDS, 0)

    @property
    def all(self):
        """By which rows are sorted: `false` counts what others count already; misses come last."""
        return (sum(self.counts[kind] for kind in ("fetch", "claim", "take")),
                self.counts["miss2"], self.counts["miss1"])


def names_of(counts, by, structures):
    """[(name, {kind: number})]"""
    if by == "data":
        names = data.Names(structures)
        return [(names.name_of(*key), found) for key, found in counts.data.items()]
    return [(place.name(by), counts.events[key])
            for key, place in source.places(counts.events).items()]


def rows_of(counts, by, structures=os.devnull):
    """[Row], the largest first. structures: the file that the library has written."""
    rows = {}
    for name, found in names_of(counts, by, structures):
        row = rows.setdefault(name, Row(name))
        for kind in KINDS:
            row.counts[kind] += found[kind]
    return sorted(rows.values(), key=lambda row: (tuple(-n for n in row.all), row.place))


def table(rows, top, kinds=SHARING):
    def line(cells, where):
        return " ".join("%9s" % cell for cell in cells) + "  " + where
    shown = rows[:top] if top > 0 else rows
    lines = [line((TITLES[kind] for kind in kinds), "where")]
    lines += [line((row.counts[kind] for kind in kinds), row.place) for row in shown]
    rest = rows[len(shown):]
    if rest:
        lines.append(line((sum(row.counts[kind] for row in rest) for kind in kinds),
                          "%d more" % len(rest)))
    return "\n".join(lines)


def caches_text(options):
    return "caches %s" % options.caches if options.caches else "each with a cache without end"


def document(counts, rows, options):
    return {"simulated": "valgrind lackey, MESI, %s, one thread at a time" % caches_text(options),
            "command": options.command, "line_bytes": options.line, "threads": counts.threads,
            "loads": counts.loads, "stores": counts.stores,
            "total": {kind: counts.total(kind) for kind in KINDS},
            "rows": [dict(row.counts, where=row.place) for row in rows]}


def report(options, status, counts, structures, written):
    """written: --json can be. Whether all that was asked for is written."""
    rows = rows_of(counts, options.by, structures)
    kinds = SHARING + (MISSES if options.caches and options.by != "data" else ())
    if options.json:
        content = json.dumps(document(counts, rows, options), indent=1) + "\n"
        written = output.write(options.json, content, say) and written
    if options.json != "-":
        if status != 0:
            say("%s ended with status %d" % (options.command[0], signals.shell_status(status)))
        print("\nSIMULATED: threads %d, %s, lines of %d bytes; %d loads, %d stores\n" % (
            counts.threads, caches_text(options), options.line, counts.loads, counts.stores))
        print(table(rows, options.top, kinds) + "\n\n" + LEGEND +
              (MISS_LEGEND if kinds != SHARING else ""))
    return written


def main(tool, argv):
    options = parse(argv)
    try:
        lib = library.find(tool, options.lib, os.environ)
        found = program.Program(options.command[0])
        check(found, lib, options)
        options.command[0] = found.path
        written = output.can_write(options.json, say)
        options.json = options.json if written else None
        sys.stdout.flush()
        made = environment(lib, options.as_is)
        shape = [str(options.line)] + ([options.caches] if options.caches else [])
        with tempfile.TemporaryDirectory(prefix="nanogomp-") as folder:
            made["NTH_STRUCTURES"] = os.path.join(folder, "structures")
            status, counts = simulate(options.command, made, reader_of(lib), shape,
                                      options.json == "-")
            written = report(options, status, counts, made["NTH_STRUCTURES"], written)
        return child.end_as(status, written)
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except (library.NoLibrary, CannotSimulate) as error:
        say(str(error))
        return exits.CANNOT
    except OSError as error:
        say(output.trouble(error))
        return exits.CANNOT
