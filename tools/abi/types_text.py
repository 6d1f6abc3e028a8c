# types_text.py - C types as nested tuples, from the table's text and from GCC's .def files
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A type is a name ("int"), ("ptr", type) or ("fn", result, (arguments...), is_variadic).

Qualifiers are dropped: they are no part of the calling convention.
"""

import re

import table as abi_table

LP64 = {
    "size_t": "unsigned long", "uintptr_t": "unsigned long", "omp_interop_t": "unsigned long",
    "intptr_t": "long", "ptrdiff_t": "long", "int32_t": "int", "uint32_t": "unsigned",
    "int64_t": "long", "uint64_t": "unsigned long", "unsigned int": "unsigned",
    "acc_device_t": "int", "unsigned short int": "unsigned short",
    "omp_allocator_handle_t": "unsigned long", "omp_intptr_t": "long",
    "omp_interop_property_t": "int",
}


def prototype(text):
    """Type of a table row's prototype."""
    result, args = abi_table.split_prototype(text)
    return function(result, args)


def function(result, args):
    """Type of a function from the texts of its parts."""
    variadic = bool(args) and args[-1] == "..."
    types = tuple(parse(arg) for arg in (args[:-1] if variadic else args))
    return ("fn", parse(result), types, variadic)


def parse(text):
    """Type of 'const char *', 'void (*)(void *)', 'long'."""
    pointer_to_function = re.match(r"(.*?)\(\*\)\s*(\(.*\))$", text)
    if pointer_to_function:
        _, args = abi_table.split_prototype("x " + pointer_to_function[2])
        return ("ptr", function(pointer_to_function[1], args))
    text = re.sub(r"\b(const|volatile)\b", " ", text)
    base = " ".join(text.replace("*", " ").split())
    kind = LP64.get(base, base)
    for _ in range(text.count("*")):
        kind = ("ptr", kind)
    return kind


def show(kind):
    """Text of a type, for messages."""
    if isinstance(kind, str):
        return kind
    if kind == ("word",):
        return "word"
    if kind[0] == "ptr":
        return f"{show(kind[1])} *"
    args = [show(arg) for arg in kind[2]] + (["..."] if kind[3] else [])
    return f"{show(kind[1])} ({', '.join(args)})"


def matches(compiler, ours):
    """Is our type what the compiler will call? Its `void *` stands for every pointer, its
    ("word",) for both integers of pointer size."""
    if compiler == ("word",):
        return ours in ("long", "unsigned long")
    if isinstance(compiler, str) or isinstance(ours, str):
        return compiler == ours
    if compiler[0] != ours[0]:
        return False
    if compiler[0] == "ptr":
        return compiler[1] == "void" or matches(compiler[1], ours[1])
    same_shape = len(compiler[2]) == len(ours[2]) and compiler[3] == ours[3]
    pairs = zip((compiler[1],) + compiler[2], (ours[1],) + ours[2])
    return same_shape and all(matches(a, b) for a, b in pairs)
