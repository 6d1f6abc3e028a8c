# race.py - `nanogomp run --race`: runs a program under the thread sanitizer, tells the races
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler puts the sanitizer into the program; docs/races.md says how. Its reports go to files
of our own, and this process stays behind to read them: each race becomes a few lines, told once."""

import glob
import os
import re
import shutil
import sys
import tempfile

from nanogomp_lib import child, launch, output, program, run, signals

SIGN = b"__tsan_init"            # a program or library with the sanitizer names it
SHARED = "libtsan.so"            # the sanitizer as a library of its own
HOW = ("compile and link all of it by  gcc -g -O1 -fsanitize=thread -fopenmp  (g++ and gfortran "
       "alike)")
# Of libraries without the sanitizer it sees some calls, but not what orders them.
OPTIONS = ("ignore_noninstrumented_modules=1",)
MOST_BITS = 28                   # of random addresses, with which gcc 12's sanitizer can do
NO_RANDOM = 0x0040000            # ADDR_NO_RANDOMIZE of personality(2)
LONGEST = 20                     # races that are told
GIVEN_UP = 66                    # the status of a sanitizer that cannot start
RULE = "=================="
HEADS = ("WARNING: ThreadSanitizer", "ERROR: ThreadSanitizer", "FATAL: ThreadSanitizer",
         "ThreadSanitizer: CHECK")

FRAME = re.compile(r"^\s+#\d+ (?P<function>.+?) (?P<place>\S+?:\d+(?::\d+)?|<null>) "
                   r"\((?P<module>[^()]*)\)")
ACCESS = re.compile(r"^  (?P<before>Previous )?(?P<atomic>atomic )?(?P<what>read|write) of size "
                    r"(?P<size>\d+) at \S+ by (?P<thread>thread T\d+|main thread)", re.IGNORECASE)
LOCATION = re.compile(r"^  Location is (?P<what>.*)")


def image_with_sanitizer(found, arguments, environment):
    """The file, of the program or of what it starts (mpirun, a script), that has the sanitizer in
    it; None: there is none, as far as can be told."""
    if found.image and found.image.holds(SIGN):
        return found.image
    for path, _ in launch.look(found, arguments, environment).programs:
        started = launch.program_of(path)
        if started and started.image and started.image.holds(SIGN):
            return started.image
    return None


def warnings(image, environment):
    """What keeps the sanitizer from seeing all."""
    lines = []
    if image and not any(name.startswith(SHARED) for name in image.needed):
        lines.append("the sanitizer is part of the program's file (-static-libtsan, or clang): if "
                     "it does not export the sanitizer's functions, the library cannot tell it "
                     "what OpenMP orders, and it reports races that are none")
    if environment.get("OMP_TOOL_LIBRARIES"):
        lines.append("OMP_TOOL_LIBRARIES is set: that tool hears of OpenMP, and has to tell the "
                     "sanitizer (LLVM's libarcher.so does)")
    return lines


def options_of(environment, path):
    """TSAN_OPTIONS: ours, then the user's, which win. path: where reports go, quoted as blanks,
    commas and colons end a value; None: stderr."""
    quote = "'" if path and '"' in path else '"'
    mine = list(OPTIONS) + (["log_path=" + quote + path + quote] if path else [])
    return " ".join(mine + [environment.get("TSAN_OPTIONS", "")]).strip()


# --- reports ---

class Race:
    """One report of the sanitizer: what was accessed, twice, and where it lies."""

    def __init__(self, text):
        self.text, self.accesses, self.location, self.count = text, [], "", 1
        self._read(text.splitlines())

    @property
    def is_plain(self):
        return "data race" in self.text.partition("\n")[0] and len(self.accesses) == 2

    @property
    def name(self):
        """Equal for reports of the same race."""
        if self.is_plain:
            return frozenset((what, where) for what, where, _ in self.accesses)
        return self.text

    def _read(self, lines):
        part = None
        for line in lines:
            access, location, frame = ACCESS.match(line), LOCATION.match(line), FRAME.match(line)
            if access:
                part = access
                self.accesses.append([described(access), "", access["thread"]])
            elif location and not self.location:
                part, self.location = location, self._cleaned(location["what"])
            elif line.startswith("  ") and not line.startswith("    "):
                part = None
            elif frame and part and frame["place"] != "<null>" and not is_sanitizer(frame):
                where = "%s (%s)" % (short(frame["place"]), frame["function"])
                if part.re is LOCATION:
                    self.location += ", " + where
                elif not self.accesses[-1][1]:
                    self.accesses[-1][1] = where
                    continue
                part = None if part.re is LOCATION else part

    @staticmethod
    def _cleaned(text):
        return re.sub(r" at 0x[0-9a-f]+|:$| \(\S+\+0x[0-9a-f]+\)|\.$", "", text)

    def lines(self, number):
        if not self.is_plain:
            return ["%d. %s" % (number, self.text.splitlines()[0])] + self.text.splitlines()[1:]
        made = []
        for at, (what, where, thread) in enumerate(self.accesses):
            before = "%d." % number if at == 0 else "   against an" if what[0] == "a" \
                else "   against a"
            made.append("%s %s by %s: %s" % (before, what, thread,
                                             where or "no source line; compile with -g"))
        if self.location:
            made.append("   it is in " + self.location)
        if self.count > 1:
            made.append("   seen %d times" % self.count)
        return made


def described(access):
    return "%s%s of %s byte%s" % ("atomic " if access["atomic"] else "", access["what"].lower(),
                                  access["size"], "" if access["size"] == "1" else "s")


def is_sanitizer(frame):
    return frame["module"].startswith(("libtsan", "libgomp"))


def short(place):
    """A source line, from here if it is below this folder."""
    here = program.current_folder()
    return place[len(here) + 1:] if here and place.startswith(here + "/") else place


def races_of(texts):
    """The races in what the sanitizer has written, each once."""
    found = {}
    for text in texts:
        for part in text.split(RULE):
            part = part.strip("\n")
            if not part.startswith(HEADS):
                continue
            race = Race(part)
            if race.name in found:
                found[race.name].count += 1
            else:
                found[race.name] = race
    return list(found.values())


def tell_none(status):
    """The program's status tells a run without races from one without the sanitizer."""
    if os.WIFSIGNALED(status):
        end = "signal %d ended the program" % os.WTERMSIG(status)
    elif os.WEXITSTATUS(status) == GIVEN_UP:
        end = "the program ended with status %d" % GIVEN_UP
    else:
        run.say("race: no race was seen in this run")
        return
    run.say("race: %s, and there is no report: the sanitizer has not run, or not to the end; "
            "whether there are races is not known" % end)


def tell(texts, status, verbose):
    """status: the program's, as wait(2) has it."""
    races = races_of(texts)
    plain = sum(race.is_plain for race in races)
    if not races:
        tell_none(status)
        return
    run.say("race: %d race%s in this run" % (plain, "" if plain == 1 else "s") +
            (", and %d other reports" % (len(races) - plain) if len(races) > plain else ""))
    for number, race in enumerate(races[:LONGEST], 1):
        for line in race.lines(number):
            print("  " + line, file=sys.stderr)
    if len(races) > LONGEST:
        run.say("race: and %d more; mend these first" % (len(races) - LONGEST))
    if verbose:
        sys.stderr.write("\n".join(texts))
    else:
        run.say("race: -v shows the sanitizer's full reports, with all frames")


# --- the run ---

def less_random():
    """Before the program starts: gcc 12's sanitizer stops where addresses are too random."""
    try:
        with open("/proc/sys/vm/mmap_rnd_bits", encoding="ascii") as file:
            if int(file.read()) <= MOST_BITS:
                return
        import ctypes
        libc = ctypes.CDLL(None)
        libc.personality(libc.personality(0xffffffff) | NO_RANDOM)
    except (OSError, ValueError, AttributeError):
        pass


def report_folder():
    """None: there can be none, which is said. TSAN_OPTIONS cannot hold both kinds of quotes."""
    try:
        usual = tempfile.gettempdir()
        where = "/tmp" if "'" in usual and '"' in usual else usual
        return tempfile.mkdtemp(prefix="nanogomp-race-", dir=where)
    except OSError as error:
        run.say("race: no folder for the sanitizer's reports, which are on standard error as it "
                "writes them: " + output.trouble(error))
        return None


def run_alone(found, options, environment):
    """The sanitizer's reports are not read."""
    environment["TSAN_OPTIONS"] = options_of(environment, None)
    less_random()
    return run.execute(found, options.command, environment)


def main(found, options, environment):
    """Runs the program; its exit status. A program without the sanitizer just runs."""
    image = image_with_sanitizer(found, options.command[1:], environment)
    if not image and SHARED not in environment.get("LD_PRELOAD", ""):
        run.say("race: %s is not compiled with the thread sanitizer, so no race can be seen; %s. "
                "The program runs as it is" % (found.chain[-1], HOW))
        return run.execute(found, options.command, environment)
    for line in warnings(image, environment):
        run.say("race: warning: " + line)
    if "log_path=" in environment.get("TSAN_OPTIONS", ""):
        run.say("race: the sanitizer's reports go where log_path of TSAN_OPTIONS says")
        return run_alone(found, options, environment)
    signals.end_in_order()
    folder = report_folder()
    if folder is None:
        return run_alone(found, options, environment)
    try:
        environment["TSAN_OPTIONS"] = options_of(environment, os.path.join(folder, "report"))
        _, status = child.start_and_wait(found, options.command, environment, less_random)
        texts = []
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "report.*"))):
            with open(path, encoding="utf-8", errors="replace") as file:
                texts.append(file.read())
        tell(texts, status, options.verbose)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return child.end_as(status)
