# adapt.py - the paper on the nano-threads library: one processor is taken and given back
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each process solves until the processor was taken and given back some times, so it has 3/4 of two
processors whatever the period is. Times are of one solve; `never` is one with both processors.

Reacting is ideal where a solve takes 4/3 of that: what is left is used. Without reaction it takes
up to 2: the other threads wait for the chunk that the taken processor has begun."""

import re
from functools import partial

import nthbench_report as report
from papers.experiment import (DIFFERS, FAILED, HOLDS, Curves, Experiment, Run, Verdict, as_ratio,
                               in_time)

ITERATIONS = 250  # of a solve
# ms, how often taken and given in a process, one round of so many, short list of forms
PERIODS = ((40, 3, 1, False), (100, 2, 1, False), (200, 2, 3, False),
           (400, 2, 3, True), (1000, 2, 5, True), (4000, 2, 8, True))
REACTIONS_MS = (0, 3)
SHARE = 0.75  # of two processors: both for half of the time, one for the other half
SURE = 0.02   # noise of a ratio


def solve_time(label):
    """The time a solve of the process's only KERNEL line."""
    def read(text):
        found = re.findall(r"^KERNEL .* size=\d+x(\d+)\S* seconds=(\S+) .*check=ok", text,
                           re.MULTILINE)
        if len(found) != 1:
            return {}
        return {label: float(found[0][1]) * ITERATIONS / int(found[0][0])}
    return read


def forms_of(short, forms):
    """The forms that a period has: of a long one only small chunks and guided ones."""
    return [name for name in forms if not short or name in ("2 rows", "gss", "guided")]


def runs_of(kernel, forms):
    runs = [Run(kernel, option + " --solves 8", solve_time("%s never" % name))
            for name, option in forms.items()]
    for take, periods, every, short in PERIODS:
        for name in forms_of(short, forms):
            runs += [Run(kernel, "%s --take-ms %d --react-ms %d --periods %d" % (
                forms[name], take, react, periods), solve_time("%s %d %d" % (name, take, react)),
                         every=every) for react in REACTIONS_MS]
    return tuple(runs)


def cases(forms):
    return [(name, take) for name in forms for take, _periods, _every, short in PERIODS
            if name in forms_of(short, forms)]


def ideal(values, name):
    """Seconds a solve if all of the processors that are given were used."""
    never = values.median("%s never" % name)
    return None if never is None else never / SHARE


def reacting(values, name, take):
    """The rounds' ratios: with 3 ms to react / without."""
    return values.ratios("%s %d 3" % (name, take), "%s %d 0" % (name, take))


def of_ideal(values, name, take):
    """With 3 ms to react / ideal, or None"""
    ratios = values.ratios("%s %d 3" % (name, take), "%s never" % name)
    return report.median(ratios) * SHARE if ratios else None


def table(values, forms):
    rows = [["rows a chunk, taken and given for", "no reaction", "3 ms to react",
             "reacting / not", "ideal", "reacting / ideal"]]
    for name, take in cases(forms):
        ratios = reacting(values, name, take)
        rows.append(["%s, %s" % (name, "%d ms" % take if take < 1000 else "%d s" % (take // 1000))]
                    + [in_time(values.median("%s %d %d" % (name, take, react)))
                       for react in REACTIONS_MS]
                    + [as_ratio(report.median(ratios) if ratios else None),
                       in_time(ideal(values, name)), as_ratio(of_ideal(values, name, take))])
    return rows


def plot(values, forms):
    curves = {"%s, %s" % (name, "3 ms" if react else "no reaction"): [
        (take, 1e3 * value) for n, take in cases(forms) if n == name
        for value in [values.median("%s %d %d" % (name, take, react))] if value is not None]
        for name in forms for react in REACTIONS_MS}
    first = next(iter(forms))
    if ideal(values, first):
        curves["ideal, %s" % first] = [(p[0], 1e3 * ideal(values, first)) for p in PERIODS]
    return Curves("ms for which a processor is taken", "ms a solve", curves, log_x=True)


def names(chosen):
    return ", ".join("%s at %d ms" % case for case in chosen)


def judge(values, forms):
    """Slower or faster: in three rounds of four, beyond noise."""
    ratios = {case: reacting(values, *case) for case in cases(forms)}
    near = {case: of_ideal(values, *case) for case in ratios}
    if not all(ratios.values()) or None in near.values():
        return FAILED
    middle = {case: report.median(r) for case, r in ratios.items()}
    faster = [c for c, r in ratios.items() if report.quantile(r, 0.75) < 1 - SURE]
    slower = [c for c, r in ratios.items() if report.quantile(r, 0.25) > 1 + SURE]
    farthest = max(near, key=near.get)
    text = "With 3 ms to react a solve takes %.2f to %.2f of its time without: faster beyond " \
        "noise in %d of %d cases" % (min(middle.values()), max(middle.values()), len(faster),
                                     len(ratios))
    text += ", slower in %s. " % names(slower) if slower else ", slower in none. "
    text += "It takes %.2f to %.2f of the ideal; %s is the farthest." % (
        min(near.values()), near[farthest], names([farthest]))
    good = not slower and len(faster) >= 0.75 * len(ratios)
    return Verdict(HOLDS if good else DIFFERS, text)


TAKEN = {"2 rows": "--chunk 2", "24 rows": "--chunk 24", "gss": "--gss",
         "trapezoid loop": "--schedule trapezoid"}  # the last one by nth_loop_run()
REGIONS = {"2 rows": "--chunk 2", "24 rows": "--chunk 24", "guided": "--gss"}

NTH = {3: "third", 5: "fifth", 8: "eighth"}  # of the rounds

NOTE = " Times are of a solve of 480 rows, 250 iterations. Ideal: its time with both processors " \
    "/ 0.75, the share that is given; less than that shows what two processors cost each other. " \
    "In a process the processor is taken and given back 2 times (3 times at %d ms). Of the " \
    "rounds %s." % (PERIODS[0][0], ", ".join(
        "every %s one has %d ms" % (NTH[every], take)
        for take, _periods, every, _short in PERIODS if every > 1))

EXPERIMENTS = tuple(
    Experiment(name, "nano-threads", "4.2, figure 2", title, found, runs_of(kernel, forms),
               partial(table, forms=forms), partial(judge, forms=forms),
               partial(plot, forms=forms), note=note + NOTE)
    for name, title, kernel, forms, found, note in (
        ("nanothreads-adapt", "Adaptability: a processor is taken and given back", "nth_jacobi",
         TAKEN,
         "Programs that react in time are always faster than those that do not. Small chunks react "
         "best; gss does not, since some of its chunks are too large.",
         "By nano-threads, and by a loop of nth.h; a thread of the kernel plays the operating "
         "system (docs/nth.md, Fewer processors)."),
        ("nanothreads-adapt-regions", "Adaptability of OpenMP regions", "jacobi", REGIONS,
         "As above; the paper's program consists of such regions, compiled to nano-threads.",
         "By regions with a dynamic or guided loop (docs/nth.md, OpenMP regions).")))
