# trace_checks.py - independent readers of what `nanogomp trace` writes; they fail on a fault
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""They know the formats from their own documents, and nothing of the modules that write them."""
import collections
import json
import re

PRV_HEAD = re.compile(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):"
                      r"(\d+)_ns:1\((\d+)\):1:1\((\d+):1\)")
PLACE = r":\d+:1:1:\d+"
PRV_RECORDS = {"1": re.compile(r"1" + PLACE + r":\d+:\d+:\d+"),
               "2": re.compile(r"2" + PLACE + r":\d+(:\d+:-?\d+)+"),
               "3": re.compile(r"3" + PLACE + r":\d+:\d+" + PLACE + r":\d+:\d+:\d+:\d+")}


class Paraver:
    """end, threads; states: {thread: {state: ns}}; events: Counter of types; arrows: [(from, to)]
    of times."""

    def __init__(self, base):
        self.states = collections.defaultdict(collections.Counter)
        self.events, self.values, self.arrows = collections.Counter(), {}, []
        with open(base + ".prv", encoding="ascii") as file:
            head = PRV_HEAD.fullmatch(file.readline().rstrip("\n"))
            assert head, "header"
            self.end, cpus, self.threads = map(int, head.groups())
            assert cpus == self.threads
            self.reached, last = collections.Counter(), 0
            for line in file:
                last = self.record(line.rstrip("\n"), last)
        self.labels(base + ".pcf")
        self.rows(base + ".row")

    def record(self, line, last):
        """Returns the record's time; `last`: that of the one before."""
        assert PRV_RECORDS[line[0]].fullmatch(line), line
        fields = list(map(int, line.split(":")))
        thread, time = fields[4], fields[5]
        assert last <= time <= self.end and 1 <= thread <= self.threads, line
        if fields[0] == 1:
            assert time == self.reached[thread], "a gap or an overlap: " + line
            assert time < fields[6] <= self.end, line
            self.reached[thread] = fields[6]
            self.states[thread][fields[7]] += fields[6] - time
        elif fields[0] == 2:
            for kind, value in zip(fields[6::2], fields[7::2]):
                self.events[kind] += 1
                self.values.setdefault(kind, set()).add(value)
        else:
            assert 1 <= fields[10] <= self.threads and fields[11] >= fields[5], line
            self.arrows.append((fields[5], fields[11]))
        return time

    def labels(self, path):
        """Each state and type that occurs has a name, each state a colour."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        sections = dict(re.findall(r"^(STATES|STATES_COLOR)\n((?:\d+ .*\n)+)", text, re.M))
        self.names = {int(n): name for n, name in re.findall(r"(\d+) +(.*)\n", sections["STATES"])}
        colours = re.findall(r"(\d+) +\{\d+,\d+,\d+\}\n", sections["STATES_COLOR"])
        assert sorted(self.names) == sorted(map(int, colours))
        for states in self.states.values():
            assert set(states) <= set(self.names), states
        types = {int(n) for n in re.findall(r"^EVENT_TYPE\n0 +(\d+) +\S", text, re.M)}
        assert set(self.events) <= types, self.events

    def rows(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        size, names = re.search(r"LEVEL THREAD SIZE (\d+)\n((?:.+\n)+)", text).groups()
        assert int(size) == self.threads == len(names.splitlines())

    def time_of(self, name, thread=None):
        """ns of a state, by its name."""
        number = next(n for n, text in self.names.items() if text == name)
        return sum(states[number] for t, states in self.states.items() if thread in (None, t))


class Chrome:
    """names: {name: how often it begins}; threads; started: tasks with an arrow; points."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        self.other, self.names = whole["otherData"], collections.Counter()
        self.constructs, self.points = collections.Counter(), collections.Counter()
        self.threads = set()
        stacks, last, made, self.started = collections.defaultdict(list), {}, {}, {}
        for event in whole["traceEvents"]:
            kind, row = event["ph"], (event["pid"], event["tid"])
            if kind == "M":
                assert event["args"]
                if event["name"] == "thread_name":
                    self.threads.add(event["tid"])
                continue
            assert event["ts"] >= last.get(row, 0), event
            last[row] = event["ts"]
            if kind == "B":
                stacks[row].append(event["name"])
                self.names[event["name"]] += 1
                self.constructs[event["args"]["construct"]] += 1
            elif kind == "E":
                stacks[row].pop()
            elif kind == "s":
                assert event["id"] not in made, event
                made[event["id"]] = event["ts"]
            elif kind == "f":
                assert made[event["id"]] <= event["ts"], event
                assert stacks[row][-1].startswith("task"), event
                self.started[event["id"]] = event["ts"]
            else:
                assert kind == "i" and event["s"] == "t", event
                self.points[event["name"]] += 1
        self.made = made
        assert not any(stacks.values()), stacks
