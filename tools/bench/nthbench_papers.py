# nthbench_papers.py - `nanogomp bench papers`: runs the papers' experiments, writes the page
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured is kept at once, an experiment a file, so that a run that was broken off goes on
where it was. The experiments are in the folder `papers` beside this file."""

import argparse
import fnmatch
import os
import sys
import time

import nthbench_host as host
import nthbench_programs as programs
from papers import batches, forkjoin, lab, nanothreads, page, pools, store, tholder

# The results behind docs/papers.md
KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results", "papers")
EXPERIMENTS = (nanothreads.EXPERIMENTS + forkjoin.EXPERIMENTS + pools.EXPERIMENTS
               + batches.EXPERIMENTS + tholder.EXPERIMENTS)


def parser_of():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench papers",
        description="The experiments of the five papers behind nanogomp, beside what the papers "
                    "found. Writes papers.md, papers.html and the plots; keeps each experiment's "
                    "result, and takes it next time if library and machine are the same.")
    add = parser.add_argument
    add("--only", default="*", metavar="GLOB,..", help="only these experiments; --list shows them")
    add("--list", action="store_true", help="the experiments, and end")
    add("--out", default="nanogomp-papers", metavar="DIR", help="default %(default)s")
    add("--results", metavar="DIR", help="where results are kept; default DIR/results of --out")
    add("--markdown", metavar="FILE", help="default papers.md of --out")
    add("--fresh", action="store_true", help="measure again what there is")
    add("--write", action="store_true", help="measure nothing, write the pages from what there is")
    add("--dir", metavar="DIR", help="where the built kernels are")
    return parser


def selected(globs):
    chosen = [e for e in EXPERIMENTS
              if any(fnmatch.fnmatchcase(e.name, g) for g in globs.split(","))]
    if not chosen:
        raise host.BenchError("no experiment matches %s (see --list)" % globs)
    return chosen


def kernels_of(folder):
    for where in programs.kernel_folders(folder):
        if programs.is_program(os.path.join(where, "nth_empty")):
            return os.path.abspath(where)
    raise host.BenchError("no built kernels found; build the project or give --dir")


class Progress:
    """A line on stderr: how many processes have run, and how long the rest will take."""

    def __init__(self, processes):
        self.all, self.done, self.begin = processes, 0, time.monotonic()
        self.name = ""

    def tick(self):
        self.done += 1
        took = time.monotonic() - self.begin
        left = took / self.done * (self.all - self.done)
        tail = "\r" if sys.stderr.isatty() else "\n"
        if sys.stderr.isatty() or self.done % 25 == 0 or self.done == self.all:
            sys.stderr.write("[%d/%d processes, about %d min %02d s left] %-28s%s" % (
                self.done, self.all, left // 60, left % 60, self.name, tail))
            sys.stderr.flush()


def about(session, ours):
    facts = session.machine
    return {"cpu": facts["cpu"], "cpus": len(session.cpus), "kernel": facts["kernel"],
            "date": facts["date"], "others_at_start": facts["others_at_start"],
            "commit": session.identities[ours].get("commit"),
            "runtimes": {name: i.get("version") for name, i in session.identities.items()}}


def measure(session, options, experiments, folder):
    """Measures what is missing, and keeps it. KeyboardInterrupt: what is done is kept."""
    bench = lab.Lab(session, kernels_of(options.dir))
    keys = {e.name: store.key_of(e, session, host.OURS, options.rounds) for e in experiments}
    missing = [e for e in experiments
               if options.fresh or store.load(folder, e, keys[e.name]) is None]
    progress = Progress(sum(bench.processes(e, options.rounds) for e in missing))
    for e in missing:
        progress.name = e.name
        rounds = bench.rounds(e, options.rounds, progress.tick)
        store.save(folder, e, {"key": keys[e.name], "about": about(session, host.OURS),
                               "rounds": rounds})
    if sys.stderr.isatty() and missing:
        sys.stderr.write("\n")


def write_pages(options, folder, say):
    """The pages of all experiments, whatever was measured now."""
    results = {e.name: store.load(folder, e) for e in EXPERIMENTS}
    markdown = options.markdown or os.path.join(options.out, "papers.md")
    os.makedirs(os.path.dirname(os.path.abspath(markdown)), exist_ok=True)
    pyplot = page.plotter(host.site_packages(options.venv))
    if not pyplot:
        say("no plots: Python finds no matplotlib")
    html = None if options.markdown else os.path.join(options.out, "papers.html")
    page.write(markdown, html, EXPERIMENTS, results, pyplot)
    return results, [path for path in (markdown, html) if path]
