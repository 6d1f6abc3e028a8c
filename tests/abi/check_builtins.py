#!/usr/bin/env python3
# check_builtins.py - prototypes of abi/symbols.def against the installed compiler's own table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gcc calls GOMP_* with the types of omp-builtins.def, expanded through builtin-types.def.

Both come with the compiler's plug-in headers (gcc-<n>-plugin-dev) and are read here, at test
time, from every gcc found. Fails also when a compiler has a builtin that the table does not know.
"""

import argparse
import pathlib
import re

from common import abi_table, compilers, finish, run, skip

import types_text  # tools/abi, put on the path by common

PRIMITIVES = {
    "void_type_node": "void", "boolean_type_node": "bool", "integer_type_node": "int",
    "unsigned_type_node": "unsigned", "long_integer_type_node": "long",
    "long_unsigned_type_node": "unsigned long", "size_type_node": "unsigned long",
    "long_long_integer_type_node": "long long",
    "long_long_unsigned_type_node": "unsigned long long",
    "unsigned_char_type_node": "unsigned char", "short_integer_type_node": "short",
    "double_type_node": "double",
    "complex_integer_type_node": "_Complex int", "float_type_node": "float",
    "ptr_type_node": ("ptr", "void"), "const_ptr_type_node": ("ptr", "void"),
    "const_string_type_node": ("ptr", "char"), "string_type_node": ("ptr", "char"),
}
MODES = {"BT_WORD": "unsigned long", "BT_PTRMODE": ("word",), "BT_VOLATILE_PTR": ("ptr", "void"),
         "BT_CONST_VOLATILE_PTR": ("ptr", "void")}
# GOACC_..._ONLY builtins are expanded by the compiler: no library function stands behind them
CALLED = ("DEF_GOMP_BUILTIN", "DEF_GOACC_BUILTIN", "DEF_GOACC_BUILTIN_COMPILER",
          "DEF_GOMP_BUILTIN_COMPILER", "DEF_GOACC_BUILTIN_FNSPEC")

# declared signed by the compiler; the value is a count or a version word, read as unsigned
SIGN_DIFFERS = ("GOMP_taskloop", "GOMP_taskloop_ull", "GOMP_offload_register_ver",
                "GOMP_offload_unregister_ver")

# what the compiler's own table says of functions that it calls otherwise
DIFFERS = {
    # the calls that `dispatch` makes pass the device number
    "omp_set_default_device": "int ()",
    # an omp_interop_t is a number as wide as a pointer
    "omp_get_interop_int": "word (void *, int, void *)",
}


def unsigned_dropped(kind):
    """A type with its integers signed."""
    if isinstance(kind, tuple):
        return tuple(unsigned_dropped(part) for part in kind)
    if isinstance(kind, str) and kind.startswith("unsigned"):
        return kind[len("unsigned"):].strip() or "int"
    return kind


def macro_calls(path):
    """(macro, [arguments]) of every DEF_... in a .def file."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for match in re.finditer(r"^(DEF_\w+)\s*\(", text, re.MULTILINE):
        depth, args, current = 1, [], ""
        for char in text[match.end():]:
            depth += {"(": 1, ")": -1}.get(char, 0)
            if depth == 0:
                break
            if char == "," and depth == 1:
                args.append(" ".join(current.split()))
                current = ""
            else:
                current += char
        yield match[1], args + [" ".join(current.split())]


def read_types(path):
    """{BT_...: type} of builtin-types.def; what no OpenMP builtin uses may stay unknown."""
    types = dict(MODES)
    for macro, args in macro_calls(path):
        name = args[0]
        if macro == "DEF_PRIMITIVE_TYPE":
            types.setdefault(name, PRIMITIVES.get(args[1], f"?{name}"))
            width = re.match(r"builtin_type_for_size \(BITS_PER_UNIT\*(\d+), 1\)", args[1])
            if width:
                types[name] = {"1": "unsigned char", "2": "unsigned short", "4": "unsigned",
                               "8": "unsigned long"}.get(width[1], f"?{name}")
        elif macro == "DEF_POINTER_TYPE":
            types[name] = ("ptr", types.get(args[1], f"?{args[1]}"))
        elif macro.startswith("DEF_FUNCTION_TYPE"):
            parts = tuple(types.get(arg, f"?{arg}") for arg in args[1:])
            types[name] = ("fn", parts[0], parts[1:], "_VAR_" in macro)
    return types


def plugin_folder(gcc):
    """Where the compiler's plug-in headers are, or would be."""
    return pathlib.Path(run(gcc, "-print-file-name=plugin").strip()) / "include"


def called(folder):
    """{function: its BT_... type} of the builtins that a library function stands behind."""
    path = folder / "omp-builtins.def"
    calls = macro_calls(path) if path.exists() else ()
    return {call[1].strip('"'): call[2] for macro, call in calls if macro in CALLED}


def compare(folder, table):
    """Errors, and the number of prototypes compared."""
    types = read_types(folder / "builtin-types.def")
    builtins = called(folder)
    errors = []
    for name, type_name in builtins.items():
        kind, row = types.get(type_name), table.by_name(name)
        if kind is None:
            errors.append(f"{name}: type {type_name} is not in builtin-types.def")
        elif row is None:
            errors.append(f"{name}: the compiler calls it, the table lacks it")
        else:
            ours = types_text.prototype(row.prototype)
            if name in SIGN_DIFFERS:
                kind, ours = unsigned_dropped(kind), unsigned_dropped(ours)
            if not types_text.matches(kind, ours) and types_text.show(kind) != DIFFERS.get(name):
                errors.append(f"{name}: compiler {types_text.show(kind)}; table {row.prototype}")
    if len(builtins) < 100:
        errors.append(f"only {len(builtins)} builtins read: has the format changed?")
    return errors, len(builtins)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gcc", default="gcc")
    args = parser.parse_args()
    folders = [plugin_folder(gcc) for gcc in compilers(args.gcc)]
    folders = [folder for folder in folders if (folder / "omp-builtins.def").exists()]
    if not folders:
        skip("no omp-builtins.def: install the compiler's plug-in headers (gcc-<n>-plugin-dev)")
    table, errors, words = abi_table.Table(), [], []
    for folder in sorted(set(folders)):
        wrong, count = compare(folder, table)
        errors += [f"{folder}: {error}" for error in wrong]
        words.append(f"{count} prototypes agree with {folder}")
    finish(errors, ", ".join(words))


if __name__ == "__main__":
    main()
