# nanothreads.py - the experiments of the paper on the nano-threads library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from papers import adapt
from papers.batches import STEPS, cycles
from papers.experiment import (DIFFERS, FAILED, HOLDS, SHOWN, Curves, Experiment, Run, Verdict,
                               as_ratio, in_time, lines, show)

FLOP = 18  # a row
CHUNKS = (1, 2, 4, 9, 18, 27, 43, 90, 180, 450, 1125, 2250, 4500, 5625, 11250)
PAPER_CHUNK = 43  # the paper's least number of rows
ROWS = 45000
OVERHEAD = 0.10
SCHEDULES = {"chunk2": "2 rows", "chunk24": "24 rows", "gss": "gss"}


# Granularity


def grains(processors):
    def label(name, keys):
        kind = name.rpartition("-")[2]
        if kind == "serial":
            return "serial %d" % processors
        return "%s %s %d" % (kind, keys["size"].rpartition("/")[2], processors)
    return lines(label)


def overhead(values, kind, chunk, p):
    """Processor time beyond the serial one, as a part of it, or None."""
    ratio = values.ratio("%s %d %d" % (kind, chunk, p), "serial %d" % p)
    return None if ratio is None else p * ratio - 1


def least_grain(values, kind, p):
    """Rows from which on the overhead stays under 10 % up to 1125 rows; None: never."""
    least = None
    for chunk in reversed([c for c in CHUNKS if c <= 1125]):
        part = overhead(values, kind, chunk, p)
        if part is None or part >= OVERHEAD:
            break
        least = chunk
    return least


def cost_of(values, chunk, p):
    """(ns, flop): what a nano-thread of `chunk` rows costs beyond them, one by one; or None."""
    part, serial = overhead(values, "natural", chunk, p), values.median("serial %d" % p)
    if part is None or serial is None:
        return None
    flop = serial * 1e9 / (ROWS * FLOP)
    return part * flop * chunk * FLOP, part * chunk * FLOP


def costs_text(values):
    """What limits the grain, computed from the row of the paper's 43 rows."""
    costs = [cost_of(values, PAPER_CHUNK, p) for p in (1, 2)]
    if None in costs:
        return ""
    flop = values.median("serial 1") * 1e9 / (ROWS * FLOP)
    return (" At %d rows a nano-thread costs %.0f ns beyond its work on 1 processor, and %.0f on "
            "2: %.0f and %.0f times a flop, which takes %.2f ns. In the paper 10 %% of %d flop "
            "were 16 us (0.15 us an addition, 0.27 us a multiplication): 77 times a flop, but 540 "
            "cycles of its 33 MHz." % (PAPER_CHUNK, costs[0][0], costs[1][0], costs[0][1],
                                       costs[1][1], flop, PAPER_CHUNK * FLOP))


def table_grain(values):
    rows = [["rows", "flop", "one by one, 1 processor", "2 processors", "in batches of 8, 1",
             "2 processors"]]
    for chunk in CHUNKS:
        rows.append([str(chunk), str(chunk * FLOP)] + [
            "-" if part is None else "%+.0f %%" % (100 * part)
            for part in (overhead(values, kind, chunk, p)
                         for kind in ("natural", "batch") for p in (1, 2))])
    return rows


def plot_grain(values):
    return Curves("flop a nano-thread", "overhead, %", {
        "%s, %d processor%s" % (text, p, "s" * (p > 1)): [
            (chunk * FLOP, 100 * part) for chunk in CHUNKS if chunk <= 1125
            for part in [overhead(values, kind, chunk, p)] if part is not None]
        for kind, text in (("natural", "one by one"), ("batch", "batches of 8")) for p in (1, 2)},
        log_x=True, log_y=True)


def judge_grain(values):
    grain = {(kind, p): least_grain(values, kind, p)
             for kind in ("natural", "batch") for p in (1, 2)}
    if not any(overhead(values, "natural", PAPER_CHUNK, p) is not None for p in (1, 2)):
        return FAILED
    text = "The overhead stays under 10 %% from %s on (one by one), from %s on in batches." % tuple(
        " and ".join("%s flop on %d processor%s" % (grain[kind, p] * FLOP if grain[kind, p]
                                                    else "no number of", p, "s" * (p > 1))
                     for p in (1, 2)) for kind in ("natural", "batch"))
    text += costs_text(values)
    good = grain["natural", 1] and grain["natural", 1] * FLOP <= 810
    return Verdict(HOLDS if good else DIFFERS, text)


# Primitives


def table_primitives(values):
    rows = [["step", "one by one", "in batches of 8", "flop in that time"]]
    rate, flop = values.median("rate"), values.median("serial 1")
    for step in STEPS:
        one, batch = (values.median("%s %s 1" % (n, step)) for n in ("Natural", "Batch"))
        ns = [None if c is None or not rate else c / rate for c in (one, batch)]
        same = None if ns[0] is None or not flop else ns[0] / (flop * 1e9 / (ROWS * FLOP))
        rows.append([step, show(ns[0], "ns"), show(ns[1], "ns"), show(same)])
    return rows


def judge_primitives(values):
    rate = values.median("rate")
    counts = [values.median("Natural %s 1" % step) for step in STEPS]
    if None in counts or not rate:
        return FAILED
    return Verdict(HOLDS if max(counts) / rate < 15000 else DIFFERS,
                   "All four steps together take %.0f ns." % (sum(counts) / rate))


# Jacobi


def jacobi(processors):
    return lines(lambda name, _keys: "%s %d" % (SCHEDULES[name.rpartition("-")[2]], processors))


def table_jacobi(values):
    rows = [["processors"] + list(SCHEDULES.values()) + ["2 rows / gss"]]
    for p in (1, 2):
        rows.append([str(p)] + [in_time(values.median("%s %d" % (n, p)))
                                for n in SCHEDULES.values()]
                    + [as_ratio(values.ratio("2 rows %d" % p, "gss %d" % p))])
    return rows


def judge_jacobi(values):
    ratios = [values.ratio("2 rows %d" % p, "gss %d" % p) for p in (1, 2)]
    if None in ratios:
        return FAILED
    text = "Chunks of 2 rows take %.2f (1 processor) and %.2f (2) of the time of gss." % \
        tuple(ratios)
    return Verdict(HOLDS if max(ratios) > 1.02 else DIFFERS, text)


# Schedules

POLICIES = ("dynamic", "guided", "gss", "trapezoid", "affinity")
POLICY_KERNELS = {"jacobi": "--solves 4", "nth_jacobi": "--solves 4", "unequal": "--iters 100"}
POLICY_RUNS = tuple(
    Run(kernel, options + " --schedule " + policy,
        lines(lambda name, _keys, k=kernel, s=policy: "%s %s" % (k, s)))
    for kernel, options in POLICY_KERNELS.items() for policy in POLICIES)


def table_policies(values):
    return [["program"] + list(POLICIES)] + [
        [kernel] + [in_time(values.median("%s %s" % (kernel, p))) for p in POLICIES]
        for kernel in POLICY_KERNELS]


def judge_policies(values):
    best = []
    for kernel in POLICY_KERNELS:
        times = {p: values.median("%s %s" % (kernel, p)) for p in POLICIES}
        if None in times.values():
            return FAILED
        least = min(times, key=times.get)
        best.append("in %s %s is the fastest, and %s takes %.2f of its time" % (
            kernel, least, max(times, key=times.get), max(times.values()) / times[least]))
    return Verdict(SHOWN, "On two processors, %s." % "; ".join(best))


EXPERIMENTS = (
    Experiment(
        "nanothreads-primitives", "nano-threads", "4", "The basic primitives",
        "Each takes less than 15 us, to start a nano-thread 25 us (i486, 33 MHz), where a floating "
        "point addition takes 0.15 us.",
        (Run("nth_empty", "--size 1000000", cycles(1), threads=1),
         Run("nth_matvec", "--natural --chunk 11250", grains(1), threads=1)),
        table_primitives, judge_primitives),
    Experiment(
        "nanothreads-grain", "nano-threads", "4.1, figure 1", "Granularity: matrix by vector",
        "A nano-thread needs about 800 flop (43 rows) so that the overhead is under 10 %.",
        tuple(Run("nth_matvec", "", grains(p), threads=p) for p in (1, 2)),
        table_grain, judge_grain, plot_grain,
        note="Overhead: processor time beyond that of the serial product, as a part of it. Very "
             "large chunks (4 to 10 nano-threads in all) do not divide evenly; that counts, too.",
        why="A nano-thread takes fewer cycles here, but a flop far fewer: less than one, in the "
            "paper 5 to 9. On one processor the cost is some 400 instructions from create to end "
            "(callgrind, nth_empty). On two, the descriptor's line also goes to the processor that "
            "runs the nano-thread; the cycle table (batches-cycles) has that in lookup."),
    Experiment(
        "nanothreads-jacobi", "nano-threads", "4.2, figure 2", "Work generation: Jacobi, 480 rows, "
        "250 iterations",
        "Fixed chunks of 2 rows have an overhead that gss has not, on 1, 2 and 3 processors.",
        tuple(Run("jacobi", "--solves 4", jacobi(p), threads=p) for p in (1, 2)),
        table_jacobi, judge_jacobi,
        note="Four solves at a time.",
        why="The paper's overhead is the time that its nano-threads take. 2 rows of 480 elements "
            "take some 400 ns here, and a nano-thread 60 to 120 ns (nanothreads-grain), part of "
            "which the processor overlaps with the rows."),
    *adapt.EXPERIMENTS,
    Experiment(
        "nanothreads-schedules", "nano-threads", "5", "Trapezoid and affinity beside guided "
        "self-scheduling",
        "The paper leaves them to future work.",
        POLICY_RUNS, table_policies, judge_policies,
        note="jacobi, unequal: by OMP_SCHEDULE (docs/running.md); nth_jacobi: by loops of nth.h "
             "(docs/nth.md)."),
)
