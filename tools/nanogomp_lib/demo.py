# demo.py - runs programs on the system's libgomp and on ours in turn; called by tools/demo
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each program is started twice a round, plainly and by `nanogomp run`. While it runs, the files
mapped into it (/proc/PID/maps) tell which library serves it. Its output must be the same.
A program that runs out of time has no output: whose run it was is said, and nothing is compared."""

import argparse
import hashlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TOOLS)
sys.path.insert(0, TOOLS)

from nanogomp_lib import library, loader, elf, patience, run  # noqa: E402

NANOGOMP = os.path.join(TOOLS, "nanogomp")
LIMIT_SECONDS = 120        # of a quiet machine, for one run: patience.py
POLL_SECONDS = 0.002       # until the library is seen in the process
WAIT_SECONDS = 0.02        # afterwards
# kernel, its option for the amount of work, an amount that takes about a second on two CPUs
KERNELS = (("matvec", "--iters", 4000), ("cg", "--iters", 100))
SAMPLE = 20                # a part of the work that is tried first
LONGEST_SECONDS = 20       # a run that would take longer beside other programs gets less work
IMAGE_SIZE = (1200, 900)
IMAGE_STEPS = ["-gaussian-blur", "0x4", "-resize", "150%", "-unsharp", "0x2", "-depth", "8"]
SYSTEM, OURS = "libgomp", "nanogomp"
ANSWERS = {True: "yes", False: "NO", None: "not known"}


class Program:
    """outputs: files that it writes, compared beside what it prints."""

    def __init__(self, name, command, outputs=()):
        self.name, self.command, self.outputs = name, command, outputs
        self.seconds = {SYSTEM: [], OURS: []}
        self.results = {SYSTEM: set(), OURS: set()}
        self.mapped = {SYSTEM: set(), OURS: set()}
        self.late = {SYSTEM: None, OURS: None}   # why a run was ended
        self.errors = []

    def is_known(self):
        """Whether there is something to compare."""
        return not any(self.late.values())


def libgomp_user(path):
    """Whether the program is linked with libgomp.so.1, itself or by its libraries."""
    try:
        closure = loader.Closure(elf.Elf(path))
    except (OSError, elf.NotElf):
        return False
    return any(o.elf.soname == "libgomp.so.1" for o in closure.objects)


def find_convert():
    """ImageMagick of the distribution, if it is made with OpenMP."""
    for folder in os.environ.get("PATH", os.defpath).split(":") + ["/usr/bin"]:
        for name in ("convert", "convert-im6.q16", "magick"):
            path = shutil.which(name, path=folder)
            if path and libgomp_user(path):
                return path
    return None


def write_image(path):
    """A picture with smooth and sharp parts, the same every time."""
    width, height = IMAGE_SIZE
    with open(path, "wb") as file:
        file.write(b"P6 %d %d 255\n" % IMAGE_SIZE)
        for y in range(height):
            row = bytearray(3 * width)
            row[0::3] = bytes((x * y >> 7) & 255 for x in range(width))
            row[1::3] = bytes((x * x + y * y >> 11) & 255 for x in range(width))
            row[2::3] = bytes((x ^ y) & 255 for x in range(width))
            file.write(row)


def programs(kernels, scratch):
    chosen = []
    for name, option, amount in KERNELS:
        path = os.path.join(kernels, name)
        if not os.path.exists(path):
            sys.exit("demo: no kernel %s (--kernels DIR names another folder)" % path)
        chosen.append(Program(name, [path, option, str(fitting(path, option, amount, scratch))]))
    convert = find_convert()
    if convert:
        source, result = (os.path.join(scratch, name) for name in ("in.ppm", "out.ppm"))
        write_image(source)
        chosen.append(Program("ImageMagick", [convert, source] + IMAGE_STEPS + [result], [result]))
    else:
        sys.exit("demo: no ImageMagick that is linked with libgomp (tools/setup installs it)")
    return chosen


def mapped_libgomps(pid):
    """Files of libgomp in a process; None when it cannot be seen (any more)."""
    try:
        with open("/proc/%d/maps" % pid) as file:
            return set(re.findall(r" (/\S*/libgomp[^/\s]*\.so\S*)", file.read()))
    except OSError:
        return None


def runs_program(pid, path):
    """False while `nanogomp run` is still on its way to the program."""
    try:
        return os.path.samefile("/proc/%d/exe" % pid, path)
    except OSError:
        return False


def watch(child, program, progress):
    """(seconds from exec to end, libraries seen, why it was ended early or None).

    progress(seconds) is called now and then."""
    seen, start, late = set(), None, None
    limit = patience.Patience(LIMIT_SECONDS, child.pid)
    while child.poll() is None:
        now = time.monotonic()
        if start is None and runs_program(child.pid, program):
            start = now
        if start is not None:
            seen |= mapped_libgomps(child.pid) or set()
            progress(now - start)
        if now - limit.at >= limit.step() and limit.count():
            late = limit.reason("the demo")
            child.kill()
            child.wait()
        time.sleep(WAIT_SECONDS if seen else POLL_SECONDS)
    return (time.monotonic() - start if start else 0.0), seen, late


class RoundLine:
    """One line a round and program; on a terminal it shows the time that runs."""

    def __init__(self, text):
        self.text, self.cells, self.shown = text, {}, ""

    def put(self, which, seconds):
        self.cells[which] = "%s %6.1f s" % (which, seconds)
        if sys.stdout.isatty() and self.line() != self.shown:
            self.shown = self.line()
            print("\r" + self.shown, end="", flush=True)

    def line(self):
        return "   ".join([self.text] + [self.cells.get(which, " " * (len(which) + 9))
                                         for which in (SYSTEM, OURS)])

    def end(self):
        print(("\r" if self.shown else "") + self.line(), flush=True)


def stable(text):
    """What a program printed without its times."""
    return re.sub(rb"seconds=\S+", b"", text)


def seconds_of(command, scratch):
    """The time of a run on the system's libgomp, LONGEST_SECONDS at most."""
    with open(os.path.join(scratch, "sample"), "wb") as file:
        began = time.monotonic()
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                           env=plain_environment(), timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        return time.monotonic() - began


def fitting(path, option, amount, scratch):
    """An amount of work that this machine does in a useful time, beside whatever else it does."""
    took = SAMPLE * seconds_of([path, option, str(amount // SAMPLE)], scratch)
    if took <= LONGEST_SECONDS:
        return amount
    less = max(amount // SAMPLE, int(amount * LONGEST_SECONDS / took))
    print("demo: the machine is busy: %s gets %d in place of %d iterations"
          % (os.path.basename(path), less, amount))
    return less


def plain_environment():
    return {name: value for name, value in os.environ.items()
            if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT")}


def run_once(program, which, lib, scratch, progress):
    """One run; the time, the libraries and a digest of the output go into `program`."""
    command = program.command
    if which == OURS:
        command = [sys.executable, NANOGOMP, "run", "--lib", lib.folder, "--"] + command
    environment = plain_environment()
    with open(os.path.join(scratch, "stdout"), "w+b") as printed, \
            open(os.path.join(scratch, "stderr"), "w+b") as errors:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors,
                                 env=environment)
        try:
            seconds, seen, late = watch(child, os.path.realpath(program.command[0]),
                                        lambda passed: progress(which, passed))
        finally:
            child.kill()
            child.wait()
        printed.seek(0)
        errors.seek(0)
        digest = hashlib.sha256(stable(printed.read()))
        last_words = errors.read().decode(errors="replace").strip()[-300:]
    program.mapped[which] |= {os.path.realpath(path) for path in seen}
    if late:
        program.late[which] = late
        return seconds
    if child.returncode != 0:
        program.errors.append("%s: exit status %d: %s" % (which, child.returncode, last_words))
    for path in program.outputs:
        with open(path, "rb") as file:
            digest.update(file.read())
        os.unlink(path)
    program.seconds[which].append(seconds)
    program.results[which].add(digest.hexdigest())
    return seconds


def measure(chosen, rounds, lib, scratch):
    """All programs on both libraries, who is first changing from round to round."""
    for number in range(1, rounds + 1):
        for program in chosen:
            line = RoundLine("round %d/%d  %-12s" % (number, rounds, program.name))
            for which in (SYSTEM, OURS) if number % 2 else (OURS, SYSTEM):
                try:
                    line.put(which, run_once(program, which, lib, scratch, line.put))
                except OSError as error:
                    program.errors.append("%s: %s" % (which, error))
            line.end()
            if program.errors or not program.is_known():
                return


def verdicts(program, lib):
    """(same output, swapped): both must hold; the first is None where a run was ended early."""
    same = program.results[SYSTEM] == program.results[OURS] and len(program.results[OURS]) == 1
    ours = os.path.realpath(lib.path)
    swapped = (program.mapped[OURS] == {ours} and ours not in program.mapped[SYSTEM]
               and len(program.mapped[SYSTEM]) == 1)
    return (same and not program.errors if program.is_known() else None), swapped


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def report(chosen, lib):
    """Prints the table and the proof; returns whether all is well."""
    rows = [["program", SYSTEM + " s", OURS + " s", "ratio", "same output", "swapped"]]
    good = True
    for program in chosen:
        same, swapped = verdicts(program, lib)
        good = good and bool(same and swapped)
        middle = [statistics.median(program.seconds[which] or [0]) for which in (SYSTEM, OURS)]
        ratio = "%.2f" % (middle[1] / middle[0]) if all(middle) else "-"
        rows.append([program.name] + ["%.2f" % value for value in middle] +
                    [ratio, ANSWERS[same], ANSWERS[swapped]])
    print()
    table(rows)
    print("\nMedian times from the start of the program to its end; a ratio below 1: %s is faster."
          % OURS)
    print("In the running processes (/proc/PID/maps):")
    for which in (SYSTEM, OURS):
        paths = sorted(set().union(*(program.mapped[which] for program in chosen)))
        print("  %-9s %s" % (which, ", ".join(paths) or "no libgomp seen"))
    for program in chosen:
        for error in program.errors:
            print("%s on %s" % (program.name, error), file=sys.stderr)
        for which, why in program.late.items():
            if why:
                who = "libgomp, the reference," if which == SYSTEM else which
                print("%s on %s ran out of time: %s; its output is not compared"
                      % (program.name, who, why), file=sys.stderr)
    return good


def main():
    p = argparse.ArgumentParser(prog="tools/demo", description="Runs two kernels and ImageMagick "
                                "on the system's libgomp and on nanogomp in turn.")
    p.add_argument("--rounds", type=int, default=3, help="runs on each library (3)")
    p.add_argument("--lib", metavar="DIR", help="folder of our libgomp.so.1")
    p.add_argument("--kernels", metavar="DIR", help="folder of the built kernels",
                   default=os.path.join(ROOT, "build", "release", "tests", "kernels"))
    p.add_argument("--no-build", action="store_true", help="neither set up nor build first")
    p.add_argument("--parse-only", action="store_true", help=argparse.SUPPRESS)
    options = p.parse_args()
    if options.parse_only:
        return 0
    try:
        lib = library.find(NANOGOMP, options.lib, os.environ)
    except library.NoLibrary as error:
        run.say(str(error))
        return 1
    with tempfile.TemporaryDirectory(prefix="nanogomp-demo-") as scratch:
        chosen = programs(options.kernels, scratch)
        print("nanogomp: %s; %d CPUs allowed" % (lib.path, len(os.sched_getaffinity(0))))
        for program in chosen:
            print("  %-12s %s" % (program.name, " ".join(program.command)))
        print()
        measure(chosen, max(1, options.rounds), lib, scratch)
        good = report(chosen, lib)
    if good:
        print("\nSame results, library swapped.")
    elif all(program.is_known() for program in chosen):
        print("\nNOT as it should be, see above.")
    else:
        print("\nNot all is shown: a program ran out of time, see above.")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
