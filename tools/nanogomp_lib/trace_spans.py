# trace_spans.py - from the events of a trace to what each member did when
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spans() yields, for one row, what begins and ends there, nested; states() what the row did,
without overlaps and gaps, from the trace's begin to its end. Records are tuples with time and row
first, in the order of their time; merged() makes one order of all rows.

  (time, row, ENTER, construct, key)     key: address in the program, or the task's number
  (time, row, LEAVE, construct, key)     of what ENTER opened last
  (time, row, STATE, construct, key, end)
  (time, row, CREATE, task, address)     a task is made
  (time, row, START, task, 0)            it runs for the first time, or goes on
  (time, row, DONE, task, 0)
  (time, row, POINT, text, address, first, count)    a chunk, a cancellation, an error
"""

import bisect
import itertools
import operator

from nanogomp_lib import trace_file as raw

ENTER, LEAVE, STATE, CREATE, START, DONE, POINT = range(7)

# The constructs: number, name, what a member in it does, colour.
WORKS, WAITS, RUNTIME, NOTHING = "working", "waiting", "runtime", "nothing"
CONSTRUCTS = [
    ("not there", NOTHING, "#ffffff"), ("idle", NOTHING, "#e4e7eb"),
    ("serial", WORKS, "#8fb8de"), ("parallel region", WORKS, "#2f7ed8"),
    ("loop", WORKS, "#1fa187"), ("sections", WORKS, "#67c23a"), ("single", WORKS, "#b5a642"),
    ("other work", WORKS, "#5fa8a0"), ("task", WORKS, "#8e5bd0"), ("critical", WORKS, "#c06c2b"),
    ("ordered", WORKS, "#a0522d"), ("target", WORKS, "#4b5bd6"),
    ("fork and join", RUNTIME, "#f2c14e"), ("barrier", WAITS, "#e15759"),
    ("end of region", WAITS, "#f4a3a4"), ("taskwait", WAITS, "#d6409f"),
    ("taskgroup", WAITS, "#f29ad0"), ("lock", WAITS, "#7a1f1f"),
    ("wait for critical", WAITS, "#a83232"), ("wait for ordered", WAITS, "#c97b63"),
    ("not recorded", NOTHING, "#5a5a5a"),
]
(ABSENT, IDLE, SERIAL, REGION, LOOP, SECTIONS, SINGLE, OTHER_WORK, TASK, CRITICAL, ORDERED, TARGET,
 FORK_JOIN, BARRIER, REGION_END, TASKWAIT, TASKGROUP, LOCK, WAIT_CRITICAL, WAIT_ORDERED,
 NOT_RECORDED) = range(len(CONSTRUCTS))

# numbers of OMPT: sync regions, mutexes, work, states of tasks, dispatch
WAIT_OF = {5: TASKWAIT, 6: TASKGROUP, 9: REGION_END}
LOCK_OF = {5: WAIT_CRITICAL, 6: WAIT_CRITICAL, 7: WAIT_ORDERED}
HELD_OF = {5: CRITICAL, 6: CRITICAL, 7: ORDERED}
WORK_OF = {1: LOOP, 2: SECTIONS, 3: SINGLE, 7: OTHER_WORK, 8: OTHER_WORK, 10: LOOP, 11: LOOP,
           12: LOOP, 13: LOOP}
ENDED = frozenset((1, 3, 4))  # complete, cancel, detach
SWITCH = 7
SECTION, TASKLOOP_CHUNK = 2, 4
CHUNK_RECORDS = 4096


class _Row:
    """The constructs that a row is in. out: records that wait to be taken."""

    def __init__(self, number):
        self.number, self.out = number, []
        self.stack = []  # (construct, key, number of the task whose body it is, or None)

    def enter(self, time, construct, key, task=None):
        self.stack.append((construct, key, task))
        self.out.append((time, self.number, ENTER, construct, key))

    def leave_down_to(self, time, depth):
        while len(self.stack) > depth:
            construct, key, _ = self.stack.pop()
            self.out.append((time, self.number, LEAVE, construct, key))

    def leave(self, time, construct):
        """Leaves the innermost such construct of the current task, if it is in one."""
        for depth in range(len(self.stack) - 1, -1, -1):
            if self.stack[depth][0] == construct:
                return self.leave_down_to(time, depth)
            if self.stack[depth][2] is not None:
                break
        return None

    def depth_of(self, task):
        """Where the body of a task is; None: not on this row."""
        for depth in range(len(self.stack) - 1, -1, -1):
            if self.stack[depth][2] == task:
                return depth
        return None

    def leave_task(self, time, task):
        depth = self.depth_of(task)
        if depth is not None:
            self.leave_down_to(time, depth)

    def own_task(self, number):
        """An implicit task's number, of which the event has the lower part."""
        return (self.number & 0xffff) << 32 | number & 0xffffffff

    # --- events: (time, where, sub, number) ---

    def thread_begin(self, time, *_):
        self.leave_down_to(time, 0)
        self.enter(time, IDLE, 0)

    def thread_end(self, time, *_):
        self.leave_down_to(time, 0)
        self.enter(time, ABSENT, 0)

    def region_begin(self, time, where, _sub, _number):
        self.enter(time, FORK_JOIN, where & raw.LOW_48)

    def region_end(self, time, *_):
        self.leave(time, FORK_JOIN)

    def member_begin(self, time, where, sub, number):
        self.enter(time, SERIAL if sub else REGION, where & raw.LOW_48, self.own_task(number))

    def member_end(self, time, _where, _sub, number):
        self.leave_task(time, self.own_task(number))

    def wait_begin(self, time, where, sub, _number):
        self.enter(time, WAIT_OF.get(sub, BARRIER), where)

    def wait_end(self, time, _where, sub, _number):
        self.leave(time, WAIT_OF.get(sub, BARRIER))

    def task_create(self, time, where, _sub, number):
        self.out.append((time, self.number, CREATE, number, where))

    def task_switch(self, time, prior, sub, task):
        if sub in ENDED:
            self.leave_task(time, prior)
            self.out.append((time, self.number, DONE, prior, 0))
        elif sub == SWITCH and task:
            self.switch_to(time, task)

    def switch_to(self, time, task):
        """A task that this row has below goes on: those above it are suspended. Another one begins,
        or goes on here, on top of the present one."""
        below = self.depth_of(task)
        if below is None:
            self.enter(time, TASK, task, task)
            self.out.append((time, self.number, START, task, 0))
            return
        for depth in range(below + 1, len(self.stack)):
            if self.stack[depth][2] is not None:
                self.leave_down_to(time, depth)
                return

    def lock_wait(self, time, where, sub, _number):
        self.enter(time, LOCK_OF.get(sub, LOCK), where)

    def lock_taken(self, time, where, sub, _number):
        self.leave(time, LOCK_OF.get(sub, LOCK))
        if sub in HELD_OF:
            self.enter(time, HELD_OF[sub], where)

    def lock_left(self, time, _where, sub, _number):
        if sub in HELD_OF:
            self.leave(time, HELD_OF[sub])

    def work_begin(self, time, where, sub, _number):
        self.enter(time, WORK_OF.get(sub, OTHER_WORK), where)

    def work_end(self, time, _where, sub, _number):
        self.leave(time, WORK_OF.get(sub, OTHER_WORK))

    def point(self, time, text, where, first=0, count=0):
        self.out.append((time, self.number, POINT, text, where, first, count))

    def chunk(self, time, where, sub, number):
        if sub == SECTION:
            self.point(time, "section", where)
        else:
            first = where - (1 << 64) if where >> 63 else where
            text = "taskloop chunk" if sub == TASKLOOP_CHUNK else "chunk"
            self.point(time, text, 0, first, number)

    def cancel(self, time, where, sub, _number):
        self.point(time, "discarded task" if sub & 0x40 else
                   "cancels" if sub & 0x10 else "is cancelled", where)

    def target_begin(self, time, where, _sub, _number):
        self.enter(time, TARGET, where)

    def target_end(self, time, *_):
        self.leave(time, TARGET)

    def error(self, time, where, _sub, _number):
        self.point(time, "error directive", where)


_HANDLERS = {
    raw.THREAD_BEGIN: _Row.thread_begin, raw.THREAD_END: _Row.thread_end,
    raw.REGION_BEGIN: _Row.region_begin, raw.REGION_END: _Row.region_end,
    raw.MEMBER_BEGIN: _Row.member_begin, raw.MEMBER_END: _Row.member_end,
    raw.WAIT_BEGIN: _Row.wait_begin, raw.WAIT_END: _Row.wait_end,
    raw.TASK_CREATE: _Row.task_create, raw.TASK_SWITCH: _Row.task_switch,
    raw.LOCK_WAIT: _Row.lock_wait, raw.LOCK_TAKEN: _Row.lock_taken,
    raw.LOCK_LEFT: _Row.lock_left, raw.WORK_BEGIN: _Row.work_begin,
    raw.WORK_END: _Row.work_end, raw.CHUNK: _Row.chunk, raw.CANCEL: _Row.cancel,
    raw.TARGET_BEGIN: _Row.target_begin, raw.TARGET_END: _Row.target_end, raw.ERROR: _Row.error}


def spans(file, row):
    """The records of a row, but for STATE; each ENTER has its LEAVE."""
    state, out, last = _Row(row.number), None, 0
    out = state.out
    handlers = [_HANDLERS.get(kind) for kind in range(256)]
    for chunk in file.chunks(row):
        for time, where, kind, sub, number in chunk:
            if last == 0 and not state.stack:  # a row of the child of fork() begins in the middle
                begins = kind == raw.THREAD_BEGIN
                state.enter(0, ABSENT if begins else SERIAL, 0, None if begins else 0)
            last = time
            if handlers[kind]:
                handlers[kind](state, time, where, sub, number)
        yield from out
        out.clear()
    if row.dropped:
        state.leave_down_to(last, 0)
        state.enter(last, NOT_RECORDED, 0)
    state.leave_down_to(max(last, file.end), 0)
    yield from out


def states(file, row):
    """The records of a row, but for ENTER and LEAVE: what is innermost counts."""
    stack, begin, held, number = [], 0, [], row.number
    for record in spans(file, row):
        time, what = record[0], record[2]
        if what > LEAVE:
            held.append(record)
            if len(held) < CHUNK_RECORDS:
                continue
        if time > begin and stack:
            yield (begin, number, STATE) + stack[-1] + (time,)
            begin = time
        if held:
            yield from held
            held.clear()
        if what == ENTER:
            stack.append(record[3:5])
        elif what == LEAVE:
            stack.pop()
    yield from held


def merged(sources):
    """The records of iterators, each in the order of its times, in one order. Some thousand of each
    are in memory."""
    waiting = [(iter(source), []) for source in sources]
    while waiting:
        left = []
        for source, records in waiting:
            if not records:
                records.extend(itertools.islice(source, CHUNK_RECORDS))
            if records:
                left.append((source, records))
        waiting = left
        if not waiting:
            return
        until = (min(records[-1][0] for _, records in waiting), float("inf"))
        batch = []
        for _, records in waiting:
            count = bisect.bisect_right(records, until)
            batch += records[:count]
            del records[:count]
        batch.sort(key=operator.itemgetter(0))
        yield from batch


class Tasks:
    """Where the tasks that are there now were made. Give it each record; it knows a task from its
    creation to its end."""

    def __init__(self):
        self.made = {}  # task: (row, time, address)

    def see(self, record):
        time, row, what, task, where = record[:5]
        if what == CREATE:
            self.made[task] = (row, time, where)
        elif what == DONE:
            self.made.pop(task, None)

    def address(self, construct, key):
        """Of a construct: its key, or where the task was made; 0: unknown."""
        if construct != TASK:
            return key
        return self.made.get(key, (0, 0, 0))[2]
