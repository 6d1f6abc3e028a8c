# figures_result.py - results/FAMILY.json: made from the files of nthbench.py, read, checked
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A result has no rounds, only what docs/figures.md shows: medians, ratios with their quartiles,
how many rounds were kept, the line round trip; and for all rows date, machine, commit, versions."""

import json
import os
import re

import nthbench_host as host
import nthbench_report as report

FOLDER = os.path.join(host.HERE, "results")


def path_of(family):
    return os.path.join(FOLDER, family + ".json")


# From a benchmark's file


def numbers(rounds):
    """Rounds as they were before JSON took their infinities."""
    return [dict(r, values={n: float(v) if v in ("inf", "-inf") else v
                            for n, v in r["values"].items()}) for r in rounds]


def measured_row(name, unit, rounds, ours):
    """What every kind of row has."""
    kept, dropped = report.keep_rounds(numbers(rounds))
    names = list(dict.fromkeys(n for r in kept for n, v in r["values"].items() if v is not None))
    ratios = {}
    for peer in names:
        paired = report.paired_ratios(kept, ours, peer) if peer != ours else []
        if paired:
            ratios[peer] = [report.quantile(paired, q) for q in (0.5, 0.25, 0.75)]
    lines = [r["line"] for r in kept if r.get("line") is not None]
    return {"row": name, "unit": unit, "values": {n: report.middle_of(kept, n) for n in names},
            "ratios": ratios, "kept": len(kept), "dropped": dropped,
            "line": report.median(lines) if lines else None}


def micro_row(row, ours, about):
    made = measured_row(row["row"], row["unit"], row["rounds"], ours)
    text = about.get(row["row"]) or about.get(row["sub"]) or ""
    if row["threads"] != "T":
        text += ", %s threads" % row["threads"]
    if row["env"].get("OMP_WAIT_POLICY"):
        text += ", policy " + row["env"]["OMP_WAIT_POLICY"]
    made.update(about=text, goal=row["goal"], goal_peer=row["result"]["peer"],
                goal_ratio=row["result"]["ratio"], state=row["result"]["state"],
                speedup=row["result"]["speedup"])
    return made


def counted_row(row, ours, document):
    """One of a family with several numbers of threads. Goals are meant for two."""
    made = measured_row(row["row"], row["unit"], row["rounds"], ours)
    made.update(row="%s@%d" % (row["row"], document["options"]["threads"]), of=row["row"],
                threads=document["options"]["threads"], policy=policy_of(document))
    made["row"] += ", passive" if made["policy"] else ""
    return made


def policy_of(document):
    """The wait policy that all runtimes of a call had, or ""."""
    found = re.findall(r":OMP_WAIT_POLICY=(\w+)", document["options"].get("runtimes") or "")
    return found[0] if found else ""


def whole_row(line, ours):
    """A line of `programs` or `kernels`."""
    made = measured_row(line["name"], "ns", line["rounds"], ours)
    made["regions"] = line["regions"]
    odd = {n: v for n, v in line["verdicts"].items() if v not in ("same", "reference")}
    made["output"] = ", ".join("%s: %s" % pair for pair in odd.items()) or "same"
    return made


def make(family, documents, about, draft, counts=False):
    """The result of a family, from the JSON of its calls, which one library and machine made.
    counts: the calls differ in their numbers of threads and policies."""
    first = documents[0]
    for document in documents:
        for key in ("commit", "ours"):
            if document[key] != first[key]:
                raise host.BenchError("%s changed between two calls: %s, %s"
                                      % (key, first[key], document[key]))
    runtimes = {}
    made = []
    for document in documents:
        ours = document["ours"]
        runtimes.update(document["runtimes"])
        made += [counted_row(r, ours, document) if counts else micro_row(r, ours, about)
                 for r in document.get("rows", ())]
        for mode in ("programs", "kernels"):
            made += [whole_row(line, ours) for line in document.get(mode, ())]
    machine = first["machine"]
    return report.finite({
        "family": family, "draft": draft, "date": machine["date"].split()[0],
        "commit": first["commit"], "ours": first["ours"],
        "machine": {"cpu": machine["cpu"], "cpus": machine["cores"],
                    "kernel": machine["kernel"],
                    "others": max(max(d["machine"]["others_at_start"],
                                      d["machine"].get("others", 0)) for d in documents)},
        "threads": sorted({d["options"]["threads"] for d in documents}) if counts
        else first["options"]["threads"], "rounds": first["options"]["rounds"],
        "runtimes": {n: r.get("version") for n, r in runtimes.items()}, "rows": made})


# Files


def write(result):
    """A line for each row, so that a change can be read in a diff."""
    os.makedirs(FOLDER, exist_ok=True)
    head = {k: v for k, v in result.items() if k != "rows"}
    lines = ["%s: %s" % (json.dumps(k), json.dumps(rounded(v))) for k, v in head.items()]
    made = ",\n  ".join(json.dumps(rounded(row)) for row in result["rows"])
    with open(path_of(result["family"]), "w", encoding="utf-8") as out:
        out.write("{\n %s,\n \"rows\": [\n  %s\n ]\n}\n" % (",\n ".join(lines), made))


def rounded(value):
    if isinstance(value, float):
        return float("%.4g" % value)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def read(family):
    """The result, or None where the family was not measured."""
    try:
        with open(path_of(family), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def lacks(result):
    """What a figure must not be without."""
    missing = [key for key in ("family", "date", "commit", "ours", "threads", "rounds", "runtimes",
                               "rows") if not result.get(key)]
    missing += ["machine.%s" % key for key in ("cpu", "cpus", "kernel")
                if not result.get("machine", {}).get(key)]
    missing += ["version of %s" % name for name, version in (result.get("runtimes") or {}).items()
                if not version]
    for row in result.get("rows") or ():
        missing += ["%s of %s" % (key, row.get("row")) for key in ("values", "kept", "line")
                    if not row.get(key)]
    return missing
