# figures_text.py - docs/figures.md and the README's table, as text made from results
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
import re
import textwrap

import nthbench_report as report

NAMES = {"gomp": "libgomp", "iomp": "libiomp5", "omp": "libomp"}
ORDER = ["gomp", "iomp", "omp"]
SLOWER = 1.02  # a ratio within 2 % says nothing: so far do two runs of the same library differ
IDLE = 0.1     # others may have used this share of the CPUs
WIDTH = 100    # of a line of prose

HEAD = """# Figures

This page is written by `tools/bench/figures.py write`, from the files in
[tools/bench/results](../tools/bench/README.md#figures); a test fails when it is not. Each table
names the date, the machine and the commit of the library that was measured.

- All runtimes run the same binaries, which gcc compiled, in turn and on the same CPUs. Rounds in
  which a cache line took unusually long to the other CPU and back are dropped
  ([how it is measured](../tools/bench/README.md)).
- *Times* are medians, for orientation: on a virtual machine they drift by half. *Ratio* is our time
  over that of the fastest other runtime in the row, the median of ratios taken within a round, with
  its quartiles; below 1 nanogomp is faster.
- A row counts as slower if its ratio is above %.2f and its lower quartile above 1. *Speed-up* is
  over the same work on one thread.
- *libgomp, passive* is libgomp under `OMP_WAIT_POLICY=passive`, *active* likewise.
""" % SLOWER


def name_of(runtime):
    base, dash, twin = runtime.partition("-")
    return NAMES.get(base, base) + (", " + twin if dash else "")


def number(value):
    return float(value) if isinstance(value, str) else value


def show_cell(value, unit):
    return report.show(value, unit)


def ratio_text(value):
    """A peer, or we, may have been over the time limit."""
    return "endless" if value is not None and math.isinf(value) else report.show_ratio(value)


def best(row):
    """(peer, ratio, lower, upper quartile) of the peer we look worst against, or None."""
    ratios = [(number(r[0]), peer, number(r[1]), number(r[2])) for peer, r in row["ratios"].items()]
    if not ratios:
        return None
    ratio, peer, low, high = max(ratios)
    return peer, ratio, low, high


def is_slower(row):
    found = best(row)
    return bool(found) and found[1] > SLOWER and found[2] > 1


def show_ratio(row):
    found = best(row)
    if not found:
        return "-"
    peer, ratio, low, high = found
    text = "**%s**" if is_slower(row) else "%s"
    return text % ratio_text(ratio) + " (%s to %s), %s" % (
        ratio_text(low), ratio_text(high), name_of(peer))


def columns(result):
    """The peers of the table: runtimes first, then the same with a setting."""
    names = list(dict.fromkeys(n for row in result["rows"] for n in row["values"]
                               if n != result["ours"]))
    return sorted(names, key=lambda n: ("-" in n, ORDER.index(n) if n in ORDER else 9))


def cells_of(row, result, peers):
    return [show_cell(row["values"].get(n), row["unit"]) for n in [result["ours"], *peers]]


def table(result):
    """Markdown; columns that no row fills are left out."""
    peers, rows = columns(result), result["rows"]
    about = any(row.get("about") for row in rows)
    speedups = any(row.get("speedup") for row in rows)
    whole = any("output" in row for row in rows)
    head = ["row"] + ["what"] * about + [result["ours"], *map(name_of, peers)]
    head += ["ratio, quartiles, to"] + ["speed-up"] * speedups
    head += ["regions", "output"] * whole + ["rounds"]
    rule = ["---"] * (1 + about) + ["---:"] * (1 + len(peers)) + ["---"]
    rule += ["---:"] * speedups + ["---:", "---"] * whole + ["---:"]
    lines = ["| %s |" % " | ".join(head), "|%s|" % "|".join(rule)]
    for row in rows:
        cells = [row["row"]] + [row.get("about", "")] * about
        cells += cells_of(row, result, peers) + [show_ratio(row)]
        if speedups:
            cells.append("%.2f" % row["speedup"] if row.get("speedup") else "")
        if whole:
            cells += [str(row.get("regions") or "-"), row.get("output", "")]
        cells.append(report.show_rounds(row["kept"], row["kept"] + row["dropped"]))
        lines.append("| %s |" % " | ".join(cells))
    return lines


def counts_table(result):
    """Markdown: a line for each row, a column for each number of threads and policy."""
    rows = result["rows"]
    columns = list(dict.fromkeys((row["policy"], row["threads"]) for row in rows))
    found = {(row["of"], row["policy"], row["threads"]): row for row in rows}
    head = ["row"] + [("%s, " % policy if policy else "") + "%d" % n for policy, n in columns]
    lines = ["| %s |" % " | ".join(head), "|---|%s|" % "|".join(["---:"] * len(columns))]
    for name in dict.fromkeys(row["of"] for row in rows):
        cells = [show_counted(found.get((name, *column))) for column in columns]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return lines


def show_counted(row):
    """The ratio alone."""
    text = ratio_text(best(row)[1]) if row and best(row) else "-"
    return "**%s**" % text if row and is_slower(row) else text


def prose(text):
    return textwrap.wrap(" ".join(text.split()), WIDTH, break_long_words=False,
                         break_on_hyphens=False)


def where(result):
    """Date, machine, commit."""
    machine = result["machine"]
    return "%s, %s, %d CPUs, Linux %s, commit `%s`" % (
        result["date"], machine["cpu"], machine["cpus"], machine["kernel"], result["commit"])


def line_of(result):
    lines = [row["line"] for row in result["rows"] if row["line"] is not None]
    return report.median(lines) if lines else None


def conditions(result):
    versions = ", ".join("%s %s" % (name_of(n), "(%s)" % v if " " in v else v)
                         for n, v in result["runtimes"].items())
    threads = result["threads"]
    text = "%s. %s. %s threads, rounds: %d. A cache line's round trip took %.0f ns." % (
        where(result), versions, ", ".join(map(str, threads)) if isinstance(threads, list)
        else threads, result["rounds"], line_of(result) or 0)
    others = result["machine"]["others"]
    if others >= IDLE:
        text += " **Others used %.0f %% of the CPUs.**" % (100 * others)
    if result["draft"]:
        text = "**Draft: a short run on a busy machine, to be measured again.** " + text
    return text


def slower_rows(result):
    """[(ratio, "row 1.37")], the worst first"""
    found = [(best(row)[1], "%s %s" % (row["row"], ratio_text(best(row)[1])))
             for row in result["rows"] if is_slower(row)]
    return sorted(found, reverse=True)


def goals_missed(result):
    return ["%s %s (%s)" % (row["row"], ratio_text(number(row["goal_ratio"]))
                            if row["goal_ratio"] is not None else row["state"],
                            report.show_ratio(row["goal"]))
            for row in result["rows"] if row.get("state") == "short"]


def family_text(family, result):
    lines = ["", "## " + family.title, "", *prose(family.intro), "", *prose(conditions(result)),
             "", *(counts_table if family.counts else table)(result), ""]
    slower = slower_rows(result)
    lines += prose("Slower than the fastest other runtime: %s." % (
        ", ".join(text for _, text in slower) or "none"))
    missed = goals_missed(result)
    if any(row.get("goal") is not None for row in result["rows"]):
        lines.append("")
        lines += prose("Short of the project's own goals ([goals.tsv](../tools/bench/goals.tsv)), "
                       "ratio and goal: %s." % (", ".join(missed) or "none"))
    lines += ["", "Measured by `tools/bench/figures.py measure %s`." % family.name]
    return lines


def document(families, results):
    """docs/figures.md"""
    lines = HEAD.splitlines()
    for family in families:
        if results.get(family.name):
            lines += family_text(family, results[family.name])
    return "\n".join(lines) + "\n"


# README


def machines(results):
    """Each date and machine once, with the commits measured there."""
    found = {}
    for result in results:
        place, commit = where(result).split(", commit ")
        found.setdefault(place, set()).add(commit)
    texts = []
    for place, commits in sorted(found.items()):
        word = "commits" if len(commits) > 1 else "commit"
        texts.append("%s, %s %s" % (place, word, ", ".join(sorted(commits))))
    return "; ".join(texts)


def eight_text(eight, results):
    """The README's table, without its marks."""
    lines = ["| | nanogomp | libgomp | libiomp5 | libomp | ratio to the fastest other |",
             "|---|---:|---:|---:|---:|---|"]
    used = []
    for family, name, title in eight:
        result = results.get(family)
        row = next((r for r in result["rows"] if r["row"] == name), None) if result else None
        if row is None:
            lines.append("| %s | not measured | | | | |" % title)
            continue
        used.append(result)
        found = best(row)
        ratio = "%s (%s)" % (ratio_text(found[1]), name_of(found[0])) if found else "-"
        lines.append("| %s | %s | %s |" % (
            title, " | ".join(cells_of(row, result, ORDER)), ratio))
    note = "*libgomp, passive* is libgomp under `OMP_WAIT_POLICY=passive`. " \
        if any("passive" in line for line in lines) else ""
    shown = [r for r in results.values() if r]
    slower = sorted((pair for r in shown for pair in slower_rows(r)), reverse=True)
    count = sum(1 for r in shown for row in r["rows"] if best(row))
    text = note + "%s%s. Of the %d rows in [docs/figures.md](docs/figures.md) nanogomp is " \
        "slower than the fastest of the others in %d" % (
            "**Draft, to be measured again.** " if any(r["draft"] for r in used) else "",
            machines(used), count, len(slower))
    if slower:
        text += ", at worst: " + ", ".join(t for _, t in slower[:5])
    return "\n".join(lines + [""] + prose(text + "."))


def between(text, begin, end, new):
    """`text` with `new` between its marks, or None where they are missing."""
    pattern = re.compile(re.escape(begin) + "\n.*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(text)) != 1:
        return None
    return pattern.sub(lambda _: "%s\n%s\n%s" % (begin, new, end), text)
