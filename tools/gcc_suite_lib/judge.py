# judge.py - one test on one runtime: did it do what its directives ask; what that means for ours
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import hashlib
import json
import os
import re
import shlex
import tempfile

from . import directives, launch

DIED_SAYING = re.compile(
    r"symbol lookup error|undefined symbol|version `[^']*' not found|cannot open shared object"
    r"|libgomp: |[Aa]ssertion|terminate called|Error termination|STOP |Fortran runtime error")
LEARNT = 12          # characters of a hash in names


class Outcome:
    """A run's result: passed or why not."""

    def __init__(self, passed, reason, seconds, output="", stacks=""):
        self.passed, self.reason, self.seconds = passed, reason, seconds
        self.output, self.stacks = output, stacks


def say_why(ended):
    """The end and the line of the output that tells most."""
    lines = [line.strip() for line in ended.output.splitlines() if line.strip()]
    telling = [line for line in lines if DIED_SAYING.search(line)] or lines[-1:]
    # the loader's lines begin with the program's path
    line = re.sub(r".*(undefined symbol|version `)", r"\1", telling[0]) if telling else ""
    return ended.text() + (": " + line[:160] if line else "")


def judge(plan, ended):
    """The Outcome of a run."""
    def outcome(passed, reason):
        return Outcome(passed, reason, ended.seconds, ended.output, ended.stacks)
    if ended.status is None:
        return outcome(False, "hangs: over %g s" % ended.seconds)
    loader = re.search(r"(symbol lookup error|error while loading shared libraries).*", ended.output)
    if loader and ended.status == 127 or "version `" in ended.output and "not found" in ended.output:
        return outcome(False, say_why(ended))   # also where the test is to fail
    if (ended.status != 0) != plan.should_fail:
        return outcome(False, "should fail, but ends with status 0" if plan.should_fail
                       else say_why(ended))
    if plan.outputs:
        try:
            found = directives.output_regex(plan.outputs).search(ended.output)
        except re.error as error:
            return outcome(False, "dg-output is no regular expression: %s" % error)
        if not found:
            return outcome(False, "output does not match dg-output %r: %r" % (
                "".join(plan.outputs)[:80], ended.output[:120]))
    return outcome(True, "")


def settings_of(plan, threads, extra):
    """Environment of a test; its own settings win over the thread count."""
    settings = dict(extra)
    if threads != "default":
        settings["OMP_NUM_THREADS"] = threads
    settings.update(plan.environment)
    return settings


def repeat_command(program, settings, library_folder):
    words = ["%s=%s" % (name, shlex.quote(value)) for name, value in sorted(settings.items())]
    if library_folder:
        words.append("LD_LIBRARY_PATH=" + shlex.quote(library_folder))
    return " ".join(words + [shlex.quote(program)])


class Runner:
    """Runs built tests on a runtime."""

    def __init__(self, library_folder, limit, extra):
        self.library_folder, self.limit, self.extra = library_folder, limit, extra

    def seconds(self, plan):
        return (min(plan.timeout, self.limit) if plan.timeout else self.limit) * plan.timeout_factor

    def once(self, test, program, threads, show_stacks=True):
        if test.plan.do == "link":
            ended = launch.check_symbols(program, self.library_folder, self.limit)
        else:
            ended = launch.run(program, settings_of(test.plan, threads, self.extra),
                               self.library_folder, self.seconds(test.plan), show_stacks)
        return judge(test.plan, ended)

    def repeated(self, test, program, threads, times):
        """The outcomes of up to `times` runs; the first that fails is the last."""
        outcomes = []
        while len(outcomes) < times:
            outcomes.append(self.once(test, program, threads))
            if not outcomes[-1].passed:
                break
        return outcomes


class Baseline:
    """What the tests do with the system's libgomp, remembered in the cache."""

    def __init__(self, cache, library, runner):
        self.folder, self.runner = os.path.join(cache, "baseline"), runner
        stat = os.stat(library)
        identity = "%s %d %d" % (os.path.realpath(library), stat.st_size, stat.st_mtime_ns)
        self.identity = hashlib.sha256(identity.encode()).hexdigest()[:LEARNT]

    def path(self, test, key, threads):
        plan = test.plan
        judged = repr((plan.do, plan.should_fail, plan.outputs, sorted(plan.environment.items())))
        name = hashlib.sha256(judged.encode()).hexdigest()[:LEARNT]
        return os.path.join(self.folder, self.identity, key[:2],
                            "%s-%s-%s.json" % (key, name, threads))

    def known(self, path):
        """[(passed, reason, seconds)] of earlier runs."""
        try:
            with open(path) as file:
                return [tuple(run) for run in json.load(file)]
        except (OSError, ValueError):
            return []

    def runs(self, test, key, program, threads, times):
        """At least `times` results, those remembered first."""
        path = self.path(test, key, threads)
        runs = self.known(path)
        if len(runs) >= times:
            return runs
        while len(runs) < times:
            outcome = self.runner.once(test, program, threads, show_stacks=False)
            runs.append((outcome.passed, outcome.reason, round(outcome.seconds, 3)))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=os.path.dirname(path))
        with os.fdopen(handle, "w") as file:
            json.dump(runs, file)
        os.replace(scratch, path)
        return runs


BOTH, REGRESSION, ONLY_OURS, NEITHER, FLAKY = (
    "both", "regression", "only ours", "neither", "flaky with the system's")


def verdict(base, ours):
    """From the results [(passed, ...)] of the system's libgomp and the Outcomes of ours."""
    base_passed = [run[0] for run in base]
    passes = all(outcome.passed for outcome in ours)
    if all(base_passed):
        return BOTH if passes else REGRESSION
    if any(base_passed):
        return BOTH if passes else FLAKY
    return ONLY_OURS if passes else NEITHER
