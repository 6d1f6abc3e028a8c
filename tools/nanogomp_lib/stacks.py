# stacks.py - `nanogomp stacks`: who waits for whom in a program that runs, or hangs, now
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By gdb, if it may attach: our commands (tools/gdb) read the stacks, and the program goes on. Else
by the signal of NTH_STALL_SIGNAL, if the program was started with it: the library writes the report
on the program's own stderr.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys

from nanogomp_lib import exits
from nanogomp_lib.sites import DELETED
from nanogomp_lib.watch import read

EPILOG = """examples:
  nanogomp stacks 4711                     who waits for whom, source lines, circles
  nanogomp stacks --all 4711               and every thread's stack
  NTH_STALL_SIGNAL=USR1 nanogomp run -- ./program
  nanogomp stacks --by signal 4711         by that signal: the report is on the program's stderr

Exit status: 0: shown; 1: neither way is open; 2: bad usage; 125: no such process, or it does
not run on nanogomp."""


def say(text):
    print("nanogomp: " + text, file=sys.stderr)


def libgomp_of(pid):
    """{path: addresses} of what is called libgomp in the process, as /proc/PID/maps has both."""
    found = {}
    for line in read("/proc/%d/maps" % pid).splitlines():
        path = line[line.find("/"):] if "/" in line else ""
        if os.path.basename(path).startswith("libgomp"):
            found.setdefault(path, line.split()[0])
    return found


def is_ours(path, addresses, pid):
    """Whether the file, seen in the process's own root folder, is this library. None: the file was
    replaced since, and the caller may not read the one that the process still has."""
    names = ["/proc/%d/map_files/%s" % (pid, addresses)]
    if not path.endswith(DELETED):
        names = ["/proc/%d/root%s" % (pid, path), path]
    for name in names:
        try:
            with open(name, "rb") as file:
                return b"nth_report\0" in file.read()
        except OSError:
            continue
    return None if path.endswith(DELETED) else False


def gdb_script(tool):
    here = os.path.dirname(tool)
    for base in (here, os.path.join(os.path.dirname(here), "share", "nanogomp")):
        path = os.path.join(base, "gdb", "nanogomp.py")
        if os.path.exists(path):
            return path
    return None


def by_gdb(tool, pid, everything):
    """None: shown; else why not."""
    gdb, script = shutil.which("gdb"), gdb_script(tool)
    if not gdb:
        return "gdb is not here"
    if not script:
        return "gdb's commands are not beside the tool"
    words = [gdb, "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex",
             "set auto-load safe-path /usr/lib", "-p", str(pid), "-ex", "source " + script,
             "-ex", "nanogomp why"]
    if everything:
        words += ["-ex", "nanogomp bt all", "-ex", "thread apply all backtrace"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, errors="replace")
    lines = done.stdout.splitlines()
    at = [i for i, line in enumerate(lines) if line.startswith("nanogomp: ")]
    if at:
        print("\n".join(line for line in lines[at[0]:] if not line.startswith("[Inferior ")))
        return None
    why = [line for line in done.stderr.splitlines()
           if "ptrace" in line or "ould not attach" in line or line.startswith("nanogomp: ")]
    return "gdb: " + why[0] if why else "gdb shows nothing (%s)" % (
        done.stderr.strip()[-100:] or "no error")


def wanted_signal(pid):
    """The number of NTH_STALL_SIGNAL, if the process has it and a handler is there; else None."""
    values = [word[17:] for word in read("/proc/%d/environ" % pid).split("\0")
              if word.startswith("NTH_STALL_SIGNAL=")]
    text = values[0] if values else ""
    name = "SIG" + text[3 * text.startswith("SIG"):]
    number = int(text) if text.isdigit() else int(getattr(signal, name, 0))
    for line in read("/proc/%d/status" % pid).splitlines():
        if line.startswith("SigCgt:") and number:
            return number if int(line.split()[1], 16) >> (number - 1) & 1 else None
    return None


def by_signal(pid):
    """None: asked; else why not."""
    if not os.access("/proc/%d/environ" % pid, os.R_OK):
        return "process %d is another user's: no signal is sent" % pid
    number = wanted_signal(pid)
    if number is None:
        return "process %d does not listen: it was started without NTH_STALL_SIGNAL" % pid
    try:
        os.kill(pid, number)
    except OSError as error:
        return "no signal to process %d: %s" % (pid, error.strerror)
    say("the library writes the report on the stderr of process %d" % pid)
    return None


def state_of(pid):
    """The letter of /proc/PID/stat: T: stopped, Z: ended."""
    return (read("/proc/%d/stat" % pid).rpartition(")")[2].split() or ["Z"])[0]


def parser():
    p = argparse.ArgumentParser(
        prog="nanogomp stacks", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Tells of a running program which OpenMP thread waits for which, where in the\n"
                    "source, and which waits go in a circle. The program goes on.")
    p.add_argument("pid", metavar="PID", type=int, help="the program's process")
    p.add_argument("--all", action="store_true", help="every thread's stack too (by gdb)")
    p.add_argument("--by", choices=("auto", "gdb", "signal"), default="auto",
                   help="auto: gdb if it may attach, else the program's NTH_STALL_SIGNAL")
    return p


def main(tool, argv):
    options = parser().parse_args(argv)
    pid = options.pid
    if pid <= 0 or not os.path.isdir("/proc/%d" % pid):
        say("no process %d" % pid)
        return exits.CANNOT
    state = state_of(pid)
    if state == "Z":
        say("process %d has ended; its parent has not asked for its status yet" % pid)
        return exits.CANNOT
    libraries = libgomp_of(pid)
    ours = [is_ours(path, addresses, pid) for path, addresses in libraries.items()]
    if libraries and not any(ours) and None not in ours:
        say("process %d runs on %s, not on nanogomp" % (pid, next(iter(libraries))))
        return exits.CANNOT
    if not libraries and read("/proc/%d/maps" % pid):
        say("process %d has no libgomp" % pid)
        return exits.CANNOT
    if state == "T":
        say("process %d is stopped, so nothing in it moves; kill -CONT %d lets it go on"
            % (pid, pid))
    problems = []
    for way in ("gdb", "signal") if options.by == "auto" else (options.by,):
        problem = by_gdb(tool, pid, options.all) if way == "gdb" else by_signal(pid)
        if problem is None:
            return 0
        problems.append(problem)
    for problem in problems:
        say(problem)
    return exits.PARTLY
