# inherited.py - what the command was started with, though a shell and Python came between
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program gets the environment and the signals that its command got. Python sets LC_CTYPE where
the locale is C, and ignores two signals; the shell that starts Python sets PWD where there is none.
That shell, tools/nanogomp, hands on the kernel's row of itself: /proc/PID/stat from the state on,
as -X began. `nanogomp run` imports this module, so it imports little."""

import os
import sys

try:
    import _signal as signal  # the part in C: the module around it loads enum and more
except ImportError:
    import signal

# proc(5) counts them from 1, the number and the name of the process come first: 33, 50, 51
IGNORED, ENVIRONMENT_BEGIN, ENVIRONMENT_END = 30, 47, 48


def began(field):
    """0: not known."""
    words = str(getattr(sys, "_xoptions", {}).get("began", "")).split()
    return int(words[field]) if len(words) > field else 0


def restore_environment():
    """Makes os.environ what it was. Other commands of ours start from it, too."""
    try:
        with open("/proc/self/environ", "rb") as file:
            content = file.read()
    except OSError:
        return
    locale = value_in(content, b"LC_CTYPE")
    if locale is None:
        os.environ.pop("LC_CTYPE", None)
    else:
        os.environ["LC_CTYPE"] = os.fsdecode(locale)
    more = len(content) - (began(ENVIRONMENT_END) - began(ENVIRONMENT_BEGIN))
    if began(ENVIRONMENT_END) and more == len(os.fsencode("PWD=%s\0" % os.environ.get("PWD"))):
        os.environ.pop("PWD", None)  # the shell's: the environment has grown by just that


def value_in(content, name):
    """Of a variable in the kernel's text of an environment; None: it is not set."""
    _, found, rest = (b"\0" + content).partition(b"\0" + name + b"=")
    return rest.partition(b"\0")[0] if found else None


def signals_to_restore():
    """The signals that Python ignores, and that were not ignored before."""
    ignored = began(IGNORED)
    return [number for number in (signal.SIGPIPE, signal.SIGXFSZ) if not ignored >> number - 1 & 1]


def restore_signals():
    for number in signals_to_restore():
        signal.signal(number, signal.SIG_DFL)
