# predict_machine.py - the machine that `nanogomp predict` replays on: processors, domains, costs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine is a number of processors in equal memory domains, and a table of costs. Two processors
of one domain are near each other, all others far."""

import json
import re
import sys

# name -> (default, what it is). Defaults: docs/figures.md, two CPUs of an AMD EPYC; those of far
# processors are three times the near ones. Times are ns.
COSTS = {
    "fork_slave": (10, "the master gives one slave its work (LWD: a store into the slave's line)"),
    "fork_shared": (4, "one more slave reads the shared descriptor (GWD)"),
    "join_slave": (10, "the master looks after one slave at a join or flat barrier"),
    "tree_node": (10, "a node of a tree barrier looks after one of its children"),
    "line_near": (46, "a cache line goes to another processor of the domain"),
    "line_far": (138, "a cache line goes to a processor of another domain"),
    "region_alone": (16, "a region of one member"),
    "chunk": (4, "the loop's counter gives out a chunk: the next one has to wait so long"),
    "chunk_own": (4, "a member's own part of getting a chunk"),
    "lock_alone": (5, "a critical section that nobody else wants"),
    "lock_handover": (46, "a critical section goes to a member that waits for it"),
    "task_create": (25, "a deferred task is made and put into the maker's deque"),
    "task_start": (20, "a task is taken from the own deque, started and ended"),
    "task_at_once": (8, "a task that runs at once, within its maker"),
    "task_depend": (30, "one dependence of a task"),
    "steal_near": (120, "a task is taken from a deque of the same domain"),
    "steal_far": (360, "a task is taken from a deque of another domain"),
    "pool_local": (0, "a descriptor from or to the processor's own pool (in task_create)"),
    "pool_domain": (60, "the same of the domain's pool; one processor at a time"),
    "pool_central": (150, "the same of the central pool; one processor at a time"),
    "spin": (1e7, "how long an idle processor spins before it sleeps"),
    "wake": (50000, "a sleeping processor wakes up"),
    "wake_call": (2000, "the call that wakes it, in the time of the caller"),
    "beside": (1, "a factor: how much longer work takes while others work, too"),
    "travel": (1, "a factor: what data of another's cache cost, to that of the record"),
    "bandwidth": (0, "GB/s of a domain's memory; 0: no limit. Counts with --traffic only"),
}
DOMAIN_LEVELS = ("numa", "numanode", "node")
PACKAGE_LEVELS = ("pack", "package", "socket")
MOST = 4096


class BadMachine(Exception):
    """A description or a table that cannot be used."""


class Machine:
    """size processors, per_domain of them in each domain."""

    def __init__(self, size, per_domain=None, costs=None):
        self.size = size
        self.per_domain = min(per_domain or size, size)
        self.costs = {name: default for name, (default, _) in COSTS.items()}
        self.costs.update(costs or {})

    def domain(self, processor):
        return processor // self.per_domain

    def line(self, one, other):
        near = one // self.per_domain == other // self.per_domain
        return self.costs["line_near" if near else "line_far"]

    def describe(self):
        domains = -(-self.size // self.per_domain)
        return "%d processors in %d domain%s" % (self.size, domains, "" if domains == 1 else "s")


def parse_synthetic(text):
    """"numa:4 core:16" -> (processors, processors of a domain). Domains are the NUMA nodes, else
    the packages, else the machine."""
    levels = []
    for word in text.split():
        match = re.fullmatch(r"\[?([A-Za-z]\w*)\]?:(\d+)", word)
        if not match or int(match[2]) == 0:
            raise BadMachine("%r: want levels like 'numa:4 core:16 pu:1'" % text)
        levels.append((match[1].lower(), int(match[2])))
    if not levels:
        raise BadMachine("no levels")
    size = 1
    for _, count in levels:
        size *= count
    for names in (DOMAIN_LEVELS, PACKAGE_LEVELS):
        domains, found = 1, 0
        for name, count in levels:
            domains *= count
            if name in names:
                found = domains
        if found:
            return size, size // found
    return size, size


def checked_costs(table, origin):
    """A table of numbers whose names are those of COSTS."""
    for name, value in table.items():
        if name not in COSTS:
            raise BadMachine("%s: no cost %r; costs: %s" % (origin, name, ", ".join(COSTS)))
        if (isinstance(value, bool) or not isinstance(value, (int, float)) or
                not 0 <= value <= sys.float_info.max):
            raise BadMachine("%s: %s: want a number from 0 on, not %.40r" % (origin, name, value))
    return table


def read_costs(path):
    """A JSON object, or lines "name value"; # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise BadMachine("%s: %s" % (path, error.strerror)) from error
    except UnicodeDecodeError as error:
        raise BadMachine("%s: no text" % path) from error
    if text.lstrip().startswith("{"):
        try:
            content = json.loads(text)
        except ValueError as error:
            raise BadMachine("%s: %s" % (path, error)) from error
        except RecursionError as error:
            raise BadMachine("%s: nested too deeply" % path) from error
        costs = content.get("costs", content)
        if not isinstance(costs, dict):
            raise BadMachine("%s: costs: want an object of names and numbers, not %r"
                             % (path, costs))
        return checked_costs(costs, path)
    table = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            table[words[0]] = float(words[1])
        except (IndexError, ValueError):
            raise BadMachine("%s: want lines of a name and a number, not %r" % (path, line))
    return checked_costs(table, path)


def show_costs(costs, origins):
    """The table as --costs takes it."""
    lines = ["# ns, bandwidth in GB/s, beside and travel factors"]
    for name, (_, what) in COSTS.items():
        origin = origins.get(name, "default")
        lines.append("%-14s %10.6g  # %s: %s" % (name, costs[name], origin, what))
    return "\n".join(lines)


# --- from the rows of `nanogomp bench` ---

ROWS = ("region", "region-1", "region-after-20ms", "barrier", "critical", "critical-alone",
        "dynamic-1", "task-empty-all", "task-empty-one", "task-empty-one@1", "depend-chain",
        "region-turns", "region-turns@1")


def measured_costs(document, far=3.0):
    """{name: ns} from the JSON of a bench run with the ROWS; without a row, without its costs. The
    least of the rounds counts: others on the machine make each of these longer, none shorter."""
    ours, lines, rows = document["ours"], [], {}
    for row in document["rows"]:
        values = [entry["values"].get(ours) for entry in row["rounds"]]
        numbers = sorted(value for value in values if isinstance(value, (int, float)))
        if numbers:
            rows[row["row"]] = numbers[0]
        lines += [entry["line"] for entry in row["rounds"] if entry.get("line")]
    found = {}
    if lines:
        line = min(lines) / 2  # a round trip is two transfers
        found.update(line_near=line, line_far=far * line, lock_handover=line)
        if "region" in rows:
            found["fork_slave"] = found["join_slave"] = max(1.0, (rows["region"] - 2 * line) / 2)
            found["tree_node"] = found["join_slave"]
        found["steal_near"] = 2 * line + found.get("fork_slave", 0)
        found["steal_far"] = far * found["steal_near"]
    for name, row in (("region_alone", "region-1"), ("lock_alone", "critical-alone"),
                      ("chunk", "dynamic-1"), ("chunk_own", "dynamic-1"),
                      ("task_at_once", "task-empty-one@1")):
        if row in rows:
            found[name] = rows[row]
    if "task-empty-all" in rows:  # wall time of a task on two processors: half of it each way
        found["task_create"] = found["task_start"] = rows["task-empty-all"]
        if "depend-chain" in rows:
            found["task_depend"] = max(0.0, rows["depend-chain"] - 2 * rows["task-empty-all"])
    if rows.get("region-turns") and rows.get("region-turns@1"):
        found["beside"] = max(1.0, rows["region-turns"] / rows["region-turns@1"])
    if "region-after-20ms" in rows and "region" in rows:
        found["wake"] = max(0.0, rows["region-after-20ms"] - rows["region"])
    return found
