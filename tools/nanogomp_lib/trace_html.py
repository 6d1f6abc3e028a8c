# trace_html.py - a trace as one page that any browser shows
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trace_page.html is the page; the data go into it. A page holds some 100000 pieces well. So pieces
of a long trace that are too short to be seen are put together. What they make has the name of what
took most of its time. The sums in the table are of the pieces as they were."""

import json
import os

from nanogomp_lib import trace_spans as spans

SUFFIX = ".html"
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace_page.html")
DATA = "/*DATA*/null"
MOST_PIECES = 150000


class _Row:
    """pieces: [begin, length, construct, place, how many pieces are in it, ...]. unit: ns; pieces
    that are shorter share one that is at least so long."""

    def __init__(self, number, unit):
        self.number, self.unit = number, unit
        self.pieces, self.totals = [], [0] * len(spans.CONSTRUCTS)
        self.short, self.begin, self.end, self.count = {}, 0, 0, 0

    def add(self, begin, end, construct, place):
        self.totals[construct] += end - begin
        if end - begin >= self.unit:
            self.flush()
            self.pieces += (begin, end - begin, construct, place, 1)
            return
        if not self.short:
            self.begin = begin
        self.short[construct, place] = self.short.get((construct, place), 0) + end - begin
        self.end = end
        self.count += 1
        if end - self.begin >= self.unit:
            self.flush()

    def flush(self):
        if self.short:
            construct, place = max(self.short, key=self.short.get)
            self.pieces += (self.begin, self.end - self.begin, construct, place, self.count)
            self.short, self.count = {}, 0


def data_of(source, most=MOST_PIECES):
    """What the page shows."""
    unit = source.end * len(source.rows) / most if source.events > most else 0
    rows = {row.number: _Row(row.number, unit) for row in source.rows}
    places = {0: 0}
    for record in source.records(spans.states, "html"):
        if record[2] == spans.STATE:
            begin, number, _, construct, key, end = record
            address = source.tasks.address(construct, key)
            rows[number].add(begin, end, construct, places.setdefault(address, len(places)))
    for row in rows.values():
        row.flush()
    return {"title": source.title, "pid": source.file.pid, "end": source.end,
            "events": source.events, "dropped": source.file.dropped, "unit": int(unit),
            "constructs": [list(construct) for construct in spans.CONSTRUCTS],
            "places": [source.site_name(address) for address in places],
            "rows": [{"name": source.row_name(row.number), "pieces": row.pieces,
                      "totals": row.totals} for row in rows.values()]}


def write(source, path):
    with open(PAGE, encoding="utf-8") as file:
        before, found, after = file.read().partition(DATA)
    assert found
    # "</script>" in a name would end the script
    text = json.dumps(data_of(source), separators=(",", ":")).replace("<", "\\u003c")
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(before + text + after)
    return [path]
