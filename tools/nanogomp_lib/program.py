# program.py - finds the file that a command line means and the ELF file that will run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What execve(2) and the PATH search of execvp(3) would do, told beforehand."""

import os
import stat

from nanogomp_lib import elf, exits

SCRIPT_DEPTH = 5          # the kernel follows #! this often
SHEBANG_BYTES = 256       # and reads this much of the first line
RETURN = ("; its first line ends with a carriage return, as lines of Windows do, which the kernel "
          "takes for a part of the name")


class CannotRun(Exception):
    """status: exits.NOT_FOUND or exits.REFUSED, as shells and env(1) use them."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def current_folder():
    """None: it was removed, which leaves a process that is in it without a name for it."""
    try:
        return os.getcwd()
    except OSError:
        return None


def find(name):
    """Path of the program: as it is with a slash, else by PATH."""
    if "/" in name:
        if not os.path.exists(name):
            raise CannotRun(exits.NOT_FOUND, "%s: no such file" % name)
        return checked(name)
    refused = None
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        path = os.path.join(folder or ".", name)
        if os.path.isfile(path):
            if os.access(path, os.X_OK):
                return path
            refused = refused or path
    if refused:
        raise CannotRun(exits.REFUSED, "%s: not executable" % refused)
    here = "; the file here is ./%s" % name if os.path.isfile(name) else ""
    raise CannotRun(exits.NOT_FOUND, "%s: no such command in PATH%s" % (name, here))


def checked(path):
    if os.path.isdir(path):
        raise CannotRun(exits.REFUSED, "%s: is a directory" % path)
    if not os.path.isfile(path):  # to look into a pipe would be to wait for its writer
        raise CannotRun(exits.REFUSED, "%s: is no regular file" % path)
    if not os.access(path, os.X_OK):
        raise CannotRun(exits.REFUSED, "%s: not executable" % path)
    return path


def ignores_loader_variables(path):
    """Set-user-ID, set-group-ID and file capabilities: ld.so drops LD_LIBRARY_PATH (AT_SECURE)."""
    status = os.stat(path)
    if status.st_mode & stat.S_ISUID and status.st_uid != os.getuid():
        return True
    if status.st_mode & stat.S_ISGID and status.st_gid != os.getgid():
        return True
    try:
        return os.getuid() != 0 and bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False


def shebang(path):
    """Interpreter and its argument of a script, [] for other files. To the kernel only blanks and
    tabs end a word."""
    with open(path, "rb") as file:
        line = file.read(SHEBANG_BYTES).split(b"\n")[0]
    if not line.startswith(b"#!"):
        return []
    text = os.fsdecode(line[2:]).replace("\t", " ").strip(" ")
    return text.split(" ", 1) if text else []


def behind_env(words):
    """env(1) as interpreter: the program that it will look up, or None when that is not plain."""
    rest = words[1].split() if len(words) > 1 else []
    if any(quote in word for word in rest for quote in "\"'\\"):
        import shlex  # rare, and takes longer than all the rest
        try:
            rest = shlex.split(words[1])
        except ValueError:
            return None
    while rest and (rest[0] in ("-S", "-i") or rest[0].startswith("-S") or "=" in rest[0]):
        if rest[0].startswith("-S") and rest[0] != "-S":
            rest[0] = rest[0][2:]
        else:
            rest.pop(0)
    return rest[0] if rest and not rest[0].startswith("-") else None


class Program:
    """path: what is executed; chain: the scripts and interpreters on the way to `image`.

    image is None when the file cannot be read or is of a kind that only the kernel knows.
    """

    def __init__(self, name):
        self.path = find(name)
        self.chain = [self.path]
        self.image = None
        self.needs_shell = False  # a script without #!: execvp(3) hands it to /bin/sh
        path = self.path
        for _ in range(SCRIPT_DEPTH + 1):
            following = self._follow(path)
            if following is None:
                return
            path = following
            self.chain.append(path)
        raise CannotRun(exits.REFUSED, "%s: too many interpreters in turn" % self.path)

    def _follow(self, path):
        """The interpreter that runs `path`, or None when the end is reached."""
        try:
            words = shebang(path)
            if not words:
                self.image = elf.Elf(path)
                return None
        except OSError:  # the kernel will say why
            return None
        except elf.NotElf as error:
            self._take_shell(path, error)
            return None
        interpreter = words[0]
        if not os.path.exists(interpreter):
            raise CannotRun(exits.NOT_FOUND, "%s: interpreter %s: no such file%s" % (
                path, interpreter.rstrip("\r"), RETURN if interpreter.endswith("\r") else ""))
        target = behind_env(words) if os.path.basename(interpreter) == "env" else None
        return find(target) if target else interpreter

    def _take_shell(self, path, error):
        """A text without #! goes to the shell; a damaged program goes nowhere."""
        with open(path, "rb") as file:
            start = file.read(SHEBANG_BYTES)
        if start.startswith(b"\x7fELF"):
            raise CannotRun(exits.REFUSED, str(error)) from error
        if b"\0" not in start and path == self.path:
            self.needs_shell = True
            self.chain.append("/bin/sh")
            self.image = elf.Elf("/bin/sh")

    @property
    def is_script(self):
        return len(self.chain) > 1
