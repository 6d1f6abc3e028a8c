# lab.py - runs the processes of an experiment, interleaved, round by round
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lab.rounds(experiment) measures; the numbers' meaning is experiment.py's matter."""

import os
import shlex
import sys

import nthbench_host as host
import nthbench_programs as programs


LINES_CACHES = "32k:2,4m:2"  # of an Origin 2000 processor: primary, secondary


class Lab:
    """A session (runtimes, CPUs, limits) and where the kernels are."""

    def __init__(self, session, kernels):
        self.session = session
        self.kernels = kernels
        self.runtimes = {r.name: r for r in session.runtimes}

    def command_of(self, run):
        options = shlex.split(run.options)
        if run.program == "predict":
            return self.predict(options)
        if run.program == "lines":
            return [sys.executable, host.command(), "lines", "--as-is", "--by", "data", "--caches",
                    LINES_CACHES, "--json", "-", "--lib", self.library(), "--",
                    self.session.program("nthbench-fork")] + options
        if run.program.startswith("strace:"):
            return ["strace", "-f", "-c", "-o", "/dev/stdout",
                    self.kernel(run.program[len("strace:"):])] + options
        if run.program.startswith("bench:"):
            return [self.session.program(run.program[len("bench:"):])] + options
        return [self.kernel(run.program)] + options

    def predict(self, options):
        """`nanogomp predict ... -- KERNEL options` with our library."""
        cut = options.index("--")
        return [sys.executable, host.command(), "predict", "--json", "-", "--lib",
                self.library()] + \
            options[:cut] + ["--", self.kernel(options[cut + 1])] + options[cut + 2:]

    def library(self):
        return os.path.dirname(self.runtimes[host.OURS].path)

    def kernel(self, name):
        path = os.path.join(self.kernels, name)
        if not programs.is_program(path):
            raise host.BenchError("no kernel %s in %s; build the project or give --dir"
                                  % (name, self.kernels))
        return path

    def has(self, run):
        return run.runtime in self.runtimes

    def values_of(self, run):
        """{label: number}, or {name of the run: text of the trouble}"""
        env = host.environment(self.runtimes[run.runtime], run.threads, dict(run.env))
        outcome = host.run(self.command_of(run), env, self.session.limit)
        trouble = outcome.trouble()
        if not trouble:
            try:
                values = run.reads(outcome.stdout)
            except (ValueError, KeyError, IndexError):
                values = {}
            trouble = None if values else "nothing to read"
        return {run.name(): trouble} if trouble else values

    def round(self, experiment, number, tick):
        """An entry of experiment.Values: each process once, another one first in each round."""
        entry = {"line": self.session.line_round_trip(), "values": {}}
        runs = [r for r in experiment.runs if self.has(r) and r.is_in(number)]
        shift = number % len(runs) if runs else 0
        for run in runs[shift:] + runs[:shift]:
            entry["values"].update(self.values_of(run))
            tick()
        return entry

    def rounds(self, experiment, count, tick):
        """count entries; tick() after each process."""
        only_once = all(r.once for r in experiment.runs)
        return [self.round(experiment, n, tick) for n in range(1 if only_once else count)]

    def processes(self, experiment, count):
        """How many processes `count` rounds run."""
        return sum(r.is_in(n) for r in experiment.runs if self.has(r) for n in range(count))
