# forkjoin.py - the experiments of the paper on fork and join at several levels
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re

from papers.experiment import (DIFFERS, FAILED, HOLDS, SIMULATED, Curves, Experiment, Run, Verdict,
                               as_ratio, in_time, ratio_of, seconds, show, speed_up)

SIZES = {"2": 4000, "6": 50000, "9": 400000}
FORKS = ("lwd", "gwd")
PEERS = ("gomp", "iomp", "omp")
MANY = "1,2,4,8,16,24,32,48,64"
# The paper's machine: 64 processors, two to a memory
ORIGIN = "--machine 'numa:32 core:2 pu:1' --trim --clauses ignore --processors " + MANY


def fork_env(fork):
    return (("NTH_FORK", fork),)


# Overhead, figures 3 and 4


def spawn(label):
    """us of a spawn beyond its work, from the table line."""
    def read(text):
        found = re.search(r"([\d.]+) us a spawn, serial +([\d.]+) us", text)
        return {label: float(found[1]) * 1e-6, label + " serial": float(found[2]) * 1e-6}
    return read


# Of so many tables the fastest counts: one of experiment 2 takes 4 ms.
TABLES = {"2": 50, "6": 10, "9": 3}


def overhead(size):
    return "--table --iters 200 --experiment %s --reps %d" % (size, TABLES[size])


OVERHEAD = tuple(
    run for size in SIZES for run in
    [Run("overhead", overhead(size), spawn("%s %s" % (size, fork)), env=fork_env(fork))
     for fork in FORKS]
    + [Run("overhead", overhead(size), spawn("%s %s" % (size, peer)), runtime=peer)
       for peer in PEERS])


def table_overhead(values):
    rows = [["experiment", "iterations", "serial"] + list(FORKS) + list(PEERS) + ["lwd / gwd"]]
    for size, iterations in SIZES.items():
        rows.append([size, str(iterations), in_time(values.median(size + " lwd serial"))]
                    + [in_time(values.median("%s %s" % (size, name))) for name in FORKS + PEERS]
                    + [as_ratio(values.ratio(size + " lwd", size + " gwd"))])
    return rows


def judge_overhead(values):
    ratios = [values.ratio(size + " lwd", size + " gwd") for size in SIZES]
    if None in ratios:
        return FAILED
    text = "LWD takes %s of the time of GWD in experiments %s." % (
        ", ".join("%.2f" % r for r in ratios), ", ".join(SIZES))
    return Verdict(HOLDS if all(0.95 <= r <= 1.05 for r in ratios) else DIFFERS, text)


# Stores that claim a shared line, figure 3: by simulation, the difference of two numbers of spawns

LINES_SPAWNS = (100, 300)
LINES_LEVELS = {"2": 1, "4": 1, "8": 1, "2x2": 5, "2x4": 5}  # regions of a spawn
LINES_PEERS = ("gomp",)


# The library's own counts lie by CPU, of which the simulation knows nothing.
LINES_LEFT_OUT = "nth_count_lines "
LINES_PARTS = {"descriptors": ("work descriptors (LWD)", "work descriptors (GWD)"),
               "join": ("distributed join (DJS)",)}


def claims(row):
    return row["claim"] + row["take"]


def lines_of(label, spawns):
    """Events of all memory; stores that claim a line of the descriptors, and of the join."""
    def read(text):
        document = json.loads(text[text.index("{"):])
        rows = [r for r in document["rows"] if not r["where"].startswith(LINES_LEFT_OUT)]
        found = {"fetched": sum(r["fetch"] for r in rows), "claimed": sum(map(claims, rows)),
                 "missed 1": document["total"]["miss1"], "missed 2": document["total"]["miss2"]}
        if any(r["where"] in LINES_PARTS["join"] for r in rows):
            for part, names in LINES_PARTS.items():
                found[part] = sum(claims(r) for r in rows if r["where"] in names)
        return {"%s %s %d" % (label, what, spawns): number for what, number in found.items()}
    return read


def lines_run(levels, spawns, name, **more):
    env = (("NTH_MEMBERS", "os"), ("OMP_WAIT_POLICY", "active"))
    return Run("lines", "--levels %s --spawns %d" % (levels, spawns),
               lines_of("%s %s" % (levels, name), spawns), threads=8,
               env=env + more.pop("env", ()), once=True, **more)


LINES = tuple(
    run for levels in LINES_LEVELS for spawns in LINES_SPAWNS for run in
    [lines_run(levels, spawns, fork, env=fork_env(fork)) for fork in FORKS]
    + [lines_run(levels, spawns, peer, runtime=peer) for peer in LINES_PEERS if "x" not in levels])


def lines_a_region(values, levels, name, what):
    """Events of a region, or None"""
    few, many = (values.median("%s %s %s %d" % (levels, name, what, spawns))
                 for spawns in LINES_SPAWNS)
    if few is None or many is None:
        return None
    return (many - few) / (LINES_SPAWNS[1] - LINES_SPAWNS[0]) / LINES_LEVELS[levels]


LINES_EVENTS = {"stores that claim a line": "claimed", "of work descriptors": "descriptors",
                "of the join": "join", "loads of others' lines": "fetched",
                "primary misses": "missed 1", "secondary misses": "missed 2"}


def table_lines(values):
    names = FORKS + LINES_PEERS
    rows = [["threads", "events"] + list(names) + ["lwd / gwd"]]
    for levels in LINES_LEVELS:
        for title, what in LINES_EVENTS.items():
            events = [lines_a_region(values, levels, name, what) for name in names]
            rows.append([levels, title] + [show(number) for number in events]
                        + [as_ratio(ratio_of(events[0], events[1]))])
    return rows


def judge_lines(values):
    more = {levels: [lines_a_region(values, levels, fork, "claimed") for fork in FORKS]
            for levels in ("2", "8")}
    if any(None in pair for pair in more.values()):
        return FAILED
    lwd, gwd = more["8"]
    text = "LWD makes %.1f such stores a region on eight threads and GWD %.1f; on two %.1f and " \
        "%.1f." % (lwd, gwd, *more["2"])
    given = [lines_a_region(values, "8", fork, "descriptors") for fork in FORKS]
    if None not in given:
        text += " Of those on eight threads %.1f and %.1f are to work descriptors: a line for " \
            "each slave, and one for all." % tuple(given)
    inner = [lines_a_region(values, "2x4", fork, "claimed") for fork in FORKS]
    if None not in inner:
        text += " On two levels, 2 x 4, they are %.1f and %.1f a region." % tuple(inner)
    return Verdict(SIMULATED if lwd > gwd else DIFFERS, text)


LEVELS = tuple(Run("overhead", "--iters 1000 --experiment 4096", seconds("one %d" % p), threads=p)
               for p in (1, 2, 4, 8)) + \
    tuple(Run("overhead", "--iters 1000 --two-level --inner %d" % max(1, p // 4),
              seconds("two %d" % p), threads=p) for p in (1, 2, 4, 8))


def table_levels(values):
    rows = [["processors", "one level", "two levels", "two / one"]]
    for p in (1, 2, 4, 8):
        rows.append([str(p), in_time(values.median("one %d" % p)),
                     in_time(values.median("two %d" % p)),
                     as_ratio(values.ratio("two %d" % p, "one %d" % p))])
    return rows


def judge_levels(values):
    ratio = values.ratio("two 2", "one 2")
    if ratio is None:
        return FAILED
    return Verdict(HOLDS if ratio <= 1.25 else DIFFERS,
                   "On two processors two levels take %.2f of the time of one." % ratio)


# Applications


def measured(kernel, options, label, **more):
    return Run(kernel, options, seconds(label), **more)


def predicted(kernel, options, label, more="", pick=lambda row: row["inner"] == 1):
    return Run("predict", "%s %s -- %s %s" % (ORIGIN, more, kernel, options), speed_up(label, pick),
               once=True)


def table_curves(names):
    def table(values):
        rows = [["processors"] + list(names)]
        for p in MANY.split(","):
            rows.append([p] + [show(values.median("%s %s" % (n, p))) for n in names])
        return rows
    return table


def plot_curves(names):
    def plot(values):
        return Curves("processors", "speed-up", {
            n: [(int(p), v) for p in MANY.split(",")
                for v in [values.median("%s %s" % (n, p))] if v is not None] for n in names})
    return plot


SWIM = "--size 512 --iters 100"
SWIM_RUNS = tuple(measured("swim", SWIM, "time %s %d" % (fork, p), threads=p, env=fork_env(fork))
                  for fork in FORKS for p in (1, 2)) + \
    tuple(measured("swim", SWIM, "time %s 2" % peer, runtime=peer) for peer in PEERS) + \
    tuple(predicted("swim", SWIM, fork, "--fork " + fork) for fork in FORKS)


def judge_swim(values):
    gain, forks = values.ratio("time gwd 1", "time gwd 2"), values.ratio("time lwd 2", "time gwd 2")
    peer = values.ratio("time gwd 2", "time gomp 2")
    far = values.median("gwd 64")
    if None in (gain, forks, far):
        return FAILED
    return Verdict(SIMULATED, "Measured on two processors: GWD has a speed-up of %.2f; LWD takes "
                   "%.2f of the time of GWD, and GWD %s of that of libgomp. By simulation the "
                   "speed-up on 64 processors is %.0f." % (gain, forks, as_ratio(peer), far))


def levels_of(kernel, options, parts=""):
    """Measured on two processors, and predicted: one level, and four groups."""
    return (measured(kernel, options + " --one-level", "time one 2"),
            measured(kernel, options + " --outer 2 --inner 1", "time two 2"),
            predicted(kernel, options + " --one-level" + parts, "one"),
            predicted(kernel, options + " --outer 4 --inner {I}", "two", "--outer 4",
                      lambda row: row["outer"] == 4))


HYDRO_RUNS = levels_of("hydro", "--size 256 --iters 60")
BT_RUNS = levels_of("bt", "--size 24 --iters 40 --ordered --compare 0", " --parts {P}")


def judge_gain(processors, paper):
    def judge(values):
        one, two = (values.median("%s %d" % (n, processors)) for n in ("one", "two"))
        here = values.ratio("time one 2", "time two 2")
        if None in (one, two, here):
            return FAILED
        return Verdict(SIMULATED, "By simulation two levels give %+.0f %% on %d processors (paper: "
                       "%+d %%). Measured on two processors two levels are %.2f times as fast."
                       % (100 * (two / one - 1), processors, paper, here))
    return judge


EXPERIMENTS = (
    Experiment(
        "forkjoin-overhead", "fork/join", "4, figure 3", "Overhead: LWD against GWD, three sizes",
        "On 32 processors all techniques are comparable. LWD stores more into shared lines, but "
        "the time is the same.",
        OVERHEAD, table_overhead, judge_overhead,
        note="Times of a spawn with its work; two processors. `nanogomp bench fork` has the cache "
             "events where the CPU counts them, or by simulation."),
    Experiment(
        "forkjoin-lines", "fork/join", "4, figure 3", "Stores that claim a shared line",
        "LWD stores more into shared lines than GWD.",
        LINES, table_lines, judge_lines,
        note="Of a region, all threads. Simulated by `nanogomp lines`: stores to a line that "
             "another thread has, and loads of such lines. Each thread has the paper's caches: 32 "
             "kB and 4 MB, both two-way, here with lines of 64 bytes; members are OS threads that "
             "poll, and yield where they are more than CPUs. On two levels a spawn has five "
             "regions, and the numbers are of one."),
    Experiment(
        "forkjoin-levels", "fork/join", "4, figure 4", "Overhead on one and on two levels, 4096 "
        "iterations",
        "Four sections with inner loops of 1024 iterations cost about as much as one loop of 4096.",
        LEVELS, table_levels, judge_levels,
        note="Four and eight processors are members on two CPUs here."),
    Experiment(
        "forkjoin-swim", "fork/join", "4, figure 5", "Swim, one level, 1 to 64 processors",
        "GWD is comparable to the vendor's library up to 64 processors.",
        SWIM_RUNS, table_curves(FORKS), judge_swim, plot_curves(FORKS),
        note="The table is by `nanogomp predict` for 32 memories of two processors: speed-up of "
             "the regions."),
    Experiment(
        "forkjoin-hydro", "fork/join", "6.1, figure 9", "Hydro2D, one and two levels",
        "Two levels cost up to 10 % on 8 processors and fewer, and give 30 % more speed-up on 32.",
        HYDRO_RUNS, table_curves(("one", "two")), judge_gain(32, 30), plot_curves(("one", "two")),
        note="Four fields in four groups; by `nanogomp predict`, speed-up of the regions."),
    Experiment(
        "forkjoin-bt", "fork/join", "6.2, figure 10", "APPBT, one and two levels",
        "From 8 processors on two levels are faster: 65 % more speed-up on 24.",
        BT_RUNS, table_curves(("one", "two")), judge_gain(24, 65), plot_curves(("one", "two")),
        note="24 lines a dimension, pipelines by ORDERED along z (and y on two levels), cut for "
             "each number of processors; by `nanogomp predict`, speed-up of the regions."),
)
