# batches.py - the experiments of "Introducing Batches of Threads"
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import sys

from papers.experiment import (DIFFERS, FAILED, HOLDS, Curves, Experiment, Run, Verdict, as_ratio,
                               in_time, lines, ratio_of, show)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models"))
import batches as model  # noqa: E402

PROCESSORS = (1, 2, 4, 8)
VARIATIONS = {"equal": "Equal", "natural": "Natural", "batch": "Batch"}
STEPS = ("create", "enqueue", "lookup", "start")
THREADS = 1000000
MISSES = 0.75  # cached beside not cached: what is less is told as the cost of misses
CACHED = 4000  # so few that their descriptors, 128 bytes each, stay in the second cache


def by_variation(processors):
    def label(name, _keys):
        return "%s %s" % (VARIATIONS[name.rpartition("-")[2]], processors)
    return lines(label)


def runs_of(kernel, options):
    return tuple(Run(kernel, options, by_variation(p), threads=p) for p in PROCESSORS)


def table_of(names):
    def table(values):
        rows = [["processors"] + list(names) + ["Batch / Natural"]]
        for p in PROCESSORS:
            rows.append([str(p)] + [in_time(values.median("%s %d" % (n, p))) for n in names]
                        + [as_ratio(values.ratio("Batch %d" % p, "Natural %d" % p))])
        return rows
    return table


def plot_of(names):
    def plot(values):
        curves = {n: [(p, values.median("%s %d" % (n, p))) for p in PROCESSORS] for n in names}
        return Curves("processors", "seconds", curves, log_x=True)
    return plot


# Empty


def judge_empty(values):
    gain = ratio_of(1, values.ratio("Batch 2", "Natural 2"))
    if gain is None:
        return FAILED
    text = "On two processors Natural takes %.2f times as long as Batch." % gain
    return Verdict(HOLDS if gain > 1 else DIFFERS, text)


# The cycle table


def cycles(processors):
    """processors: their number, or "cached"."""
    def read(text):
        found = {}
        for line in re.findall(r"^# (natural|batch) +cycles: (.*) \(waited .*, (\S+) in a ns\)",
                               text, re.MULTILINE):
            fields = line[1].split()
            for step, count in zip(fields[::2], fields[1::2]):
                found["%s %s %s" % (VARIATIONS[line[0]], step, processors)] = float(count)
            found["rate"] = float(line[2])
        for line in re.findall(r"^# (natural|batch) first run: (\S+) s$", text, re.MULTILINE):
            found["%s first %s" % (VARIATIONS[line[0]], processors)] = float(line[1])
        found.update(by_variation(processors)(text))
        return found
    return read


CYCLES = tuple(Run("nth_empty", "--size %d" % THREADS, cycles(p), threads=p) for p in PROCESSORS)
FEW = Run("nth_empty", "--size %d" % CACHED, cycles("cached"), threads=1)


def table_cycles(values):
    rows = [["processors", "variation"] + list(STEPS) + ["sum"]]
    for p in PROCESSORS + ("cached",):
        for name in ("Natural", "Batch"):
            counts = [values.median("%s %s %s" % (name, step, p)) for step in STEPS]
            total = None if None in counts else sum(counts)
            if p != "cached":
                rows.append([str(p), name] + [show(c) for c in counts] + [show(total)])
            elif total is not None:
                rows.append(["1, of %d" % CACHED, name] + [show(c) for c in counts] + [show(total)])
    return rows


def making(values, p):
    """What a nano-thread of a batch costs the master beside one that is made alone, or None: to
    create, to create and enqueue."""
    natural, batch = ([values.median("%s %s %s" % (name, step, p)) for step in STEPS[:2]]
                      for name in ("Natural", "Batch"))
    if None in natural + batch or not natural[0]:
        return None
    return batch[0] / natural[0], sum(batch) / sum(natural)


def why_create(values):
    """What it is to create one in a batch, with and without misses: sentences, or nothing."""
    many, few = making(values, 1), making(values, "cached")
    if not many or not few:
        return ""
    reason = (" So the rest is the wait for the descriptors' lines, which in a batch falls to "
              "create alone." if few[0] < MISSES * many[0] else "")
    return (" On one processor it is %.2f to create, and %.2f to create and enqueue; with %d "
            "nano-threads, whose descriptors stay in the cache, %.2f and %.2f.%s"
            % (many + (CACHED,) + few + (reason,)))


def judge_cycles(values):
    enqueue = values.ratio("Batch enqueue 2", "Natural enqueue 2")
    create = values.ratio("Batch create 2", "Natural create 2")
    if enqueue is None or create is None:
        return FAILED
    text = ("On two processors a batch of 8 needs %.2f of the cycles to enqueue a nano-thread, and "
            "%.2f to create it." % (enqueue, create) + why_create(values))
    return Verdict(HOLDS if enqueue <= 0.25 else DIFFERS, text)


# The model

MODEL_OFF = 0.15


def costs_of(values, name, p):
    """The model's costs from the cycle table, in ns, or None."""
    rate = values.median("rate")
    counts = [values.median("%s %s %d" % (name, step, p)) for step in STEPS]
    return None if None in counts or not rate else model.Costs(*[c / rate for c in counts])


def model_rows(values):
    """[(variation, processors, measured, paper's, ours)], ns a thread"""
    found = []
    for name in ("Natural", "Batch"):
        for p in PROCESSORS[:2]:
            costs, seconds = costs_of(values, name, p), values.median("%s %d" % (name, p))
            if costs and seconds:
                found.append((name, p, seconds * 1e9 / THREADS,
                              model.predict(costs, p, THREADS, 0) / THREADS,
                              model.overlapped(costs, p, THREADS, 0) / THREADS))
    return found


def table_model(values):
    rows = [["variation", "processors", "first run", "measured", "equations 1 to 8", "off",
             "overlapped", "off"]]
    for name, p, measured, paper, ours in model_rows(values):
        first = values.median("%s first %d" % (name, p))
        rows.append([name, str(p), show(None if first is None else first * 1e9 / THREADS, "ns"),
                     show(measured, "ns"), show(paper, "ns"),
                     "%+.0f %%" % (100 * (paper / measured - 1)), show(ours, "ns"),
                     "%+.0f %%" % (100 * (ours / measured - 1))])
    return rows


def judge_model(values):
    rows = model_rows(values)
    if len(rows) < 4:
        return FAILED
    paper = max(abs(r[3] / r[2] - 1) for r in rows)
    ours = max(abs(r[4] / r[2] - 1) for r in rows)
    text = ("Fed with the cycle table, the equations are up to %.0f %% off, the overlapped form "
            "(tools/models) up to %.0f %%." % (100 * paper, 100 * ours))
    first, measured = values.median("Natural first 1"), rows[0][2]
    if first:
        text += (" Both are of runs that find their descriptors in the pools. The first run also "
                 "gets their memory from the system, a page fault for each 32: %.0f ns a "
                 "nano-thread more (Natural, one processor)." % (first * 1e9 / THREADS - measured))
    return Verdict(HOLDS if paper <= MODEL_OFF else DIFFERS, text)


# Livermore loops 6 and 21


def judge_loop6(values):
    text, wins = [], []
    for p in PROCESSORS[:2]:
        equal, batch = (values.median("%s %d" % (n, p)) for n in ("Equal", "Batch"))
        gain = values.ratio("Natural %d" % p, "Batch %d" % p)
        if None in (equal, batch, gain):
            return FAILED
        wins.append(gain > 1)
        text.append("on %d processor%s Batch is %.2f times as fast as Natural, and takes %.1f "
                    "times as long as Equal" % (p, "s" * (p > 1), gain, batch / equal))
    sentence = "; ".join(text) + "."
    return Verdict(HOLDS if all(wins) else DIFFERS, sentence[0].upper() + sentence[1:])


def judge_loop21(values):
    equal = values.ratio("Equal 2", "Batch 2")
    natural = values.ratio("Natural 2", "Batch 2")
    if equal is None or natural is None:
        return FAILED
    text = ("On two processors Batch is %.1f times as fast as Equal and %.2f times as fast as "
            "Natural." % (equal, natural))
    return Verdict(HOLDS if equal > 1 and natural > 0.98 else DIFFERS, text)


EXPERIMENTS = (
    Experiment(
        "batches-empty", "batches", "5, figure 7", "Empty: a million nano-threads that do nothing",
        "Batches of 8 take 5 to 43 % less time on the Intel machine (but not with both contexts of "
        "one processor), 2 to 69 % less on the simulated one.",
        runs_of("nth_empty", "--size %d" % THREADS), table_of(("Natural", "Batch")), judge_empty,
        plot_of(("Natural", "Batch"))),
    Experiment(
        "batches-cycles", "batches", "5, figures 10 to 13", "Cycles to create, enqueue, look up "
        "and start a nano-thread",
        "To enqueue falls from about 180 to about 12 cycles a thread on the Intel machine; to "
        "create, look up and start one takes about as long as before.",
        CYCLES + (FEW,), table_cycles, judge_cycles,
        note="Steps of the time stamp counter, per nano-thread, without the stamps themselves."),
    Experiment(
        "batches-model", "batches", "3, equations 1 to 8", "The cost model, fed with what was "
        "measured",
        "The time of fine-grained parallelism depends on the time to create and to enqueue alone "
        "(equation 3).",
        CYCLES, table_model, judge_model,
        note="The model is tools/models/batches.py."),
    Experiment(
        "batches-loop6", "batches", "5, figure 8", "Livermore loop 6, a recurrence",
        "Batch is faster than Natural on any number of processors; with enough of them it comes "
        "close to Equal or is faster, since small threads balance the load.",
        runs_of("nth_loop6", "--size 2500 --iters 4"), table_of(tuple(VARIATIONS.values())),
        judge_loop6, plot_of(tuple(VARIATIONS.values()))),
    Experiment(
        "batches-loop21", "batches", "5, figure 9", "Livermore loop 21, a matrix product",
        "Many small threads use the caches better than an equal part for each processor: Batch "
        "and Natural are faster than Equal.",
        runs_of("nth_loop21", "--size 100001 --iters 2"), table_of(tuple(VARIATIONS.values())),
        judge_loop21, plot_of(tuple(VARIATIONS.values()))),
)
