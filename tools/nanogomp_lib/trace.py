# trace.py - `nanogomp trace`: what each member of a program did when, for viewers of traces
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with libnanogomp-trace.so (tools/ompt) as its OMPT tool, which writes a raw trace
for each process into a folder, and makes of these what viewers read. Whatever becomes of the trace,
the program runs, and its exit status is the command's; where that is 0 and files are lost: 1."""

import argparse
import os
import re
import sys
import textwrap

from nanogomp_lib import (child, exits, folders, identity, library, output, program, run, sites,
                          trace_file, trace_html, trace_json, trace_otf2, trace_paraver,
                          trace_source)

RECORDER = "libnanogomp-trace.so"
FORMATS = {"html": trace_html, "json": trace_json, "paraver": trace_paraver, "otf2": trace_otf2}
RAW = "raw"
FOLDER_SUFFIX, FILE_SUFFIX = ".trace", ".trace"
NAME = re.compile(r"(\d+)(?:\.(\d+))?\.trace")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LEAST_BUFFER, MOST_BUFFER = 1 << 14, 1 << 30
EXAMPLES = """examples:
  nanogomp trace -- ./a.out                            a.out.html, for any browser
  nanogomp trace --to paraver,json -o run1 -- ./a.out  run1.prv, run1.pcf, run1.row; run1.json
  nanogomp trace --to raw -- ./a.out                   a.out.trace/PID.trace, to be converted later:
  nanogomp trace --to otf2 --convert a.out.trace
  nanogomp trace -n 8 --limit 200M -- ./a.out
"""


def say(text):
    print("nanogomp trace: " + text, file=sys.stderr)


# --- options ---

def size(text):
    match = re.fullmatch(r"(\d{1,12})([KMG]?)", text.upper())
    if not match:
        raise argparse.ArgumentTypeError("%r: want a number of bytes, or with K, M or G" % text)
    return int(match.group(1)) * UNITS[match.group(2)]


def formats(text):
    found = text.split(",")
    for name in found:
        if name not in FORMATS and name != RAW:
            raise argparse.ArgumentTypeError("%r: want %s or %s" % (name, ", ".join(FORMATS), RAW))
    return found


def parser_of():
    p = argparse.ArgumentParser(
        prog="nanogomp trace", usage="nanogomp trace [options] [--] program [argument ...]\n"
        "       nanogomp trace [options] --convert FILE",
        description=textwrap.fill(
            "Records when each thread of OpenMP works, and when and where it waits, by OMPT; "
            "writes it as a page for any browser, or for Paraver, Perfetto and viewers of OTF2. "
            "Each process of a program has a trace of its own. The exit status is the "
            "program's; 1: the program's is 0, but files could not be written.", 74),
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = p.add_argument
    add("-n", "--threads", metavar="N", type=run.threads, help="sets OMP_NUM_THREADS")
    add("--to", type=formats, default=["html"], metavar="{%s},..." % ",".join([*FORMATS, RAW]),
        help="json is for Chrome and Perfetto; nothing but raw keeps the raw trace; default html")
    add("-o", "--output", metavar="NAME", help="of the files, without the format's suffix; "
        "default: the program's name, or that of FILE")
    add("--limit", type=size, default=1 << 30, metavar="SIZE",
        help="of a process's raw trace; later events are dropped and counted; default 1G, 0: none")
    add("--buffer", type=size, default=1 << 18, metavar="SIZE",
        help="memory of a thread for events; default 256K")
    add("--convert", metavar="FILE", help="a raw trace, or a folder of them: runs nothing")
    add("--lib", metavar="DIR", help="the folder of our libgomp.so.1")
    add("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def parse(argv):
    p = parser_of()
    options = p.parse_args(argv)
    if options.command[:1] == ["--"]:
        del options.command[0]
    if options.convert and options.command:
        p.error("--convert runs no program")
    if options.convert and set(options.to) == {RAW}:
        p.error("--convert reads raw traces: --to wants another format")
    if not options.convert and not options.command:
        p.error("no program given")
    if not LEAST_BUFFER <= options.buffer <= MOST_BUFFER:
        p.error("--buffer wants 16K to 1G")
    if options.output is not None and os.path.basename(options.output) in ("", "-"):
        p.error("--output wants a name for files")
    return options


# --- conversion ---

def trace_files(folder):
    """Paths of the raw traces in a folder, by process."""
    found = []
    for name in os.listdir(folder):
        match = NAME.fullmatch(name)
        if match:
            turn = int(match.group(2) or 0)
            found.append((int(match.group(1)), turn, os.path.join(folder, name)))
    return [path for _, _, path in sorted(found)]


def convert(path, base, wanted):
    """Writes a raw trace in the formats that are wanted; whether all could be written."""
    is_good = True
    try:
        with trace_file.TraceFile(path) as file:
            source = trace_source.Source(file)
            if source.changed:
                say(identity.text_of(source.changed))
            if file.dropped:
                say("%s: %d events are missing: the limit of the file, or a full disk (%d are in "
                    "it)" % (path, file.dropped, source.events))
            for name in wanted:
                is_good &= write_format(source, base, name)
    except (trace_file.NoTrace, OSError) as error:
        say(text_of(error))
        return None
    return is_good


def text_of(error):
    if isinstance(error, OSError) and error.strerror:
        return "%s: %s" % (error.filename, error.strerror) if error.filename else error.strerror
    return str(error)


def write_format(source, base, name):
    writer = FORMATS[name]
    path = base + writer.SUFFIX
    try:
        for made in writer.write(source, path):
            say("wrote " + made)
        return True
    except trace_otf2.CannotWrite as error:
        say("%s is not written: %s" % (path, error))
    except OSError as error:
        say("%s is not written: %s" % (path, error.strerror or error))
    return False


def convert_only(options):
    wanted = [name for name in options.to if name != RAW]
    path = options.convert.rstrip("/") or "/"
    base = options.output or re.sub(r"\.trace$", "", path)
    if not os.path.isdir(path):
        return status_of([convert(path, base, wanted)])
    files = trace_files(path)
    if not files:
        say("%s: no traces there" % path)
        return exits.CANNOT
    results = [convert(file, name_of(file, base, files, None), wanted) for file in files]
    return status_of(results)


def status_of(results):
    """Of convert() of each file."""
    if all(results):
        return exits.DONE
    return exits.CANNOT if all(result is None for result in results) else exits.PARTLY


def name_of(path, base, files, pid):
    """Of a process's files: NAME for the program's own process and for the only one, else
    NAME.PID."""
    stem = os.path.basename(path)[:-len(FILE_SUFFIX)]
    return base if len(files) == 1 or stem == str(pid) else "%s.%s" % (base, stem)


# --- the run ---

def kept_folder(wanted):
    """A folder for raw traces that stay: `wanted`, without those of an earlier run."""
    folder = folders.kept_folder(wanted, "traces", say)
    for old in trace_files(folder):
        os.unlink(old)
        identity.forget(old)
    return folder


def remove_folder(folder):
    """Removes the traces, and the folder if nothing else is in it. None: there is none."""
    if folder is None:
        return
    try:
        for file in trace_files(folder):
            os.unlink(file)
        os.rmdir(folder)
    except OSError:
        pass


def watched(options, recorder, folder):
    """The variables by which the program is traced."""
    return {**library.tool_first(recorder, os.environ),
            "NTH_TRACE_DIR": os.path.abspath(folder), "NTH_TRACE_LIMIT": str(options.limit),
            "NTH_TRACE_BUFFER": str(options.buffer)}


def environment_of(options, lib, found, wanted):
    """(what the program gets, the folder of its raw traces). Where there can be no trace, one line
    says so, the program runs without it, and the folder is None."""
    made = child.environment_of(lib, found, options.command, say, options.threads)
    try:
        recorder = lib.beside(RECORDER)
        folder = kept_folder(wanted) if RAW in options.to else folders.new_folder(wanted)
        made.update(watched(options, recorder, folder))
        return made, folder
    except OSError as error:
        say("%s: %s; the program runs without a trace" % (wanted, error.strerror))
    except library.NoLibrary as error:
        say("%s; the program runs without a trace" % error)
    return made, None


def note_modules(files):
    """Notes beside raw traces that stay what their programs are now."""
    for path in files:
        try:
            with trace_file.TraceFile(path) as file:
                identity.note(path, sites.modules_of(file.maps))
        except trace_file.NoTrace:
            pass


def say_raw(folder):
    say("the raw traces are in %s; later: nanogomp trace --convert %s" % (folder, folder))


def finish(options, base, folder, pid):
    """Converts what there is; whether all that was asked for is written. The raw traces stay if
    they are wanted, or could not be converted, also where a signal breaks that off."""
    files = trace_files(folder) if os.path.isdir(folder) else []
    if not files:
        remove_folder(folder)
        say("no trace: %s has not used our library, has a tool of its own, or had no room for the "
            "file (docs/trace.md)" % options.command[0])
        return not options.output
    wanted = [name for name in options.to if name != RAW]
    try:
        results = [convert(file, name_of(file, base, files, pid), wanted) for file in files]
    except (KeyboardInterrupt, SystemExit):
        say("told to end: not all is written")
        say_raw(folder)
        note_modules(files)
        raise
    if RAW in options.to or not all(results):
        note_modules(files)
    if RAW in options.to:
        for file in files:
            say("wrote " + file)
    elif all(results):
        remove_folder(folder)
    else:
        say_raw(folder)
    return all(results)


def main(tool, argv):
    options = parse(argv)
    if options.convert:
        return convert_only(options)
    try:
        lib = library.find(tool, options.lib, os.environ)
        found = program.Program(options.command[0])
        base = output.of_rank(options.output or os.path.basename(options.command[0]))
        environment, folder = environment_of(options, lib, found, base + FOLDER_SUFFIX)
        try:
            pid, status = child.start_and_wait(found, options.command, environment)
        except program.CannotRun:
            remove_folder(folder)
            raise
    except program.CannotRun as error:
        say("cannot run " + str(error))
        return error.status
    except library.NoLibrary as error:
        say(str(error))
        return exits.CANNOT
    written = folder is not None
    if written:
        child.say_left("NTH_TRACE_DIR=" + environment["NTH_TRACE_DIR"], say)
        written = finish(options, base, folder, pid)
    return child.end_as(status, written)
