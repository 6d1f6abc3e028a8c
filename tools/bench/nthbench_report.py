# nthbench_report.py - from rounds to ratios: statistics, table, JSON and plot.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bar of a row is the median over the rounds of ours / peer, each ratio from one round. A time-
out counts as endless: ratio 0 against a peer that timed out, infinite where we did."""

import collections
import json
import math
import os
import sys

import nthbench_host as host

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from nanogomp_lib import output  # noqa: E402

LEAST_KEPT = 3      # rounds: the median of fewer is one of them, or between two, and no verdict
LINE_SPREAD = 0.25  # rounds whose line round trip is further from the median are dropped


def quantile(values, q):
    """Linear between ranks; an infinite neighbour is taken as it is."""
    values = sorted(values)
    place = q * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    if place == low or values[low] == values[high]:
        return values[low]
    if math.isinf(values[high]):
        return values[high]
    return values[low] + (values[high] - values[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


def as_number(value):
    """A measured value, inf for a time-out, None for a failure or nothing."""
    if isinstance(value, str):
        return math.inf if value == "timeout" else None
    return value


def keep_rounds(rounds):
    """(rounds near the median line round trip, number dropped)"""
    lines = [r["line"] for r in rounds if r.get("line") is not None]
    if not lines:
        return rounds, 0
    middle = sorted(lines)[(len(lines) - 1) // 2]  # one of them, so that some round is kept
    kept = [r for r in rounds
            if r.get("line") is None or abs(r["line"] - middle) <= LINE_SPREAD * middle]
    return kept, len(rounds) - len(kept)


def paired_ratios(rounds, ours, peer, figure=None):
    """Ours over the peer's, or over a figure that stands in for it."""
    ratios = []
    for entry in rounds:
        mine = as_number(entry["values"].get(ours))
        theirs = as_number(entry["values"].get(peer)) if figure is None else figure
        if mine is None or theirs is None or (math.isinf(mine) and math.isinf(theirs)):
            continue
        if math.isinf(theirs) or theirs <= 0:
            # nothing burnt at all (CPU time rows): equal if we burnt nothing either
            ratios.append(0.0 if math.isinf(theirs) else (1.0 if mine <= 0 else math.inf))
        else:
            ratios.append(mine / theirs)
    return ratios


def candidates(row, ours, measured):
    """The peers that count: those of the first alternative of which one was measured."""
    for names in row.alternatives():
        if names == ["best"]:
            present = [m for m in measured if m != ours and not host.is_twin(m)]
        else:
            present = [n for n in names if n in measured and n != ours]
        if present:
            return present
    return []


def middle_of(rounds, name):
    """The median value of a runtime, in which a time-out counts as endless, or the text of its
    trouble."""
    values = [entry["values"][name] for entry in rounds if name in entry["values"]]
    failures = [v for v in values if as_number(v) is None]
    numbers = [as_number(v) for v in values if as_number(v) is not None]
    if len(numbers) > len(failures):
        middle = median(numbers)
        return "timeout" if math.isinf(middle) else middle
    return failures[0] if failures else None


def failures_of(rounds, ours):
    """"7 x exit 3, 1 x no value": how ours failed in any round, or None. A time-out is no failure:
    it counts as endless."""
    texts = [r["values"].get(name) for r in rounds for name in (ours, host.OTHER_ROW)]
    counts = collections.Counter(t for t in texts if isinstance(t, str) and t != "timeout")
    return ", ".join("%d x %s" % (n, text) for text, n in counts.items()) or None


def judge(row, ours, cpus, threads):
    """Everything the table and the JSON say about a row."""
    rounds, dropped = keep_rounds(row.rounds)
    measured = list(dict.fromkeys(n for r in rounds for n in r["values"]))
    result = {"kept": len(rounds), "dropped": dropped, "peer": None, "ratio": None,
              "quartiles": None, "values": {n: middle_of(rounds, n) for n in measured},
              "speedup": None, "state": "-", "few": False,
              "failures": failures_of(row.rounds, ours)}
    lines = [r["line"] for r in rounds if r["line"] is not None]
    result["line"] = median(lines) if lines else None
    if ours not in measured:
        return result
    if isinstance(result["values"][ours], str):
        result["state"] = "short"
        return result
    # The best peer is the one that our paired ratio looks worst against.
    for peer in candidates(row, ours, measured) if row.figure is None else [row.peers]:
        ratios = paired_ratios(rounds, ours, peer, row.figure)
        if ratios and (result["ratio"] is None or median(ratios) > result["ratio"]):
            result.update(peer=peer, ratio=median(ratios),
                          quartiles=[quantile(ratios, 0.25), quantile(ratios, 0.75)])
    speedups = [r["speedups"][ours] for r in rounds if ours in r["speedups"]]
    enough = True
    if speedups:
        result["speedup"] = median(speedups)
        result["speedup_goal"] = row.efficiency and row.efficiency * min(threads, cpus)
        enough = not row.efficiency or result["speedup"] >= result["speedup_goal"]
    if row.goal is not None and result["ratio"] is not None:
        result["state"] = "ok" if result["ratio"] <= row.goal and enough else "short"
        if result["state"] == "ok" and row.aim is not None and row.aim < row.goal:
            result["state"] = "ok, aim met" if result["ratio"] <= row.aim else "ok"
    if result["state"] != "-" and len(rounds) < LEAST_KEPT:
        result.update(state="-", few=True)
    if result["failures"]:  # however seldom
        result["state"] = "short"
    return result


# Text


def show(value, unit):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    steps = [(1, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")]
    if unit == "bytes":
        steps = [(1, "B"), (1024, "KiB"), (1024 ** 2, "MiB")]
    for (scale, name), (above, _) in zip(steps, [*steps[1:], (math.inf, "")]):
        number = ("%.3g" if abs(value / scale) < 999.5 else "%.0f") % (value / scale)
        if abs(float(number)) * scale < above:  # as it is shown: 999.7 ns are 1 us
            break
    return "%s %s" % (number, name)


def show_ratio(value):
    return "-" if value is None else "%.2f" % value if value < 100 else "%.3g" % value


def show_rounds(kept, all_rounds):
    return "%d" % kept + ("-%d" % (all_rounds - kept) if kept < all_rounds else "")


def layout(lines):
    """Columns to their widths: the first and the last to the left, the rest to the right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    last = len(widths) - 1
    return "\n".join("  ".join(
        cell.ljust(width) if i in (0, last) else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def peer_columns(results, ours):
    names = list(dict.fromkeys(n for r in results for n in r["values"] if n != ours))
    return sorted(names, key=lambda n: (n == host.OTHER_ROW, host.is_twin(n)))


def table(rows, results, ours):
    peers = peer_columns(results, ours)
    head = ["row"] + ([ours] if ours else []) + peers
    if ours:
        head += ["ratio", "quartiles", "to", "goal", "aim"]
    lines = [head + ["line ns", "rounds", "state" if ours else ""]]
    for row, result in zip(rows, results):
        cells = [row.name] + [show(result["values"].get(n), row.unit)
                              for n in ([ours] if ours else []) + peers]
        if ours:
            low_high = result["quartiles"]
            cells += [show_ratio(result["ratio"]),
                      "%s..%s" % tuple(map(show_ratio, low_high)) if low_high else "-",
                      result["peer"] or "-", show_ratio(row.goal), show_ratio(row.aim)]
        state = result["state"] if ours else ""
        if result["speedup"] is not None:
            state += " (speed-up %.2f" % result["speedup"]
            goal = result.get("speedup_goal")
            state += " of %.2f wanted)" % goal if goal else ")"
        if ours and result["few"]:
            state += " (no verdict on %d kept)" % result["kept"]
        if ours and result["failures"]:
            state += " (%s)" % result["failures"]
        cells += ["-" if result["line"] is None else "%.0f" % result["line"],
                  show_rounds(result["kept"], result["kept"] + result["dropped"]),
                  state]
        lines.append(cells)
    return layout(lines)


def heading(machine, options, runtimes):
    share = machine["others_at_start"]
    load = "%.2f %.2f %.2f" % tuple(machine["load_average"])
    lines = [
        "machine   %s, %d CPUs, Linux %s" % (machine["cpu"], machine["cores"], machine["kernel"]),
        "date      %s" % machine["date"],
        "measured  %d threads on CPUs %s, %s" % (
            options["threads"], ",".join(map(str, machine["cpus"])),
            "LOADED with %d busy process(es)" % options["loaded"] if options["loaded"]
            else "no load of our own"),
        "load      average %s; before the start others used %.0f %% of these CPUs: %s" % (
            load, 100 * share, "idle" if share < 0.1 else "NOT IDLE"),
    ]
    if "others" in machine:
        lines.append("          during the run others used %.0f %%%s" % (
            100 * machine["others"],
            "" if machine["others"] < 0.1 else ": take the figures with care"))
    for runtime in runtimes:
        settings = " ".join("%s=%s" % s for s in sorted(runtime.env.items()))
        lines.append("%s %s%s" % (runtime.name.ljust(max(9, *(len(r.name) for r in runtimes))),
                                  runtime.path, settings and " with " + settings))
    return "\n".join(lines)


def closing(rows, results):
    lines = [r["line"] for row in rows for r in row.rounds if r["line"] is not None]
    text = []
    if lines:
        text.append("line round trip: median %.0f ns, %.0f..%.0f ns" % (
            median(lines), min(lines), max(lines)))
    dropped = sum(r["dropped"] for r in results)
    if dropped:
        text.append("dropped: %d of %d row rounds, whose line round trip was more than %d %% off "
                    "the row's median (rounds column: kept-dropped)"
                    % (dropped, len(lines), 100 * LINE_SPREAD))
    states = [r["state"] for r in results]
    if any(s != "-" for s in states):
        text.append("%d ok, %d short, %d without a verdict" % (
            sum(s.startswith("ok") for s in states), states.count("short"), states.count("-")))
    return "\n".join(text)


def progress(text, lasting):
    """A line on stderr. One that does not last is shown on terminals only, until the next comes."""
    live = sys.stderr.isatty()
    if lasting:
        sys.stderr.write(("\r\x1b[K" if live else "") + text + "\n")
    elif live:
        sys.stderr.write("\r\x1b[K" + text[:(os.get_terminal_size(2).columns or 80) - 1])
    sys.stderr.flush()


# Files


def finite(value):
    """JSON has no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    return value


def write_json(path, document):
    with open(path, "w") as out:
        json.dump(finite(document), out, indent=1)
        out.write("\n")


def row_document(row, result):
    return {"row": row.name, "program": row.program, "sub": row.sub, "threads": row.threads,
            "env": row.env, "unit": row.unit, "peers": row.peers, "goal": row.goal,
            "aim": row.aim, "efficiency": row.efficiency, "result": result, "rounds": row.rounds}


def write_plot(path, rows, results, ours):
    """Ratios as bars, the goal as a mark. Returns None or why there is no plot."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return "no plot: Python finds no matplotlib"
    shown = [(row, r) for row, r in zip(rows, results)
             if r["ratio"] is not None and math.isfinite(r["ratio"])]
    if not shown:
        return "no plot: no ratios"
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.28 * len(shown)))
    places = range(len(shown))
    colours = ["tab:green" if r["state"].startswith("ok") else
               "tab:red" if r["state"] == "short" else "tab:grey" for _, r in shown]
    floor = 0.01  # the axis is logarithmic
    axes.barh(places, [max(floor, r["ratio"]) for _, r in shown], color=colours)
    for place, (row, _) in zip(places, shown):
        if row.goal is not None:
            axes.plot([row.goal, row.goal], [place - 0.4, place + 0.4], color="black", lw=1.5)
    axes.set_yticks(list(places))
    axes.set_yticklabels(["%s / %s" % (row.name, r["peer"]) for row, r in shown], fontsize=7)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="grey", lw=0.8, ls=":")
    axes.set_xlabel("%s / best peer (median of rounds; mark: goal)" % ours)
    figure.tight_layout()
    trouble = output.save_picture(figure, path)
    plt.close(figure)
    return trouble
