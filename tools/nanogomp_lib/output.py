# output.py - files that a command writes because the user asked for them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that cannot be written is one line; the run and the other results do not depend on it.
"-" is standard output. say() is the command's."""

import errno
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def can_write(path, say):
    """Says before a long run that a file cannot be written. False: it is left out."""
    if not path or path == "-":
        return True
    try:
        with open(path, "a", encoding="utf-8"):
            return True
    except OSError as error:
        say("%s: %s; it is left out" % (path, error.strerror))
        return False


def write(path, content, say):
    if path == "-":
        sys.stdout.write(content)
        return
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(content)
    except OSError as error:
        say("%s: %s; it is not complete" % (path, error.strerror))


def is_lost(error):
    """Whether standard output took no more, by the error of a write."""
    return error.errno in FULL and not error.filename


def lose(error, say):
    """Says so; what is still to come goes nowhere."""
    say("the output is not complete: %s" % error.strerror)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
