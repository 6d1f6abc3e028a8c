# signals.py - signals to a command, and to the program that it has started
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A command that is asked to end removes its temporary files, and leaves no program behind. While a
program runs, a signal to the command is one to the program; the command goes on to its report."""

import os
import signal
import sys

FORWARDED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1,
             signal.SIGUSR2, signal.SIGCONT)
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
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

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
