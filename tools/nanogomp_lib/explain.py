# explain.py - `nanogomp run --explain`: why a program is slow, in up to five findings
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tool libnanogomp-explain.so (tools/ompt/explain.c) counts while the program runs; this module
waits for the program's end, reads the counts and the control group's, and judges. A finding is what
is seen, its evidence, and what to change.
"""

import os
import resource
import tempfile
import time

from nanogomp_lib import (child, elf, explain_file, library, output, run as run_module, signals,
                          sites)

TOOL = "libnanogomp-explain.so"
MOST_FINDINGS = 5
CGROUPS = "/sys/fs/cgroup"

# Judgement. Shares are of the time of the program, or of its regions where that is said.
TINY_US = 20            # work of all members in a region; to open one takes 1 to 5 us
TINY_SHARE = 0.3
FEWEST_TINY = 50        # in fewer regions the start of threads is most of the time
BUSY = 10               # times as long a busy machine may make it; more: the members sleep
MOST_CHANGES, CHANGES_SHARE = 50, 0.2
THROTTLED_SHARE = 0.05
HELD_SHARE, HELD_WAITS = 0.5, 0.1
UNEVEN, UNEVEN_SHARE = 0.2, 0.1
ASLEEP, ASLEEP_SHARE = 0.2, 0.1


def place_of(path, offset, is_region):
    """file:line where the debug information has it, else file+address. offset: in the file."""
    address = offset
    try:
        address = elf.Elf(path).address_of(offset)
        site = sites.Sites("").in_file(path, address, is_region)
        if site.file:
            return "%s:%d" % (site.file, site.line)
    except (OSError, elf.NotElf):
        pass
    return "%s+%#x" % (os.path.basename(path), address)


class Row:
    """A place of the program: counts of explain_table.h, of all members."""

    def __init__(self, words, is_region):
        self.is_region = is_region
        (self.times, self.ns, self.member_ns, self.wait_ns, self.tasks, self.work_ns,
         self.slept_ns, self.joins, self.busy_most, self.slept_most, self.members,
         self.offset) = map(int, words[:12])
        self.path = words[12]

    @property
    def asleep(self):
        """The share of the region's time that its sleepers take: one, or all in turn."""
        slept = max(self.slept_most, self.slept_ns / max(1, self.members))
        return slept / self.ns if self.ns else 0

    @property
    def place(self):
        return place_of(self.path, self.offset, self.is_region)


class Counts:
    """What the tool counted, by the lines of explain_file.text_of(). open: regions that the process
    ended in, (path, offset) of each, the outer ones first."""

    def __init__(self, text):
        self.numbers, self.regions, self.mutexes, self.runtimes = {}, [], [], []
        self.open = []
        for line in text.splitlines():
            name, _, rest = line.partition(" ")
            if name in ("region", "mutex"):
                (self.regions if name == "region" else self.mutexes).append(
                    Row(rest.split(" ", 12), name == "region"))
            elif name == "open":
                offset, path = rest.split(" ", 1)
                self.open.append((path, int(offset)))
            elif name == "runtime":
                self.runtimes.append(rest)
            else:
                self.numbers[name] = [int(word) for word in rest.split()]
        self.region_ns = sum(row.ns for row in self.regions) or 1

    def one(self, name):
        return self.numbers.get(name, [0])[0]

    @property
    def wall(self):
        return self.one("wall") or 1


# --- findings: (share of the time that it concerns, what, evidence, what to change) ---


def too_many(c, environment, _throttled):
    cpus, most, online = c.one("cpus"), c.one("most"), c.one("online")
    if not cpus or most <= cpus:
        return None
    asked = environment.get("OMP_NUM_THREADS")
    evidence = "a team has %d members; %s" % (
        most, "OMP_NUM_THREADS is " + asked if asked else "OMP_NUM_THREADS is not set, so a clause "
        "or a call asks for them")
    change = "OMP_NUM_THREADS=%d, or fewer in the clause" % cpus
    if cpus < online:
        evidence += "; the affinity mask, which the program was started with, has %d of %d CPUs" % (
            cpus, online)
        change = ("a wider mask (mpirun --map-by slot:pe=%d, taskset, the container's CPU set), "
                  "or %s" % (most, change))
    return 1.0, "%d threads on %d CPU%s" % (most, cpus, "s" * (cpus > 1)), evidence, change


def part_of_time(share):
    """Regions of several initial threads run side by side, and last longer than the program."""
    if share <= 1:
        return "%.0f %% of the time" % (100 * share)
    return "%.1f times as long as the program in all" % share


def tiny(c, _environment, _throttled):
    """By the members' CPU time, since a busy machine makes wall time longer. In a region whose
    members sleep wall time is much more than that."""
    rows = [row for row in c.regions if row.times and not row.tasks and
            row.work_ns / row.times < 1000 * TINY_US and
            (row.member_ns - row.wait_ns) / row.times < 1000 * TINY_US * BUSY]
    share = sum(row.ns for row in rows) / c.wall
    times, ns = sum(row.times for row in rows), sum(row.ns for row in rows)
    if times < FEWEST_TINY or share < TINY_SHARE:
        return None
    work = sum(row.work_ns for row in rows)
    most = max(rows, key=lambda row: row.ns)
    return (share, "regions with hardly any work dominate",
            "%d regions take %.0f us each, %s; their members work %.1f us each. "
            "Most at %s" % (times, ns / times / 1000, part_of_time(share), work / times / 1000,
                            most.place),
            "one region around the loop that opens them, an if clause, or OMP_NUM_THREADS=1; "
            "OMP_WAIT_POLICY=active if the CPUs are the program's own")


def sizes(c, _environment, _throttled):
    changes, outer = c.one("changes"), c.one("outer") or 1
    if changes < MOST_CHANGES or changes / outer < CHANGES_SHARE:
        return None
    return (0.2 * changes / outer, "sizes of teams alternate",
            "%d of %d regions have another size than the one before; the last ones %d and %d" % (
                changes, outer, *c.numbers.get("sizes", (0, 0))),
            "the same num_threads clause everywhere, or none and OMP_NUM_THREADS")


def quota(c, _environment, throttled):
    if not throttled or throttled[1] * 1000 / c.wall < THROTTLED_SHARE:
        return None
    return (min(1.0, throttled[1] * 1000 / c.wall), "the CPU quota throttles the program",
            "its control group was stopped %d times, for %.1f s in %.1f s (cpu.stat)" % (
                throttled[0], throttled[1] / 1e6, c.wall / 1e9),
            "a larger quota (docker --cpus, CPUQuota=), or OMP_NUM_THREADS not above it")


def held(c, _environment, _throttled):
    rows = [row for row in c.mutexes if row.ns / c.region_ns >= HELD_SHARE and
            row.wait_ns / c.region_ns >= HELD_WAITS]
    if not rows:
        return None
    row = max(rows, key=lambda row: row.wait_ns)
    return (min(1, row.ns / c.wall), "one critical construct or lock is the limit",
            "that at %s is held for %.0f %% of the regions' time, %d times; members waited %.2f s "
            "for it" % (row.place, min(100, 100 * row.ns / c.region_ns), row.times,
                        row.wait_ns / 1e9),
            "a reduction clause, atomic, or partial results of each thread in place of it")


def asleep(c, _environment, _throttled):
    rows = [row for row in c.regions if row.asleep >= ASLEEP and row.ns / c.wall >= ASLEEP_SHARE]
    if not rows:
        return None
    row = max(rows, key=lambda row: row.asleep * row.ns)
    alone = row.slept_most > 0.8 * row.slept_ns
    evidence = "in the region at %s, which takes %s, %s %.2f s (%s)" % (
        row.place, part_of_time(row.ns / c.wall), "one member sleeps" if alone else "members sleep",
        (row.slept_most if alone else row.slept_ns) / 1e9,
        "for files, pipes, other processes, or locks that are not OpenMP's")
    change = "more members (OMP_NUM_THREADS), so that some work while others sleep"
    if alone:
        evidence += ", and the others wait for it" if row.members > 1 else ""
        change = "what it waits for outside the region, or in a task beside the work"
    return row.asleep * row.ns / c.wall, "members sleep in their work", evidence, change


def uneven(c, _environment, _throttled):
    """Sleep counts as work here. A region that has much of it is asleep()."""
    if c.one("most") > c.one("cpus") or held(c, {}, None):
        return None
    found = []
    for row in c.regions:
        if row.joins != row.times * row.members:
            continue  # teams of several sizes: who works more is in more of them
        if row.tasks or row.members < 2 or not row.busy_most or row.ns / c.wall < UNEVEN_SHARE:
            continue
        if row.asleep >= ASLEEP:
            continue
        if row.work_ns / max(1, row.times) < 1000 * TINY_US:
            continue
        idle = 1 - (row.work_ns + row.slept_ns) / (row.members * row.busy_most)
        if idle >= UNEVEN:
            found.append((idle * row.ns / c.wall, idle, row))
    if not found:
        return None
    share, idle, row = max(found, key=lambda one: one[0])
    return (share, "the work is uneven",
            "the region at %s takes %s; its busiest member works %.1f times as "
            "long as the average one: %.0f %% imbalance" % (
                row.place, part_of_time(row.ns / c.wall), 1 / (1 - idle), 100 * idle),
            "schedule(dynamic) or schedule(guided) at its loop; for schedule(runtime) "
            "OMP_SCHEDULE=guided")


def copies(c, _environment, _throttled):
    if len(c.runtimes) < 2:
        return None
    return (0.5, "%d OpenMP runtimes are in the process, with threads of their own"
            % len(c.runtimes), ", ".join(c.runtimes),
            "nanogomp run --way audit, so that all that is compiled by gcc shares one; a lower "
            "OMP_NUM_THREADS if libomp or libiomp5 is among them")


JUDGES = (too_many, tiny, sizes, quota, held, asleep, uneven, copies)


def findings(counts, environment, throttled=None):
    """Up to five, the most important first. throttled: (times, us) of the control group."""
    found = [judge(counts, environment, throttled) for judge in JUDGES]
    return sorted((one for one in found if one), key=lambda one: -one[0])[:MOST_FINDINGS]


# --- control groups ---


def own_cgroup(text, root):
    """Folder with this process's cpu.stat, by /proc/self/cgroup; None: none."""
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        for base in (root, os.path.join(root, controllers)) if controllers else (root,):
            for folder in (base + path, base):
                if os.path.exists(os.path.join(folder, "cpu.stat")):
                    return folder
    return None


def throttled_in(folder):
    """(times, us) since the group was made; version 1 has ns."""
    try:
        with open(os.path.join(folder or "", "cpu.stat")) as file:
            rows = dict(line.split() for line in file)
    except (OSError, ValueError):
        return 0, 0
    us = int(rows.get("throttled_usec", int(rows.get("throttled_time", 0)) // 1000))
    return int(rows.get("nr_throttled", 0)), us


# --- a run ---


def counts_of(folder, child, gone_ns, cpu_ns=None):
    """Of the child, which had that CPU time, else of the program that ran longest; None: no process
    has counts."""
    names = [name for name in os.listdir(folder) if name.isdigit()]
    own = [name for name in names if name == str(child)]
    texts = [explain_file.text_of(os.path.join(folder, name), gone_ns, cpu_ns if own else None)
             for name in own or names]
    return max((Counts(text) for text in texts if text), key=lambda one: one.wall, default=None)


def say_how_it_ended(counts):
    if counts.open:
        path, offset = counts.open[0]
        run_module.say("explain: it ended inside the region at %s, which counts up to there"
                       % place_of(path, offset, True))
    elif not counts.one("ended"):
        run_module.say("explain: it did not end by exit(): what was seen until then counts")


def children_cpu_ns():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(1e9 * (used.ru_utime + used.ru_stime))


def report(counts, environment, throttled):
    if counts is None:
        run_module.say("explain: nothing to explain: no process used the library, or it has a "
                       "tool of its own")
        return
    found = findings(counts, environment, throttled)
    run_module.say("explain: %.2f s, of which regions take %.0f %%; %s" % (
        counts.wall / 1e9, 100 * min(1, counts.region_ns / counts.wall),
        "%d finding%s" % (len(found), "s" * (len(found) != 1)) if found else "nothing stands out"))
    say_how_it_ended(counts)
    for number, (_, what, evidence, change) in enumerate(found, 1):
        run_module.say("explain: %d. %s" % (number, what))
        run_module.say("explain:    seen: " + evidence)
        run_module.say("explain:    change: " + change)


def run(lib, found, command, environment):
    """Runs the program as a child, then says what was found; the program's exit status."""
    tool = lib.beside(TOOL)
    signals.end_in_order()
    try:
        made = tempfile.TemporaryDirectory(prefix="nanogomp-explain-")
    except OSError as error:
        run_module.say("explain: a folder for the counts: %s; the program runs, nothing is "
                       "explained" % output.trouble(error))
        return run_module.execute(found, command, environment)
    with made as folder:
        environment = {**environment, **library.tool_first(tool, environment),
                       "NTH_EXPLAIN": folder}
        try:
            with open("/proc/self/cgroup") as file:
                group = own_cgroup(file.read(), CGROUPS)
        except (OSError, ValueError):
            group = None
        before, cpu_before = throttled_in(group), children_cpu_ns()
        number, status = child.start_and_wait(found, command, environment)
        gone_ns, after = time.monotonic_ns(), throttled_in(group)
        child.say_left("NTH_EXPLAIN=" + folder, lambda text: run_module.say("explain: " + text))
        counts = counts_of(folder, number, gone_ns, children_cpu_ns() - cpu_before)
        report(counts, environment, (after[0] - before[0], after[1] - before[1]))
    return child.end_as(status)
