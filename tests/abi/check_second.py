#!/usr/bin/env python3
# check_second.py - every prototype of the table is compared with something outside of it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_builtins.py and check_omp_h.py compare what the compiler and its headers declare.

Here: what follows from those rows is as it must be (an old entry lacks the last arguments of its
successor), and what has no second source at all is on a list, with the reason. Names, nodes and
marks of symbols newer than the installed libgomp (check_abidiff.py) have none: a digest guards them
against slips.
"""

import argparse
import hashlib
import re

import check_builtins
import check_omp_h
from common import abi_table, finish, need, run, skip

import types_text  # tools/abi, put on the path by common

# of the lines NAME MARK NODE of the table: libgomp's symbols as of GCC 17, October 2026
NAMES_DIGEST = "43e4a3cd450db5c7288e37fdd6c15a6a5efc88434ee8eafcd2f87ffbb9c0c16f"

FLAGS = ("unsigned",)
ASYNC = ("int", ("ptr", "omp_depend_t"))

# name: (row with a second source, arguments that this row has more at its end, ditto the other)
RELATED = {
    "GOMP_parallel_start": ("GOMP_parallel", (), FLAGS),
    "GOMP_parallel_sections_start": ("GOMP_parallel_sections", (), FLAGS),
    **{f"GOMP_parallel_loop_{kind}_start": (f"GOMP_parallel_loop_{kind}", (), FLAGS)
       for kind in ("static", "dynamic", "guided", "runtime")},
    "GOMP_offload_register": ("GOMP_offload_register_ver", (), ()),
    "GOMP_offload_unregister": ("GOMP_offload_unregister_ver", (), ()),
    "GOMP_taskwait_depend_nowait": ("GOMP_taskwait_depend", (), ()),
    "GOACC_enter_exit_data": ("GOACC_enter_data", (), ()),
    "acc_memcpy_device_async": ("acc_memcpy_device", ("int",), ()),
    "omp_target_memcpy_async": ("omp_target_memcpy", ASYNC, ()),
    "omp_target_memcpy_rect_async": ("omp_target_memcpy_rect", ASYNC, ()),
    "omp_target_memset_async": ("omp_target_memset", ASYNC, ()),
    "GOMP_is_alloc": ("GOMP_add_alloc", (), ()),
}
DROP_FIRST = ("GOMP_offload_register", "GOMP_offload_unregister")  # the version
OTHER_RESULT = ("GOMP_is_alloc",)

OLD = "only GCC 4.9 called it"
INTEROP = "gcc 15 and later declare it"
CALLED_17, DECLARED_17 = "gcc 17 and later call it", "gcc 17 and later declare it"
ALONE = {
    "GOMP_parallel_end": "called by old programs; no argument",
    "GOMP_teams": OLD, "GOMP_target": OLD, "GOMP_target_data": OLD, "GOMP_target_update": OLD,
    "GOACC_parallel": OLD, "GOACC_get_num_threads": OLD, "GOACC_get_thread_num": OLD,
    "GOMP_add_alloc": "gcc 14 and later call it", "GOMP_interop": INTEROP,
    "GOMP_target_map_indirect_ptr": "gcc 14 and later call it",
    "acc_get_property": "in gcc 12's libgomp, not in its openacc.h",
    "acc_get_property_string": "the same", "acc_memcpy_device": "gcc 15 and later declare it",
    "omp_get_device_from_uid": "gcc 16 declares it",
    "omp_get_uid_from_device": "gcc 16 declares it",
    "omp_get_mapped_ptr": "gcc 13 and later declare it",
    "omp_in_explicit_task": "gcc 14 and later declare it",
    "omp_target_is_accessible": "gcc 13 and later declare it",
    "omp_target_memset": "gcc 16 declares it",
    **{f"omp_get_interop_{what}": INTEROP
       for what in ("int", "name", "ptr", "rc_desc", "str", "type_desc")},
    "omp_get_num_interop_properties": INTEROP,
    **{f"GOACC_{what}": CALLED_17 for what in ("init", "set_device", "shutdown")},
    **{f"GOMP_{what}": CALLED_17
       for what in ("barrier_ext", "barrier_cancel_ext", "has_masked_thread_num",
                    "has_masked_thread_num_with_end", "masked_end", "reduction_start",
                    "reduction_end", "scope_start_with_end", "scope_end", "single_start_with_end",
                    "single_end")},
    **{f"GOMP_{kind}_static_worksharing{what}": CALLED_17
       for kind in ("loop", "distribute") for what in ("", "_start", "_dispatch", "_end")},
    **{f"omp_{what}": DECLARED_17
       for what in ("control_tool", "get_device_distances", "get_num_threads_dim",
                    "get_thread_num_dim", "get_thread_limit_dim", "get_num_teams_dim",
                    "get_team_num_dim", "get_supported_teams_dim", "get_supported_threads_dim",
                    "get_supported_active_team_dims", "get_supported_active_league_dims")},
}


def related_error(table, name):
    """How a row differs from what its relative's prototype makes of it, or None."""
    other, more, less = RELATED[name]
    have = types_text.prototype(table.by_name(name).prototype)
    kind = types_text.prototype(table.by_name(other).prototype)
    args = kind[2][name in DROP_FIRST:]
    if less:
        if args[-len(less):] != less:
            return f"{other}: does not end with {less}"
        args = args[: -len(less)]
    result = have[1] if name in OTHER_RESULT else kind[1]
    want = ("fn", result, args + more, kind[3])
    return None if have == want else f"{name}: {types_text.show(have)}, not {types_text.show(want)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gcc", default="gcc")
    args = parser.parse_args()
    gcc = need(args.gcc)
    builtins = check_builtins.called(check_builtins.plugin_folder(gcc))
    if not builtins:
        skip("no omp-builtins.def: install the compiler's plug-in headers (gcc-<n>-plugin-dev)")
    declared = check_omp_h.available(gcc)[1]
    table = abi_table.Table()

    names = "".join(f"{row.name}{row.mark}{row.node}\n" for row in table.rows)
    digest = hashlib.sha256(names.encode()).hexdigest()
    if digest != NAMES_DIGEST:
        finish([f"the table's names, marks or nodes have changed: digest {digest}"], "")
    errors = [error for error in (related_error(table, name) for name in RELATED) if error]
    sources = 0
    for name in sorted({row.name for row in table.rows}):
        if name.endswith("_"):
            continue  # a Fortran name: check_twins.py, check_fortran_calls.py
        if name in builtins or re.search(rf"\b{name} *\(", declared) or name in RELATED:
            sources += 1
        elif name not in ALONE and not name.startswith("GOMP_PLUGIN_"):
            errors.append(f"{name}: nothing confirms its prototype, and it is not on the list")
    for name in sorted(set(RELATED) | set(ALONE)):
        if table.by_name(name) is None:
            errors.append(f"{name}: on a list here, not in the table")
    finish(errors, f"{sources} C prototypes have a second source")


if __name__ == "__main__":
    main()
