# run.py - `nanogomp run`: executes a program with our library under it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many programs run for less time than Python's argparse takes to load: what a start needs comes
without it, and without other large modules."""

import os
import sys

from nanogomp_lib import audit, decide, exits, inherited, library, preload, program

# option -> where its value goes; None: no value follows
OPTIONS = {"-v": None, "--verbose": None, "--dry-run": None,
           "--hold-threads": None, "--mpi-tasks": None, "--race": None, "--explain": None,
           "-n": "threads", "--threads": "threads", "--policy": "policy", "--fork": "fork",
           "--set": "assignments", "--lib": "lib", "--way": "way"}
FLAGS = {"--dry-run": "dry_run", "--hold-threads": "hold_threads", "--mpi-tasks": "mpi_tasks",
         "--race": "race", "--explain": "explain"}
CHOICES = {"policy": ("active", "passive"), "fork": ("lwd", "gwd"),
           "way": ("auto", "path", "audit", "preload")}
LOADERS = ("LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES")
DIGITS = frozenset("0123456789")


class Options:
    """What the command line says; run_options.py has the help."""

    def __init__(self):
        self.verbose = self.dry_run = self.hold_threads = self.race = self.explain = False
        self.mpi_tasks = False
        self.threads = self.policy = self.fork = self.lib = None
        self.way, self.assignments, self.command = "auto", [], []

    def asked_of(self, environment):
        """The caller's environment with what --set gives."""
        return {**environment, **dict(self.assignments)}


def threads(text):
    """"4" or "4,2"."""
    for number in text.split(","):
        if not number or not DIGITS.issuperset(number) or number[0] == "0":
            raise ValueError("%r: want a number, or one a level: 4 or 4,2" % text)
    return text


def assignment(text):
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier() or len(os.fsencode(name)) != len(name):
        raise ValueError("%r: want NAME=VALUE" % text)
    return name, value


def quick_options(argv):
    """Options of a plain command line; None: argparse shall see it and say what is wrong."""
    options, words = Options(), list(argv)
    while words and words[0].startswith("-") and words[0] not in ("-", "--"):
        word = words.pop(0)
        if word not in OPTIONS:
            return None
        to = OPTIONS[word]
        if to is None:
            setattr(options, FLAGS.get(word, "verbose"), True)
            continue
        value = words.pop(0) if words else "-"
        if value.startswith("-") or value not in CHOICES.get(to, (value,)):
            return None
        try:
            if to == "assignments":
                options.assignments.append(assignment(value))
            else:
                setattr(options, to, threads(value) if to == "threads" else value)
        except ValueError:
            return None
    options.command = words[1:] if words[:1] == ["--"] else words
    return options if options.command and not (options.race and options.explain) else None


def say(text):
    print("nanogomp: " + text, file=sys.stderr)


def quoted(value):
    import shlex
    return shlex.quote(value)


def settings(options, plan, lib, environment):
    """The variables that the program gets beyond the caller's. environment: asked_of() that. In
    those that the loader reads the values of --set stand beside what is put there."""
    made = {"LD_LIBRARY_PATH": lib.path_list(environment.get("LD_LIBRARY_PATH"))}
    files = [preload.HOLD_FILE] if options.hold_threads else []
    files += [preload.MPI_FILE] if options.mpi_tasks else []
    files += [library.FILE] if plan.preload else []
    if files:
        made["LD_PRELOAD"] = lib.preload_list(environment.get("LD_PRELOAD"), files)
    if plan.audit:
        made["LD_AUDIT"] = lib.audit_list(environment.get("LD_AUDIT"))
        tunables = audit.tunables(plan.static_tls, environment.get("GLIBC_TUNABLES"))
        made.update({"GLIBC_TUNABLES": tunables} if tunables else {})
    more = environment.get("NTH_VERBOSE", "").strip() == "2"  # counters, too
    verbose = "1" if options.verbose and not more else None
    for name, value in (("OMP_NUM_THREADS", options.threads), ("OMP_WAIT_POLICY", options.policy),
                        ("NTH_FORK", options.fork), ("NTH_VERBOSE", verbose)):
        if value:
            made[name] = value
    made.update((name, value) for name, value in options.assignments
                if name not in LOADERS or name not in made)
    return made


def execute(found, command, environment):
    """Does not return."""
    path, arguments = found.path, command
    if found.needs_shell:
        path, arguments = "/bin/sh", ["/bin/sh", found.path] + command[1:]
    sys.stdout.flush()
    inherited.restore_signals()
    try:
        os.execve(path, arguments, environment)
    except OSError as error:
        raise program.CannotRun(decide.REFUSED, "%s: %s" % (path, error.strerror)) from error


def tell(options, plan, made):
    """What -v and --dry-run want to know."""
    for line in plan.reasons if options.verbose else ():
        say(line)
    for line in plan.warnings:
        say("warning: " + line)
    lines = ["%s=%s" % (name, quoted(value)) for name, value in made.items()
             ] if options.dry_run or options.verbose else []
    if options.dry_run:
        print("\n".join(lines))
    elif options.verbose:
        say(" ".join(lines))


def main(tool, argv):
    options = quick_options(argv)
    if options is None:
        from nanogomp_lib import run_options
        options = run_options.parse(argv)
    command = options.command
    try:
        lib = library.find(tool, options.lib, os.environ)
        if options.hold_threads:
            lib.check_hold()
        if options.mpi_tasks:
            lib.check_mpi()
        found = program.Program(command[0])
        environment = options.asked_of(os.environ)
        plan = decide.plan_for(found, lib, environment, options.way, command[1:])
        made = settings(options, plan, lib, environment)
        tell(options, plan, made)
        if options.dry_run:
            return 0
        if options.verbose:
            from nanogomp_lib import watch
            watch.start(lib, plan.audit)
        if options.race:
            from nanogomp_lib import race
            return race.main(found, options, {**os.environ, **made})
        if options.explain:
            from nanogomp_lib import explain
            return explain.run(lib, found, command, {**os.environ, **made})
        return execute(found, command, {**os.environ, **made})
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except library.NoLibrary as error:
        say(str(error))
        return exits.CANNOT
