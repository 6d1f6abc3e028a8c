# loader.py - which shared objects the dynamic loader will put into a program, and from where
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows ld.so(8) without running anything of the program.

For a name without a slash: DT_RPATH of the object and of the objects that led to it (none of it
when the object has a DT_RUNPATH), LD_LIBRARY_PATH, the object's DT_RUNPATH, /etc/ld.so.cache,
the default folders. A file of another class or machine is passed over. What the program opens
later by dlopen() cannot be seen here.
"""

import os
import struct

from nanogomp_lib import elf

MULTIARCH = {"x86-64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu", "i386": "i386-linux-gnu"}
CACHE = "/etc/ld.so.cache"
CACHE_MAGIC = b"glibc-ld.so.cache1.1"


class LoadedObject:
    """One object of the program: `how` says by which rule it was found."""

    def __init__(self, image, loader, how):
        self.elf, self.loader, self.how = image, loader, how
        self.path = image.path

    @property
    def name(self):
        return os.path.basename(self.path)


def file_identity(path):
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


class Cache:
    """The file of ldconfig(8); empty when there is none that we understand."""

    def __init__(self, path=CACHE):
        self.rows = {}
        try:
            with open(path, "rb") as file:
                self.data = file.read()
            self.start = self.data.find(CACHE_MAGIC)
            if self.start >= 0:
                self._read()
        except (OSError, struct.error):
            self.rows = {}

    def _read(self):
        # struct cache_file_new: magic, entries, length of strings, 5 more words; 24 bytes a row
        (count,) = struct.unpack_from("I", self.data, self.start + len(CACHE_MAGIC))
        first = self.start + 48
        table = struct.Struct("iII12x").iter_unpack(self.data[first:first + 24 * count])
        for number, (_, key, value) in enumerate(table):
            self.rows.setdefault(key, []).append((number, value))

    def paths(self, name):
        """Paths of the library `name` in the cache's order.

        The name is searched for as text: a table of all names would cost more than the search.
        """
        text, found = os.fsencode(name) + b"\0", []
        at = self.data.find(text) if self.rows else -1
        while at >= 0:
            found += self.rows.get(at - self.start, ())
            at = self.data.find(text, at + 1)
        for _, value in sorted(found):
            end = self.data.find(b"\0", self.start + value)
            yield os.fsdecode(self.data[self.start + value:end])


class Known:
    """What was read already: programs that a launcher starts share their libraries."""
    images, cache = {}, None


def image_of(path, identity):
    key = path, identity
    if key not in Known.images:
        Known.images[key] = elf.Elf(path)
    return Known.images[key]


def cached_paths(name):
    if Known.cache is None:
        Known.cache = Cache()
    return Known.cache.paths(name)


class Closure:
    """The program, what is preloaded, and all that they need, in the loader's order.

    objects: LoadedObject list, the program first. missing: names that were not found.
    """

    def __init__(self, program, library_path="", preload=()):
        self.program = program
        self.library_path = [folder or "." for folder in library_path.replace(";", ":").split(":")
                             if library_path]
        self.objects, self.missing = [LoadedObject(program, None, "the program")], []
        self._files = {file_identity(program.path)}
        for path in preload:
            self._open(path, self.objects[0], "LD_PRELOAD")
        for user in self.objects:  # grows meanwhile: what is opened has needs of its own
            self._open_needed(user)

    def _open_needed(self, user):
        """Opens what `user` needs."""
        for name in user.elf.needed:
            if any(name in (o.elf.soname, o.path, o.name) for o in self.objects):
                continue
            if not any(self._open(path, user, how) for path, how in self._candidates(name, user)):
                self.missing.append(name)

    def later(self, name):
        """(path, rule) for what the program itself would open by dlopen(name), or None."""
        for path, how in self._candidates(name, self.objects[0]):
            try:
                if elf.Elf(path).kind == self.program.kind:
                    return path, how
            except (OSError, elf.NotElf):
                pass
        return None

    def _open(self, path, user, how):
        """Whether the loader takes this file: it is there and of the program's kind."""
        try:
            identity = file_identity(path)
            if identity in self._files:
                return True
            image = image_of(path, identity)
        except (OSError, elf.NotElf):
            return False
        if image.kind != self.program.kind:
            return False
        self._files.add(identity)
        self.objects.append(LoadedObject(image, user, how))
        return True

    def _candidates(self, name, user):
        """(path, rule) pairs in the order in which the loader tries them."""
        if "/" in name:
            for path in self._expand(name, user):
                yield path, "a path in DT_NEEDED"
            return
        if user.elf.runpath is None:
            for owner in self._chain(user):
                for folder in self._folders(owner.elf.rpath, owner):
                    yield os.path.join(folder, name), "DT_RPATH of " + owner.name
        for folder in self.library_path:
            yield os.path.join(folder, name), "LD_LIBRARY_PATH"
        for folder in self._folders(user.elf.runpath, user):
            yield os.path.join(folder, name), "DT_RUNPATH of " + user.name
        for path in cached_paths(name):
            yield path, "the loader's cache"
        for folder in self._default_folders():
            yield os.path.join(folder, name), "the default folders"

    def _chain(self, user):
        """The object, those that led to it, and the program."""
        while user is not None:
            yield user
            user = user.loader

    def _folders(self, path_list, owner):
        for item in (path_list or "").split(":"):
            if item:
                for folder in self._expand(item, owner):
                    yield folder

    def _expand(self, text, owner):
        """The loader's own variables; $LIB and $PLATFORM differ by distribution: all in use."""
        if "$" not in text:
            yield text
            return
        import re  # rare, and takes longer than all the rest
        origin = os.path.dirname(os.path.realpath(owner.path))
        text = re.sub(r"\$(ORIGIN\b|\{ORIGIN\})", lambda match: origin, text)
        libs = self._lib_names() if re.search(r"\$\{?LIB\b", text) else [""]
        platforms = self._platforms() if re.search(r"\$\{?PLATFORM\b", text) else [""]
        for lib in libs:
            for platform in platforms:
                one = re.sub(r"\$(LIB\b|\{LIB\})", lib, text)
                yield re.sub(r"\$(PLATFORM\b|\{PLATFORM\})", platform, one)

    def _machine(self):
        return elf.MACHINES.get(self.program.machine, "")

    def _lib_names(self):
        names = ["lib64", "lib"] if self.program.bits == 64 else ["lib32", "lib"]
        multiarch = MULTIARCH.get(self._machine())
        return (["lib/" + multiarch] if multiarch else []) + names

    def _platforms(self):
        if self._machine() == "i386":
            return ["i686", "i586"]
        return ["haswell", "x86_64"] if self._machine() == "x86-64" else [self._machine()]

    def _default_folders(self):
        for prefix in ("/", "/usr/"):
            for name in self._lib_names():
                yield prefix + name
