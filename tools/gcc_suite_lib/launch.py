# launch.py - runs one program under a time limit; of one that hangs it shows every thread's stack
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.machinery
import importlib.util
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

OUTPUT_LIMIT = 1 << 20     # bytes of a program's output that are looked at
# a caller's settings do not reach the programs
RUNTIME_PREFIXES = ("OMP_", "GOMP_", "ACC_", "NTH_", "KMP_")

SHORTEST_COUNT = 0.1       # seconds: counting reads /proc, output comes in small parts

gdb_lock = threading.Lock()    # one at a time: it takes a CPU for itself


def load_run_limited():
    """The lit tests' runner, which knows how to find a group's processes and show their stacks."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = os.path.join(root, "tests", "lit", "support", "run-limited")
    loader = importlib.machinery.SourceFileLoader("run_limited", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_limited", loader))
    sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module


run_limited = load_run_limited()


class Ended:
    """How a run ended."""

    def __init__(self, status, output, seconds, stacks):
        self.status = status      # exit status, or minus the signal; None: the limit has struck
        self.output = output
        self.seconds = seconds
        self.stacks = stacks

    def text(self):
        if self.status is None:
            return "hangs"
        if self.status < 0:
            try:
                return signal.Signals(-self.status).name
            except ValueError:
                return "signal %d" % -self.status
        return "exit status %d" % self.status


def environment(settings, library_folder):
    """What a program gets: ours without the settings of runtimes, then `settings`."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(RUNTIME_PREFIXES) and not name.startswith("LD_")}
    env["LC_ALL"] = env["LANG"] = "C"
    if library_folder:
        env["LD_LIBRARY_PATH"] = library_folder
    env.update(settings)
    return env


def stacks_of(group):
    """gdb's text of all threads of all processes of a group."""
    with gdb_lock:
        members = run_limited.group_members(group)[:run_limited.GDB_PROCESSES]
        return "\n".join("process of thread %d\n%s" % (member, run_limited.stacks(member))
                         for member in members)


class Output:
    """What a program writes. A pipe: Fortran's output to a file is kept back, errors are not."""

    def __init__(self):
        self.end, self.writers = os.pipe()
        os.set_blocking(self.end, False)
        self.parts, self.size, self.open = [], 0, True

    def read(self):
        """Takes what is there; past the limit it is dropped."""
        while self.open:
            try:
                part = os.read(self.end, 1 << 16)
            except BlockingIOError:
                return
            self.open = bool(part)
            if self.size < OUTPUT_LIMIT:
                self.parts.append(part)
                self.size += len(part)

    def text(self):
        return b"".join(self.parts).decode(errors="replace").replace("\r\n", "\n")


def wait(process, output, seconds):
    """Waits for the program's end: (whether it has ended, seconds used).

    Seconds of a quiet machine: a busy one stretches them (nanogomp_lib/patience.py)."""
    patience, ended = run_limited.make_patience(seconds, process.pid), False
    watched = os.pidfd_open(process.pid)
    try:
        while not ended and not patience.is_over():
            files = [watched, output.end] if output.open else [watched]
            ended = watched in select.select(files, [], [], patience.step())[0]
            output.read()
            if not ended and time.monotonic() - patience.at >= SHORTEST_COUNT:
                patience.count()
    finally:
        os.close(watched)
    return ended, patience.counted + time.monotonic() - patience.at


def limit_cpu(pid, seconds):
    """A program that outlives its runner, killed by a time limit, does not spin for ever."""
    limit = int(10 * seconds * (os.cpu_count() or 1)) + 60
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (limit, limit))
    except OSError:
        pass    # it has ended


def run(program, settings, library_folder, seconds, show_stacks):
    """Runs a program in an empty folder of its own; the Ended. Output and errors are one stream."""
    output, stacks = Output(), ""
    try:
        with tempfile.TemporaryDirectory(prefix="gcc-suite.") as folder:
            try:
                process = subprocess.Popen([program], cwd=folder, stdin=subprocess.DEVNULL,
                                           stdout=output.writers, stderr=subprocess.STDOUT,
                                           env=environment(settings, library_folder),
                                           start_new_session=True)
            finally:
                os.close(output.writers)
            limit_cpu(process.pid, seconds)
            try:
                ended, used = wait(process, output, seconds)
                if not ended and show_stacks:
                    stacks = stacks_of(process.pid)
            finally:
                run_limited.kill_group(process.pid)
                status = process.wait()
            output.read()
    finally:
        os.close(output.end)
    return Ended(status if ended else None, output.text(), used, stacks)


def check_symbols(program, library_folder, seconds):
    """For a test that is linked only: whether the loader finds every symbol. An Ended."""
    settings = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_WARN": "1", "LD_BIND_NOW": "1"}
    ended = run(program, settings, library_folder, seconds, False)
    lacking = [line for line in ended.output.splitlines()
               if "undefined symbol" in line or "not found" in line]
    return Ended(127 if lacking else 0, "\n".join(lacking), ended.seconds, "")
