# nthbench_levels.py - the kernels of two levels at several splits, and the pools' policies.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nanogomp bench levels`: the tables of tests/kernels/README.md on this machine. A split OxI is an
outer team of O members with an inner team of I each; `one` is the version with one level."""

import argparse
import fnmatch
import os

import nthbench_host as host
import nthbench_option as option
import nthbench_programs as programs
import nthbench_report as report

# name in the table: program and options; about 0.1 to 0.5 s on two CPUs at one level
KERNELS = {
    "overhead": ("overhead", "--two-level --iters 400"),
    "hydro": ("hydro", "--size 128 --iters 60"),
    "hydro-tasks": ("hydro", "--size 128 --iters 60 --tasks"),
    "bt-loops": ("bt", "--size 16 --iters 30 --loops"),
    "bt-ordered": ("bt", "--size 16 --iters 30 --ordered"),
    "bt-doacross": ("bt", "--size 16 --iters 30 --doacross"),
    "bt-doacross2": ("bt", "--size 16 --iters 30 --doacross2"),
    "bt-flags": ("bt", "--size 16 --iters 30 --flags"),
    "bt_mz": ("bt_mz", "--size 32 --iters 30"),
    "bt_mz-dynamic": ("bt_mz", "--size 32 --iters 30 --dynamic"),
    "lu_mz-pipe": ("lu_mz", "--class S --iters 300"),
    "lu_mz-tasks": ("lu_mz", "--class S --iters 300 --sweep tasks"),
    "burst": ("burst", "--size 300000"),
    "graph8": ("graph8", "--size 4096 --iters 2000"),
    "ft": ("ft", "--class W"),
}
SPLITS = "2x1,1x2,2x2,4x1"
ONE = "one"

# The paper's alternatives of memory: what each is called there, and its NTH_POOL
POLICIES = {"base": "central", "stack_aff": "local", "hier": "hier"}
POOL_KERNELS = {
    "burst": ("burst", "--size 300000"),
    "burst-500": ("burst", "--size 100000 --work 500"),
    "burst-2000": ("burst", "--size 30000 --work 2000"),
    "graph8-2048": ("graph8", "--size 2048 --iters 3000"),
    "graph8-16384": ("graph8", "--size 16384 --iters 600"),
}
# The same by nano-threads
NANO_KERNELS = {"nth_" + name: ("nth_" + program, arguments)
                for name, (program, arguments) in POOL_KERNELS.items() if "--work" not in arguments}
TITLES = {
    "levels": "One level against two levels: one/two above 1 means that two levels are faster "
              "there",
    "pools": "Policies of pools (NTH_POOL=central, local, hier) under tasks. Base and Stack_aff of "
             "the paper are\nthe first two at split one, Hier is the third one with clusters "
             "(2xI). to NAME: base over NAME, so\nabove 1 that policy is faster than base",
    "nano": "The same by nano-threads, at one cluster and at two",
}


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench levels", usage="%(prog)s [options] [-- KERNEL OPTIONS..]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="The kernels with two levels of parallelism at several splits on each "
                    "runtime,\nand the policies of pools. Kernels:\n  %s" % " ".join(KERNELS))
    add = parser.add_argument
    add("--splits", default=SPLITS, metavar="OxI,..",
        help="outer threads x inner threads; default %(default)s")
    add("--tables", default=",".join(TITLES), metavar="NAME,..",
        help="which ones; default %(default)s")
    add("--domains", metavar="AxB", help="NTH_DOMAINS for the policy hier")
    add("--dir", metavar="DIR", help="where the built kernels are")
    add("--match", metavar="GLOB,..", default="*", help="only these kernels")
    add("--repeat", type=option.positive, default=1, metavar="N",
        help="runs of each runtime in a round, in turn; the least counts; default %(default)s")
    return parser


def split_of(text):
    """'2x1' -> (2, 1)"""
    outer, _, inner = text.partition("x")
    if not (outer.isdigit() and inner.isdigit() and int(outer) and int(inner)):
        raise host.BenchError("a split is like 2x1, not %s" % text)
    return int(outer), int(inner)


def parse(parser, argv):
    cut = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_args(argv[:cut])
    options.command = argv[cut + 1:]
    options.splits = options.splits.split(",")
    options.tables = options.tables.split(",")
    for text in options.splits:
        split_of(text)
    for name in options.tables:
        if name not in TITLES:
            parser.error("the tables are %s" % " ".join(TITLES))
    options.ignore, options.tolerance = [], 0.0
    return options


# Tasks: what runs


def split_options(split):
    if split == ONE:
        return ["--one-level"]
    return ["--outer", str(split_of(split)[0]), "--inner", str(split_of(split)[1])]


def find_program(options, name):
    for folder in programs.kernel_folders(options.dir):
        path = os.path.join(folder, name)
        if programs.is_program(path):
            return os.path.abspath(path)
    raise host.BenchError("no built kernel %s found; build the project or give --dir" % name)


def make_tasks(options, kernels, variants):
    """A task for each kernel and variant, {name: options}; kernels without a match are left out."""
    tasks = []
    for name, (program, arguments) in kernels.items():
        if any(fnmatch.fnmatchcase(name, g) for g in options.match.split(",")):
            path = find_program(options, program)
            tasks += [programs.Task("%s %s" % (name, variant),
                                    [path] + arguments.split() + extra + options.command,
                                    os.path.dirname(path))
                      for variant, extra in variants.items()]
    return tasks


def tasks_of(options, table):
    threads = options.threads
    if table == "levels":
        return make_tasks(options, KERNELS, {s: split_options(s) for s in [ONE] + options.splits})
    if table == "pools":
        clusters = "2x%d" % max(1, threads // 2)
        return make_tasks(options, POOL_KERNELS, {s: split_options(s) for s in (ONE, clusters)})
    return make_tasks(options, NANO_KERNELS, {ONE: [], "2": ["--clusters", "2"]})


def policies_of(runtime, domains):
    """Our library once for each policy."""
    twins = []
    for name, policy in POLICIES.items():
        twin = runtime.twin(name)
        twin.env["NTH_POOL"] = policy
        if name == "hier" and domains:
            twin.env["NTH_DOMAINS"] = domains
        twins.append(twin)
    return twins


def measure(session, options, ours, table, say):
    """[Measured] of a table, in its order"""
    tasks = tasks_of(options, table)
    before = session.runtimes
    if table != "levels":
        own = [r for r in before if r.name == ours and r.name == host.OURS]
        if not own or not tasks:
            return []
        session.runtimes = policies_of(own[0], options.domains)
    try:
        return programs.measure_tasks(session, tasks, options, "levels", say)
    finally:
        session.runtimes = before


# Tables


def against(line, first, name):
    """The median of first / line by rounds, for one runtime; of rounds that both lines keep."""
    ratios = []
    first_kept, line_kept = first.kept(), line.kept()
    for one, two in zip(first.rounds, line.rounds):
        if one in first_kept and two in line_kept:
            pair = {"values": {"one": one["values"].get(name), "two": two["values"].get(name)}}
            ratios += report.paired_ratios([pair], "one", "two")
    return report.median(ratios) if ratios else None


def first_of(measured, line):
    """The line of the same kernel with one level."""
    kernel = line.name.split()[0]
    return next((m for m in measured if m.name == "%s %s" % (kernel, ONE)), None)


def rows(measured, names, ours):
    """Cells: kernel, split, times, ratios to the first name, one level over this line, output."""
    peers = [n for n in names if n != ours]
    text = [["kernel", "split"] + names + ["to " + p for p in peers if ours]
            + ["one/two " + n for n in names] + ["rounds", "output"]]
    for line in measured:
        kernel, split = line.name.split()
        first = first_of(measured, line)
        cells = [kernel, split] + [report.show(report.middle_of(line.kept(), n), "ns")
                                   for n in names]
        for peer in peers if ours else []:
            ratios = line.ratios(ours, peer)
            cells.append(report.show_ratio(report.median(ratios) if ratios else None))
        for name in names:
            gain = against(line, first, name) if first and first is not line else None
            cells.append(report.show_ratio(gain))
        cells += [report.show_rounds(len(line.kept()), len(line.rounds)), line.odd()]
        text.append(cells)
    return report.layout(text)


def text(table, measured, ours):
    """A table under its title."""
    if not measured:
        return "%s\n(nothing measured)" % TITLES[table]
    names = list(dict.fromkeys(n for m in measured for r in m.rounds for n in r["values"]))
    first = ours if table == "levels" else next(iter(POLICIES))
    names.sort(key=lambda n: n != first)
    return "%s\n\n%s" % (TITLES[table], rows(measured, names, first))
