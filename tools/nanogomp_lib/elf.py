# elf.py - reads what the dynamic loader reads of an ELF file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small ELF reader: class, machine, PT_INTERP, PT_DYNAMIC and the OpenMP symbols.

Both classes and both byte orders, as files of a foreign kind must be told apart, not misread.
Source of the numbers: System V ABI (gABI), chapters "Object Files" and "Dynamic Linking".
Only symbol names of OpenMP runtimes are kept: they are first looked for as text in the string
table, so that a library with 100000 other symbols costs no more than a search.
"""

import mmap
import re
import struct

MACHINES = {3: "i386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390", 40: "arm", 62: "x86-64",
            183: "aarch64", 243: "riscv", 258: "loongarch"}
PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 5, 6, 10, 14, 15, 29
SHT_SYMTAB, SHT_DYNSYM = 2, 11

RUNTIME_NAME = re.compile(rb"(?:GOMP_|GOACC_|omp_|__kmpc_)[A-Za-z0-9_]+(?=\0)")
# Texts that any libgomp holds; together they tell a stripped program with libgomp.a in it.
LIBGOMP_TEXTS = (b"GOMP_SPINCOUNT\0", b"OMP_STACKSIZE\0", b"libgomp: ")


class NotElf(Exception):
    """The file is not ELF or its tables make no sense."""


class Elf:
    """One file. Names are str; `defined` and `undefined` hold OpenMP runtime names only."""

    def __init__(self, path):
        self.path = path
        self.interp = self.soname = self.rpath = self.runpath = None
        self.needed = []
        self.defined, self.undefined, self.static_names = set(), set(), set()
        self.is_dynamic = False
        with open(path, "rb") as file:
            start = file.read(64)
            if len(start) < 52 or start[:4] != b"\x7fELF" or start[4] not in (1, 2):
                raise NotElf(path + ": not an ELF file")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
                try:
                    self._read(image)
                except (struct.error, ValueError, IndexError) as error:
                    raise NotElf("%s: damaged ELF file (%s)" % (path, error)) from error

    @property
    def kind(self):
        """What must be equal for two files to share a process."""
        return (self.bits, self.machine, self.order)

    @property
    def kind_text(self):
        name = MACHINES.get(self.machine, "machine %d" % self.machine)
        return "%d-bit %s" % (self.bits, name)

    def has_libgomp_texts(self):
        """Whether libgomp's code seems to be in this file, symbols or not."""
        with open(self.path, "rb") as file:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
                return all(image.find(text) >= 0 for text in LIBGOMP_TEXTS)

    def _read(self, image):
        self.bits = 32 * image[4]
        self.order = "<" if image[5] == 1 else ">"
        word = "Q" if self.bits == 64 else "I"
        header = struct.unpack_from(self.order + "HHI" + 3 * word + "IHHHHHH", image, 16)
        (self.type, self.machine, _, _, phoff, shoff, _, _, phentsize, phnum,
         shentsize, shnum, _) = header
        segments = [self._segment(image, phoff + i * phentsize) for i in range(phnum)]
        self._loads = [(vaddr, offset, size) for kind, offset, vaddr, size in segments
                       if kind == PT_LOAD]
        sections = [self._section(image, shoff + i * shentsize) for i in range(shnum) if shoff]
        for kind, offset, _, size in segments:
            if kind == PT_INTERP:
                self.interp = image[offset:offset + size].rstrip(b"\0").decode(errors="replace")
            elif kind == PT_DYNAMIC:
                self.is_dynamic = True
                self._dynamic(image, offset, size, sections)
        for kind, offset, size, link in sections:
            if kind == SHT_SYMTAB and link < len(sections):
                _, text_offset, text_size, _ = sections[link]
                text = image[text_offset:text_offset + text_size]
                self.static_names = self._symbols(image, offset, size, text)[0]

    def _segment(self, image, at):
        """(type, file offset, address, size in the file)"""
        if self.bits == 64:
            kind, _, offset, vaddr, _, size = struct.unpack_from(self.order + "IIQQQQ", image, at)
        else:
            kind, offset, vaddr, _, size = struct.unpack_from(self.order + "5I", image, at)
        return kind, offset, vaddr, size

    def _section(self, image, at):
        """(type, file offset, size, linked section)"""
        form = "IIQQQQI" if self.bits == 64 else "7I"
        _, kind, _, _, offset, size, link = struct.unpack_from(self.order + form, image, at)
        return kind, offset, size, link

    def _offset(self, address):
        """File offset of an address of the loaded image."""
        for vaddr, offset, size in self._loads:
            if vaddr <= address < vaddr + size:
                return offset + address - vaddr
        raise ValueError("address %#x is in no segment" % address)

    def _dynamic(self, image, offset, size, sections):
        form = self.order + ("qQ" if self.bits == 64 else "iI")
        step = struct.calcsize(form)
        entries = []
        for at in range(offset, offset + size - step + 1, step):
            tag, value = struct.unpack_from(form, image, at)
            if tag == 0:
                break
            entries.append((tag, value))
        table = dict(entries)
        if DT_STRTAB not in table:
            return
        start = self._offset(table[DT_STRTAB])
        text = image[start:start + table.get(DT_STRSZ, 0)]

        def string(at):
            return text[at:text.index(b"\0", at)].decode(errors="surrogateescape")

        self.needed = [string(value) for tag, value in entries if tag == DT_NEEDED]
        self.soname = string(table[DT_SONAME]) if DT_SONAME in table else None
        self.runpath = string(table[DT_RUNPATH]) if DT_RUNPATH in table else None
        # gABI: DT_RUNPATH makes the loader ignore DT_RPATH of the same object
        if DT_RPATH in table and self.runpath is None:
            self.rpath = string(table[DT_RPATH])
        if DT_SYMTAB in table:
            symbols = self._offset(table[DT_SYMTAB])
            length = self._dynsym_size(symbols, start, sections)
            self.defined, self.undefined = self._symbols(image, symbols, length, text)

    @staticmethod
    def _dynsym_size(symbols, strings, sections):
        """The dynamic section does not tell: by the section table, else the strings follow."""
        for kind, offset, size, _ in sections:
            if kind == SHT_DYNSYM and offset == symbols:
                return size
        return max(0, strings - symbols)

    def _symbols(self, image, offset, size, text):
        """(defined, undefined) OpenMP names of the symbol table of `size` bytes at `offset`."""
        # A name may be the tail of a longer one, so every place where one begins counts.
        names = {match.start(): match.group() for match in RUNTIME_NAME.finditer(text)}
        defined, undefined = set(), set()
        if not names:
            return defined, undefined
        form = struct.Struct(self.order + ("IBBHQQ" if self.bits == 64 else "IIIBBH"))
        section_index = 3 if self.bits == 64 else 5
        size -= size % form.size
        for entry in form.iter_unpack(image[offset:offset + size]):
            name = names.get(entry[0])
            if name is not None:
                (defined if entry[section_index] else undefined).add(name.decode())
        return defined, undefined
