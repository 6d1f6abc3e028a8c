# elf.py - reads what the dynamic loader reads of an ELF file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small ELF reader: class, machine, PT_INTERP, PT_DYNAMIC and the OpenMP symbols.

Both classes and both byte orders, as files of a foreign kind must be told apart, not misread.
Source of the numbers: System V ABI (gABI), chapters "Object Files" and "Dynamic Linking".
A start of a program reads dozens of files by this, so that only the tables are read, by pread(2),
and only names of OpenMP runtimes are kept: they are first looked for as text in the string table.
A library with 100000 other symbols costs no more than a search.
"""

import os
import struct

MACHINES = {3: "i386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390", 40: "arm", 62: "x86-64",
            183: "aarch64", 243: "riscv", 258: "loongarch"}
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_TLS = 1, 2, 3, 7
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 5, 6, 10, 14, 15, 29
DT_FLAGS, DT_AUDITS = 30, (0x6FFFFEFB, 0x6FFFFEFC)
DF_STATIC_TLS = 16
SHT_SYMTAB, SHT_NOTE, SHT_DYNSYM = 2, 7, 11
NT_GNU_BUILD_ID = 3
SEGMENT_SIZES, SECTION_SIZES = {32: 32, 64: 56}, {32: 40, 64: 64}

RUNTIME_PREFIXES = (b"GOMP_", b"GOACC_", b"omp_", b"__kmpc_")
# Texts that any libgomp holds; together they tell a stripped program with libgomp.a in it.
LIBGOMP_TEXTS = (b"GOMP_SPINCOUNT\0", b"OMP_STACKSIZE\0", b"libgomp: ")
# libgomp's start calls it, few others do: a dynamic program without it needs no search for texts.
LIBGOMP_IMPORT = b"\0pthread_getaffinity_np\0"
CHUNK_BYTES = 1 << 20


class NotElf(Exception):
    """The file is not ELF or its tables make no sense."""


def runtime_names(text):
    """{offset: name} of OpenMP names in a string table.

    A name may be the tail of a longer one, so every place where one begins counts.
    """
    names = {}
    for prefix in RUNTIME_PREFIXES:
        at = text.find(prefix)
        while at >= 0:
            end = text.find(b"\0", at)
            if end < 0:
                break
            if text[at:end].replace(b"_", b"").isalnum():  # no name of a version node: GOMP_4.0
                names[at] = text[at:end]
            at = text.find(prefix, at + 1)
    return names


class Elf:
    """One file. Names are str; `defined` and `undefined` hold OpenMP runtime names only."""

    def __init__(self, path):
        self.path = path
        self.interp = self.soname = self.rpath = self.runpath = None
        self.needed = []
        self.defined, self.undefined = set(), set()
        self.is_dynamic = False
        self.has_audit = self.has_glibc_2_32 = False
        self.tls, self.static_tls = 0, 0  # bytes; those that must be there at the start
        self._static_names = None
        self._may_hold_libgomp = True
        self._with_file(self._read)

    def _with_file(self, what):
        self._file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return what()
        finally:
            os.close(self._file)

    @property
    def kind(self):
        """What must be equal for two files to share a process."""
        return (self.bits, self.machine, self.order)

    @property
    def kind_text(self):
        name = MACHINES.get(self.machine, "machine %d" % self.machine)
        return "%d-bit %s" % (self.bits, name)

    @property
    def static_names(self):
        """OpenMP names that the program's own symbol table defines, when it is not stripped. None
        where that table is damaged: neither the kernel nor the loader looks at it."""
        if self._static_names is None:
            try:
                self._static_names = self._with_file(self._read_static_names)
            except NotElf:
                self._static_names = set()
        return self._static_names

    def has_libgomp_texts(self):
        """Whether libgomp's code seems to be in this file, symbols or not."""
        return self._may_hold_libgomp and all(self.holds(text) for text in LIBGOMP_TEXTS)

    def build_id(self):
        """In hexadecimal; None: the file has none."""
        try:
            return self._with_file(self._read_build_id)
        except (NotElf, struct.error):
            return None

    def _read_build_id(self):
        for kind, start, size, _ in self._sections():
            if kind != SHT_NOTE:
                continue
            notes, at = os.pread(self._file, min(size, CHUNK_BYTES), start), 0
            while at + 12 <= len(notes):
                name, length, what = struct.unpack_from(self.order + "III", notes, at)
                content = at + 12 + (name + 3) // 4 * 4
                if what == NT_GNU_BUILD_ID and notes[at + 12:at + 16] == b"GNU\0":
                    return notes[content:content + length].hex()
                at = content + (length + 3) // 4 * 4
        return None

    def holds(self, text):
        """Whether the bytes are anywhere in the file."""
        def search():
            at, rest = 0, b""
            while True:
                chunk = os.pread(self._file, CHUNK_BYTES, at)
                if text in rest + chunk:
                    return True
                if not chunk:
                    return False
                at, rest = at + len(chunk), chunk[-len(text):]
        return self._with_file(search)

    def address_of(self, offset):
        """The address, before the file is loaded, of what lies at an offset of the file."""
        for vaddr, at, size in self._loads:
            if at <= offset < at + size:
                return offset - at + vaddr
        return offset

    @property
    def first_address(self):
        """The address, before the file is loaded, of its first mapping."""
        return min((vaddr - at for vaddr, at, _ in self._loads if at == 0), default=0)

    def offset_of(self, address):
        """The opposite of address_of()."""
        return self._offset(address)

    def _damaged(self, why):
        return NotElf("%s: damaged ELF file: %s" % (self.path, why))

    def _require(self, end, what):
        """A file that was cut off, by a full disk or a broken download, ends before `end`."""
        length = os.fstat(self._file).st_size
        if end > length:
            raise self._damaged("%s should end at byte %d, the file has %d: is it complete?"
                                % (what, end, length))

    def _take(self, offset, size, what):
        self._require(offset + size, what)
        return os.pread(self._file, size, offset)

    def _read(self):
        start = os.pread(self._file, 64, 0)
        if start[:4] != b"\x7fELF" or len(start) > 4 and start[4] not in (1, 2):
            raise NotElf(self.path + ": not an ELF file")
        if len(start) < 52 or start[4] == 2 and len(start) < 64:
            raise self._damaged("it ends within its header, at byte %d" % len(start))
        self.bits = 32 * start[4]
        self.order = "<" if start[5] == 1 else ">"
        word = "Q" if self.bits == 64 else "I"
        header = struct.unpack_from(self.order + "HHI" + 3 * word + "IHHHHHH", start, 16)
        (self.type, self.machine, _, _, phoff, self._shoff, _, _, phentsize, phnum,
         shentsize, shnum, _) = header
        self._shape = shentsize, shnum if self._shoff else 0
        segments = self._segments(phoff, phentsize, phnum)
        self._loads = [(vaddr, offset, size) for kind, offset, vaddr, size in segments
                       if kind == PT_LOAD]
        for _, offset, size in self._loads:
            self._require(offset + size, "a part that is loaded")
        for kind, offset, _, size in segments:
            if kind == PT_INTERP:
                text = self._take(offset, size, "the interpreter's name")
                self.interp = text.rstrip(b"\0").decode(errors="replace")
            elif kind == PT_TLS:
                self.tls = size
        for kind, offset, _, size in segments:
            if kind == PT_DYNAMIC:
                self.is_dynamic = True
                self._dynamic(offset, size)

    def _segments(self, offset, size, count):
        """(type, file offset, address, size in the file; of TLS in memory) of each"""
        if count and size < SEGMENT_SIZES[self.bits]:
            raise self._damaged("rows of its program header have %d bytes" % size)
        table, rows = self._take(offset, size * count, "its program header"), []
        for at in range(0, size * count, size or 1):
            if self.bits == 64:
                kind, _, start, vaddr, _, length, memory = struct.unpack_from(
                    self.order + "IIQQQQQ", table, at)
            else:
                kind, start, vaddr, _, length, memory = struct.unpack_from(self.order + "6I",
                                                                           table, at)
            rows.append((kind, start, vaddr, memory if kind == PT_TLS else length))
        return rows

    def _sections(self):
        """(type, file offset, size, linked section) of each; the loader needs none of them"""
        size, count = self._shape
        if count and size < SECTION_SIZES[self.bits]:
            return []
        if self._shoff + size * count > os.fstat(self._file).st_size:
            return []
        table, rows = os.pread(self._file, size * count, self._shoff), []
        form = struct.Struct(self.order + ("IIQQQQI" if self.bits == 64 else "7I"))
        for at in range(0, size * count, size or 1):
            _, kind, _, _, start, length, link = form.unpack_from(table, at)
            rows.append((kind, start, length, link))
        return rows

    def _offset(self, address):
        """File offset of an address of the loaded image."""
        for vaddr, offset, size in self._loads:
            if vaddr <= address < vaddr + size:
                return offset + address - vaddr
        raise self._damaged("address %#x is in no segment" % address)

    def _dynamic(self, offset, size):
        form = struct.Struct(self.order + ("qQ" if self.bits == 64 else "iI"))
        entries = []
        for tag, value in form.iter_unpack(self._take(offset, size - size % form.size,
                                                      "its dynamic section")):
            if tag == 0:
                break
            entries.append((tag, value))
        table = dict(entries)
        if DT_STRTAB not in table:
            return
        start = self._offset(table[DT_STRTAB])
        text = self._take(start, table.get(DT_STRSZ, 0), "its string table")

        def string(at):
            end = text.find(b"\0", at)
            if end < 0:
                raise self._damaged("a name lies outside its string table")
            return text[at:end].decode(errors="surrogateescape")

        self.needed = [string(value) for tag, value in entries if tag == DT_NEEDED]
        self.soname = string(table[DT_SONAME]) if DT_SONAME in table else None
        self.runpath = string(table[DT_RUNPATH]) if DT_RUNPATH in table else None
        # gABI: DT_RUNPATH makes the loader ignore DT_RPATH of the same object
        if DT_RPATH in table and self.runpath is None:
            self.rpath = string(table[DT_RPATH])
        self.has_audit = any(tag in table for tag in DT_AUDITS)
        self.has_glibc_2_32 = b"\0GLIBC_2.32\0" in text
        if table.get(DT_FLAGS, 0) & DF_STATIC_TLS:
            self.static_tls = self.tls
        # a static program that moves itself (static-pie) has a dynamic section and no imports
        self._may_hold_libgomp = self.interp is None or LIBGOMP_IMPORT in text
        names = runtime_names(text)
        if DT_SYMTAB in table and names:
            symbols = self._offset(table[DT_SYMTAB])
            length = self._dynsym_size(symbols, start)
            self.defined, self.undefined = self._symbols(symbols, length, names)

    def _dynsym_size(self, symbols, strings):
        """The dynamic section does not tell: by the section table, else the strings follow."""
        for kind, offset, size, _ in self._sections():
            if kind == SHT_DYNSYM and offset == symbols:
                return size
        return max(0, strings - symbols)

    def _read_static_names(self):
        found, sections = set(), self._sections()
        for kind, offset, size, link in sections:
            if kind == SHT_SYMTAB and link < len(sections):
                _, text_offset, text_size, _ = sections[link]
                names = runtime_names(self._take(text_offset, text_size, "its string table"))
                found |= self._symbols(offset, size, names)[0]
        return found

    def _symbols(self, offset, size, names):
        """(defined, undefined) of `names` in the symbol table of `size` bytes at `offset`."""
        defined, undefined = set(), set()
        if not names:
            return defined, undefined
        form = struct.Struct(self.order + ("IBBHQQ" if self.bits == 64 else "IIIBBH"))
        section_index = 3 if self.bits == 64 else 5
        table = self._take(offset, size - size % form.size, "its symbol table")
        for entry in form.iter_unpack(table):
            name = names.get(entry[0])
            if name is not None:
                (defined if entry[section_index] else undefined).add(
                    name.decode(errors="surrogateescape"))
        return defined, undefined
