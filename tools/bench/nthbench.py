#!/usr/bin/env python3
# nthbench.py - `nanogomp bench`: compares OpenMP runtimes under the same programs, interleaved.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entry: main(argv) -> exit status. See README.md beside this file."""

import argparse
import contextlib
import functools
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import nthbench_allow as allow  # noqa: E402
import nthbench_fork as fork  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_identity as identity  # noqa: E402
import nthbench_levels as levels  # noqa: E402
import nthbench_option as option  # noqa: E402
import nthbench_papers as papers  # noqa: E402
import nthbench_predict as predict  # noqa: E402
import nthbench_programs as programs  # noqa: E402
import nthbench_report as report  # noqa: E402
import nthbench_rows as rows_module  # noqa: E402
import nthbench_share as share  # noqa: E402
import nthbench_stencil as stencil  # noqa: E402

from nanogomp_lib import output  # noqa: E402  (nthbench_option set the path)

BROKEN_OFF = 130  # 128 + SIGINT, as shells have it
DEFAULT_ROUNDS = {"micro": 15, "programs": 7, "kernels": 7, "levels": 5, "fork": 5,
                  "papers": 5, "predict": 3, "stencil": 5, "allow": 3,
                  "share": 3}
FAMILIES = {"stencil": stencil, "allow": allow, "share": share}


def say(text):
    sys.stderr.write("nanogomp bench: %s\n" % text)


def common_options(parser, mode):
    add = parser.add_argument
    add("--rounds", type=option.positive, default=DEFAULT_ROUNDS[mode], help="default %(default)s")
    add("--runtimes", metavar="NAME[=[PATH][:VAR=VALUE]],..",
        help="default: nanogomp,gomp,iomp,omp as far as found; the one called nanogomp, else the "
             "first, is compared with the others")
    add("--lib", metavar="PATH", help="our library, or the folder it is in")
    add("--venv", metavar="DIR", help="a Python venv with intel-openmp (libiomp5.so)")
    add("--threads", type=option.positive, default=2, help="OMP_NUM_THREADS, default %(default)s")
    add("--cpus", metavar="LIST", help="CPUs to run on; default as many as threads")
    add("--loaded", type=option.positive, nargs="?", const=1, default=0, metavar="N",
        help="beside N busy processes on the same CPUs (1)")
    add("--limit", type=float, default=60 if mode in ("micro", "levels", "fork") else 600,
        metavar="S", help="seconds a process may take, then `timeout`; default %(default)s")
    if mode not in ("papers", "predict"):  # they keep results, a file each
        add("--json", metavar="FILE", type=option.writable, help="everything, for other tools")
    add("--bench-dir", metavar="DIR", help="where the benchmark programs are")
    if mode in ("micro", "fork"):
        add("--verbose", action="store_true", help="a progress line for each row")


def micro_parser():
    parser = argparse.ArgumentParser(
        prog="nanogomp bench", description="Micro-benchmarks of OpenMP runtimes, interleaved.",
        epilog="further modes, each with --help: nanogomp bench programs, kernels, levels, fork, "
               "papers, predict, mpi, members, stencil, allow, share")
    common_options(parser, "micro")
    parser.add_argument("--rows", metavar="GLOB,..", help="only these rows; --list shows them")
    parser.add_argument("--list", action="store_true", help="the rows with goals, and end")
    parser.add_argument("--against", metavar="NAME",
                        help="compare every row with this one of --runtimes, without goals")
    parser.add_argument("--goals", metavar="FILE", help="another table of rows")
    parser.add_argument("--budget", type=float, default=120, metavar="S",
                        help="seconds for all rounds of one row; slow rows get fewer rounds, at "
                             "least %d; default %%(default)s" % rows_module.MIN_ROUNDS)
    parser.add_argument("--plot", metavar="FILE", type=option.writable,
                        help="ratios as a picture (needs matplotlib)")
    parser.add_argument("--strict", action="store_true",
                        help="exit status 1 if a row is short, or has "
                        "too few rounds for a verdict (less than %d)" % report.LEAST_KEPT)
    return parser


@contextlib.contextmanager
def session_of(options):
    """Runtimes found and checked, ourselves on the chosen CPUs, the load started."""
    bench_dir = host.find_bench_dir(options.bench_dir)
    runtimes = host.find_runtimes(options.runtimes, options.lib, options.venv, say)
    allowed = os.sched_getaffinity(0)
    cpus = host.choose_cpus(options.cpus, options.threads)
    if len(cpus) < options.threads:
        say("%d threads share %d CPU(s)" % (options.threads, len(cpus)))
    with tempfile.TemporaryDirectory(prefix="nthbench-") as folder:
        for runtime in runtimes:
            runtime.prepare(folder)
        host.verify_runtimes(runtimes, bench_dir)
        os.sched_setaffinity(0, cpus)  # inherited by all that is run
        session = rows_module.Session(bench_dir, runtimes, options.threads, cpus, options.limit)
        session.identities = {r.name: identity.identity(r) for r in runtimes}
        session.machine = host.machine_facts(cpus)
        watch = host.CpuWatch(cpus)
        try:
            with rows_module.Busy(session, options.loaded):
                yield session
                if not options.loaded:
                    session.machine["others"] = watch.others()
        finally:
            os.sched_setaffinity(0, allowed)


def status_of(session, status):
    """The exit status; what was broken off shows its part of a table and is no success."""
    return BROKEN_OFF if session.broken else status


def ours_among(runtimes, explicit):
    """The name of the runtime to compare with the rest, or None."""
    names = [r.name for r in runtimes]
    if host.OURS in names:
        return host.OURS
    return names[0] if explicit else None


def document(session, options, ours):
    """What every JSON file begins with: no figure without its machine, date and commit."""
    return {"machine": session.machine, "ours": ours,
            "commit": session.identities.get(ours, {}).get("commit"),
            "options": {k: v for k, v in vars(options).items() if k != "command"},
            "runtimes": session.identities}


def compare_with(rows, name, ours, session):
    """--against"""
    if name == ours or name not in [r.name for r in session.runtimes]:
        raise host.BenchError("--against %s: %s" % (name, "that is ours" if name == ours else
                                                    "--runtimes has none of this name"))
    for row in rows:
        row.compare_with(name)


def bench_micro(argv):
    options = micro_parser().parse_args(argv)
    rows = rows_module.select(rows_module.read_table(options.goals),
                              options.rows or ("*" if options.list else None))
    if options.list:
        print(report.layout([["row", "threads", "to", "goal", "aim"]] + [
            [r.name, r.threads, r.peers, report.show_ratio(r.goal), report.show_ratio(r.aim)]
            for r in rows]))
        return 0
    if options.plot:
        sys.path += host.site_packages(options.venv)  # one may hold matplotlib
        trouble = output.why_no_picture(options.plot)
        if trouble:
            raise host.BenchError(trouble)
    with session_of(options) as session:
        ours = ours_among(session.runtimes, options.runtimes)
        if options.against:
            compare_with(rows, options.against, ours, session)
        rows = rows_module.leave_out(rows, session, say)
        if not rows:
            raise host.BenchError("nothing left to measure")
        session.calibrate()
        rows_module.measure_rounds(session, rows, options.rounds, options.budget, options.verbose)
    rows = [row for row in rows if row.rounds]
    results = [report.judge(row, ours, len(session.cpus), session.threads_of(row)) for row in rows]
    print(report.heading(session.machine, vars(options), session.runtimes))
    if rows:
        print("\n" + report.table(rows, results, ours))
        print("\n" + report.closing(rows, results))
    if options.json:
        content = document(session, options, ours)
        content["rows"] = [report.row_document(row, r) for row, r in zip(rows, results)]
        report.write_json(options.json, content)
    trouble = options.plot and report.write_plot(options.plot, rows, results, ours)
    if trouble:
        say(trouble)
    short = any(r["state"] == "short" or r["few"] for r in results)
    return status_of(session, 1 if trouble or options.strict and short else 0)


def bench_whole(argv, mode):
    """The modes that run whole programs: `programs` and `kernels`."""
    parser = programs.parser_of(mode)
    common_options(parser, mode)
    options = programs.parse(parser, argv, mode)
    with session_of(options) as session:
        ours = ours_among(session.runtimes, options.runtimes)
        measured = programs.measure(session, options, mode, say)
    print(report.heading(session.machine, vars(options), session.runtimes))
    print("\n" + programs.table(measured, ours, [r.name for r in session.runtimes]))
    print("\nrounds: kept-dropped; a round is dropped when its line round trip is more than %d %% "
          "off the median" % (100 * report.LINE_SPREAD))
    if options.json:
        content = document(session, options, ours)
        content[mode] = [m.document(ours) for m in measured]
        report.write_json(options.json, content)
    return status_of(session, 1 if any(m.wrong() for m in measured) else 0)


def bench_levels(argv):
    """One level against two levels, and the pools' policies: a table each."""
    parser = levels.parser_of()
    common_options(parser, "levels")
    options = levels.parse(parser, argv)
    with session_of(options) as session:
        ours = ours_among(session.runtimes, options.runtimes)
        measured = {}
        for name in options.tables:
            measured[name] = levels.measure(session, options, ours, name, say)
            if session.broken:
                break
    if not session.broken and not any(measured.values()):
        raise host.BenchError("nothing to measure")
    print(report.heading(session.machine, vars(options), session.runtimes))
    for name, lines in measured.items():
        print("\n" + levels.text(name, lines, ours))
    if options.json:
        content = document(session, options, ours)
        content.update({name: [m.document(ours) for m in lines]
                        for name, lines in measured.items()})
        report.write_json(options.json, content)
    wrong = any(m.wrong() for lines in measured.values() for m in lines)
    return status_of(session, 1 if wrong else 0)


def bench_fork(argv):
    """Fork and join with cache events; ours alone unless --runtimes names others."""
    parser = fork.parser_of()
    common_options(parser, "fork")
    options = parser.parse_args(argv)
    options.runtimes = options.runtimes or host.OURS
    with session_of(options) as session:
        rows, columns, notes = fork.measure(session, options, say)
    print(report.heading(session.machine, vars(options), session.runtimes))
    print("\n" + fork.table(rows, columns) + "\n")
    print("\n".join(notes))
    if options.json:
        content = document(session, options, ours_among(session.runtimes, True))
        content["fork"] = [row.document(fork.all_keys(columns)) for row in rows]
        content["notes"] = notes
        report.write_json(options.json, content)
    return status_of(session, 1 if any(isinstance(row.spawn(), str) for row in rows) else 0)


def bench_family(argv, mode):
    """One of FAMILIES: a module with its parser, what runs, its table."""
    family = FAMILIES[mode]
    parser = family.parser_of()
    common_options(parser, mode)
    options = family.parse(parser, argv)
    with session_of(options) as session:
        found = family.measure(session, options, say)
    print(report.heading(session.machine, vars(options), session.runtimes))
    print("\n" + family.table(found))
    if options.json:
        content = document(session, options, ours_among(session.runtimes, True))
        content[mode] = [{**dict(zip(family.KEYS, key)), "rounds": rounds}
                         for key, rounds in found.items()]
        report.write_json(options.json, content)
    return 1 if any(isinstance(r, str) for rounds in found.values() for r in rounds) else 0


def measured(measure, options, chosen, folder):
    """Measures what is chosen, unless --write; what is done is kept. False: it was broken off."""
    if options.write:
        return True
    with session_of(options) as session:
        try:
            measure(session, options, chosen, folder)
        except KeyboardInterrupt:
            say("broken off: what was measured is kept; the same command goes on")
            return False
    return True


def bench_papers(argv):
    """The papers' experiments; results are kept, pages are written."""
    parser = papers.parser_of()
    common_options(parser, "papers")
    options = parser.parse_args(argv)
    experiments = papers.selected(options.only)
    if options.list:
        print(report.layout([["experiment", "paper", "place", "what"]] + [
            [e.name, e.paper, e.place, e.title] for e in experiments]))
        return 0
    folder = options.results or os.path.join(options.out, "results")
    broken = not measured(papers.measure, options, experiments, folder)
    results, pages = papers.write_pages(options, folder, say)
    verdicts = [(e, papers.page.verdict_of(e, results[e.name])) for e in experiments]
    print(report.layout([["experiment", "state", "finding"]] + [
        [e.name, v.state, v.sentence] for e, v in verdicts]))
    print("\nwritten: %s" % " ".join(pages))
    if broken:
        return BROKEN_OFF
    return 1 if any(v.state == papers.page.UNKNOWN for _, v in verdicts) else 0


def bench_predict(argv):
    """Predictions against measurements; results are kept, the page is written."""
    parser = predict.parser_of()
    common_options(parser, "predict")
    options = parser.parse_args(argv)
    options.runtimes = options.runtimes or host.OURS
    chosen = predict.selected(options.only)
    if options.list:
        print(report.layout([["case", "alternatives"]] + [
            [c.name, "; ".join(run.name() for run in c.runs)] for c in chosen]))
        return 0
    folder = options.results or os.path.join(options.out, "results")
    broken = not measured(predict.measure, options, chosen, folder)
    rows, path = predict.write_page(options, folder)
    print(predict.page.layout(rows) + "\n\nwritten: " + path)
    return BROKEN_OFF if broken else 1 if any(row.failed() for row in rows) else 0


MODES = {
    "micro": bench_micro, "fork": bench_fork, "papers": bench_papers, "predict": bench_predict,
    "levels": bench_levels,
    "mpi": lambda argv: bench_micro(["--rows", "mpi-*", "--rounds", "7", *argv]),
    "members": lambda argv: bench_micro(["--rows", rows_module.MEMBERS, *argv]),
    **{mode: functools.partial(bench_whole, mode=mode) for mode in ("programs", "kernels")},
    **{mode: functools.partial(bench_family, mode=mode) for mode in FAMILIES}}


def main(argv):
    host.end_in_order()
    mode, rest = (argv[0], argv[1:]) if argv and argv[0][:1] != "-" else ("micro", argv)
    if mode not in MODES:
        say("no mode %r; modes: %s" % (mode, ", ".join(MODES)))
        return 2
    try:
        return MODES[mode](rest)
    except (host.BenchError, predict.machines.BadMachine) as error:
        say(str(error))
        return 2
    except OSError as error:  # results that were to be written
        say("not all results are written: %s" % error.strerror)
        return 1
    except KeyboardInterrupt:
        say("broken off")
        return BROKEN_OFF


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
