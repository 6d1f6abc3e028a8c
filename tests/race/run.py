#!/usr/bin/env python3
# run.py - programs with and without races, under the thread sanitizer and our library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds each program of this folder twice with gcc -fsanitize=thread: as it stands, without a
race, and with -DRACY, with one.
The first must give no report and status 0 in each run, the second a
report in one of three runs. The library tells the sanitizer what OpenMP orders; with --archer
LLVM's tool does."""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
FLAGS = ["-g", "-O1", "-fopenmp", "-fsanitize=thread", "-Wall", "-Wextra"]
REPORT = "WARNING: ThreadSanitizer"
TIME_LIMIT = 300  # seconds a run
TRIES = 3         # runs in one of which a racy program must report
SKIPPED = 77      # a status that ctest knows
ARCHERS = "/usr/lib/llvm-*/lib/libarcher.so"
OLDEST_ARCHER = 19  # older ones have not been tried
# What the sanitizer says where addresses are too random for it.
UNEXPECTED = "unexpected memory mapping"

# Programs about which Archer is wrong, and why. Kinds: "right": it may report what is no race;
# "racy": it may miss the race.
ARCHER_WRONG = {
}


def newest_archer():
    """The installed libarcher.so of the newest LLVM; None: there is none."""
    found = {int(number): path for path in glob.glob(ARCHERS)
             for number in re.findall(r"/llvm-(\d+)/", path) if int(number) >= OLDEST_ARCHER}
    return found[max(found)] if found else None


class Programs:
    """Compiles programs into a folder, and runs them."""

    def __init__(self, options, folder):
        self.options, self.folder, self.prefix = options, folder, []

    def compiled(self, name, racy):
        binary = os.path.join(self.folder, name + (".racy" if racy else ""))
        source = os.path.join(HERE, name + ".c")
        newest = max(os.path.getmtime(source), os.path.getmtime(os.path.join(HERE, "race.h")))
        if not os.path.exists(binary) or os.path.getmtime(binary) < newest:
            command = ["gcc"] + FLAGS + (["-DRACY"] if racy else []) + [source, "-o", binary]
            subprocess.run(command, check=True)
        return binary

    def environment(self, threads):
        made = {name: value for name, value in os.environ.items()
                if not name.startswith(("OMP_", "GOMP_", "NTH_", "TSAN_"))}
        tsan = ["atexit_sleep_ms=0"]
        made.update(OMP_NUM_THREADS=str(threads), OMP_CANCELLATION="true", OMP_DYNAMIC="false",
                    OMP_MAX_ACTIVE_LEVELS="2")
        if self.options.library:
            made["LD_LIBRARY_PATH"] = self.options.library
        if self.options.members:
            made["NTH_MEMBERS"] = self.options.members
        if self.options.archer:
            made["OMP_TOOL_LIBRARIES"] = self.options.archer
            tsan.append("ignore_noninstrumented_modules=1")  # the tool is none of the program's
        made["TSAN_OPTIONS"] = " ".join(tsan)
        return made

    def run(self, binary, threads):
        """Status, number of reports and output of one run."""
        try:
            done = subprocess.run(self.prefix + [binary], env=self.environment(threads), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=TIME_LIMIT, errors="replace")
            return done.returncode, done.stdout.count(REPORT), done.stdout
        except subprocess.TimeoutExpired as late:
            text = (late.stdout or b"").decode(errors="replace")
            return "none: no end in %d s" % TIME_LIMIT, text.count(REPORT), text

    def look_right(self, name, threads):
        """What is wrong with a program without a race; None: nothing."""
        binary = self.compiled(name, False)
        for number in range(self.options.runs):
            status, reports, text = self.run(binary, threads)
            if status != 0 or reports:
                return "run %d: status %s, %d reports\n%s" % (number + 1, status, reports, text)
        return None

    def look_racy(self, name, threads):
        """What is wrong with a racy program. Its own result may be anything."""
        binary = self.compiled(name, True)
        for _ in range(TRIES):
            status, reports, text = self.run(binary, threads)
            if status not in (0, 66):  # 66: the sanitizer's, for reports
                return "status %s\n%s" % (status, text)
            if reports:
                return None
        return "no report in %d runs" % TRIES


def why_not(programs):
    """Why the sanitizer does not work here; None: it does."""
    source = os.path.join(programs.folder, "empty.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("int main(void) { return 0; }\n")
    built = subprocess.run(["gcc"] + FLAGS + [source, "-o", source[:-2]], check=False,
                           stderr=subprocess.PIPE, text=True)
    if built.returncode != 0:
        return "gcc has no thread sanitizer: " + built.stderr.strip().splitlines()[-1]
    status, _, text = programs.run(source[:-2], 2)
    if UNEXPECTED in text:  # see docs/sanitizers.md
        programs.prefix = ["setarch", "-R"]
        status, _, text = programs.run(source[:-2], 2)
    return None if status == 0 else "the sanitizer does not run here: " + text.strip()


def look(programs, names):
    """Runs all; the number of wrong ones."""
    wrong = excused = 0
    for name in names:
        for kind, looks in (("right", programs.look_right), ("racy", programs.look_racy)):
            excuse = programs.options.archer and ARCHER_WRONG.get(name, {}).get(kind)
            for threads in programs.options.threads:
                what = looks(name, threads)
                if not what:
                    continue
                wrong, excused = wrong + (not excuse), excused + bool(excuse)
                print("%s, %s, %d threads: %s%s" % (name, kind, threads,
                                                    "as known: %s: " % excuse if excuse else "",
                                                    what), flush=True)
    print("%d programs, each with and without a race: %d wrong, %d as known of Archer"
          % (len(names), wrong, excused))
    return wrong


def options_of(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", metavar="DIR",
                        help="folder of libgomp.so.1; without: the system's")
    parser.add_argument("--archer", metavar="FILE", nargs="?", const="newest",
                        help="LLVM's libarcher.so is the tool; without FILE: the newest installed")
    parser.add_argument("--members", help="NTH_MEMBERS")
    parser.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[2, 5])
    parser.add_argument("--runs", type=int, default=1, help="of a program without a race")
    parser.add_argument("--build", metavar="DIR", help="keep programs there")
    parser.add_argument("programs", nargs="*")
    return parser.parse_args(argv)


def main(argv):
    options = options_of(argv)
    if options.archer == "newest":
        options.archer = newest_archer()
        if not options.archer:
            print("skipped: no libarcher.so of LLVM %d or newer; Debian has it in libomp-19-dev"
                  % OLDEST_ARCHER)
            return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        programs = Programs(options, options.build or temporary)
        os.makedirs(programs.folder, exist_ok=True)
        reason = why_not(programs)
        if reason:
            print("skipped: " + reason)
            return SKIPPED
        names = options.programs or sorted(os.path.basename(file)[:-2]
                                           for file in glob.glob(os.path.join(HERE, "*.c")))
        return 1 if look(programs, names) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
