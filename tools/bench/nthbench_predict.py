# nthbench_predict.py - `nanogomp bench predict`: predicted times and orders against measured ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each case (nthbench_predict_cases.py) records and runs without the recorder take turns. What
is measured is kept at once, a file a case, so that a run that was broken off goes on where it was.
The costs of the model are those of this machine, measured before the first case.
The comparison is that of `nanogomp predict --check` (nanogomp_lib/predict_check.py)."""

import argparse
import fnmatch
import os
import sys

import nthbench_host as host
import nthbench_papers as papers
import nthbench_predict_cases as cases
import nthbench_predict_page as page
from papers import store

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from nanogomp_lib import library, predict, predict_check  # noqa: E402
from nanogomp_lib import predict_machine as machines  # noqa: E402
from nanogomp_lib import predict_record as recording  # noqa: E402
from nanogomp_lib import predict_trace as trace  # noqa: E402

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nanogomp")
COSTS = "costs"  # the file of the results' folder
PROCESSORS = 2
EVENTS = 16000000  # room; memory is taken as they come


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench predict",
        description="Compares what `nanogomp predict` says with measurements: kernels on one and "
                    "two processors, and the order of alternatives on two. Writes predicted.md; "
                    "keeps each case's result, and takes it next time if library and machine are "
                    "the same.",
        epilog="Exit status: 1 if a time is more than %d %% off or an order is wrong."
               % (100 * predict_check.TOLERANCE))
    add = parser.add_argument
    add("--only", default="*", metavar="GLOB,..", help="only these cases; --list shows them")
    add("--list", action="store_true", help="the cases, and end")
    add("--out", default="nanogomp-predicted", metavar="DIR", help="default %(default)s")
    add("--results", metavar="DIR", help="where results are kept; default DIR/results of --out")
    add("--markdown", metavar="FILE", help="default predicted.md of --out")
    add("--fresh", action="store_true", help="measure again what there is")
    add("--add", action="store_true", help="add rounds to what there is")
    add("--write", action="store_true", help="measure nothing, write the page from what there is")
    add("--costs", metavar="FILE",
        help="costs of this machine, as for nanogomp predict; default: measured first, and kept")
    add("--dir", metavar="DIR", help="where the built kernels are")
    return parser


def selected(globs):
    chosen = [c for c in cases.CASES
              if any(fnmatch.fnmatchcase(c.name, g) for g in globs.split(","))]
    if not chosen:
        raise host.BenchError("no case matches %s (see --list)" % globs)
    return chosen


def machine_of(options, session, lib, folder, anew):
    """Two processors with the costs of a given file or the kept ones; anew: these are measured."""
    path = options.costs or os.path.join(folder, COSTS)
    if not options.costs and (anew or not os.path.exists(path)):
        costs, origins = predict.bench_costs(TOOL, lib, ["--bench-dir", session.bench_dir])
        machine = machines.Machine(PROCESSORS, None, costs)
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(machines.show_costs(machine.costs, origins) + "\n")
        return machine
    return machines.Machine(PROCESSORS, None, machines.read_costs(path))


class Bench:
    """What the cases run with."""

    def __init__(self, options, session, folder, anew):
        ours = next(r for r in session.runtimes if r.name == host.OURS)
        self.kernels = papers.kernels_of(options.dir)
        self.lib = library.Library(os.path.dirname(ours.path))
        self.machine = machine_of(options, session, self.lib, folder, anew)
        self.lines = predict_check.Lines(session.line_round_trip,
                                         2 * self.machine.costs["line_near"])
        self.options = predict.parser().parse_args(["--events", str(EVENTS), "program"])

    def work(self, case, run):
        env = {"OMP_SCHEDULE": run.schedule} if run.schedule else {}
        command = [os.path.join(self.kernels, case.kernel), *case.words(run)]
        return predict_check.Work(command, env, run.outer or None)

    def round(self, case, number, tick):
        """{label: {"1": [predicted, measured, part of others], ...} or text of a trouble}; another
        alternative is the first one in each round."""
        entry, shift = {}, number % len(case.runs)
        for run in case.runs[shift:] + case.runs[:shift]:
            counts = [1, PROCESSORS] if run is case.runs[0] else [PROCESSORS]
            try:
                found = predict_check.sample(self.options, self.machine, self.lib,
                                             self.work(case, run), counts, self.lines)
                entry[run.label] = {str(n): values for n, values in found.items()}
            except (recording.CannotRecord, trace.BadRecord) as error:
                entry[run.label] = str(error)
            tick()
        return entry


def measure(session, options, chosen, folder):
    """Measures what is missing, and keeps it after each case."""
    keys = {c.name: store.key_of(c, session, host.OURS, None) for c in chosen}
    kept = {c.name: store.load(folder, c, keys[c.name]) for c in chosen}
    missing = [c for c in chosen if options.fresh or options.add or kept[c.name] is None]
    if not missing:
        return
    bench = Bench(options, session, folder, options.fresh or not any(kept.values()))
    progress = papers.Progress(sum(len(c.runs) for c in missing) * options.rounds)
    for c in missing:
        progress.name = c.name
        rounds = kept[c.name]["rounds"] if options.add and kept[c.name] else []
        rounds += [bench.round(c, n, progress.tick) for n in range(options.rounds)]
        store.save(folder, c, {"key": keys[c.name], "about": papers.about(session, host.OURS),
                               "rounds": rounds})
    if sys.stderr.isatty():
        sys.stderr.write("\n")


def write_page(options, folder):
    """(rows of all cases, path of the page)"""
    results = {c.name: store.load(folder, c) for c in cases.CASES}
    markdown = options.markdown or os.path.join(options.out, "predicted.md")
    os.makedirs(os.path.dirname(os.path.abspath(markdown)), exist_ok=True)
    costs = options.costs or os.path.join(folder, COSTS)
    costs = machines.read_costs(costs) if os.path.exists(costs) else {}
    rows = [page.Row(c, results[c.name]) for c in cases.CASES if results[c.name]]
    with open(markdown, "w", encoding="utf-8") as file:
        file.write(page.text(rows, costs))
    return rows, markdown
