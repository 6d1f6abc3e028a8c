# constructs.py - the places of work-sharing constructs and of the barriers at their ends
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""placed() gives sites.Sites of calls the lines of their directives (directives.py), function by
function. The code of a function has its constructs in the order of the source, mostly: so the
barrier that the library calls implicit belongs to the last loop or sections before it. What gcc
makes of single and scope ends with a plain barrier, as what a static loop ends with. A call whose
line is not that of a directive of its kind stays apart from the function's others."""

from nanogomp_lib import directives

WAITS = ("barrier", "implicit barrier")


def placed(sites, by_kind):
    """{address: Site} of {kind: [Site]}."""
    functions = {}
    for kind, those in by_kind.items():
        if kind in directives.NEAR or kind in WAITS:
            for site in those:
                if site.file:
                    span = sites.lines_of(site.module).span(site.offset)
                    functions.setdefault((site.module, span), []).append((site.address, kind, site))
    found = {}
    for (module, span), calls in functions.items():
        calls.sort(key=lambda call: call[:2])
        lines = sites.lines_of(module)
        places, sure = work_places(lines, span, calls)
        barriers(calls, places, sure)
        keep_apart(calls, places, sure)
        found.update(places)
    return found


def work_places(lines, span, calls):
    """({address: Site} of all calls, addresses of those whose directive is found)."""
    places, sure = {address: site for address, _, site in calls}, set()
    first = lines.first(span[0]) if span else None
    if first is None or first[0] is None:
        return places, sure
    file, begin = first
    end = directives.end_after(file, max(lines.last(*span, file), begin))
    begin = min(begin, directives.directive_line(file, begin))
    for kind in directives.NEAR:
        those = [site for _, its, site in calls if its == kind]
        hints = [[frame[1:] for frame in site.frames if frame[1]] or [(site.file, site.line)]
                 for site in those]
        for site, place in zip(those, directives.lines_of(file, begin, end, kind, hints)):
            if place:
                places[site.address] = site.moved(symbol_at(site, place), *place)
                sure.add(site.address)
    return places, sure


def symbol_at(site, place):
    """The function whose directive it is: that of the innermost frame only if it is there."""
    frames = site.frames or [(site.symbol, site.file, site.line)]
    inner = (site.file, site.line) == (frames[-1][1], frames[-1][2])
    near = place[0] == site.file and abs(place[1] - site.line) <= directives.ABOVE
    return site.symbol if inner or near and site.symbol else frames[-1][0]


def barriers(calls, places, sure):
    """Gives barriers the place of the construct that they end."""
    ending = {kind: [] for kind in WAITS}  # constructs whose barrier has not come yet
    for address, kind, site in calls:
        if kind not in WAITS:
            place = places[address]
            by = directives.ends_by(kind, place.file, place.line)
            ending["barrier"] = []  # a plain one comes right behind its construct
            if by:
                ending[by].append((kind, place))
        elif not directives.source_lines(site.file):
            continue  # a plain barrier may be any, and any construct may have none
        elif ending[kind]:
            of, place = ending[kind].pop()
            places[address] = site.moved(place.symbol, place.file, place.line, of)
            sure.add(address)
        elif kind == "barrier" and directives.is_barrier(site.file, site.line):
            sure.add(address)


def keep_apart(calls, places, sure):
    """Numbers calls of a kind that have the same name, but not for certain."""
    turns = {}
    for address, kind, _ in calls:
        if address not in sure:
            key = kind, places[address].name()
            places[address].turn = turns.get(key, 0)
            turns[key] = places[address].turn + 1
