# profile_result.py - what a profile says, as one document for the table, JSON and the page
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""document() makes plain dictionaries and lists. Times are seconds; times by state are sums over
the members. Constructs of one line of source and one call path are one row, however many copies of
the code the compiler made. Calls of one function whose lines may be wrong have rows of their own
(sites.Site.turn). What was not measured is None."""

import os
import re

from nanogomp_lib import profile_raw as raw

FOREIGN = re.compile(r"libgomp|libc\.so|libc-|libpthread|$")
WHOLE = 0.995  # of the work was counted: nothing had to be scaled


class Group:
    """The nodes of one row. figures: {member: [work, wait, overhead, idle]}"""

    def __init__(self, kind, site, caller, parent):
        self.kind, self.site, self.caller, self.parent = kind, site, caller, parent
        self.children, self.cells, self.process = {}, [], []

    @property
    def empty(self):
        """Whether nothing happened here: before a fork, in the parent, it did."""
        return not any(cell.units or cell.count or any(cell.times) for cell in self.cells) and all(
            child.empty for child in self.children.values())

    def inside(self):
        """The row and those below it that belong to the same region."""
        yield self
        for child in self.children.values():
            if child.kind != "region":
                yield from child.inside()

    def by_member(self):
        """{member: times by state} of a construct; of a region with what is inside."""
        found = {}
        for group in self.inside() if self.kind == "region" else [self]:
            for cell in group.cells:
                times = found.setdefault(cell.member, [0.0] * 4)
                for state, seconds in enumerate(cell.times):
                    times[state] += seconds
        return found


def places_of(profile):
    """({address: Site} of constructs, the same of callers). A caller counts if it is the program's:
    below main(), and a member's outermost function, there is none."""
    nodes, addresses = [node for node in profile.nodes.values() if node.site], {}
    for node in nodes:
        addresses.setdefault(node.kind, set()).add(node.site)
    known = profile.sites.resolve_kinds(addresses)
    callers = profile.sites.resolve(sorted({node.caller for node in nodes if node.caller}))
    return known, {address: site for address, site in callers.items()
                   if not FOREIGN.match(os.path.basename(site.module or "")) and
                   not site.is_made_main}


def grouped(profile):
    """The Group of the root."""
    known, callers = places_of(profile)
    root = Group("serial", None, None, None)

    def add(node, group):
        group.cells += node.cells
        group.process += node.process
        for child in node.children:
            site, caller = known.get(child.site), callers.get(child.caller)
            key = (child.kind, site and (site.name(), site.of, site.turn),
                   caller and caller.name())
            if key not in group.children:
                group.children[key] = Group(child.kind, site, caller, group)
            add(child, group.children[key])

    add(profile.nodes[0], root)
    return root


def total(cells, name):
    return sum(getattr(cell, name) for cell in cells)


def sizes(group, seconds):
    """How often, and how large the units are: seconds of a region, iterations of a chunk."""
    units = total(group.cells, "units")
    factor = seconds if group.kind == "region" else 1
    measured = group.kind in ("region", "loop", "distribute", "taskloop", "sections")
    having = [cell for cell in group.cells if cell.units]
    return {"count": total(group.cells, "count"), "units": units,
            "size": total(having, "size") * factor if measured else None,
            "least": min((c.least for c in having), default=0) * factor if measured else None,
            "most": max((c.most for c in having), default=0) * factor if measured else None,
            "held": total(group.cells, "held") if group.kind in raw.MUTEXES else None}


def teams(group):
    """Of a region: members of its smallest, largest and mean team, and the most that were asked
    for; None: no team is known."""
    having = [cell for cell in group.cells if cell.team_most]
    if group.kind != "region" or not having:
        return None
    units = total(group.cells, "units")
    return {"least": min(cell.team_least for cell in having),
            "most": max(cell.team_most for cell in having),
            "mean": total(group.cells, "count") / units if units else None,
            "asked": max(cell.team_asked for cell in having)}


def imbalance(members):
    """1 - mean / largest work; None with one member."""
    works = [times[raw.WORK] for times in members.values()]
    if len(works) < 2 or max(works) <= 0:
        return None
    return 1 - sum(works) / len(works) / max(works)


def events_of(profile, own, process):
    """{name: {value, scaled, multiplexed}} of the work in the members' cells, and in those of the
    process; value None: not counted."""
    found = {}
    for i, name in enumerate(profile.events):
        cells = [c for c in (process if profile.shared[i] else own) if c.times[raw.WORK] > 0]
        work, sampled = sum(c.times[raw.WORK] for c in cells), total(cells, "sampled")
        value = None
        if profile.counted[i] and profile.shared[i] and sampled > 0:
            value = sum(cell.events[i] * max(1.0, cell.count / cell.samples)
                        for cell in cells if cell.samples)
        elif profile.counted[i] and sampled > 0:
            value = sum(cell.events[i] * max(1.0, cell.times[raw.WORK] / cell.sampled)
                        for cell in cells if cell.sampled > 0)
        found[name] = {"value": value, "scaled": value is not None and sampled < WHOLE * work,
                       "multiplexed": value is not None and profile.multiplexed[i]}
    return found


def times_of(times):
    return dict(zip(raw.STATES, times))


def row_of(profile, group, tick):
    """A region, or a construct with what is below it."""
    members = group.by_member()
    cells = [cell for one in group.inside() for cell in one.cells]
    own = group.cells if group.kind != "region" else cells
    row = {"kind": group.kind, "site": group.site and group.site.record(),
           "open": sum(cell.open for cell in group.cells),
           "where": group.site.name() if group.site else None,
           "of": group.site.of if group.site else None,
           "caller": group.caller.name() if group.caller else None,
           "members": {str(m): times_of(t) for m, t in sorted(members.items())},
           "own": times_of([sum(c.times[s] for c in group.cells) for s in range(4)]),
           "imbalance": imbalance(members), "events": events_of(profile, own, group.process),
           **times_of([sum(t[s] for t in members.values()) for s in range(4)]),
           "teams": teams(group), **sizes(group, tick)}
    below = [row_of(profile, child, tick) for child in group.children.values() if not child.empty]
    row["constructs"] = [r for r in below if r["kind"] != "region"]
    row["regions"] = [r for r in below if r["kind"] == "region"]
    for part in ("constructs", "regions"):
        row[part].sort(key=lambda r: -(r["work"] + r["wait"] + r["overhead"]))
    return row


def idle(times):
    return [0.0] * raw.IDLE + [sum(times)]


def member_of(member):
    times, bins = [member.total(state) for state in range(4)], member.bins
    if all(cell.node.kind == "serial" for cell in member.cells):
        times = idle(times)  # it has nothing of OpenMP: it may wait for other threads all the time
        bins = [(idle(ticks), node) for ticks, node in bins]
    width, last = member.width, 0
    for i, (ticks, _) in enumerate(bins):
        last = i + 1 if any(ticks) else last
    return {"number": member.number, "initial": member.is_initial, "threads": member.threads,
            "begin": member.begin, "end": member.end, "life": member.life, **times_of(times),
            "explained": sum(times) / member.life if member.life > 0 else None,
            "line": {"width": width, "bins": [[*(round(t / width, 4) for t in ticks), node]
                                              for ticks, node in bins[:last]]}}


def around(profile):
    """Of a process that the command has started, seconds before the profile begins and behind its
    end."""
    if profile.wall is None:
        return None, None
    return profile.startup, profile.wall - profile.startup - profile.seconds


def troubles(profile):
    """Why events are not of all the work."""
    found = []
    if profile.moved:
        found.append("members changed their OS threads: not all their work is counted "
                     "(NTH_MEMBERS=os gives each one of its own)")
    if profile.closed:
        found.append("the program has closed the counters' files: work after that is not counted")
    found += ["%s: its values are floating-point numbers, which are not counted" % name
              for name, floating in zip(profile.events, profile.floating) if floating]
    return found if profile.events else []


def document(profile, command=None):
    tick = profile.tick
    root = grouped(profile)
    rows = [row_of(profile, group, tick) for group in root.children.values() if not group.empty]
    rows.sort(key=lambda r: -((r["size"] or 0) if r["kind"] == "region" else 0))
    regions = {n.number: n.site for n in profile.nodes.values() if n.kind == "region"}
    found = profile.sites.resolve_constructs(sorted(set(regions.values())))
    places = {number: found[site].name() for number, site in regions.items()}
    before, behind = around(profile)
    return {"program": profile.program, "pid": profile.pid, "parent": profile.parent,
            "command": command, "complete": profile.complete,
            "end_known": profile.end_known, "seconds": profile.seconds,
            "wall": profile.wall, "startup": before, "shutdown": behind,
            "serial": profile.seconds - profile.parallel, "parallel": profile.parallel,
            "members_outside": sum(sum(c.times[:raw.IDLE]) for group in root.inside()
                                   for c in group.cells), "lost": profile.lost,
            "events": [{"name": name, "counted": profile.counted[i],
                        "multiplexed": profile.multiplexed[i]}
                       for i, name in enumerate(profile.events)],
            "why": profile.why + troubles(profile),
            "serial_events": events_of(profile, root.cells, root.process),
            "members": [member_of(m) for _, m in sorted(profile.members.items())],
            "regions": [r for r in rows if r["kind"] == "region"],
            "outside": [r for r in rows if r["kind"] != "region"], "nodes": places}
