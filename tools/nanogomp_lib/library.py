# library.py - finds our libgomp.so.1 and says how it is put into an environment
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

from nanogomp_lib import elf, preload

FILE = "libgomp.so.1"
OWN_FUNCTION = b"nth_report\0"  # tells our library from another libgomp.so.1
BUILD_PRESETS = ("release", "release-clang", "debug")


class NoLibrary(Exception):
    """No library, or one that cannot be used."""


def check_preload(path):
    """Refuses what LD_PRELOAD would cut into pieces."""
    if any(character in path for character in " \t:"):
        raise NoLibrary("%s: LD_PRELOAD cannot hold a path with blanks or colons" % path)


def candidates(tool, environment):
    """Folders to look into: NTH_LIB_DIR, the installed layout, the build tree of the sources."""
    if environment.get("NTH_LIB_DIR"):
        yield environment["NTH_LIB_DIR"]
        return
    root = os.path.dirname(os.path.dirname(os.path.realpath(tool)))
    lib = os.path.join(root, "lib")
    multiarch = [name for name in (os.listdir(lib) if os.path.isdir(lib) else ())
                 if name.endswith("-linux-gnu")]
    for folder in [lib, os.path.join(root, "lib64")] + [os.path.join(lib, m)
                                                        for m in sorted(multiarch)]:
        yield os.path.join(folder, "nanogomp")
    for preset in BUILD_PRESETS:
        yield os.path.join(root, "build", preset, "lib", "nanogomp")


class Library:
    """folder: what goes into LD_LIBRARY_PATH; path: folder/libgomp.so.1."""

    def __init__(self, folder):
        self.path = os.path.join(folder, FILE)
        try:
            self.folder = os.path.abspath(folder)  # fails if the current folder was removed
            self.path = os.path.join(self.folder, FILE)
            self.elf = elf.Elf(self.path)
        except (OSError, elf.NotElf) as error:
            raise NoLibrary("%s: %s" % (self.path, getattr(error, "strerror", None) or error))
        if ":" in self.folder or ";" in self.folder:
            raise NoLibrary("%s: ':' and ';' separate the folders of LD_LIBRARY_PATH" % self.folder)

    @property
    def is_nanogomp(self):
        return self.elf.holds(OWN_FUNCTION)

    def is_file(self, path):
        try:
            return os.path.samefile(self.path, path)
        except OSError:
            return False

    def path_list(self, old):
        """LD_LIBRARY_PATH with our folder first; `old` may be None."""
        rest = [folder for folder in (old or "").split(":") if folder != self.folder]
        return ":".join([self.folder] + rest if old else [self.folder])

    def preload_list(self, old, files=(FILE,)):
        """LD_PRELOAD with these files of ours last: sanitizers insist on being first."""
        mine = [preload.value(self.folder, self.elf.machine, name) for name in files]
        for path in mine:
            check_preload(path)
        rest = [path for path in (old or "").replace(":", " ").split() if path not in mine]
        return ":".join(rest + mine)

    @property
    def has_audit(self):
        return os.path.exists(os.path.join(self.folder, preload.AUDIT_FILE))

    def audit_list(self, old):
        """LD_AUDIT with our module last: an earlier one may have changed the name."""
        mine = preload.value(self.folder, self.elf.machine, preload.AUDIT_FILE)
        return ":".join([path for path in (old or "").split(":") if path and path != mine] + [mine])

    def beside(self, name):
        """The path of a file that is built and installed with the library."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            raise NoLibrary("%s: not there; it is built and installed with the library" % path)
        return path

    def check_hold(self):
        self.beside(preload.HOLD_FILE)

    def check_mpi(self):
        path = os.path.join(self.folder, preload.MPI_FILE)
        if not os.path.exists(path):
            raise NoLibrary("%s: not there; it is built where mpicc is found, and may be in a "
                            "package of its own" % path)


def tool_first(path, environment):
    """The variables by which OMPT's tool `path` is loaded, before the user's own."""
    others = environment.get("OMP_TOOL_LIBRARIES")
    return {"OMP_TOOL": "enabled", "OMP_TOOL_LIBRARIES": path + (":" + others if others else "")}


def find(tool, chosen, environment):
    """The Library of --lib, else the first candidate that has one."""
    if chosen:
        return Library(chosen)
    tried = list(candidates(tool, environment))
    for folder in tried:
        if os.path.exists(os.path.join(folder, FILE)):
            return Library(folder)
    raise NoLibrary("no %s in %s: build it (cmake --preset release && cmake --build --preset "
                    "release) or name its folder with --lib" % (FILE, ", ".join(tried)))
