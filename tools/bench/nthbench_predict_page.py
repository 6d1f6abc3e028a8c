# nthbench_predict_page.py - the page of `nanogomp bench predict`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
import textwrap

import nthbench_report as report

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from nanogomp_lib import predict_check  # noqa: E402

TIE = 0.03  # measured times that differ by less have no order
COMMAND = ("nanogomp bench predict --markdown docs/predicted.md --results "
           "tools/bench/results/predicted")


class Time:
    """An alternative on some processors: seconds, and what is said about them."""

    def __init__(self, rounds, label, processors):
        entries = [r[label] for r in rounds if isinstance(r.get(label), dict)]
        self.trouble = next((r[label] for r in rounds if isinstance(r.get(label), str)), None)
        self.predicted = self.measured = None
        if not entries:
            self.state, self.failed = self.trouble or "not measured", True
            return
        self.predicted, self.measured, self.others, self.lines = predict_check.best(
            [{processors: entry[str(processors)]} for entry in entries], processors)
        self.state, self.failed = predict_check.verdict(processors, self.predicted, self.measured,
                                                        self.others, self.lines)

    def off(self):
        return None if self.measured is None else self.predicted / self.measured - 1

    def cells(self):
        if self.measured is None:
            return ["-", "-", "-", self.state]
        return ["%.3f" % self.predicted, "%.3f" % self.measured, "%+.1f %%" % (100 * self.off()),
                self.state.partition(":")[0]]


class Row:
    """A case: the times of its first alternative, and the order of all."""

    def __init__(self, case, result):
        self.case, self.about, rounds = case, result["about"], result["rounds"]
        self.count = len(rounds)
        first = case.runs[0].label
        self.one, self.two = Time(rounds, first, 1), Time(rounds, first, 2)
        self.times = {run.label: Time(rounds, run.label, 2) for run in case.runs}
        self.wrong, self.state = self.judge() if len(case.runs) > 1 else ([], None)

    def judge(self):
        """(pairs in the wrong order, state)"""
        if any(time.measured is None for time in self.times.values()):
            return [], "not measured"
        wrong = predict_check.order({label: (time.predicted, time.measured)
                                     for label, time in self.times.items()}, TIE)
        if wrong and any(time.others > predict_check.BUSY or time.lines > predict_check.ALIKE
                         for time in self.times.values()):
            return wrong, "pending"
        return wrong, "OFF" if wrong else "ok"

    def failed(self):
        return self.one.failed or self.two.failed or self.state in ("OFF", "not measured")

    def order_of(self, name):
        """The alternatives from the fastest on; measured ones without an order are joined by =."""
        if self.state == "not measured":
            return "-"
        labels = sorted(self.times, key=lambda label: getattr(self.times[label], name))
        said, last = labels[0], getattr(self.times[labels[0]], name)
        for label in labels[1:]:
            now = getattr(self.times[label], name)
            said += (" = " if name == "measured" and now < last * (1 + TIE) else " < ") + label
            last = now
        return said


def table(head, lines):
    text = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(text + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def about(rows):
    """Machine, dates and commits; cases of another run say so by their own."""
    lines = []
    for row in rows:
        a = row.about
        line = "%s, %d CPUs, Linux %s, %s, commit %s" % (
            a["cpu"], a["cpus"], a["kernel"], a["date"][:10], (a.get("commit") or "unknown")[:12])
        if line not in lines:
            lines.append(line)
    return "\n".join(lines)


def why(rows):
    return [textwrap.fill("- **%s**: %s" % (row.case.name, row.case.why or "not explained."), 100,
                          subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
            for row in rows
            if row.one.state != "ok" or row.two.state != "ok" or row.state not in (None, "ok")]


def text(rows, costs=None):
    """The whole page. costs: {name: ns} of the machine that the replays assumed."""
    ordered = [row for row in rows if row.state is not None]
    good = [sum(time.state == "ok" for time in times) for times in
            ([row.one for row in rows], [row.two for row in rows])]
    out = ["# Predicted and measured\n",
           "`nanogomp bench predict` writes this page; see [predict.md](predict.md#check). "
           "Seconds are those of\nwhole processes, with set-up and check, the least of all "
           "rounds in which a line's round trip\nbetween the two processors was within %d %% of "
           "that of the costs.\n" % (100 * predict_check.ALIKE),
           (about(rows) or "Nothing measured.") + "\n", "    " + COMMAND + "\n",
           "## Times\n",
           "Within %d %%: %d of %d on one processor (CPU time), %d on two (by the clock).\n"
           % (100 * predict_check.TOLERANCE, good[0], len(rows), good[1]),
           table(["kernel", "options", "rounds", "predicted, 1", "measured, 1", "off", "state",
                  "predicted, 2", "measured, 2", "off", "state"],
                 [[row.case.name, "`%s`" % row.case.runs[0].options, str(row.count)]
                  + row.one.cells() + row.two.cells() for row in rows]),
           "## Order of alternatives on two processors\n",
           "Right: %d of %d. From the fastest on; measured times that differ by less than %d %% "
           "(=) have no\norder. Seconds stand as predicted / measured.\n"
           % (sum(row.state == "ok" for row in ordered), len(ordered), 100 * TIE),
           table(["kernel", "predicted", "measured", "seconds", "state"],
                 [[row.case.name, row.order_of("predicted"), row.order_of("measured"),
                   ", ".join("%s: %s" % (label, " / ".join(time.cells()[:2]))
                             for label, time in row.times.items()), row.state]
                  for row in ordered])]
    reasons = why(rows)
    if reasons:
        out += ["## Where it is off\n", "\n".join(reasons) + "\n"]
    if costs:
        out += ["## Costs\n",
                "Those of the replays, measured before the first case, in ns; but `bandwidth` is "
                "in GB/s, and\n`beside` a factor. [predict.md](predict.md#the-machine) tells what "
                "each is.\n",
                table(["cost", "value"], [["`%s`" % name, "%.4g" % value]
                                          for name, value in costs.items()])]
    return "\n".join(out)


def layout(rows):
    """The lines for the terminal."""
    lines = [["kernel", "predicted, 1", "measured", "off", "state", "predicted, 2", "measured",
              "off", "state", "order"]]
    lines += [[row.case.name] + row.one.cells() + row.two.cells() + [row.state or "-"]
              for row in rows]
    return report.layout(lines)
