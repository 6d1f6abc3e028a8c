# tholder.py - the experiments of the presentation of T-holder
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re

from papers.experiment import (DIFFERS, FAILED, HOLDS, Experiment, Run, Verdict, as_ratio,
                               in_time, lines, show)

PROGRAMS = {"th_radix": "radix sort", "th_msort": "merge sort", "th_cholesky": "Cholesky",
            "th_bfs": "breadth first search", "th_pagerank": "PageRank"}
SIZES = (1000000, 5000000)


def twin(kind):
    """Labels of a kernel's lines: its name, and `pthreads` or `tholder`."""
    return lines(lambda name, _keys: "%s %s" % (name.replace("_tholder", ""), kind))


def pair(kernel, options):
    return (Run(kernel, options, twin("pthreads")), Run(kernel + "_tholder", options,
                                                        twin("tholder")))


def spawned(text):
    found = twin("tholder")(text)
    counts = re.search(r"created=(\d+) made=(\d+) own=(\d+) .* idle_ns=(\d+)", text)
    found.update(created=float(counts[1]), made=float(counts[2]) + float(counts[3]),
                 idle=float(counts[4]) * 1e-9)
    return found


SPAWN = (Run("th_spawn", "--threads 1000", twin("pthreads")),
         Run("th_spawn_tholder", "--threads 1000", spawned))


CALLS = ("clone", "futex", "all")


def system_calls(kind):
    """Counts and seconds of strace's summary: seconds, usecs/call, calls, errors, call."""
    def read(text):
        found = dict.fromkeys(["%s %s" % (call, kind) for call in CALLS], 0)
        for fields in map(str.split, text.splitlines()):
            if len(fields) not in (5, 6) or not re.fullmatch(r"[\d.]+", fields[0]):
                continue
            name = {"clone3": "clone", "total": "all"}.get(fields[-1], fields[-1])
            if name in CALLS:
                found["%s %s" % (name, kind)] += int(fields[3])
            if name == "all":
                found["system %s" % kind] = float(fields[1])
        return found if found["all " + kind] else {}
    return read


SYSTEM = tuple(Run("strace:" + kernel, "--threads 1000", system_calls(kind), once=True)
               for kernel, kind in (("th_spawn", "pthreads"), ("th_spawn_tholder", "tholder")))


def table_system(values):
    rows = [["by strace -f -c", "POSIX threads", "held threads"]]
    for label, text in [(call, "calls of " + call if call != "all" else "all system calls")
                        for call in CALLS]:
        rows.append([text] + [show(values.median("%s %s" % (label, kind)), digits=7)
                              for kind in ("pthreads", "tholder")])
    rows.append(["time in system calls"] + [in_time(values.median("system " + kind))
                                            for kind in ("pthreads", "tholder")])
    return rows


def judge_system(values):
    ours, theirs = (values.median("system " + kind) for kind in ("tholder", "pthreads"))
    clones = values.median("clone tholder")
    if not theirs or ours is None or clones is None:
        return FAILED
    text = "Held threads make %.0f calls of clone and take %.3f of the time in system calls." % (
        clones, ours / theirs)
    return Verdict(HOLDS if clones <= 150 and ours / theirs <= 1 / 6 else DIFFERS, text)


def table_spawn(values):
    return [["", "POSIX threads", "held threads", "held / POSIX"],
            ["1000 threads, 100 times", in_time(values.median("th_spawn pthreads")),
             in_time(values.median("th_spawn tholder")),
             as_ratio(values.ratio("th_spawn tholder", "th_spawn pthreads"))],
            ["OS threads made", show(100000, digits=6), show(values.median("made"), digits=6), "-"],
            ["an idle one ends after", "at once", in_time(values.median("idle")), "-"]]


def judge_spawn(values):
    ratio, made = values.ratio("th_spawn tholder", "th_spawn pthreads"), values.median("made")
    if ratio is None or made is None:
        return FAILED
    text = "Held threads take %.3f of the time, with %.0f OS threads." % (ratio, made)
    return Verdict(HOLDS if ratio <= 0.2 and made <= 150 else DIFFERS, text)


def labels_of(values):
    """The programs' lines, without the suffix."""
    return [label[:-len(" tholder")] for label in values.labels() if label.endswith(" tholder")]


def ratios_of(values):
    """{program: quartiles of held / POSIX in the rounds, or None}"""
    return {label: values.quartiles(label + " tholder", label + " pthreads")
            for label in labels_of(values)}


def table_programs(values):
    rows = [["program", "POSIX threads", "held threads", "held / POSIX", "quartiles"]]
    for label, ratios in ratios_of(values).items():
        names = ["%s %s" % (label, kind) for kind in ("pthreads", "tholder")]
        rows.append([label] + [in_time(values.median(n)) for n in names]
                    + [as_ratio(ratios and ratios[1]),
                       "%.2f to %.2f" % (ratios[0], ratios[2]) if ratios else "-"])
    return rows


def judge_programs(values):
    """A program is slower if held threads take longer in three rounds of four: the lower quartile
    of the ratios is above 1."""
    ratios = ratios_of(values)
    if not ratios or None in ratios.values():
        return FAILED
    middle = [median for _lower, median, _upper in ratios.values()]
    slower = [label for label, (lower, _median, _upper) in ratios.items() if lower > 1]
    text = "Held threads take %.2f to %.2f of the time; " % (min(middle), max(middle))
    text += "slower by the lower quartile: %s." % (", ".join(slower) or "none")
    return Verdict(DIFFERS if slower else HOLDS, text)


RADIX = tuple(
    Run(kernel, "--size %d" % size,
        lines(lambda name, keys, s=size, k=kind: "%d %s" % (s, k)))
    for size in SIZES for kernel, kind in (("th_radix", "pthreads"),
                                           ("th_radix_tholder", "tholder")))


EXPERIMENTS = (
    Experiment(
        "tholder-spawn", "T-holder", "Simple Test", "1000 threads created and joined, 100 times",
        "126 clone calls in place of 100,000.",
        SPAWN, table_spawn, judge_spawn,
        note="The time an idle OS thread is kept is learned here: the paper asks whether it can "
             "(docs/tholder.md)."),
    Experiment(
        "tholder-system", "T-holder", "Simple Test", "The same under strace",
        "126 clone calls in place of 100,000; 0.26 s in system calls in place of 1.74 s.",
        SYSTEM, table_system, judge_system),
    Experiment(
        "tholder-radix", "T-holder", "Results, radix sort", "Radix sort by size",
        "On 8 cores held threads take 0.78 (a million numbers) to 0.96 of the time of POSIX ones.",
        RADIX, table_programs, judge_programs),
    Experiment(
        "tholder-programs", "T-holder", "Target Algorithms", "The five programs",
        "Radix sort and PageRank are as fast or faster with held threads.",
        tuple(run for kernel in PROGRAMS for run in pair(kernel, "")), table_programs,
        judge_programs),
    Experiment(
        "tholder-recursive", "T-holder", "Future Work", "Merge sort, a thread at each split",
        "Created threads cannot create threads there.",
        pair("th_msort", "--form recursive --cutoff 1 --depth full --size 4000"), table_programs,
        judge_programs),
)
