# profile_report.py - the tables of `nanogomp profile`, at most 100 columns wide
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import textwrap

from nanogomp_lib import output

COLUMNS = 100
ARGUMENTS = re.compile(r"(?<!operator)\((?:[^()]|\([^()]*\))*\)(?: const)?$")
TEMPLATE = re.compile(r"<(?:[^<>]|<>)*[^<>](?:[^<>]|<>)*>")
LIBRARY = re.compile(r"\b([^\s()+]+)\.so[.0-9]*\+")
LEAST = 20  # columns for a program's name
SIDE_BY_SIDE = 4  # columns of events; more stand in further tables
SMALL = 0.005  # of the run: the constructs of shorter regions are left out
STATES = ("work", "wait", "overhead")
LEGEND = """\
wall: of the program, while the region was open. work, wait, over: shares of the members' time in
it: the program's own code; waiting; in the runtime. imb: 1 - mean / largest work of the members."""
WAITS = ("barrier", "implicit barrier", "taskwait", "taskgroup", "lock", "nest lock", "critical",
         "atomic", "ordered")


def seconds(value):
    """Six places at most, with a unit."""
    if value is None:
        return "-"
    for factor, unit, places, limit in ((1e9, "ns", 0, 1000), (1e6, "us", 1, 1000),
                                        (1e3, "ms", 1, 1000), (1, "s", 2, 10000)):
        text = "%.*f" % (places, value * factor)
        if float(text) < limit:  # as it is shown: 0.00099996 s are no "1000.0 us"
            return "%s %s" % (text, unit)
    return "%.0f s" % value


def number(value):
    """A count in seven places."""
    if value is None:
        return "-"
    text = "%.0f" % value
    if float(text) < 1e6:
        return text
    for factor, unit in ((1e6, "M"), (1e9, "G"), (1e12, "T")):
        for places in (2, 1, 0):
            text = "%.*f" % (places, value / factor)
            if float(text) < 10 ** (3 - places):
                return "%s %s" % (text, unit)
    return text + " T"


def counted(value, noun):
    return output.counted(value, noun, number(value))


def percent(part, whole):
    return "-" if part is None or not whole else "%.1f" % (100 * part / whole)


def shorter(name, room):
    """A function's name in so many columns. It loses the types of its arguments, then those of
    templates, then its end. A C++ name loses its front: the functions of a class begin alike."""
    name = ARGUMENTS.sub("", name)
    while len(name) > room and TEMPLATE.search(name):
        name = TEMPLATE.sub("<>", name)
    if len(name) <= room:
        return name
    return ".." + name[len(name) - room + 2:] if "::" in name else name[:room - 2] + ".."


def cut(text, width):
    """Text of at most `width` columns, without a library's version. Of a function and its place the
    function's name is cut first, then the place from its front: its end has the line."""
    text = LIBRARY.sub(r"\1+", text)
    if len(text) <= width:
        return text
    head, found, tail = text.rpartition(" (")
    room = width - len(tail) - 2
    if found and room >= 10:
        return shorter(head, room) + " (" + tail
    if found and len(head) + 12 <= width:
        return "%s (..%s" % (head, tail[len(head) + 5 - width:])
    return ".." + text[len(text) - width + 2:]


def all_regions(rows, depth=0):
    """(row, depth) of regions and those inside them."""
    for row in rows:
        yield row, depth
        yield from all_regions(row["regions"], depth + 1)
        for construct in row["constructs"]:
            for inner in construct["regions"]:
                yield from all_regions([inner], depth + 1)


def constructs_of(row, path=()):
    """(construct, the constructs around it) in a row."""
    for part in row["constructs"]:
        yield part, path
        yield from constructs_of(part, path + (part,))


def time_of(row):
    return sum(row[state] for state in STATES)


def ended_inside(doc, most=3):
    """The regions that the process was in when it ended, the outer ones first."""
    names = list(dict.fromkeys(row["where"] or "?" for row, _ in all_regions(doc["regions"])
                               if row["open"]))
    if not names:
        return []
    more = ["%d more" % (len(names) - most)] if len(names) > most else []
    return textwrap.wrap("it ended inside %s: times there are up to the end" % ", ".join(
        names[:most] + more), COLUMNS)


def heading(doc):
    members = len(doc["members"])
    ended = "" if doc["complete"] else "; it did not end by exit(): figures up to " + (
        "there" if doc["end_known"] else "the last event")
    rest = ": %s, %s%s" % (seconds(doc["seconds"]), counted(members, "member"), ended)
    program = doc["program"]
    if len(program) + len(rest) > COLUMNS:  # the end of a path tells more than its begin
        program = cut(program, max(LEAST, COLUMNS - len(rest)))
    lines = textwrap.wrap(program + rest, COLUMNS, break_on_hyphens=False)
    lines.append("outside regions %s (%s %%), in regions %s (%s %%)" % (
        seconds(doc["serial"]), percent(doc["serial"], doc["seconds"]),
        seconds(doc["parallel"]), percent(doc["parallel"], doc["seconds"])))
    if doc["wall"] is not None:
        lines.append("start-up before that %s%s: %s by the clock" % (
            seconds(doc["startup"]), ", end behind it " + seconds(doc["shutdown"])
            if doc["complete"] else "", seconds(doc["wall"])))
    lines += ended_inside(doc)
    if doc["lost"]:
        lines.append("INCOMPLETE: there was no room for %d records" % doc["lost"])
    return lines


def region_table(doc, top):
    form = "%8s %8s %5s %8s %5s %5s %5s %5s  %s"
    lines = [form % ("times", "wall", "%", "mean", "work", "wait", "over", "imb", "region")]
    rows = list(all_regions(doc["regions"]))
    for row, depth in rows[:top] if top else rows:
        whole = time_of(row)
        lines.append(form % (
            number(row["units"]), seconds(row["size"]), percent(row["size"], doc["seconds"]),
            seconds(row["size"] / row["units"]) if row["units"] else "-",
            *(percent(row[state], whole) for state in STATES),
            percent(row["imbalance"], 1), cut("  " * depth + (row["where"] or "?"), 42)))
        if row["caller"]:
            lines.append(" " * 59 + cut("  " * depth + "from " + row["caller"], 41))
    if top and len(rows) > top:
        lines.append("%8s  %s" % ("", counted(len(rows) - top, "more region")))
    return lines + ["", LEGEND]


def detail_of(part):
    """What there is to say of a construct, beside its times."""
    if part["kind"] == "task":
        return "%s made, %s run" % (number(part["units"]), number(part["count"]))
    if part["kind"] in ("loop", "distribute", "taskloop") and part["units"]:
        equal = part["least"] == part["most"]
        size = number(part["least"]) + ("" if equal else " to " + number(part["most"]))
        return "%s of %s" % (counted(part["units"], "chunk"), size)
    if part["held"] is not None:
        return "held %s" % seconds(part["held"])
    if part["kind"] == "sections" and part["units"]:
        return counted(part["units"], "section")
    return ""


def teams_of(teams):
    """2 members; 1 to 2 of 4 members: such teams, where 4 were asked for."""
    if teams is None:
        return ""
    least, most, asked = teams["least"], teams["most"], teams["asked"]
    size = "%d" % most if least == most else "%d to %d" % (least, most)
    return output.counted(most, "member", size + (" of %d" % asked if asked > least else ""))


def place_of(row):
    site = row["site"]
    if site and site["file"]:
        return "%s:%d" % (site["file"].rpartition("/")[2], site["line"])
    if site and site["module"]:
        return "%s+%#x" % (site["module"].rpartition("/")[2], site["offset"])
    return row["where"] or "?"


def name_of(part):
    """barrier of loop, where it is known which construct has the barrier at its end."""
    return "barrier of " + part["of"] if part.get("of") else part["kind"]


def construct_lines(row, whole):
    """A row's constructs, each with its share of the members' time in the row."""
    form = "  %-36s %8s %5s %5s %5s %8s  %s"
    rows = [(("region itself", place_of(row)), row["units"], row["own"], None,
             teams_of(row["teams"]))] if row["kind"] == "region" else []
    for part, path in constructs_of(row):
        spent = part["wait"] if part["kind"] in WAITS else part["work"]
        rows.append((("  " * len(path) + name_of(part), place_of(part)), part["count"], part,
                     spent / part["count"] if part["count"] else None, detail_of(part)))
    lines = ["", cut(row["where"] or "?", 48) + (
        " from " + cut(row["caller"], 46) if row["caller"] else "")]
    for (kind, where), count, times, mean, detail in rows:
        lines.append((form % ("%-16s %s" % (kind, cut(where, max(8, 19 - max(0, len(kind) - 16)))),
                              number(count),
                              *(percent(times[state], whole) for state in STATES),
                              seconds(mean), detail)).rstrip())
    return [line[:COLUMNS] for line in lines]


def construct_table(doc, top):
    rows = [row for row, _ in all_regions(doc["regions"])]
    shown = [row for row in (rows[:top] if top else rows)
             if not top or (row["size"] or 0) >= SMALL * doc["seconds"]]
    outside = sum(part[state] for part in doc["outside"] for state in STATES)
    if not shown and not outside:
        return []
    lines = ["", "Constructs: % of the members' time in the region; mean: of a wait, else of work",
             "  %-36s %8s %5s %5s %5s %8s" % ("", "times", "work", "wait", "over", "mean")]
    for row in shown:
        lines += construct_lines(row, time_of(row))
    if outside and (not top or outside >= SMALL * doc["seconds"]):
        lines += construct_lines({"kind": "serial", "where": "outside regions", "caller": None,
                                  "constructs": doc["outside"]}, doc["members_outside"])
    return lines


def member_table(doc, most=32):
    form = "%6s %9s %6s %6s %6s %6s %10s  %s"
    lines = ["", form % ("member", "life", "work", "wait", "over", "idle", "explained", "")]
    for member in doc["members"][:most]:
        life = member["life"]
        lines.append((form % (
            member["number"], seconds(life),
            *(percent(member[state], life) for state in (*STATES, "idle")),
            percent(member["explained"], 1) + " %",
            "initial thread" if member["initial"] else
            "%d threads" % member["threads"] if member["threads"] > 1 else "")).rstrip())
    if len(doc["members"]) > most:
        lines.append("%6s  %s" % ("", counted(len(doc["members"]) - most, "more member")))
    return lines


def event_text(event):
    if event["value"] is None:
        return "-"
    return number(event["value"]) + ("~" if event["scaled"] else "") + (
        "*" if event["multiplexed"] else "")


def event_table(doc, top):
    names = [event["name"] for event in doc["events"]]
    rows = [(row["events"], row["where"] or "?") for row, _ in all_regions(doc["regions"])]
    rows = (rows[:top] if top else rows) + [(doc["serial_events"], "outside regions")]
    lines = ["", "Events of the members' work"] if names else []
    for first in range(0, len(names), SIDE_BY_SIDE):
        lines += [""] * (first > 0) + event_columns(rows, names[first:first + SIDE_BY_SIDE])
    shown = [events[name] for events, _ in rows for name in names]
    if any(event["scaled"] for event in shown):
        lines.append("~ from a part of the work, scaled by time")
    if any(event["multiplexed"] for event in shown):
        lines.append("* shared a counter with others (multiplexed)")
    return lines


def event_columns(rows, names):
    """Lines of (events, name of the region), with a column for each of the events' names."""
    width = max(12, (COLUMNS - 40) // len(names) - 1)
    form = " ".join(["%%%ds" % width] * len(names)) + "  %s"
    room = COLUMNS - (width + 1) * len(names) - 1
    lines = [form % (*(cut(n, width) for n in names), "region")]
    for events, where in rows:
        lines.append(form % (*(event_text(events[name]) for name in names), cut(where, room)))
    return lines


def report(doc, top):
    """The text of a document."""
    lines = heading(doc) + [""] + region_table(doc, top) + construct_table(doc, top)
    lines += member_table(doc) + event_table(doc, top)
    lines += [line for why in doc["why"] for line in textwrap.wrap(
        "not counted: " + why, COLUMNS, subsequent_indent="  ")]
    return "\n".join(lines)
