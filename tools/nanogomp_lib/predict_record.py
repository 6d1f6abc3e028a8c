# predict_record.py - runs a program with the recorder under it, or without, and takes its times
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import resource
import shutil
import sys
import tempfile
import time

from nanogomp_lib import predict_trace as trace
from nanogomp_lib import child, library, signals

RECORDER = "libnanogomp-record.so"
CLEARED = ("OMP_", "GOMP_", "KMP_", "NTH_RECORD_")


class CannotRecord(Exception):
    """No recorder, a program that does not run, or one that leaves no record. ended: the status
    of one that a signal has ended, as wait(2) has it; 0: none has."""

    def __init__(self, message, ended=0):
        super().__init__(message)
        self.ended = ended if os.WIFSIGNALED(ended) else 0


def say(text):
    print("nanogomp predict: " + text, file=sys.stderr)


def recorder_of(lib):
    path = os.path.join(lib.folder, RECORDER)
    if not os.path.exists(path):
        raise CannotRecord("%s: not there; it is built and installed with the library" % path)
    try:
        library.check_preload(path)
    except library.NoLibrary as error:
        raise CannotRecord(str(error)) from error
    return path


def environment(lib, members, more=()):
    """For a team of so many members; settings of OpenMP are ours, others the caller's."""
    made = {name: value for name, value in os.environ.items() if not name.startswith(CLEARED)
            or name == "OMP_SCHEDULE"}
    made["LD_LIBRARY_PATH"] = lib.path_list(made.get("LD_LIBRARY_PATH"))
    made["OMP_NUM_THREADS"] = str(members)
    made.update(more)
    return made


class Measured:
    """ended: the status as wait(2) has it, status: the shell's; wall and user + system seconds."""

    def __init__(self, ended, wall, cpu):
        self.ended, self.status = ended, signals.shell_status(ended)
        self.wall, self.cpu = wall, cpu


def run(command, made, quiet=False):
    """Runs a program to its end."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        with signals.Watch() as watch:
            status = watch.wait(watch.spawn(command, made, quiet))
        watch.end_if_asked(status)
    except OSError as error:
        raise CannotRecord("cannot run %s: %s" % (command[0], error.strerror)) from error
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Measured(status, wall, cpu)


def keep_record(path, keep):
    """False: it is not kept, which is said. The prediction does not need the copy."""
    try:
        shutil.copyfile(path, keep)
        return True
    except OSError as error:
        say("the record is not kept: %s: %s" % (keep, error.strerror))
        return False


def record(lib, command, members=1, events=4000000, clock="cpu", keep=None, quiet=False, env=()):
    """The Record of a run with teams of so many members. keep: a file for it, whether it is there
    says is_kept; env: settings of the program."""
    recorder = recorder_of(lib)
    with tempfile.TemporaryDirectory(prefix="nanogomp-predict-") as folder:
        more = {**dict(env), "NTH_RECORD_DIR": folder, "NTH_RECORD_EVENTS": str(events),
                "NTH_RECORD_CLOCK": clock,
                "LD_PRELOAD": ":".join(filter(None, [recorder, os.environ.get("LD_PRELOAD")]))}
        if members == 1:
            more["NTH_RECORD_SERIAL"] = "1"
        else:
            more.update(NTH_MEMBERS="os", OMP_MAX_ACTIVE_LEVELS="1")
            if members > len(os.sched_getaffinity(0)):  # they would take each other's CPU time
                more["OMP_WAIT_POLICY"] = "passive"
        done = run(command, environment(lib, members, more), quiet)
        child.say_left("NTH_RECORD_DIR=" + folder, say)
        found = trace.newest(folder)
        if found is None:
            raise CannotRecord("%s left no record (exit status %d): it ended by a signal, is "
                               "linked statically, runs with another user's rights, or changed "
                               "its user or root directory" % (command[0], done.status), done.ended)
        found.is_kept = not keep or keep_record(found.path, keep)
        found.ended, found.status = done.ended, done.status
        return found
