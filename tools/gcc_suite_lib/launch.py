# launch.py - runs one program under a time limit; of one that hangs it shows every thread's stack
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import select
import signal
import subprocess
import tempfile
import threading
import time

GDB_SECONDS = 30
GDB_PROCESSES = 4
OUTPUT_LIMIT = 1 << 20     # bytes of a program's output that are looked at
# a caller's settings do not reach the programs
RUNTIME_PREFIXES = ("OMP_", "GOMP_", "ACC_", "NTH_", "KMP_")

gdb_lock = threading.Lock()    # one at a time: it takes a CPU for itself


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


def stat_fields(path):
    """The fields after the program's name of a stat file; [0] is the state, [2] the group."""
    try:
        with open(path) as stat:
            return stat.read().rpartition(")")[2].split()
    except OSError:
        return None


def processes_of(group):
    """The live processes of a process group, lowest first."""
    found = []
    for name in os.listdir("/proc"):
        fields = stat_fields("/proc/%s/stat" % name) if name.isdigit() else None
        if fields and int(fields[2]) == group:
            found.append(int(name))
    return sorted(found)


def stacks_of(group):
    """gdb's text of all threads of all processes of a group."""
    text = []
    with gdb_lock:
        for pid in processes_of(group)[:GDB_PROCESSES]:
            command = ["gdb", "-nx", "-p", str(pid), "-batch", "-ex", "set pagination off",
                       "-ex", "set backtrace limit 60", "-ex", "thread apply all bt"]
            try:
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, timeout=GDB_SECONDS)
                text.append("process %d\n%s" % (pid, done.stdout.decode(errors="replace")))
            except FileNotFoundError:
                return "no gdb here, no stacks"
            except subprocess.TimeoutExpired:
                text.append("process %d: gdb took too long" % pid)
    return "\n".join(text)


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass


def wait(process, seconds):
    """Waits for the program's end: (whether it has ended, seconds used).

    A wait of a second counts as two at most: a machine that stood still for minutes must not make
    its programs fail."""
    used = 0.0
    watched = os.pidfd_open(process.pid)
    try:
        while used < seconds:
            began = time.monotonic()
            ended = select.select([watched], [], [], min(1.0, seconds - used))[0]
            used += min(2.0, time.monotonic() - began)
            if ended:
                return True, used
    finally:
        os.close(watched)
    return False, used


def run(program, settings, library_folder, seconds, show_stacks):
    """Runs a program in an empty folder of its own; the Ended. Output and errors are one stream."""
    with tempfile.TemporaryDirectory(prefix="gcc-suite.") as folder:
        path = os.path.join(folder, ".output")
        with open(path, "wb") as output:
            process = subprocess.Popen([program], cwd=folder, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT,
                                       env=environment(settings, library_folder),
                                       start_new_session=True)
        stacks = ""
        try:
            ended, used = wait(process, seconds)
            if not ended and show_stacks:
                stacks = stacks_of(process.pid)
        finally:
            kill_group(process.pid)
            status = process.wait()
        with open(path, "rb") as output:
            text = output.read(OUTPUT_LIMIT).decode(errors="replace").replace("\r\n", "\n")
    return Ended(status if ended else None, text, used, stacks)


def check_symbols(program, library_folder, seconds):
    """For a test that is linked only: whether the loader finds every symbol. An Ended."""
    settings = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_WARN": "1", "LD_BIND_NOW": "1"}
    ended = run(program, settings, library_folder, seconds, False)
    lacking = [line for line in ended.output.splitlines()
               if "undefined symbol" in line or "not found" in line]
    return Ended(127 if lacking else 0, "\n".join(lacking), ended.seconds, "")
