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
HASH_LENGTH = 12     # characters of a hash in names
HANGS = "hangs"
# The system's library gets this long whatever --timeout says: its results are kept, and a machine
# that was busy once must not make a test "fail with the system's library" for ever.
BASELINE_SECONDS = 180
# times what the system's library needed: the least that ours is given
SLOWER = 6


class Outcome:
    """A run's result: passed or why not."""

    def __init__(self, passed, reason, seconds, output="", stacks="", refused=False):
        self.passed, self.reason, self.seconds = passed, reason, seconds
        self.output, self.stacks = output, stacks
        self.refused = refused      # by the loader, for a symbol: never a matter of chance


def say_why(ended):
    """The end and the line of the output that tells most."""
    lines = [line.strip() for line in ended.output.splitlines() if line.strip()]
    telling = [line for line in lines if DIED_SAYING.search(line)] or lines[-1:]
    # the loader's lines begin with the program's path
    line = re.sub(r".*(undefined symbol|version `|error while loading)", r"\1",
                  telling[0]) if telling else ""
    return ended.text() + (": " + line[:160] if line else "")


def refused_by_loader(ended):
    """Whether the library lacks what the program needs."""
    return ended.status == 127 and re.search(
        r"symbol lookup error|error while loading shared libraries|undefined symbol"
        r"|version `\S+' not found", ended.output) is not None


def judge(plan, ended):
    """The Outcome of a run."""
    def outcome(passed, reason):
        return Outcome(passed, reason, ended.seconds, ended.output, ended.stacks,
                       refused_by_loader(ended))
    if ended.status is None:
        return outcome(False, "%s: over %.0f s" % (HANGS, ended.seconds))
    if refused_by_loader(ended):
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

    def once(self, test, program, threads, least=0, show_stacks=True):
        """One run, given at least `least` seconds."""
        if test.plan.do == "link":
            ended = launch.check_symbols(program, self.library_folder, self.limit)
        else:
            ended = launch.run(program, settings_of(test.plan, threads, self.extra),
                               self.library_folder,
                               max(self.limit * test.plan.timeout_factor, least), show_stacks)
        return judge(test.plan, ended)

    def repeated(self, test, program, threads, times, base):
        """The outcomes of up to `times` runs; the first that fails is the last."""
        outcomes, least = [], SLOWER * max([run[2] for run in base if run[0]], default=0)
        while len(outcomes) < times:
            outcomes.append(self.once(test, program, threads, least))
            if not outcomes[-1].passed:
                break
        return outcomes


class Baseline:
    """What the tests do with the system's libgomp, remembered in the cache."""

    def __init__(self, cache, library, runner):
        self.folder, self.runner = os.path.join(cache, "baseline"), runner
        stat = os.stat(library)
        identity = "%s %d %d" % (os.path.realpath(library), stat.st_size, stat.st_mtime_ns)
        self.identity = hashlib.sha256(identity.encode()).hexdigest()[:HASH_LENGTH]

    def path(self, test, key, threads):
        plan = test.plan
        judged = repr((plan.do, plan.should_fail, plan.outputs, sorted(plan.environment.items())))
        name = hashlib.sha256(judged.encode()).hexdigest()[:HASH_LENGTH]
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
    # that it hung now and then is the machine's fault, where it also passes
    base_passed = [run[0] for run in base if not run[1].startswith(HANGS)] or [False]
    passes = all(outcome.passed for outcome in ours)
    if all(base_passed):
        return BOTH if passes else REGRESSION
    if any(base_passed):
        return BOTH if passes else REGRESSION if ours[-1].refused else FLAKY
    return ONLY_OURS if passes else NEITHER
