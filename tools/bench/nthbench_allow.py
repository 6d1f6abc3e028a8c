# nthbench_allow.py - `bench allow`: throughput while CPUs are taken and given back
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Half of each period the program has one CPU, half of it all: by its mask, by a quota in a made-up
tree of control groups, or by a real group's. nthbench-allow (allow.c) does and counts both."""

import argparse
import contextlib
import os
import re
import tempfile

import nthbench_host as host
import nthbench_option as option
import nthbench_report as report

PROGRAM = "nthbench-allow"
LINE = re.compile(r"done (\S+) cpu (\S+)")
COLUMNS = ("done", "cpu")
KEYS = ("cut", "shape", "period", "runtime")
SHAPES = ("loop", "static", "barrier", "fine", "tasks", "tree", "regions")
CUTS = ("mask", "quota", "group")
LEAST_MS = 1600  # a run is of whole periods, and not shorter
PERIOD_US = 100000  # of a quota
GROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct")


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench allow",
        description="CPUs are taken and given back while regions run. done: work, in % of what "
                    "the CPUs given allow; cpu: CPU time used, in % of theirs. A made-up quota "
                    "binds only a runtime that reads it: there cpu is how well it is kept.")
    add = parser.add_argument
    add("--cuts", default="mask,quota", metavar="CUT,..",
        help="of %s; group: a real control group's quota; default %%(default)s" % ",".join(CUTS))
    add("--shapes", default="tasks,loop,barrier", metavar="SHAPE,..",
        help="of %s; default %%(default)s" % ",".join(SHAPES))
    add("--periods", default="40,400,4000", metavar="MS,..", help="default %(default)s")
    add("--members", default="os,nano", metavar="KIND,..",
        help="members of ours; default %(default)s")
    return parser


def parse(parser, argv):
    options = parser.parse_args(argv)
    option.split_words(parser, options, cuts=CUTS, shapes=SHAPES, members=host.MEMBERS)
    if not re.fullmatch(r"[1-9]\d{0,5}(,[1-9]\d{0,5})*", options.periods):
        parser.error("--periods wants milliseconds, as 40,400")
    options.periods = [int(p) for p in options.periods.split(",")]
    return options


# --- quotas ---

def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def made_up(folder, cpus):
    """Lays a tree whose group may use so many CPUs. Environment of the run."""
    box = os.path.join(folder, "sys/fs/cgroup/box")
    os.makedirs(box)
    os.makedirs(os.path.join(folder, "proc/self"))
    write(os.path.join(folder, "proc/self/cgroup"), "0::/box\n")
    write(os.path.join(folder, "proc/self/mountinfo"),
          "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
    quota = os.path.join(box, "cpu.max")
    write(quota, "%d %d\n" % (cpus * PERIOD_US, PERIOD_US))
    return {"NTH_TEST_CGROUP_ROOT": folder, "NTHBENCH_QUOTA": quota}


def own_group(root):
    """The folder below root of this process's group, by /proc/self/cgroup."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(":", 2) for line in file]
    for number, names, path in lines:
        if "cpu" in names.split(",") if root != GROUPS[0] else number == "0":
            return os.path.join(root, path.lstrip("/"))
    return None


@contextlib.contextmanager
def real_group(cpus):
    """A group of our own, or None: the folder, and the file of its quota."""
    made = None
    for root in GROUPS:
        parent = own_group(root)
        folder = os.path.join(parent, "nthbench-%d" % os.getpid()) if parent else None
        try:
            os.mkdir(folder or "")
        except OSError:
            continue
        try:
            names = ("cpu.max", "cpu.cfs_quota_us")
            name = next(n for n in names if os.path.exists(os.path.join(folder, n)))
            quota = os.path.join(folder, name)
            write(quota, str(cpus * PERIOD_US) + (" %d\n" % PERIOD_US if name == names[0] else ""))
            made = folder, quota
            break
        except (OSError, StopIteration):
            os.rmdir(folder)
    try:
        yield made
    finally:
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(made[0])


@contextlib.contextmanager
def settings_of(cut, cpus):
    """(environment, what stands before the command), or None: this machine lets us not."""
    if cut == "mask":
        yield {}, []
    elif cut == "quota":
        with tempfile.TemporaryDirectory(prefix="nthbench-") as folder:
            yield made_up(folder, cpus), []
    else:
        with real_group(cpus) as group:
            if not group:
                yield None
                return
            enter = 'echo $$ > "$0" && exec "$@"'
            yield ({"NTHBENCH_QUOTA": group[1]},
                   ["sh", "-c", enter, os.path.join(group[0], "cgroup.procs")])


# --- runs ---

def seconds_of(period):
    return max(1, -(-LEAST_MS // period)) * period / 1000


def measure_once(session, runtime, key, cut):
    """{column: value}, or what went wrong. cut: of settings_of()"""
    settings, before = cut
    env = host.environment(runtime, session.threads, settings)
    command = [*before, session.program(PROGRAM), key[1], "all" if key[0] == "mask" else "quota",
               str(key[2]), "%.3f" % seconds_of(key[2])]
    outcome = host.run(command, env, session.limit)
    found = LINE.search(outcome.stdout)
    if outcome.trouble() or not found:
        return outcome.trouble() or "no result"
    return dict(zip(COLUMNS, map(float, found.groups())))


def measure(session, options, say):
    """{(cut, shape, period, runtime): [values of a round]}"""
    if len(session.cpus) < 2:
        raise host.BenchError("bench allow needs two CPUs")
    runtimes = {r.name: r for r in host.variants(session.runtimes, options.members)}
    found = {}
    for cut in options.cuts:
        with settings_of(cut, len(session.cpus)) as settings:
            if not settings:
                say("no control group can be made here: %s is left out" % cut)
                continue
            keys = [(cut, shape, period, name) for shape in options.shapes
                    for period in options.periods for name in runtimes]
            for number in range(options.rounds):
                for key in keys:
                    got = measure_once(session, runtimes[key[3]], key, settings)
                    found.setdefault(key, []).append(got)
                    if isinstance(got, str):
                        say("round %d, %s: %s" % (number + 1, " ".join(map(str, key)), got))
    if not found:
        raise host.BenchError("nothing left to measure")
    return found


def table(found):
    rows = [["cut", "shape", "period", "runtime", "done", "least", "cpu", "rounds"]]
    for (cut, shape, period, name), rounds in found.items():
        good = [r for r in rounds if not isinstance(r, str)]
        done = [r["done"] for r in good]
        shown = [report.median(done), min(done), report.median([r["cpu"] for r in good])] \
            if good else None
        rows.append([cut, shape, "%d ms" % period, name]
                    + (["%.0f %%" % value for value in shown] if shown else ["-"] * 3)
                    + ["%d/%d" % (len(good), len(rounds))])
    return report.layout(rows)
