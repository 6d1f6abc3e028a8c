# run.py - `nanogomp run`: executes a program with our library under it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import os
import re
import shlex
import signal
import sys

from nanogomp_lib import decide, library, program, watch

EPILOG = """The exit status is the program's; 126: found but refused, 127: not found,
125: the library is missing."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")


def threads(text):
    if not re.match(r"[1-9][0-9]*(,[1-9][0-9]*)*$", text):
        raise argparse.ArgumentTypeError("%r: want a number, or one a level: 4 or 4,2" % text)
    return text


def assignment(text):
    name, equals, value = text.partition("=")
    if not equals or not NAME.match(name):
        raise argparse.ArgumentTypeError("%r: want NAME=VALUE" % text)
    return name, value


def parser():
    p = argparse.ArgumentParser(
        prog="nanogomp run", usage="nanogomp run [options] [--] program [argument ...]",
        description="Runs a program with our libgomp.so.1 under it.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    p.add_argument("-v", "--verbose", action="store_true",
                   help="say on stderr what is done and why; the library says that it serves, and "
                        "a watcher which processes it does not serve")
    p.add_argument("-n", "--threads", metavar="N", type=threads, help="sets OMP_NUM_THREADS")
    p.add_argument("--policy", choices=("active", "passive"), help="sets OMP_WAIT_POLICY")
    p.add_argument("--fork", choices=("lwd", "gwd"), help="sets NTH_FORK: how work is handed out")
    p.add_argument("--set", metavar="NAME=VALUE", type=assignment, action="append", default=[],
                   dest="assignments", help="sets a variable; may be given several times")
    p.add_argument("--lib", metavar="DIR", help="folder of libgomp.so.1")
    p.add_argument("--preload", choices=("auto", "always", "never"), default="auto",
                   help="LD_PRELOAD too: by itself when it sees the need (auto)")
    p.add_argument("--dry-run", action="store_true", help="print what would be set, run nothing")
    p.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def say(text):
    print("nanogomp: " + text, file=sys.stderr)


def settings(options, plan, lib, environment):
    """The variables that the program gets beyond `environment`."""
    made = {"LD_LIBRARY_PATH": lib.path_list(environment.get("LD_LIBRARY_PATH"))}
    if plan.preload:
        made["LD_PRELOAD"] = lib.preload_list(environment.get("LD_PRELOAD"))
    for name, value in (("OMP_NUM_THREADS", options.threads), ("OMP_WAIT_POLICY", options.policy),
                        ("NTH_FORK", options.fork), ("NTH_VERBOSE", options.verbose and "1")):
        if value:
            made[name] = value
    made.update(options.assignments)
    return made


def execute(found, command, environment):
    """Does not return."""
    path, arguments = found.path, command
    if found.needs_shell:
        path, arguments = "/bin/sh", ["/bin/sh", found.path] + command[1:]
    sys.stdout.flush()
    for name in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; the program must not
        signal.signal(name, signal.SIG_DFL)
    try:
        os.execve(path, arguments, environment)
    except OSError as error:
        raise program.CannotRun(decide.REFUSED, "%s: %s" % (path, error.strerror)) from error


def main(tool, argv):
    p = parser()
    options = p.parse_args(argv)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        p.error("no program given")
    try:
        lib = library.find(tool, options.lib, os.environ)
        found = program.Program(command[0])
        plan = decide.plan_for(found, lib, os.environ, options.preload, command[1:])
        made = settings(options, plan, lib, os.environ)
        for line in plan.reasons if options.verbose else ():
            say(line)
        for line in plan.warnings:
            say("warning: " + line)
        if options.dry_run or options.verbose:
            lines = ["%s=%s" % (name, shlex.quote(value)) for name, value in made.items()]
            print("\n".join(lines) if options.dry_run else "nanogomp: " + " ".join(lines),
                  file=sys.stdout if options.dry_run else sys.stderr)
        if options.dry_run:
            return 0
        if options.verbose:
            watch.start(lib)
        return execute(found, command, {**os.environ, **made})
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except library.NoLibrary as error:
        say(str(error))
        return 125
