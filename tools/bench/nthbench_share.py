# nthbench_share.py - `bench share`: programs beside each other on the same CPUs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ours with NTH_SHARE, in a table of its own, and without; others as they are. nthbench-share
(share.c) runs and counts."""

import argparse
import os
import re
import sys

import nthbench_host as host
import nthbench_option as option
import nthbench_report as report

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from nanogomp_lib import share_table  # noqa: E402

PROGRAM = "nthbench-share"
KEYS = ("experiment", "shape", "runtime")
EXPERIMENTS = ("equal", "idle", "kill")
SHAPES = ("loop", "barrier", "tasks", "regions")
PAIR = re.compile(r"(\w+) (-?[\d.]+)")
COLUMNS = {"equal": {"least", "most", "total"}, "idle": {"least", "most", "total"},
           "kill": {"middle", "worst"}}
SHARED = "-share"  # how a runtime is called that shares
TABLE = "bench-%d" % os.getpid()
WITHIN, BACK_MS = 100 / 1.1, 100  # what sharing is to reach: per cent, ms


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench share",
        description="Programs that run at the same time. equal: all work; each one should do an "
                    "equal part of what the machine does (least, most). idle: one sleeps half of "
                    "its time; together they should do all (total). kill: one is killed; back is "
                    "when the others have its CPUs. %s: with NTH_SHARE. gate: within 1.1 of that, "
                    "and within 100 ms." % (host.OURS + SHARED))
    add = parser.add_argument
    add("--experiments", default=",".join(EXPERIMENTS), metavar="NAME,..",
        help="default %(default)s")
    add("--shapes", default="loop,barrier,tasks,regions", metavar="SHAPE,..",
        help="of %s; default %%(default)s" % ",".join(SHAPES))
    add("--members", default="os,nano", metavar="KIND,..",
        help="members of ours; default %(default)s")
    add("--programs", type=int, default=2, metavar="N", help="default %(default)s")
    add("--period", type=option.positive, default=1000, metavar="MS",
        help="of which the idle one sleeps the second half; default %(default)s")
    add("--seconds", type=float, default=3, metavar="S", help="of a run; default %(default)s")
    return parser


def parse(parser, argv):
    options = parser.parse_args(argv)
    option.split_words(parser, options, experiments=EXPERIMENTS, shapes=SHAPES,
                       members=host.MEMBERS)
    if not 2 <= options.programs <= 16:
        parser.error("--programs wants 2 to 16")
    if not 0.01 <= options.seconds <= 40:
        parser.error("--seconds wants 0.01 to 40")
    return options


def measure_once(session, runtime, key, options):
    """{column: value}, or what went wrong."""
    command = [session.program(PROGRAM), key[0], key[1], str(options.programs),
               str(options.period), "%.3f" % options.seconds]
    outcome = host.run(command, host.environment(runtime, session.threads), session.limit)
    found = {name: float(value) for name, value in PAIR.findall(outcome.stdout)} \
        if not outcome.trouble() else {}
    return found if set(found) == COLUMNS[key[0]] else outcome.trouble() or "no result"


def measure(session, options, say):
    """{(experiment, shape, runtime): [values of a round]}"""
    if len(session.cpus) < 2:
        raise host.BenchError("bench share needs two CPUs")
    settings = {SHARED: {"NTH_SHARE": TABLE}, "": {"NTH_SHARE": "off"}}
    runtimes = {r.name: r for r in host.variants(session.runtimes, options.members, settings)}
    found = {(what, shape, name): [] for what in options.experiments for shape in options.shapes
             for name in runtimes}
    try:
        measure_rounds(session, options, say, runtimes, found)
    finally:
        for table in share_table.tables():  # nobody uses it again
            if table.name == TABLE:
                share_table.remove(table.segment)
    return found


def measure_rounds(session, options, say, runtimes, found):
    for number in range(options.rounds):
        say("round %d of %d: about %d s" % (number + 1, options.rounds,
                                            len(found) * (options.seconds + 1.2)))
        for key, rounds in found.items():
            rounds.append(measure_once(session, runtimes[key[2]], key, options))
            if isinstance(rounds[-1], str):
                say("round %d, %s: %s" % (number + 1, " ".join(key), rounds[-1]))


def holds(what, values):
    """Whether the medians are what sharing is to reach."""
    if what == "equal":
        return values["least"] >= WITHIN
    return values["total"] >= WITHIN if what == "idle" else values["worst"] <= BACK_MS


def row_of(key, rounds):
    good = [r for r in rounds if not isinstance(r, str)]
    values = {name: report.median([r[name] for r in good]) for name in COLUMNS[key[0]]} \
        if good else {}
    shown = ["%.0f %%" % values[name] if name in values else "-"
             for name in ("least", "most", "total")]
    shown += ["%.0f ms" % values[name] if name in values else "-" for name in ("middle", "worst")]
    gate = "-"
    if key[2].endswith(SHARED):
        gate = "met" if values and holds(key[0], values) else "SHORT"
    return [*key, *shown, gate, "%d/%d" % (len(good), len(rounds))]


def table(found):
    head = ["experiment", "shape", "runtime", "least", "most", "total", "back", "worst", "gate",
            "rounds"]
    return report.layout([head] + [row_of(*item) for item in found.items()])
