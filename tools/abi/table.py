# table.py - reads abi/symbols.def, abi/nodes.def and abi/nth.def
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one reader of the ABI table; the generator and every check import it."""

import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NTH_NODE = "NTH_1.0"
# OMP_1.0 locks and their OMP_3.0 successors: suffix of the C function behind each version
TWO_VERSION_SUFFIX = {"OMP_1.0": "_10", "OMP_3.0": "_30"}
# suffixes of Fortran names, longest first
FORTRAN_SUFFIXES = ("_array_h_", "_32_h_", "_64_h_", "_h_", "_8_", "_")


class TableError(Exception):
    """A row that cannot be understood; the text names file and line."""


@dataclasses.dataclass(frozen=True)
class Row:
    """One row of symbols.def."""

    name: str
    node: str
    mark: str
    status: str
    file: str
    twin: str
    prototype: str

    @property
    def is_done(self):
        return self.status == "done"

    @property
    def c_name(self):
        """The C name that a Fortran name belongs to."""
        for suffix in FORTRAN_SUFFIXES:
            if self.name.endswith(suffix):
                return self.name[: -len(suffix)]
        return self.name


@dataclasses.dataclass(frozen=True)
class NthRow:
    """One row of nth.def."""

    name: str
    status: str
    file: str
    kind: str  # function, object

    @property
    def is_done(self):
        return self.status == "done"


class Table:
    """All three files; two-version names are known once everything is read."""

    def __init__(self, abi_dir=None):
        self.abi_dir = pathlib.Path(abi_dir) if abi_dir else ROOT / "abi"
        self.nodes = dict(read_rows(self.abi_dir / "nodes.def", 2))
        self.rows = [Row(*cells) for cells in read_rows(self.abi_dir / "symbols.def", 7)]
        self.nth = [NthRow(*cells) for cells in read_rows(self.abi_dir / "nth.def", 4)]
        names = [row.name for row in self.rows]
        self.two_version = {name for name in names if names.count(name) > 1}
        self._check()

    def done(self):
        """The rows that the library exports."""
        return [row for row in self.rows if row.is_done]

    def by_name(self, name):
        """The row of a name that has one version, or None."""
        return next((row for row in self.rows if row.name == name), None)

    def function(self, row):
        """Name of the C function that is behind a row."""
        if row.name in self.two_version:
            return f"nth_abi_{row.name}{TWO_VERSION_SUFFIX[row.node]}"
        return row.name

    def _check(self):
        for node, parent in self.nodes.items():
            if parent != "-" and parent not in self.nodes:
                raise TableError(f"nodes.def: {node} has unknown parent {parent}")
        keys = [(row.name, row.node) for row in self.rows]
        if keys != sorted(set(keys)):
            raise TableError("symbols.def: rows are not sorted by name, or one is there twice")
        for row in self.rows:
            if row.node not in self.nodes:
                raise TableError(f"symbols.def: {row.name}: unknown node {row.node}")
            if row.mark not in ("@", "@@") or row.status not in ("done", "todo"):
                raise TableError(f"symbols.def: {row.name}: bad mark or status")
            if row.twin not in ("-", "auto", "logical", "hand"):
                raise TableError(f"symbols.def: {row.name}: bad twin {row.twin}")
            if (row.file == "generated") != (row.twin in ("auto", "logical")):
                raise TableError(f"symbols.def: {row.name}: file and twin do not agree")
            if row.name in self.two_version and row.node not in TWO_VERSION_SUFFIX:
                raise TableError(f"symbols.def: {row.name}: no suffix known for {row.node}")


def read_rows(path, columns):
    """The cells of a |-separated file, comments and empty lines left out."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != columns or not all(cells):
            raise TableError(f"{path.name}:{number}: {columns} columns wanted: {line}")
        rows.append(cells)
    return rows


def split_prototype(prototype):
    """'ret (a, b)' as ('ret', ['a', 'b']); no parameter gives an empty list."""
    match = re.match(r"(?P<ret>[^(]*?)\s*\((?P<args>.*)\)$", prototype)
    if not match:
        raise TableError(f"not a prototype: {prototype}")
    args, depth, current = [], 0, ""
    for char in match["args"]:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            args.append(current.strip())
            current = ""
        else:
            current += char
    args.append(current.strip())
    return match["ret"], [] if args in (["void"], [""]) else args


def main():
    """Prints the counts: a quick look at how far the table is."""
    table = Table()
    print(f"{len(table.rows)} rows, {len(table.done())} done, {len(table.nodes)} nodes")


if __name__ == "__main__":
    sys.exit(main())
