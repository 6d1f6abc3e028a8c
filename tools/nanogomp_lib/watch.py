# watch.py - `nanogomp run -v`: which libgomp the program and its children really have
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program opens and starts can only partly be told beforehand. So a process of its own looks
at the program and all its descendants while they run, and says on stderr which of them have a
libgomp that is not ours. It reads /proc only; it is no relative of the program, which therefore
never waits for it, and it ends with the program.

A process that lives for less than a poll may be missed, which the last line says.
"""

import os
import time

from nanogomp_lib import packages

FIRST_POLL, LAST_POLL = 0.01, 0.2   # seconds; a poll waits a fiftieth of the time without news
SAY_MOST = 20
HAS_CHILDREN = os.path.exists("/proc/self/task/%d/children" % os.getpid())


def start(lib, audit=False):
    """Starts the watcher of this process, which is about to become the program; waits for it.
    audit: the program gets LD_AUDIT."""
    root = os.getpid()
    read_end, write_end = os.pipe()
    child = os.fork()
    if child:
        os.close(write_end)
        os.waitpid(child, 0)
        os.read(read_end, 1)  # ends when the watcher is at work, or is not there
        os.close(read_end)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            leave_files(write_end)
            os.close(write_end)
            Watch(root, lib, audit).run()
    except (OSError, ValueError, LookupError) as error:
        say("nothing more, the watcher has ended: %s" % error)
    finally:
        os._exit(0)


def leave_files(but):
    """Standard error apart, the program's files are not the watcher's: a lock would last longer
    than the program, and a pipe's reader would wait for its end."""
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    os.dup2(quiet, 1)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) != but:
            try:
                os.close(int(name))
            except OSError:
                pass  # that of the list


def say(text):
    try:
        os.write(2, ("nanogomp: seen: %s\n" % text).encode(errors="replace"))
    except OSError:
        pass


def read(path):
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read())
    except OSError:
        return ""


def children_of(pid):
    """By the kernel's list where it has one (CONFIG_PROC_CHILDREN), else by all processes."""
    if not HAS_CHILDREN:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()
                and read("/proc/%s/stat" % name).rpartition(")")[2].split()[1:2] == [str(pid)]]
    found = []
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            found += map(int, read("/proc/%d/task/%s/children" % (pid, thread)).split())
    except OSError:
        pass
    return found


def start_time(pid):
    """Tells a process from a later one of the same number; None when it has ended."""
    fields = read("/proc/%d/stat" % pid).rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 and fields[0] not in "ZX" else None


def program_of(pid):
    """The file's name; "?" when the process has ended meanwhile."""
    try:
        return os.path.basename(os.readlink("/proc/%d/exe" % pid))
    except OSError:
        return "?"


def libgomps_of(pid):
    found = set()
    for line in read("/proc/%d/maps" % pid).splitlines():
        path = line.partition("/")
        path = "/" + path[2] if path[1] else ""
        if packages.is_private_copy(os.path.basename(path)):
            found.add(path)
    return found


class Watch:
    def __init__(self, root, lib, audit=False):
        self.root, self.lib, self.audit = root, lib, audit
        self.known = {}            # pid -> (start time, what was said of it)
        self.said, self.served, self.others = set(), 0, 0

    def run(self):
        news = time.monotonic()
        begin = start_time(self.root)
        while begin and start_time(self.root) == begin:
            if self.look():
                news = time.monotonic()
            time.sleep(min(LAST_POLL, max(FIRST_POLL, (time.monotonic() - news) / 50)))
        if self.others == 0 and self.served == 0:
            say("no process with a libgomp; one of less than %d ms may be missed"
                % (1000 * FIRST_POLL))
        else:
            say("%d of %d processes with a libgomp were served"
                % (self.served, self.served + self.others))

    def look(self):
        """One look at all processes; whether there is a new one."""
        found, queue, new = [], [self.root] + list(self.known), False
        for pid in queue:  # grows meanwhile
            if pid not in found:
                found.append(pid)
                queue.extend(children_of(pid))
        for pid in found:
            begin = start_time(pid)
            if begin is None:
                self.known.pop(pid, None)
            elif self.known.get(pid, ("", ""))[0] != begin:
                self.known[pid], new = (begin, ""), True
            if begin is not None:
                self.look_at(pid)
        return new

    def look_at(self, pid):
        begin, before = self.known[pid]
        files = libgomps_of(pid)
        foreign = sorted(path for path in files if not self.lib.is_file(path))
        if not files:
            state = ""
        elif not foreign or (len(foreign) < len(files) and self.has(pid, "LD_PRELOAD")):
            state = "served"
        elif libgomps_of(pid) != files:
            state = ""  # a process that ends has no environment left; it would seem unserved
        else:
            state = "not served"
        if state == before or not state:
            return
        self.known[pid] = (begin, state)
        self.served += (state == "served") - (before == "served")
        self.others += (state == "not served") - (before == "not served")
        if state == "not served":
            self.tell(pid, foreign)

    def has(self, pid, name):
        """Whether the process was started with that variable, and ours in it. Of LD_PRELOAD: ours
        stands before the copies, which then lie idle."""
        return any(word.startswith(name + "=") and self.lib.folder in word
                   for word in read("/proc/%d/environ" % pid).split("\0"))

    def advice(self, pid):
        if not self.audit:
            return "; --way audit serves it"
        return "" if self.has(pid, "LD_AUDIT") else "; it was started without the LD_AUDIT set here"

    def tell(self, pid, foreign):
        """Once for a program and its libgomp."""
        name = program_of(pid)
        key = (name, tuple(foreign))
        if key not in self.said and len(self.said) < SAY_MOST:
            self.said.add(key)
            say("%s (process %d) is NOT served: it has %s%s"
                % (name, pid, ", ".join(foreign), self.advice(pid)))
