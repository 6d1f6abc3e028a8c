# lines_source.py - from places in files of code to functions and lines of source, by addr2line
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""places() asks addr2line, as sites.py does. Of code that the compiler has put into another
function the innermost one counts: an access to a shared structure then has the name of the
structure's header. Without addr2line, or without debug information, a place is its file and
offset."""

import os

from nanogomp_lib import elf, sites


class Place:
    """file: the object; function, source ("dir/name.c:12"): None if unknown."""

    def __init__(self, path, offset, function=None, source=None):
        self.path, self.offset, self.function, self.source = path, offset, function, source

    def name(self, by):
        """By file: the source file; by function: it and the function; by line: also the line."""
        where = os.path.basename(self.path) if self.path else "unknown code"
        if not self.source:
            if by == "file":
                return where
            return "%s (%s)" % (self.function or hex(self.offset), where)
        file, _, line = os.path.basename(self.source).rpartition(":")
        text = {"file": file, "function": "%s %s" % (file, self.function),
                "line": "%s:%s %s" % (file, line, self.function)}[by]
        return "%s (%s)" % (text, where)


def ask(path, offsets):
    """{offset: Place} of one object."""
    found = {offset: Place(path, offset) for offset in offsets}
    try:
        object_file = elf.Elf(path)
        where = [object_file.address_of(offset) for offset in offsets]
    except (OSError, elf.NotElf):
        return found
    for offset, frames in zip(offsets, sites.ask_all(sites.find_tools(), path, where)):
        function, file, line = frames[0] if frames else (None, None, None)
        found[offset] = Place(path, offset, function, file and "%s:%d" % (file, line))
    return found


def places(events):
    """{(path or None, offset): Place}"""
    found = {}
    for path in {path for path, _ in events}:
        offsets = sorted(offset for where, offset in events if where == path)
        asked = ask(path, offsets) if path else {o: Place(None, o) for o in offsets}
        found.update(((path, offset), place) for offset, place in asked.items())
    return found
