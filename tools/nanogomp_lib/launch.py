# launch.py - which programs a command line will start, as far as its words and scripts tell
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`bash -c 'venv/bin/python x.py'`, `make`, `mpirun -n 2 prog` and start scripts run the program
that matters as a child. Its name mostly stands in the command line, in the script or in the
makefile, and such words are looked at. Names that are put together while a script runs cannot be
seen; so an answer "nothing found" never means that nothing will be started.
"""

import os

from nanogomp_lib import program as program_module

SHELLS = {"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash"}
# Their words are commands, found by PATH too.
PREFIXES = {"env", "nice", "nohup", "time", "timeout", "taskset", "numactl", "setsid", "stdbuf",
            "ionice", "chrt", "strace", "ltrace", "gdb", "valgrind", "perf", "xargs", "parallel",
            "mpirun", "mpiexec", "mpiexec.hydra", "mpiexec.openmpi", "mpirun.openmpi", "orterun",
            "prterun", "mpirun.mpich", "mpiexec.mpich", "srun", "flock", "script", "unshare",
            "prlimit", "watch", "hyperfine", "systemd-run", "catchsegv", "nsenter", "chroot"}
MAKES = {"make", "gmake"}
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
# Names in a script that are worth a look without a slash; others are cp, sed and the like.
TOLD_NAMES = ("python", "pypy", "Rscript", "mpirun", "mpiexec")
SCRIPT_BYTES = 1 << 16
MOST_PROGRAMS = 8          # each takes a millisecond or two
PATH_VARIABLE = "LD_LIBRARY_PATH"
BREAKS = str.maketrans({**dict.fromkeys(";|&()`=<>,\t\r", " "), '"': None, "'": None})
# What a script writes for its own folder.
OWN_FOLDER = ('$(dirname "$0")', "$(dirname $0)", '$(dirname -- "$0")', "`dirname $0`",
              '`dirname "$0"`', "${0%/*}")
# Tools of the distribution find libgomp.so.1 by its name: those in a text are not looked at.
SYSTEM_FOLDERS = ("/bin", "/usr/bin", "/sbin", "/usr/sbin")


class Started:
    """programs: [(path, arguments)] that may be started. sets_path: who names LD_LIBRARY_PATH, or
    None. is_launcher: starts programs by trade, so that an empty list says nothing. is_plain:
    they stand in the command line itself."""

    def __init__(self):
        self.programs, self.sets_path = [], None
        self.is_launcher = self.is_plain = False

    def add(self, path, arguments=()):
        path = os.path.abspath(path)
        if len(self.programs) < MOST_PROGRAMS and path not in (p for p, _ in self.programs):
            self.programs.append((path, list(arguments)))


def is_program(path):
    return os.path.isfile(path) and os.access(path, os.X_OK)


def in_path(name, environment):
    for folder in environment.get("PATH", os.defpath).split(":"):
        path = os.path.join(folder or ".", name)
        if is_program(path):
            return path
    return None


def read_text(path):
    """The start of a script; "" for what is none. A pipe is left to who is to read it."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            data = file.read(SCRIPT_BYTES)
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode(errors="replace")


def without_comments(text):
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def is_told_name(name):
    """Whether a name without a folder is worth a look in PATH, in a text."""
    return name == "R" or name.startswith(TOLD_NAMES) or name in PREFIXES or name in MAKES


def is_told(path):
    """Whether a program that a text names is worth a look."""
    return os.path.dirname(path) not in SYSTEM_FOLDERS or is_told_name(os.path.basename(path))


class Words:
    """Finds the programs that words name.

    folder: of relative names. own: folders that stand for a variable that is not known.
    """

    def __init__(self, started, environment, folder=".", own=(), is_text=False):
        self.started, self.environment, self.is_text = started, environment, is_text
        self.folder, self.own = folder, list(own)

    def places(self, word):
        """Where a word with a slash may lead."""
        if word.startswith("$"):
            head, _, rest = word.partition("/")
            value = self.environment.get(head[1:].strip("{}"))
            return [os.path.join(f, rest) for f in ([value] if value else self.own) if rest]
        if word.startswith("~/"):
            return [os.path.join(self.environment.get("HOME", ""), word[2:])]
        return [os.path.join(self.folder, word)]

    def add(self, word, arguments, by_path):
        """Adds the program that a word names, if it names one."""
        found = []
        if "/" in word:
            for path in self.places(word):
                if path.endswith("/bin/activate"):  # of a virtual environment: its python follows
                    path = os.path.join(os.path.dirname(path), "python")
                found.append(path)
        elif word and word[0] not in "-$." and (by_path or is_told_name(word)):
            found.append(in_path(word, self.environment) or "")
        for path in found:
            if is_program(path) and (not self.is_text or is_told(path)):
                self.started.add(path, arguments)

    def add_all(self, words, by_path):
        for at, word in enumerate(words):
            self.add(word, words[at + 1:], by_path)

    def add_text(self, text, who, by_path=False):
        """Words of a script, of a makefile or behind -c."""
        text = without_comments(text)
        if PATH_VARIABLE in text or "/ldpaths" in text:  # R's script reads a file of that name
            self.started.sets_path = who
        for spelling in OWN_FOLDER if self.own else ():
            text = text.replace(spelling, self.own[0])
        for line in text.splitlines():
            words = [word.lstrip("@-+") or word for word in line.translate(BREAKS).split()]
            self.add_all(words, by_path)


def look_at_script(started, path, environment):
    here = os.path.dirname(os.path.realpath(path))
    text = read_text(path)
    look_at_r(started, text)
    if not look_at_pyenv(started, path, text, environment):
        words = Words(started, environment, own=(here, os.path.dirname(here)), is_text=True)
        words.add_text(text, os.path.basename(path))


def look_at_r(started, text):
    """R's start script: R_HOME_DIR=/usr/lib/R, and the program is bin/exec/R in it."""
    for line in text.splitlines():
        name, equals, value = line.strip().partition("=")
        if name == "R_HOME_DIR" and equals and "$" not in value:
            path = os.path.join(value.strip("\"'"), "bin", "exec", "R")
            if is_program(path):
                started.add(path)


def look_at_pyenv(started, path, text, environment):
    """A shim of pyenv: the real program by pyenv's own rules; whether it is one."""
    if "pyenv" not in text or " exec " not in text:
        return False
    root = environment.get("PYENV_ROOT") or os.path.dirname(os.path.dirname(path))
    for version in pyenv_versions(root, environment):
        real = os.path.join(root, "versions", version, "bin", os.path.basename(path))
        if is_program(real):
            started.add(real)
            return True
    found = [p for p in environment.get("PATH", "").split(":") if "/shims" not in p]
    real = in_path(os.path.basename(path), {"PATH": ":".join(found)})  # version "system"
    if real:
        started.add(real)
    return True


def pyenv_versions(root, environment):
    """PYENV_VERSION, .python-version here or above, the global file."""
    if environment.get("PYENV_VERSION"):
        return environment["PYENV_VERSION"].split(":")
    folder, files = program_module.current_folder() or "/", []
    while folder != os.path.dirname(folder):
        files.append(os.path.join(folder, ".python-version"))
        folder = os.path.dirname(folder)
    for path in files + [os.path.join(root, "version")]:
        versions = read_text(path).split()
        if versions:
            return versions
    return []


def look_at_shell(started, arguments, environment):
    """sh -c 'text', sh script."""
    for at, word in enumerate(arguments):
        if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
            started.is_plain = True
            for text in arguments[at + 1:at + 2]:
                Words(started, environment, is_text=True).add_text(text, "the command line", True)
            return
        if not word.startswith(("-", "+")):
            look_at_script(started, word, environment)
            Words(started, environment).add_all(arguments[at + 1:], True)
            return


def look_at_make(started, arguments, environment):
    folder, files = ".", []
    for at, word in enumerate(arguments):
        value = (arguments + [""])[at + 1]
        if word == "-C":
            folder = os.path.join(folder, value)
        elif word == "-f":
            files.append(value)
    for name in files or MAKEFILES:
        text = read_text(os.path.join(folder, name))
        if text:
            Words(started, environment, folder, is_text=True).add_text(text, name)
            return


def look_at_rscript(started, path, environment):
    beside = os.path.join(os.path.dirname(os.path.realpath(path)), "R")
    script = beside if is_program(beside) else in_path("R", environment)
    if script:
        started.add(script)


def look_at_prefix(started, name, arguments, environment):
    started.is_plain = True
    Words(started, environment).add_all(arguments, True)
    if any(PATH_VARIABLE in word for word in arguments) or (
            name == "env" and arguments[:1] in (["-i"], ["-"])):
        started.sets_path = "the command line"


def look(program, arguments, environment):
    """What program.Program, run with these arguments, may start."""
    started, last = Started(), os.path.basename(program.chain[-1])
    started.is_launcher = True
    if program.is_script and last in SHELLS:
        look_at_script(started, program.chain[-2], environment)
        Words(started, environment).add_all(arguments, True)
    elif last in SHELLS:
        look_at_shell(started, arguments, environment)
    elif last in MAKES:
        look_at_make(started, arguments, environment)
    elif last == "Rscript":
        look_at_rscript(started, program.path, environment)
    elif last in PREFIXES or os.path.basename(program.path) in PREFIXES:
        look_at_prefix(started, last, arguments, environment)
    else:
        started.is_launcher = False
        if not last.startswith(("python", "pypy")):  # its words are scripts
            Words(started, environment).add_all([w for w in arguments if "/" in w], False)
    return started


def program_of(path):
    """program.Program of a word that may be any file; None for what cannot be run."""
    try:
        return program_module.Program(path)
    except (program_module.CannotRun, OSError):
        return None
