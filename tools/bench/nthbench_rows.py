# nthbench_rows.py - the table of rows and the measuring of rounds.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A round runs every row; within a row the runtimes run one right after the other, in an order
that moves on by one each round, each time beside a fresh reading of the line round trip."""

import concurrent.futures
import copy
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import time

import nthbench_host as host
import nthbench_report as report

BUSY_SECONDS = "3600"
LAUNCHES = 15
MEMBERS = "members-*"
ON_DEMAND = (MEMBERS, "pools-*")  # rows that --rows must name
CALIBRATIONS = 5
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6}
PAIR_LEAD_NS = 300_000_000  # all processes of a pair or trio are up by then
MIN_ROUNDS = 3              # a slow row gets so many whatever its budget says
TIMEOUTS_ALLOWED = 2        # then the runtime is not tried again in that row


class Row:
    def __init__(self, fields):
        (self.name, self.program, self.sub, self.threads, env, self.unit, self.peers,
         goal, aim, efficiency) = fields
        self.env = {} if env == "-" else dict(s.split("=", 1) for s in env.split(","))
        self.goal, self.aim, self.efficiency = (
            None if text == "-" else float(text) for text in (goal, aim, efficiency))
        self.other = self.peers[1:] if self.peers.startswith("=") else None
        figure = re.fullmatch(r"([0-9.]+)(%s)" % "|".join(UNITS), self.peers)
        self.figure = float(figure[1]) * UNITS[figure[2]] if figure else None
        self.rounds = []      # dicts: line, values {runtime: ns, bytes or text}, speedups
        self.timeouts = {}    # runtime name -> how many
        self.spent = 0.0      # seconds

    def alternatives(self):
        """[[names], ...]: the first list of which something was measured counts."""
        if self.other:
            return [[host.OTHER_ROW]]
        if self.peers == "-" or self.figure is not None:
            return []
        return [a.split(",") for a in self.peers.split("|")]

    def compare_with(self, name):
        """Whatever the table says; its goals were meant for others."""
        self.peers, self.other, self.figure, self.goal, self.aim = name, None, None, None, None


def read_table(path=None):
    return host.read_tsv(path or os.path.join(host.HERE, "goals.tsv"), Row, "ten columns")


def select(rows, globs):
    if not globs:
        return [r for r in rows if not any(fnmatch.fnmatchcase(r.name, g) for g in ON_DEMAND)]
    patterns = [g for g in globs.split(",") if g]
    chosen = [r for r in rows if any(fnmatch.fnmatchcase(r.name, g) for g in patterns)]
    if not chosen:
        raise host.BenchError("no row matches %s; there are: %s"
                              % (globs, " ".join(r.name for r in rows)))
    return chosen


class Session:
    """What all measurements of one call share."""

    def __init__(self, bench_dir, runtimes, threads, cpus, limit):
        self.bench_dir = bench_dir
        self.runtimes = runtimes
        self.threads = threads
        self.cpus = cpus
        self.limit = limit  # seconds a process may take
        self.identities = {}  # name of a runtime -> its version, for the JSON
        self.turns = None  # of the work in a microsecond, the same for all processes of a call
        self.broken = False  # by the user; what was measured so far is shown

    def break_off(self):
        self.broken = True
        sys.stderr.write("\nbroken off: the table holds what was measured so far\n")

    def program(self, name):
        return os.path.join(self.bench_dir, name)

    def threads_of(self, row):
        return self.threads if row.threads == "T" else int(row.threads)

    def runtimes_of(self, row):
        """The runtimes of the call and the twins that the row's peers name; where a row has nothing
        but ours as its peers, other settings or another row, ours alone."""
        ours = [r for r in self.runtimes if r.name == host.OURS] or self.runtimes[:1]
        if row.other:
            return ours + [ours[0].twin(host.OTHER_ROW)]
        wanted = {name for names in row.alternatives() for name in names}
        own = {twin.name for twin in ours[0].twins()}
        chosen = [r for r in self.runtimes if r in ours or r.name in wanted] \
            if wanted and wanted <= own else list(self.runtimes)
        given = {r.name for r in chosen}
        return chosen + [twin for runtime in self.runtimes for twin in runtime.twins()
                         if twin.name in wanted - given]

    def calibrate(self):
        """The rows' work gets its unit, from the least disturbed of some processes."""
        command = [self.program("nthbench-micro"), "--calibrate"]
        for _ in range(CALIBRATIONS):
            value, _ = result_of(host.run(command, host.environment(self.runtimes[0], 1), 20),
                                 "turns")
            if isinstance(value, str):
                raise host.BenchError("nthbench-micro --calibrate: %s" % value)
            self.turns = max(self.turns or 0, value)

    def line_round_trip(self):
        """ns, or None where there is one CPU only."""
        if len(self.cpus) < 2:
            return None
        outcome = host.run([self.program("linert"), str(self.cpus[0]), str(self.cpus[1])],
                           dict(os.environ), 20)
        return None if outcome.trouble() else float(outcome.stdout.split()[1])

    def measure(self, row, runtime):
        """(value or trouble text, speed-up or None)"""
        env = host.environment(runtime, self.threads_of(row), row.env)
        if runtime.name == host.OTHER_ROW:
            row = copy.copy(row)
            row.sub = row.other
        return PROGRAMS[row.program](self, row, env)


def parse_lines(text):
    """`name number` lines -> dict"""
    found = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 2:
            try:
                found[fields[0]] = float(fields[1])
            except ValueError:
                pass
    return found


def result_of(outcome, key):
    trouble = outcome.trouble()
    if trouble:
        return trouble, None
    lines = parse_lines(outcome.stdout)
    return lines.get(key, "no value"), lines.get(key + ".speedup")


def measure_micro(session, row, env, extra=()):
    turns = ["--turns", "%.3f" % session.turns] if session.turns else []
    command = [session.program("nthbench-micro"), *extra, *turns, row.sub]
    return result_of(host.run(command, env, session.limit), row.sub)


def measure_start(session, row, env):
    del row
    command = [session.program("nthbench-host"), "launch", str(LAUNCHES),
               session.program("nthbench-start")]
    return result_of(host.run(command, env, session.limit), "launch")


def measure_first(session, row, env):
    """Whole processes; sub is a shape of nthbench-first and each member's work: `tasks:3ms`."""
    shape, _, work = row.sub.partition(":")
    program = session.program("nthbench-first")
    if not work:
        return result_of(host.run([program, shape], env, session.limit), shape)
    number, unit = re.fullmatch(r"([0-9.]+)(%s)" % "|".join(UNITS), work).groups()
    turns = float(number) * UNITS[unit] / UNITS["us"] * (session.turns or 1)
    command = [session.program("nthbench-host"), "launch", str(LAUNCHES), program, shape,
               "%.0f" % turns]
    return result_of(host.run(command, env, session.limit), "launch")


def measure_rss(session, row, env):
    tasks = [] if row.sub == "-" else [row.sub]
    return result_of(host.run([session.program("nthbench-start"), "rss", *tasks], env,
                              session.limit), "peak-rss")


def measure_beside(session, row, env, busy=1):
    with Busy(session, busy):
        return measure_micro(session, row, env)


def measure_beside2(session, row, env):
    return measure_beside(session, row, env, 2)


def measure_trio(session, row, env):
    return measure_pair(session, row, env, 3)


def measure_pair(session, row, env, processes=2):
    """Processes that begin at the same moment; the latest end counts."""
    at = ("--at", str(time.monotonic_ns() + PAIR_LEAD_NS))
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        both = []
        try:
            with host.signals_held():
                both += [pool.submit(measure_micro, session, row, env, at)
                         for _ in range(processes)]
            while not all(b.done() for b in both):
                time.sleep(0.1)  # a lock would not hear a signal that another thread has got
            values = [b.result()[0] for b in both]
        except BaseException:
            with host.signals_held():  # the impatient send a second one
                while not all(b.done() for b in both):  # one may be starting just now
                    host.kill_running()
                    time.sleep(0.01)
            raise
    for value in values:
        if isinstance(value, str):
            return value, None
    return max(values), None


def measure_mpi(session, row, env):
    """Two ranks of MPI; sub is a row of nthbench-mpi and how mpirun binds ranks."""
    sub, _, binding = row.sub.partition(":")
    command = ["mpirun", "-n", "2", "--oversubscribe", "--bind-to", binding]
    if os.geteuid() == 0:
        command.append("--allow-run-as-root")
    # one machine: neither a network nor a way to other hosts is looked for
    env.update(OMPI_MCA_btl="self,vader", OMPI_MCA_plm="isolated")
    return result_of(host.run(command + [session.program(MPI_PROGRAM), sub], env, session.limit),
                     sub)


PROGRAMS = {"micro": measure_micro, "start": measure_start, "first": measure_first,
            "rss": measure_rss, "beside": measure_beside, "beside2": measure_beside2,
            "pair": measure_pair, "trio": measure_trio, "mpi": measure_mpi}
MPI_PROGRAM = "nthbench-mpi"


def leave_out(rows, session, say):
    """The rows that can be measured here: those of MPI need it, and two CPUs."""
    wanting = "no mpirun (openmpi-bin)" if not shutil.which("mpirun") else \
        "no %s (libopenmpi-dev)" % MPI_PROGRAM if not os.path.exists(session.program(MPI_PROGRAM)) \
        else "one CPU" if len(session.cpus) < 2 else None
    without = [row.name for row in rows if row.program == "mpi"]
    if not wanting or not without:
        return rows
    say("left out, %s: %s" % (wanting, " ".join(without)))
    return [row for row in rows if row.program != "mpi"]


class Busy:
    """Processes that burn CPU time on the measured CPUs as long as the block lasts."""

    def __init__(self, session, count):
        self.command = [session.program("nthbench-host"), "busy", BUSY_SECONDS]
        self.count = count
        self.processes = []

    def __enter__(self):
        self.processes = [subprocess.Popen(self.command) for _ in range(self.count)]
        if self.count:
            time.sleep(0.05)
        return self

    def __exit__(self, *unused):
        for process in self.processes:
            process.kill()
            process.wait()


def say_row(number, rounds, index, count, row, entry, lasting):
    line = entry["line"]
    report.progress("[round %d/%d, row %d/%d] %s, line %s ns: %s" % (
        number, rounds, index, count, row.name, "-" if line is None else line,
        " ".join("%s=%s" % (k, v if isinstance(v, str) else "%.4g" % v)
                 for k, v in entry["values"].items())), lasting)


def say_round(number, rounds, start, lines):
    lines = [line for line in lines if line is not None]
    spread = "%.0f..%.0f ns" % (min(lines), max(lines)) if lines else "not measured"
    report.progress("[round %d/%d] done after %.0f s, line round trip %s" % (
        number, rounds, time.monotonic() - start, spread), True)


def measure_row(session, row, number):
    """One round of one row: all its runtimes, interleaved. Appends to row.rounds."""
    begin = time.monotonic()
    entry = {"round": number, "line": session.line_round_trip(), "values": {}, "speedups": {}}
    runtimes = session.runtimes_of(row)
    entry["values"] = dict.fromkeys(r.name for r in runtimes)  # the table's order, not this round's
    shift = (number - 1) % len(runtimes)
    for runtime in runtimes[shift:] + runtimes[:shift]:
        if row.timeouts.get(runtime.name, 0) >= TIMEOUTS_ALLOWED:
            value, speedup = "timeout", None
        else:
            value, speedup = session.measure(row, runtime)
        if value == "timeout":
            row.timeouts[runtime.name] = row.timeouts.get(runtime.name, 0) + 1
        entry["values"][runtime.name] = value
        if speedup is not None:
            entry["speedups"][runtime.name] = speedup
    row.rounds.append(entry)
    row.spent += time.monotonic() - begin
    return entry


def measure_rounds(session, rows, rounds, budget, verbose):
    """What was measured stays in the rows when the user breaks it off."""
    start = time.monotonic()
    try:
        for number in range(1, rounds + 1):
            lines = []
            for index, row in enumerate(rows, 1):
                if row.spent > budget and len(row.rounds) >= MIN_ROUNDS:
                    continue
                entry = measure_row(session, row, number)
                lines.append(entry["line"])
                say_row(number, rounds, index, len(rows), row, entry, verbose)
            say_round(number, rounds, start, lines)
    except KeyboardInterrupt:
        session.break_off()
