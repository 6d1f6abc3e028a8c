# experiment.py - what an experiment of a paper is: what runs, what is read, what is said about it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An Experiment names its place in a paper, what the paper found, and the processes to run. Each
round runs all of them once; Values are what all rounds gave. From these come the table, the plot
and the verdict, so that a kept result can be shown again without running anything."""

import dataclasses
import json
import re
import typing

import nthbench_report as report

# Where each paper is, by the word that names it in the tables.
PAPERS = {
    "nano-threads": "Martorell, Labarta, Navarro, Ayguadé: A Library Implementation of the "
                    "Nano-Threads Programming Model (Euro-Par 1996)",
    "fork/join": "Martorell et al.: Thread Fork/Join Techniques for Multi-level Parallelism "
                 "Exploitation in NUMA Multiprocessors (ICS 1999)",
    "pools": "Nikolopoulos, Polychronopoulos, Papatheodorou: Efficient Runtime Thread Management "
             "for the Nano-Threads Programming Model (1998)",
    "batches": "Venetis, Papatheodorou, Gao: Handling Massive Parallelism Efficiently: Introducing "
               "Batches of Threads (CAPSL memo 70, 2006)",
    "T-holder": "Cho, Chou, Kumbhare, Liu, Nguyen, Nhu: T-holder, A Custom Thread-Holding Library "
                "(UC Davis)",
}

HOLDS = "holds"          # as the paper found
DIFFERS = "differs"      # otherwise; the sentence says why
SHOWN = "shown"          # the paper has no figure of its own
SIMULATED = "simulated"  # what this machine cannot show, by `nanogomp predict`
UNKNOWN = "not measured"


@dataclasses.dataclass(frozen=True)
class Run:
    """A process of each round. `reads` turns its standard output into {label: number}; a number's
    unit is the experiment's matter. `once`: in the first round only, since its result is the same
    each time (simulations)."""
    program: str    # a kernel; "bench:NAME" a program of the benchmark; "predict", "lines": a
                    # command of nanogomp; "strace:KERNEL": that kernel's system calls
    options: str
    reads: typing.Callable
    threads: int = 2
    env: tuple = ()             # pairs of name and value
    runtime: str = "nanogomp"   # or a peer; left out where that is not found
    once: bool = False
    every: int = 1  # in the first round of so many only: a long process that averages by itself

    def is_in(self, number):
        """Whether the process runs in that round; the first one is 0."""
        return number == 0 if self.once else number % self.every == 0

    def name(self):
        """Names the process among those of the experiment."""
        return " ".join(["%s=%s" % pair for pair in self.env]
                        + [self.program, self.options, "@%d" % self.threads, self.runtime])


@dataclasses.dataclass(frozen=True)
class Verdict:
    state: str
    sentence: str


FAILED = Verdict(UNKNOWN, "A process failed.")


@dataclasses.dataclass(frozen=True)
class Curves:
    """A plot: {name of a curve: [(x, y)]}. Curves whose name begins with `paper` are dashed."""
    x: str
    y: str
    curves: dict
    log_x: bool = False
    log_y: bool = False


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str
    paper: str      # a key of PAPERS
    place: str      # section and figure
    title: str
    found: str      # what the paper found, with its figures
    runs: tuple
    table: typing.Callable      # Values -> [head, row, ...] of texts
    judge: typing.Callable      # Values -> Verdict
    plot: typing.Callable = None  # Values -> Curves
    note: str = ""  # how ours differs from the paper's set-up
    why: str = ""   # where it differs: the reason that we found


class Values:
    """The numbers of all rounds: entries {"line": ns or None, "values": {label: number or text of a
    trouble}}. A ratio is the median of the rounds' ratios; rounds whose line round trip is off are
    left out (nthbench_report)."""

    def __init__(self, rounds):
        self.kept, self.dropped = report.keep_rounds(rounds)
        self.all = rounds

    def labels(self):
        return list(dict.fromkeys(label for r in self.all for label in r["values"]))

    def median(self, label):
        """The median, or None: not measured, or it failed in half of the rounds."""
        value = report.middle_of(self.kept, label) or report.middle_of(self.all, label)
        return None if isinstance(value, str) else value

    def ratio(self, one, other):
        """one / other, or None"""
        ratios = report.paired_ratios(self.kept, one, other)
        return report.median(ratios) if ratios else None

    def ratios(self, one, other):
        """one / other in each round that has both; those of dropped rounds if no other one has."""
        return (report.paired_ratios(self.kept, one, other)
                or report.paired_ratios(self.all, one, other))

    def quartiles(self, one, other):
        """(lower quartile, median, upper quartile) of one / other in the rounds, or None"""
        ratios = self.ratios(one, other)
        return tuple(report.quantile(ratios, q) for q in (0.25, 0.5, 0.75)) if ratios else None

    def is_slower(self, one, other):
        """Whether one takes longer than the other beyond noise: 5 % by the median, or 2 % in three
        rounds of four."""
        ratios = report.paired_ratios(self.kept, one, other)
        return bool(ratios) and (report.median(ratios) > 1.05
                                 or report.quantile(ratios, 0.25) > 1.02)

    def troubles(self):
        """[(label, text)], each once"""
        return sorted({(label, value) for r in self.all for label, value in r["values"].items()
                       if isinstance(value, str)})

    def line(self):
        lines = [r["line"] for r in self.kept if r.get("line") is not None]
        return report.median(lines) if lines else None


# Readers


def seconds(label):
    """The time of the process's only KERNEL line."""
    def read(text):
        times = re.findall(r"^KERNEL .* seconds=(\S+) .*check=ok", text, re.MULTILINE)
        return {label: float(times[0])} if len(times) == 1 else {}
    return read


def lines(label_of):
    """The times of all KERNEL lines: label_of(name, {key: value}) is the label, or None."""
    def read(text):
        found = {}
        for line in text.splitlines():
            fields = line.split()
            if len(fields) < 3 or fields[0] != "KERNEL" or "check=ok" not in fields:
                continue
            keys = dict(f.split("=", 1) for f in fields[2:] if "=" in f)
            label = label_of(fields[1], keys)
            if label:
                found[label] = float(keys["seconds"])
        return found
    return read


def speed_up(prefix, pick):
    """The rows of `nanogomp predict --json -`, after what the program itself prints: "prefix P" is
    the speed-up of its regions on P processors. The serial part of a kernel is its set-up and the
    check of its answer, which are no part of a paper's figure."""
    def read(text):
        rows = json.loads(text[text.index("{"):])["rows"]
        alone = next(r for r in rows if r["processors"] == 1)
        return {"%s %d" % (prefix, row["processors"]): in_regions(alone) / in_regions(row)
                for row in rows if pick(row)}
    return read


def in_regions(row):
    """Seconds; the parts of a row are seconds too."""
    return row["seconds"] - row["parts"]["serial"]


# Texts


def show(value, unit="", digits=3):
    """A number of `digits` digits and its unit; `-`: not measured."""
    if value is None:
        return "-"
    text = "%.*g" % (digits, value)
    if "e" in text:
        text = "%.0f" % value
    return text + (" " + unit if unit else "")


def in_time(value):
    """Seconds as text."""
    return "-" if value is None else report.show(value * 1e9, "ns")


def as_ratio(value):
    return "-" if value is None else "%.2f" % value


def ratio_of(one, other):
    """one / other of two medians, or None"""
    return one / other if one is not None and other else None
