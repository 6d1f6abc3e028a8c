# nthbench_fork.py - `bench fork`: forks and joins on one and two levels, GWD and LWD, cache events.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As figure 3 of Martorell et al. 1999: beside the time what a region costs in misses of the L1 and
L2 data caches and in stores that claim a shared line. nthbench-fork counts one event a run; a round
runs all rows in turn, first without counters for the time, then once an event."""

import argparse
import json
import os
import re
import shutil
import sys

import nthbench_host as host
import nthbench_option as option
import nthbench_report as report

PROGRAM = "nthbench-fork"
# A column is what the first of its events counts that works here. PAPI_CA_SHR comes last: newer
# Intel CPUs count all data reads that leave the core under that name. OFFCORE_REQUESTS:DEMAND_RFO
# are stores that ask others for the line, in whatever state they have it.
DEFAULT_COLUMNS = (
    ("L1 misses", ("PAPI_L1_DCM", "perf::L1-DCACHE-LOAD-MISSES")),
    ("L2 misses", ("PAPI_L2_DCM", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C")),
    ("shared stores", ("REQUESTS_TO_L2_GROUP1:CHANGE_TO_X", "OFFCORE_REQUESTS:DEMAND_RFO",
                       "PAPI_CA_SHR")),
)
SOFT_COLUMNS = (("switches", "context-switches"), ("moves", "migrations"),
                ("faults", "page-faults"), ("CPU time", "task-clock"))
SIMULATED_COLUMNS = (("L1 misses", ("D1mr", "D1mw")), ("L2 misses", ("DLmr", "DLmw")),
                     ("fetched", ("fetch",)), ("shared stores", ("claim", "take")),
                     ("loads", ("Dr",)), ("stores", ("Dw",)))
FORKS = ("lwd", "gwd")
SIMULATED_SPAWNS = (1000, 3000)  # the difference leaves start and end out
SIMULATED_RUNS = 3  # with each of them
LINES_SPAWNS = (100, 300)  # for the lines that go between processors
CACHES = "/sys/devices/system/cpu/cpu0/cache"


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench fork",
        description="Fork and join on one and two levels of parallelism, GWD and LWD: time, and "
                    "per region misses of the data caches and stores that claim a shared line.")
    add = parser.add_argument
    add("--papi", metavar="EVENTS", help="PAPI names, comma-separated, in place of: %s" % ", ".join(
        "%s (%s)" % (name, " or ".join(events)) for name, events in DEFAULT_COLUMNS))
    add("--simulate", action="store_true",
        help="misses, and lines that go between processors, by valgrind instead of the CPU's "
        "counters")
    add("--levels", metavar="LIST",
        help="of teams, as 2,1x2,2x2: A threads on one level, AxB on two; default by --threads")
    add("--size", type=int, default=0, metavar="N",
        help="iterations of the loop of a spawn, about 10 ns each; default none. The paper has "
             "4000, 50000, 400000, and 4096 on two levels")
    add("--ms", type=option.positive, default=150, metavar="T",
        help="of each run; default %(default)s")
    return parser


def levels_of(text, threads):
    """--levels, or one level and the ways to have `threads` on two; where there is none with more
    than one on both, each alone and both."""
    if text:
        names = [name for name in text.split(",") if name]
        for name in names:
            if not re.fullmatch(r"[1-9]\d{0,3}(x[1-9]\d{0,3})?", name):
                raise host.BenchError("--levels wants A or AxB, not %s" % name)
        if not names:
            raise host.BenchError("--levels names nothing")
        return list(dict.fromkeys(names))
    ways = ["%dx%d" % (a, threads // a) for a in range(2, threads) if threads % a == 0]
    if not ways and threads > 1:
        ways = ["1x%d" % threads, "%dx1" % threads, "%dx%d" % (threads, threads)]
    return [str(threads)] + (ways or ["1x1"])


# What can be counted


class Means:
    """What this machine counts, as nthbench-fork found it."""

    def __init__(self, text):
        self.hardware = self.papi = self.soft = False
        self.version = ""
        self.why = {}  # "hardware", "papi", "soft" or an event -> why not
        self.events = set()
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            name = kind
            if kind == "event":
                name, _, rest = rest.partition(" ")
            answer, _, reason = rest.partition(" ")
            if answer == "no":
                self.why[name] = reason
            elif kind == "event":
                self.events.add(name)
            elif kind in ("hardware", "papi", "soft"):
                setattr(self, kind, True)
                if kind == "papi":
                    self.version = reason


def columns_of(papi, means, say):
    """[(heading, event or None)]; says once what is wanting, and why."""
    named = papi is not None
    wanted = [(event, (event,)) for event in events_of(papi)] if named else DEFAULT_COLUMNS
    chosen = [(name, next((e for e in events if e in means.events), None))
              for name, events in wanted]
    lost = [(name, events) for (name, events), (_, event) in zip(wanted, chosen) if not event]
    if not means.hardware:
        say("no hardware counters: %s" % means.why.get("hardware", "unknown"))
    if not means.papi:
        say("no PAPI: %s" % means.why.get("papi", "unknown"))
    for name, events in lost:
        if means.papi and (named or means.hardware):
            say("%s is not counted: %s" % (name, means.why.get(events[-1], "unknown")))
    return chosen


def events_of(papi):
    names = list(dict.fromkeys(name.strip() for name in (papi or "").split(",") if name.strip()))
    if papi is not None and not names:
        raise host.BenchError("--papi names no event")
    return names


def wanted_events(papi):
    return events_of(papi) if papi is not None else \
        [event for _, events in DEFAULT_COLUMNS for event in events]


# Measuring


class Row:
    """One line of the table: a shape of teams under one way to fork."""

    def __init__(self, levels, runtime, fork):
        self.levels, self.runtime, self.fork = levels, runtime, fork
        self.name = fork or runtime.name
        self.regions = None  # of a spawn
        self.rounds = []     # {"line": ns, "spawn": ns or trouble, "counts": {event: per region}}
        self.simulated = {}  # the same by simulation, once

    def spawn(self):
        """The median, or the first trouble of any round, dropped or not."""
        trouble = next((r["spawn"] for r in self.rounds if isinstance(r["spawn"], str)), None)
        return trouble or report.middle_of([{"values": {"": r["spawn"]}} for r in self.kept()], "")

    def kept(self):
        return report.keep_rounds(self.rounds)[0]

    def count(self, event):
        if event in self.simulated:
            return self.simulated[event]
        values = [r["counts"][event] for r in self.kept() if r["counts"].get(event) is not None]
        return report.median(values) if values else None

    def document(self, events):
        return {"levels": self.levels, "runtime": self.runtime.name, "fork": self.fork,
                "regions": self.regions, "spawn_ns": self.spawn(), "rounds": self.rounds,
                "per_region": {event: self.count(event) for event in events}}


def rows_of(levels, runtimes):
    return [Row(shape, runtime, fork) for shape in levels for runtime in runtimes
            for fork in (FORKS if runtime.name == host.OURS else (None,))]


def read_lines(text):
    """(dict of the `key number` lines, dict of the `count event number` lines)"""
    values, counts = {}, {}
    for line in text.splitlines():
        fields = line.split()
        try:
            if len(fields) == 3 and fields[0] == "count":
                counts[fields[1]] = int(fields[2])
            elif len(fields) == 2:
                values[fields[0]] = float(fields[1])
        except ValueError:
            pass
    return values, counts


class Bench:
    """What the runs of one call share."""

    def __init__(self, session, options):
        self.session, self.options = session, options

    def command(self, row, *more):
        command = [self.session.program(PROGRAM), "--levels", row.levels]
        if self.options.size:
            command += ["--size", str(self.options.size)]
        return command + [str(m) for m in more]

    def run(self, row, command, env=None):
        settings = dict(env or {}, **({"NTH_FORK": row.fork} if row.fork else {}))
        env = host.environment(row.runtime, self.session.threads, settings)
        return host.run(command, env, self.session.limit)

    def once(self, row, *more):
        """(values, counts, trouble or None)"""
        outcome = self.run(row, self.command(row, "--ms", self.options.ms, *more))
        values, counts = read_lines(outcome.stdout)
        trouble = outcome.trouble()
        if not trouble and not {"regions", "spawn", "spawns"} <= set(values):
            trouble = "no value"
        return values, counts, trouble

    def round(self, row, events, soft):
        entry = {"line": self.session.line_round_trip(), "counts": {}}
        values, _, trouble = self.once(row)
        entry["spawn"] = trouble or values["spawn"]
        if not trouble:
            row.regions = int(values["regions"])
            runs = [("--count", event) for event in events] + ([("--soft",)] if soft else [])
            for run in runs:
                values, counts, trouble = self.once(row, *run)
                if not trouble:
                    total = values["regions"] * values["spawns"]
                    entry["counts"].update((n, c / total) for n, c in counts.items())
        row.rounds.append(entry)

    def simulate(self, row, caches):
        """Counts per region by cachegrind and by `nanogomp lines`; None or what was wrong. A thread
        that polls adds to the counts as long as valgrind lets it run, which the machine's load
        decides. So each count is the least of some runs."""
        return self.simulate_by(row, SIMULATED_SPAWNS, SIMULATED_RUNS, lambda spawns: [
            "valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
            *caches, *self.command(row, "--spawns", spawns)],
            lambda outcome: read_cachegrind(outcome.stderr)) or \
            self.simulate_by(row, LINES_SPAWNS, 1, lambda spawns: [
                sys.executable, host.command(), "lines", "--as-is", "--json", "-", "--",
                *self.command(row, "--spawns", spawns)], read_lines_total,
                {"OMP_WAIT_POLICY": "active"})

    def simulate_by(self, row, spawns, repeat, command_of, read, env=None):
        """The difference of two numbers of spawns leaves start and end out. None or the trouble."""
        least = []
        for number in spawns:
            runs = []
            for _ in range(repeat):
                outcome = self.run(row, command_of(number), env)
                if outcome.trouble():
                    return outcome.trouble()
                runs.append(read(outcome))
            least.append({name: min(run[name] for run in runs) for name in runs[0]})
        few, many = least
        if "Dr" in few and many["Dr"] <= few["Dr"]:
            return "%d spawns read no more than %d: the machine is too busy" % (
                spawns[1], spawns[0])
        regions = row.regions * (spawns[1] - spawns[0])
        row.simulated.update((name, max(0, many[name] - few[name]) / regions)
                             for name in many if name in few)
        return None if many else "no figures"


# The simulation


def read_lines_total(outcome):
    """{kind of event: number} of `nanogomp lines --json -`."""
    return json.loads(outcome.stdout)["total"]


def read_cachegrind(text):
    """The totals that cachegrind prints, by the short names of its manual."""
    found = {}
    # the columns differ between versions of valgrind
    for label, names in ((r"D +refs", ("Dr", "Dw")), (r"D1 +misses", ("D1mr", "D1mw")),
                         (r"LLd +misses", ("DLmr", "DLmw"))):
        match = re.search(label + r":\s*[\d,]+\s*\(\s*([\d,]+) rd\s*\+\s*([\d,]+) wr\)",
                          text)
        if match:
            found.update((n, int(v.replace(",", ""))) for n, v in zip(names, match.groups()))
    return found


def cache_shapes(folder=CACHES):
    """{"D1": (bytes, ways, line), "L2": ...} of this CPU, as far as the system tells."""
    shapes = {}
    for index in range(8):
        facts = []
        for name in ("level", "type", "size", "ways_of_associativity", "coherency_line_size"):
            try:
                with open(os.path.join(folder, "index%d" % index, name)) as file:
                    facts.append(file.read().strip())
            except OSError:
                break
        if len(facts) < 5 or facts[1] == "Instruction" or facts[0] not in ("1", "2"):
            continue
        match = re.fullmatch(r"(\d+)([KM]?)", facts[2])
        if match and facts[3].isdigit() and facts[4].isdigit():
            size = int(match[1]) * {"": 1, "K": 1024, "M": 1 << 20}[match[2]]
            shapes["D1" if facts[0] == "1" else "L2"] = (size, int(facts[3]), int(facts[4]))
    return shapes


def simulates(shape):
    """cachegrind wants powers of two: of sets and of the line."""
    size, ways, line = shape
    if not ways or not line or size % (ways * line):
        return False
    sets = size // (ways * line)
    return sets & (sets - 1) == 0 and line & (line - 1) == 0


def cache_options(shapes):
    """(options of cachegrind, text that says what they are)"""
    options, texts = [], []
    for name, flag in (("D1", "D1"), ("L2", "LL")):
        shape = shapes.get(name)
        if shape and simulates(shape):
            options.append("--%s=%d,%d,%d" % ((flag,) + shape))
            texts.append("%s %d KiB %d-way" % (name, shape[0] // 1024, shape[1]))
        else:
            texts.append("%s as valgrind chooses%s" % (
                name, " (its last level)" if name == "L2" else ""))
    return options, ", ".join(texts)


# The table


def show_count(value):
    if value is None:
        return "-"
    return "%.2f" % value if abs(value) < 100 else "%.0f" % value


def table(rows, columns):
    """columns: (heading, key or keys of counts)"""
    head = ["levels", "fork", "regions", "a spawn", "a region"] + [name for name, _ in columns]
    lines = [head + ["rounds", ""]]
    for row in rows:
        spawn = row.spawn()
        numeric = not isinstance(spawn, str) and spawn is not None and row.regions
        cells = [row.levels, row.name, "%d" % row.regions if row.regions else "-",
                 report.show(spawn, "ns"),
                 report.show(spawn / row.regions, "ns") if numeric else "-"]
        for _, keys in columns:
            cells.append(cell_of(row, keys))
        kept, count = len(row.kept()), len(row.rounds)
        lines.append(cells + [report.show_rounds(kept, count), ""])
    return report.layout(lines)


def cell_of(row, keys):
    keys = (keys,) if isinstance(keys, str) else keys or ()
    values = [row.count(key) for key in keys]
    if not values or None in values:
        return "-"
    return report.show(sum(values), "ns") if keys == ("task-clock",) else show_count(sum(values))


def notes(options, means, columns, caches_text):
    lines = ["a spawn: %s; times are medians" % (
        "one region, or on two levels a region with four inner ones "
        "(more where the outer team is larger)")]
    if options.simulate:
        lines += [
            "SIMULATED by valgrind (cachegrind): misses, loads and stores per region; "
            "times are measured",
            "simulated: %s; one such pair for all threads, which run one at a time: what a region "
            "touches beyond the caches; loads include polling" % caches_text,
            "SIMULATED by nanogomp lines: loads of lines that another thread has (fetched) and "
            "stores to such lines (shared stores); a cache without end a thread, waits that poll"]
        return lines
    softs = [key for _, key in SOFT_COLUMNS]
    counted = [column for column in columns if column[1] and column[1] not in softs]
    if counted:
        lines.append("per region, all threads, user mode, by PAPI %s: %s" % (
            means.version, "; ".join(name if name == event else "%s is %s" % (name, event)
                                     for name, event in counted)))
    if any(key in softs for _, key in columns):
        lines.append("per region, all threads, by the kernel's perf: switches, moves to another "
                     "CPU, page faults, CPU time")
    return lines


# The whole


def find_means(session, options):
    runtime = session.runtimes[0]
    events = [] if options.simulate else wanted_events(options.papi)
    outcome = host.run([session.program(PROGRAM), "probe", *events],
                       host.environment(runtime, session.threads), session.limit)
    if outcome.trouble():
        raise host.BenchError("%s does not run: %s\n%s" % (PROGRAM, outcome.trouble(),
                                                           outcome.stderr.strip()))
    return Means(outcome.stdout)


def plan_columns(options, means, say):
    """(columns of the table, events to count, whether the kernel's events are wanted)"""
    if options.simulate:
        return list(SIMULATED_COLUMNS), [], False
    columns = columns_of(options.papi, means, say)
    events = [event for _, event in columns if event]
    soft = not events
    if soft and not means.soft:
        say("no software events either: %s" % means.why.get("soft", "unknown"))
        soft = False
    return columns + (list(SOFT_COLUMNS) if soft else []), events, soft


def measure_rows(bench, rows, events, soft, caches, say):
    """Rounds, then the simulation."""
    options = bench.options
    for number in range(1, options.rounds + 1):
        shift = (number - 1) % len(rows)
        for row in rows[shift:] + rows[:shift]:
            bench.round(row, events, soft)
            report.progress("[round %d/%d] %s %s: %s" % (
                number, options.rounds, row.levels, row.name,
                report.show(row.rounds[-1]["spawn"], "ns")), options.verbose)
        report.progress("[round %d/%d] done" % (number, options.rounds), True)
    for row in rows if options.simulate else ():
        trouble = bench.simulate(row, caches) if row.regions else "no team"
        if trouble:
            say("%s %s is not simulated: %s" % (row.levels, row.name, trouble))
        report.progress("[simulation] %s %s done" % (row.levels, row.name), True)


def measure(session, options, say):
    """(rows, columns, lines of notes)"""
    if not os.access(session.program(PROGRAM), os.X_OK):
        raise host.BenchError("no %s in %s: build it there" % (PROGRAM, session.bench_dir))
    if options.size < 0:
        raise host.BenchError("--size must be 0 or more")
    rows = rows_of(levels_of(options.levels, session.threads), session.runtimes)
    if options.simulate and not shutil.which("valgrind"):
        raise host.BenchError("--simulate needs valgrind, which is not installed")
    means = find_means(session, options)
    columns, events, soft = plan_columns(options, means, say)
    caches, caches_text = cache_options(cache_shapes())
    try:
        measure_rows(Bench(session, options), rows, events, soft, caches, say)
    except KeyboardInterrupt:
        session.break_off()
    rows = [row for row in rows if row.rounds]
    return rows, columns, notes(options, means, columns, caches_text)


def all_keys(columns):
    return [key for _, keys in columns
            for key in ((keys,) if isinstance(keys, str) else keys or ())]
