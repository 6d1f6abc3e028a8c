# predict_report.py - what `nanogomp predict` prints: table, JSON, plot
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from nanogomp_lib import predict_profile as profile
from nanogomp_lib import predict_trace as trace
from nanogomp_lib.output import counted, save_picture

GOOD = 0.8        # efficiency from which on nothing limits but the work
COUNTS = 0.05     # of the time: a part that matters
NEAR_SPAN = 1.25  # a time of so many spans is limited by the span
# part of the time -> (column, what limits)
PARTS = {"serial": ("serial", "serial part"), "useful": ("work", "work"),
         "repeated": ("repeat", "repeated work"), "beside": ("beside", "work of others beside"),
         "sync": ("sync", "fork, join, barriers"), "tasks": ("tasks", "tasks, chunks"),
         "rest": ("wait", "imbalance")}


class Row:
    """One replay. base: ns on one processor."""

    def __init__(self, replay, base, span):
        self.processors, self.outer, self.inner = replay.processors, replay.outer, replay.inner
        self.ns, self.speed_up = replay.time, base / replay.time if replay.time else 1.0
        self.efficiency = self.speed_up / replay.processors
        self.parts = {"serial": replay.serial}
        self.parts.update((name, max(0.0, getattr(replay.total, name)))
                          for name in PARTS if name != "serial")
        self.limit = self.find_limit(span)

    def find_limit(self, span):
        if self.efficiency >= GOOD:
            return PARTS["useful"][1]
        others = {name: ns for name, ns in self.parts.items() if name != "useful"}
        worst = max(others, key=others.get)
        if worst == "rest" and self.ns <= NEAR_SPAN * span:
            return "span"
        return PARTS[worst][1]

    def share(self, name):
        return self.parts[name] / self.ns if self.ns else 0.0

    def levels(self):
        return "%dx%d" % (self.outer, self.inner) if self.inner > 1 else "one"

    def document(self):
        return {"processors": self.processors, "outer": self.outer, "inner": self.inner,
                "seconds": self.ns / 1e9, "speed_up": self.speed_up,
                "efficiency": self.efficiency, "limit": self.limit,
                "parts": {name: ns / 1e9 for name, ns in self.parts.items()}}


def show_time(ns):
    for unit, size, digits in (("ns", 1, 3), ("us", 1e3, 4), ("ms", 1e6, 4), ("s", 1e9, 4)):
        number = "%.*g" % (digits, ns / size)
        if float(number) < 1000:  # as it is shown: 999.7 ns are no "1e+03 ns"
            return "%s %s" % (number, unit)
    return "%.0f s" % (ns / 1e9)


def table(rows):
    """Lines of at most 100 columns; the parts are percents of the row's time."""
    names = [name for name in PARTS if name != "beside" or any(r.parts[name] for r in rows)]
    two = any(row.inner > 1 for row in rows)
    head = ["processors"] + ["levels"] * two + ["time", "speed-up", "eff."]
    head += [PARTS[name][0] for name in names] + ["limit"]
    lines = [head]
    for row in rows:
        line = [str(row.processors)] + [row.levels()] * two
        line += [show_time(row.ns), "%.2f" % row.speed_up, "%.0f %%" % (100 * row.efficiency)]
        line += ["%.0f %%" % (100 * row.share(name)) for name in names] + [row.limit]
        lines.append(line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join([cell.rjust(width) for cell, width in zip(line[:-1], widths)]
                               + [line[-1]]) for line in lines)


LEGEND = ("serial, work, ...: percent of the time. work: divided among all; repeat: each member "
          "does it;\nsync: fork, join, barriers, locks; tasks: making and finding tasks, chunks; "
          "wait: for others.")


def count(steps):
    """{what: how many, or ns} of a tree."""
    found = dict.fromkeys(("regions", "tasks", "loops", "shared", "each", "master"), 0)
    for step in trace.all_of(steps):
        kind = step[0]
        if kind == trace.REGION:
            found["regions"] += 1
            for part in step[1].steps:
                if part[0] == trace.WORK:
                    found[("each", "shared", "master")[part[2]]] += part[1]
        elif kind == trace.LOOP:
            found["loops"] += 1
        elif kind == trace.TASK:
            found["tasks"] += 1
    return found


def heading(record, steps, machine, settings, span, base):
    """What was recorded, and what it is replayed on."""
    seen, policy = count(steps), settings.policy
    lines = ["record   %s of work, %s, %s with chunks, %s"
             % (show_time(base), counted(seen["regions"], "region"),
                counted(seen["loops"], "loop"), counted(seen["tasks"], "task")),
             "machine  %s; fork %s, joins %s, pools %s"
             % (machine.describe(), policy.fork, policy.join, policy.pool)]
    if span > 0:
        lines.append("span     %s: the speed-up is at most %.3g" % (show_time(span), base / span))
    if settings.traffic:
        lines.append("memory   %g GB/s of a processor at work, %g GB/s of a domain"
                     % (settings.traffic, machine.costs["bandwidth"]))
    return "\n".join(lines)


def shared_part(record, steps):
    """The part of a record's time that is taken for static loops."""
    return count(steps)["shared"] / max(1.0, record.end)


def got_part(record, steps):
    """The part in chunks, singles and tasks."""
    return sum(profile.got_in(region.steps)
               for region in profile.regions_in(steps)) / max(1.0, record.end)


def remarks(record, steps, notes, profiled, settings):
    """What the reader has to know of this prediction."""
    seen, said = count(steps), list(notes)
    whole = max(1.0, record.end)
    if record.lost:
        said.append("the record is not whole: %d events had no room; see --events" % record.lost)
    if seen["shared"] > COUNTS * whole and not profiled:
        said.append("%.0f %% of the time is static loops, cut evenly and as finely as there are "
                    "processors;\n  --members N shows how even they are" %
                    (100 * seen["shared"] / whole))
    if seen["each"] > COUNTS * whole:
        said.append("%.0f %% of the time is in regions but in no construct: each member repeats "
                    "it;\n  --unsplit shared divides it" % (100 * seen["each"] / whole))
    if record.wall_ns > 1.2 * record.cpu_ns + 2e7:
        said.append("the run took %s by the clock, %s of CPU time: it waited, or shared its CPU"
                    % (show_time(record.wall_ns), show_time(record.cpu_ns)))
    return "\n".join("note: " + text for text in said)


def document(record, machine, settings, rows, span, notes):
    """Everything, for other tools. Times are seconds."""
    policy = settings.policy
    return {"record": {"seconds": record.end / 1e9, "cpu_seconds": record.cpu_ns / 1e9,
                       "wall_seconds": record.wall_ns / 1e9, "events": record.events,
                       "lost": record.lost},
            "machine": {"processors": machine.size, "per_domain": machine.per_domain,
                        "costs_ns": machine.costs},
            "policy": {"fork": policy.fork, "join": policy.join, "pool": policy.pool,
                       "clauses": settings.clauses, "traffic": settings.traffic},
            "span_seconds": span / 1e9, "notes": notes,
            "rows": [row.document() for row in rows]}


def write_plot(path, rows, title):
    """Speed-up over processors; returns why not, or None."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return "no plot: there is no matplotlib"
    figure, axes = pyplot.subplots(figsize=(6, 4.5))
    for two in (False, True):
        part = [row for row in rows if (row.inner > 1) == two]
        if part:
            axes.loglog([row.processors for row in part], [row.speed_up for row in part], "o-",
                        base=2, label="two levels" if two else "one level")
    most = max(row.processors for row in rows)
    axes.loglog([1, most], [1, most], ":", color="gray", base=2, label="ideal")
    axes.set(xlabel="processors", ylabel="speed-up", title=title)
    axes.legend()
    figure.tight_layout()
    return save_picture(figure, path)
