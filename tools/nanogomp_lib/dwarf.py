# dwarf.py - the rows of a file's line table in their order, and its functions, by elfutils' libdw
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""addr2line gives an address the last of the line table's rows that it has. A function that begins
with inlined code has several rows for its first address. The first row is the function's own. So
the table itself is asked: libdw reads it, also where it is compressed or in a file of its own (by
build-id and by .gnu_debuglink). Only the units of the addresses that are asked for are read.

Without libdw.so.1 there are no rows, and addr2line's answer stays."""

import bisect
import ctypes
import functools
import os
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

STT_FUNC = 2


class Symbol(ctypes.Structure):
    """GElf_Sym"""

    _fields_ = [("name", c_uint32), ("info", ctypes.c_ubyte), ("other", ctypes.c_ubyte),
                ("section", ctypes.c_uint16), ("value", c_uint64), ("size", c_uint64)]


class Callbacks(ctypes.Structure):
    """Dwfl_Callbacks"""

    _fields_ = [("find_elf", c_void_p), ("find_debuginfo", c_void_p), ("section", c_void_p),
                ("path", c_void_p)]


class Die(ctypes.Structure):
    """Dwarf_Die"""

    _fields_ = [("address", c_void_p), ("unit", c_void_p), ("kind", c_void_p),
                ("padding", ctypes.c_long)]


# name: (result, arguments)
FUNCTIONS = {
    "dwfl_begin": (c_void_p, [POINTER(Callbacks)]),
    "dwfl_end": (None, [c_void_p]),
    "dwfl_report_offline": (c_void_p, [c_void_p, c_char_p, c_char_p, c_int]),
    "dwfl_report_end": (c_int, [c_void_p, c_void_p, c_void_p]),
    "dwfl_module_getdwarf": (c_void_p, [c_void_p, POINTER(c_uint64)]),
    "dwfl_module_getelf": (c_void_p, [c_void_p, POINTER(c_uint64)]),
    "dwfl_module_getsymtab": (c_int, [c_void_p]),
    "dwfl_module_getsym": (c_char_p, [c_void_p, c_int, POINTER(Symbol), c_void_p]),
    "dwarf_addrdie": (c_void_p, [c_void_p, c_uint64, POINTER(Die)]),
    "dwarf_getsrclines": (c_int, [POINTER(Die), POINTER(c_void_p), POINTER(c_size_t)]),
    "dwarf_onesrcline": (c_void_p, [c_void_p, c_size_t]),
    "dwarf_lineaddr": (c_int, [c_void_p, POINTER(c_uint64)]),
    "dwarf_lineno": (c_int, [c_void_p, POINTER(c_int)]),
    "dwarf_lineendsequence": (c_int, [c_void_p, POINTER(ctypes.c_bool)]),
    "dwarf_linesrc": (c_char_p, [c_void_p, c_void_p, c_void_p]),
}


@functools.lru_cache(maxsize=None)
def library():
    """libdw with the types of its functions; None: it is not installed, or an older one."""
    try:
        dw = ctypes.CDLL("libdw.so.1")
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(dw, name)
            function.restype, function.argtypes = result, arguments
        dw.callbacks = Callbacks(
            *(ctypes.cast(getattr(dw, name), c_void_p) for name in
              ("dwfl_build_id_find_elf", "dwfl_standard_find_debuginfo",
               "dwfl_offline_section_address")), None)
    except (OSError, AttributeError):
        return None
    return dw


class Lines:
    """The line table of a file. Whatever is damaged or unknown in it is as if it were not there."""

    def __init__(self, path):
        self._dw, self._session, self._module, self._table = library(), None, None, None
        self._units, self._bias, self._starts, self._ends = {}, c_uint64(), [], []
        if not self._dw or not os.path.isfile(path):
            return
        self._session = self._dw.dwfl_begin(byref(self._dw.callbacks))
        name = os.fsencode(path)
        self._module = self._session and self._dw.dwfl_report_offline(self._session, name, name, -1)
        if self._session:
            self._dw.dwfl_report_end(self._session, None, None)
        if self._module:
            self._table = self._dw.dwfl_module_getdwarf(self._module, byref(self._bias))
            spans = sorted(set(self._functions()))
            self._starts, self._ends = [span[0] for span in spans], [span[1] for span in spans]

    def __del__(self):
        if self._session:
            self._dw.dwfl_end(self._session)

    def functions(self):
        """[(address, end)], by address."""
        return list(zip(self._starts, self._ends))

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

    def _functions(self):
        """(address, end) of each symbol of a function, as the file has it."""
        bias, symbol = c_uint64(), Symbol()
        self._dw.dwfl_module_getelf(self._module, byref(bias))
        for i in range(max(0, self._dw.dwfl_module_getsymtab(self._module))):
            named = self._dw.dwfl_module_getsym(self._module, i, byref(symbol), None)
            if named and symbol.info & 15 == STT_FUNC and symbol.section and symbol.size:
                start = symbol.value - bias.value
                yield start, start + symbol.size

    def _unit_at(self, address):
        """[(address, number, file, line)] of the unit around an address, sorted."""
        die = Die()
        if not self._table or not self._dw.dwarf_addrdie(self._table, address, byref(die)):
            return []
        if die.unit not in self._units:
            self._units[die.unit] = sorted(self._rows_of(die))
        return self._units[die.unit]

    def _rows_of(self, die):
        lines, count, files = c_void_p(), c_size_t(), {}
        address, number, ends = c_uint64(), c_int(), ctypes.c_bool()
        if self._dw.dwarf_getsrclines(byref(die), byref(lines), byref(count)) != 0:
            return
        for i in range(count.value):
            line = self._dw.dwarf_onesrcline(lines, i)
            if self._dw.dwarf_lineaddr(line, byref(address)) or \
                    self._dw.dwarf_lineno(line, byref(number)) or \
                    self._dw.dwarf_lineendsequence(line, byref(ends)) or ends.value:
                continue
            name = self._dw.dwarf_linesrc(line, None, None) or b""
            if name not in files:
                files[name] = os.path.normpath(os.fsdecode(name))
            yield address.value, i, files[name], number.value
