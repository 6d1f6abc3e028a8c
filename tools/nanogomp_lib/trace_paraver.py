# trace_paraver.py - a trace for Paraver: .prv, .pcf and .row
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of the .prv, in the order of their times; docs/trace.md lists types and values:

  1:cpu:application:task:thread:begin:end:state
  2:cpu:application:task:thread:time:type:value[:type:value ...]
  3:cpu:application:task:thread:time:time:cpu:application:task:thread:time:time:size:tag

The last one goes from a task's creation to its start. It is known at the start, and stands at the
creation; so these records are sorted apart, by sort(1), which needs no more memory for more of
them. cpu is the thread's number, as a member has no CPU of its own."""

import os
import subprocess
import tempfile
import time

from nanogomp_lib import trace_spans as spans

SUFFIX = ".prv"
PLACE, CREATED, STARTED, ENDED, CHUNK_FIRST, CHUNK_SIZE, POINT = range(78000001, 78000008)
TYPES = {PLACE: "Line of the construct", CREATED: "Task created", STARTED: "Task runs",
         ENDED: "Task has ended", CHUNK_FIRST: "Chunk's first iteration",
         CHUNK_SIZE: "Chunk's iterations", POINT: "Happening"}
POINTS = ("section", "chunk", "taskloop chunk", "discarded task", "cancels", "is cancelled",
          "error directive")
TASK_SIZE, TASK_TAG = 0, 1
# the field of the time in each kind of record, for sort(1)
BY_TIME = ("sort", "-t:", "-s", "-n", "-k6,6")
# Paraver's own numbers for what it knows; others are ours
STATES = {spans.IDLE: 0, spans.REGION: 1, spans.ABSENT: 2, spans.BARRIER: 5, spans.FORK_JOIN: 7,
          spans.LOCK: 9, spans.NOT_RECORDED: 14}
OURS = 20


def state_of(construct):
    return STATES.get(construct, OURS + construct)


def _colour(text):
    return "{%d,%d,%d}" % tuple(int(text[at:at + 2], 16) for at in (1, 3, 5))


def _header(source):
    rows = len(source.rows)
    when = time.strftime("%d/%m/%Y at %H:%M", time.localtime(source.file.real_ns / 1e9))
    return "#Paraver (%s):%d_ns:1(%d):1:1(%d:1)\n" % (when, source.end, rows, rows)


class _Body:
    """Writes the records; tasks go to a file of their own."""

    def __init__(self, source, body, arrows):
        self.source, self.body, self.arrows = source, body.write, arrows.write
        self.thread = {row.number: at + 1 for at, row in enumerate(source.rows)}
        self.places = {0: 0}  # value of each address
        self.at_place = {}
        self.started = set()
        self.has_arrows = False

    def event(self, thread, when, *pairs):
        self.body("2:%d:1:1:%d:%d:%s\n" % (thread, thread, when, ":".join(map(str, pairs))))

    def place(self, address):
        return self.places.setdefault(address, len(self.places))

    def record(self, record):
        when, row, what, key, value = record[:5]
        thread = self.thread[row]
        if what == spans.STATE:
            self.body("1:%d:1:1:%d:%d:%d:%d\n" % (thread, thread, when, record[5], state_of(key)))
            place = self.place(self.source.tasks.address(key, value))
            if place != self.at_place.get(row, 0):
                self.at_place[row] = place
                self.event(thread, when, PLACE, place)
        elif what == spans.CREATE:
            self.event(thread, when, CREATED, key)
        elif what == spans.START:
            self.event(thread, when, STARTED, key)
            if key not in self.started:
                self.started.add(key)
                self.arrow(thread, when, key)
        elif what == spans.DONE:
            self.started.discard(key)
            self.event(thread, when, ENDED, key)
        elif record[6]:
            self.event(thread, when, POINT, POINTS.index(key) + 1, CHUNK_FIRST, record[5],
                       CHUNK_SIZE, record[6])
        else:
            self.event(thread, when, POINT, POINTS.index(key) + 1)

    def arrow(self, thread, when, task):
        made = self.source.tasks.made.get(task)
        if made:
            self.has_arrows = True
            start = self.thread[made[0]]
            self.arrows("3:%d:1:1:%d:%d:%d:%d:1:1:%d:%d:%d:%d:%d\n" % (
                start, start, made[1], made[1], thread, thread, when, when, TASK_SIZE, TASK_TAG))


def _pcf(source, places):
    yield ("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
           "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
           "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\nDEFAULT_SEMANTIC\n\n"
           "THREAD_FUNC          State As Is\n\n\nSTATES\n")
    order = sorted(range(len(spans.CONSTRUCTS)), key=state_of)
    yield from ("%d    %s\n" % (state_of(c), spans.CONSTRUCTS[c][0]) for c in order)
    yield "\n\nSTATES_COLOR\n"
    yield from ("%d    %s\n" % (state_of(c), _colour(spans.CONSTRUCTS[c][2])) for c in order)
    for number, text in TYPES.items():
        yield "\n\nEVENT_TYPE\n0    %d    %s\n" % (number, text)
        if number == PLACE:
            yield "VALUES\n0      none\n"
            yield from ("%d      %s\n" % (value, source.site_name(address) or "unknown")
                        for address, value in places.items() if value)
        elif number == POINT:
            yield "VALUES\n"
            yield from ("%d      %s\n" % (at + 1, name) for at, name in enumerate(POINTS))


def _row(source):
    names = [source.row_name(row.number) for row in source.rows]
    for level, entries in (("CPU", names), ("NODE", ["node"]), ("THREAD", names)):
        yield "LEVEL %s SIZE %d\n%s\n\n" % (level, len(entries), "\n".join(entries))


def _sort(inputs, output, *options):
    """Runs sort(1); its troubles, such as a full disk, are an OSError."""
    output.flush()
    done = subprocess.run([*BY_TIME, *options, *inputs], check=False, stdout=output,
                          stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise OSError(0, done.stderr.decode(errors="replace").strip() or "sort(1) failed")


def write(source, path):
    base, folder = path[:-len(SUFFIX)], os.path.dirname(os.path.abspath(path))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".paraver-") as spool:
        body_path, arrow_path, sorted_path = (os.path.join(spool, name)
                                              for name in ("body", "arrows", "sorted"))
        with open(body_path, "w", encoding="ascii") as body, \
                open(arrow_path, "w", encoding="ascii") as arrows:
            writer = _Body(source, body, arrows)
            for record in source.records(spans.states, "paraver"):
                writer.record(record)
        with open(sorted_path, "wb") as file:
            _sort([arrow_path], file, "-T", spool)
        with open(path, "wb") as file:
            file.write(_header(source).encode())
            _sort([body_path, sorted_path], file, "-m")
    for suffix, lines in ((".pcf", _pcf(source, writer.places)), (".row", _row(source))):
        with open(base + suffix, "w", encoding="utf-8", errors="replace") as file:
            file.writelines(lines)
    return [path, base + ".pcf", base + ".row"]
