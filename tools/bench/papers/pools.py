# pools.py - the experiments of the paper on thread management: Base, Stack_aff, Hier
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from papers.experiment import (DIFFERS, FAILED, HOLDS, Curves, Experiment, Run, Verdict, as_ratio,
                               in_time, seconds)

PROCESSORS = (1, 2, 4, 8)
WORKS = (0, 500, 1000, 2000)
VECTORS = (2048, 4096, 8192, 16384)
# The paper's alternatives: pools of memory, and where nano-threads run
ALTERNATIVES = ("Base", "Stack_aff", "Hier")
POOLS = {"Base": "central", "Stack_aff": "local", "Hier": "hier"}


def setting(alternative, processors):
    env = (("NTH_POOL", POOLS[alternative]),)
    return env + (("NTH_DOMAINS", "2x%d" % max(1, processors // 2)),) \
        if alternative == "Hier" and processors > 1 else env


def clusters(alternative, processors):
    return " --clusters 2 --domains" if alternative == "Hier" and processors > 1 else ""


def runs_of(kernel, options_of, points):
    """A process for each alternative and (label, processors, extra) of points."""
    return tuple(Run(kernel, options_of(extra) + clusters(a, p), seconds("%s %s" % (a, label)),
                     threads=p, env=setting(a, p))
                 for a in ALTERNATIVES for label, p, extra in points)


def table_of(head, labels):
    def table(values):
        rows = [[head] + list(ALTERNATIVES) + ["Stack_aff / Base", "Hier / Base"]]
        for label in labels:
            names = ["%s %s" % (a, label) for a in ALTERNATIVES]
            rows.append([str(label)] + [in_time(values.median(n)) for n in names]
                        + [as_ratio(values.ratio(n, names[0])) for n in names[1:]])
        return rows
    return table


def plot_of(x, labels):
    def plot(values):
        return Curves(x, "seconds", {a: [(label, values.median("%s %s" % (a, label)))
                                         for label in labels] for a in ALTERNATIVES})
    return plot


def judge_of(unit, labels):
    """Holds if neither alternative is slower than Base beyond noise, at any label."""
    def judge(values):
        texts, slower = [], []
        for a in ALTERNATIVES[1:]:
            pairs = [("%s %s" % (a, label), "Base %s" % label) for label in labels]
            ratios = [values.ratio(*pair) for pair in pairs]
            if None in ratios:
                return FAILED
            texts.append("%s takes %.2f to %.2f" % (a, min(ratios), max(ratios)))
            slower += ["%s at %s" % (a, label) for label, pair in zip(labels, pairs)
                       if values.is_slower(*pair)]
        text = " and ".join(texts) + " of the time of Base"
        text += "; slower beyond noise: %s %s." % (", ".join(slower), unit) if slower else \
            ", nowhere more beyond noise."
        return Verdict(DIFFERS if slower else HOLDS, text)
    return judge


BURST = "--size 200000 --reps 5"  # the fastest of five
GRAPH = "--iters 1000 --reps 5"
STACKS = tuple(
    Run("bench:nthbench-micro", "nth-block", lambda text, a=a, p=p: {
        "%s %d" % (a, p): float(text.split()[1]) * 1e-9}, threads=p, env=setting(a, p))
    for a in ALTERNATIVES for p in (1, 2))

EXPERIMENTS = (
    Experiment(
        "pools-burst", "pools", "5, figure 4a", "Bursts of empty nano-threads",
        "On 4 to 32 processors Stack_aff takes 13 to 63 % less time than Base (41 % on average); "
        "Hier less than both from 8 processors on (52 % less than Base on average).",
        runs_of("nth_burst", lambda _e: BURST, [(p, p, 0) for p in PROCESSORS]),
        table_of("processors", PROCESSORS), judge_of("processors", PROCESSORS),
        plot_of("processors", PROCESSORS),
        note="Four and eight processors are OS threads on two CPUs here. Hier: two domains."),
    Experiment(
        "pools-work", "pools", "5, figure 4b", "Bursts of nano-threads with 0 to 2000 "
        "multiplications",
        "On 32 processors the order of the three stays the same for all of these sizes.",
        runs_of("nth_burst", lambda work: "--size 50000 --reps 5 --work %d" % work,
                [(w, 2, w) for w in WORKS]),
        table_of("multiplications", WORKS), judge_of("multiplications", WORKS),
        plot_of("multiplications", WORKS), note="Two processors."),
    Experiment(
        "pools-graph", "pools", "5, figure 5", "The graph of eight tasks, vectors of 2048 to 16384",
        "On 16 processors Hier takes 17 to 41 % less time than Base; Stack_aff hardly less.",
        runs_of("nth_graph8", lambda size: "%s --size %d" % (GRAPH, size),
                [(v, 2, v) for v in VECTORS]),
        table_of("vector", VECTORS), judge_of("elements", VECTORS),
        plot_of("elements of a vector", VECTORS), note="Two processors."),
    Experiment(
        "pools-stacks", "pools", "3.1", "Stacks under the same policies: 64 nano-threads wait at a "
        "time",
        "Stacks are recycled by the processor that used them, so that they are in its cache.",
        STACKS, table_of("processors", (1, 2)), judge_of("processors", (1, 2))),
)
