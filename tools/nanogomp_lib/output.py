# output.py - files that a command writes because the user asked for them; words of its tables
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that cannot be written is one line, and a status (exits.if_written()); the run and the
other results do not depend on it. "-" is standard output, for which tools/nanogomp does the same.
say() is the command's."""

import os
import sys


def counted(count, noun, text=None):
    """"1 region", "2 regions". text: the number as it is to be shown."""
    return "%s %s%s" % (text or count, noun, "" if count == 1 else "s")


def trouble(error):
    """An OSError as a line: the file, and what is wrong."""
    name = "" if error.filename is None else "%s: " % os.fsdecode(error.filename)
    return name + (error.strerror or str(error))


def can_write(path, say):
    """Says before a long run that a file cannot be written. False: it is left out."""
    if not path or path == "-":
        return True
    try:
        with open(path, "a", encoding="utf-8"):
            return True
    except OSError as error:
        say("%s: %s; it is left out, the report is on standard output" % (path, error.strerror))
        return False


def write(path, content, say):
    """False: it is not all there."""
    if path == "-":
        sys.stdout.write(content)
        return True
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(content)
        return True
    except OSError as error:
        say("%s: %s; it is not complete, the report is on standard output" % (path, error.strerror))
        return False
