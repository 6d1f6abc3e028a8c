# profile_simulate.py - `nanogomp profile --simulate`: cache figures by region, from valgrind
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second run of the program, under valgrind's tool callgrind with its model of two cache levels.
callgrind counts by function. The function that the compiler made of a region or a task, and what it
calls, is that region's or task's. What several regions call is shared among them as callgrind's
figures of the calls are; the functions are many, and call each other, so that the shares are found
step by step. One thread runs at a time, and all have one cache: what members take from each other
is not in these figures (`nanogomp lines` has that)."""

import os
import shutil
import subprocess
import tempfile

from nanogomp_lib import profile_report as text
from nanogomp_lib import signals, sites

VALGRIND = ("valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", "--trace-children=yes",
            "--fair-sched=try", "--compress-strings=no", "--compress-pos=no")
OUTSIDE = "outside regions"
STEPS, NEAR = 200, 1e-6
TITLES = {"Ir": "instructions", "Dr": "loads", "Dw": "stores", "D1mr": "L1 load misses",
          "D1mw": "L1 store misses", "DLmr": "last-level load misses",
          "DLmw": "last-level store misses"}


class CannotSimulate(Exception):
    """valgrind is not there, or left nothing."""


class Function:
    """own: its figures; callers: {key: instructions of the calls}; line: its first one."""

    def __init__(self, name, file, count):
        self.name, self.file, self.line = name, file, None
        self.own, self.callers = [0] * count, {}


class Counts:
    """The functions of callgrind's files, by (object, file, name)."""

    def __init__(self):
        self.functions, self.events = {}, []

    def function(self, key):
        if key not in self.functions:
            self.functions[key] = Function(key[2], key[1], len(self.events))
        return self.functions[key]

    def add(self, lines):
        """Adds one file. Figures follow their function; those behind `calls=` are the callee's."""
        where = {"ob": "", "fl": "", "fn": ""}
        callee, key, in_file, is_call = {}, None, True, False
        for line in lines:
            word, equals, value = line.partition("=")
            if line[:1].isdigit() and key:
                numbers = line.split()
                figures = [int(number) for number in numbers[1:]]
                if is_call:
                    to = (callee.get("cob", where["ob"]), callee.get("cfi", where["fl"]),
                          callee["cfn"])
                    callers = self.function(to).callers
                    callers[key] = callers.get(key, 0) + (figures[0] if figures else 0)
                    callee, is_call = {}, False
                    continue
                self._own(self.function(key), int(numbers[0]) if in_file else 0, figures)
            elif line.startswith("events:"):
                self.events = line.split()[1:]
            elif equals and word in ("ob", "fl", "fn"):
                where[word], in_file = value, True
                key = (where["ob"], where["fl"], where["fn"])
            elif equals and word in ("fi", "fe"):
                in_file = value == where["fl"]
            elif equals and word in ("cob", "cfi", "cfl", "cfn"):
                callee["cfi" if word == "cfl" else word] = value
            elif equals and word == "calls":
                is_call = True

    @staticmethod
    def _own(function, line, figures):
        for i, figure in enumerate(figures):
            function.own[i] += figure
        if line and (function.line is None or line < function.line):
            function.line = line

    def shares(self):
        """{key: {region: share}}: whose a function's work is. Regions are keys, or OUTSIDE."""
        found = {key: {key: 1.0} if sites.OUTLINED in f.name else {OUTSIDE: 1.0}
                 for key, f in self.functions.items()}
        open_ones = [(key, f, sum(f.callers.values())) for key, f in self.functions.items()
                     if sites.OUTLINED not in f.name and sum(f.callers.values())]
        for _ in range(STEPS):
            moved = 0.0
            for key, function, whole in open_ones:
                new = {}
                for caller, weight in function.callers.items():
                    for region, share in found.get(caller, {OUTSIDE: 1.0}).items():
                        new[region] = new.get(region, 0.0) + share * weight / whole
                moved = max([moved] + [abs(share - found[key].get(region, 0.0))
                                       for region, share in new.items()])
                found[key] = new
            if moved < NEAR:
                break
        return found

    def by_region(self):
        """{region: figures}"""
        rows = {}
        for key, shares in self.shares().items():
            for region, share in shares.items():
                row = rows.setdefault(region, [0.0] * len(self.events))
                for i, figure in enumerate(self.functions[key].own):
                    row[i] += share * figure
        return rows


def name_of(counts, region):
    if region == OUTSIDE:
        return OUTSIDE
    function = counts.functions[region]
    name = sites.source_name(function.name)
    if not function.line or function.file.startswith("?"):
        return name
    return "%s (%s:%d)" % (name, os.path.basename(function.file),
                           sites.directive_line(function.file, function.line))


def summary(counts):
    shown = [name for name in TITLES if name in counts.events]
    rows = {}
    for region, figures in counts.by_region().items():
        row = rows.setdefault(name_of(counts, region), dict.fromkeys(shown, 0.0))
        for name in shown:
            row[name] += figures[counts.events.index(name)]
    return {"simulated": "valgrind callgrind: one thread at a time, one cache for all",
            "events": shown, "titles": {name: TITLES[name] for name in shown},
            "rows": [{"where": where, "events": {name: round(row[name]) for name in shown}}
                     for where, row in sorted(rows.items(), key=lambda item: -item[1]["Ir"])]}


def simulate(command, found, environment):
    """What summary() makes of a run."""
    if not shutil.which(VALGRIND[0]):
        raise CannotSimulate("valgrind is not installed: nothing is simulated")
    made = dict(environment)
    made.setdefault("OMP_WAIT_POLICY", "passive")  # a wait that spins would be counted, too
    shell = ["/bin/sh"] if found.needs_shell else []
    with tempfile.TemporaryDirectory(prefix="nanogomp-simulate-") as folder:
        signals.run([*VALGRIND, "--callgrind-out-file=%s/%%p" % folder, *shell, found.path,
                     *command[1:]], made, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts = Counts()
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                counts.add(file.read().splitlines())
    if not counts.functions:
        raise CannotSimulate("valgrind left no figures of %s: nothing is simulated" % command[0])
    return summary(counts)


def report(simulated, top):
    """The table."""
    names = simulated["events"]
    form = "%9s" * len(names) + "  %s"
    rows = simulated["rows"]
    lines = ["SIMULATED (%s)" % simulated["simulated"], form % (*names, "region or task")]
    for row in rows[:top] if top else rows:
        lines.append(form % (*(text.number(row["events"][name]) for name in names),
                             text.cut(row["where"], text.COLUMNS - 9 * len(names) - 2)))
    lines += ["Ir instructions, Dr loads, Dw stores; D1mr, D1mw misses of the first level; DLmr, "
              "DLmw of", "the last"]
    return "\n".join(lines)
