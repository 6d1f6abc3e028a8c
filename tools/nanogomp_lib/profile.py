# profile.py - `nanogomp profile`: where the time of an OpenMP program goes, by line and member
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with the OMPT tool of tools/ompt, and prints what it has found. docs/profile.md
tells what is measured and how."""

import argparse
import json
import os
import shutil
import sys
import tempfile
import textwrap
import time

from nanogomp_lib import child, exits, folders, identity, library, output, program, run, signals
from nanogomp_lib import profile_raw as raw
from nanogomp_lib import profile_report as text
from nanogomp_lib import profile_result as result

TOOL_FILE = "libnanogomp-profile.so"
MOST = 8  # processes that are reported
ALIASES = {"cycles": "PAPI_TOT_CYC", "instructions": "PAPI_TOT_INS", "l1-misses": "PAPI_L1_DCM",
           "l2-misses": "PAPI_L2_DCM", "l3-misses": "PAPI_L3_TCM", "claims": "PAPI_CA_SHR",
           "task-clock": "perf::TASK-CLOCK", "page-faults": "perf::PAGE-FAULTS",
           "context-switches": "perf::CONTEXT-SWITCHES"}
EPILOG = """examples:
  nanogomp profile -- ./a.out
  nanogomp profile -n 8 --html a.html --json a.json -- ./a.out input
  nanogomp profile --papi cycles,instructions,PAPI_L3_TCM -- ./a.out
  nanogomp profile --simulate -- ./a.out small-input
  nanogomp profile --keep runs -- mpirun -n 2 ./a.out
  nanogomp profile --read runs

events: names of PAPI (papi_avail, papi_native_avail), "none", or of these:
  """ + "\n  ".join(textwrap.wrap(", ".join(ALIASES), 70, break_on_hyphens=False)) + """

The exit status is the program's; 1: the program's is 0, but a file of --json, --html or --keep, or
standard output, could not be written; 126: found but refused, 127: not found, 125: the library is
missing."""


def say(line):
    print("nanogomp profile: " + line, file=sys.stderr)


def parser_of():
    p = argparse.ArgumentParser(
        prog="nanogomp profile", usage="nanogomp profile [options] [--] program [argument ...]",
        description="Runs an OpenMP program and tells, by line of its source and by member, what\n"
                    "takes time: its own work, waiting and for what, or the runtime.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = p.add_argument
    add("--papi", metavar="EVENTS", help="events of the members' work, with commas between; "
        "default: cycles, instructions, misses of both first caches, claims of shared lines")
    add("-n", "--threads", metavar="N", type=run.threads, help="sets OMP_NUM_THREADS")
    add("--set", metavar="NAME=VALUE", type=run.assignment, action="append", default=[],
        dest="assignments", help="sets a variable; may be given several times")
    add("--top", type=int, default=20, metavar="N", help="regions; default %(default)s, 0: all")
    add("--json", metavar="FILE", help="everything, for other tools; -: standard output, without "
        "the program's own and without the table")
    add("--html", metavar="FILE", help="a page with bars by region and the members' time lines")
    add("--simulate", action="store_true",
        help="cache figures by region from valgrind, in a second run")
    add("--keep", metavar="DIR", help="keep the file of each process, beside those of "
        "earlier runs")
    add("--read", metavar="PATH", help="a kept file, or a folder of them, in place of a program")
    add("--lib", metavar="DIR", help="folder of libgomp.so.1 and the tool")
    add("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def parse(argv):
    p = parser_of()
    try:
        options = p.parse_args(argv)
    except ValueError as error:
        p.error(str(error))
    if options.command[:1] == ["--"]:
        del options.command[0]
    if bool(options.command) == bool(options.read):
        p.error("no program given" if not options.command else "--read and a program: one of them")
    if options.html == "-":
        p.error("--html wants a file")
    if options.top < 0:
        p.error("--top wants a number, 0 for all")
    options.json, options.html = map(output.file_of_rank, (options.json, options.html))
    options.keep = options.keep and output.of_rank(options.keep.rstrip("/") or "/")
    return options


# --- the run ---

def events_of(wish):
    return ",".join(ALIASES.get(name.strip().lower(), name.strip()) for name in wish.split(","))


def tool_settings(options, lib, folder):
    """The variables by which the tool is loaded; none if it is not there, which is said."""
    tool = os.path.join(lib.folder, TOOL_FILE)
    if not os.path.exists(tool) or folder is None:
        if folder is not None:
            say("%s: not there; the program runs without a profile" % tool)
        return {}
    made = {**library.tool_first(tool, os.environ), "NTH_PROFILE_DIR": folder}
    if options.papi is not None:
        made["NTH_PROFILE_PAPI"] = events_of(options.papi)
    return made


class Done:
    """pid; status: as wait(2) has it; begin_ns, end_ns: CLOCK_MONOTONIC when the program was
    started, and when it had ended."""

    def __init__(self, pid, status, begin_ns, end_ns):
        self.pid, self.status = pid, status
        self.begin_ns, self.end_ns = begin_ns, end_ns


def execute(options, found, environment):
    prepare = child.silence if options.json == "-" else lambda: None
    begin = time.monotonic_ns()
    pid, status = child.start_and_wait(found, options.command, environment, prepare)
    return Done(pid, status, begin, time.monotonic_ns())


def folder_for(options):
    """Where the tool writes; None: nowhere, which is said."""
    try:
        if options.keep:
            return os.path.abspath(folders.kept_folder(options.keep, "profiles", say))
        return tempfile.mkdtemp(prefix="nanogomp-profile-")
    except OSError as error:
        say("%s: %s; the program runs without a profile"
            % (options.keep or "a folder for the profile", error.strerror or error))
        return None


# --- what comes out ---

def documents(options, folder, earlier):
    """The processes of a run, those with regions first; how many there are, how many have regions,
    and how many files were refused."""
    if os.path.isfile(folder):
        profiles, bad = [raw.Profile(folder)], []
    else:
        profiles, bad = raw.read_folder(folder, earlier)
    for error in bad:
        say(str(error))
    for one in profiles if options.keep else ():
        identity.note(one.path, one.sites.modules)
    with_regions = [p for p in profiles if p.has_regions]
    docs = [result.document(p, options.command or None) for p in with_regions[:MOST]]
    changed = set().union(*(p.sites.changed for p in profiles))
    if changed:
        say(identity.text_of(changed))
    return docs, len(profiles), len(with_regions), len(bad)


def show(options, folder, earlier=(), simulated=None):
    """False: a file that was asked for could not be written. earlier: files of the folder that are
    not shown."""
    written = True
    docs, processes, with_regions, refused = documents(options, folder, earlier)
    if not docs and not refused:
        say("no parallel region was seen: %s" % (
            "the process opened none" if processes else
            "no process left a profile (linked statically, without OpenMP, with a tool of its own, "
            "or no room for it?)"))
    if not docs:
        written = bool(processes or not options.keep)
    if options.json:
        content = {"processes": docs, "simulated": simulated}
        written = output.write(options.json, json.dumps(content, indent=1) + "\n", say) and written
    if options.html and docs:
        from nanogomp_lib import profile_html
        written = output.write(options.html, profile_html.page(docs, simulated), say) and written
    elif options.html:
        say("%s: there is no page, as there is nothing to show" % options.html)
        written = False
    if options.json == "-":
        return written
    for doc in docs:
        print("\n" + text.report(doc, options.top))
    if simulated:
        from nanogomp_lib import profile_simulate
        print("\n" + profile_simulate.report(simulated, options.top))
    if with_regions > MOST:
        print("%d more processes with regions: --json has the first %d" % (with_regions - MOST,
                                                                        MOST))
    return written


def simulation(options, found, environment):
    """Figures of a second run, if they are wished for; None: none."""
    if not options.simulate:
        return None
    from nanogomp_lib import profile_simulate
    try:
        return profile_simulate.simulate(options.command, found, environment)
    except (profile_simulate.CannotSimulate, OSError) as error:
        say(str(error))
        return None


def profile(options, tool):
    """(the program's status as wait(2) has it, whether all that was asked for is written)"""
    lib = library.find(tool, options.lib, os.environ)
    found = program.Program(options.command[0])
    plain = child.environment_of(lib, found, options.command, say, options.threads,
                                 options.assignments)
    asked = options.json, options.html
    options.json, options.html = (path if output.can_write(path, say) else None for path in asked)
    written = (options.json, options.html) == asked
    folder = folder_for(options)
    environment = {**plain, **tool_settings(options, lib, folder)}
    earlier = set(raw.files_of(folder)) if folder else ()
    try:
        done = execute(options, found, environment)
        simulated = simulation(options, found, plain)
        if done.status:
            say("%s ended with status %d" % (options.command[0],
                                             signals.shell_status(done.status)))
        if "NTH_PROFILE_DIR" in environment:
            child.say_left("NTH_PROFILE_DIR=" + folder, say)
            raw.note_gone(folder, earlier, done.pid, done.begin_ns, done.end_ns)
            written = show(options, folder, earlier, simulated) and written
        else:
            written = not any((*asked, options.keep))
        return done.status, written
    finally:
        if folder and not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def main(tool, argv):
    options = parse(argv)
    try:
        if options.read:
            if os.path.isdir(options.read) and not raw.files_of(options.read):
                raise raw.BadFile("%s: no profiles there" % options.read)
            return exits.if_written(0, show(options, options.read))
        return child.end_as(*profile(options, tool))
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except (library.NoLibrary, raw.BadFile) as error:
        say(str(error))
        return exits.CANNOT
    except OSError as error:
        say(output.trouble(error))
        return exits.CANNOT
