# dwarf.py - the functions of an ELF file, and the rows of its line table in their order
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""addr2line gives an address the last of the line table's rows that it has. A function that begins
with inlined code has several rows for its first address. The first row is the function's own. So
that a large program costs little, only the units of the addresses that are asked for are read:
.debug_aranges tells which these are. Compressed sections and separate files of debug information
(by build-id and by .gnu_debuglink) are read too.

Source of the numbers: DWARF 5, chapters 6.1.2, 6.2 and 7; System V ABI (gABI), chapter 4.
"""

import bisect
import os
import struct
import zlib

SHT_SYMTAB, SHT_DYNSYM, SHT_NOBITS, SHF_COMPRESSED, STT_FUNC = 2, 11, 8, 0x800, 2
NOTE_OF_ID = b"GNU\0"
DEBUG_FOLDER = "/usr/lib/debug"
NAME, STMT_LIST, COMP_DIR = 0x03, 0x10, 0x1b  # attributes
PATH, DIRECTORY = 1, 2  # what a line table's file entries say
# bytes of the forms of fixed size; -1: an offset
SIZES = {0x0b: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1e: 16, 0x0c: 1, 0x19: 0, 0x0e: -1, 0x17: -1,
         0x1f: -1, 0x01: 8, 0x25: 1, 0x26: 2, 0x28: 4, 0x29: 1, 0x2a: 2, 0x2c: 4, 0x11: 1, 0x12: 2,
         0x13: 4, 0x14: 8, 0x10: -1, 0x1d: -1, 0x20: 8, 0x21: 0}
NUMBERS = (0x0f, 0x1a, 0x1b, 0x0d, 0x15, 0x22, 0x23)  # forms of LEB128
STRING, STRP, LINE_STRP, BLOCK, BLOCK_1, CONSTANT = 0x08, 0x0e, 0x1f, 0x09, 0x0a, 0x21


class Reader:
    """Takes values from bytes, one after the other."""

    def __init__(self, data, order, at=0):
        self.data, self.order, self.at, self.wide = data, order, at, False

    def take(self, form):
        (value,) = struct.unpack_from(self.order + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def length(self):
        """Of a unit; from here on offsets are as wide as it says."""
        size = self.take("I")
        self.wide = size == 0xffffffff
        return self.take("Q") if self.wide else size

    def offset(self):
        return self.take("Q" if self.wide else "I")

    def number(self):
        """LEB128, unsigned; of a signed one the bits."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        begin, value = self.at, self.number()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) else value

    def string(self):
        end = self.data.index(b"\0", self.at)
        text, self.at = self.data[self.at:end], end + 1
        return text


class File:
    """The sections of a 64-bit ELF file."""

    def __init__(self, path):
        self.path, self.sections = path, {}
        with open(path, "rb") as file:
            head = file.read(64)
            if head[:5] != b"\x7fELF\x02":
                raise ValueError("no 64-bit ELF file")
            self.order = "<" if head[5] == 1 else ">"
            (shoff,) = struct.unpack_from(self.order + "Q", head, 40)
            size, count, names = struct.unpack_from(self.order + "3H", head, 58)
            form = struct.Struct(self.order + "IIQQQQIIQQ")
            file.seek(shoff)
            table = file.read(size * count)
            rows = [form.unpack_from(table, i * size) for i in range(count)]
            if rows:
                file.seek(rows[names][4])
                text = file.read(rows[names][5])
                self.sections = {Reader(text, self.order, row[0]).string(): row for row in rows}

    def content(self, name):
        row = self.sections.get(name)
        if row is None or row[1] == SHT_NOBITS:
            return b""
        with open(self.path, "rb") as file:
            file.seek(row[4])
            data = file.read(row[5])
        if row[2] & SHF_COMPRESSED:
            (kind,) = struct.unpack_from(self.order + "I", data)
            data = zlib.decompress(data[24:]) if kind == 1 else b""
        return data

    def functions(self):
        """[(address, end)], by address."""
        row = self.sections.get(b".symtab") or self.sections.get(b".dynsym")
        data = self.content(b".symtab") or self.content(b".dynsym")
        if row is None:
            return []
        return sorted({(value, value + size) for _, info, _, section, value, size
                       in struct.Struct(self.order + "IBBHQQ").iter_unpack(
                           data[:len(data) - len(data) % 24])
                       if info & 15 == STT_FUNC and section and size})

    def build_id(self):
        note = self.content(b".note.gnu.build-id")
        return note[16:].hex() if note[12:16] == NOTE_OF_ID else None


def with_lines(path):
    """The File that has the debug information of a file."""
    file = File(path)
    if b".debug_line" in file.sections:
        return file
    name, found = file.build_id(), []
    if name:
        found.append("%s/.build-id/%s/%s.debug" % (DEBUG_FOLDER, name[:2], name[2:]))
    link = os.fsdecode(file.content(b".gnu_debuglink").partition(b"\0")[0])
    folder = os.path.dirname(os.path.realpath(path))
    if link:
        found += [os.path.join(place, link)
                  for place in (folder, folder + "/.debug", DEBUG_FOLDER + folder)]
    return next((File(one) for one in found if os.path.isfile(one)), file)


class Lines:
    """The line table of a file. Whatever is damaged or unknown in it is as if it were not there."""

    def __init__(self, path):
        self._rows, self._units, self._read = {}, [], set()
        self._ends, self._starts = [], []
        try:
            self._file = with_lines(path)
            spans = self._file.functions()
            self._starts = [start for start, _ in spans]
            self._ends = [end for _, end in spans]
            self._sections = {name: self._file.content(b".debug_" + name)
                              for name in (b"info", b"abbrev", b"line", b"str", b"line_str")}
            self._ranges = sorted(self._aranges())
        except (OSError, ValueError, struct.error, IndexError, zlib.error):
            self._sections, self._ranges = {}, []

    def span(self, address):
        """(address, end) of the function around an address; None: unknown."""
        at = bisect.bisect_right(self._starts, address) - 1
        known = at >= 0 and address < self._ends[at]
        return (self._starts[at], self._ends[at]) if known else None

    def first(self, address):
        """(file, line) of the first row that an address has; None: it has none of its own."""
        rows = self._unit_at(address)
        at = bisect.bisect_left(rows, (address,))
        if at == len(rows) or rows[at][0] != address:
            return None
        return rows[at][2], rows[at][3]

    def last(self, begin, end, file):
        """The largest line of a file between two addresses; 0: there is none."""
        rows = self._unit_at(begin)
        return max((row[3] for row in rows[bisect.bisect_left(rows, (begin,)):
                                           bisect.bisect_left(rows, (end,))] if row[2] == file),
                   default=0)

    def _aranges(self):
        """(address, end, offset of the unit)"""
        reader = Reader(self._file.content(b".debug_aranges"), self._file.order)
        while reader.at < len(reader.data):
            begin, size = reader.at, reader.length()
            end = reader.at + size
            reader.take("H")
            unit, width, _ = reader.offset(), reader.take("B"), reader.take("B")
            if width == 8:
                reader.at = begin + (reader.at - begin + 15) // 16 * 16
                while reader.at + 16 <= end:
                    address, length = reader.take("Q"), reader.take("Q")
                    if length:
                        yield address, address + length, unit
            reader.at = end

    def _unit_at(self, address):
        """[(address, number, file, line)] of the unit around an address, sorted."""
        at = bisect.bisect_right(self._ranges, (address, 1 << 64)) - 1
        if at < 0 or address >= self._ranges[at][1]:
            return []
        unit = self._ranges[at][2]
        if unit not in self._rows:
            try:
                self._rows[unit] = sorted(self._rows_of(*self._attributes(unit)))
            except (ValueError, struct.error, IndexError, KeyError):
                self._rows[unit] = []
        return self._rows[unit]

    def _text(self, name, at):
        return Reader(self._sections[name], self._file.order, at).string()

    def _value(self, reader, form):
        """Of an attribute: a number or bytes."""
        if form == STRING:
            return reader.string()
        if form in NUMBERS:
            return reader.number()
        if form in (BLOCK, BLOCK_1):
            size = reader.number() if form == BLOCK else reader.take("B")
            reader.at += size
            return reader.data[reader.at - size:reader.at]
        size = SIZES[form]
        if size == -1:
            value = reader.offset()
            return self._text({STRP: b"str", LINE_STRP: b"line_str"}[form], value) \
                if form in (STRP, LINE_STRP) else value
        reader.at += size
        return int.from_bytes(reader.data[reader.at - size:reader.at],
                              "little" if reader.order == "<" else "big")

    def _attributes(self, unit):
        """(offset of its line table, the folder of the compiler) of a unit."""
        reader = Reader(self._sections[b"info"], self._file.order, unit)
        reader.length()
        version = reader.take("H")
        if version >= 5:
            kind, _, abbreviations = reader.take("B"), reader.take("B"), reader.offset()
            reader.at += {4: 8, 5: 8}.get(kind, 0)  # of a skeleton: its number
        else:
            abbreviations, _ = reader.offset(), reader.take("B")
        code, found = reader.number(), {}
        for name, form, constant in self._abbreviation(abbreviations, code):
            found[name] = constant if form == CONSTANT else self._value(reader, form)
            if STMT_LIST in found and COMP_DIR in found:
                break
        folder = found.get(COMP_DIR, b"")
        return found[STMT_LIST], folder if isinstance(folder, bytes) else b""

    def _abbreviation(self, at, code):
        """(attribute, form, constant) of each."""
        reader = Reader(self._sections[b"abbrev"], self._file.order, at)
        while True:
            number = reader.number()
            if number:
                reader.number()  # the tag
                reader.take("B")
            found = []
            while number:
                name, form = reader.number(), reader.number()
                constant = reader.signed() if form == CONSTANT else 0
                if not name and not form:
                    break
                found.append((name, form, constant))
            if number in (code, 0):
                return found

    # --- the line table of a unit ---

    def _rows_of(self, at, folder):
        reader = Reader(self._sections[b"line"], self._file.order, at)
        size = reader.length()
        end, version = reader.at + size, reader.take("H")
        if version >= 5:
            reader.at += 2
        head = reader.offset()
        program = reader.at + head
        step = reader.take("B")
        if version >= 4:
            reader.take("B")
        reader.take("B")
        base, span, first = reader.take("b"), reader.take("B"), reader.take("B")
        arguments = [0] + [reader.take("B") for _ in range(first - 1)]
        files = self._files(reader, version, folder)
        reader.at = program
        rows = []
        for address, number, line in program_rows(reader, end, step, (base, span, first),
                                                  arguments):
            rows.append((address, len(rows), files.get(number), line))
        return rows

    def _files(self, reader, version, folder):
        """{number: path}"""
        if version >= 5:
            folders = [entry.get(PATH, b"") for entry in self._entries(reader)]
            named = [(entry.get(PATH, b""), entry.get(DIRECTORY, 0))
                     for entry in self._entries(reader)]
            first = 0
        else:
            folders, named, first = [folder], [], 1
            while reader.data[reader.at]:
                folders.append(reader.string())
            reader.at += 1
            while reader.data[reader.at]:
                named.append((reader.string(), reader.number()))
                reader.number()
                reader.number()
        return {first + i: os.fsdecode(os.path.normpath(os.path.join(
            folder, folders[place] if place < len(folders) else b"", name)))
            for i, (name, place) in enumerate(named)}

    def _entries(self, reader):
        forms = [(reader.number(), reader.number()) for _ in range(reader.take("B"))]
        return [{kind: self._value(reader, form) for kind, form in forms}
                for _ in range(reader.number())]


def program_rows(reader, end, step, special, arguments):
    """(address, number of the file, line) of a line number program. step: bytes of the shortest
    instruction; special: the least line, the lines and the first of the codes that change both."""
    base, span, first = special
    data, address, file, line = reader.data, 0, 1, 1
    while reader.at < end:
        code = data[reader.at]
        reader.at += 1
        if code >= first:
            code -= first
            address += code // span * step
            line += base + code % span
            yield address, file, line
        elif code == 0:
            size = reader.number()
            after, what = reader.at + size, data[reader.at]
            reader.at += 1
            if what == 1:
                address, file, line = 0, 1, 1
            elif what == 2:
                address = reader.take("Q")
            reader.at = after
        elif code == 1:
            yield address, file, line
        elif code == 2:
            address += reader.number() * step
        elif code == 3:
            line += reader.signed()
        elif code == 4:
            file = reader.number()
        elif code == 8:
            address += (255 - first) // span * step
        elif code == 9:
            address += reader.take("H")
        else:
            for _ in range(arguments[code]):
                reader.number()
