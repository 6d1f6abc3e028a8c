# report.py - progress line, table, list of failures, JSON
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import json
import re
import sys
import threading
import time

from . import judge

PLAIN_SECONDS = 20       # between two progress lines where there is no terminal
STACK_FRAMES = 14        # of a thread
STACK_LINES = 80
STACK_WIDTH = 150


class Progress:
    """One line that is written again and again; a line now and then where stderr is a file."""

    def __init__(self, total):
        self.total, self.done, self.failed = total, 0, 0
        self.terminal, self.began = sys.stderr.isatty(), time.monotonic()
        self.last, self.lock = 0.0, threading.Lock()

    def step(self, name, failed):
        with self.lock:
            self.done += 1
            self.failed += failed
            now = time.monotonic()
            if now - self.last < (0.1 if self.terminal else PLAIN_SECONDS):
                return
            self.last = now
            left = (now - self.began) / self.done * (self.total - self.done)
            text = "%d of %d, %d failed, about %s left" % (self.done, self.total, self.failed,
                                                           duration(left))
            if self.terminal:
                sys.stderr.write("\r\033[K%s  %s" % (text, name[:60]))
            else:
                sys.stderr.write("gcc-suite: %s\n" % text)
            sys.stderr.flush()

    def clear(self):
        if self.terminal:
            sys.stderr.write("\r\033[K")

    def say(self, text):
        with self.lock:
            self.clear()
            print(text, flush=True)


def duration(seconds):
    return "%d s" % seconds if seconds < 100 else "%d min" % round(seconds / 60)


def short_stacks(stacks):
    """The innermost frames of each thread, as far as the lines reach."""
    lines, frames = [], 0
    for line in stacks.splitlines():
        frames = frames + 1 if line.startswith("#") else 0
        if frames <= STACK_FRAMES and re.match(r"#|Thread |process ", line):
            lines.append(line[:STACK_WIDTH])
        elif frames == STACK_FRAMES + 1:
            lines.append("...")
    more = len(lines) - STACK_LINES
    return lines[:STACK_LINES] + (["... %d lines more" % more] if more > 0 else [])


def describe(result, verbose):
    """Lines about a run that went wrong."""
    lines = ["%s at %s threads: %s%s" % (
        result["test"], result["threads"], result["reason"],
        " (run %d)" % result["runs"] if result["runs"] > 1 else "")]
    lines.append("    " + result["command"])
    if result.get("stacks"):
        lines += ["    " + line for line in short_stacks(result["stacks"])]
    if verbose and result.get("output"):
        lines += ["    | " + line for line in result["output"].splitlines()[:40]]
    return "\n".join(lines)


COLUMNS = ("tests", "unsupported", "runs", judge.BOTH, "only system", judge.ONLY_OURS,
           judge.NEITHER, "flaky")
OF_VERDICT = {judge.BOTH: judge.BOTH, judge.REGRESSION: "only system",
              judge.ONLY_OURS: judge.ONLY_OURS, judge.NEITHER: judge.NEITHER, judge.FLAKY: "flaky"}


def count(tests, results):
    """{group: {column: number}}, groups in the order of the tests."""
    table = collections.OrderedDict()
    for test in tests:
        row = table.setdefault(test.group, collections.Counter())
        row["tests"] += 1
        row["unsupported"] += 1 if test.unsupported else 0
    for result in results:
        table[result["group"]]["runs"] += 1
        table[result["group"]][OF_VERDICT[result["verdict"]]] += 1
    return table


def table_text(table):
    total = collections.Counter()
    for row in table.values():
        total.update(row)
    rows = [("",) + COLUMNS]
    rows += [(group,) + tuple(str(row[name]) for name in COLUMNS)
             for group, row in list(table.items()) + [("total", total)]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join([row[0].ljust(widths[0])] + [
        cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]) for row in rows)


def reasons_text(tests):
    """Why tests are not run, the most frequent reason first."""
    counted = collections.Counter(re.sub(r": .*'.*", "", test.unsupported) if
                                  test.unsupported.startswith("does not compile")
                                  else test.unsupported for test in tests if test.unsupported)
    return "\n".join("%6d  %s" % (number, reason) for reason, number in counted.most_common())


def names_text(results, verdict):
    return "\n".join("  %s at %s threads: %s" % (result["test"], result["threads"],
                                                 result["reason"] or result["system"])
                     for result in results if result["verdict"] == verdict)


def cause(reason):
    """A reason without what differs from test to test."""
    symbol = re.search(r"undefined symbol: \S+|version `[^']*' not found", reason)
    if symbol:
        return symbol.group(0).rstrip(",")
    if reason.startswith(judge.HANGS):
        return judge.HANGS
    return re.sub(r"0x[0-9a-f]+|\b\d+\.\d+\b|/\S+/", "", reason)


def causes_text(results, verdict):
    """Tests of a verdict by cause, the most frequent cause first; thread counts where not all."""
    tests = collections.defaultdict(lambda: collections.defaultdict(list))
    for result in results:
        if result["verdict"] == verdict:
            tests[cause(result["reason"])][result["test"]].append(result["threads"])
    tried = len({result["threads"] for result in results})
    lines = []
    for reason, names in sorted(tests.items(), key=lambda item: -len(item[1])):
        lines.append("  %d: %s" % (len(names), reason))
        lines += ["       " + name + (" at %s threads" % ",".join(threads)
                                      if len(threads) < tried else "")
                  for name, threads in names.items()]
    return "\n".join(lines)


def write_json(path, about, tests, results):
    data = dict(about, results=results, unsupported=[
        {"test": test.name, "group": test.group, "reason": test.unsupported}
        for test in tests if test.unsupported])
    with open(path, "w") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
