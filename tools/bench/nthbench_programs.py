# nthbench_programs.py - whole programs and the project's kernels on each runtime, interleaved.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program is timed as a whole and its output compared; a kernel tells its own time and value:
`KERNEL name ... seconds=S ... value=V`."""

import argparse
import contextlib
import fnmatch
import glob
import hashlib
import os
import re
import shlex
import shutil
import tempfile
import time

import nthbench_host as host
import nthbench_option as option
import nthbench_report as report

LIST = "programs.tsv"  # the project's own list
SETUP = "programs-setup"  # beside a list of columns: makes what its commands read
MEASURES = ("seconds", "value", "check")  # of a KERNEL line; its other keys name the run
REGIONS = re.compile(r"nanogomp: (\d+) parallel regions of more than one member")


class Task:
    """What to run: a command line, where, the files it writes, settings."""

    def __init__(self, name, command, cwd, outputs=(), env=None):
        self.name, self.command, self.cwd, self.outputs = name, command, cwd, list(outputs)
        self.env = dict(env or {})
        self.regions = None  # of more than one member in one run, as our library counts them


class Row:
    """A line of a list of columns; programs.tsv tells what they are."""

    def __init__(self, fields):
        self.name, packages, command, outputs, env, self.inputs, self.about = fields
        self.packages, self.command = packages.split(), shlex.split(command)
        self.outputs = [] if outputs == "-" else outputs.split()
        self.env = {} if env == "-" else dict(s.split("=", 1) for s in env.split())

    def task(self, folder):
        return Task(self.name, resolve(self.command, folder), folder, self.outputs, self.env)


class Measured:
    """One line of the table: seconds and answers of each runtime over the rounds."""

    def __init__(self, name, regions=None):
        self.name = name
        self.regions = regions
        self.rounds = []  # {"values": {runtime: ns or trouble}, "answers": {runtime: [text]}}
        self.verdicts = {}  # runtime -> same, DIFFERS, unsteady, or the trouble

    def wrong(self):
        return any(v not in ("same", "reference", "unsteady") for v in self.verdicts.values())

    def odd(self):
        """The cell of the output: what is not the same, by runtime."""
        odd = ["%s: %s" % v for v in self.verdicts.items() if v[1] not in ("same", "reference")]
        return "; ".join(odd) if odd else "same"

    def compare(self, names, same):
        """Every answer against the reference's first one. A reference that differs from itself
        proves nothing about the others."""
        answers = {n: [a for r in self.rounds for a in r["answers"].get(n, ())] for n in names}
        troubles = {n: [r["values"][n] for r in self.rounds
                        if isinstance(r["values"].get(n), str)] for n in names}
        reference = next((n for n in names if answers[n] and not troubles[n]), None)
        for name in names:
            if troubles[name]:
                self.verdicts[name] = troubles[name][0]
            elif reference is not None and answers[name]:
                first = answers[reference][0]
                equal = all(same(first, answer) for answer in answers[name])
                if name == reference:
                    self.verdicts[name] = "reference" if equal else "unsteady"
                elif not equal and self.verdicts.get(reference) == "unsteady":
                    self.verdicts[name] = "unsteady"
                else:
                    self.verdicts[name] = "same" if equal else "DIFFERS"

    def kept(self):
        return report.keep_rounds(self.rounds)[0]

    def ratios(self, ours, peer):
        return report.paired_ratios(self.kept(), ours, peer)

    def document(self, ours):
        names = list(dict.fromkeys(n for r in self.rounds for n in r["values"]))
        return {"name": self.name, "regions": self.regions, "verdicts": self.verdicts,
                "ratios": {n: report.median(self.ratios(ours, n)) for n in names
                           if n != ours and self.ratios(ours, n)},
                "rounds": [{"line": r["line"], "values": r["values"]} for r in self.rounds]}


# Command lines


def parser_of(mode):
    if mode == "programs":
        parser = argparse.ArgumentParser(
            prog="nanogomp bench programs", formatter_class=argparse.RawDescriptionHelpFormatter,
            usage="%(prog)s [options] (FILE | -- COMMAND ARGS..)",
            description="Whole programs on each runtime: wall time, and whether the output is "
                        "the same.\nFILE has a line a program: name | command | output files, or "
                        "is a table\nlike the project's %s" % LIST)
        parser.add_argument("file", nargs="?", help="list of programs; commands run in its folder, "
                            "those of a .tsv in the folder of inputs")
        parser.add_argument("--inputs", metavar="DIR",
                            help="where %s has put the inputs of a .tsv; default: it makes them "
                                 "for this run" % SETUP)
        parser.add_argument("--install", action="store_true",
                            help="Debian packages that a .tsv names and that are missing")
        parser.add_argument("--output", action="append", default=[], metavar="FILE",
                            help="a file that COMMAND writes, to be compared too")
    else:
        parser = argparse.ArgumentParser(
            prog="nanogomp bench kernels", usage="%(prog)s [options] [-- KERNEL OPTIONS..]",
            description="The project's kernels on each runtime: their own times and values.")
        parser.add_argument("--dir", metavar="DIR", help="where the built kernels are")
    parser.add_argument("--match", metavar="GLOB,..", default="*", help="only these %s" % mode)
    parser.add_argument("--repeat", type=option.positive, default=3, metavar="N",
                        help="runs of each runtime in a round, in turn; the least counts; "
                             "default %(default)s")
    parser.add_argument("--ignore", action="append", default=[], metavar="REGEX",
                        help="text of the output that may differ, such as times")
    parser.add_argument("--tolerance", type=float, default=0.0, metavar="REL",
                        help="relative difference that numbers may have; default %(default)s")
    return parser


def parse(parser, argv, mode):
    """What follows -- is the command (programs) or the kernels' own options."""
    cut = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_args(argv[:cut])
    options.command = argv[cut + 1:]
    if mode == "programs" and bool(options.file) == bool(options.command):
        parser.error("either FILE or -- COMMAND is wanted")
    return options


@contextlib.contextmanager
def tasks_of(options, mode):
    if mode == "kernels":
        yield find_kernels(options)
    elif options.command:
        name = os.path.basename(options.command[0])
        yield [Task(name, resolve(options.command, os.getcwd()), os.getcwd(), options.output)]
    elif options.file.endswith(".tsv"):
        rows = select(read_table(options.file), options.match)
        with contextlib.ExitStack() as stack:
            folder = options.inputs
            if not folder:
                folder = stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="nthbench-inputs-"))
                make_inputs(options, folder)
            yield [row.task(os.path.abspath(folder)) for row in rows]
    else:
        yield select(read_list(options.file), options.match)


def select(named, globs):
    """Those whose name matches one of the patterns."""
    chosen = [n for n in named
              if any(fnmatch.fnmatchcase(n.name, g) for g in globs.split(","))]
    if not chosen:
        raise host.BenchError("nothing matches %s; there are: %s"
                              % (globs, " ".join(n.name for n in named)))
    return chosen


def make_inputs(options, folder):
    setup = os.path.join(os.path.dirname(os.path.abspath(options.file)), SETUP)
    command = [setup, folder, "--list", os.path.abspath(options.file), "--match", options.match]
    try:
        status = host.call_to_end(command + ([] if options.install else ["--no-install"]))
    except OSError as error:
        raise host.BenchError("%s: %s" % (setup, error.strerror)) from error
    if status:
        raise host.BenchError("no inputs" if options.install else
                              "no inputs; --install takes what is missing from Debian's archive")


def read_table(path):
    return host.read_tsv(path, Row, "seven columns, VAR=VALUE in the fifth")


def resolve(command, cwd):
    """The program's full path: the measured process gets another working directory and loader
    path, and a wrong name should be said before anything runs."""
    path = os.path.join(cwd, command[0]) if "/" in command[0] else shutil.which(command[0])
    if not path or not os.access(path, os.X_OK):
        raise host.BenchError("no program %s" % command[0])
    return [os.path.abspath(path)] + list(command[1:])


def read_list(path):
    folder = os.path.dirname(os.path.abspath(path))
    tasks = []
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip() or line.lstrip().startswith("#"):
                    continue
                fields = [f.strip() for f in line.split("|")]
                if len(fields) not in (2, 3) or not fields[1]:
                    raise host.BenchError("%s:%d: wants name | command | output files"
                                          % (path, number))
                try:
                    command = shlex.split(fields[1])
                    outputs = shlex.split(fields[2].replace(",", " ")) if len(fields) == 3 else []
                except ValueError as error:  # an open quote
                    raise host.BenchError("%s:%d: %s" % (path, number, error)) from error
                tasks.append(Task(fields[0], resolve(command, folder), folder, outputs))
    except OSError as error:
        raise host.BenchError("%s: %s" % (path, error.strerror)) from error
    except UnicodeDecodeError as error:
        raise host.BenchError(host.NO_UTF8 % path) from error
    if not tasks:
        raise host.BenchError("%s: no programs in it" % path)
    return tasks


def is_program(path):
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def kernel_folders(given):
    """Where built kernels may be, nearest first."""
    return [given] if given else [os.path.join(b, f) for b in host.build_folders()
                                  for f in ("tests/kernels", "kernels")]


def find_kernels(options):
    patterns = options.match.split(",")
    for folder in kernel_folders(options.dir):
        paths = [p for p in sorted(glob.glob(os.path.join(folder, "*"))) if is_program(p)]
        if paths:
            chosen = [p for p in paths
                      if any(fnmatch.fnmatchcase(os.path.basename(p), g) for g in patterns)]
            if chosen:
                return [Task(os.path.basename(p), [os.path.abspath(p)] + options.command, folder)
                        for p in chosen]
            raise host.BenchError("no kernel in %s matches %s" % (folder, options.match))
    raise host.BenchError("no built kernels found; build the project or give --dir")


# Answers


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")


def comparer(ignore, tolerance):
    """A function that tells whether two texts are the same answer."""
    try:
        patterns = [re.compile(text) for text in ignore]
    except re.error as error:
        raise host.BenchError("--ignore: %s" % error) from error

    def clean(text):
        for pattern in patterns:
            text = pattern.sub("", text)
        return text

    def same(one, other):
        one, other = clean(one), clean(other)
        if one == other or not tolerance:
            return one == other
        if NUMBER.sub("#", one) != NUMBER.sub("#", other):
            return False
        return all(close(a, b, tolerance)
                   for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)))

    return same


def close(one, other, tolerance):
    a, b = (float(re.sub("[dD]", "e", text)) for text in (one, other))
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def answer_of(task, outcome, begin):
    """Standard output and the output files, of which binary ones by their hash."""
    text = outcome.stdout
    for name in task.outputs:
        path = os.path.join(task.cwd, name)
        text += "\n--- %s ---\n" % name
        try:
            if os.stat(path).st_mtime < begin - 1:
                text += "(not written)"
                continue
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            text += "(%s)" % error.strerror
            continue
        try:
            text += content.decode("ascii")
        except UnicodeDecodeError:
            text += "hash=" + hashlib.sha256(content).hexdigest()
    return text


def kernel_lines(text):
    """[(name with its parameters, seconds, value)] of the KERNEL lines"""
    found = []
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 2 or fields[0] != "KERNEL":
            continue
        keys = dict(f.split("=", 1) for f in fields[2:] if "=" in f)
        name = " ".join([fields[1]] + ["%s=%s" % kv for kv in keys.items()
                                       if kv[0] not in MEASURES and kv[0] != "threads"])
        try:
            found.append((name, float(keys["seconds"]), keys.get("value", "")))
        except (KeyError, ValueError):
            continue
    return found


# Rounds


def environment(session, task, runtime):
    """The caller's own settings hold, then the list's; the runtime's folder stays first."""
    return host.environment(runtime, session.threads, task.env, keep_foreign=True)


def warm_up(session, task, say):
    """One run beforehand: fills the page cache, and its loader's log tells whether the program
    or a child of it takes the runtime that is put under it. Ours counts the regions."""
    runtime = next((r for r in session.runtimes if r.name == host.OURS), session.runtimes[0])
    env = environment(session, task, runtime)
    with tempfile.TemporaryDirectory(prefix="nthbench-ld-") as folder:
        env.update(LD_DEBUG="files", LD_DEBUG_OUTPUT=os.path.join(folder, "log"), NTH_VERBOSE="1")
        outcome = host.run(task.command, env, session.limit, cwd=task.cwd)
        mark = os.path.join(runtime.folder, "libgomp.so.1").encode()
        used = False
        for path in glob.glob(os.path.join(folder, "*")):
            with open(path, "rb") as log:
                used = used or mark in log.read()
    if not used and not outcome.trouble():
        say("%s does not load libgomp.so.1 through LD_LIBRARY_PATH: the runtimes make no "
            "difference to it" % task.name)
    counts = REGIONS.findall(outcome.stderr)
    if counts:  # of the program and its children
        task.regions = sum(map(int, counts))


def run_task(session, task, runtime, mode):
    """{line name: (ns or trouble, answer or None)}"""
    env = environment(session, task, runtime)
    begin = time.time()
    outcome = host.run(task.command, env, session.limit, cwd=task.cwd)
    trouble = outcome.trouble()
    if mode == "programs":
        if trouble:
            return {task.name: (trouble, None)}
        return {task.name: (float(outcome.wall_ns), answer_of(task, outcome, begin))}
    found = {name: (seconds * 1e9, value) for name, seconds, value in kernel_lines(outcome.stdout)}
    if trouble or not found:
        return {task.name: (trouble or "no KERNEL line", None)}
    if mode == "levels":  # one line a task; its own name is what the tables are made of
        return {task.name: next(iter(found.values()))}
    return found


def measure(session, options, mode, say):
    with tasks_of(options, mode) as tasks:
        return measure_tasks(session, tasks, options, mode, say)


def measure_tasks(session, tasks, options, mode, say):
    same = comparer(options.ignore, options.tolerance)
    lines = {}  # name -> Measured
    failed = {}  # (task, runtime) -> trouble: not tried again
    names = [r.name for r in session.runtimes]
    try:
        for task in tasks:
            warm_up(session, task, say)
        for number in range(1, options.rounds + 1):
            for task in tasks:
                measure_round(session, task, number, mode, lines, failed, options.repeat)
            report.progress("[round %d/%d] done" % (number, options.rounds), True)
    except KeyboardInterrupt:
        session.break_off()
    # gomp is the reference where it takes part
    order = sorted(names, key=lambda n: (n != "gomp", n == host.OURS))
    for line in lines.values():
        line.compare(order, same)
    return list(lines.values())


def measure_round(session, task, number, mode, lines, failed, repeat):
    """Every runtime `repeat` times in turn, each turn beginning with another one; the round's value
    is the least."""
    line_rt = session.line_round_trip()
    entries = {}
    for turn in range(number - 1, number - 1 + repeat):
        shift = turn % len(session.runtimes)
        for runtime in session.runtimes[shift:] + session.runtimes[:shift]:
            key = (task.name, runtime.name)
            results = {task.name: (failed[key], None)} if key in failed else \
                run_task(session, task, runtime, mode)
            for name, (value, answer) in results.items():
                entry = entries.setdefault(name, {"line": line_rt, "values": {}, "answers": {}})
                take(entry, runtime.name, value, answer)
                if isinstance(value, str):
                    failed[key] = value
    for name, entry in entries.items():
        lines.setdefault(name, Measured(name, task.regions)).rounds.append(entry)


def take(entry, runtime, value, answer):
    """A trouble or an answer that differs stays; of the times the least does."""
    before = entry["values"].get(runtime)
    if isinstance(before, str):
        return
    if before is None or isinstance(value, str) or value < before:
        entry["values"][runtime] = value
    if not isinstance(value, str):
        answers = entry["answers"].setdefault(runtime, [])
        if answer not in answers:
            answers.append(answer)


def table(measured, ours, names):
    peers = [n for n in names if n != ours]
    head = ["program"] + ([ours] if ours else []) + peers
    head += ["to %s" % p for p in peers] if ours else []
    text = [head + ["regions", "rounds", "output"]]
    for line in measured:
        cells = [line.name]
        cells += [report.show(report.middle_of(line.kept(), n), "ns")
                  for n in ([ours] if ours else []) + peers]
        if ours:
            for peer in peers:
                ratios = line.ratios(ours, peer)
                cells.append(report.show_ratio(report.median(ratios) if ratios else None))
        cells.append("-" if line.regions is None else str(line.regions))
        cells.append(report.show_rounds(*map(len, (line.kept(), line.rounds))))
        cells.append(line.odd())
        text.append(cells)
    return report.layout(text)
