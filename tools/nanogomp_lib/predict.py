# predict.py - `nanogomp predict`: how a program would scale on a machine that is not at hand
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a run with one thread on this machine and replays the record by discrete-event
simulation. docs/predict.md tells what is recorded, the model and its limits."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

from nanogomp_lib import child, decide, exits, library, output, program
from nanogomp_lib import predict_machine as machines
from nanogomp_lib import predict_profile as profile
from nanogomp_lib import predict_program as programs
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_report as report
from nanogomp_lib import predict_trace as trace
from nanogomp_lib.predict_team import Policy

DEFAULT_CPUS = 64
NOT_IDLE = 0.05
EPILOG = """In the program's arguments {P} stands for the number of processors, {I} for that of
an inner team: a program that is told them is recorded for each number.

Costs: --show-costs prints the table with units. --measure takes what it can from
`nanogomp bench` on this machine; --costs reads a file of another machine.

The exit status is the program's, 0 with --replay and --check; 1: that is 0, but a file of --json,
--plot, --record or --save-costs, or standard output, could not be written, or a time of --check is
more than 10 % off; 126: found but refused, 127: not found, 125: no library, no record."""


def say(text):
    print("nanogomp predict: " + text, file=sys.stderr)


def number(least, most):
    def read(text):
        value = int(text) if text.isdigit() else -1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError("%r: want a number from %d to %d"
                                             % (text, least, most))
        return value
    return read


def traffic(text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError("%r: want GB/s, from 0 on" % text)
    return value


def numbers(text):
    return [number(1, machines.MOST)(word) for word in text.split(",")]


def parser():
    p = argparse.ArgumentParser(
        prog="nanogomp predict", usage="nanogomp predict [options] [--] program [argument ...]",
        description="Records an OpenMP program on one processor of this machine and predicts "
                    "its\ntime on 1 to %d processors." % machines.MOST,
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = p.add_argument
    add("--cpus", type=number(1, machines.MOST), metavar="N",
        help="a machine of so many processors in one domain (%d)" % DEFAULT_CPUS)
    add("--machine", metavar="TEXT", help="hwloc's synthetic description: 'numa:4 core:16 pu:1'")
    add("--processors", type=numbers, metavar="N,..", help="default: 1, 2, 4, ... all")
    add("--outer", type=number(1, machines.MOST), metavar="I",
        help="nested regions on two levels: I outer members, the processors shared among them")
    add("--fork", choices=("lwd", "gwd"), default="lwd", help="a descriptor a slave, or one")
    add("--join", choices=("flat", "tree"), default="flat", help="of joins and barriers")
    add("--pool", choices=("hier", "local", "central"), default="hier",
        help="where descriptors of tasks come from")
    add("--costs", metavar="FILE", help="costs of a machine: lines of name and ns, or JSON")
    add("--measure", action="store_true", help="costs of this machine, by nanogomp bench")
    add("--save-costs", metavar="FILE", help="write the table that is used")
    add("--show-costs", action="store_true", help="print the table that is used, and end")
    add("--traffic", type=traffic, default=0.0, metavar="GB/s",
        help="memory traffic of one processor at work; limited by the cost bandwidth")
    add("--clauses", choices=("auto", "honour", "ignore"), default="auto",
        help="num_threads clauses; auto: honour those beyond 1")
    add("--unsplit", choices=("each", "shared"), default="each",
        help="work of a region in no construct: each member does it all, or a part")
    add("--members", type=number(2, 256), metavar="N",
        help="a second run with N threads shows how static loops are balanced, and "
        "what it costs that data travel")
    add("--trim", action="store_true",
        help="leave out what comes before the regions and after them")
    add("--clock", choices=("cpu", "wall"), default="cpu",
        help="cpu: time in which the program has no CPU does not count")
    add("--events", type=number(1000, 100000000), default=4000000, metavar="N",
        help="room for so many events, 32 bytes each (%(default)s)")
    add("--record", metavar="FILE", help="keep the record")
    add("--replay", metavar="FILE", help="a kept record in place of a program")
    add("--check", action="store_true",
        help="compare the times for --processors (1,2) with those measured here")
    add("--kernels", metavar="DIR", help="--check: the programs of tests/kernels in this folder")
    add("--match", metavar="NAME,..", help="--check --kernels: these only")
    add("--repeat", type=number(1, 100), default=3, metavar="N",
        help="--check: the best of so many runs (%(default)s)")
    add("--json", metavar="FILE", help="everything, for other tools; -: print nothing else")
    add("--plot", metavar="FILE", help="speed-up as a picture (needs matplotlib)")
    add("--lib", metavar="DIR", help="folder of libgomp.so.1 and the recorder")
    add("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def parse(argv):
    p = parser()
    options = p.parse_args(argv)
    for name in ("json", "record", "plot", "save_costs"):
        setattr(options, name, output.file_of_rank(getattr(options, name)))
    if options.command[:1] == ["--"]:
        options.command = options.command[1:]
    if options.check and (options.json or options.plot):
        p.error("--check prints its table only: no --json, no --plot")
    if options.show_costs or options.check and options.kernels:
        return options
    if bool(options.command) == bool(options.replay) and not (options.save_costs
                                                              and not options.replay):
        p.error("no program given" if not options.command else "a program and --replay")
    if options.record and is_told(options.command):
        p.error("--record: with {P} or {I} in the command there are several")
    if options.check and options.replay:
        p.error("--check needs the program")
    return options


# --- the machine ---

def bench_costs(tool, lib, more=()):
    """Costs of this machine, and where each is from. more: options of `nanogomp bench`."""
    with tempfile.TemporaryDirectory(prefix="nanogomp-predict-") as folder:
        path = os.path.join(folder, "bench.json")
        command = [sys.executable, tool, "bench", "--rows", ",".join(machines.ROWS), "--rounds",
                   "5", "--runtimes", "nanogomp=" + lib.path, "--json", path, *more]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              universal_newlines=True) as done:
            try:
                said = done.communicate()[1]
            except BaseException:  # asked to end: it ends its programs
                done.terminate()
                raise
        if done.returncode != 0 or not os.path.exists(path):
            raise machines.BadMachine("--measure: nanogomp bench failed: " + said.strip()[-300:])
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    found, others = machines.measured_costs(content), content["machine"].get("others") or 0
    if others > NOT_IDLE:
        print("nanogomp predict: --measure: others used %.0f %% of the CPUs meanwhile; the costs "
              "are too high" % (100 * others), file=sys.stderr)
    return found, dict.fromkeys(found, "measured")


def make_machine(options, tool, lib):
    """(Machine, {cost: origin})"""
    if options.machine and options.cpus:
        raise machines.BadMachine("--machine and --cpus: one of them")
    size, per_domain = (machines.parse_synthetic(options.machine) if options.machine
                        else (options.cpus or DEFAULT_CPUS, None))
    if size > machines.MOST:
        raise machines.BadMachine("%d processors: at most %d" % (size, machines.MOST))
    costs, origins = {}, {}
    if options.measure:
        costs, origins = bench_costs(tool, lib)
    if options.costs:
        given = machines.read_costs(options.costs)
        costs.update(given)
        origins.update(dict.fromkeys(given, options.costs))
    return machines.Machine(size, per_domain, costs), origins


def processor_list(options, size):
    if options.processors:
        if max(options.processors) > size:
            raise machines.BadMachine("--processors: the machine has %d" % size)
        return options.processors
    found = [1]
    while found[-1] * 2 <= size:
        found.append(found[-1] * 2)
    return found if found[-1] == size else found + [size]


def settings_of(options):
    return programs.Settings(Policy(options.fork, options.join, options.pool), options.clauses,
                             options.traffic)


# --- the prediction ---

class Prediction:
    """A record, its tree, and the replays of it."""

    def __init__(self, record, options, other=None):
        """other: a record with several members."""
        self.record, self.settings = record, settings_of(options)
        if not record.is_serial:
            raise trace.BadRecord("%s: not recorded with one member a team" % record.path)
        self.steps, self.notes = trace.build(record)
        if options.unsplit == "shared":
            programs.prepare(self.steps, trace.SHARED)
        self.profiled = 0
        with trace.using(record):
            if other:
                self.balance(other)  # by the regions' order, so before some are left out
            if options.trim:
                self.steps = programs.trimmed(self.steps)
            self.span = programs.span(self.steps)

    def balance(self, other):
        """The record `other` of several members says how even the static loops are."""
        self.profiled = profile.attach(self.steps, other)
        if not self.profiled:
            self.notes.append("the run with --members has no region that this one has")

    def needs_balance(self):
        """Whether static loops or constructs have a part of the time that counts, while no second
        record tells how even the loops are and what it costs that data travel."""
        return not self.profiled and any(
            part(self.record, self.steps) > report.COUNTS
            for part in (report.shared_part, report.got_part))

    def replay(self, machine, processors, outer=None):
        with trace.using(self.record):
            return programs.Replay(machine, processors, self.settings, outer).run(self.steps)

    def rows(self, machine, processors, outer=None):
        self.base = self.replay(machine, 1).time
        replays = [self.replay(machine, n) for n in processors]
        if outer:
            replays += [self.replay(machine, n, outer) for n in processors if n >= 2 * outer]
        return [report.Row(replay, self.base, self.span) for replay in replays]


def is_told(command):
    """Does the program hear of the number of processors?"""
    return any("{P}" in word or "{I}" in word for word in command)


def told(command, processors, inner=1):
    return [word.replace("{P}", str(processors)).replace("{I}", str(inner)) for word in command]


def balance_record(options, lib, command, members, env):
    return recording.record(lib, command, members, options.events, "cpu", None, True, env)


def make_prediction(options, lib, quiet=False, processors=1, inner=1, env=()):
    other = None
    if options.replay:
        record = trace.Record(options.replay)
    else:
        command = told(options.command, processors, inner)
        record = recording.record(lib, command, 1, options.events, options.clock,
                                  options.record, quiet, env)
        if record.status != 0:
            say("%s ended with status %d" % (options.command[0], record.status))
        if options.members:
            other = balance_record(options, lib, command, options.members, env)
    return Prediction(record, options, other)


def told_rows(base, options, machine, lib, processors):
    """A record for each row: the program cuts its work by what it hears."""
    base.base = base.replay(machine, 1).time
    rows = []
    for n, outer in [(n, None) for n in processors] + [
            (n, options.outer) for n in processors if options.outer and n >= 2 * options.outer]:
        made = make_prediction(options, lib, True, n, n // outer if outer else 1)
        rows.append(report.Row(made.replay(machine, n, outer), base.base, made.span))
    return rows


def predict(options, machine, lib):
    """(the program's status as wait(2) has it, whether all files that were asked for are there)"""
    sys.stdout.flush()
    asked = options.json, options.record
    options.json, options.record = (path if output.can_write(path, say) else None for path in asked)
    made = make_prediction(options, lib, options.json == "-")
    written = (options.json, options.record) == asked and made.record.is_kept
    processors = processor_list(options, machine.size)
    if is_told(options.command):
        rows = told_rows(made, options, machine, lib, processors)
    else:
        rows = made.rows(machine, processors, options.outer)
    if options.json != "-":
        print(report.heading(made.record, made.steps, machine, made.settings, made.span,
                             made.base))
        print("\n" + report.table(rows) + "\n\n" + report.LEGEND)
        said = report.remarks(made.record, made.steps, made.notes, made.profiled, made.settings)
        if said:
            print(said)
    if options.json:
        content = report.document(made.record, machine, made.settings, rows, made.span, made.notes)
        written &= output.write(options.json, json.dumps(content, indent=2) + "\n", say)
    if options.plot:
        title = os.path.basename((options.command or [options.replay])[0])
        trouble = report.write_plot(options.plot, rows, title)
        if trouble:
            say(trouble)
            written = False
    return getattr(made.record, "ended", 0), written


def main(tool, argv):
    options = parse(argv)
    try:
        lib = None
        if options.measure or options.command or options.kernels:
            lib = library.find(tool, options.lib, os.environ)
        if options.command:
            found = program.Program(told(options.command, 1)[0])
            decide.plan_for(found, lib, os.environ, "path")  # refuses what cannot run on ours
            if found.needs_shell:
                options.command[:1] = ["/bin/sh", found.path]
        machine, origins = make_machine(options, tool, lib)
        table = machines.show_costs(machine.costs, origins)
        written = not options.save_costs or output.write(options.save_costs, table + "\n", say)
        if options.show_costs:
            print(table)
        elif options.check:
            from nanogomp_lib import predict_check
            return exits.if_written(predict_check.main(options, machine, lib), written)
        elif options.command or options.replay:
            status, complete = predict(options, machine, lib)
            return child.end_as(status, written and complete)
        return exits.if_written(0, written)
    except machines.BadMachine as error:
        say(str(error))
        return exits.USAGE
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except recording.CannotRecord as error:
        say(str(error))
        return child.end_as(error.ended) if error.ended else exits.CANNOT
    except (library.NoLibrary, trace.BadRecord) as error:
        say(str(error))
        return exits.CANNOT
    except OSError as error:
        say(output.trouble(error))
        return exits.CANNOT
