# child.py - a program that a command starts as its child and waits for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import os
import resource
import signal
import sys

from nanogomp_lib import decide, exits, program, run, signals

PR_SET_DUMPABLE = 4


def environment_of(lib, found, command, say, threads=None, assignments=()):
    """The environment that `nanogomp run` would give the program; say() hears warnings."""
    options = run.Options()
    options.threads, options.assignments, options.command = threads, assignments, command
    environment = options.asked_of(os.environ)
    plan = decide.plan_for(found, lib, environment, options.way, command[1:])
    for line in plan.warnings:
        say("warning: " + line)
    return {**os.environ, **run.settings(options, plan, lib, environment)}


def silence():
    """In the child: its standard output goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def start(watch, found, command, environment, prepare):
    """The child's number. CannotRun: the system refuses the program."""
    told, tells = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.close(told)
            watch.restore()
            prepare()
            run.execute(found, command, environment)
        except program.CannotRun as error:
            os.write(tells, os.fsencode(str(error)))
        finally:
            os._exit(decide.REFUSED)
    os.close(tells)
    with os.fdopen(told, "rb") as pipe:
        trouble = pipe.read()
    if trouble:
        os.waitpid(child, 0)
        raise program.CannotRun(decide.REFUSED, os.fsdecode(trouble))
    return child


def start_and_wait(found, command, environment, prepare=lambda: None):
    """(the child's number, its status as wait(2) has it). prepare() runs in the child. A signal to
    us is one to it."""
    with signals.Watch() as watch:
        child = start(watch, found, command, environment, prepare)
        return child, watch.wait(child)


def say_left(setting, say):
    """Says which processes the program has left in the background: their environment has the
    setting, NAME=VALUE."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if os.fsencode(setting) in file.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            pass  # another user's, or gone
    if found:
        say("still in the background: process %s; what is done there from now on is not told"
            % ", ".join(found))


def leave_no_core():
    """The program has left its core file, which one of this process would replace. Of a core that
    goes to a handler's pipe only prctl(2) decides."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        import ctypes
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def end_as(status, written=True):
    """Ends this process as the program has ended: by its signal, else with its exit status, which
    is returned. written: as of exits.if_written()."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        leave_no_core()
        if number != signal.SIGKILL:
            with contextlib.suppress(OSError):  # the C library keeps two for itself
                signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return exits.if_written(signals.shell_status(status), written)
