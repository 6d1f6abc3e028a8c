# signals.py - signals to a command, and to the program that it has started
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A command that is asked to end removes its temporary files, and leaves no program behind. While a
program runs, a signal to the command is one to the program; the command goes on to its report."""

import os
import signal
import subprocess
import sys

from nanogomp_lib import inherited

FORWARDED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1,
             signal.SIGUSR2, signal.SIGCONT, signal.SIGALRM, signal.SIGXCPU)
ENDING = (signal.SIGTERM, signal.SIGHUP)
BY_KERNEL = 0x80  # si_code of a terminal's ^C, which goes to the program, too


def end(number, _frame):
    sys.exit(128 + number)


def end_in_order():
    """From now on a signal that ends the command is an exception: what it has made goes."""
    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


class Watch:
    """A context in which a program runs. asked: the last signal that was to end the command, or
    None."""

    def __init__(self):
        self.asked = None

    def __enter__(self):
        self._child_before = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, (*FORWARDED, signal.SIGCHLD))
        return self

    def __exit__(self, *_):
        while signal.sigtimedwait((*FORWARDED, signal.SIGCHLD), 0):
            pass  # they came when the program had ended
        if self._child_before is not None:
            signal.signal(signal.SIGCHLD, self._child_before)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def restore(self):
        """In the child: the program gets what the command was started with."""
        for number in FORWARDED:
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        if self._child_before is not None:
            signal.signal(signal.SIGCHLD, self._child_before)
        inherited.restore_signals()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def start(self, command, environment, **more):
        """The subprocess.Popen of a program that has the command's signals as they were."""
        return subprocess.Popen(command, env=environment, preexec_fn=self.restore, **more)

    def spawn(self, command, environment, quiet):
        """The number of a program that is started like that of start(), but without a copy of this
        process: a copy of a large one would take time in which the program is measured. SIGCHLD has
        its default there. quiet: the program's output goes nowhere."""
        actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)] if quiet else []
        return os.posix_spawnp(command[0], command, environment, file_actions=actions,
                               setsigmask=self._mask,
                               setsigdef=inherited.signals_to_restore())

    def end(self, program):
        """Waits for a program of start(); its status as wait(2) has it."""
        status = self.wait(program.pid)
        program.returncode = shell_status(status)
        return status

    def wait(self, child):
        """The child's status, as wait(2) has it."""
        while True:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                return status
            came = signal.sigwaitinfo((*FORWARDED, signal.SIGCHLD))
            if came.si_signo == signal.SIGCHLD:
                continue
            if came.si_signo not in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT):
                self.asked = came.si_signo
            if came.si_code != BY_KERNEL:
                os.kill(child, came.si_signo)

    def end_if_asked(self, status):
        """Ends the command by the signal that it was sent, if the program has ended by it."""
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == self.asked:
            sys.exit(128 + self.asked)


def shell_status(status):
    """Of wait(2)'s status: the exit status, or 128 + the signal."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def run(command, environment, **more):
    """(wait(2)'s status, the Watch) of a program that is run to its end. more: for subprocess."""
    with Watch() as watch:
        return watch.end(watch.start(command, environment, **more)), watch
