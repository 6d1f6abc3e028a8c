# predict_trace.py - reads a record of `nanogomp predict` and makes a tree of what the program did
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A record (tools/predict/record.h) is a list of events. The tree has steps in program order, each
a tuple whose first entry is its kind:

  (WORK, ns, share)     time of the program itself; share says which members do it
  (REGION, Region)      a parallel region
  (LOOP, Loop)          a loop of which the runtime hands out chunks, or sections
  (BARRIER,)            of the team; also what ends a loop or a single without nowait
  (SINGLE, steps)       one member does these
  (TASK, Task)          makes a task
  (WAIT, dependences)   taskwait; without dependences for all children
  (GROUP_BEGIN,), (GROUP_END,)
  (CRITICAL, lock, steps)
  (ORDER, steps)        the ordered part of an iteration
  (POST, i, place), (SINK, i, place)
                        source and sink of a doacross loop: iteration i of its outermost loop,
                        and the place in the loops inside
"""

import array
import contextlib
import os
import struct

(WORK, REGION, LOOP, BARRIER, SINGLE, TASK, WAIT, GROUP_BEGIN, GROUP_END, CRITICAL, ORDER, POST,
 SINK) = range(13)
# Who does a piece of work in a region: EACH member all of it, all members together (SHARED, what
# static loops look like), or the master alone (MASTER).
EACH, SHARED, MASTER = range(3)
STATIC, DYNAMIC, GUIDED, GSS, SECTIONS, ORDERED, DOACROSS = 1, 2, 3, 4, 5, 16, 32
IN, OUT, INOUT, MUTEX, INOUTSET = 1, 2, 3, 4, 5

HEAD = struct.Struct("8s7Q")
EVENT_SIZE = 32
MAGIC = b"NTHREC2\0"
KINDS = ("thread region_enter region_leave member_begin member_end barrier_enter barrier_leave "
         "single_enter single_leave loop_enter next_enter chunk loop_end_enter loop_end_leave "
         "task_enter depend task_leave task_begin task_end wait_enter wait_leave group_begin "
         "group_end_enter group_end_leave critical_enter critical_leave release_enter "
         "release_leave split post sink").split()
NAMES = dict(enumerate(KINDS, 1))
THREAD, TASK_LOOP_FLAG, NOGROUP_FLAG, UNDEFERRED_FLAG = 1, 16, 32, 1
PS = 1e-3  # ns a picosecond


class BadRecord(Exception):
    """A file that is no record, or holds nothing to replay."""


class Region:
    """steps: one member's. clause: num_threads, 0 without. profile: see predict_profile.py"""
    __slots__ = ("steps", "clause", "function", "profile", "is_plain", "key")

    def __init__(self, clause=0, function=0):
        self.steps, self.clause, self.function = [], clause, function
        self.profile = self.is_plain = self.key = None


class Loop:
    """pieces: [(iterations, steps)] in order."""
    __slots__ = ("schedule", "chunk", "count", "pieces", "flags")

    def __init__(self, schedule, count, chunk):
        self.schedule, self.flags = schedule & 15, schedule & ~15
        self.count, self.chunk, self.pieces = count, chunk, []


class Task:
    __slots__ = ("steps", "dependences", "undeferred", "number")

    def __init__(self, number=0, undeferred=False, dependences=()):
        self.steps, self.number, self.undeferred = [], number, undeferred
        self.dependences = list(dependences)


def inside(step):
    """Lists of steps within a step."""
    kind = step[0]
    if kind == REGION:
        return [step[1].steps]
    if kind == LOOP:
        return [steps for _, steps in step[1].pieces]
    if kind in (SINGLE, ORDER):
        return [step[1]]
    if kind == CRITICAL:
        return [step[2]]
    return [step[1].steps] if kind == TASK else []


def all_of(steps, closed=()):
    """The steps, each followed by those within it unless its kind is one of `closed`. Tasks may be
    nested more deeply than Python calls functions in each other."""
    ways = [iter(steps)]
    while ways:
        step = next(ways[-1], None)
        if step is None:
            ways.pop()
            continue
        yield step
        if step[0] not in closed:
            ways += [iter(part) for part in reversed(inside(step))]


@contextlib.contextmanager
def using(record):
    """Events in an order that no program has show as one of many errors: BadRecord instead."""
    try:
        yield
    except RecursionError as error:
        raise BadRecord("%s: its tasks are nested too deeply" % record.path) from error
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError,
            ValueError) as error:
        why = "damaged" + (": %s" % error if type(error) is RuntimeError else "")
        if record.lost:
            why = "not whole: %d events had no room (--events)" % record.lost
        raise BadRecord("%s: %s" % (record.path, why)) from error


class Record:
    """One process. threads: a list of events each, as (kind, small, a, b, ns). is_kept: False: a
    copy was wanted and could not be made."""

    is_kept = True

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        if len(content) < HEAD.size or content[:8] != MAGIC:
            raise BadRecord("%s: no record of this version" % path)
        (_, self.cpu_ns, self.wall_ns, self.event_ps, self.lost, count, serial,
         end) = HEAD.unpack_from(content)
        self.path, self.is_serial, self.end = path, bool(serial), end * PS
        self.threads, at = [], HEAD.size
        for _ in range(count):
            words = array.array("Q", self.part(content, at, EVENT_SIZE))
            size = words[2] * EVENT_SIZE
            at += EVENT_SIZE
            self.threads.append((words[3], self.part(content, at, size)))
            at += size
        self.threads.sort()
        self.events = sum(len(text) for _, text in self.threads) // EVENT_SIZE

    def part(self, content, at, size):
        if at + size > len(content):
            raise BadRecord("%s: cut short" % self.path)
        return content[at:at + size]

    def main_events(self):
        """(kind's name, small, a, b, ns) of the thread that started the process."""
        return iterate(self.threads[0][1]) if self.threads else iter(())


def iterate(text):
    for time, kind, small, a, b in struct.iter_unpack("QIIQQ", text):
        yield NAMES[kind], small, a, b, time * PS


def newest(folder):
    """The record in a folder with the most events; None if there is none."""
    found = [Record(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
             if name.endswith(".record")]
    return max(found, key=lambda record: record.events, default=None)


class Frame:
    """Where steps go: a member's, a task's, a single's, a chunk's or a critical section's."""
    __slots__ = ("steps", "kind", "share", "loop")

    def __init__(self, steps, kind, share=EACH):
        self.steps, self.kind, self.share, self.loop = steps, kind, share, None


class Builder:
    """Makes the tree of one thread's events. Each method on_NAME takes (small, a, b, ns)."""

    def __init__(self):
        self.steps = []
        self.frames = [Frame(self.steps, "program", MASTER)]
        self.tasks, self.loops, self.waits = {}, [], []
        self.since = 0.0  # when the program's own code went on; None: it is in the runtime
        self.notes = set()

    def build(self, record):
        for name, small, a, b, ns in record.main_events():
            getattr(self, "on_" + name)(small, a, b, ns)
        if self.since is not None and not record.lost:
            self.leave(record.end)
        self.lay_out_taskloops()
        return self.steps

    # --- the program's own time ---

    @property
    def top(self):
        return self.frames[-1]

    def leave(self, ns):
        """The program calls the runtime: the time before is work."""
        if self.since is not None and ns > self.since:
            top = self.top
            last = top.steps[-1] if top.steps else None
            if last and last[0] == WORK and last[2] == top.share:
                top.steps[-1] = (WORK, last[1] + ns - self.since, top.share)
            else:
                top.steps.append((WORK, ns - self.since, top.share))
        self.since = None

    def push(self, frame):
        self.frames.append(frame)

    def pop(self, *kinds):
        """Takes the frame on top away if it is of these."""
        if len(self.frames) > 1 and self.top.kind in kinds:
            return self.frames.pop()
        return None

    # --- regions ---

    def on_thread(self, small, a, b, ns):
        pass

    def on_region_enter(self, small, a, b, ns):
        self.leave(ns)
        region = Region(small, b)
        self.top.steps.append((REGION, region))
        self.push(Frame(region.steps, "region"))

    def on_member_begin(self, small, a, b, ns):
        self.since = ns

    def on_member_end(self, small, a, b, ns):
        self.leave(ns)
        while self.pop("single", "chunk"):
            pass

    def on_region_leave(self, small, a, b, ns):
        self.pop("region")
        self.since = ns

    def on_split(self, small, a, b, ns):
        self.leave(ns)
        top = self.top
        if top.kind == "region" and (small == 1 or top.share == EACH):
            top.share = SHARED if small == 1 else MASTER
        self.since = ns

    # --- barrier, single, exclusion ---

    def on_barrier_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("single")
        self.top.steps.append((BARRIER,))

    def on_barrier_leave(self, small, a, b, ns):
        self.since = ns

    def on_single_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("single")

    def on_single_leave(self, small, a, b, ns):
        self.since = ns
        if small and self.top.kind == "region":
            steps = []
            self.top.steps.append((SINGLE, steps))
            self.push(Frame(steps, "single", MASTER))

    def on_critical_enter(self, small, a, b, ns):
        self.leave(ns)

    def on_critical_leave(self, small, a, b, ns):
        steps = []
        self.top.steps.append((ORDER, steps) if small else (CRITICAL, a, steps))
        self.push(Frame(steps, "critical", self.top.share))
        self.since = ns

    def on_release_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("critical")

    def on_release_leave(self, small, a, b, ns):
        self.since = ns

    def on_post(self, small, a, b, ns):
        self.leave(ns)
        self.top.steps.append((POST, a, b))
        self.since = ns

    def on_sink(self, small, a, b, ns):
        self.leave(ns)
        self.top.steps.append((SINK, a, b))
        self.since = ns

    # --- loops ---

    def on_loop_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("single")
        loop = Loop(small, a, b)
        self.top.steps.append((LOOP, loop))
        self.top.loop = loop
        self.since = ns

    def on_next_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("chunk")

    def on_chunk(self, small, a, b, ns):
        self.pop("chunk")
        loop = self.top.loop
        if b and loop:
            steps = []
            loop.pieces.append((b, steps))
            self.push(Frame(steps, "chunk", MASTER))
        self.since = ns

    def on_loop_end_enter(self, small, a, b, ns):
        self.leave(ns)
        self.pop("chunk")
        loop, self.top.loop = self.top.loop, None
        if loop and not loop.pieces:  # set up only, or empty: what follows is shared
            steps = self.top.steps
            del steps[next(i for i in reversed(range(len(steps))) if steps[i] == (LOOP, loop))]
            self.top.share = SHARED
        if not small:
            self.top.steps.append((BARRIER,))

    def on_loop_end_leave(self, small, a, b, ns):
        self.since = ns

    # --- tasks ---

    def on_task_enter(self, small, a, b, ns):
        self.leave(ns)
        task = Task(a, bool(small & UNDEFERRED_FLAG))
        self.tasks[a] = task
        if small & TASK_LOOP_FLAG:
            self.loops.append((self.top.steps, task, [], not small & NOGROUP_FLAG))
        self.top.steps.append((TASK, task))

    def on_depend(self, small, a, b, ns):
        target = self.tasks[b].dependences if b else self.waits[-1]
        target.append((small, a))

    def on_task_leave(self, small, a, b, ns):
        self.since = ns

    def on_task_begin(self, small, a, b, ns):
        task = self.tasks.get(a)
        if small and task:  # one of a taskloop
            part = Task(0, task.undeferred)
            next(entry for entry in reversed(self.loops) if entry[1] is task)[2].append(part)
            task = part
        self.push(Frame(task.steps if task else [], "task", MASTER))
        self.since = ns

    def on_task_end(self, small, a, b, ns):
        self.leave(ns)
        self.pop("task")

    def lay_out_taskloops(self):
        """A taskloop becomes its tasks, within a taskgroup unless it has nogroup."""
        for steps, task, parts, grouped in reversed(self.loops):
            place = next(i for i in range(len(steps) - 1, -1, -1)
                         if steps[i][0] == TASK and steps[i][1] is task)
            made = [(TASK, part) for part in parts]
            steps[place:place + 1] = [(GROUP_BEGIN,), *made, (GROUP_END,)] if grouped else made

    def on_wait_enter(self, small, a, b, ns):
        self.leave(ns)
        self.waits.append([])
        self.top.steps.append((WAIT, self.waits[-1]))

    def on_wait_leave(self, small, a, b, ns):
        self.since = ns

    def on_group_begin(self, small, a, b, ns):
        self.leave(ns)
        self.top.steps.append((GROUP_BEGIN,))
        self.since = ns

    def on_group_end_enter(self, small, a, b, ns):
        self.leave(ns)
        self.top.steps.append((GROUP_END,))

    def on_group_end_leave(self, small, a, b, ns):
        self.since = ns


def build(record):
    """(steps of the program, notes) of a serial record."""
    builder = Builder()
    with using(record):
        steps = builder.build(record)
    return steps, sorted(builder.notes)
