#!/usr/bin/env python3
# readme_table.py - the README's table of figures, from the JSON of `nanogomp bench --json`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: readme_table.py FILE.json                      prints the block
       readme_table.py FILE.json --write README.md    puts it between the marks of that file

Every measured row is in the block: the rows of --rows in a table, the others in a second one that
a reader has to open. A row that is short of its goal says so.
"""

import argparse
import fnmatch
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import nthbench_host as host  # noqa: E402
import nthbench_report as report  # noqa: E402

BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
PEERS = ("gomp", "iomp")
SHOWN = {"gomp": "libgomp", "iomp": "libiomp5", "omp": "libomp"}  # names in the table
FIRST = ("region,region-after-1ms,region-after-20ms,region-body-100us,region-1,region-sizes-2-3-4,"
         "region@8,barrier,barrier@8,single-nowait,for-reduction,critical,lock-alone,ordered,"
         "dynamic-1,guided,static-short,task-empty-one,task-0.9us,fib-27,nested-2x4,roots-8,"
         "fresh-root,start-up,peak-rss,idle-cpu,periodic-cpu,pair,beside-busy")


def number(value):
    """JSON has no infinity: the driver writes it as text."""
    return float(value) if isinstance(value, str) else value


def goal_cell(row, result):
    """What the row must not exceed and whether it does."""
    if row["goal"] is None or result["state"] == "-":
        return result.get("failures") or "-"
    text = "%s %s" % (report.show_ratio(row["goal"]),
                      "met" if result["state"].startswith("ok") else "**not met**")
    wanted = result.get("speedup_goal")
    if wanted:
        text += ", speed-up %.2f of %.2f" % (result["speedup"], wanted)
    if result.get("failures"):
        text += ", " + result["failures"]
    return text


def line_of(row, ours):
    result = row["result"]
    cells = [row["row"]]
    for name in [ours, *PEERS]:
        cells.append(report.show(result["values"].get(name), row["unit"]))
    ratio = "-"
    if result["ratio"] is not None:
        ratio = "%s (%s)" % (report.show_ratio(number(result["ratio"])),
                          SHOWN.get(result["peer"], result["peer"]))
    return "| %s |" % " | ".join(cells + [ratio, goal_cell(row, result)])


def table(rows, ours):
    head = ["row", ours] + [SHOWN[peer] for peer in PEERS] + ["ratio (to)", "goal"]
    lines = ["| %s |" % " | ".join(head), "|---" + "|---:" * (len(head) - 2) + "|---|"]
    return lines + [line_of(row, ours) for row in rows]


def footnote(rows):
    """[] or lines that tell what peers are that have no column."""
    lines = []
    for peer in dict.fromkeys(row["result"]["peer"] for row in rows):
        if peer and host.is_twin(peer):
            name = peer.rpartition("-")[0]
            lines += ["", "Of %s the ratio is to %s: %s under `%s`." % (
                ", ".join(row["row"] for row in rows if row["result"]["peer"] == peer), peer,
                SHOWN.get(name, name), host.twin_settings(peer))]
    return lines


def conditions(document):
    """Where and how it was measured, in a sentence or two."""
    machine, options = document["machine"], document["options"]
    trips = [row["result"]["line"] for row in document["rows"] if row["result"]["line"] is not None]
    text = "%s, %d CPUs, Linux %s, %s; %d threads, rounds: %d at most." % (
        machine["cpu"], machine["cores"], machine["kernel"], machine["date"].split()[0],
        options["threads"], options["rounds"])
    if trips:
        text += " A cache line's round trip took %.0f ns (median)." % report.median(trips)
    if options.get("loaded"):
        text += " Beside %d busy processes." % options["loaded"]
    elif max(machine["others_at_start"], machine.get("others", 0)) >= 0.1:
        text += " **The machine was not idle.**"
    return text


def block(document, patterns):
    ours, rows = document["ours"], document["rows"]
    if ours is None:
        sys.exit("readme_table: the file compares no library with the others")
    chosen = [r for r in rows if any(fnmatch.fnmatchcase(r["row"], p) for p in patterns)]
    rest = [r for r in rows if r not in chosen]
    states = [r["result"]["state"] for r in rows]
    met = sum(s.startswith("ok") for s in states)
    lines = [conditions(document),
             "Goals met: %d of %d rows that have one and were compared." % (
                 met, met + states.count("short")), ""]
    lines += table(chosen, ours) + footnote(chosen)
    if rest:
        lines += ["", "<details><summary>The other %d rows</summary>" % len(rest), ""]
        lines += table(rest, ours) + footnote(rest) + ["", "</details>"]
    return "\n".join(lines)


def put(path, text):
    """Replaces what stands between the marks."""
    old = path.read_text(encoding="utf-8")
    before, begin, rest = old.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit("readme_table: %s has no lines %s and %s" % (path, BEGIN, END))
    path.write_text("".join((before, begin, text, "\n", end, after)), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=pathlib.Path, metavar="FILE.json")
    parser.add_argument("--rows", default=FIRST, metavar="GLOB,..", help="rows of the first table")
    parser.add_argument("--write", type=pathlib.Path, metavar="README.md", help="file to change")
    options = parser.parse_args()
    document = json.loads(options.json.read_text(encoding="utf-8"))
    text = block(document, options.rows.split(","))
    if options.write:
        put(options.write, text)
    else:
        print("\n".join((BEGIN, text, END)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
