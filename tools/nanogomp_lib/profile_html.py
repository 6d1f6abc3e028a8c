# profile_html.py - the page of `nanogomp profile --html`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One file without scripts or links to others: bars by region and construct, the members' time
lines, the work of each member in each region. What a bar means is its title."""

import html

from nanogomp_lib import profile_report as text

STATES = ("work", "wait", "overhead", "idle")
WORDS = {"work": "work", "wait": "waiting", "overhead": "in the runtime",
         "idle": "without a region"}
LINE_WIDTH, LINE_HEIGHT = 1000, 22
MOST_MEMBERS, MOST_REGIONS = 64, 12
SMALL = 0.001  # of the page's width: narrower bars are left out

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em;
  color: #222; background: #fff }
h1 { font-size: 1.3em; overflow-wrap: anywhere } h2 { font-size: 1.1em; margin-top: 2em }
.flame { position: relative; width: 100% }
.bar { position: absolute; height: 22px; overflow: hidden; white-space: nowrap; font-size: 12px;
  line-height: 22px; text-indent: 4px; box-sizing: border-box;
  border: 1px solid #fff; border-radius: 3px; background: #d5dce4 }
.work { background: #6aa0d0; fill: #6aa0d0 } .wait { background: #eeb05a; fill: #eeb05a }
.overhead { background: #b08cc8; fill: #b08cc8 } .idle { background: #eee; fill: #eee }
.key span { display: inline-block; width: 1em; height: 1em; margin: 0 .4em 0 1.2em;
  vertical-align: -2px } svg { display: block; width: 100%; height: 30px }
.line { display: flex; align-items: center } .line b { width: 6em; flex: none; font-weight: normal }
.line .share { width: 100%; display: flex; height: 14px } .line .share i { height: 14px }
table { border-collapse: collapse } td, th { padding: 2px 10px; text-align: right }
th { border-bottom: 1px solid #999; font-weight: 600 } td:last-child, th:last-child
{ text-align: left } .note { color: #555 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1d20 } .bar { color: #111;
  border-color: #1b1d20 } .idle { background: #333; fill: #333 } .note { color: #aaa } }
"""


def esc(value):
    return html.escape(str(value), quote=True)


def time_in(row):
    """Members' seconds in a row with all that is below it."""
    return (sum(row[state] for state in STATES[:3]) if row["kind"] == "region" else
            sum(row[state] for state in STATES[:3]) + sum(map(time_in, row["constructs"]))) + sum(
                map(time_in, row["regions"]))


def told(row):
    times = ", ".join("%s %s" % (WORDS[s], text.seconds(row[s])) for s in STATES[:3])
    return "%s %s: %s; %s times" % (text.name_of(row), row["where"] or "", times,
                                    text.number(row["units"] or row["count"]))


class Flame:
    """Bars from left to right in levels."""

    def __init__(self):
        self.bars, self.depth = [], 0

    def bar(self, left, width, level, label, title, kind=""):
        if width < SMALL:
            return
        self.depth = max(self.depth, level + 1)
        self.bars.append('<div class="bar %s" style="left:%.3f%%;width:%.3f%%;top:%dpx" '
                         'title="%s">%s</div>' % (kind, 100 * left, 100 * width, level * 23,
                                                  esc(title), esc(label)))

    def row(self, row, left, width, level):
        """A row, its parts below it in proportion to the members' time."""
        label = row["where"] or text.name_of(row)
        if row["kind"] != "region":
            label = "%s %s" % (text.name_of(row), label)
        self.bar(left, width, level, label, told(row),
                 "wait" if row["kind"] in text.WAITS else "work" if row["kind"] != "region" else "")
        parts = row["constructs"] + row["regions"]
        whole = time_in(row)
        if whole <= 0 or width < SMALL:
            return
        if row["kind"] == "region":
            for state in STATES[:3]:
                part = width * row["own"][state] / whole
                name = "own code" if state == "work" else "end of region" if state == "wait" else \
                    "runtime"
                self.bar(left, part, level + 1, name, "%s: %s" % (
                    name, text.seconds(row["own"][state])), state)
                left += part
        for part in parts:
            share = width * time_in(part) / whole
            self.row(part, left, share, level + 1)
            left += share

    def page(self):
        return '<div class="flame" style="height:%dpx">%s</div>' % (self.depth * 23,
                                                                  "".join(self.bars))


def flame(doc):
    made, left = Flame(), 0.0
    whole = doc["seconds"]
    made.bar(0, 1, 0, doc["program"], "%s: %s" % (doc["program"], text.seconds(whole)))
    regions = [row for row in doc["regions"] if row["size"]]
    factor = min(1.0, whole / max(sum(row["size"] for row in regions), 1e-12)) if regions else 1.0
    for row in regions:
        width = factor * row["size"] / whole
        made.row(row, left, width, 1)
        left += width
    if doc["serial"]:
        made.bar(left, min(1 - left, doc["serial"] / whole), 1, "outside regions",
                 "outside regions: " + text.seconds(doc["serial"]), "work")
    return made.page()


def line(member, whole):
    """A member's time line: in each moment, what part it had of each state."""
    width = member["line"]["width"]
    paths = dict.fromkeys(STATES, "")
    for i, (*shares, _) in enumerate(member["line"]["bins"]):
        x = LINE_WIDTH * i * width / whole
        w = min(LINE_WIDTH * width / whole, LINE_WIDTH - x)
        y = float(LINE_HEIGHT)
        for state, share in zip(STATES, shares):
            h = min(share, 1.0) * LINE_HEIGHT
            if h > 0.05 and w > 0:
                paths[state] += "M%.1f %.1fh%.2fv-%.1fh-%.2fz" % (x, y, w + 0.1, h, w + 0.1)
                y -= h
    drawn = "".join('<path class="%s" d="%s"/>' % item for item in paths.items() if item[1])
    return ('<div class="line"><b>member %d</b><svg viewBox="0 0 %d %d" preserveAspectRatio="none">'
            "<title>member %d: %s</title>%s</svg></div>" % (
                member["number"], LINE_WIDTH, LINE_HEIGHT, member["number"],
                ", ".join("%s %s" % (WORDS[s], text.seconds(member[s])) for s in STATES), drawn))


def shares(row):
    """The members' times in a region, the longest bar is the member with the most."""
    members = list(row["members"].items())[:MOST_MEMBERS]
    longest = max((sum(times[s] for s in STATES[:3]) for _, times in members), default=0)
    if longest <= 0:
        return ""
    lines = ["<h3>%s</h3><p class=note>imbalance %s %%</p>" % (
        esc(row["where"]), text.percent(row["imbalance"], 1))]
    for number, times in members:
        bars = "".join('<i class="%s" style="width:%.2f%%" title="%s %s"></i>' % (
            s, 100 * times[s] / longest, WORDS[s], text.seconds(times[s])) for s in STATES[:3])
        lines.append('<div class="line"><b>member %s</b><span class="share">%s</span></div>' % (
            number, bars))
    return "".join(lines)


def events(doc):
    names = [event["name"] for event in doc["events"]]
    if not names:
        return ""
    rows = [(row["events"], row["where"]) for row, _ in text.all_regions(doc["regions"])]
    rows = rows[:4 * MOST_REGIONS] + [(doc["serial_events"], "outside regions")]
    head = "".join("<th>%s</th>" % esc(name) for name in names)
    body = "".join("<tr>%s<td>%s</td></tr>" % (
        "".join("<td>%s</td>" % esc(text.event_text(found[name])) for name in names), esc(where))
        for found, where in rows)
    return ("<h2>Events of the members' work</h2><table class=events><tr>%s<th>region</th></tr>%s"
            "</table><p class=note>-: not measured. ~: from a part of the work, scaled by time. "
            "*: shared a counter with others.</p>" % (head, body))


def simulated_table(simulated):
    names = simulated["events"]
    head = "".join("<th>%s</th>" % esc(name) for name in names)
    body = "".join("<tr>%s<td>%s</td></tr>" % (
        "".join("<td>%s</td>" % text.number(row["events"][name]) for name in names),
        esc(row["where"])) for row in simulated["rows"])
    return ("<h2>Cache figures, SIMULATED by valgrind</h2><table class=simulated><tr>%s<th>region"
            "</th></tr>%s</table>" % (head, body))


def process(doc):
    members = doc["members"][:MOST_MEMBERS]
    rows = [row for row, _ in text.all_regions(doc["regions"])][:MOST_REGIONS]
    return "".join([
        "<h1>%s</h1>" % esc(doc["program"]),
        "".join("<p>%s</p>" % esc(part) for part in text.heading(doc)[1:]),
        "".join('<p class=note>not counted: %s</p>' % esc(why) for why in doc["why"]),
        '<p class=key>%s</p>' % "".join('<span class="%s"></span>%s' % (s, WORDS[s])
                                        for s in STATES),
        "<h2>Regions</h2>", flame(doc),
        "<h2>Members</h2>", "".join(line(member, doc["seconds"]) for member in members),
        "<h2>Balance</h2>", "".join(map(shares, rows)), events(doc)])


def page(docs, simulated=None):
    """The text of the page."""
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>nanogomp profile: %s'
            '</title><meta name="viewport" content="width=device-width"><style>%s</style></head>'
            "<body>%s%s</body></html>\n" % (
                esc(docs[0]["program"].rpartition("/")[2]), STYLE, "".join(map(process, docs)),
                simulated_table(simulated) if simulated else ""))
