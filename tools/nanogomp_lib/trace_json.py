# trace_json.py - a trace for Chrome's viewer and Perfetto (ui.perfetto.dev)
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JSON object format of "Trace Event Format": B and E for what begins and ends, s and f for an
arrow from a task's creation to its start, i for a chunk of a loop. Times are microseconds."""

import json

from nanogomp_lib import trace_spans as spans

SUFFIX = ".json"


def _line(what):
    return ",\n" + json.dumps(what, separators=(",", ":"))


def _head(source):
    pid = source.file.pid
    yield json.dumps({"ph": "M", "name": "process_name", "pid": pid, "tid": 0,
                      "args": {"name": source.title}})
    for row in source.rows:
        yield _line({"ph": "M", "name": "thread_name", "pid": pid, "tid": row.number + 1,
                     "args": {"name": source.row_name(row.number)}})
        yield _line({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": row.number + 1,
                     "args": {"sort_index": row.number}})


def _other(source):
    return {"tool": "nanogomp trace", "command": source.file.command, "pid": source.file.pid,
            "parent": source.file.parent, "nanoseconds": source.end, "events": source.events,
            "dropped": source.file.dropped, "start_unix_ns": source.file.real_ns}


class _Writer:
    def __init__(self, source, file):
        self.source, self.write = source, file.write
        self.texts = {}    # (construct, address): what an event has behind its time
        self.started = set()  # tasks that have run, and may go on elsewhere

    def text(self, construct, address):
        known = self.texts.get((construct, address))
        if known is None:
            name, kind, _ = spans.CONSTRUCTS[construct]
            site = self.source.sites.get(address)
            known = json.dumps({"name": self.source.name(construct, address), "cat": kind,
                                "args": {"construct": name, "site": site.place() if site else ""}})
            self.texts[construct, address] = known = known[1:]
        return known

    def record(self, record):
        time, row, what, key, value = record[:5]
        start = '"pid":%d,"tid":%d,"ts":%.3f' % (self.source.file.pid, row + 1, time / 1000)
        if what == spans.ENTER:
            if key != spans.ABSENT:
                address = self.source.tasks.address(key, value)
                self.write(',\n{"ph":"B",%s,%s' % (start, self.text(key, address)))
        elif what == spans.LEAVE:
            if key != spans.ABSENT:
                self.write(',\n{"ph":"E",%s}' % start)
        elif what == spans.POINT:
            arguments = {"first": record[5], "iterations": record[6]} if record[6] else {}
            self.write(',\n{"ph":"i","s":"t",%s,"name":%s,"args":%s}'
                       % (start, json.dumps(key), json.dumps(arguments)))
        elif what == spans.CREATE:
            self.write(',\n{"ph":"s","id":%d,"name":"task","cat":"task",%s}' % (key, start))
        elif what == spans.START:
            self.start_task(key, start)
        elif what == spans.DONE:
            self.started.discard(key)

    def start_task(self, task, start):
        """The arrow's end, at a task's first start; its creation may be missing."""
        if task not in self.started and task in self.source.tasks.made:
            self.started.add(task)
            self.write(',\n{"ph":"f","bp":"e","id":%d,"name":"task","cat":"task",%s}'
                       % (task, start))


def write(source, path):
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write('{"displayTimeUnit":"ns","otherData":%s,\n"traceEvents":[\n'
                   % json.dumps(_other(source)))
        file.writelines(_head(source))
        writer = _Writer(source, file)
        for record in source.records(spans.spans, "json"):
            writer.record(record)
        file.write("\n]}\n")
    return [path]
