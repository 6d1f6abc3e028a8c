# patience.py - time limits that a busy machine stretches
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A limit in seconds tells a program that hangs from one that works, on a machine that has time.
Beside other work the same program gets a part of the CPUs and needs a multiple. So a second of the
clock counts as the part of it that the programs of a process group were given.

The kernel says of each thread how long it ran and how long it was ready without a CPU (schedstat).
Of a group whose threads were ready or running r CPUs' worth in a second, and ran g of it, the
second counts g / min(r, CPUs): all of it on a quiet machine, a tenth where it got a tenth. A group
that sleeps asks for nothing, so that its seconds count in full: a hang is no busy machine. What a
hypervisor took away (steal) counts as not given, too, and no look more than two ticks: a virtual
machine that was stopped for minutes proves nothing. A hard bound ends the rest.

Few imports: the runner of the tests takes this in with `python3 -I -S`.
"""

import os
import time

BOUND = 20             # times the limit, by the clock: then even a starved program ends
SHORTEST_TICK, LONGEST_TICK = 1.0, 5.0   # seconds between two looks, by the limit's length
LEAST_SHARE = 0.02     # of a second counts at least
IDLE = 0.01            # CPUs: a group that asks for less sleeps


def stat_fields(path):
    """The fields after the program's name of a stat file; [0] is the state, [2] the group."""
    try:
        with open(path) as stat:
            return stat.read().rpartition(")")[2].split()
    except OSError:
        return None


def processes(group):
    """Numbers of the processes of a group, or of one process, and of what they started."""
    found, children = [], {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = stat_fields("/proc/%s/stat" % name)
            if fields and group in (int(fields[2]), int(name)):
                found.append(int(name))
            elif fields:
                children.setdefault(int(fields[1]), []).append(int(name))
    for process in found:  # grows meanwhile
        found.extend(children.get(process, ()))
    return found


def threads_of(group):
    """{(process, thread): (seconds run, seconds ready without a CPU)}"""
    found = {}
    for process in processes(group):
        folder = "/proc/%d/task" % process
        try:
            threads = os.listdir(folder)
        except OSError:
            continue
        for thread in threads:
            try:
                with open("%s/%s/schedstat" % (folder, thread)) as file:
                    run, ready = file.read().split()[:2]
                found[process, thread] = int(run) / 1e9, int(ready) / 1e9
            except (OSError, ValueError):
                continue  # this one has ended; the process may go on
    return found


def machine():
    """(stolen, all) ticks of the machine's CPUs."""
    try:
        with open("/proc/stat") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        return ticks[7], sum(ticks)
    except (OSError, ValueError, IndexError):
        return 0, 0


def crowd():
    """Ready and running threads of the machine for each CPU; for kernels without schedstat."""
    try:
        with open("/proc/loadavg") as file:
            return int(file.read().split()[3].partition("/")[0]) / len(os.sched_getaffinity(0))
    except (OSError, ValueError, IndexError):
        return 1.0


class Patience:
    """counted: seconds so far, of `seconds` allowed. clock, cpu: by the clock, and of CPUs."""

    def __init__(self, seconds, group, bound=BOUND):
        self.seconds, self.group, self.bound = seconds, group, bound * seconds
        self.tick = min(LONGEST_TICK, max(SHORTEST_TICK, seconds / 60))
        self.counted = self.clock = self.cpu = 0.0
        self.before, self.machine = {}, machine()
        self.at = time.monotonic()

    def step(self):
        """Seconds until the next count()."""
        return max(0.1, min(self.tick, self.seconds - self.counted))

    def count(self):
        """Counts the time since the last call; whether the limit has struck."""
        now = time.monotonic()
        took, self.at = now - self.at, now
        self.clock += took
        self.counted += min(took, 2 * self.tick) * self.share(took)
        return self.is_over()

    def is_over(self):
        return self.counted >= self.seconds or self.clock >= self.bound

    def share(self, took):
        """The part of the last `took` seconds that counts."""
        before, self.before = self.before, threads_of(self.group)
        run = ready = 0.0
        for key, (ran, waited) in self.before.items():
            old = before.get(key, (0.0, 0.0))
            run, ready = run + max(0.0, ran - old[0]), ready + max(0.0, waited - old[1])
        self.cpu += run
        stolen, total = (new - old for new, old in zip(machine(), self.machine))
        self.machine = machine()
        given = 1.0 - stolen / total if total > 0 else 1.0
        if not self.before:
            given /= max(1.0, crowd())
        elif run + ready > IDLE * took:
            cpus = len(os.sched_getaffinity(0))
            given *= min(1.0, run / min(run + ready, cpus * took))
        return max(LEAST_SHARE, given)

    def reason(self, whose):
        """For the message: whose limit it was, and what became of it."""
        if self.counted >= self.seconds:
            text = "the limit of %s, %g s, has struck" % (whose, self.seconds)
        else:
            text = "the hard bound of %s, %g s, has struck: %.0f of its %g s were counted" % (
                whose, self.bound, self.counted, self.seconds)
        return "%s (by the clock %.0f s, in which it was given %.0f s of CPU time)" % (
            text, self.clock, self.cpu)
