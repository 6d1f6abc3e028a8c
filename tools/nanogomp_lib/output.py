# output.py - files that a command writes because the user asked for them; words of its tables
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that cannot be written is one line, and a status (exits.if_written()); the run and the
other results do not depend on it. "-" is standard output, for which tools/nanogomp does the same.
say() is the command's."""

import contextlib
import os
import stat
import sys

RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK")


def counted(count, noun, text=None):
    """"1 region", "2 regions". text: the number as it is to be shown."""
    return "%s %s%s" % (text or count, noun, "" if count == 1 else "s")


def trouble(error):
    """An OSError as a line: the file, and what is wrong."""
    name = "" if error.filename is None else "%s: " % os.fsdecode(error.filename)
    return name + (error.strerror or str(error))


def of_rank(name):
    """A name that the other ranks of an MPI job have not, though they run the same command."""
    found = [os.environ[key] for key in RANKS if os.environ.get(key, "").isdigit()]
    return "%s.%s" % (name, found[0]) if found else name


def file_of_rank(path):
    """The same of a file, in front of its suffix. Devices, pipes and "-" belong to all ranks."""
    if not path or path == "-" or path.startswith("/dev/") or is_pipe(path):
        return path
    stem, suffix = os.path.splitext(path)
    return of_rank(stem) + suffix


def is_pipe(path):
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def why_not_writable(path):
    """Why a file cannot be written, or None. A file that was not there is not there afterwards."""
    if not path or path == "-" or is_pipe(path):  # whose reader would take the try for the end
        return None
    is_new = not os.path.lexists(path)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except OSError as error:
        return error.strerror
    if is_new:
        with contextlib.suppress(OSError):
            os.remove(path)
    return None


def can_write(path, say):
    """Says before a long run that a file cannot be written. False: it is left out."""
    why = why_not_writable(path)
    if why:
        say("%s: %s; it is left out, the report is on standard output" % (path, why))
    return not why


def picture_kind(path):
    return os.path.splitext(path)[1][1:].lower() or "png"


def why_no_picture(path):
    """Why matplotlib makes no picture of this name, or None: it does, or is not here."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    known = Figure().canvas.get_supported_filetypes()
    if picture_kind(path) in known:
        return None
    return "%s: want one of .%s; there is no plot" % (path, ", .".join(sorted(known)))


def save_picture(figure, path):
    """Why a figure of matplotlib is not in the file, or None."""
    trouble = why_no_picture(path)
    if trouble:
        return trouble
    try:
        with open(path, "wb") as file:
            figure.savefig(file, format=picture_kind(path))
    except OSError as error:
        return "%s: %s; there is no plot" % (path, error.strerror)
    return None


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
