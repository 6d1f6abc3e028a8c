# nthbench_stencil.py - `bench stencil`: a stencil on ranks of MPI with its exchange in tasks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the waiting for messages tasks hide. The kernel mpi_stencil runs each of its forms in
turn, so a share is of one process. Our library has libnanogomp-mpi.so with it, the others block."""

import argparse
import os
import re
import shutil

import nthbench_host as host
import nthbench_levels as levels
import nthbench_report as report

LINE = re.compile(r"# ranks \d+: tasks (\S+) s, outside (\S+) s, alone (\S+) s, share (\S+)")
MPI_TASKS = "libnanogomp-mpi.so"
COLUMNS = ("tasks", "outside", "alone", "share")
KEYS = ("ranks", "runtime")


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench stencil", usage="%(prog)s [options] [-- KERNEL OPTIONS..]",
        description="A stencil on several ranks of MPI. tasks: borders are exchanged in tasks, "
                    "outside: between regions, alone: not at all. share: alone over tasks, the "
                    "part of the speed without messages that is reached.")
    add = parser.add_argument
    add("--ranks", default="2,4", metavar="N,..", help="default %(default)s")
    add("--dir", metavar="DIR", help="where the built kernels are")
    return parser


def parse(parser, argv):
    cut = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_args(argv[:cut])
    options.command = argv[cut + 1:]
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.ranks):
        parser.error("--ranks wants numbers, as 2,4")
    return options


def command_of(runtime, ranks, program, options):
    command = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none"]
    if os.geteuid() == 0:
        command.append("--allow-run-as-root")
    library = os.path.join(os.path.dirname(runtime.path), MPI_TASKS)
    if os.path.exists(library):
        command += ["-x", "LD_PRELOAD=" + library]
    return command + [program] + options


def measure_once(session, runtime, ranks, program, options):
    """{column: value}, or what went wrong."""
    env = host.environment(runtime, session.threads)
    env.update(OMPI_MCA_btl="self,vader", OMPI_MCA_plm="isolated")
    outcome = host.run(command_of(runtime, ranks, program, options), env, session.limit)
    found = LINE.search(outcome.stdout)
    if outcome.trouble() or not found or "check=ok" not in outcome.stdout:
        return outcome.trouble() or "no result"
    values = dict(zip(COLUMNS, map(float, found.groups())))
    return {name: value * (1 if name == "share" else 1e9) for name, value in values.items()}


def measure(session, options, say):
    """{(ranks, runtime): [values of a round]}"""
    if not shutil.which("mpirun"):
        raise host.BenchError("no mpirun (openmpi-bin)")
    program = levels.find_program(options, "mpi_stencil")
    found = {(ranks, r.name): [] for ranks in options.ranks.split(",") for r in session.runtimes}
    for number in range(options.rounds):
        for ranks, name in found:
            runtime = next(r for r in session.runtimes if r.name == name)
            got = measure_once(session, runtime, ranks, program, options.command)
            found[ranks, name].append(got)
            if isinstance(got, str):
                say("round %d, %s ranks on %s: %s" % (number + 1, ranks, name, got))
    return found


def middle(rounds, column):
    values = [r[column] for r in rounds if not isinstance(r, str)]
    return report.median(values) if values else None


def table(found):
    rows = [["ranks", "runtime"] + list(COLUMNS) + ["rounds"]]
    for (ranks, name), rounds in found.items():
        good = sum(not isinstance(r, str) for r in rounds)
        rows.append([ranks, name] + [report.show(middle(rounds, c), "ns") for c in COLUMNS[:3]]
                    + [report.show_ratio(middle(rounds, "share")), "%d/%d" % (good, len(rounds))])
    return report.layout(rows)
