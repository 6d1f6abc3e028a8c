# child.py - a program that a command starts as its child and waits for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import sys

from nanogomp_lib import decide, program, run

FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCONT")


def environment_of(lib, found, command, say, threads=None, assignments=()):
    """The environment that `nanogomp run` would give the program; say() hears warnings."""
    options = run.Options()
    options.threads, options.assignments, options.command = threads, assignments, command
    plan = decide.plan_for(found, lib, os.environ, options.chosen_way, command[1:])
    for line in plan.warnings:
        say("warning: " + line)
    return {**os.environ, **run.settings(options, plan, lib, os.environ)}


def start_and_wait(found, command, environment, prepare=lambda: None):
    """(the child's number, its status as wait(2) has it). prepare() runs in the child. A signal to
    us is one to it."""
    child = os.fork()
    if child == 0:
        try:
            prepare()
            run.execute(found, command, environment)
        except program.CannotRun as error:
            run.say("cannot run " + str(error))
            os._exit(error.status)
        finally:
            os._exit(decide.REFUSED)
    for name in FORWARDED:
        signal.signal(getattr(signal, name), lambda number, _: os.kill(child, number))
    for number in (signal.SIGINT, signal.SIGQUIT):  # the terminal sends them to both
        signal.signal(number, signal.SIG_IGN)
    return os.waitpid(child, 0)


def end_as(status):
    """Ends this process as the program has ended: by its signal, else with its exit status, which
    is returned."""
    sys.stderr.flush()
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1
